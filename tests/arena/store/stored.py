"""Games to be stored, and what tests of files ask of them."""

from __future__ import annotations

import pytest

from zermelo.arena.scheduled import GameOutcome, ScheduledGame
from zermelo.errors import InputError
from zermelo.play import Record

SETTINGS = {"game": "tictactoe", "entrants": ["a", "b"]}


def game(number=0, **more):
    fixture = ScheduledGame(number, 0, 0, number // 2, (0, 1), 0, 7)
    record = Record("Tictactoe", ("a", "b"), "start", (1, 2), ("b1", "c1"), (1.0, -1.0), "")
    return fixture, GameOutcome(
        number, Record(**{**asdict(record), **more}), (1.0, 0.0), "2026-11-15", 0.5, {"zermelo": "1"}
    )


def asdict(record):
    return {name: getattr(record, name) for name in Record.__slots__}


def refused(call):
    """The message of the one line in which `call` is refused."""
    with pytest.raises(InputError) as error:
        call()
    assert "\n" not in str(error.value)
    return str(error.value)
