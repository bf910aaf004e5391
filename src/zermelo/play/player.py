"""What a player is: anything with a name that chooses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Generic, NamedTuple, Protocol, runtime_checkable

from zermelo.analysis import Clock
from zermelo.game import Game
from zermelo.game.contract import A, S


class Chooser(Protocol):
    """A player. Your own class needs no base: a name and `choose` are enough."""

    @property
    def name(self) -> str: ...

    def choose(self, game: Game, state: Any, history: Sequence[Any]) -> Any:
        """The action to take in `state`, or a `Wish`; `history` holds the states before it, the first one first.

        In a game of hidden information an honest player looks at `game.view(state, game.player(state))` only.
        """


class Wish(Enum):
    """What a player may ask for in place of an action."""

    UNDO = "take back its last action"
    RESIGN = "resign"
    LEAVE = "leave the game unfinished"


class PlayerMove(NamedTuple, Generic[A]):
    """An action, and what the player thought when it chose it."""

    action: A | Wish
    """An action or a `Wish`."""
    value: float | None = None
    """The utility that the player who chose expects for itself."""
    depth: int | None = None
    nodes: int | None = None


@runtime_checkable
class Thinker(Protocol):
    """A player that uses a clock and reports what it thinks, like all players of the package."""

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove: ...


@runtime_checkable
class Guest(Protocol):
    """A player that is notified when a game begins and when it is no longer needed, such as an outside program."""

    def begin(self, game: Game, seat: int) -> None:
        """A new game begins, in which the player has this seat."""

    def close(self) -> None:
        """The player is not needed any more; it may be called twice."""


@runtime_checkable
class Gambler(Protocol):
    """A player with its own random numbers, which is given a seed before each game of a tournament."""

    def reseed(self, seed: int) -> None: ...


@runtime_checkable
class Mixer(Protocol):
    """A player that draws its actions, and can tell with which probabilities."""

    def policy(self, game: Game, state: Any, history: Sequence[Any]) -> Sequence[float]:
        """The probability of each of `game.actions(state)`, in their order."""


def varies(player: Chooser) -> bool:
    """Whether a player says that it may act otherwise in the same game, by an attribute `varies`."""
    return bool(getattr(player, "varies", False))


def ask(player: Chooser, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
    """What `player` does in `state`."""
    if isinstance(player, Thinker):
        return player.think(game, state, history, clock)
    return PlayerMove(player.choose(game, state, history))
