"""Endgame tables: the positions of a game with few pieces, solved once, kept in files, and probed by searches.

    tables = build_tables(game, 3, "chess.tables")     slice by slice; goes on where it was ended
    tables = read_tables("chess.tables", game)
    tables.probe(s), tables.best(s)                    what s is worth and in how many plies, and a best action
    game = with_tables(game, tables)                   the same rules; every search of the engine probes the tables

A game takes part that says which slice a position is in, and which number it has there (`zermelo.Game.material`). The
values are those of play without a count of moves and without a history: `native/search/worker.cpp` says when a search
may rely on them all the same.
"""

from typing import TYPE_CHECKING

from zermelo.tables.attach import tables_of as tables_of
from zermelo.tables.attach import with_tables as with_tables
from zermelo.tables.slice_file import SliceFacts as SliceFacts
from zermelo.tables.tables import Tables as Tables
from zermelo.tables.tables import kept_identity as kept_identity
from zermelo.tables.tables import read_tables as read_tables

if TYPE_CHECKING:
    from zermelo.tables.build import SliceProgress as SliceProgress
    from zermelo.tables.build import build_tables as build_tables


def __getattr__(name: str) -> object:
    if name in ("SliceProgress", "build_tables"):
        from zermelo.tables import build

        return getattr(build, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
