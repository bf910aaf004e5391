"""A tournament as SVG: the crosstable of its scores, and the course of its ratings, or of other numbers.

The drawings have their own background and follow the reader's choice of light or dark. Colour is never the only cue: a
cell contains its score, and a line ends with its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from zermelo.arena.statistics.ratings import Rating, Ratings
from zermelo.arena.statistics.results import Result, Tally, tally
from zermelo.errors import InputError
from zermelo.search.trace.words import clean, shorten

STYLE = """
.zermelo-chart { --paper: #fcfbf8; --ink: #22252a; --soft: #5d636d; --rule: #dfdcd3; --max: #23588f; --min: #a83f26;
  --c0: #23588f; --c1: #a83f26; --c2: #6b5d12; --c3: #4c3f91; --c4: #2d7a4b; --c5: #a3276f;
  font-family: ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
  font-size: 12px; font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) {
  .zermelo-chart { --paper: #16181c; --ink: #e9e7e1; --soft: #a6abb4; --rule: #343840; --max: #85b6e8; --min: #ee9a80;
    --c0: #85b6e8; --c1: #ee9a80; --c2: #d9c766; --c3: #b7a9f0; --c4: #7fcf9d; --c5: #ee8fc4; }
}
.zermelo-chart .paper { fill: var(--paper); }
.zermelo-chart text { fill: var(--ink); }
.zermelo-chart .head { font-size: 14px; font-weight: 600; }
.zermelo-chart .soft { fill: var(--soft); }
.zermelo-chart .middle { text-anchor: middle; }
.zermelo-chart .end { text-anchor: end; }
.zermelo-chart .rule { stroke: var(--rule); fill: none; }
.zermelo-chart .cell { stroke: var(--rule); fill: none; }
.zermelo-chart .over { fill: var(--max); }
.zermelo-chart .under { fill: var(--min); }
.zermelo-chart .self { fill: var(--rule); }
.zermelo-chart .bar { stroke: var(--ink); stroke-width: 1.5; fill: none; }
.zermelo-chart .dot { fill: var(--ink); }
.zermelo-chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.zermelo-chart .band { fill-opacity: .13; }
"""

COLOURS = 6
DASHES = ("", "6 3", "2 3")
ROW, CELL, LETTER = 26, 58, 7.0
LONGEST_NAME_CHARS = 24
BAR_WIDTH = 150
EARLY = 0.2
"""The share of the games after which bars must find room: the first ones would leave none for the rest."""


def draw_crosstable(
    results: Tally | Iterable[Result | tuple[str, str, float] | tuple[str, str, float, float]],
    ratings: Ratings,
    title: str = "Crosstable",
) -> str:
    """Entrants against entrants, best first: points and games in each cell, and the ratings with their bars."""
    games = results if isinstance(results, Tally) else tally(results)
    missing = {each.name for each in ratings.entrants} - set(games.names)
    if missing:
        raise InputError(f"{min(missing)!r} has a rating and no game; draw the results that were rated")
    entrants = ratings.entrants
    names = [_name(each.name) for each in entrants]
    left = 44 + int(LETTER * max([len(name) for name in names], default=0))
    table = left + CELL * len(entrants)
    width, top = max(table + BAR_WIDTH + 200, 420), 64
    height = top + ROW * max(len(entrants), 1) + 40
    parts = [_text(16, 26, title, "head"), _text(table + 12, top - 10, "rating", "soft")]
    if not entrants:
        parts.append(_text(16, top + 18, "No games yet.", "soft"))
    axis = _Axis(
        min((each.low for each in entrants), default=0.0),
        max((each.high for each in entrants), default=0.0),
        table + 16,
        table + 16 + BAR_WIDTH,
    )
    places = [games.names.index(each.name) for each in entrants]
    points, met = games.points, games.met
    for row, rating in enumerate(entrants):
        y = top + ROW * row
        parts.append(_text(24, y + 17, str(row + 1), "soft end"))
        parts.append(_text(34, y + 17, names[row]))
        parts.append(_text(left + CELL * (row + 0.5), top - 10, str(row + 1), "soft middle"))
        for column in range(len(entrants)):
            at = places[row], places[column]
            parts.append(_cell(left + CELL * column, y, float(points[at]), float(met[at]), row == column))
        parts.append(_bar(axis, y + ROW / 2, rating, table + BAR_WIDTH + 28))
    if ratings.note():
        parts.append(_text(16, height - 14, shorten(clean(ratings.note()), 160), "soft"))
    told = [
        f"{name}: rating {rating.line()}, score {rating.score:.1%}"
        for name, rating in zip(names, entrants, strict=True)
    ]
    return _svg(width, height, title, ". ".join(told) or "No games yet", parts)


def _cell(x: float, y: float, points: float, played: float, itself: bool) -> str:
    box = f'x="{x:g}" y="{y:g}" width="{CELL}" height="{ROW}"'
    if itself:
        return f'<rect class="self" {box}/>'
    if not played:
        return f'<rect class="cell" {box}/>'
    share = points / played
    side, strength = ("over" if share > 0.5 else "under"), abs(share - 0.5)
    tint = f'<rect class="{side}" fill-opacity="{0.9 * strength:.2f}" {box}/>' if strength else ""
    score = _text(x + CELL / 2, y + 17, f"{_points(points)}/{_points(played)}", "middle")
    return f'{tint}<rect class="cell" {box}/>{score}'


def _points(points: float) -> str:
    """`7½`; other fractions, as in games of more than two players, with two digits."""
    whole, rest = divmod(round(points, 6), 1)
    if rest == 0.5:
        return f"{whole:.0f}½" if whole else "½"
    return f"{points:.0f}" if rest == 0 else f"{points:.2f}"


def _bar(axis: _Axis, y: float, rating: Rating, text_at: float) -> str:
    low, at, high = (axis.at(value) for value in (rating.low, rating.elo, rating.high))
    path = f"M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8"
    dot = f'<circle class="dot" cx="{at:.1f}" cy="{y:.1f}" r="3.5"/>'
    return f'<path class="bar" d="{path}"/>{dot}{_text(text_at, y + 4, rating.line())}'


def draw_course(moments: Sequence[tuple[int, Ratings]], title: str = "Ratings") -> str:
    """Every entrant's rating and its band by the number of games, as `course` gives them."""
    entrants = moments[-1][1].entrants if moments else ()
    everyone = [rating for _, ratings in moments for rating in ratings.entrants]
    lines = {
        last.name: [
            CoursePoint(games, one.elo, one.low, one.high)
            for games, ratings in moments
            for one in ratings.entrants
            if one.name == last.name
        ]
        for last in entrants
    }
    told = [f"{_name(each.name)} ends at {each.line()}" for each in entrants]
    span = min(_lows(everyone), default=0.0), max(_highs(everyone), default=0.0)
    return draw_lines(lines, span, title, ". ".join(told) or "No games yet")


def draw_payoffs(lines: Mapping[str, Sequence[CoursePoint]], title: str = "Payoffs") -> str:
    """Everybody's mean payoff and its bar by the number of games."""
    points = [point for trace in lines.values() for point in trace]
    later = [point for point in points if point.games >= EARLY * max(each.games for each in points)]
    span = min((point.low for point in later), default=-1.0), max((point.high for point in later), default=1.0)
    told = [f"{_name(name)} ends at {trace[-1].value:+.3g}" for name, trace in lines.items()]
    return draw_lines(lines, span, title, ". ".join(told) or "No games yet")


class CoursePoint(NamedTuple):
    """A number after some games, and the ends of its bar."""

    games: int
    value: float
    low: float
    high: float


def draw_lines(lines: Mapping[str, Sequence[CoursePoint]], span: tuple[float, float], title: str, told: str) -> str:
    """Numbers by the number of games, each a line that ends with its name; `span` is the least and the greatest."""
    width, height, left, top, bottom = 860, 460, 64, 48, 412
    right = width - 28 - int(LETTER * max([len(_name(name)) for name in lines], default=0))
    across = _Axis(0, max([point.games for trace in lines.values() for point in trace], default=1), left, right)
    up = _Axis(*span, bottom, top)
    parts = [_text(16, 26, title, "head")]
    for tick in up.ticks():
        parts.append(f'<path class="rule" d="M{left} {up.at(tick):.1f}H{right}"/>')
        parts.append(_text(left - 8, up.at(tick) + 4, f"{tick:+.0f}".replace("-", "−") if tick else "0", "soft end"))
    for tick in across.ticks():
        parts.append(_text(across.at(tick), bottom + 20, f"{tick:,.0f}", "soft middle"))
    parts.append(_text((left + right) / 2, bottom + 38, "games" if lines else "No games yet.", "soft middle"))
    heights = _spread({name: up.at(trace[-1].value) for name, trace in lines.items()}, top, bottom)
    for place, (name, trace) in enumerate(lines.items()):
        parts.append(_trace(place, trace, across, up))
        colour = f"fill:var(--c{place % COLOURS})"
        parts.append(f'<text style="{colour}" x="{right + 8}" y="{heights[name] + 4:.1f}">{escape(_name(name))}</text>')
    return _svg(width, height, title, told, parts)


def _lows(ratings: Sequence[Rating]) -> list[float]:
    """Lower ends, except those of the first few games, which would leave no room for the rest."""
    return [max(each.low, each.elo - 400) for each in ratings]


def _highs(ratings: Sequence[Rating]) -> list[float]:
    return [min(each.high, each.elo + 400) for each in ratings]


def _trace(place: int, trace: Sequence[CoursePoint], across: _Axis, up: _Axis) -> str:
    xs = [f"{across.at(point.games):.1f}" for point in trace]
    middle = " ".join(f"{x},{up.at(point.value):.1f}" for x, point in zip(xs, trace, strict=True))
    over = [f"{x},{up.at(point.high):.1f}" for x, point in zip(xs, trace, strict=True)]
    under = [f"{x},{up.at(point.low):.1f}" for x, point in zip(xs, trace, strict=True)]
    colour = f"var(--c{place % COLOURS})"
    dash = DASHES[place // COLOURS % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<polygon class="band" style="fill:{colour}" points="{" ".join(over + under[::-1])}"/>'
        f'<polyline class="line" style="stroke:{colour}"{dashed} points="{middle}"/>'
    )


def _spread(ends: dict[str, float], top: float, bottom: float) -> dict[str, float]:
    """Heights for the names at the ends of the lines, in order, and apart as far as there is room."""
    gap = min(14.0, (bottom - top) / max(len(ends), 1))
    heights: dict[str, float] = {}
    lowest = top - gap
    for name in sorted(ends, key=lambda each: ends[each]):
        heights[name] = lowest = max(ends[name], lowest + gap)
    ceiling = bottom + gap
    for name in reversed(heights):
        heights[name] = ceiling = min(heights[name], ceiling - gap)
    return heights


class _Axis:
    """Numbers from `low` to `high` mapped to two coordinates of the drawing, clamped at the edges."""

    def __init__(self, low: float, high: float, start: float, end: float):
        self.low, self.high = (low, high) if high > low else (low - 1, high + 1)
        self.start, self.end = start, end

    def at(self, value: float) -> float:
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        """About five round numbers."""
        rough = (self.high - self.low) / 5
        power = 10 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        step = max(step, 1.0)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [step * each for each in range(first, last + 1)]


def _name(name: str) -> str:
    return shorten(clean(name), LONGEST_NAME_CHARS)


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:g}" y="{y:g}">{escape(clean(text))}</text>'


def _svg(width: float, height: float, title: str, description: str, parts: Sequence[str]) -> str:
    named = escape(clean(title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-chart" role="img" aria-label="{named}" '
        f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">'
        f"<title>{named}</title><desc>{escape(clean(description))}</desc><style>{STYLE}</style>"
        f'<rect class="paper" width="{width:g}" height="{height:g}" rx="6"/>{"".join(parts)}</svg>'
    )
