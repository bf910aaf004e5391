"""What a position's bytes hold: the Python view of `native/games/chess/state.hpp`, and the numbers of its actions.

Squares are 0 … 63, a1 first, then along the ranks; an action is from + 64 · to + 4096 · promotion + 2¹⁵ · piece +
2¹⁸ · kind, and castling is the king taking its rook.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

PIECES = "PNBRQK"
FILES = "abcdefgh"
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
PLAIN, DOUBLE_STEP, EN_PASSANT, CASTLING = range(4)

_LAYOUT = struct.Struct("=12QiHHBBB5x")
_TURN = 105
_CHECKERS = slice(72, 80)
"""Where a position's bytes have them."""


class Move(NamedTuple):
    """An action, taken apart."""

    start: int
    to: int
    promotion: int
    """The piece that a pawn becomes, or 0."""
    piece: int
    kind: int


class Board(NamedTuple):
    """The pieces of a position, as sets of squares (one bit each), and the rest of it."""

    pieces: tuple[int, ...]
    white: int
    black: int
    clock: int
    move: int
    turn: int

    def letter(self, square: int) -> str:
        """The piece on a square as in FEN, `.` if there is none."""
        for letter, squares in zip(PIECES, self.pieces, strict=True):
            if squares >> square & 1:
                return letter if self.white >> square & 1 else letter.lower()
        return "."


def take_apart(action: int) -> Move:
    return Move(action & 63, action >> 6 & 63, action >> 12 & 7, action >> 15 & 7, action >> 18 & 3)


def read_board(data: bytes) -> Board:
    fields = _LAYOUT.unpack(data)
    clock, move, _, turn, _ = fields[13:]
    return Board(fields[:6], fields[6], fields[7], clock, move, turn)


def turn_of(data: bytes) -> int:
    """0 if white is to move, else 1."""
    return data[_TURN]


def in_check(data: bytes) -> bool:
    return any(data[_CHECKERS])


def square_name(square: int) -> str:
    return f"{FILES[square % 8]}{square // 8 + 1}"


def castled_king(king: int, rook: int) -> int:
    """Where the king stands after castling with that rook."""
    return king // 8 * 8 + (6 if rook > king else 2)
