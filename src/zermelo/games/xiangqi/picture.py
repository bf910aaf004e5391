"""The board of Chinese chess as an SVG drawing: lines, palaces, the river, and pieces on the crossings."""

from __future__ import annotations

from zermelo.games.xiangqi.notation import NAMES

SIDE = 40
"""Between two lines."""
WORDS = dict(zip("KABNRCP", ("general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier"), strict=True))


def draw(pieces: str) -> str:
    """The pieces, a letter of FEN or a dot a square from red's left corner on, red below."""
    style = (
        ".line{stroke:#8a8372;stroke-width:1.5}.piece{fill:#f7f4ec;stroke-width:2.5}"
        ".red{stroke:#b3382c}.black{stroke:#2e2a24}.mark{font:22px serif;text-anchor:middle;dominant-baseline:central}"
    )
    stones = "".join(_place(piece, square) for square, piece in enumerate(pieces))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-22 -22 {8 * SIDE + 44} {9 * SIDE + 44}">'
        f"<style>{style}</style>"
        f'<rect x="-22" y="-22" width="{8 * SIDE + 44}" height="{9 * SIDE + 44}" style="fill:#efe3c4"/>'
        f'<path d="{_lines()}" class="line" style="fill:none"/>{stones}</svg>'
    )


def _lines() -> str:
    rows = [_line(0, row, 8, row) for row in range(10)]
    edges = [_line(column, 0, column, 9) for column in (0, 8)]
    columns = [_line(column, top, column, top + 4) for column in range(1, 8) for top in (0, 5)]
    palaces = [line for top in (0, 7) for line in (_line(3, top, 5, top + 2), _line(5, top, 3, top + 2))]
    return "".join(rows + edges + columns + palaces)


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    return f"M{x * SIDE},{y * SIDE}L{to_x * SIDE},{to_y * SIDE}"


def _place(piece: str, square: int) -> str:
    """A crossing, with what stands on it."""
    x, y = square % 9 * SIDE, (9 - square // 9) * SIDE
    shape = f'<circle cx="{x}" cy="{y}" r="18" style="fill:transparent"/>' if piece == "." else _stone(piece, x, y)
    side = "red" if piece.isupper() else "black"
    named = "" if piece == "." else f' data-is="{side} {WORDS[piece.upper()]}"'
    return f'<g data-at="{chr(97 + square % 9)}{square // 9 + 1}"{named}>{shape}</g>'


def _stone(piece: str, x: int, y: int) -> str:
    side, paint = ("red", "#b3382c") if piece.isupper() else ("black", "#2e2a24")
    return (
        f'<circle cx="{x}" cy="{y}" r="17" class="piece {side}"/>'
        f'<text x="{x}" y="{y}" class="mark" style="fill:{paint}">{NAMES[piece]}</text>'
    )
