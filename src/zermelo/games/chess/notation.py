"""Moves as text: SAN (`Nf3`, `exd8=Q+`, `O-O`), as people write, and coordinates (`g1f3`, `e7e8q`), as programs do.

Either is read, and so is what people make of them: `0-0`, `Ng1-f3`, `e8Q`, `exd6e.p.`, marks such as `!?` at the end. A
sign of check or mate may be missing or wrong; a piece that is named must be the one that moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zermelo.games.chess.board import (
    CASTLING,
    EN_PASSANT,
    FILES,
    PAWN,
    PIECES,
    Board,
    castled_king,
    square_name,
    take_apart,
)

_SAN = re.compile(r"([NBRQK])?([a-h])?([1-8])?([x:-])?([a-h])([1-8])(?:=?\(?([NBRQ])\)?)?")
_COORDINATES = re.compile(r"([a-h])([1-8])-?([a-h])([1-8])=?([nbrqNBRQ])?")
_CASTLES = re.compile(r"[Oo0]-?[Oo0](-?[Oo0])?")
_MARKS = re.compile(r"(?:[+#!?]|\s*e\.p\.|ep)+$")

LONGEST = 40
"""Characters of a move, with all that people write behind it."""


def write_san(board: Board, action: int, legal: Iterable[int], check: str) -> str:
    """`action` in SAN; `check` is the sign at its end: `+`, `#` or nothing."""
    move = take_apart(action)
    if move.kind == CASTLING:
        return ("O-O" if move.to > move.start else "O-O-O") + check
    captures = move.kind == EN_PASSANT or bool((board.white | board.black) >> move.to & 1)
    to = square_name(move.to)
    if move.piece == PAWN:
        start = f"{FILES[move.start % 8]}x" if captures else ""
        promotion = f"={PIECES[move.promotion]}" if move.promotion else ""
        return f"{start}{to}{promotion}{check}"
    return f"{PIECES[move.piece]}{_distinction(action, legal)}{'x' if captures else ''}{to}{check}"


def _distinction(action: int, legal: Iterable[int]) -> str:
    """What tells the piece from others of its kind that could go to the same square: its file, its rank, or both."""
    move = take_apart(action)
    others = [other for other in map(take_apart, legal) if _rivals(move, other)]
    if not others:
        return ""
    name = square_name(move.start)
    if all(other.start % 8 != move.start % 8 for other in others):
        return name[0]
    return name[1] if all(other.start // 8 != move.start // 8 for other in others) else name


def _rivals(move: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return other[1] == move[1] and other[3] == move[3] and other[0] != move[0] and other[4] != CASTLING


def write_coordinates(action: int, chess960: bool) -> str:
    """`action` as programs write it; castling is the king's move, in Chess960 to the square of its rook."""
    move = take_apart(action)
    to = move.to
    if move.kind == CASTLING and not chess960 and move.start % 8 == 4 and to % 8 in (0, 7):
        to = castled_king(move.start, to)
    return f"{square_name(move.start)}{square_name(to)}{PIECES[move.promotion].lower() if move.promotion else ''}"


def find_moves(text: str, legal: Iterable[int]) -> list[int]:
    """Those of the legal actions that `text` may mean: one, if it is a move."""
    actions = list(legal)
    if len(text) > LONGEST:
        return []
    word = _MARKS.sub("", text.strip())
    if found := _COORDINATES.fullmatch(word):
        return _by_coordinates(found, actions)
    if found := _CASTLES.fullmatch(word):
        long = found[1] is not None
        return [a for a in actions if (m := take_apart(a)).kind == CASTLING and (m.to < m.start) == long]
    if found := _SAN.fullmatch(word):
        return _by_san(found, actions)
    return []


def _by_coordinates(found: re.Match[str], actions: list[int]) -> list[int]:
    start = FILES.index(found[1]) + 8 * (int(found[2]) - 1)
    to = FILES.index(found[3]) + 8 * (int(found[4]) - 1)
    promotion = PIECES.index(found[5].upper()) if found[5] else 0
    moves = [(a, take_apart(a)) for a in actions if a & 63 == start]
    exact = [a for a, m in moves if m.to == to and m.promotion == promotion]
    # The king's two squares, where no other move has that name.
    return exact or [a for a, m in moves if m.kind == CASTLING and castled_king(m.start, m.to) == to and not promotion]


def _by_san(found: re.Match[str], actions: list[int]) -> list[int]:
    piece = PIECES.index(found[1]) if found[1] else PAWN
    to = FILES.index(found[5]) + 8 * (int(found[6]) - 1)
    promotion = PIECES.index(found[7]) if found[7] else 0
    chosen = []
    for action in actions:
        move = take_apart(action)
        if move.kind == CASTLING or (move.to, move.piece, move.promotion) != (to, piece, promotion):
            continue
        if found[2] not in (None, FILES[move.start % 8]) or found[3] not in (None, str(move.start // 8 + 1)):
            continue
        if piece == PAWN and not found[2] and move.start % 8 != to % 8:
            continue  # a pawn that takes is named by its file
        chosen.append(action)
    return chosen
