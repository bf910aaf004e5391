"""A rhombus of hexagons as an SVG drawing."""

from __future__ import annotations

HALF, RADIUS = 17, 20  # from the middle of a hexagon to a side and to a corner, √3 : 2

STYLE = (
    ".cell{fill:#f7f4ec;stroke:#8a8372}.side{fill:none;stroke-width:5;stroke-linejoin:round}"
    ".one{stroke:#1f6f8b}.two{stroke:#c8553d}.stone.one{fill:#1f6f8b}.stone.two{fill:#c8553d}"
    ".name{font:10px sans-serif;fill:#5c564a;text-anchor:middle;dominant-baseline:central}"
)


def rhombus(rows: list[list[int]]) -> str:
    """The board whose rows, from the top, hold 0 for an empty cell, 1 and 2 for the players' stones."""
    last = len(rows) - 1
    cells, sides, stones, names = [], [], [], []
    for row, marks in enumerate(rows):
        across, down = HALF * (2 * row + 1), RADIUS + row * 3 * RADIUS // 2  # the numbers of rows and columns are one
        names.append(f'<text x="{across}" y="-10" class="name">{chr(97 + row)}</text>')
        names.append(f'<text x="{HALF * row - 11}" y="{down}" class="name">{row + 1}</text>')
        for column, mark in enumerate(marks):
            x, y = HALF * (2 * column + row + 1), RADIUS + row * 3 * RADIUS // 2
            # Clockwise from the top corner.
            corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
            points = [f"{x + HALF * dx},{y + RADIUS * dy // 2}" for dx, dy in corners]
            at = f"{chr(97 + column)}{row + 1}"
            cells.append(f'<polygon points="{" ".join(points)}" class="cell" data-at="{at}"/>')
            for player, at_edge, edge in (
                ("one", row == 0, (5, 0, 1)),
                ("one", row == last, (2, 3, 4)),
                ("two", column == 0, (3, 4, 5)),
                ("two", column == last, (0, 1, 2)),
            ):
                if at_edge:
                    way = " ".join(points[corner] for corner in edge)
                    sides.append(f'<polyline points="{way}" class="side {player}"/>')
            if mark:
                stones.append(
                    f'<circle cx="{x}" cy="{y}" r="11" data-at="{at}" class="stone {"one" if mark == 1 else "two"}"/>'
                )
    width, height = HALF * (3 * last + 2), RADIUS * 2 + last * 3 * RADIUS // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -18 {width + 24} {height + 22}"><style>{STYLE}</style>'
        f'{"".join(cells + sides + stones)}<g style="pointer-events:none">{"".join(names)}</g></svg>'
    )
