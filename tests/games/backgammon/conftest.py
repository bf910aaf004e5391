"""Games of backgammon, and networks that were never taught."""

from __future__ import annotations

import pytest
from tests.games.backgammon.chequers import random_tensors

from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.networks import Networks


@pytest.fixture(scope="module")
def game():
    return Backgammon()


@pytest.fixture(scope="module")
def money():
    return Backgammon(cube=True)


@pytest.fixture(scope="module")
def tensors():
    return random_tensors(1)


@pytest.fixture(scope="module")
def networks(tensors):
    return Networks(tensors)
