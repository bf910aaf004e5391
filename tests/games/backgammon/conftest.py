from __future__ import annotations

import pytest

from zermelo.games.backgammon import Backgammon


@pytest.fixture(scope="module")
def game():
    return Backgammon()


@pytest.fixture(scope="module")
def money():
    return Backgammon(cube=True)
