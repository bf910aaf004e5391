"""The course of a training in Elo: from the tests of its generations, each against the best before it."""

from __future__ import annotations

import numpy as np

from zermelo.arena.statistics import Rating, Ratings, draw_course, rate
from zermelo.arena.statistics.ratings import interval
from zermelo.train.folder import State

BEFORE = "before"
HALF_POINTS = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0))
"""The scores of two games that give a pair its half points."""


def tested(state: State) -> list[tuple[str, str, float, float]]:
    """The games of all tests as results: the network of a generation against the best before it."""
    found: list[tuple[str, str, float, float]] = []
    best = BEFORE
    for each in state.generations:
        if each.kept is None:
            continue
        name = f"generation {each.number + 1}"
        for scores, pairs in zip(HALF_POINTS, each.counts, strict=True):
            found += [(name, best, score, float(pairs)) for score in scores if pairs]
        if each.kept:
            best = name
    return found


def elo_so_far(state: State) -> Rating | None:
    """The strength of the best network, with what was there before at 0; `None` if there is no network yet."""
    kept = [f"generation {each.number + 1}" for each in state.generations if each.kept]
    results = tested(state)
    return rate(results, {BEFORE: 0.0}, first_move=False)[kept[-1]] if kept and results else None


def elo_course(state: State) -> list[Rating | None]:
    """The strength of the best network after each generation; `None` where it is not decided, or nothing was kept."""
    found: list[Rating | None] = []
    for i, each in enumerate(state.generations):
        part = State(state.game, state.settings, generations=state.generations[: i + 1])
        found.append(None if each.kept is None else elo_so_far(part))
    return found


def draw_curve(state: State) -> str:
    """The strength of the best network after each generation, by the number of games played, as SVG."""
    moments: list[tuple[int, Ratings]] = []
    games = 0
    for each, found in zip(state.generations, elo_course(state), strict=True):
        games += each.games
        if found is None:
            continue
        shown = Rating("network", found.elo, found.low, found.high, found.games, found.score, 0)
        alone = Ratings((shown,), interval(0, 0, 0.95), 0.0, (), 0.95, np.zeros((1, 1)), ("network",))
        moments.append((games, alone))
    return draw_course(moments, f"Elo of {state.game} over what was there before")
