"""The board of Chinese chess as an SVG drawing: lines, palaces, the river, and pieces on the crossings."""

from __future__ import annotations

SIDE = 40
"""Between two lines."""
WORDS = dict(zip("KABNRCP", ("general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"), strict=True))

HORSE = "M4 3h10.5l-1 6.5M6 5.5l-1 4h11.5c0 3.5-.2 6.5-1.5 8.3l-2-.8M2.5 13.5H13"
CHARIOT = "M3.5 4.5H16M9 2l-4 8.5h11M2.5 14h15M10.5 7v12"
CANNON = (
    "M5.5 3v6c0 4-1.5 7.5-4 9.5M5.5 11c.5 3 1.5 5 3.5 7M2.5 7l.5 4M9 6.5L7.7 9.8M12 2l-2 6M11.3 4.5H18"
    "c0 5.5-.4 8.5-2 9l-1.5-.5M11.5 8H15v3.5h-3.5M11.5 8v9c0 1.3 1 1.5 2.5 1.5h3c1.3 0 1.5-1 1.5-3"
)
STROKES = {
    "K": "M3.5 4v8M7 2v8c0 4-1.5 7-4 8.5M10 6h8v8.5l-1.7-.5M10 6v9M14 2.5V19",
    "A": "M6 2L2 9M4.5 6v12.5M8 8h11M13.5 3v14M9 17h9",
    "B": "M2 6h7.5M5.8 2v17M5.8 6L2 13M5.8 6.5L9 11M11.5 4H18v14h-6.5zM11.5 8.6H18M11.5 13.2H18",
    "N": HORSE,
    "R": CHARIOT,
    "C": CANNON,
    "P": "M14 2c-2.5 1.5-5 2-9 2.3V12M5 7.5h10.5M11.5 7.5V12M2 12h16M7 14l-4 4.5M13 14l4 4.5",
    "k": (
        "M6 2v17M2.5 5L4 8.5M2 14l4-3M12.5 1.5L9 6M11.8 3.2h5.7c-1 3.8-4.5 5.8-7.5 6.6M11.5 5l2 1.8"
        "M8.5 12.3h10M15.5 9.8v8.4l-2.2-.9M10.5 14.3l1.8 2.2"
    ),
    "a": "M2 8h16M10 2v15M4 17h12",
    "b": (
        "M7 1.5l-3.5 4M6.3 3h6.2l-2 2.5M4 5.5h12v4H4zM10 5.5v4C8 12 5 13.5 3 14M8.5 11.5"
        "c2.5 2 3 4.5 2 7l-2-.5M10 13.2l-6 3.3M11 15.5L5 19M15.5 11l-4 2M11.5 12.5c2 3 4 4.5 6.5 5.5"
    ),
    "n": HORSE,
    "r": CHARIOT,
    "c": CANNON,
    "p": "M10 1.5v3M4 4.5h12M7 5.5L4 10M6.3 7.5L9 10M13 5.5L10.5 10M12.5 7.5l3 2.5M2 12.5h16M10 10v9",
}
"""The character of each letter of FEN in a square of 20 by 20: drawn, for not every machine has letters for them."""


def draw(pieces: str) -> str:
    """The pieces, a letter of FEN or a dot a square from red's left corner on, red below."""
    style = (
        ".line{stroke:#8a8372;stroke-width:1.5}.piece{fill:#f7f4ec;stroke-width:2.5}"
        ".name{font:11px sans-serif;fill:#5c4a36;text-anchor:middle;dominant-baseline:central}"
        ".red{stroke:#b3382c}.black{stroke:#2e2a24}.mark{fill:none;stroke-width:1.7;stroke-linecap:round}"
    )
    stones = "".join(_place(piece, square) for square, piece in enumerate(pieces))
    width, height = 8 * SIDE + 58, 9 * SIDE + 58
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-36 -22 {width} {height}"><style>{style}</style>'
        f'<rect x="-36" y="-22" width="{width}" height="{height}" style="fill:#efe3c4"/>'
        f'<path d="{_lines()}" class="line" style="fill:none"/>{_names()}{stones}</svg>'
    )


def _names() -> str:
    """The letters of the files below, and the numbers of the ranks on the left."""
    files = "".join(f'<text x="{SIDE * i}" y="{9 * SIDE + 27}" class="name">{chr(97 + i)}</text>' for i in range(9))
    ranks = "".join(f'<text x="-27" y="{SIDE * (9 - i)}" class="name">{i + 1}</text>' for i in range(10))
    return f'<g style="pointer-events:none">{files}{ranks}</g>'


def _lines() -> str:
    rows = [_line(0, row, 8, row) for row in range(10)]
    edges = [_line(column, 0, column, 9) for column in (0, 8)]
    columns = [_line(column, top, column, top + 4) for column in range(1, 8) for top in (0, 5)]
    palaces = [line for top in (0, 7) for line in (_line(3, top, 5, top + 2), _line(5, top, 3, top + 2))]
    return "".join(rows + edges + columns + palaces)


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    return f"M{x * SIDE},{y * SIDE}L{to_x * SIDE},{to_y * SIDE}"


def place_name(square: int) -> str:
    return f"{chr(97 + square % 9)}{square // 9 + 1}"


def _place(piece: str, square: int) -> str:
    """A crossing, with what stands on it."""
    x, y = square % 9 * SIDE, (9 - square // 9) * SIDE
    shape = f'<circle cx="{x}" cy="{y}" r="18" style="fill:transparent"/>' if piece == "." else _stone(piece, x, y)
    side = "red" if piece.isupper() else "black"
    named = "" if piece == "." else f' data-is="{side} {WORDS[piece.upper()]}"'
    return f'<g data-at="{place_name(square)}"{named}>{shape}</g>'


def _stone(piece: str, x: int, y: int) -> str:
    character = f'<path transform="translate({x - 10} {y - 10})" d="{STROKES[piece]}" class="mark"/>'
    side = "red" if piece.isupper() else "black"
    return f'<g class="upright {side}"><circle cx="{x}" cy="{y}" r="17" class="piece"/>{character}</g>'
