"""The board of chess as an SVG drawing, white below; each square carries its name."""

from __future__ import annotations

from zermelo.games.chess.board import FILES, PIECES, Board

SIDE = 40
"""Of a square."""
GLYPHS = dict(zip(PIECES, "♟♞♝♜♛♚", strict=True))
"""The solid forms, for both sides: paint tells them apart on any background."""
NAMES = dict(zip(PIECES, ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))
STYLE = (
    ".light{fill:#efe6d2}.dark{fill:#b58d66}.name{font:9px sans-serif;fill:#5c4a36}"
    ".piece{font:32px 'DejaVu Sans','Noto Sans Symbols2','Segoe UI Symbol',serif;text-anchor:middle;"
    "dominant-baseline:central;stroke-width:1;paint-order:stroke}"
    ".white{fill:#fffdf7;stroke:#2c2620}.black{fill:#2c2620;stroke:#2c2620}"
)


def draw(board: Board) -> str:
    """All 64 squares and what stands on them."""
    squares = "".join(_square(board, square) for square in range(64))
    names = "".join(
        f'<text x="{SIDE * i + 31}" y="{8 * SIDE - 3}" class="name">{FILES[i]}</text>'
        f'<text x="2" y="{SIDE * i + 10}" class="name">{8 - i}</text>'
        for i in range(8)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {8 * SIDE} {8 * SIDE}">'
        f"<style>{STYLE}</style>{squares}{names}</svg>"
    )


def _square(board: Board, square: int) -> str:
    rank, file = divmod(square, 8)
    x, y = file * SIDE, (7 - rank) * SIDE
    shade = "light" if (rank + file) % 2 else "dark"
    letter = board.letter(square)
    piece = named = ""
    if letter != ".":
        # U+FE0E asks for the letter form: some fonts would show the pawn as a coloured picture.
        glyph, side = GLYPHS[letter.upper()] + "\ufe0e", "white" if letter.isupper() else "black"
        piece = f'<text x="{x + SIDE // 2}" y="{y + SIDE // 2}" class="piece {side}">{glyph}</text>'
        named = f' data-is="{side} {NAMES[letter.upper()]}"'
    cell = f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" class="{shade}"/>'
    return f'<g data-at="{FILES[file]}{rank + 1}"{named}>{cell}{piece}</g>'
