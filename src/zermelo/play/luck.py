"""Chance that is the same for whoever plays: what the games of an encounter have in common.

Each seat has luck of its own: its n-th chance event is the same in every game with this seed, whatever the players did
in between. An event belongs to the seat that is to move after it, as a roll belongs to who rolls, or that moved before
it if it ends the game, and to nobody if chance goes on, as in a deal.

Outcomes race: each draws a time from the seed, the event and its own name, an exponential one with its probability as
the rate, and the first one happens. So an outcome that wins among all cards wins among those that are left, too, unless
it is gone, and every outcome has its exact probability.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Sequence

from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S

NOBODY = CHANCE
MOST_LOOKS = 64
"""Outcomes that are looked at to see who is to move after them; of more, as many, evenly spread."""
STEPS = 1 << 53


class Luck:
    """The luck of one game; another with the same seed has the same."""

    def __init__(self, seed: int):
        self.seed = seed
        self.events: Counter[int] = Counter()
        """How many chance events each seat has had."""

    def draw(self, game: Game[S, A], s: S, last: int = NOBODY) -> A:
        """What chance does in `s`, after a move of `last`."""
        pairs = list(game.chances(s))
        owner = self.owner(game, s, pairs, last)
        event = self.events[owner]
        self.events[owner] += 1
        arrivals = (
            self.arrival(f"{self.seed}:{owner}:{event}:{name_of(action, place)}", float(probability))
            for place, (action, probability) in enumerate(pairs)
        )
        return min(zip(arrivals, pairs, strict=True), key=lambda runner: runner[0])[1][0]

    def arrival(self, name: str, probability: float) -> float:
        """When an outcome arrives in the race."""
        if probability <= 0:
            return math.inf
        digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
        return -math.log((int.from_bytes(digest, "little") % STEPS + 0.5) / STEPS) / probability

    def owner(self, game: Game[S, A], s: S, pairs: Sequence[tuple[A, float]], last: int) -> int:
        """Who is most likely to move after chance has in `s`, where an end counts for `last`."""
        shares: dict[int, float] = {}
        for action, probability in pairs[:: -(-len(pairs) // MOST_LOOKS)]:
            after = game.result(s, action)
            mover = last if game.is_terminal(after) else game.player(after)
            shares[mover] = shares.get(mover, 0.0) + float(probability)
        return max(shares, key=lambda mover: (round(shares[mover], 9), mover))


def name_of(action: object, place: int) -> str:
    """What an outcome is known by in every process: its text, or its place among all where its text is an address."""
    kind = type(action)
    return f"#{place}" if kind.__repr__ is object.__repr__ and kind.__str__ is object.__str__ else str(action)
