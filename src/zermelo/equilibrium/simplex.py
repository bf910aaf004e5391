"""The mixtures of three actions as a triangle: where each reply of the other is best, the equilibria, and the way the
replicator dynamics goes where a game is symmetric.

A corner is an action played for sure; a point is as near to a corner as that action is probable. Regions are cut out of
the triangle by the lines on which two replies are worth the same, in fractions.
"""

from __future__ import annotations

from fractions import Fraction
from html import escape

from zermelo.equilibrium.bimatrix import vertex_enumeration
from zermelo.equilibrium.form import NormalForm
from zermelo.equilibrium.numbers import say
from zermelo.search.trace.words import shorten

SIDE, LEFT, TOP = 300.0, 70.0, 64.0
HEIGHT = SIDE * 3**0.5 / 2
BOX = TOP + HEIGHT + 50
"""The height of one triangle with its words; a second one stands below it."""
COLOURS = ("#2b6cb0", "#c05621", "#2f7d4f", "#8a5a00", "#6a3d9a", "#00707a", "#9b2c2c", "#555b66")
INK, POINT, FLOW = "#222233", "#9b2c2c", "#5b6070"
STYLE = f".z-mixtures text{{font:13px sans-serif;fill:{INK}}}.z-mixtures .small{{font-size:11px}}"
ARROWS = 9
"""Arrows of the flow stand at mixtures of so many parts."""
ARROW_LENGTH = 22.0
MAX_NAME_CHARS = 14

Mixture = tuple[Fraction, ...]
CORNERS: tuple[Mixture, ...] = tuple(tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3))


def triangles(form: NormalForm) -> str:
    """A triangle for each player with three actions."""
    players = [p for p in (0, 1) if form.shape[p] == 3]
    found = [each.strategies for each in vertex_enumeration(form)]
    parts = []
    for place, p in enumerate(players):
        parts.append(f'<g transform="translate(0 {place * BOX:.1f})">')
        parts += _regions(form, p)
        if is_symmetric(form):
            parts += _flow(form)
        parts += _frame(form, p)
        mixtures = [tuple(Fraction(share) for share in each[p]) for each in found]
        parts += [*(_dot(mixture) for mixture in dict.fromkeys(mixtures)), "</g>"]
    width, height = 2 * LEFT + SIDE, len(players) * BOX
    size = f'class="z-mixtures" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{"".join(parts)}</svg>'


def is_symmetric(form: NormalForm) -> bool:
    """Whether both players have the same actions and payoffs, so that a population may play against itself."""
    mine, theirs = form.exact
    return form.shape == (3, 3) and bool((mine == theirs.T).all())


def best_regions(form: NormalForm, p: int) -> list[list[Mixture]]:
    """For each action of the other: the corners of the region of p's mixtures against which it is a best reply."""
    worth = form.exact[1 - p] if p == 0 else form.exact[1 - p].T
    replies = [[Fraction(worth[i, j]) for i in range(3)] for j in range(worth.shape[1])]
    regions = []
    for mine in replies:
        region = list(CORNERS)
        for other in replies:
            region = clip(region, [a - b for a, b in zip(mine, other, strict=True)])
        regions.append(region)
    return regions


def clip(region: list[Mixture], gain: list[Fraction]) -> list[Mixture]:
    """The part of a convex region in which the linear function with these values at the corners is not negative."""
    values = [sum((x * g for x, g in zip(point, gain, strict=True)), Fraction(0)) for point in region]
    kept: list[Mixture] = []
    for i, (point, value) in enumerate(zip(region, values, strict=True)):
        before, last = region[i - 1], values[i - 1]
        if (value >= 0) != (last >= 0):
            part = last / (last - value)
            kept.append(tuple(a + part * (b - a) for a, b in zip(before, point, strict=True)))
        if value >= 0:
            kept.append(point)
    return list(dict.fromkeys(kept))


def _place(point: Mixture | tuple[float, ...]) -> tuple[float, float]:
    """The first action is the lower left corner, the second the lower right, the third the top."""
    _, second, third = (float(each) for each in point)
    return round(LEFT + SIDE * (second + third / 2), 2), round(TOP + HEIGHT * (1 - third), 2)


def _regions(form: NormalForm, p: int) -> list[str]:
    parts = []
    names = form.actions[1 - p]
    for j, region in enumerate(best_regions(form, p)):
        if len(region) < 3:
            continue
        places = [_place(point) for point in region]
        corners = " ".join(f"{x},{y}" for x, y in places)
        x, y = (sum(each) / len(places) for each in zip(*places, strict=True))
        colour = COLOURS[j % len(COLOURS)]
        parts.append(
            f'<polygon points="{corners}" fill="{colour}" fill-opacity="0.2" stroke="{colour}" stroke-width="1"/>'
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" class="small" style="fill:{colour}">'
            f"{escape(shorten(names[j], MAX_NAME_CHARS))}</text>"
        )
    return parts


def _flow(form: NormalForm) -> list[str]:
    """dx_a/dt = x_a · (payoff of a − mean payoff), as arrows."""
    table = [[float(each) for each in row] for row in form.exact[0]]
    arrows = []
    for i in range(1, ARROWS):
        for j in range(1, ARROWS - i):
            x = (i / ARROWS, j / ARROWS, (ARROWS - i - j) / ARROWS)
            worth = [sum(a * b for a, b in zip(row, x, strict=True)) for row in table]
            mean = sum(a * b for a, b in zip(worth, x, strict=True))
            arrows.append((x, [share * (each - mean) for share, each in zip(x, worth, strict=True)]))
    longest = max((max(map(abs, change)) for _, change in arrows), default=0.0) or 1.0
    parts = []
    for x, change in arrows:
        scale = ARROW_LENGTH / SIDE / longest
        x0, y0 = _place(x)
        x1, y1 = _place(tuple(a + scale * b for a, b in zip(x, change, strict=True)))
        parts.append(
            f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{FLOW}" stroke-width="1.3"/>'
            f'<circle cx="{x1}" cy="{y1}" r="2" fill="{FLOW}"/>'
        )
    return parts


def _frame(form: NormalForm, p: int) -> list[str]:
    places = [_place(corner) for corner in CORNERS]
    corners = " ".join(f"{x},{y}" for x, y in places)
    anchors = (("middle", 20), ("middle", 20), ("middle", -10))
    names = [
        f'<text x="{x}" y="{y + down}" text-anchor="{anchor}">{escape(shorten(name, MAX_NAME_CHARS))}</text>'
        for (x, y), (anchor, down), name in zip(places, anchors, form.actions[p], strict=True)
    ]
    me, other = (shorten(form.players[each], MAX_NAME_CHARS) for each in (p, 1 - p))
    title = f"Mixtures of {me}, and the best reply of {other}"
    middle = LEFT + SIDE / 2
    return [
        f'<polygon points="{corners}" fill="none" stroke="{INK}" stroke-width="1.2"/>',
        f'<text x="{middle}" y="24" text-anchor="middle">{escape(title)}</text>',
        *names,
    ]


def _dot(mixture: Mixture) -> str:
    x, y = _place(mixture)
    said = ", ".join(say(each) for each in mixture)
    return f'<circle cx="{x}" cy="{y}" r="6" fill="{POINT}"><title>({escape(said)})</title></circle>'
