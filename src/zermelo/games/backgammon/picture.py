"""The board of backgammon as an SVG drawing, white's home at the lower right."""

from __future__ import annotations

from zermelo.games.backgammon.board import BAR, CENTRED, CHEQUERS, POINTS, Phase, Position

SIDE = 30
"""The width of a point, and of a chequer."""
WIDTH, HEIGHT = 15 * SIDE, 12 * SIDE
DEEP = 5
STYLE = (
    ".board{fill:#efe3c4;stroke:#8a8372;stroke-width:3}.bar{fill:#cdbf9c}.odd{fill:#c8553d}.even{fill:#8a8372}"
    ".white{fill:#f7f4ec;stroke:#2e2a24}.black{fill:#2e2a24;stroke:#f7f4ec}.count{font:13px sans-serif;"
    "text-anchor:middle;dominant-baseline:central}.die{fill:#f7f4ec;stroke:#2e2a24}"
)


def draw(position: Position) -> str:
    """The chequers, those borne off, the dice and the cube."""
    parts = [_triangle(point) for point in range(POINTS)]
    for player in (0, 1):
        for point, count in enumerate(position.sides[player]):
            parts += _stack(player, point, count)
        off = CHEQUERS - sum(position.sides[player])
        parts += [_off(player, i) for i in range(off)]
    if position.phase == Phase.PLAY:
        parts += [_square(9.5 + 1.4 * i, 6, str(die)) for i, die in enumerate(position.dice)]
    if position.cube > 1 or position.phase in (Phase.DECIDE, Phase.ANSWER):
        parts.append(_square(6.5, {CENTRED: 6, 0: 10.5, 1: 1.5}[position.owner], str(position.cube)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {WIDTH + 8} {HEIGHT + 8}"><style>{STYLE}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="board"/>'
        f'<rect x="{6 * SIDE}" width="{SIDE}" height="{HEIGHT}" class="bar"/>{"".join(parts)}</svg>'
    )


def _place(point: int) -> tuple[float, bool]:
    """The middle of a point of white's count, and whether it is above."""
    column = point - 12 if point >= 12 else 11 - point
    return SIDE * (column + 0.5 + (column >= 6)), point >= 12


def _triangle(point: int) -> str:
    x, above = _place(point)
    foot, tip = (0, 5 * SIDE) if above else (HEIGHT, HEIGHT - 5 * SIDE)
    kind = "odd" if point % 2 else "even"
    return f'<polygon points="{x - SIDE / 2},{foot} {x + SIDE / 2},{foot} {x},{tip}" class="{kind}"/>'


def _stack(player: int, point: int, count: int) -> list[str]:
    if point == BAR:
        x, above = 6.5 * SIDE, player == 1
        heights = [HEIGHT / 2 + (-1 if above else 1) * SIDE * (i + 1) for i in range(min(count, DEEP))]
    else:
        x, above = _place(point if player == 0 else POINTS - 1 - point)
        heights = [SIDE * (i + 0.5) if above else HEIGHT - SIDE * (i + 0.5) for i in range(min(count, DEEP))]
    kind = ("white", "black")[player]
    parts = [f'<circle cx="{x}" cy="{y}" r="{SIDE / 2 - 1}" class="{kind}"/>' for y in heights]
    if count > DEEP:
        paint = "#2e2a24" if player == 0 else "#f7f4ec"
        parts.append(f'<text x="{x}" y="{heights[-1]}" class="count" style="fill:{paint}">{count}</text>')
    return parts


def _off(player: int, number: int) -> str:
    kind, y = ("white", HEIGHT - 9 * (number + 1)) if player == 0 else ("black", 9 * number)
    return f'<rect x="{13.5 * SIDE}" y="{y}" width="{SIDE}" height="8" class="{kind}"/>'


def _square(column: float, row: float, text: str) -> str:
    x, y = column * SIDE, row * SIDE
    return (
        f'<rect x="{x - 12}" y="{y - 12}" width="24" height="24" rx="4" class="die"/>'
        f'<text x="{x}" y="{y}" class="count" style="fill:#2e2a24">{text}</text>'
    )
