"""The rules of Leduc poker, with any number of ranks and suits.

Both ante 1 and get a private card. There are two rounds of betting, with a public card dealt between them; player 0
begins each. A raise is 2 in the first round and 4 in the second, and there are at most two in a round. At the end a
card that pairs the public one wins, then the higher rank; equal ranks share the pot.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from zermelo.errors import OptionError, PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._betting import END, digits
from zermelo.games._table import Row, draw_table
from zermelo.options import takes, whole

FOLD, CALL, RAISE = 0, 1, 2
HIDDEN = -1
RANKS = "23456789TJQKA"
SUITS = "♠♥♦♣"
MARKS = "/cr"
"""A line is written in base 3: the end of a round, a call (or check), a raise; 1 stands before all."""


class Leduc(Game["Leduc.State", int]):
    """A private card each, one on the table, two rounds of betting: poker small enough to be solved."""

    title = "Leduc hold'em"
    shelf = "cards"

    unit = "chips"

    class State(NamedTuple):
        first: int  # the card of player 0, or −1
        second: int
        public: int
        line: int  # the bets so far
        turn: int
        chips: int  # what player 0 has paid
        others: int  # what player 1 has paid
        raises: int  # in this round
        calls: int  # in this round
        folded: int  # who gave up, or −1

    class View(NamedTuple):
        card: int
        public: int
        line: int
        turn: int
        folded: int

    @takes(
        ranks=whole(2, len(RANKS), about="ranks of the deck"),
        suits=whole(1, len(SUITS), about="cards of each rank"),
    )
    def __init__(self, ranks: int = 3, suits: int = 2):
        if ranks * suits < 3:
            raise OptionError(f"Leduc needs three cards at least, not {ranks} ranks of {suits} suits")
        self.ranks = ranks
        self.suits = suits
        self.cards = ranks * suits
        self.bounds = (-13.0, 13.0)

    def initial(self) -> State:
        return self.State(HIDDEN, HIDDEN, HIDDEN, 1, 0, 1, 1, 0, 0, HIDDEN)

    def is_dealing(self, s: State) -> bool:
        return s.second == HIDDEN or (s.public == HIDDEN and s.line % 3 == 0)

    def player(self, s: State) -> int:
        return CHANCE if self.is_dealing(s) else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if self.is_terminal(s):
            return
        if self.is_dealing(s):
            for card in range(self.cards):
                if card != s.first and card != s.second:
                    yield card
        else:
            if s.chips != s.others:
                yield FOLD
            yield CALL
            if s.raises < 2:
                yield RAISE

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if not self.is_terminal(s) and self.is_dealing(s):
            left = self.cards - (s.first != HIDDEN) - (s.second != HIDDEN)
            for card in range(self.cards):
                if card != s.first and card != s.second:
                    yield card, 1.0 / left

    def result(self, s: State, a: int) -> State:
        if s.first == HIDDEN:
            return self.State(a, HIDDEN, HIDDEN, 1, 0, 1, 1, 0, 0, HIDDEN)
        if s.second == HIDDEN:
            return self.State(s.first, a, HIDDEN, 1, 0, 1, 1, 0, 0, HIDDEN)
        if self.is_dealing(s):
            return self.State(s.first, s.second, a, s.line, 0, s.chips, s.others, 0, 0, HIDDEN)
        if a == FOLD:
            return self.State(s.first, s.second, s.public, s.line, s.turn, s.chips, s.others, s.raises, s.calls, s.turn)
        most = max(s.chips, s.others)
        line = 3 * s.line + a
        if a == RAISE:
            most += 2 if s.public == HIDDEN else 4
            raises, calls = s.raises + 1, s.calls
        else:
            raises, calls = s.raises, s.calls + 1
        chips = most if s.turn == 0 else s.chips
        others = most if s.turn == 1 else s.others
        if a == CALL and (s.chips != s.others or s.calls == 1):  # the round is over
            line *= 3
        return self.State(s.first, s.second, s.public, line, 1 - s.turn, chips, others, raises, calls, HIDDEN)

    def is_terminal(self, s: State) -> bool:
        return s.folded != HIDDEN or (s.public != HIDDEN and s.line % 3 == 0 and s.calls > 0)

    def strength(self, card: int, public: int) -> int:
        rank = card // self.suits
        return self.ranks + rank if rank == public // self.suits else rank

    def utility(self, s: State, p: int) -> float:
        if s.folded != HIDDEN:
            loser = s.folded
        else:
            mine, theirs = self.strength(s.first, s.public), self.strength(s.second, s.public)
            if mine == theirs:
                return 0.0
            loser = 0 if mine < theirs else 1
        paid = float(s.chips if loser == 0 else s.others)
        return -paid if p == loser else paid

    def view(self, s: State, p: int) -> View:
        return self.View(s.first if p == 0 else s.second, s.public, s.line, s.turn, s.folded)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other holds any of the cards that are left, and has bet as it did."""
        other = random.choice([card for card in range(self.cards) if card not in (view.card, view.public)])
        s = self.initial()
        for card in (view.card, other) if p == 0 else (other, view.card):
            s = self.result(s, card)
        for a in digits(view.line, 3):
            if a != END:
                s = self.result(s, a)
            elif view.public != HIDDEN:
                s = self.result(s, view.public)
        return s

    # Text.

    def card_name(self, card: int) -> str:
        if card == HIDDEN:
            return "?"
        top = 13 if self.ranks > 12 else 12  # the king is the highest, unless there is an ace
        return RANKS[top - self.ranks + card // self.suits] + SUITS[card % self.suits]

    def line_name(self, line: int) -> str:
        """The bets of both rounds, as in `crc/r`."""
        return "".join(MARKS[choice] for choice in digits(line, 3))

    def show(self, s: State) -> str:
        hands = f"{self.card_name(s.first)} {self.card_name(s.second)}, public {self.card_name(s.public)}"
        folded = "" if s.folded == HIDDEN else f", player {s.folded} folds"
        return f"{hands} {self.line_name(s.line)}".rstrip() + folded

    def show_view(self, view: View, p: int) -> str:
        public = "" if view.public == HIDDEN else self.card_name(view.public)
        return f"{self.card_name(view.card)}{public} {self.line_name(view.line)}".rstrip()

    def picture(self, s: State) -> str:
        return self.draw([s.first, s.second], s.public, s.line)

    def view_picture(self, view: View, p: int) -> str:
        cards = [HIDDEN, HIDDEN]
        cards[p] = view.card
        return self.draw(cards, view.public, view.line)

    def draw(self, cards: list[int], public: int, line: int) -> str:
        """The cards that are seen, and the bets of both rounds."""
        rows = [Row(self.player_name(p), [self.card_name(card)]) for p, card in enumerate(cards)]
        rows.append(Row("public", [self.card_name(public)]))
        for number, marks in enumerate(self.line_name(line).split("/"), 1):
            bets = [marks[:i].count("r") > 0 for i in range(len(marks))]
            names = {("c", False): "check", ("c", True): "call", ("r", False): "bet", ("r", True): "raise"}
            said = [names[mark, bet] for mark, bet in zip(marks, bets, strict=True)]
            rows.append(Row(f"round {number}", words=", ".join(said)))
        return draw_table(rows)

    def show_action(self, s: State, a: int) -> str:
        if self.is_dealing(s):
            return self.card_name(a)
        return ("fold", "check" if s.chips == s.others else "call", "bet" if s.raises == 0 else "raise")[a]

    def told(self, s: State, a: int, p: int) -> str:
        if not self.is_dealing(s):
            return f"{self.player_name(s.turn)} {self.show_action(s, a)}s"
        if s.second != HIDDEN:
            return f"the public card is {self.card_name(a)}"
        return f"you are dealt {self.card_name(a)}" if p == (0 if s.first == HIDDEN else 1) else ""

    def show_seat(self, view: View, p: int) -> str:
        """The pot, the cards that are seen, and the bets of both rounds."""
        rounds, bets = self.line_name(view.line).split("/"), [0, 0]
        for number, marks in enumerate(rounds[:2]):
            turn, size = 0, 2 if number == 0 else 4
            for mark in marks:
                raised = size if mark == "r" else 0
                bets[turn] = max(bets) + raised
                turn = 1 - turn
        public = "none yet" if view.public == HIDDEN else self.card_name(view.public)
        return f"pot {2 + sum(bets)}, public card {public}\n{self.show_view(view, p)}"

    def read(self, text: str) -> State:
        s: Leduc.State = super().read(text)
        if not self.is_position(s):
            raise PositionError(f'{text!r} is not a position of this game; play there by --moves, as in "Q♠ K♥ bet"')
        return s

    def is_position(self, wanted: State) -> bool:
        """Whether the bets and cards of `wanted` lead to it."""
        s = self.initial()
        cards = [card for card in (wanted.first, wanted.second, wanted.public) if card != HIDDEN]
        marks = [MARKS.index(mark) for mark in self.line_name(wanted.line) if mark != "/"] if wanted.line > 0 else []
        while s != wanted:
            legal = list(self.actions(s))
            dealing = not self.is_terminal(s) and self.is_dealing(s)
            left = cards if dealing else marks
            fallen = [FOLD] if wanted.folded != HIDDEN and not left and not dealing else []
            a = (left or fallen or [HIDDEN]).pop(0)
            if a not in legal:
                return False
            s = self.result(s, a)
        return True
