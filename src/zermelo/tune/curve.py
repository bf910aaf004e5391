"""The course of a tuning as SVG: how far each parameter is from where it began, in steps of its own."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from zermelo.arena.statistics import CoursePoint, draw_lines
from zermelo.tune.space import Space
from zermelo.tune.state import TuningState

MOST_LINES = 12
"""Those that went furthest."""


def moves(state: TuningState) -> dict[str, float]:
    """How many steps each parameter is from where it began, the furthest first."""
    space = Space(state.names)
    went = np.array(state.point) / space.steps - space.point(state.before)
    return dict(sorted(zip(state.names, went.tolist(), strict=True), key=lambda each: -abs(each[1])))


def draw_curve(state: TuningState) -> str:
    space = Space(state.names)
    start = space.point(state.before)
    furthest = [name for name in moves(state) if state.course][:MOST_LINES]
    lines: dict[str, list[CoursePoint]] = {}
    for name in furthest:
        place = state.names.index(name)
        went = [(row[0], row[1 + place] / space.steps[place] - start[place]) for row in state.course]
        lines[name] = [CoursePoint(0, 0.0, 0.0, 0.0), *(CoursePoint(int(games), at, at, at) for games, at in went)]
    told = [f"{name} ends {trace[-1].value:+.2f} steps from where it began" for name, trace in lines.items()]
    title = f"Parameters of {state.game}, in steps from where they began"
    return draw_lines(lines, span(point.value for trace in lines.values() for point in trace), title, ". ".join(told))


def span(values: Iterable[float]) -> tuple[float, float]:
    """The least and the greatest of the values and of one step either way."""
    found = [-1.0, 1.0, *values]
    return min(found), max(found)
