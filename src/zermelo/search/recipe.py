"""A recipe: the decisions that turn the one loop into a search with a name.

Each field is a technique and each technique is a file; a field left at its default is that technique switched off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from zermelo.search.chance import expectation
from zermelo.search.loop import Loop, Node, Visit, decide, full_window
from zermelo.search.ordering import Order
from zermelo.search.scores import Plain, Score

if TYPE_CHECKING:
    from zermelo.search.extensions import Extension
    from zermelo.search.nullmove import NullMove
    from zermelo.search.quiescence import Quiescence
    from zermelo.search.singular import Singular
    from zermelo.search.table import Table


def once(loop: Loop, state: Any, depth: float) -> Node:
    """The plainest drive: one search of the root, with the window that the recipe names."""
    low, high = loop.recipe.window
    alpha = None if low is None else loop.scores.estimate(lambda _: low)
    beta = None if high is None else loop.scores.estimate(lambda _: high)
    root = loop.root(state, depth, alpha, beta)
    loop.search(root)
    return root


@dataclass(slots=True)
class Recipe:
    """What a search decides at each step; see the techniques' own files."""

    name: str
    prune: bool = True
    """Whether the window cuts (alpha-beta) or not (minimax)."""
    hard: bool = False
    """Whether what lies outside the window is returned as the window's edge (fail-hard)."""
    deepen: bool = False
    """Whether the depth grows one ply at a time."""
    one_against_all: bool = False
    """Whether everybody but MAX is taken for one opponent, however many they are and whatever they want."""
    window: tuple[float | None, float | None] = (None, None)
    """The window at the root, in the view of the player to move there; `None` for no bound."""
    view: str = "max"
    """Whose view a trace takes: `max`, or `mover` for the one-sided form."""
    scores: type[Plain] = Plain
    cutoff: Callable[[Any, int], bool] | None = None
    """CUTOFF(s, d) of the caller, d counting plies from the root."""
    evaluate: Callable[[Any, int], float] | None = None
    """EVAL(s) of the caller for player p, in place of the game's own."""
    order: Order = field(default_factory=Order)
    width: int = 0
    """How many actions a position below the root is narrowed to; 0 for all."""
    samples: int = 0
    """How many outcomes a chance node is sampled to; 0 for all."""
    seed: int = 0
    """What the samples follow from."""
    table: Table | None = None
    null_move: NullMove | None = None
    quiescence: Quiescence | None = None
    extensions: tuple[Extension, ...] = ()
    singular: Singular | None = None
    look: Callable[[Loop, Node, Node, Score, Score, bool], Visit] = full_window
    """How a child is looked at: with the full window, or first with a zero window (scout)."""
    decide: Callable[[Loop, Node], Visit] = decide
    """How a player's node gets its score from its children."""
    expect: Callable[[Loop, Node], Visit] = expectation
    """How a chance node does."""
    drive: Callable[[Loop, Any, float], Node] = once
    """How a root is searched to one depth."""

    def is_cut(self, node: Node) -> bool:
        """CUTOFF: whether the search stops at `node` and takes an estimate."""
        return node.depth <= 0 or (self.cutoff is not None and bool(self.cutoff(node.state, node.ply)))
