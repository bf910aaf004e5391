"""Games that say what is public in them and what is private: the ground for solving them by whole ranges of hands.

Each of two players is dealt a hand of at most two cards, never one card to both. All that follows is public: choices,
and cards dealt for all to see. At an end the stronger hand wins, or somebody has given up before. Such a game can be
walked once for all hands together, with a vector over each player's hands, instead of once for every deal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from zermelo.game.contract import A, Game, S

HIDDEN = -2
"""The hand of a public state, in which nobody's is known."""


class Hand(NamedTuple):
    """What a player may hold."""

    name: str
    cards: tuple[int, ...]
    """At most two, numbered from 0: hands that share one cannot be dealt together."""
    weight: float = 1.0
    """How often it is held, beside the other hands."""
    kind: str = ""
    """The class that people put it in, as AKs."""


class Stakes(NamedTuple):
    """What an end is worth to player 0 if its hand is stronger, equal or weaker; all the same after a fold."""

    win: float
    tie: float
    lose: float


class RangeGame(Game[S, A]):
    """A game of two players with a constant sum that declares its public and its private part.

    A public state is one of the game's own in which both hands are `HIDDEN`. There `player`, `actions`, `result` and
    `is_terminal` work as elsewhere, since they depend on nothing hidden; `chances` is not asked, as it may.
    """

    pot: float = 1.0
    """What is at stake at the start: the measure of exploitability."""

    def hands(self, p: int) -> Sequence[Hand]:
        """The range of player `p`; a hand is named by its place here."""
        raise self._missing("hands(self, p)")

    def public_start(self) -> S:
        """The public state after both hands are dealt."""
        raise self._missing("public_start(self)")

    def hand(self, s: S, p: int) -> int:
        """Which hand of its range player `p` holds in `s`."""
        raise self._missing("hand(self, s, p)")

    def hold(self, s: S, p: int, hand: int) -> S:
        """The state `s` with another hand of player `p`, or with `HIDDEN`."""
        raise self._missing("hold(self, s, p, hand)")

    def public_deals(self, cards: tuple[int, ...]) -> Iterable[tuple[int, float]]:
        """(card, probability) where chance moves in public, after `cards`: the probability for hands without that card.

        The action of chance is the card. Nothing but `cards` may matter.
        """
        raise self._missing("public_deals(self, cards)")

    def strengths(self, p: int, cards: tuple[int, ...]) -> Sequence[int]:
        """How strong each hand of player `p` is at a showdown after `cards`; that of a blocked hand does not matter."""
        raise self._missing("strengths(self, p, cards)")

    def stakes(self, s: S) -> Stakes:
        """What the public end `s` is worth to player 0."""
        raise self._missing("stakes(self, s)")

    def betting(self, s: S) -> Hashable:
        """Public states with equal `betting` go on alike, up to the cards: what follows is looked at once."""
        return self.key(s)
