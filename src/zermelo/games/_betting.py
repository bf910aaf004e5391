"""Rounds of no-limit betting over hands that are dealt from ranges: what one-card poker and hold'em have in common.

There is a pot, half of it from each player, and both have the same stack. Player 0 begins each round. A bet is a share
of the pot, a raise a share of the pot after calling, never less than the raise before it; all the rest of a stack can
always be bet. A round has a limited number of bets and raises. Chips are whole. The choices of a game are one number:
a digit for each behind a 1, and `END` where a round is over.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

from zermelo.errors import OptionError
from zermelo.game import CHANCE
from zermelo.game.ranges import Hand, RangeGame

END = 0


def digits(line: int, base: int) -> list[int]:
    """The choices of `line`, first to last."""
    found: list[int] = []
    while line >= base:
        line, digit = divmod(line, base)
        found.append(digit)
    return found[::-1]


UNDEALT = -1
NOBODY = -1
FOLD, CALL, BET = 0, 1, 2
"""BET is the smallest size, BET + 1 the next, and the last of them all-in."""
MOST_CHIPS = 10**9
MOST_SIZES = 8
MOST_RAISES = 6
ATTEMPTS = 20
"""Hands that are drawn in the hope that they share no card with what is seen, before all are looked at."""


class Betting(RangeGame["Betting.State", int]):
    """Betting rounds; a game says which hands there are, how strong, and which cards are dealt between rounds."""

    unit = "chips"

    class State(NamedTuple):
        first: int  # the hand of player 0 by its place in the range, UNDEALT or HIDDEN
        second: int
        card: int  # the public card dealt after the first round, or −1
        line: int  # the choices so far, a digit each; 1 stands before all
        turn: int
        paid: int  # what player 0 has put in, the pot of the start apart
        others: int  # what player 1 has
        raises: int  # bets and raises in this round
        least: int  # the least raise
        calls: int  # checks and calls in this round
        rounds: int  # that are over
        folded: int  # who gave up, or −1
        before: int  # what each had put in before this round

    class View(NamedTuple):
        hand: int
        card: int
        line: int
        turn: int
        folded: int

    def __init__(
        self,
        ranges: tuple[Sequence[Hand], Sequence[Hand]],
        deck: tuple[int, ...],
        pot: int,
        stack: int,
        bets: tuple[float, ...],
        raises: int,
    ):
        """`deck` are the public cards that can be dealt after the first round; without, there is one round."""
        if not 1 <= pot <= MOST_CHIPS or not 1 <= stack <= MOST_CHIPS:
            raise OptionError(f"pot and stack must be whole chips, 1 to {MOST_CHIPS:,}, not {pot} and {stack}")
        if len(bets) > MOST_SIZES or any(not isinstance(size, (int, float)) or not 0 < size <= 1e4 for size in bets):
            raise OptionError(f"bets are at most {MOST_SIZES} percentages of the pot, as in bets=50/100, not {bets}")
        if not 0 <= raises <= MOST_RAISES:
            raise OptionError(f"raises must be 0 to {MOST_RAISES}, bets and raises of a round, not {raises}")
        above = [size for size in bets if int(size * pot / 100 + 0.5) > stack]
        if above:
            raise OptionError(f"a bet of {above[0]:g} % of the pot is above the stack of {stack}: leave it out")
        self.pot = pot
        self.stack = stack
        self.sizes = tuple(sorted(float(size) for size in set(bets)))
        self.percents = (*self.sizes, 0.0)  # one more, as compiled rules know no empty tuple
        self.most_raises = raises
        self.all_in = BET + len(self.sizes)
        self.base = self.all_in + 1
        self.deck = deck
        self.pile = deck or (-1,)  # for the same reason
        self.rounds = 2 if deck else 1
        self.bounds = (-pot / 2 - stack, pot / 2 + stack)
        self.ranges = tuple(tuple(hands) for hands in ranges)
        self._prepare()

    def _prepare(self) -> None:
        """The deal as numbers, which compiled rules need: cards, chances and strengths of all hands."""
        two = [[(*hand.cards, -1, -1)[:2] for hand in hands] for hands in self.ranges]
        self.lows = tuple(tuple(cards[0] for cards in own) for own in two)
        self.highs = tuple(tuple(cards[1] for cards in own) for own in two)
        self.weights = tuple(hand.weight for hand in self.ranges[1])
        self.sums = tuple(tuple(accumulate(hand.weight for hand in hands)) for hands in self.ranges)
        total = sum(self.weights)
        held: dict[int, float] = {}
        same = {frozenset(hand.cards): hand.weight for hand in self.ranges[1] if len(hand.cards) == 2}
        for hand in self.ranges[1]:
            for card in hand.cards:
                held[card] = held.get(card, 0.0) + hand.weight
        met = []
        for hand in self.ranges[0]:
            free = total - sum(held.get(card, 0.0) for card in hand.cards) + same.get(frozenset(hand.cards), 0.0)
            met.append(free if free > 1e-12 * total else 0.0)
        self.met = tuple(met)
        """Of each hand of player 0: the weight of player 1's hands that can be dealt beside it."""
        mass = sum(hand.weight * free for hand, free in zip(self.ranges[0], met, strict=True))
        if not mass > 0:
            raise OptionError("no two hands of the ranges can be dealt together: they share cards")
        self.first_chances = tuple(hand.weight * free / mass for hand, free in zip(self.ranges[0], met, strict=True))
        boards: list[tuple[int, ...]] = [(card,) for card in self.deck] or [()]
        self.ranks = tuple(tuple(tuple(self.strengths(p, cards)) for cards in boards) for p in (0, 1))
        """Of each player, of each public card: the strength of each hand."""
        cards = range(max(self.deck, default=0) + 1)
        self.rows = tuple(self.deck.index(card) if card in self.deck else -1 for card in cards)

    # Rules.

    def initial(self) -> State:
        return self.State(UNDEALT, UNDEALT, -1, 1, 0, 0, 0, 0, 1, 0, 0, NOBODY, 0)

    def is_dealing(self, s: State) -> bool:
        return s.second == UNDEALT or (s.rounds == 1 and s.card < 0)

    def is_terminal(self, s: State) -> bool:
        return s.folded != NOBODY or s.rounds == self.rounds

    def player(self, s: State) -> int:
        return CHANCE if self.is_dealing(s) else s.turn

    def shares(self, first: int, second: int) -> bool:
        """Whether a hand of player 0 and one of player 1 have a card in common."""
        a, b = self.lows[0][first], self.highs[0][first]
        c, d = self.lows[1][second], self.highs[1][second]
        return (a >= 0 and a in (c, d)) or (b >= 0 and b in (c, d))

    def has(self, p: int, hand: int, card: int) -> bool:
        return hand >= 0 and (self.lows[p][hand] == card or self.highs[p][hand] == card)

    def price(self, s: State, a: int) -> int:
        """What the player to move has put in after the bet or raise `a`."""
        most = max(s.paid, s.others)
        if a == self.all_in:
            return self.stack
        size = int(self.percents[a - BET] * (self.pot + 2 * most) / 100.0 + 0.5)
        return min(most + max(size, s.least), self.stack)

    def actions(self, s: State) -> Iterator[int]:
        if self.is_terminal(s):
            return
        if s.first == UNDEALT:
            for hand in range(len(self.met)):
                if self.met[hand] > 0.0:
                    yield hand
        elif s.second == UNDEALT:
            for hand in range(len(self.weights)):
                if not self.shares(s.first, hand):
                    yield hand
        elif self.is_dealing(s):
            for card in self.pile:
                if not self.has(0, s.first, card) and not self.has(1, s.second, card):
                    yield card
        else:
            most = max(s.paid, s.others)
            if s.paid != s.others:
                yield FOLD
            yield CALL
            if s.raises < self.most_raises and most < self.stack:
                before = most
                for a in range(BET, self.all_in):
                    price = self.price(s, a)
                    if before < price < self.stack:
                        yield a
                        before = price
                yield self.all_in

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if self.is_terminal(s):
            return
        if s.first == UNDEALT:
            for hand in range(len(self.met)):
                if self.met[hand] > 0.0:
                    yield hand, self.first_chances[hand]
        elif s.second == UNDEALT:
            for hand in range(len(self.weights)):
                if not self.shares(s.first, hand):
                    yield hand, self.weights[hand] / self.met[s.first]
        elif self.is_dealing(s):
            left = 0
            for card in self.pile:
                if not self.has(0, s.first, card) and not self.has(1, s.second, card):
                    left += 1
            for card in self.pile:
                if not self.has(0, s.first, card) and not self.has(1, s.second, card):
                    yield card, 1.0 / left

    def result(self, s: State, a: int) -> State:
        if s.first == UNDEALT:
            return self.State(a, UNDEALT, -1, 1, 0, 0, 0, 0, 1, 0, 0, NOBODY, 0)
        if s.second == UNDEALT:
            return self.State(s.first, a, -1, 1, 0, 0, 0, 0, 1, 0, 0, NOBODY, 0)
        if self.is_dealing(s):  # no more bets if the stacks are in
            rounds = 2 if s.paid == self.stack else 1
            return self.State(s.first, s.second, a, s.line, 0, s.paid, s.others, 0, 1, 0, rounds, NOBODY, s.paid)
        if a == FOLD:
            return self.move(s, s.line, s.turn, s.paid, s.others, s.raises, s.least, s.calls, s.rounds, s.turn)
        most = max(s.paid, s.others)
        line = self.base * s.line + a
        if a == CALL:
            over = s.paid != s.others or s.calls == 1
            if over:
                line *= self.base
            rounds = s.rounds + 1 if over else s.rounds
            return self.move(s, line, 1 - s.turn, most, most, s.raises, s.least, s.calls + 1, rounds, NOBODY)
        price = self.price(s, a)
        paid = price if s.turn == 0 else s.paid
        others = price if s.turn == 1 else s.others
        least = max(price - most, 1)
        return self.move(s, line, 1 - s.turn, paid, others, s.raises + 1, least, s.calls, s.rounds, NOBODY)

    def move(
        self,
        s: State,
        line: int,
        turn: int,
        paid: int,
        others: int,
        raises: int,
        least: int,
        calls: int,
        rounds: int,
        folded: int,
    ) -> State:
        """The same cards, and all else new."""
        return self.State(
            s.first, s.second, s.card, line, turn, paid, others, raises, least, calls, rounds, folded, s.before
        )

    def utility(self, s: State, p: int) -> float:
        if s.folded != NOBODY:
            loser = s.folded
        else:
            row = self.rows[s.card] if s.card >= 0 else 0
            mine, theirs = self.ranks[0][row][s.first], self.ranks[1][row][s.second]
            if mine == theirs:
                return 0.0
            loser = 0 if mine < theirs else 1
        paid = self.pot / 2 + (s.paid if loser == 0 else s.others)
        return -paid if p == loser else paid

    def view(self, s: State, p: int) -> View:
        return self.View(s.first if p == 0 else s.second, s.card, s.line, s.turn, s.folded)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other holds any hand of its range, each as likely as it is dealt beside what can be seen."""
        other = self.draw_hand(1 - p, {view.card, *self.ranges[p][view.hand].cards}, random)
        s = self.initial()
        for hand in (view.hand, other) if p == 0 else (other, view.hand):
            s = self.result(s, hand)
        for a in digits(view.line, self.base):
            if a != END:
                s = self.result(s, a)
            elif view.card >= 0 and self.is_dealing(s):
                s = self.result(s, view.card)
        return s

    def draw_hand(self, p: int, seen: set[int], random: Random) -> int:
        """A hand of the range of `p` without the cards in `seen`, by its place."""
        hands = self.ranges[p]
        for _ in range(ATTEMPTS):
            place = bisect(self.sums[p], random.random() * self.sums[p][-1])
            if place < len(hands) and not seen.intersection(hands[place].cards):
                return place
        weights = [0.0 if seen.intersection(hand.cards) else hand.weight for hand in hands]
        (place,) = random.choices(range(len(hands)), weights)
        return int(place)
