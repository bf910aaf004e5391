"""Positions and moves of chess as books in Polyglot's format have them.

The key of a position is the exclusive or of numbers that the format lists (`polyglot.txt`): one for each piece on its
square, for each right to castle, for the file of a pawn that may be taken en passant, and one if white is to move. A
move is its squares, castling being the king taking its rook, with the piece that a pawn becomes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from zermelo.games.chess.board import NO_SQUARE, Board, take_apart

CASTLING, EN_PASSANT, WHITE_MOVES = 768, 772, 780
"""Where the numbers begin that are not of pieces."""


@cache
def numbers() -> list[int]:
    """The 781 numbers of the format."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="ascii")
    return [int(word, 16) for word in text.split()]


def write_key(board: Board) -> int:
    """The key of a position."""
    known, key = numbers(), 0
    for piece, squares in enumerate(board.pieces):
        for square in _squares(squares):
            key ^= known[64 * (2 * piece + (board.white >> square & 1)) + square]
    for rook in _squares(board.castlers):
        white = board.white >> rook & 1
        king = (board.pieces[5] & (board.white if white else board.black)).bit_length() - 1
        key ^= known[CASTLING + 2 * (1 - white) + (rook < king)]
    if board.en_passant != NO_SQUARE:
        key ^= known[EN_PASSANT + board.en_passant % 8]
    return key if board.turn else key ^ known[WHITE_MOVES]


def write_move(action: int) -> int:
    """The move in 16 bits: to, from and promotion, each in the order file, rank."""
    move = take_apart(action)
    return move.to | move.start << 6 | move.promotion << 12


def _squares(board: int) -> list[int]:
    return [square for square in range(64) if board >> square & 1]
