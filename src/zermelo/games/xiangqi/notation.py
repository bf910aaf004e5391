"""The notations of Chinese chess: squares by letter and number, and moves in Chinese.

A Chinese move is four characters: the piece, the column it stands on, 进 (ahead), 退 (back) or 平 (sideways), and how
many rows it goes, or the column it goes to if it leaves its own. Columns are counted from the player's own right, in
Chinese numerals for red and in Arabic ones for black. Of two like pieces on one column the front one is 前, the other
后, written before the piece's name in place of the column. Pawns can be more: three on a column are 前, 中 and 后; four
or five, or all that share a column where two columns have several, are numbered from the player's right, and on each
column from the front. Advisors and elephants on one column never go the same way, and keep the column's number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

NAMES = dict(zip("KABNRCPkabnrcp.", "帅仕相马车炮兵将士象马车炮卒．", strict=True))
"""The character of each letter of FEN, and of an empty square."""

NUMERALS = ("一二三四五六七八九", "１２３４５６７８９")
"""Red's and black's."""

_SIMPLE = str.maketrans(
    "帥將将士象馬傌車俥砲包卒進後一二三四五六七八九１２３４５６７８９",
    "帅帅帅仕相马马车车炮炮兵进后123456789123456789",
)


def square_name(square: int, first_row: int) -> str:
    """As in `h3`, where red's own row has the number `first_row`."""
    return f"{'abcdefghi'[square % 9]}{square // 9 + first_row}"


def simple(text: str) -> str:
    """`text` with all ways to write a piece or a number made one."""
    return text.translate(_SIMPLE)


def chinese_names(pieces: str, start: int, to: int) -> list[str]:
    """What the move may be called, the usual name first."""
    piece = pieces[start]
    side = 0 if piece.isupper() else 1
    rows = (to // 9 - start // 9) * (1 if side == 0 else -1)
    way = "平" if rows == 0 else "进" if rows > 0 else "退"
    leaves = to % 9 != start % 9
    goal = _column(to, side) if leaves else NUMERALS[side][abs(rows) - 1]
    return [f"{head}{way}{goal}" for head in _heads(pieces, start, side)]


def _column(square: int, side: int) -> str:
    return NUMERALS[side][8 - square % 9 if side == 0 else square % 9]


def _heads(pieces: str, start: int, side: int) -> list[str]:
    """The first two characters: which piece."""
    piece = pieces[start]
    forward = -1 if side == 0 else 1
    alike = sorted((square for square in range(90) if pieces[square] == piece), key=lambda square: forward * square)
    by_column = {column: [square for square in alike if square % 9 == column] for column in range(9)}
    mates = by_column[start % 9]
    plain = NAMES[piece] + _column(start, side)
    if len(mates) == 1:
        return [plain]
    # From the player's right: column i comes first for red, column a for black.
    crowded = [c for c in (range(8, -1, -1) if side == 0 else range(9)) if len(by_column[c]) > 1]
    if len(crowded) > 1 or len(mates) > 3:
        numbered = [square for column in crowded for square in by_column[column]]
        return [NUMERALS[side][numbered.index(start)] + NAMES[piece]]
    named = ("前后" if len(mates) == 2 else "前中后")[mates.index(start)] + NAMES[piece]
    return [plain, named] if piece in "ABab" else [named]


MOVES_A_LINE = 5
"""Of each player."""


def write_game(
    moves: Sequence[str],
    players: Sequence[str],
    utilities: Sequence[float] | None,
    position: str | None = None,
    turn: int = 0,
) -> str:
    """The text of a file; `position` is where the game began, if not at the usual start, and `turn` who began."""
    result = "*" if utilities is None else {1: "1-0", -1: "0-1", 0: "1/2-1/2"}[_sign(utilities[0] - utilities[1])]
    tags = {"Game": "Chinese Chess", "Red": players[0], "Black": players[1], "Result": result}
    if position is not None:
        tags["FEN"] = position
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in {**tags, "Format": "ICCS"}.items())
    words = [f"{i // 2 + 1}. {move}" if i % 2 == 0 else move for i, move in enumerate(moves, turn)]
    if turn and words:
        words[0] = f"1... {words[0]}"
    pieces = [*words, result]
    lines = [" ".join(pieces[i : i + 2 * MOVES_A_LINE]) for i in range(0, len(pieces), 2 * MOVES_A_LINE)]
    return "\n".join([head, *lines]) + "\n"


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _quoted(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(text.split()))
