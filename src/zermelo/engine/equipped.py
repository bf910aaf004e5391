"""Games whose rules are more than what their class says: native ones, and those with a network or endgame tables."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, TypeVar, cast

from zermelo.game.contract import Game, S

if TYPE_CHECKING:
    from zermelo.engine.compiled import CompiledGame

E = TypeVar("E", bound="EquippedGame[Any]")


class NativeGame(Game[S, int]):
    """A game whose rules are native already: there is nothing to compile."""

    native: CompiledGame[S]


class EquippedGame(Game[S, int]):
    """The methods of a game with something that was made for it; the class of the game itself stands behind it."""

    rules: Game[S, int]
    """The game without it."""

    def compile(self) -> CompiledGame[S]:
        """The rules of the game, with what it is equipped with."""
        raise NotImplementedError


class NetworkGame(EquippedGame[S]):
    """A game that a network evaluates."""


def equip(rules: Game[S, int], methods: type[E], **body: Any) -> E:
    """`rules` as a game of a class that has `methods`, too, and what is in `body`."""
    kind = type(rules)
    made = copy.copy(rules)
    # The class is called as before: games are told apart by their names.
    made.__class__ = type(
        kind.__name__, (methods, kind), {"__doc__": kind.__doc__, "__module__": kind.__module__, **body}
    )
    equipped = cast(E, made)
    equipped.rules = rules
    return equipped
