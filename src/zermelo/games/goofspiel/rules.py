"""The rules of Goofspiel.

Both hold the cards 1 … n, and n prizes worth 1 … n are turned up one by one. For each, both choose a card at once;
the higher one takes the prize, equal ones nobody. Whoever has more points at the end wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._table import Row, draw_table
from zermelo.options import choice, flag, takes, whole

NONE = 0
ORDERS = ("random", "descending", "ascending")


class Goofspiel(Game["Goofspiel.State", int]):
    """Both bid a card for each prize at the same time; the higher card wins it, and every card is used once."""

    shelf = "cards"

    class State(NamedTuple):
        first: int  # the cards of player 0 that are left, one bit each
        second: int
        prizes: int  # those not turned up yet
        prize: int  # what is bid for, or 0
        bid: int  # the card of player 0 in this round, or 0
        lead: int  # points of player 0 less those of player 1
        last: int  # who took the last prize: 1 for player 0, −1 for player 1, 0 for nobody

    class View(NamedTuple):
        mine: int
        theirs: int  # −1 if bids stay hidden
        prizes: int
        prize: int
        lead: int
        last: int
        turn: int

    @takes(
        cards=whole(1, 13, about="cards of each player"),
        order=choice(*ORDERS, about="the order in which the prizes come"),
        points=flag(about="whether the difference in points counts, and not only who wins"),
        hidden=flag(about="whether bids stay face down"),
    )
    def __init__(self, cards: int = 4, order: str = "random", points: bool = False, hidden: bool = False):
        self.cards = cards
        self.random = order == "random"
        self.descending = order == "descending"
        self.points = points
        self.hidden = hidden
        self.simultaneous = True
        most = float(cards * (cards + 1) // 2) if points else 1.0
        self.bounds = (-most, most)
        if points:
            self.unit = "points"

    def initial(self) -> State:
        hand = (2 << self.cards) - 2
        return self.turn_up(hand, hand, hand, 0, 0)

    def turn_up(self, first: int, second: int, prizes: int, lead: int, last: int) -> State:
        """The next round; chance decides about its prize if the order is random and there is more than one left."""
        prize = NONE
        if prizes != 0:
            left = 0
            for card in range(1, self.cards + 1):
                if (prizes >> card) & 1:
                    left += 1
                    if prize == NONE or self.descending:
                        prize = card
            if self.random and left > 1:
                prize = NONE
        return self.State(first, second, prizes & ~(1 << prize), prize, NONE, lead, last)

    def player(self, s: State) -> int:
        if s.prize == NONE:
            return CHANCE
        return 0 if s.bid == NONE else 1

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            choice = s.prizes if s.prize == NONE else s.first if s.bid == NONE else s.second
            for card in range(1, self.cards + 1):
                if (choice >> card) & 1:
                    yield card

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        count = 0
        for _card in self.actions(s):
            count += 1
        for card in self.actions(s):
            yield card, 1.0 / count

    def result(self, s: State, a: int) -> State:
        if s.prize == NONE:
            return self.State(s.first, s.second, s.prizes & ~(1 << a), a, NONE, s.lead, s.last)
        if s.bid == NONE:
            return self.State(s.first, s.second, s.prizes, s.prize, a, s.lead, s.last)
        last = 1 if s.bid > a else -1 if s.bid < a else 0
        return self.turn_up(s.first & ~(1 << s.bid), s.second & ~(1 << a), s.prizes, s.lead + last * s.prize, last)

    def is_terminal(self, s: State) -> bool:
        return s.second == 0

    def utility(self, s: State, p: int) -> float:
        lead = s.lead if p == 0 else -s.lead
        if self.points:
            return float(lead)
        return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0

    def view(self, s: State, p: int) -> View:
        mine, theirs = (s.first, s.second) if p == 0 else (s.second, s.first)
        turn = CHANCE if s.prize == NONE else 0 if s.bid == NONE else 1
        return self.View(mine, -1 if self.hidden else theirs, s.prizes, s.prize, s.lead, s.last, turn)

    def sample(self, view: View, p: int, random: Random) -> State:
        """Of a hand that stays hidden only the size is known, and of the first's bid only that it is in its hand."""
        theirs = view.theirs
        if self.hidden:
            theirs = sum(1 << card for card in random.sample(range(1, self.cards + 1), view.mine.bit_count()))
        first, second = (view.mine, theirs) if p == 0 else (theirs, view.mine)
        bid = random.choice([card for card in range(1, self.cards + 1) if (first >> card) & 1]) if p == 1 else NONE
        return self.State(first, second, view.prizes, view.prize, bid, view.lead, view.last)

    # Text.

    def hand_name(self, hand: int) -> str:
        return "".join("A23456789TJQK"[card - 1] for card in range(1, self.cards + 1) if (hand >> card) & 1) or "-"

    def show(self, s: State) -> str:
        prize = "?" if s.prize == NONE else str(s.prize)
        bid = f", player 0 bids {s.bid}" if s.bid else ""
        return f"{self.hand_name(s.first)} against {self.hand_name(s.second)} for {prize}, lead {s.lead}{bid}"

    def show_view(self, view: View, p: int) -> str:
        theirs = "?" if view.theirs < 0 else self.hand_name(view.theirs)
        lead = view.lead if p == 0 else -view.lead
        return f"{self.hand_name(view.mine)} against {theirs} for {view.prize or '?'}, lead {lead}"

    def picture(self, s: State) -> str:
        rows = [self.row(self.player_name(p), hand) for p, hand in enumerate((s.first, s.second))]
        return draw_table([*rows, *self.middle(s.prize, s.prizes, s.lead)])

    def view_picture(self, view: View, p: int) -> str:
        mine = self.row(self.player_name(p), view.mine, is_mine=True)
        hidden = Row(self.player_name(1 - p), ["?"] * view.mine.bit_count())
        theirs = hidden if view.theirs < 0 else self.row(self.player_name(1 - p), view.theirs)
        rows = [mine, theirs] if p == 0 else [theirs, mine]
        return draw_table([*rows, *self.middle(view.prize, view.prizes, view.lead)])

    def row(self, label: str, hand: int, is_mine: bool = False) -> Row:
        """A hand with its cards face up; one's own can be clicked."""
        cards = [card for card in range(1, self.cards + 1) if (hand >> card) & 1]
        faces = ["A23456789TJQK"[card - 1] for card in cards]
        return Row(label, faces, places=[str(card) for card in cards] if is_mine else ())

    def middle(self, prize: int, prizes: int, lead: int) -> list[Row]:
        """The prize that is bid for, those to come, and who is ahead."""
        faces = ["?"] if prize == NONE else [self.hand_name(1 << prize)]
        to_come = " ".join(self.hand_name(prizes)) if prizes else "none"
        return [Row("prize", faces), Row("", words=f"prizes to come: {to_come}; {self.say_lead(lead)}")]

    def say_lead(self, lead: int) -> str:
        if not lead:
            return "nobody leads"
        return f"{self.player_name(0 if lead > 0 else 1)} leads by {abs(lead)}"

    def show_action(self, s: State, a: int) -> str:
        return str(a)

    def read(self, text: str) -> State:
        s: Goofspiel.State = super().read(text)
        whole = (2 << self.cards) - 2
        masks = all(0 <= mask <= whole and not mask & 1 for mask in (s.first, s.second, s.prizes))
        cards = 0 <= s.prize <= self.cards and 0 <= s.bid <= self.cards and s.last in (-1, 0, 1)
        if not masks or not cards or not self.is_sound(s):
            raise PositionError(f"{text!r} is not a position of this game; the start is {self.write(self.initial())}")
        return s

    def is_sound(self, s: State) -> bool:
        """Whether hands and prizes are as many, a bid is a card that is held, and the lead is one of points gone."""
        left = s.prizes.bit_count() + (s.prize != NONE)
        held = s.bid == NONE or (s.prize != NONE and (s.first >> s.bid) & 1 == 1)
        gone = (
            self.cards * (self.cards + 1) // 2 - s.prize - sum(c for c in range(self.cards + 1) if (s.prizes >> c) & 1)
        )
        up = s.prize == NONE or not (s.prizes >> s.prize) & 1
        return s.first.bit_count() == s.second.bit_count() == left and held and up and abs(s.lead) <= gone
