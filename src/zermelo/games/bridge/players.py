"""Players of bridge at three strengths.

1   by rules alone: the bidding system, and rules of card play
2   judges between the calls that the system allows, and cards, in a few deals that fit what was heard
3   the same in more deals

All of them look at their own view only.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from zermelo.errors import OptionError
from zermelo.games._bridge.solver import StrainTables
from zermelo.games._players import OwnPlayer
from zermelo.games.bridge.auction import PASS
from zermelo.games.bridge.cardplay import choose_card, see_table
from zermelo.games.bridge.claims import REFUSE
from zermelo.games.bridge.judging import best_card, call_scores, card_verdicts
from zermelo.games.bridge.rules import Bridge
from zermelo.games.bridge.sampling import Beliefs
from zermelo.games.bridge.system import allowed
from zermelo.games.bridge.tricks import playable
from zermelo.options import Option, call_with_options, choice, takes, whole

if TYPE_CHECKING:
    from zermelo.game import AnyGame

WORLDS = {1: 0, 2: 10, 3: 40}
"""Deals for a card, by strength; half as many for a call, which is judged by whole deals."""
OPTIONS: dict[str, Option] = {
    "strength": choice(1, 2, 3, about="1 by rules, 2 with few sampled deals, 3 with 40; 2"),
    "worlds": whole(0, 1000, optional=True, about="deals sampled for a card, not those of the strength; 0: none"),
    "seed": whole(about="of the samples; 0"),
}


STRENGTHS = {
    "bridge:strength=3": "judges calls and cards in 40 sampled deals",
    "bridge:strength=2": "the same in 10 deals, quicker",
    "bridge:strength=1": "bids and plays by rules",
}
"""Texts of such players, with what people call them."""


class BridgePlayer:
    """Bids by the system and plays cards."""

    kind = "bridge"
    """What texts call such players."""

    @takes(**OPTIONS)
    def __init__(self, strength: int = 2, worlds: int | None = None, seed: int = 0):
        self.name = f"{self.kind}:strength={strength}" + ("" if worlds is None else f",worlds={worlds}")
        self.name += f",seed={seed}" if seed else ""
        self.worlds = WORLDS[strength] if worlds is None else worlds
        self.varies = self.worlds > 0
        self.seed = seed
        self.random = random.Random(seed)
        self.beliefs, self.tables = Beliefs(), StrainTables()

    def begin(self, game: AnyGame, seat: int) -> None:
        self.close()

    def close(self) -> None:
        """Forgets the board."""
        self.beliefs, self.tables = Beliefs(), StrainTables()

    def reseed(self, seed: int) -> None:
        self.random.seed(f"{self.seed}:{seed}")

    def choose(self, game: AnyGame, state: object, history: Sequence[object] = ()) -> int:
        if not isinstance(game, Bridge) or not isinstance(state, Bridge.State):
            raise OptionError(f"{self.name} plays bridge only; for {game.name} take mcts or search")
        if game.pending(state):
            return REFUSE  # who is asked sees all cards, and knows that the claim is not sure
        p = game.player(state)
        view = game.view(state, p)
        return self.call(game, view, p) if game.is_bidding(view) else self.card(game, view, p)

    def call(self, game: Bridge, view: Bridge.View, p: int) -> int:
        state = game.State((view.hand,) * 4, view.dealt, view.calls, ())
        legal = set(game.actions(state))
        calls = [call for call in allowed(view.calls, game.dealer, view.hand) if call in legal] or [PASS]
        if len(calls) == 1 or not self.worlds:
            return calls[0]
        worlds = self.beliefs.worlds(game, view, p, max(self.worlds // 2, 1), self.random)
        scores = call_scores(game, view, p, calls, worlds, self.tables)
        return calls[scores.index(max(scores))]

    def card(self, game: Bridge, view: Bridge.View, p: int) -> int:
        table = see_table(game, view, p)
        by_rule = choose_card(table)
        if not self.worlds or not view.cards or playable(table.hand, table.trick).bit_count() == 1:
            return by_rule  # the lead is made before the dummy is seen, and rules know it better than a few deals
        worlds = self.beliefs.worlds(game, view, p, self.worlds, self.random)
        return best_card(game, view, card_verdicts(game, view, worlds, self.tables), by_rule)


PLAYERS = {
    "bridge": OwnPlayer(
        partial(call_with_options, BridgePlayer),
        "Bridge at three strengths: by rules, or by judging calls and cards in sampled deals, solved double-dummy.",
        "bridge:strength=3",
        {name: option.about for name, option in OPTIONS.items()},
        STRENGTHS,
    )
}
