"""How much a player that re-solves wins and loses against others, hand by hand, with little luck left.

What the player would do with each of its hands is known, so an end is not worth what its hand of the moment brings but
the mean over all hands that it could hold, each as likely as it would have come there (imaginary observations, as in
Bowling and others 2008). That is unbiased, and takes most of the luck of the cards away.

Local best response (Lisý and Bowling 2017) is an opponent that knows this range. It assumes that after its choice
both check or call to the end, and takes the choice that is best then. What it wins is a lower bound of what the player
can be exploited for.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from zermelo.engine.regret import Array
from zermelo.games.holdem.cards import CARDS, evaluate
from zermelo.games.poker.resolver import HandResolver
from zermelo.games.poker.rules import CALL, FOLD, NOBODY, Poker
from zermelo.games.poker.spot import HANDS, PLACE, blocked

BOARDS = 60
"""On which hands are compared before the river."""


Opponent: TypeAlias = Callable[["Hand"], int]
"""Who is measured against, by what it chooses."""


class Hand:
    """A hand as it is played: the public state, the opponent's cards, and what the player could hold."""

    def __init__(self, game: Poker, resolver: HandResolver, seat: int, rng: random.Random):
        """`seat` is the opponent's."""
        self.game, self.resolver, self.seat, self.random = game, resolver, seat, rng
        self.state = game.initial()
        self.likely = np.ones(len(HANDS))
        """How likely the player would have come here with each hand, by its own choices."""

    @property
    def cards(self) -> tuple[int, ...]:
        return self.game.hand(self.state, self.seat)

    def range(self) -> Array:
        """What the player may hold, with a sum of 1."""
        seen = np.where(blocked((*self.cards, *self.game.board(self.state))), 0.0, self.likely)
        return np.asarray(seen / seen.sum())

    def play(self, opponent: Opponent) -> float:
        """What the opponent gets."""
        game = self.game
        while not game.is_terminal(self.state):
            s = self.state
            if game.is_dealing(s):
                action = self.random.choice(list(game.actions(s)))
            elif s.turn == self.seat:
                action = opponent(self)
            else:
                action = self.answer(s)
            self.state = game.result(s, action)
        return self.worth()

    def answer(self, s: Any) -> int:
        """The player's choice with the hand that it has, of which only that choice is kept."""
        actions, rows = self.resolver.shares(s)
        high, low = sorted(self.game.hand(s, s.turn), reverse=True)
        place = self.random.choices(range(len(actions)), rows[:, PLACE[int(high), int(low)]])[0]
        self.likely = self.likely * rows[place]
        return actions[place]

    def worth(self) -> float:
        s = self.state
        if s.folded != NOBODY:
            return self.game.utility(s, self.seat)
        return s.paid * ahead(self.cards, self.range(), self.game.board(s), self.random)

    def ahead(self, seen: Array) -> float:
        """How much more often than not the opponent's hand is the better one at the end, against a range."""
        return ahead(self.cards, seen, self.game.board(self.state), self.random)


def ahead(cards: Sequence[int], seen: Array, board: Sequence[int], rng: random.Random) -> float:
    """The share of the range that `cards` beat at the end, less the share that beats them."""
    left = [card for card in range(CARDS) if card not in (*cards, *board)]
    missing = 5 - len(board)
    boards = [(*board, *rng.sample(left, missing)) for _ in range(BOARDS)] if missing > 1 else []
    if missing == 1:
        boards = [(*board, card) for card in left]
    total = weight = 0.0
    for whole in boards or [tuple(board)]:
        own = np.flatnonzero((seen > 0) & ~blocked(whole))
        if not len(own):
            continue
        rows = np.concatenate(
            [np.concatenate([HANDS[own], [sorted(cards)]]), np.tile(whole, (len(own) + 1, 1))], axis=1
        )
        strength = evaluate(rows).astype(np.int64)
        total += float(seen[own] @ np.sign(strength[-1] - strength[:-1]))
        weight += float(seen[own].sum())
    return total / weight if weight else 0.0


def always_call(_: Hand) -> int:
    return CALL


def pot_odds(hand: Hand) -> int:
    """Calls if that pays against any hand, bets the pot if it is well ahead of them."""
    game, s = hand.game, hand.state
    anything = np.where(blocked((*hand.cards, *game.board(s))), 0.0, 1.0)
    share = (1 + hand.ahead(anything / anything.sum())) / 2
    price = abs(s.paid - s.others)
    actions = list(game.actions(s))
    bets = [a for a in actions if a > CALL]
    if share > 0.7 and bets:
        return bets[min(1, len(bets) - 1)]
    if price and share < price / (s.paid + s.others + price):
        return FOLD
    return CALL


def local_best_response(hand: Hand) -> int:
    """The best choice if both check or call from then on."""
    game, s, seen = hand.game, hand.state, hand.range()
    high, own = max(s.paid, s.others), s.paid if hand.seat == 0 else s.others
    now = hand.ahead(seen)
    best, found = (high * now, CALL), -float(own)
    if found > best[0]:
        best = (found, FOLD)
    for action in game.actions(s):
        if action <= CALL:
            continue
        after = game.result(s, action)
        actions, rows = hand.resolver.shares(after)
        folds = rows[actions.index(FOLD)] if FOLD in actions else np.zeros(len(HANDS))
        share = float(seen @ folds)
        stays = seen * (1 - folds)
        chance = hand.ahead(stays / stays.sum()) if stays.sum() > 1e-9 else 0.0
        value = share * high + (1 - share) * action * chance
        if value > best[0]:
            best = (value, action)
    return best[1]


OPPONENTS: dict[str, Opponent] = {
    "call": always_call,
    "pot-odds": pot_odds,
    "lbr": local_best_response,
}


class Winnings(NamedTuple):
    """What an opponent wins a hand."""

    hands: int
    chips: float
    error: float
    """The standard error."""
    blinds: float
    """In thousandths of a big blind."""
    blinds_error: float


def measure(
    resolvers: tuple[HandResolver, HandResolver], opponent: str, hands: int, seed: int = 0
) -> Iterator[Winnings]:
    """Plays hands against the player that re-solves, in both seats by turns; tells after each what has been won."""
    game = resolvers[0].game
    won: list[float] = []
    for number in range(hands):
        seat = number % 2
        hand = Hand(game, resolvers[1 - seat], seat, random.Random(f"{seed}:{number}"))
        won.append(hand.play(OPPONENTS[opponent]))
        yield sum_up(won, float(game.blinds[1]))


def sum_up(won: Sequence[float], blind: float) -> Winnings:
    mean = sum(won) / len(won)
    spread = sum((each - mean) ** 2 for each in won) / max(len(won) - 1, 1)
    error = math.sqrt(spread / len(won)) if len(won) > 1 else math.inf
    return Winnings(len(won), mean, error, 1000 * mean / blind, 1000 * error / blind)
