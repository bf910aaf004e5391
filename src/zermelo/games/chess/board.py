"""What a position's bytes hold: the Python view of `native/games/chess/state.hpp`, and the numbers of its actions.

Squares are 0 … 63, a1 first, then along the ranks; an action is from + 64 · to + 4096 · promotion + 2¹⁵ · piece +
2¹⁸ · kind, and castling is the king taking its rook. The 960 starts have
Scharnagl's numbers; 518 is that of chess. The board as an SVG drawing has white below.
"""

from __future__ import annotations

import struct
from itertools import combinations
from typing import NamedTuple

KNIGHTS = list(combinations(range(5), 2))


def back_rank(number: int) -> str:
    """White's pieces from a1 to h1 in start `number`, whose digits say where bishops, queen and knights stand."""
    files = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    files[2 * light + 1] = files[2 * dark] = "B"
    knights, queen = divmod(number, 6)
    files[_free(files)[queen]] = "Q"
    free = _free(files)
    for place in KNIGHTS[knights]:
        files[free[place]] = "N"
    for piece, file in zip("RKR", _free(files), strict=True):
        files[file] = piece
    return "".join(files)


def start_fen(number: int) -> str:
    rank = back_rank(number)
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"


def _free(files: list[str]) -> list[int]:
    return [file for file, piece in enumerate(files) if not piece]


PIECES = "PNBRQK"
FILES = "abcdefgh"
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
PLAIN, DOUBLE_STEP, EN_PASSANT, CASTLING = range(4)
NO_SQUARE = 64

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
    castlers: int
    """The rooks that may still castle."""
    en_passant: int
    """The square behind a pawn that may be taken en passant, or `NO_SQUARE`."""

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
    clock, move, en_passant, turn, _ = fields[13:]
    return Board(fields[:6], fields[6], fields[7], clock, move, turn, fields[11], en_passant)


def turn_of(data: bytes) -> int:
    """0 if white is to move, else 1."""
    return data[_TURN]


def in_check(data: bytes) -> bool:
    return any(data[_CHECKERS])


def material(board: Board) -> int:
    """By how many pawns white's pieces are worth more than black's, as beginners count them."""
    worth = zip(board.pieces, WORTH, strict=True)
    return sum(value * ((each & board.white).bit_count() - (each & board.black).bit_count()) for each, value in worth)


def is_bare(board: Board) -> bool:
    """Whether no pawn, rook or queen is left, with which alone one can mate."""
    pawns, _, _, rooks, queens, _ = board.pieces
    return not pawns | rooks | queens


def square_name(square: int) -> str:
    return f"{FILES[square % 8]}{square // 8 + 1}"


def castled_king(king: int, rook: int) -> int:
    """Where the king stands after castling with that rook."""
    return king // 8 * 8 + (6 if rook > king else 2)


SIDE = 40
"""Of a square."""
SHAPES = {
    "P": (
        "M20 8.5a5 5 0 0 1 3.2 8.8c2.5 1.2 3.6 3.4 2.1 3.4h-1.6c.6 4.2 2.2 6.6 4.6 8.9 1 1 1.2 4.4 1.2 4.4h-19"
        "s.2-3.4 1.2-4.4c2.4-2.3 4-4.7 4.6-8.9h-1.6c-1.5 0-.4-2.2 2.1-3.4A5 5 0 0 1 20 8.5z",
        "",
    ),
    "N": (
        "M12.5 34c0-8 6.5-9.5 6.5-14.5-2 1.5-3.5 1-4.5 2.5-1 1.6-2.5 2.3-4 1.3-1.8-1.2-1.5-3-.8-4.2L13.5 12.5"
        "c0-1.5.8-2.7 1.8-3.4L15 5l4.5 2.8C27 8.3 31 15 31 24v10z",
        "M16.6 13.2l.8.5M27 16c1.3 3 1.6 6.5 1.6 11",
    ),
    "B": (
        "M20 5a2.1 2.1 0 0 1 1.5 3.6c3.6 2.3 6 6.1 6 9.8 0 2.7-1.6 4.7-3.6 5.9l1.1 4.7c3 .4 5 1.6 5.5 5h-21"
        "c.5-3.4 2.5-4.6 5.5-5l1.1-4.7c-2-1.2-3.6-3.2-3.6-5.9 0-3.7 2.4-7.5 6-9.8A2.1 2.1 0 0 1 20 5z",
        "M20 13.5v6.5M16.8 16.7h6.4M16 29h8",
    ),
    "R": (
        "M10.5 34v-4l3-3V16.5l-3-2.5V7.5H15v3h2.9v-3h4.2v3H25v-3h4.5V14l-3 2.5V27l3 3v4z",
        "M13.5 16.5h13M13.5 27h13",
    ),
    "Q": (
        "M10.7 28L7 13.3a1.9 1.9 0 1 1 1.9-.4l4.2 6.4 1-8.9a1.9 1.9 0 1 1 1.9 0l3 7.7.2-8.8a1.9 1.9 0 1 1 1.6 0"
        "l.2 8.8 3-7.7a1.9 1.9 0 1 1 1.9 0l1 8.9 4.2-6.4a1.9 1.9 0 1 1 1.9.4L29.3 28c.9 1.2 1.2 3.4 1.2 6h-21"
        "c0-2.6.3-4.8 1.2-6z",
        "M10.7 28c6-1.6 12.6-1.6 18.6 0",
    ),
    "K": (
        "M19 4h2v2.6h2.5v2H21v3.4c1.2.5 1.6 1.7 1.6 2.6 3-2.6 8.9-2.1 8.9 3.4 0 4.5-3.3 6.5-3.5 9.5"
        " 1.4 1.2 2 3.7 2 6.5H10c0-2.8.6-5.3 2-6.5-.2-3-3.5-5-3.5-9.5 0-5.5 5.9-6 8.9-3.4 0-.9.4-2.1 1.6-2.6V8.6"
        "h-2.5v-2H19z",
        "M20 17v10M12 27.5c5-1.4 11-1.4 16 0",
    ),
}
"""The outline of each piece in its square, and the lines within: drawn, for not every machine has letters for them."""
WORTH = (1, 3, 3, 5, 9, 0)
NAMES = dict(zip(PIECES, ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
EDGE = 14
"""The margin with the names of files and ranks."""
STYLE = (
    ".light{fill:#efe6d2}.dark{fill:#b58d66}.name{font:10px sans-serif;fill:currentColor;opacity:.75}"
    ".name{text-anchor:middle;dominant-baseline:central}"
    ".piece{stroke-width:1.2;stroke-linejoin:round}.box{fill:none;stroke:none}.line{fill:none;stroke-width:1.2;stroke-linecap:round}"
    ".white{fill:#fffdf7;stroke:#2c2620}.black{fill:#2c2620;stroke:#171310}"
    ".white .line{stroke:#2c2620}.black .line{stroke:#efe6d2}"
)


def draw(board: Board) -> str:
    """All 64 squares and what stands on them."""
    squares = "".join(_square(board, square) for square in range(64))
    names = "".join(
        f'<text x="{SIDE * i + SIDE // 2}" y="{8 * SIDE + EDGE // 2}" class="name">{FILES[i]}</text>'
        f'<text x="{-EDGE // 2}" y="{SIDE * i + SIDE // 2}" class="name">{8 - i}</text>'
        for i in range(8)
    )
    size = 8 * SIDE + 2 * EDGE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-EDGE} {-EDGE} {size} {size}" class="own-ground">'
        f"<style>{STYLE}</style>{squares}{names}</svg>"
    )


def _square(board: Board, square: int) -> str:
    rank, file = divmod(square, 8)
    x, y = file * SIDE, (7 - rank) * SIDE
    shade = "light" if (rank + file) % 2 else "dark"
    letter = board.letter(square)
    piece = named = ""
    if letter != ".":
        (outline, lines), side = SHAPES[letter.upper()], "white" if letter.isupper() else "black"
        inside = f'<path d="{lines}" class="line"/>' if lines else ""
        shape = f'<path d="M0 0h{SIDE}v{SIDE}z" class="box"/><path d="{outline}"/>{inside}'
        piece = f'<g class="upright"><g transform="translate({x} {y})" class="piece {side}">{shape}</g></g>'
        named = f' data-is="{side} {NAMES[letter.upper()]}"'
    cell = f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" class="{shade}"/>'
    return f'<g data-at="{FILES[file]}{rank + 1}"{named}>{cell}{piece}</g>'
