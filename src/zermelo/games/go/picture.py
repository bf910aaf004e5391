"""A Go board as an SVG drawing: lines, stars and stones on the crossings."""

from __future__ import annotations

from zermelo.games.go.board import COLUMNS, handicap_points

SIDE = 32
"""Between two lines."""
STYLE = (
    ".wood{fill:#e3c07a}.line{stroke:#5b4a2a;fill:none}.star{fill:#5b4a2a}.black{fill:#1c1c1c}"
    ".white{fill:#fafafa;stroke:#777}.name{font:12px sans-serif;text-anchor:middle;dominant-baseline:central}"
)

PAINT = {".": 'style="fill:transparent"', "X": 'class="black"', "O": 'class="white"'}


def draw(rows: list[str]) -> str:
    """The rows from the top, in `.`, `X` and `O`."""
    size = len(rows)
    end = (size - 1) * SIDE
    lines = "".join(f"M0,{i * SIDE}H{end}M{i * SIDE},0V{end}" for i in range(size))
    stars = "".join(
        f'<circle cx="{p % size * SIDE}" cy="{p // size * SIDE}" r="3" class="star"/>'
        for p in (handicap_points(size, 9) or handicap_points(size, 4))
    )
    names = "".join(
        f'<text x="{i * SIDE}" y="{end + 28}" class="name">{COLUMNS[i]}</text>'
        f'<text x="-28" y="{end - i * SIDE}" class="name">{i + 1}</text>'
        for i in range(size)
    )
    stones = "".join(
        f'<circle cx="{x * SIDE}" cy="{y * SIDE}" r="15" {PAINT[mark]} data-at="{COLUMNS[x]}{size - y}"/>'
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -24 {end + 64} {end + 64}"><style>{STYLE}</style>'
        f'<rect x="-40" y="-24" width="{end + 64}" height="{end + 64}" class="wood"/>'
        f'<path d="{lines}" class="line"/>{stars}{names}{stones}</svg>'
    )
