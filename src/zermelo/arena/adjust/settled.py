"""Games in which nobody has a choice any more: what is left to chance is averaged.

That nobody has one is found out by walking all that can still happen. Where that is too much, runs of chance are
drawn, and the game counts as settled if none of them comes to a choice; the mean over these runs, which do not know
how the game went on, is the estimate.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from zermelo.game import CHANCE, AnyGame
from zermelo.play import Ply

MOST_STATES = 5_000
"""States of a remainder that is walked whole."""
SAMPLES = 1_000
"""Runs of one that is not."""
LONGEST_RUN_PLIES = 1_000


class Settled(NamedTuple):
    """From which ply on a game was settled, and what it was worth there."""

    ply: int
    utilities: tuple[float, ...]


class ChoiceError(Exception):
    """Somebody still has a choice."""


def settled_from(game: AnyGame, plies: Sequence[Ply], seed: int = 0) -> Settled | None:
    """Where chance was all that was left of a game that the rules have ended; `None` if that never was."""
    first = len(plies)
    while first > 0 and (plies[first - 1].mover == CHANCE or is_forced(game, plies[first - 1].state)):
        first -= 1
    for i in range(first, len(plies)):
        if plies[i].mover == CHANCE:
            found = expect(game, plies[i].state, seed)
            if found is not None:
                return Settled(i, found)
    return None


def is_forced(game: AnyGame, s: Any) -> bool:
    return len(list(islice(game.actions(s), 2))) == 1


def expect(game: AnyGame, s: Any, seed: int = 0) -> tuple[float, ...] | None:
    """The expected utilities of `s` if nobody has a choice from there on, else `None`."""
    if game.repetition is not None:
        return None
    try:
        exact = _walk(game, s)
        return exact or _sample(game, s, random.Random(f"settled:{seed}"))
    except ChoiceError:
        return None


def _walk(game: AnyGame, s: Any) -> tuple[float, ...] | None:
    """The expectation over all that can happen; `None` if that is too much."""
    terms: list[list[float]] = [[] for _ in range(game.players)]
    pending, entered = [(s, 1.0)], 0
    while pending:
        s, share = pending.pop()
        entered += 1
        if entered > MOST_STATES:
            return None
        if game.is_terminal(s):
            for p, utility in enumerate(game.utilities(s)):
                terms[p].append(share * utility)
        else:
            pending += [(game.result(s, a), share * chance) for a, chance in _chances(game, s)]
    return tuple(map(math.fsum, terms))


def _chances(game: AnyGame, s: Any) -> list[tuple[Any, float]]:
    """What can happen in `s`, where nobody may have a choice."""
    if game.player(s) == CHANCE:
        return [(a, float(share)) for a, share in game.chances(s) if share > 0]
    if not is_forced(game, s):
        raise ChoiceError
    return [(a, 1.0) for a in game.actions(s)]


def _sample(game: AnyGame, s: Any, dice: random.Random) -> tuple[float, ...]:
    sums = [0.0] * game.players
    for _ in range(SAMPLES):
        state, plies = s, 0
        while not game.is_terminal(state):
            outcomes, shares = zip(*_chances(game, state), strict=True)
            state = game.result(state, dice.choices(outcomes, shares)[0])
            plies += 1
            if plies > LONGEST_RUN_PLIES:
                raise ChoiceError
        for p, utility in enumerate(game.utilities(state)):
            sums[p] += utility
    return tuple(each / SAMPLES for each in sums)
