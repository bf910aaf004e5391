"""Networks of backgammon that were never taught."""

from __future__ import annotations

import pytest
from tests.engine.chequers import random_tensors

from zermelo.engine.backgammon import Networks


@pytest.fixture(scope="module")
def tensors():
    return random_tensors(1)


@pytest.fixture(scope="module")
def networks(tensors):
    return Networks(tensors)
