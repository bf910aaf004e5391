"""Files of tournaments."""

from __future__ import annotations

import pytest
from tests.arena.store.stored import SETTINGS, game

from zermelo.arena.openings import Opening
from zermelo.arena.store import Store


@pytest.fixture
def path(tmp_path):
    return tmp_path / "cup.db"


@pytest.fixture
def written(path):
    """A file with two games."""
    store = Store.create(path, SETTINGS, [Opening(), Opening("start", ("a1", "ü"))])
    store.add([game(0), game(1)])
    store.close()
    return path
