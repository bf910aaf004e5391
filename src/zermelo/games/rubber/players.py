"""The players of bridge at a rubber: they bid and play each deal for what it is worth on the way to the rubber."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from zermelo.errors import OptionError
from zermelo.games._players import OwnPlayer
from zermelo.games.bridge.players import OPTIONS, STRENGTHS, BridgePlayer
from zermelo.games.rubber.rules import Rubber
from zermelo.options import call_with_options

if TYPE_CHECKING:
    from zermelo.game import AnyGame


class RubberPlayer(BridgePlayer):
    """Forgets a deal when the next one begins."""

    kind = "rubber"
    deals = -1

    def choose(self, game: AnyGame, state: object, history: Sequence[object] = ()) -> int:
        if not isinstance(game, Rubber) or not isinstance(state, Rubber.State):
            raise OptionError(f"{self.name} plays rubber bridge only; for {game.name} take mcts or search")
        if state.deals != self.deals:
            self.close()
            self.deals = state.deals
        return super().choose(game.deal(state), state.board)


PLAYERS = {
    "rubber": OwnPlayer(
        partial(call_with_options, RubberPlayer),
        "Rubber bridge at three strengths, as the players of bridge, deal by deal.",
        "rubber:strength=3",
        {name: option.about for name, option in OPTIONS.items()},
        {text.replace("bridge", RubberPlayer.kind): about for text, about in STRENGTHS.items()},
    )
}
