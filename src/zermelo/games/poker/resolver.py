"""A player of whole hands that keeps no strategy: each round is solved when it begins, from what both may hold by then.

A round is solved to the next deal: the river to its end, the turn with the network of the river beyond, the flop and
what is before it as if hands were shown after the round. The range of either is what the solutions so far make of it.
On the river the opponent may hold to what its hands were worth on the turn (the gadget of safe re-solving).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine import Stopped
from zermelo.engine.regret import Array
from zermelo.games.poker.rules import CALL, FOLD, Poker
from zermelo.games.poker.spot import HANDS, PLACE, TURN, RiverNetwork, Spot, blocked

NETWORK = Path(__file__).with_name("river.safetensors")
"""The network that comes with the package, as `zermelo train poker` has written it."""
SHARES = (0.6, 0.6, 0.4, 1.0)
"""By the round: how much of the iterations asked for are made."""
MOST_KEPT = 8
"""Solved rounds."""


@lru_cache(maxsize=4)
def own_river() -> RiverNetwork | None:
    return RiverNetwork.read(NETWORK) if NETWORK.exists() else None


class Situation(NamedTuple):
    """What the player knows when a round begins; ranges go by the places of `HANDS`, that of the big blind first."""

    ranges: tuple[Array, Array]
    stops: Array | None
    """Of each hand of the opponent: what it has been held to."""


class HandResolver:
    """The player in one seat of a game."""

    def __init__(
        self,
        game: Poker,
        seat: int,
        iterations: int = 100,
        safe: bool = True,
        seconds: float | None = None,
        values: str | None = None,
    ):
        """`seconds` bounds the time of a solution, building it included; `values` is a file of a river network."""
        self.game, self.p = game, 1 - seat
        self.iterations, self.safe, self.seconds = iterations, safe, seconds
        self.network = own_river() if values is None else RiverNetwork.read(values)
        self.rules = Poker(game.stacks, game.blinds, game.sizes, game.most_raises) if game.free else game
        self.known: OrderedDict[tuple[Any, ...], Spot] = OrderedDict()

    # Solutions.

    def at(self, s: Any) -> tuple[Spot, int]:
        """The round of `s`, solved, and where in it `s` is."""
        game = self.game
        line, dealt = list(game.line(s)), list(game.cards(s))
        everything = np.ones(len(HANDS))
        situation = Situation((everything, everything), None)
        start = game.initial()
        while True:
            while game.is_dealing(start):
                start = game.result(start, dealt[start.dealt])
            spot = self._solved(start, situation)
            here, node = start, 0
            while line and here.round == start.round:
                node = self._step(spot, node, line[0])
                here = game.result(here, line.pop(0))
            if here.round == start.round:
                return spot, node
            situation = self._after(spot, node, situation, game.cards(s)[: 4 + here.round + 2])
            start = here

    def _solved(self, start: Any, situation: Situation) -> Spot:
        key = (self.game.board(start), self.game.line(start))
        if key in self.known:
            self.known.move_to_end(key)
            return self.known[key]
        begun = time.perf_counter()
        own = situation.ranges
        stops = None
        if situation.stops is not None:
            stops = (1 - self.p, situation.stops)
            own = (own[0], np.ones(len(HANDS))) if self.p == 0 else (np.ones(len(HANDS)), own[1])
        spot = Spot(self.rules, start, own, self.network, stops)
        limit = self.seconds

        def is_late() -> bool:
            return limit is not None and time.perf_counter() - begun >= limit

        with suppress(Stopped):  # what has been found so far does
            spot.run(max(int(self.iterations * SHARES[start.round]), 1), is_late)
        self.known[key] = spot
        if len(self.known) > MOST_KEPT:
            self.known.popitem(last=False)
        return spot

    def _step(self, spot: Spot, node: int, action: int) -> int:
        """The node after an action; a size that was not thought of counts as the nearest one."""
        street = spot.street
        return street.first[node] + self._place(street.actions[node], action)

    @staticmethod
    def _place(actions: Sequence[int], action: int) -> int:
        if action in actions:
            return list(actions).index(action)
        bets = [place for place, a in enumerate(actions) if a > CALL]
        if not bets or action in (FOLD, CALL):
            return min(len(actions) - 1, list(actions).index(CALL))
        return min(bets, key=lambda place: abs(np.log(actions[place] / action)))

    def _after(self, spot: Spot, node: int, situation: Situation, cards: tuple[int, ...]) -> Situation:
        """What is known once the round has led to `node`, and the next card lies there."""
        gone = blocked(cards[4:])
        ranges = []
        for q in (0, 1):
            own = np.where(gone, 0.0, spot.reach(q, node, situation.ranges[q]))
            ranges.append(own if own.max() > 0 else np.where(gone, 0.0, 1.0))
        stops = None
        if self.safe and spot.start.round == TURN and node in spot.street.deals:
            board = int(np.flatnonzero(spot.boards[:, 0] == cards[-1])[0])
            found = spot.evaluate(1 - self.p).deals[board, spot.street.deals.index(node)]
            stops = np.zeros(len(HANDS))
            stops[spot.order] = found * (len(spot.boards) - 4)  # given that card
        return Situation((ranges[0], ranges[1]), stops)

    # As a player.

    def shares(self, s: Any) -> tuple[list[int], Array]:
        """The actions thought of in `s`, and what each hand does: a row for each action, by the places of `HANDS`."""
        spot, node = self.at(s)
        return spot.street.actions[node], spot.shares(node)

    def policy(self, state: Any, history: Sequence[Any] = ()) -> list[float]:
        """The probability of each action in `state`."""
        actions, rows = self.shares(state)
        high, low = sorted(self.game.hand(state, state.turn), reverse=True)
        legal = list(self.game.actions(state))
        found = [0.0] * len(legal)
        for action, share in zip(actions, rows[:, PLACE[int(high), int(low)]].tolist(), strict=True):
            found[self._place(legal, action)] += share
        return found

    def choose(self, state: Any, history: Sequence[Any], random: Any) -> int:
        action: int = random.choices(list(self.game.actions(state)), self.policy(state))[0]
        return action
