"""Whist for four, two against two, in forty lines of rules: what one player does not see, its partner does not tell.

Players 0 and 2 are a team, and so are 1 and 3 (`team`); each sees its own hand (`view`), and `sample` imagines the
others'. That is all that players of hidden cards need. Run it, check it, play it:

    python examples/whist.py
    zermelo check examples/whist.py:Whist
    zermelo play examples/whist.py:Whist:ranks=5 --players human,pimc,pimc,pimc
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import zermelo as z


class Whist(z.Game):
    """Follow suit if you can; the highest trump takes the trick, or else the highest card of the suit that was led."""

    players = 4
    unit = "tricks"

    class State(NamedTuple):
        hands: tuple[int, int, int, int]  # one bit a card, suit by suit, the lowest rank first
        stock: int  # cards that are still to be dealt
        trick: tuple[int, int, int]  # the cards on the table in the order of play, −1 for none
        leader: int
        won: int  # tricks of players 0 and 2
        voids: int  # one bit for each player and suit that it is known to be out of

    class View(NamedTuple):
        hand: int
        others: int  # all cards in the other hands
        stock: int
        trick: tuple[int, int, int]
        leader: int
        won: int
        voids: int

    def __init__(self, ranks: int = 4, suits: int = 2, trumps: int = 0):
        self.ranks, self.suits, self.trumps = ranks, suits, trumps
        self.cards = ranks * suits
        self.tricks = self.cards // 4
        self.bounds, self.scale = (-float(self.tricks), float(self.tricks)), 1.0
        if self.cards % 4 or not 4 <= self.cards <= 52 or not 0 <= trumps <= suits:
            raise z.InputError(
                "whist is for 4 to 52 cards, as many for each player, and trumps=0 … the number of suits"
            )

    def initial(self) -> State:
        return self.State((0, 0, 0, 0), (1 << self.cards) - 1, (-1, -1, -1), 0, 0, 0)

    def team(self, p: int) -> int:
        return p % 2

    def player(self, s: State) -> int:
        return z.CHANCE if s.stock else (s.leader + self.on_table(s.trick)) % 4

    def on_table(self, trick: tuple[int, int, int]) -> int:
        return (trick[0] >= 0) + (trick[1] >= 0) + (trick[2] >= 0)

    def actions(self, s: State) -> Iterator[int]:
        p = (s.leader + self.on_table(s.trick)) % 4
        held = s.stock or s.hands[p]
        if not s.stock and s.trick[0] >= 0 and held & self.suit(s.trick[0]):
            held &= self.suit(s.trick[0])
        for card in range(self.cards):
            if (held >> card) & 1:
                yield card

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        left = 0
        for card in range(self.cards):
            left += (s.stock >> card) & 1
        for card in range(self.cards):
            if (s.stock >> card) & 1:
                yield card, 1 / left

    def suit(self, card: int) -> int:
        """All cards of the suit of `card`."""
        return ((1 << self.ranks) - 1) << card // self.ranks * self.ranks

    def result(self, s: State, a: int) -> State:
        bit, h = 1 << a, s.hands
        if s.stock:  # the cards are dealt one by one, to players 0, 1, 2, 3, 0, …
            p = s.leader
            dealt = (h[0] | bit * (p == 0), h[1] | bit * (p == 1), h[2] | bit * (p == 2), h[3] | bit * (p == 3))
            return self.State(dealt, s.stock & ~bit, s.trick, (p + 1) % 4, 0, 0)
        n = self.on_table(s.trick)
        p, (first, second, third) = (s.leader + n) % 4, s.trick
        hands, voids = (h[0] & ~bit, h[1] & ~bit, h[2] & ~bit, h[3] & ~bit), s.voids
        if n > 0 and not bit & self.suit(first):
            voids |= 1 << p * self.suits + first // self.ranks
        if n < 3:
            trick = (a, -1, -1) if n == 0 else (first, a, -1) if n == 1 else (first, second, a)
            return self.State(hands, 0, trick, s.leader, s.won, voids)
        best, taker = first, 0
        for i, card in ((1, second), (2, third), (3, a)):
            same, trump = card // self.ranks == best // self.ranks, card // self.ranks == self.trumps - 1
            if (same and card > best) or (trump and not same):
                best, taker = card, i
        taker = (s.leader + taker) % 4
        return self.State(hands, 0, (-1, -1, -1), taker, s.won + (taker % 2 == 0), voids)

    def is_terminal(self, s: State) -> bool:
        return s.stock == 0 and s.trick[0] < 0 and s.hands[0] == 0

    def utility(self, s: State, p: int) -> float:
        ours = s.won if p % 2 == 0 else self.tricks - s.won
        return float(2 * ours - self.tricks)

    # What a player sees, and what may lie behind it.

    def view(self, s: State, p: int) -> View:
        everybody = s.hands[0] | s.hands[1] | s.hands[2] | s.hands[3]
        stock = 0 if s.stock == 0 else 1  # nobody sees which cards are still to be dealt
        others = 0 if stock else everybody & ~s.hands[p]
        return self.View(s.hands[p], others, stock, s.trick, s.leader, s.won, s.voids)

    def sample(self, view: View, p: int, random: Random) -> State:
        """Deals the cards of the others at random, until nobody holds a suit that it is known to be out of."""
        unseen = [card for card in range(self.cards) if (view.others >> card) & 1]
        n = self.on_table(view.trick)
        sizes = [view.hand.bit_count() - ((q - view.leader) % 4 < n) for q in range(4)]
        while True:
            random.shuffle(unseen)
            hands, left = [0, 0, 0, 0], iter(unseen)
            for q in range(4):
                hands[q] = view.hand if q == p else sum(1 << next(left) for _ in range(sizes[q]))
            if not any(hands[q] & self.out_of(view.voids, q) for q in range(4)):
                return self.State(tuple(hands), 0, view.trick, view.leader, view.won, view.voids)  # type: ignore[arg-type]

    def out_of(self, voids: int, p: int) -> int:
        """All cards that player `p` is known not to hold."""
        suits = (suit for suit in range(self.suits) if (voids >> p * self.suits + suit) & 1)
        return sum(self.suit(suit * self.ranks) for suit in suits)

    # Text for people.

    def player_name(self, p: int) -> str:
        return ("North", "East", "South", "West")[p]

    def show_action(self, s: State, a: int) -> str:
        return f"{'♣♦♥♠'[a // self.ranks]}{'23456789TJQKA'[13 - self.ranks + a % self.ranks]}"

    def show_hand(self, hand: int) -> str:
        return " ".join(self.show_action(self.initial(), card) for card in range(self.cards) if (hand >> card) & 1)

    def show(self, s: State) -> str:
        hands = "\n".join(f"{self.player_name(p):6}{self.show_hand(s.hands[p])}" for p in range(4))
        return f"{hands}\n{self.show_table(s.trick, s.leader, s.won)}"

    def show_table(self, trick: tuple[int, int, int], leader: int, won: int) -> str:
        cards = " ".join(self.show_action(self.initial(), card) for card in trick if card >= 0)
        led = f"{self.player_name(leader)} has led: {cards}" if cards else f"{self.player_name(leader)} leads"
        return f"{led}; tricks of North and South: {won}"

    def show_view(self, view: View, p: int) -> str:
        return f"{self.player_name(p):6}{self.show_hand(view.hand)}\n{self.show_table(*view[3:6])}"


def main() -> None:
    game, dice = Whist(), Random(4)
    s = game.initial()
    while game.player(s) == z.CHANCE:
        s = game.result(s, dice.choice(list(game.actions(s))))
    print(game.show(s), end="\n\n")
    print(z.pimc(game, s, worlds=3, trace=True).trace.text(), end="\n\n")
    report = z.match(Whist(ranks=4, suits=4, trumps=1), ["pimc:worlds=10,seed=1", "random:seed=1"], games=20)
    print(report.text())


if __name__ == "__main__":
    main()
