"""The rules of Kuhn poker, for two players and more.

Everybody antes 1 and is dealt one card. In turn each passes or bets 1; once somebody has bet, each of the others in
turn calls (bets, too) or folds (passes), and the highest card among those who bet takes the pot. If all pass, the
highest card of all does.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from zermelo.errors import OptionError, PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._table import Row, draw_table
from zermelo.options import takes, whole

PASS, BET = 0, 1
NOBODY = -1
BITS = 4
"""Of a card in the number that holds all hands."""
NAMES = "23456789TJQKA"


class Kuhn(Game["Kuhn.State", int]):
    """One card each, one chip to bet: the smallest game of poker in which you have to bluff."""

    title = "Kuhn poker"
    shelf = "cards"

    unit = "chips"

    class State(NamedTuple):
        hands: int  # each player's card + 1, four bits each; 0 is not dealt yet
        dealt: int  # how many cards are dealt
        moves: int  # how many players have acted
        bettor: int  # who bet first, or −1
        bets: int  # who has bet, one bit a player

    class View(NamedTuple):
        card: int
        moves: int
        bettor: int
        bets: int

    @takes(
        players=whole(2, 4, about="players"),
        cards=whole(0, len(NAMES), about="cards of the deck; 0 for one more than players"),
    )
    def __init__(self, players: int = 2, cards: int = 0):
        cards = cards or players + 1
        if cards <= players:
            raise OptionError(f"cards must be more than players, as in players=3,cards=4; not {cards}")
        self.players = players
        self.cards = cards
        self.bounds = (-2.0, 2.0 * players - 2.0)

    def initial(self) -> State:
        return self.State(0, 0, 0, NOBODY, 0)

    def player(self, s: State) -> int:
        return CHANCE if s.dealt < self.players else s.moves % self.players

    def card(self, s: State, p: int) -> int:
        return ((s.hands >> BITS * p) & 15) - 1

    def actions(self, s: State) -> Iterator[int]:
        if s.dealt < self.players:
            for card in range(self.cards):
                if not self.is_dealt(s, card):
                    yield card
        elif not self.is_terminal(s):
            yield PASS
            yield BET

    def is_dealt(self, s: State, card: int) -> bool:
        for p in range(s.dealt):  # noqa: SIM110 (any() over a generator does not compile)
            if self.card(s, p) == card:
                return True
        return False

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if s.dealt < self.players:
            for card in range(self.cards):
                if not self.is_dealt(s, card):
                    yield card, 1.0 / (self.cards - s.dealt)

    def result(self, s: State, a: int) -> State:
        if s.dealt < self.players:
            return self.State(s.hands | ((a + 1) << (BITS * s.dealt)), s.dealt + 1, 0, NOBODY, 0)
        if a == PASS:
            return self.State(s.hands, s.dealt, s.moves + 1, s.bettor, s.bets)
        mover = s.moves % self.players
        bettor = mover if s.bettor == NOBODY else s.bettor
        return self.State(s.hands, s.dealt, s.moves + 1, bettor, s.bets | (1 << mover))

    def is_terminal(self, s: State) -> bool:
        return s.moves == self.players + (0 if s.bettor == NOBODY else s.bettor)

    def utility(self, s: State, p: int) -> float:
        everybody = (1 << self.players) - 1
        showing = everybody if s.bettor == NOBODY else s.bets
        best = NOBODY
        pot = 0
        for q in range(self.players):
            pot += 1 + ((s.bets >> q) & 1)
            if (showing >> q) & 1 and (best == NOBODY or self.card(s, q) > self.card(s, best)):
                best = q
        paid = 1 + ((s.bets >> p) & 1)
        return float(pot - paid) if p == best else float(-paid)

    def view(self, s: State, p: int) -> View:
        return self.View(self.card(s, p), s.moves, s.bettor, s.bets)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The others hold any of the cards that are left."""
        left = [card for card in range(self.cards) if card != view.card]
        others = random.sample(left, self.players - 1)
        cards = [*others[:p], view.card, *others[p:]]
        hands = sum((card + 1) << (BITS * q) for q, card in enumerate(cards))
        return self.State(hands, self.players, view.moves, view.bettor, view.bets)

    # Text: the highest card is the king, unless there are so many that an ace is needed.

    def card_name(self, card: int) -> str:
        top = 12 if self.cards == len(NAMES) else 11
        return NAMES[top - (self.cards - 1 - card)] if self.cards <= top + 1 else NAMES[card]

    def line(self, moves: int, bettor: int, bets: int) -> str:
        """The actions so far, as in `pb`."""
        return "".join(
            "b" if bettor != NOBODY and i >= bettor and (bets >> i % self.players) & 1 else "p" for i in range(moves)
        )

    def show(self, s: State) -> str:
        hands = " ".join(self.card_name(self.card(s, p)) if p < s.dealt else "?" for p in range(self.players))
        return f"{hands} {self.line(s.moves, s.bettor, s.bets)}".rstrip()

    def show_view(self, view: View, p: int) -> str:
        card = "?" if view.card < 0 else self.card_name(view.card)
        return f"{card} {self.line(view.moves, view.bettor, view.bets)}".rstrip()

    def told(self, s: State, a: int, p: int) -> str:
        if s.dealt < self.players:
            return f"you are dealt {self.card_name(a)}" if p == s.dealt else ""
        said = {"pass": "passes"}.get(self.show_action(s, a), f"{self.show_action(s, a)}s")
        return f"{self.player_name(s.moves % self.players)} {said}"

    def picture(self, s: State) -> str:
        cards = [self.card_name(self.card(s, p)) if p < s.dealt else "?" for p in range(self.players)]
        return self.draw(cards, s.moves, s.bettor, s.bets)

    def view_picture(self, view: View, p: int) -> str:
        cards = ["?"] * self.players
        if view.card >= 0:
            cards[p] = self.card_name(view.card)
        return self.draw(cards, view.moves, view.bettor, view.bets)

    def draw(self, cards: list[str], moves: int, bettor: int, bets: int) -> str:
        """The cards that are seen, and what was said."""
        said = []
        for i, mark in enumerate(self.line(moves, bettor, bets)):
            answers = NOBODY != bettor < i
            said.append({"b": "call", "p": "fold"}[mark] if answers else {"b": "bet", "p": "pass"}[mark])
        rows = [Row(self.player_name(p), [card]) for p, card in enumerate(cards)]
        return draw_table([*rows, Row("", words=", ".join(said))])

    def show_action(self, s: State, a: int) -> str:
        if s.dealt < self.players:
            return self.card_name(a)
        if s.bettor == NOBODY:
            return "bet" if a == BET else "pass"
        return "call" if a == BET else "fold"

    def read(self, text: str) -> State:
        s: Kuhn.State = super().read(text)
        if not any(s == other for other in self.positions()):
            raise PositionError(f"{text!r} is not a position of this game; the start is written (0,0,0,-1,0)")
        return s

    def positions(self) -> Iterator[State]:
        pending = [self.initial()]
        while pending:
            s = pending.pop()
            yield s
            pending += [self.result(s, a) for a in self.actions(s)]
