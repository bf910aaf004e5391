"""A table with cards and dice on it, as an SVG drawing: a row for each player, one for what lies in the middle.

What a player does not see lies face down, and its name never comes here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT, GAP = 44, 62, 8
"""Of a card; a die is as wide."""
LABEL = 96
NARROWEST = 360
"""Of a table: a single card need not fill a page."""
LETTERS = 40
"""Of a line of words."""
FACE_DOWN = "?"
RED = "♥♦hd"
"""The marks of the red suits, as people write them or as letters."""
SUITS = dict(zip("shdc", "♠♥♦♣", strict=True))
STYLE = (
    ".cloth{fill:#dfe8dc;stroke:#8a8372}.card,.die{fill:#ffffff;stroke:#4a4436}.back{fill:#23588f;stroke:#ffffff;"
    "stroke-width:3}.label,.words{font:14px sans-serif;fill:#22252a;dominant-baseline:central}.pip{fill:#22252a}"
    ".face{font:22px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#22252a}.red{fill:#b3261e}"
)
PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""The dots of each face of a die, on a grid of three by three."""


class Row(NamedTuple):
    """One line of the table."""

    label: str
    cards: Sequence[str] = ()
    """Their faces; `?` lies face down."""
    dice: Sequence[int] = ()
    """Their faces; 0 is under a cup."""
    words: str = ""
    places: Sequence[str] = ()
    """What the cards are called as places that a person clicks, if they are."""


def draw_table(rows: Sequence[Row]) -> str:
    """The rows, one below the other."""
    longest = max(len(row.cards) + len(row.dice) for row in rows)
    width = max(LABEL + longest * (WIDTH + GAP) + 2 * GAP, NARROWEST)
    lines, y = [], float(GAP)
    for row in rows:
        said = textwrap.wrap(row.words, LETTERS)
        room = HEIGHT + GAP if row.cards or row.dice else 20 * max(len(said), 1) + GAP
        lines.append(_row(row, said, y + room / 2))
        y += room
    height = y + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {width + 8} {height + 8}">'
        f'<style>{STYLE}</style><rect width="{width}" height="{height}" rx="12" class="cloth"/>{"".join(lines)}</svg>'
    )


def _row(row: Row, said: list[str], y: float) -> str:
    label = f'<text x="{GAP + 4}" y="{y}" class="label">{escape(row.label)}</text>'
    shapes = []
    for i, face in enumerate(row.cards):
        card = _card(LABEL + i * (WIDTH + GAP), y, face)
        shapes.append(f'<g data-at="{escape(row.places[i])}">{card}</g>' if row.places else card)
    shapes += [draw_die(LABEL + i * (WIDTH + GAP), y, face) for i, face in enumerate(row.dice)]
    top = y - 10 * (len(said) - 1)
    words = (f'<text x="{LABEL}" y="{top + 20 * i}" class="words">{escape(line)}</text>' for i, line in enumerate(said))
    return label + "".join([*shapes, *words])


def _card(x: float, y: float, face: str) -> str:
    shape = f'<rect x="{x}" y="{y - HEIGHT / 2}" width="{WIDTH}" height="{HEIGHT}" rx="6"'
    if face == FACE_DOWN:
        return f'{shape} class="back"/>'
    rank, suit = (face[:-1], face[-1]) if len(face) > 1 and face[-1] in "♠♥♦♣shdc" else (face, "")
    paint = "face red" if suit and suit in RED else "face"
    name = f'<text x="{x + WIDTH / 2}" y="{y}" class="{paint}">{escape(rank + SUITS.get(suit, suit))}</text>'
    return f'{shape} class="card"/>{name}'


def draw_die(x: float, y: float, face: int) -> str:
    """A die whose left edge is at `x` and whose middle is as high as `y`; face 0 is not seen."""
    shape = f'<rect x="{x}" y="{y - WIDTH / 2}" width="{WIDTH}" height="{WIDTH}" rx="8"'
    if face == 0:
        return f'{shape} class="back"/>'
    middle = x + WIDTH / 2
    if face not in PIPS:  # a die of more than six sides
        return f'{shape} class="die"/><text x="{middle}" y="{y}" class="face">{face}</text>'
    spots = "".join(
        f'<circle cx="{middle + 12 * (int(spot) % 3 - 1)}" cy="{y + 12 * (int(spot) // 3 - 1)}" r="4" class="pip"/>'
        for spot in PIPS[face]
    )
    return f'{shape} class="die"/>{spots}'
