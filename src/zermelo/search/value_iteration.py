"""Value iteration: every position of a game with chance, also where play can come back to a position.

    V(s) = utility(s)                          where s is terminal
    V(s) = Σ probability · V(result(s, a))     where chance moves
    V(s) = the mover's best over V(result)     otherwise

A search of full depth never ends where dice can bring a position back, as in Pig. Value iteration solves the
equations by repetition instead, from below and from above at once: with L₀ the least utility and U₀ the greatest,
everywhere, each sweep puts the right-hand sides in place of the left, and

    L₀ ≤ L₁ ≤ … ≤ V ≤ … ≤ U₁ ≤ U₀

so the answer is within (U − L) / 2 of the truth whenever one stops. Where the bounds never meet, best play may go on
for ever and no end decides its value: such a game is refused.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from zermelo.errors import MethodError, UnsolvedError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.game.validation import check_key, fair_chances, legal_actions, who_moves
from zermelo.search.retrograde import Outcome, Solved, Tell, check_fit, checked_utilities

Values: TypeAlias = dict[Hashable, float]
"""Player 0's value of each position, by its key."""
Successors: TypeAlias = list[tuple[Hashable, float]]
"""The keys of the positions that one leads to, with their probabilities where chance moves."""

STALLED_FRACTION = 1e-3
"""Bounds that move by less than this fraction of the tolerance in a sweep will not meet."""


def check_chance_fit(game: AnyGame) -> None:
    """Refuses games whose positions have no value of their own that value iteration could find."""
    check_fit(game)
    if game.repetition is not None:
        raise MethodError(
            f"{game.name} has a rule of repetition beside chance, so that a position's value depends on those before "
            f"it, which value iteration does not know; search it to a depth"
        )


def value_iteration(
    game: Game[S, A],
    state: S | None = None,
    *,
    tolerance: float = 1e-12,
    max_positions: int | None = None,
    tell: Tell | None = None,
) -> Solved[S]:
    """Every position that can be reached from `state`, its values within `tolerance` of the range of utilities."""
    check_chance_fit(game)
    states, successors = reachable(game, game.initial() if state is None else state, max_positions, tell)
    ends = {key: checked_utilities(game, s)[0] for key, s in states.items() if game.is_terminal(s)}
    least, greatest = (bound({*ends.values(), game.neutral}) for bound in (min, max))
    lower, upper = dict.fromkeys(states, least) | ends, dict.fromkeys(states, greatest) | ends
    wanted = tolerance * (greatest - least)
    while max(upper[key] - lower[key] for key in states) > wanted:
        moved = 0.0
        for key in reversed(successors):
            mover = game.player(states[key])
            for bound in (lower, upper):
                value = back_up(mover, successors[key], bound)
                moved = max(moved, abs(value - bound[key]))
                bound[key] = value
        if tell is not None:
            tell(len(states), len(states))
        if moved <= STALLED_FRACTION * wanted:
            widest = max(states, key=lambda key: upper[key] - lower[key])
            raise undecided(game, states[widest], lower[widest], upper[widest])
    draw = game.neutral
    found = {}
    for key, s in states.items():
        value = (lower[key] + upper[key]) / 2
        values = (value,) if game.players == 1 else (value, 2 * draw - value)
        over = key in ends
        found[key] = (s, Outcome(None, game.utilities(s), 0) if over else Outcome(game.player(s), values, None))
    return found


def back_up(mover: int, successors: Successors, values: Values) -> float:
    """The right-hand side of the equations for a position that is not terminal."""
    if mover == CHANCE:
        return sum(probability * values[key] for key, probability in successors)
    return (max if mover == 0 else min)(values[key] for key, _ in successors)


def reachable(
    game: Game[S, A], root: S, max_positions: int | None, tell: Tell | None
) -> tuple[dict[Hashable, S], dict[Hashable, Successors]]:
    """All positions below `root` by their keys, and the successors of those that are not terminal."""
    check_key(game, root)
    states = {game.key(root): root}
    successors: dict[Hashable, Successors] = {}
    pending = [root]
    for visited, s in enumerate(pending):  # the list grows during the loop
        if tell is not None and visited % 256 == 0:
            tell(len(states), visited)
        if max_positions is not None and len(states) > max_positions:
            raise UnsolvedError(
                f"{game.name} is not solved: {len(states):,} positions found, and no memory for more; give memory_mb "
                f"more, or a smaller game"
            )
        if game.is_terminal(s):
            continue
        after = successors[game.key(s)] = []
        chance = who_moves(game, s) == CHANCE
        for action, probability in fair_chances(game, s) if chance else [(a, 0.0) for a in legal_actions(game, s)]:
            child = game.result(s, action)
            key = game.key(child)
            if key not in states:
                states[key] = child
                pending.append(child)
            after.append((key, probability))
    return states, successors


def undecided(game: Game[S, A], s: S, lower: float, upper: float) -> UnsolvedError:
    """Why a game whose bounds do not meet is not solved."""
    return UnsolvedError(
        f"{game.name} is not solved: best play from {game.write(s)} may go on for ever, and its value lies anywhere "
        f"from {lower:g} to {upper:g}; let the rules end such play, or search to a depth"
    )
