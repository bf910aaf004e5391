"""The rules of double-dummy bridge: the play of one deal in one strain, all hands open.

Player 0 plays the hands of north and south, player 1 those of east and west. The utility of a side is its tricks, so
that the two add up to all of them. An action is the number of a card's bit, 16 · suit + rank.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from zermelo.errors import InputError, PositionError
from zermelo.game import U64, Game
from zermelo.game.contract import Overview, Proof
from zermelo.games._bridge.cards import (
    HAND_NAMES,
    HANDS,
    STRAINS,
    SUIT_BITS,
    SUIT_MASK,
    VULNERABLE,
    beats,
    card_name,
    hand_text,
    read_card,
)
from zermelo.games._bridge.deals import find_board
from zermelo.games._bridge.show import draw_position, show_position
from zermelo.options import choice, takes, whole

NONE = -1


class DoubleDummy(Game["DoubleDummy.State", int]):
    """Play a bridge deal with all four hands face up: each side takes as many tricks as it can."""

    title = "Double-dummy bridge"
    shelf = "cards"

    class State(NamedTuple):
        north: U64  # the cards that each hand has left
        east: U64
        south: U64
        west: U64
        leader: int  # of the trick under way
        first: int  # the cards on the table, −1 where there is none
        second: int
        third: int
        taken: int  # tricks of north and south

    @takes(
        strain=choice(*STRAINS),
        leader=choice(*HANDS),
        dealer=choice(*HANDS),
        vulnerable=choice(*VULNERABLE),
        ranks=whole(1, 13),
        seed=whole(0),
        board=whole(1),
    )
    def __init__(
        self,
        deal: str = "",
        strain: str = "NT",
        leader: str = "W",
        ranks: int = 13,
        seed: int = 1,
        dealer: str = "N",
        vulnerable: str = "none",
        board: int = 1,
    ):
        self.deal = find_board(deal, board, ranks, seed, HANDS.index(dealer), vulnerable)
        self.north, self.east, self.south, self.west = self.deal.hands
        self.strain = STRAINS.index(strain)
        self.leader = HANDS.index(leader)
        self.tricks = self.deal.tricks
        self.utility_sum = float(self.tricks)
        self.bounds = (0.0, float(self.tricks))

    unit = "tricks"
    scale = 2.0

    def initial(self) -> State:
        return self.State(
            U64(self.north), U64(self.east), U64(self.south), U64(self.west), self.leader, NONE, NONE, NONE, 0
        )

    def player(self, s: State) -> int:
        return self.turn(s) % 2

    def turn(self, s: State) -> int:
        """The hand that is to play."""
        return (s.leader + self.on_table(s)) % 4

    def on_table(self, s: State) -> int:
        return (s.first != NONE) + (s.second != NONE) + (s.third != NONE)

    def hand(self, s: State, hand: int) -> int:
        if hand == 0:
            return s.north
        if hand == 1:
            return s.east
        if hand == 2:
            return s.south
        return s.west

    def actions(self, s: State) -> Iterator[int]:
        own = self.hand(s, self.turn(s))
        if s.first != NONE:
            led = own & (SUIT_MASK << SUIT_BITS * (s.first // SUIT_BITS))
            if led != 0:
                own = led
        for suit in range(4):
            cards = (own >> SUIT_BITS * suit) & SUIT_MASK
            while cards != 0:
                rank = cards.bit_length() - 1
                yield SUIT_BITS * suit + rank
                cards &= ~(1 << rank)

    def result(self, s: State, a: int) -> State:
        turn = self.turn(s)
        rest = ~(1 << a)
        north = s.north & rest if turn == 0 else s.north
        east = s.east & rest if turn == 1 else s.east
        south = s.south & rest if turn == 2 else s.south
        west = s.west & rest if turn == 3 else s.west
        if s.first == NONE:
            return self.State(U64(north), U64(east), U64(south), U64(west), s.leader, a, NONE, NONE, s.taken)
        if s.second == NONE:
            return self.State(U64(north), U64(east), U64(south), U64(west), s.leader, s.first, a, NONE, s.taken)
        if s.third == NONE:
            return self.State(U64(north), U64(east), U64(south), U64(west), s.leader, s.first, s.second, a, s.taken)
        winner = (s.leader + self.winner(s.first, s.second, s.third, a)) % 4
        taken = s.taken + 1 - winner % 2
        return self.State(U64(north), U64(east), U64(south), U64(west), winner, NONE, NONE, NONE, taken)

    def winner(self, first: int, second: int, third: int, fourth: int) -> int:
        """The place in the trick of the card that wins it."""
        best, place = first, 0
        if beats(second, best, self.strain):
            best, place = second, 1
        if beats(third, best, self.strain):
            best, place = third, 2
        if beats(fourth, best, self.strain):
            place = 3
        return place

    def is_terminal(self, s: State) -> bool:
        return s.first == NONE and s.north == 0

    def utility(self, s: State, p: int) -> float:
        return float(s.taken if p == 0 else self.tricks - s.taken)

    # Beyond the rules: what makes a search wiser and faster.

    def evaluate(self, s: State, p: int) -> float:
        """Each side gets half of the tricks that are left."""
        left = max(s.north.bit_count(), s.east.bit_count(), s.south.bit_count(), s.west.bit_count())
        taken = s.taken if p == 0 else self.tricks - left - s.taken
        return (2 * taken + left) / 2

    def priority(self, s: State, a: int) -> float:
        """High leads first; then the lowest card that wins so far, and else the lowest."""
        if s.first == NONE:
            return float(a % SUIT_BITS)
        best = s.first
        if s.second != NONE and beats(s.second, best, self.strain):
            best = s.second
        if s.third != NONE and beats(s.third, best, self.strain):
            best = s.third
        return float((SUIT_BITS if beats(a, best, self.strain) else 0) - a % SUIT_BITS)

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    def prove(self, s: State, stop: Callable[[], bool] | None = None) -> Proof[int]:
        from zermelo.games._bridge.solver import solve_position

        found = solve_position(self.hands(s), self.strain, s.leader, self.table(s), stop)
        mine = self.player(s) == 0
        left = self.tricks - self.finished(s)
        values = {
            card: float(s.taken + tricks if mine else self.finished(s) - s.taken + left - tricks)
            for card, tricks in found.tricks.items()
        }
        return Proof(values, found.line, found.nodes)

    def overview(self, threads: int = 1, stop: Callable[[], bool] | None = None) -> Overview:
        """The results of all strains and declarers of the deal, and par."""
        from zermelo.games._bridge.solver import solve_table

        found = solve_table(self.deal, threads, stop)
        start = "\n".join(self.show(self.initial()).splitlines()[:-1])
        return Overview(found.data(), f"{start}\n{found.text()}")

    def hands(self, s: State) -> tuple[int, int, int, int]:
        return s.north, s.east, s.south, s.west

    def table(self, s: State) -> list[int]:
        """The cards of the trick under way, in their order."""
        return [card for card in (s.first, s.second, s.third) if card != NONE]

    def finished(self, s: State) -> int:
        """How many tricks are over."""
        return self.tricks - self.hand(s, s.leader).bit_count() - (s.first != NONE)

    # Text and picture.

    def player_name(self, p: int) -> str:
        return "north-south" if p == 0 else "east-west"

    def show_action(self, s: State, a: int) -> str:
        return card_name(a)

    def says(self, s: State) -> str:
        """The contract, the tricks so far, and who is to play."""
        played = self.finished(s)
        strain = "no trump" if STRAINS[self.strain] == "NT" else ("spades", "hearts", "diamonds", "clubs")[self.strain]
        turn = "" if self.is_terminal(s) else f", {HAND_NAMES[self.turn(s)]} to play"
        return f"{strain}, NS {s.taken}, EW {played - s.taken}{turn}"

    def show(self, s: State) -> str:
        return show_position(self.hands(s), s.leader, self.table(s), self.says(s))

    def picture(self, s: State) -> str:
        turn = NONE if self.is_terminal(s) else self.turn(s)
        return draw_position(self.hands(s), turn, s.leader, self.table(s), self.says(s))

    def write(self, s: State) -> str:
        hands = " ".join(map(hand_text, self.hands(s)))
        table = "".join(card_name(card) for card in self.table(s))
        return f"N:{hands} {HANDS[s.leader]} {s.taken} {table}".rstrip()

    def read(self, text: str) -> State:
        found = re.fullmatch(r"\s*N:(\S+ \S+ \S+ \S+) ([NESW]) (\d{1,2})(?: ((?:[SHDC][2-9TJQKA]){1,3}))?\s*", text)
        if found is None:
            raise PositionError(
                f"{text!r:.120} is not a position: write the hands, the leader, the tricks of north and south, and the "
                f"cards on the table, as in {self.write(self.initial())!r}"
            )
        leader, table = HANDS.index(found[2]), found[4] or ""
        cards = [read_card(table[i : i + 2]) for i in range(0, len(table), 2)]
        try:
            return self._setup(found[1], leader, int(found[3]), cards)
        except InputError as error:
            raise PositionError(f"{text!r:.120} is not a position: {error}") from None

    def _setup(self, written: str, leader: int, taken: int, cards: list[int]) -> State:
        from zermelo.games._bridge.cards import check_hands, read_hand

        hands = [read_hand(part) for part in written.split()]
        whole = list(hands)
        for i, card in enumerate(cards):
            owner = (leader + i) % 4
            if whole[owner] >> card & 1:
                raise InputError(f"{HAND_NAMES[owner]} has played {card_name(card)} and still holds it")
            whole[owner] |= 1 << card
        if any(whole):
            check_hands(whole)
        played = self.tricks - whole[0].bit_count()
        if not 0 <= taken <= played:
            raise InputError(f"north and south have {taken} tricks, and {played} were played")
        first, second, third = [*cards, NONE, NONE, NONE][:3]
        north, east, south, west = hands
        return self.State(U64(north), U64(east), U64(south), U64(west), leader, first, second, third, taken)
