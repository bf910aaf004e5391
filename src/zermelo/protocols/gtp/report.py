"""The moves of an analysis as text: Leela Zero's words, and what they have in common with KataGo's (`kata.py`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.play.notation import write_line
from zermelo.protocols.gtp.game import write_vertex
from zermelo.protocols.gtp.request import AnalysisRequest

CONFIDENCE_Z = 1.96


class Candidate(NamedTuple):
    """A move, and what is known of it."""

    action: object
    value: float
    visits: int
    line: tuple[object, ...]


def describe(game: Game, state: object, found: Analysis, request: AnalysisRequest, legal: Sequence[object]) -> str:
    """The best moves of an analysis, one `info move` after the other."""
    parts = []
    for order, each in enumerate(named(found, request, legal)):
        share = win_share(game, each.value)
        words = " ".join(write_line(game, state, each.line, write_vertex))
        bound = lower_bound(share, each.visits)
        numbers = f"visits {each.visits} winrate {round(10_000 * share)} lcb {round(10_000 * bound)}"
        parts.append(f"info move {words.split(' ', 1)[0]} {numbers} order {order} pv {words}")
    return " ".join(parts)


def lower_bound(share: float, visits: int) -> float:
    """The lower confidence bound of a chance of winning that so many visits found."""
    count = max(visits, 1)
    return max(share - CONFIDENCE_Z * math.sqrt(max(share * (1 - share), 0.25 / count) / count), 0.0)


def named(found: Analysis, request: AnalysisRequest, legal: Sequence[object]) -> list[Candidate]:
    """The moves that a line names, the best first; those that were not tried only to fill up."""
    candidates = rank(found, legal)
    tried = sum(each.visits > 0 for each in candidates)
    return candidates[: min(max(tried, request.least, 1), request.most)]


def rank(found: Analysis, legal: Sequence[object]) -> list[Candidate]:
    """All of `legal`, the best first.

    Simulations report how often each was tried. A search by depth has values and lines for as many as it was asked
    about; of others it knows bounds at most, so they count as not tried.
    """
    lines = {line[0]: (value, line) for value, line in found.lines if line}
    if found.line:
        lines[found.line[0]] = (found.value, found.line)
    visits = found.visits or dict.fromkeys(lines, found.nodes)
    candidates = []
    for action in legal:
        value, line = lines.get(action, (found.actions.get(action, found.value), (action,)))
        candidates.append(Candidate(action, value, visits.get(action, 0), line))
    return sorted(candidates, key=lambda each: (each.action != found.action, -each.visits, -each.value))


def win_share(game: Game, value: float) -> float:
    """A value of the mover between a loss, 0, and a win, 1."""
    low, high = game.bounds
    if not math.isfinite(high - low) or high <= low:
        return (1 + math.tanh(value / 2)) / 2
    return min(max((value - low) / (high - low), 0.0), 1.0)
