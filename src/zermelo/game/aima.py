"""The six method names of the AIMA textbook's code, accepted as they are.

A course's own class has `actions(state)`, `result(state, move)`, `utility(state, player)`,
`terminal_test(state)`, `to_move(state)` and an attribute (or method) `initial`. Its players may be called
anything: the one who moves first becomes player 0, the other player 1.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from zermelo.errors import ContractError
from zermelo.game.contract import AnyGame, Game

NAMES = ("actions", "result", "utility", "terminal_test", "to_move", "initial")


def adapt(game: Any) -> AnyGame:
    """`game`, an object with the AIMA method names or its class, as a `zermelo.Game`."""
    if inspect.isclass(game):
        game = game()
    missing = [name for name in NAMES if not hasattr(game, name)]
    if missing:
        raise ContractError(
            f"{type(game).__name__} is not a game: derive it from zermelo.Game, or give it the AIMA methods "
            f"{', '.join(NAMES)} (it lacks {', '.join(missing)})"
        )
    return AimaGame(game)


class AimaGame(Game):
    """A course's own game behind the contract."""

    bounds = (float("-inf"), float("inf"))

    def __init__(self, inner: Any):
        self.inner = inner
        self.labels = self._find_players()

    @property
    def name(self) -> str:
        return type(self.inner).__name__

    def _find_players(self) -> list[Any]:
        """The two names that `to_move` uses, the first player's first."""
        s = self.initial()
        labels = [self.inner.to_move(s)]
        frontier = [s]
        for s in frontier:
            if len(labels) == 2 or len(frontier) > 10_000:
                break
            if self.inner.terminal_test(s):
                continue
            label = self.inner.to_move(s)
            if label not in labels:
                labels.append(label)
            frontier.extend(self.inner.result(s, a) for a in self.inner.actions(s))
        return labels

    def initial(self) -> Any:
        start = self.inner.initial
        return start() if callable(start) else start

    def player(self, s: Any) -> int:
        label = self.inner.to_move(s)
        if label not in self.labels:
            raise ContractError(f"{self.name}.to_move names a third player, {label!r}; only two are supported")
        return self.labels.index(label)

    def actions(self, s: Any) -> Iterable[Any]:
        # A course's own rules may go on offering actions after the end.
        return () if self.is_terminal(s) else self.inner.actions(s)

    def result(self, s: Any, a: Any) -> Any:
        return self.inner.result(s, a)

    def is_terminal(self, s: Any) -> bool:
        return bool(self.inner.terminal_test(s))

    def utility(self, s: Any, p: int) -> float:
        if p < len(self.labels):
            return float(self.inner.utility(s, self.labels[p]))
        return -float(self.inner.utility(s, self.labels[0]))

    def show(self, s: Any) -> str:
        return str(s)

    def show_action(self, s: Any, a: Any) -> str:
        return str(a).replace(" ", "")

    def player_name(self, p: int) -> str:
        return str(self.labels[p]) if p < len(self.labels) else super().player_name(p)
