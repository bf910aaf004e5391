"""Games in shared libraries: whatever language fills the table of `native/core/table.h`, its game plays here.

    load_shared(Path("lib.so"), "symbol")

The symbol is a `zermelo_table`, or a function without arguments that returns a pointer to one. Whoever loads a library
trusts it: its code runs in this process.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

from zermelo.engine.compiled import _core
from zermelo.engine.native import TableGame, describe
from zermelo.errors import GameNotFoundError, InputError
from zermelo.game.contract import Game


def load_shared(path: Path, symbol: str | None) -> Game:
    """The game behind `symbol` of the shared library `path`; refuses what it can see to be unusable."""
    if not path.is_file():
        raise GameNotFoundError(f"there is no file {path}: give the path of a shared library, as in game.so:symbol")
    if symbol is None:
        raise GameNotFoundError(f"say which symbol of {path} is the game, as in {path}:my_game")
    try:
        library = ctypes.CDLL(str(path.resolve()))
    except OSError as error:
        said = str(error).replace(str(path.resolve()), path.name)
        raise InputError(f"{path} cannot be loaded as a shared library of this machine: {said}") from None
    try:
        address = ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
    except ValueError:
        raise GameNotFoundError(
            f'{path} exports no symbol {symbol}; in C++ it takes extern "C", and `nm -D {path}` lists what there is'
        ) from None
    try:
        handle = _core.shared_table(address)
    except ValueError as error:
        raise InputError(f"{path}:{symbol} {error}") from None
    body = {"__doc__": f"The game {symbol} of a shared library.", **describe(_core.table_facts(handle))}
    game: Game = type(symbol, (TableGame,), body)(handle, library)
    return game
