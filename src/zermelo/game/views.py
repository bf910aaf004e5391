"""What players see: the laws that hold between a game's `view` and its other rules."""

from __future__ import annotations

from typing import Any

from zermelo.errors import ContractError
from zermelo.game.contract import Game


def unlike_actions(game: Game, player: int, state: Any) -> ContractError:
    """What a position looks like to a player decides what it can do there; in `state` it does not."""
    seen = f"player {player} of {game.name} sees the same in two states and has other actions"
    return ContractError(f"{seen}, as in {game.write(state)}; see `view`")
