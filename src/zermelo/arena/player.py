"""What a player is: anything with a name that chooses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Protocol

from zermelo.game import Game


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
