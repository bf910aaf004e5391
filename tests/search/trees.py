"""Random game trees, and a referee that values them by the definition, in five lines."""

import math
from typing import Any

from hypothesis import strategies as st

import zermelo as z

LEAVES = st.integers(-20, 20)


def trees(leaves: st.SearchStrategy[Any] = LEAVES, *, most_leaves: int = 60) -> st.SearchStrategy[Any]:
    """Nested lists with one to four children a node; the mover alternates."""
    inner = st.recursive(leaves, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=most_leaves)
    return st.lists(inner, min_size=1, max_size=4)


def chance_trees(most_leaves: int = 40) -> st.SearchStrategy[Any]:
    """Trees in which any node may be MAX, MIN or chance, with outcomes of equal or unequal probability."""

    def grow(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        children = st.lists(below, min_size=1, max_size=3)
        return st.one_of(
            children.map(lambda c: {"max": c}),
            children.map(lambda c: {"min": c}),
            children.map(lambda c: {"chance": [[1 / len(c), child] for child in c]}),
            st.tuples(below, below).map(lambda c: {"chance": [[0.25, c[0]], [0.75, c[1]]]}),
        )

    return grow(st.recursive(LEAVES, grow, max_leaves=most_leaves))


def moved_trees(most_leaves: int = 40) -> st.SearchStrategy[Any]:
    """Trees in which the same player may move several times in a row."""

    def grow(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        children = st.lists(below, min_size=1, max_size=3)
        return st.one_of(children.map(lambda c: {"max": c}), children.map(lambda c: {"min": c}))

    return grow(st.recursive(LEAVES, grow, max_leaves=most_leaves))


def value_of(game: z.Game, s: Any, maximiser: int | None = None) -> float:
    """The value of `s` by the definition of (expecti)minimax, for the player to move at the root."""
    if maximiser is None:
        maximiser = max(0, 0 if game.is_terminal(s) else game.player(s))
    if game.is_terminal(s):
        return game.utility(s, maximiser)
    if game.player(s) == z.CHANCE:
        return math.fsum(p * value_of(game, game.result(s, a), maximiser) for a, p in game.chances(s))
    values = [value_of(game, game.result(s, a), maximiser) for a in game.actions(s)]
    return max(values) if game.player(s) == maximiser else min(values)


def uniform(branching: int, depth: int, leaves: Any) -> Any:
    """The uniform tree with the given leaves, taken from an iterator from left to right."""
    if depth == 0:
        return next(leaves)
    return [uniform(branching, depth - 1, leaves) for _ in range(branching)]
