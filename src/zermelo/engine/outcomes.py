"""Positions whose outcomes are known: what they are worth, and the best actions and lines that follow from that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NamedTuple

from zermelo.errors import PositionError
from zermelo.game.contract import A, AnyGame, Game, S
from zermelo.search.retrograde import Outcome


class Choice(NamedTuple):
    """What an action leads to."""

    value: float
    """The utility of the player who takes it."""
    distance: int | None
    """Plies to the end, this one included; `None` for a draw, and where the plies are not known exactly."""


class Outcomes(Generic[S, A]):
    """Known outcomes of positions of a game: those that can be reached from `root`, or those of endgame tables."""

    game: Game[S, A]
    root: S

    def outcome(self, s: S | None = None) -> Outcome:
        """The mover in `s` (the root if `None`), every player's utility, and the number of plies to the end."""
        raise NotImplementedError

    def children(self, s: S) -> list[tuple[A, Outcome | None]]:
        """Each action of `s`, in order, with the outcome of the position after it; `None` if that is not known."""
        raise NotImplementedError

    def value(self, s: S | None = None) -> float:
        """The utility of the player to move in `s`; of player 0 where the game is over or chance moves."""
        return self.outcome(s).value

    def values(self, s: S | None = None) -> tuple[float, ...]:
        """Every player's utility in `s`."""
        return self.outcome(s).values

    def distance(self, s: S | None = None) -> int | None:
        """Plies to the end, the winner taking the shortest way and the loser the longest.

        `None` for a draw, in games with chance, and where the plies are not known exactly.
        """
        return self.outcome(s).distance

    def actions(self, s: S | None = None) -> dict[A, Choice]:
        """Each action in `s`, in the game's order, with what it leads to; none where no player moves."""
        s = self.root if s is None else s
        mover = self.outcome(s).mover
        return {} if mover is None or mover < 0 else {a: choice for a, choice, _ in self._choices(s, mover)}

    def _choices(self, s: S, mover: int) -> Iterator[tuple[A, Choice, tuple[float, int]]]:
        """Each action with what it leads to, and with what `mover` maximises."""
        for action, child in self.children(s):
            if child is None:
                raise PositionError(f"{self.game.write(self.game.result(s, action))} is not known here")
            value = child.values[mover]
            draw = value == self.game.neutral or child.distance is None or self.game.kind.chance
            choice = Choice(value, None if draw else (child.distance or 0) + 1)
            yield action, choice, preference(self.game, child, mover)

    def best(self, s: S | None = None) -> A | None:
        """A best action in `s`, the first of those that win soonest or lose latest; `None` where no player moves."""
        s = self.root if s is None else s
        mover = self.outcome(s).mover
        if mover is None or mover < 0:
            return None
        return max(self._choices(s, mover), key=lambda each: each[2])[0]

    def line(self, s: S | None = None) -> tuple[A, ...]:
        """Best play from `s` to the end of the game, until chance moves or a position comes back."""
        s = self.root if s is None else s
        line: list[A] = []
        seen = set()
        while self.game.key(s) not in seen:
            seen.add(self.game.key(s))
            action = self.best(s)
            if action is None:
                break
            line.append(action)
            s = self.game.result(s, action)
        return tuple(line)


def preference(game: AnyGame, outcome: Outcome, player: int) -> tuple[float, int]:
    """What `player` maximises: its utility, then quicker gains and slower losses."""
    value = outcome.values[player]
    plies = outcome.distance or 0
    return value, -plies if value > game.neutral else plies if value < game.neutral else 0
