"""JSON lines: one record per game, with all that is known of it; `read_game` reads it back.

Numbers that are not finite, which JSON lacks, are texts: `"inf"`, `"-inf"`, `"nan"`.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, fields
from typing import Any

from zermelo.arena.export._game import ExportGame, Writer
from zermelo.errors import InputError

VERSION = 1
"""The version of the format; a reader refuses other ones."""


class JsonLines:
    name = "jsonl"
    scope = "all games"

    def suits(self, game: ExportGame) -> bool:
        return True

    def write(self, game: ExportGame) -> str:
        return json.dumps({"zermelo_game": VERSION, **_strict(asdict(game))}, allow_nan=False) + "\n"


def read_game(line: str) -> ExportGame:
    """The game that `write` wrote as `line`."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this line is not JSON: {error}") from None
    if not isinstance(record, dict) or record.pop("zermelo_game", None) != VERSION:
        raise InputError(f"this line is not a game: it should be a record with `zermelo_game` {VERSION}")
    known = {field.name for field in fields(ExportGame)}
    try:
        return ExportGame(**{name: _frozen(name, value) for name, value in record.items() if name in known})
    except TypeError as error:
        raise InputError(f"this line is not a whole game: {error}") from None


def _strict(value: Any) -> Any:
    """`value` as strict JSON can hold it."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: _strict(each) for name, each in value.items()}
    return [_strict(each) for each in value] if isinstance(value, (list, tuple)) else value


def _frozen(name: str, value: object) -> Any:
    """Restores tuples from lists, and numbers from texts."""
    if not isinstance(value, list):
        return value
    numbers = name in ("utilities", "payoffs", "values", "seconds")
    return tuple(float(each) if numbers and isinstance(each, str) else each for each in value)


WRITERS: tuple[Writer, ...] = (JsonLines(),)
