"""A position on the path of a search, and the line of play below it."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any, TypeAlias

from zermelo.game import CHANCE
from zermelo.search.scores import Score

Line: TypeAlias = "tuple[Any, Line] | None"
"""A line of play as a chain of pairs: (action, rest), and `None` for nothing."""


class SearchNode:
    """One position on the path that is being searched."""

    __slots__ = (
        "action",
        "alpha",
        "best",
        "beta",
        "depth",
        "estimated",
        "excluded",
        "flip",
        "key",
        "line",
        "mode",
        "number",
        "on_path",
        "over",
        "parent",
        "player",
        "ply",
        "previous",
        "probability",
        "probing",
        "recurrence",
        "refuted",
        "state",
    )

    def __init__(self, state: Any, action: Any, parent: SearchNode | None, depth: float, mode: str = ""):
        self.state = state
        self.action = action
        self.parent = parent
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.depth = depth
        """Plies left to search; infinite without a limit."""
        self.mode = mode
        """Why the node is searched, if not as part of the main search."""
        self.alpha: Score
        self.beta: Score
        """The window, in MAX's view."""
        self.over = False
        self.player = CHANCE
        self.flip = False
        """Whether the mover's view is the opposite of MAX's."""
        self.best: Score = None
        """The best score so far, in MAX's view; `None` before the first child is back."""
        self.line: Line = None
        self.estimated = False
        """Whether the score rests on an estimate or a risky technique."""
        self.on_path = False
        """Whether the score depends on how the position was reached (repetition), so that no table may keep it."""
        self.previous: Line = None
        """What the previous iteration expects from here on."""
        self.excluded: Collection[object] | None = None
        """An action to leave out, as a set of one, when another one is tested for being singular."""
        self.probing = False
        """Whether only the first action is tried, for a bound (Star2)."""
        self.refuted = False
        """Whether the mover above will not choose this node, whatever its untried actions bring (max^n)."""
        self.key: Hashable = None
        self.recurrence: Hashable = None
        self.number = 0
        """Its number in the trace."""
        self.probability: float | None = None
        """How probable the action is that led here, if chance took it."""

    def window(self) -> tuple[Score, Score]:
        """The window in the mover's view."""
        return (-self.beta, -self.alpha) if self.flip else (self.alpha, self.beta)

    def turned(self, score: Score) -> Score:
        """`score` from MAX's view into the mover's, or back."""
        return -score if self.flip else score


def unrolled(line: Line) -> tuple[object, ...]:
    """A line of play as a tuple of actions."""
    actions = []
    while line is not None:
        action, line = line
        actions.append(action)
    return tuple(actions)
