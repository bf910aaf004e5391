"""The actions that a caller wants a search to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.errors import OptionError
from zermelo.game.contract import CHANCE, Game


def legal_only(game: Game, state: Any, only: Iterable[Any] | None) -> list[Any]:
    """Those of `only`, as the game writes them, none if that is `None`; an error if some are no actions in `state`."""
    if only is None:
        return []
    if isinstance(only, str) or not isinstance(only, Iterable):
        raise OptionError(f"only must be a list of actions to choose from, not {only!r:.80}")
    named = list(only)
    if not named:
        raise OptionError("only must name an action to choose from: leave it out, to choose from all")
    chooses = not game.is_terminal(state) and game.player(state) != CHANCE
    legal = list(game.actions(state)) if chooses else []
    wrong = [action for action in named if action not in legal]
    if wrong:
        raise OptionError(f"only may name legal actions of the position, not {wrong!r:.80}")
    return [action for action in legal if action in named]
