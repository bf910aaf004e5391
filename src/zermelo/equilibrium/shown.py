"""What games and their equilibria show of themselves in a notebook: tables, and the picture where there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from zermelo.equilibrium.numbers import Number, say
from zermelo.errors import ZermeloError
from zermelo.markup import Html, bar, beside, picture, table, text

if TYPE_CHECKING:
    from zermelo.equilibrium.form import NormalForm
    from zermelo.equilibrium.profile import Equilibrium
    from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Point

MOST_CELLS = 400
"""The limit of cells in a table; a larger game shows its first rows and columns."""
MOST_PROFILES = 64
MOST_SETS = 40
NOTHING = 1e-4
"""A share below which an action is not shown."""


def show_form(form: NormalForm) -> str:
    """The payoffs; where an action is a best reply to the others', its player's number is underlined."""
    if len(form.players) == 2:
        return _show_matrix(form)
    rows = [
        [" ".join(form.name_profile(profile)), *(say(form.shown(own[profile])) for own in form.payoffs)]
        for profile in islice(form.profiles(), MOST_PROFILES)
    ]
    total = math.prod(form.shape)
    more = f"; the first {MOST_PROFILES} of {total:,} outcomes" if total > MOST_PROFILES else ""
    return table(rows, ["outcome", *form.players], f"{_title(form)}{more}")


def _show_matrix(form: NormalForm) -> str:
    rows, columns = form.shape
    wide = min(columns, MOST_CELLS)
    tall = min(rows, max(1, MOST_CELLS // wide))
    mine, theirs = (own[:, :wide] for own in form.payoffs)
    replies = [mine == mine.max(axis=0)[None, :], theirs == form.payoffs[1].max(axis=1)[:, None]]

    def cell(i: int, j: int) -> Html:
        parts = []
        for p, own in enumerate((mine, theirs)):
            said = text(say(form.shown(own[i, j])))
            parts.append(f"<u>{said}</u>" if replies[p][i, j] else said)
        return Html(", ".join(parts))

    told = [[form.actions[0][i], *(cell(i, j) for j in range(wide))] for i in range(tall)]
    more = f"; the first {tall} × {wide} of {rows} × {columns}" if (tall, wide) != (rows, columns) else ""
    return table(told, [f"{form.players[0]} \\ {form.players[1]}", *form.actions[1][:wide]], f"{_title(form)}{more}")


def _title(form: NormalForm) -> str:
    return f"{form.title or 'A game in normal form'}{', costs' if form.costs else ''}"


def show_profile(found: Equilibrium) -> str:
    """Everybody's mixture and payoff, beside the picture of a game that is small enough for one."""
    form = found.game
    rows = []
    for p, (own, payoff) in enumerate(zip(found.strategies, found.payoffs, strict=True)):
        names = [str(i) for i in range(len(own))] if form is None else form.actions[p]
        rows.append([f"player {p}" if form is None else form.players[p], mixture(names, own), say(payoff)])
    exactness = "exact" if found.exact else "in floating point"
    told = table(rows, ["player", "plays", "gets"], f"Equilibrium by {found.method}, {exactness}")
    return beside(told, "" if form is None else _draw(form))


def mixture(names: Sequence[str], shares: Sequence[Number]) -> Html:
    """The actions that are played at all, each with its bar."""
    used = [(name, share) for name, share in zip(names, shares, strict=True) if share > NOTHING]
    return Html("<br>".join(bar(float(share), f"{name}: {say(share, 4)}") for name, share in used))


def _draw(form: NormalForm) -> str:
    from zermelo.equilibrium.drawing import picture as draw

    try:
        return picture(draw(form), f"The solution of {_title(form)}", 380)
    except ZermeloError:  # there is no picture of larger games
        return ""


def show_extensive(found: ExtensiveEquilibrium) -> str:
    """What everybody gets and does, and how exploitability fell if the strategy was learnt."""
    form = found.strategy.form
    rows = sorted(found.strategy.rows(), key=lambda row: row[0])
    values = ", ".join(f"{form.game.player_name(p)} {say(value, 5)}" for p, value in enumerate(found.values))
    told = table(
        [[form.game.player_name(p), name, mixture(list(own), list(own.values()))] for p, name, own in rows[:MOST_SETS]],
        ["player", "knows", "plays"],
        f"{form.game.name} by {found.method}: {values}; exploitability {float(found.exploitability):.2g}"
        + (f"; the first {MOST_SETS} of {len(rows):,} information sets" if len(rows) > MOST_SETS else ""),
    )
    return beside(told, draw_curve(found.curve))


def draw_curve(curve: Sequence[Point]) -> str:
    """Exploitability over iterations, both on a scale of powers of ten."""
    known = [point for point in curve if point.iterations and point.exploitability]
    points = [(math.log10(point.iterations), math.log10(point.exploitability)) for point in known]
    if len(points) < 2:
        return ""
    width, height, edge = 320, 180, 44
    xs, ys = [x for x, _ in points], [y for _, y in points]
    across = (width - edge - 10) / (max(xs) - min(xs) or 1.0)
    down = (height - edge - 10) / (max(ys) - min(ys) or 1.0)
    places = [f"{edge + (x - min(xs)) * across:.1f},{10 + (max(ys) - y) * down:.1f}" for x, y in points]
    last = curve[-1]
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">'
        f'<path d="M{edge} 10V{height - edge}H{width - 10}" fill="none" stroke="#889"/>'
        f'<polyline points="{" ".join(places)}" fill="none" stroke="#2b6cb0" stroke-width="2"/>'
        f'<text x="{edge}" y="{height - 18}">{10 ** min(xs):,.0f}</text>'
        f'<text x="{width - 10}" y="{height - 18}" text-anchor="end">{10 ** max(xs):,.0f}</text>'
        f'<text x="{width / 2}" y="{height - 4}" text-anchor="middle">iterations (log)</text>'
        f'<text x="{edge - 4}" y="18" text-anchor="end">{10 ** max(ys):.1g}</text>'
        f'<text x="{edge - 4}" y="{height - edge}" text-anchor="end">{10 ** min(ys):.1g}</text></svg>'
    )
    return picture(svg, f"Exploitability falls to {last.exploitability:.2g} in {last.iterations:,} iterations", 320)
