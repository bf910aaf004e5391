"""The key of a position in a book: a number that is the same in every process and on every machine."""

from __future__ import annotations

import hashlib
from typing import Any

from zermelo.errors import MethodError
from zermelo.game.contract import Game, S

KEY_BYTES = 8


def position_key(game: Game[S], s: S) -> int:
    """64 bits of a digest of `game.key(s)`: equal for equal positions."""
    written = repr(_written(game.key(s))).encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(written, digest_size=KEY_BYTES).digest(), "little")


def _written(value: Any) -> Any:
    """`value` in parts whose `repr` is equal where they are: 1, 1.0 and true are one number, sets have an order."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (int, float)):
        return int(value) if value == value // 1 else float(value)
    if isinstance(value, (tuple, list)):
        return tuple(_written(each) for each in value)
    if isinstance(value, (set, frozenset)):
        return "set", *sorted(repr(_written(each)) for each in value)
    if getattr(type(value), "__repr__", None) is object.__repr__:
        raise MethodError(
            f"`key` holds a {type(value).__name__}, which is written otherwise in every process: "
            "make it of numbers, texts and tuples, and the game can have a book"
        )
    return value
