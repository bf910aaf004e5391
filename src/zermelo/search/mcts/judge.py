"""An evaluator's opinion of positions, checked and brought into one form."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.search.mcts.settings import Evaluator

ROUNDING = 1e-4
"""By which values may lie outside the game's bounds: networks count in single precision."""


def judge(game: Game, evaluator: Evaluator, state: Any) -> tuple[list[float], list[float]]:
    """What `evaluator` thinks of one position: a probability for each action, and every player's utility."""
    return judge_all(game, evaluator, [state])[0]


def judge_all(game: Game, evaluator: Evaluator, states: list[Any]) -> list[tuple[list[float], list[float]]]:
    """The same for several positions, in one call."""
    answer = evaluator(states)
    if not isinstance(answer, tuple) or len(answer) != 2 or any(len(part) != len(states) for part in answer):
        raise OptionError(
            f"an evaluator gives (priors, values) with one of each for each of {len(states)} states, not {answer!r:.80}"
        )
    priors, values = answer
    return [
        (read_priors(list(game.actions(s)), prior), read_values(game, s, value))
        for s, prior, value in zip(states, priors, values, strict=True)
    ]


def read_priors(actions: list[Any], prior: Any) -> list[float]:
    """The probabilities of `actions`, made to add up to 1."""
    if prior is None:
        return [1.0 / len(actions)] * len(actions)
    if isinstance(prior, Mapping):
        if prior and {*map(type, prior)}.isdisjoint(map(type, actions)):
            raise OptionError(f"priors are of actions such as {actions[0]!r:.80}, not of {next(iter(prior))!r:.80}")
        prior = [prior.get(action, 0.0) for action in actions]
    shares = read_numbers(prior)
    if shares is None or len(shares) != len(actions) or not all(share >= 0 for share in shares):
        raise OptionError(f"priors must be {len(actions)} numbers, 0 or more, one an action, not {prior!r:.80}")
    total = sum(shares)
    return [share / total for share in shares] if total > 0 else [1.0 / len(actions)] * len(actions)


def read_numbers(given: Any) -> list[float] | None:
    """As they are, if all of them are finite."""
    try:
        found = [float(each) for each in given]
    except (TypeError, ValueError):
        return None
    return found if all(map(math.isfinite, found)) else None


def read_values(game: Game, state: Any, value: Any) -> list[float]:
    """Every player's utility, of the mover's alone where the sum is constant."""
    if isinstance(value, Sequence) or len(getattr(value, "shape", ())) > 0:
        utilities = read_numbers(value)
    else:
        (mine,) = read_numbers([value]) or (math.nan,)
        if not game.kind.scalar:
            raise OptionError(f"values must have a number for each of the {game.players} players, not {value!r:.80}")
        other = 2 * game.neutral - mine
        utilities = [mine] if game.kind.single else [mine, other] if game.player(state) == 0 else [other, mine]
    if utilities is None or len(utilities) != game.players or math.isnan(utilities[0]):
        raise OptionError(f"values must be {game.players} finite numbers, one a player, not {value!r:.80}")
    low, high = game.bounds
    if not all(low - ROUNDING <= each <= high + ROUNDING for each in utilities):
        raise OptionError(f"values must be utilities of {game.name}, from {low:g} to {high:g}, not {value!r:.80}")
    return utilities
