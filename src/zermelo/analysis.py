"""Limits and a clock in, Analysis out: what every search takes and gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.markup import bar, beside, picture, table
from zermelo.options import as_python, check_fields, number, whole

MOST_SHOWN = 12
"""Actions, and plies of the line, that a notebook shows."""
LONGEST_SECONDS = 1e9
"""Thirty years: people write 1e10 or `sys.maxsize` where they mean no limit."""
LIMITS = {
    "depth": whole(0, optional=True),
    "nodes": whole(0, optional=True),
    "simulations": whole(0, optional=True),
    "seconds": number(0, optional=True),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may go on; `None` means without limit. Whichever is reached first ends it."""

    depth: int | None = None
    """Plies from the root."""
    nodes: int | None = None
    """Positions entered."""
    seconds: float | None = None
    """A time of `LONGEST_SECONDS` or more, infinity included, is no limit."""
    stop: Callable[[], bool] | None = field(default=None, compare=False)
    """Asked at every node; a true answer ends the search."""
    simulations: int | None = None
    """Simulations of Monte Carlo tree search; other searches have none."""
    endless: bool = field(default=False, init=False, compare=False)
    """Whether `seconds` was given as no limit, so that none is to be put in its place."""

    def __post_init__(self) -> None:
        for name in LIMITS:
            object.__setattr__(self, name, as_python(getattr(self, name)))
        if isinstance(self.seconds, (int, float)) and self.seconds >= LONGEST_SECONDS:
            object.__setattr__(self, "seconds", None)
            object.__setattr__(self, "endless", True)
        check_fields(self, LIMITS)


@dataclass(frozen=True, slots=True)
class Clock:
    """What the clocks show when a player is to move; `None` where there is no such limit.

    `zermelo.engine.timeman` turns it into the time for one move.
    """

    remaining: tuple[float, ...] | None = None
    """Seconds left to every player for the rest of the game, player 0's first."""
    increment: float = 0.0
    """Seconds that the player to move gains by every action."""
    move_seconds: float | None = None
    """Seconds for this action alone."""
    nodes: int | None = None
    """Positions that a search may enter for this action."""
    stop: Callable[[], bool] | None = field(default=None, compare=False)
    """Asked while the player thinks; a true answer says that nobody waits for its action any more."""
    moves_to_go: int | None = None
    """Actions of a player until it gets more time; `None` for the rest of the game."""
    overhead: float = 0.01
    """Seconds of a player's clock that pass beside its search: the way there and back."""

    def left(self, p: int) -> float | None:
        """Seconds left to player `p`; players without a clock of their own look at the last one."""
        return None if not self.remaining else self.remaining[min(p, len(self.remaining) - 1)]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search found out about one position."""

    action: Any
    """The action it recommends; `None` if the position is terminal or was not searched."""
    value: float
    """The utility of the player to move at the root (of player 0 at a chance node). A search that was stopped before it
    valued any action knows nothing: `value` is then the game's neutral utility, and `bounds` are those of the game."""
    values: tuple[float, ...]
    """The utility of every player; NaN where the search does not know it (paranoid search of three players)."""
    line: tuple[Any, ...]
    """Best play for both, from the root on: the principal variation."""
    depth: int | None
    """Plies of the last depth that was finished; `None` for a search to the end of the game."""
    nodes: int
    """Positions entered, root and leaves included; a re-search counts again."""
    leaves: int
    """Positions whose value came from the rules or the evaluation, not from children."""
    cutoffs: int
    """How often the search left a position with actions untried because they cannot matter."""
    seconds: float
    exact: bool
    """Whether `value` is proved: the search ended by itself and rests on no estimate and no risky technique."""
    bounds: tuple[float, float]
    """The interval in which the search, as deep as it went, places the root's value."""
    method: str
    """The name of the search, with the techniques that were on."""
    stopped: str = ""
    """What ended it: `nodes`, `simulations`, `seconds`, `stop` or `interrupt`; empty if it ended by itself."""
    actions: dict[Any, float] = field(default_factory=dict)
    """What the root learnt of each action, in the order searched; a bound where alpha-beta needed no more."""
    lines: tuple[tuple[float, tuple[Any, ...]], ...] = ()
    """The best lines with their values, best first, where several were asked for."""
    plies_to_end: tuple[int, ...] = ()
    """For each of `lines`, how soon the win or the loss that it is comes, which it may not show; 0 if unknown."""
    rounding: float = 0.0
    """By how much a terminal utility may have been rounded: values nearer than this may stand in either order."""
    visits: dict[Any, int] = field(default_factory=dict)
    """How many simulations of Monte Carlo tree search chose each action of the root."""
    deepest: int | None = None
    """The deepest ply that the last depth entered, beyond `depth` where extensions and quiescence led; `None` where
    nobody counts."""
    table_used: float | None = None
    """The share of the transposition table that this search has filled; `None` without one."""
    probed: int = 0
    """Positions whose value was found in endgame tables."""
    partial: bool = False
    """Whether the value is from a depth that was stopped in the middle: one more than `depth`."""
    trace: Any = field(default=None, compare=False, repr=False)
    """The `zermelo.Trace` of the search, if one was asked for."""
    origin: Any = field(default=None, compare=False, repr=False)
    """The game and the state that were searched."""

    def _repr_html_(self) -> str:
        """For a notebook: the position, and what was found out about it."""
        facts = [
            ("value", f"{self.value:.6g}{', proved' if self.exact else ''}"),
            ("best", " ".join(self._name(self.line[:1])) or "nothing to choose"),
            ("line", " ".join(self._name(self.line[:MOST_SHOWN]))),
            ("depth", "" if self.depth is None else str(self.depth)),
            ("nodes", f"{self.nodes:,}"),
            ("time", f"{self.seconds:.3g} s"),
            ("method", self.method + (f", ended by {self.stopped}" if self.stopped else "")),
        ]
        board = ""
        if self.origin is not None:
            game, state = self.origin
            board = picture(game.picture(state), f"A position of {game.name}", 220)
        return beside(board, table(row for row in facts if row[1]), self._actions_table())

    def _name(self, line: tuple[Any, ...]) -> list[str]:
        """Actions from the root on, in the game's notation where the game is known."""
        if self.origin is None:
            return [str(action) for action in line]
        game, state = self.origin
        names = []
        for action in line:
            names.append(str(game.show_action(state, action)))
            state = game.result(state, action)
        return names

    def _actions_table(self) -> str:
        """The root's actions, best first, with a bar for how each compares with the others."""
        if len(self.actions) < 2:
            return ""
        ranked = sorted(self.actions.items(), key=lambda each: -each[1])[:MOST_SHOWN]
        low, high = min(self.actions.values()), max(self.actions.values())
        rows = []
        for action, value in ranked:
            part = (value - low) / (high - low) if high - low not in (0, math.inf) else 1.0
            visits = [f"{self.visits[action]:,}"] if action in self.visits else []
            rows.append([self._name((action,))[0], bar(part, f"{value:.6g}"), *visits])
        return table(rows, ["action", "worth", *(["visits"] if self.visits else [])])


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search is in the middle of a depth."""

    found: Analysis
    """What it would answer if it were stopped here."""
    action: Any
    """The action of the root that is being searched; `None` between two depths."""
    number: int
    """The place of that action in the order of the search, from 1 on."""
