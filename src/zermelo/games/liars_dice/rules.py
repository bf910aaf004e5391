"""The rules of liar's dice.

Each player rolls some dice under a cup. In turn players bid how many dice of a face there are under all cups, each
time more than before, or call the last bidder a liar. Then all dice are shown: if there are at least as many as bid,
the challenger loses, else the bidder. Dice of the highest face are wild, and count as any face.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._table import Row, draw_table
from zermelo.options import takes, whole

BITS = 4
"""Of the number of dice of one face, in the number that holds a cup."""
NO_BID = -1


class LiarsDice(Game["LiarsDice.State", int]):
    """Bid on the dice under all cups, of which you see only your own, or call your opponent a liar."""

    title = "Liar's dice"
    shelf = "dice"

    class State(NamedTuple):
        first: int  # how many dice of each face player 0 has, four bits a face
        second: int
        rolled: int  # how many dice are rolled
        bid: int  # (how many − 1) × sides + face − 1, or −1
        bids: int  # every bid that was made, one bit each
        turn: int
        called: bool  # whether the last bid was called a lie

    class View(NamedTuple):
        mine: int
        bids: int
        turn: int
        called: bool

    @takes(dice=whole(1, 5, about="dice of each player"), sides=whole(2, 6, about="sides of a die"))
    def __init__(self, dice: int = 1, sides: int = 6):
        self.dice = dice
        self.sides = sides
        self.highest = 2 * dice * sides - 1

    def initial(self) -> State:
        return self.State(0, 0, 0, NO_BID, 0, 0, False)

    def player(self, s: State) -> int:
        return CHANCE if s.rolled < 2 * self.dice else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.rolled < 2 * self.dice:
            for face in range(self.sides):
                yield face
        elif not s.called:
            for bid in range(s.bid + 1, self.highest + 1):
                yield bid
            if s.bid != NO_BID:
                yield self.highest + 1

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if s.rolled < 2 * self.dice:
            for face in range(self.sides):
                yield face, 1.0 / self.sides

    def result(self, s: State, a: int) -> State:
        if s.rolled < self.dice:
            return self.State(s.first + (1 << BITS * a), 0, s.rolled + 1, NO_BID, 0, 0, False)
        if s.rolled < 2 * self.dice:
            return self.State(s.first, s.second + (1 << BITS * a), s.rolled + 1, NO_BID, 0, 0, False)
        if a > self.highest:
            return self.State(s.first, s.second, s.rolled, s.bid, s.bids, 1 - s.turn, True)
        return self.State(s.first, s.second, s.rolled, a, s.bids | (1 << a), 1 - s.turn, False)

    def is_terminal(self, s: State) -> bool:
        return s.called

    def utility(self, s: State, p: int) -> float:
        face, wild = s.bid % self.sides, self.sides - 1
        both = s.first + s.second  # five dice a side at most, so no face runs over into the next
        shown = (both >> (BITS * face)) & 15
        if face != wild:
            shown += (both >> (BITS * wild)) & 15
        holds = shown > s.bid // self.sides
        # Whoever is to move after a challenge is the one who made the bid.
        return 1.0 if (p == s.turn) == holds else -1.0

    def view(self, s: State, p: int) -> View:
        return self.View(s.first if p == 0 else s.second, s.bids, s.turn, s.called)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other's dice may show anything."""
        theirs = sum(1 << (BITS * random.randrange(self.sides)) for _ in range(self.dice))
        first, second = (view.mine, theirs) if p == 0 else (theirs, view.mine)
        bid = view.bids.bit_length() - 1
        return self.State(first, second, 2 * self.dice, bid, view.bids, view.turn, view.called)

    # Text.

    def cup_name(self, cup: int) -> str:
        return "".join(str(face + 1) * ((cup >> (BITS * face)) & 15) for face in range(self.sides)) or "-"

    def bid_name(self, bid: int) -> str:
        return f"{bid // self.sides + 1}x{bid % self.sides + 1}"

    def bids_name(self, bids: int) -> str:
        return " ".join(self.bid_name(bid) for bid in range(self.highest + 1) if (bids >> bid) & 1)

    def show(self, s: State) -> str:
        called = " liar" if s.called else ""
        return f"{self.cup_name(s.first)} {self.cup_name(s.second)} {self.bids_name(s.bids)}".rstrip() + called

    def show_view(self, view: View, p: int) -> str:
        return f"{self.cup_name(view.mine)} {self.bids_name(view.bids)}".rstrip()

    def picture(self, s: State) -> str:
        return self.draw([s.first, s.second], s.bids, s.called)

    def view_picture(self, view: View, p: int) -> str:
        cups = [-1, -1]
        cups[p] = view.mine
        return self.draw(cups, view.bids, view.called)

    def draw(self, cups: list[int], bids: int, called: bool) -> str:
        """The dice that are seen, those under the other's cup, and the bids."""
        rows = []
        for p, cup in enumerate(cups):
            faces = [0] * self.dice if cup < 0 else [int(face) for face in self.cup_name(cup).strip("-")]
            rows.append(Row(self.player_name(p), dice=faces))
        said = self.bids_name(bids) + (" liar!" if called else "")
        return draw_table([*rows, Row("bids", words=said.strip() or "none")])

    def show_action(self, s: State, a: int) -> str:
        if s.rolled < 2 * self.dice:
            return str(a + 1)
        return "liar" if a > self.highest else self.bid_name(a)

    def told(self, s: State, a: int, p: int) -> str:
        if s.rolled < 2 * self.dice:
            return f"you roll {a + 1}" if p == s.rolled // self.dice else ""
        said = "calls the bid a lie" if a > self.highest else f"bids {self.bid_name(a)}"
        return f"{self.player_name(s.turn)} {said}"

    def read(self, text: str) -> State:
        s: LiarsDice.State = super().read(text)
        made = [bid for bid in range(self.highest + 1) if (s.bids >> bid) & 1]
        dice = [self.count(s.first), self.count(s.second)]
        dealt = dice[0] == min(s.rolled, self.dice) and dice[1] == max(0, s.rolled - self.dice)
        rolling = s.rolled < 2 * self.dice
        turn = (len(made) + s.called) % 2
        sound = 0 <= s.rolled <= 2 * self.dice and dealt and not (rolling and made) and 0 <= s.bids < 2 << self.highest
        if not sound or s.bid != (made or [NO_BID])[-1] or s.turn != turn or (s.called and not made):
            raise PositionError(f"{text!r} is not a position of this game; the start is {self.write(self.initial())}")
        return s

    def count(self, cup: int) -> int:
        """The dice in a cup; −1 if it holds what is none."""
        counts = [(cup >> (BITS * face)) & 15 for face in range(self.sides)]
        return sum(counts) if cup >= 0 and cup >> (BITS * self.sides) == 0 else -1
