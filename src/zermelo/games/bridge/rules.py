"""The rules of bridge: the deal, the auction, the play in which the declarer plays the dummy's cards, and the score.

Players are north, east, south and west; partners sit opposite each other. The deal goes through the deck from the ace
of spades down, and an action of chance is the hand that gets the next card. A call is a number from 64 on
(`auction.py`), a card the number of its bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from zermelo.errors import ActionError, InputError, PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._bridge.cards import (
    HAND_NAMES,
    HANDS,
    SIDES,
    VULNERABLE,
    Board,
    card_name,
    cards_of,
    check_hands,
    hand_text,
    read_card,
    read_hand,
)
from zermelo.games._bridge.deals import find_board
from zermelo.games._bridge.score import LEVELS
from zermelo.games.bridge.auction import (
    PASS,
    Auction,
    Calls,
    Contract,
    call_name,
    fault_of,
    hear,
    legal_calls,
    read_call,
    read_contract,
)
from zermelo.games.bridge.tricks import Play, deck, fault_of_card, follow, playable
from zermelo.options import choice, flag, takes, whole

Four = tuple[int, int, int, int]


class Bridge(Game["Bridge.State", int]):
    """Bid for a contract with a partner whose cards you do not see, and play it."""

    shelf = "cards"
    players = 4
    bounds = (-7600.0, 7600.0)  # thirteen tricks down, redoubled and vulnerable
    unit = "points"
    record_format = "pbn"

    class State(NamedTuple):
        hands: Four  # the cards that each hand has left
        dealt: int  # cards that have been dealt
        calls: Calls
        cards: tuple[int, ...]  # in the order in which they were played

    class View(NamedTuple):
        hand: int
        dummy: int  # what the dummy has left; 0 as long as it is hidden
        dealt: int
        calls: Calls
        cards: tuple[int, ...]

    @takes(
        dealer=choice(*HANDS),
        vulnerable=choice(*VULNERABLE),
        ranks=whole(1, 13),
        board=whole(1),
        explain=flag(),
    )
    def __init__(
        self,
        deal: str = "",
        contract: str = "",
        dealer: str = "N",
        vulnerable: str = "none",
        ranks: int = 13,
        board: int = 1,
        explain: bool = False,
    ):
        self.deal = find_board(deal, board, ranks, 0, HANDS.index(dealer), vulnerable) if deal else None
        self.dealer = self.deal.dealer if self.deal else HANDS.index(dealer)
        self.vulnerable = self.deal.vulnerable if self.deal else vulnerable
        self.tricks = self.deal.tricks if self.deal else ranks
        held = sum(self.deal.hands) if self.deal else sum(1 << card for card in deck(ranks))
        self.deck = cards_of(held)
        self.levels = min(self.tricks, len(LEVELS))
        self.book = self.tricks - self.levels
        self.contract = read_contract(contract) if contract else None
        if self.contract and self.contract.level > self.levels:
            raise InputError(f"contract: with {self.tricks} tricks the highest level is {self.levels}")
        self.explains = explain

    # Rules.

    def initial(self) -> State:
        if self.deal:
            return self.State(self.deal.hands, 4 * self.tricks, (), ())
        return self.State((0, 0, 0, 0), 0, (), ())

    def is_dealing(self, s: State | View) -> bool:
        return s.dealt < 4 * self.tricks

    def auction(self, s: State | View) -> Auction:
        return hear(s.calls, self.dealer)

    def contract_of(self, s: State | View) -> Contract | None:
        """The contract; `None` as long as there is none, and if all have passed."""
        if self.contract:
            return self.contract
        auction = self.auction(s)
        return auction.contract if auction.is_over else None

    def is_bidding(self, s: State | View) -> bool:
        return not self.is_dealing(s) and self.contract is None and not self.auction(s).is_over

    def play(self, s: State | View) -> Play:
        """The tricks so far of a game that has a contract."""
        contract = self.contract_of(s)
        assert contract is not None
        return follow(s.cards, (contract.declarer + 1) % 4, contract.trumps)

    def turn(self, s: State | View) -> int:
        """The hand that is to call or to play."""
        return self.auction(s).turn if self.is_bidding(s) else self.play(s).turn

    def team(self, p: int) -> int:
        return p % 2

    def player(self, s: State) -> int:
        if self.is_dealing(s):
            return CHANCE
        turn, contract = self.turn(s), self.contract_of(s)
        return contract.declarer if contract and turn == contract.dummy else turn

    def actions(self, s: State) -> Iterator[int]:
        if self.is_dealing(s):
            yield from (hand for hand in range(4) if s.hands[hand].bit_count() < self.tricks)
        elif self.is_bidding(s):
            yield from legal_calls(self.auction(s), self.levels)
        elif not self.is_terminal(s):
            play = self.play(s)
            yield from cards_of(playable(s.hands[play.turn], play.trick))

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if self.is_dealing(s):
            left = 4 * self.tricks - s.dealt
            for hand in self.actions(s):
                yield hand, (self.tricks - s.hands[hand].bit_count()) / left

    def result(self, s: State, a: int) -> State:
        if self.is_dealing(s):
            return s._replace(hands=changed(s.hands, a, self.deck[s.dealt]), dealt=s.dealt + 1)
        if a >= PASS:
            return s._replace(calls=(*s.calls, a))
        return s._replace(hands=changed(s.hands, self.play(s).turn, a), cards=(*s.cards, a))

    def is_terminal(self, s: State) -> bool:
        if self.is_dealing(s) or self.is_bidding(s):
            return False
        return self.contract_of(s) is None or len(s.cards) == 4 * self.tricks

    def utility(self, s: State, p: int) -> float:
        contract = self.contract_of(s)
        if contract is None:
            return 0.0
        points = self.points(contract, self.play(s).taken[contract.declarer % 2])
        return float(points if p % 2 == contract.declarer % 2 else -points)

    def points(self, contract: Contract, tricks: int) -> int:
        """What the declarer's side scores with so many tricks."""
        return contract.points(tricks, self.vulnerable in (SIDES[contract.declarer % 2], "both"), self.book)

    # What a player knows.

    def view(self, s: State, p: int) -> View:
        contract = self.contract_of(s) if s.cards else None
        dummy = s.hands[contract.dummy] if contract else 0
        return self.View(s.hands[p], dummy, s.dealt, s.calls, s.cards)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other hands as likely as the calls make them, and without suits that were not followed."""
        from zermelo.games.bridge.sampling import draw_worlds

        hands = list(draw_worlds(self, view, p, 1, random)[0])
        return self.State((hands[0], hands[1], hands[2], hands[3]), view.dealt, view.calls, view.cards)

    def dealt_hands(self, s: State) -> Four:
        """The hands as they were dealt."""
        if not s.cards:
            return s.hands
        north, east, south, west = (left | gone for left, gone in zip(s.hands, self.play(s).played, strict=True))
        return north, east, south, west

    def board_of(self, s: State, name: str = "") -> Board:
        return Board(self.dealt_hands(s), self.dealer, self.vulnerable, name)

    # Text and picture.

    def player_name(self, p: int) -> str:
        return HAND_NAMES[p]

    def show_action(self, s: State, a: int) -> str:
        if self.is_dealing(s):
            return HANDS[a]
        return call_name(a) if a >= PASS else card_name(a)

    def read_action(self, s: State, text: str) -> int:
        """A call or a card as people write it: `1n`, `pass`, `♠A`, `H10`."""
        if not self.is_dealing(s) and not self.is_terminal(s):
            try:
                found = read_call(text) if self.is_bidding(s) else read_card(text)
            except InputError:
                return super().read_action(s, text)
            fault = self.fault(s, found)
            if fault:
                raise ActionError(f"{text!r} is not a legal action here: {fault}")
            return found
        return super().read_action(s, text)

    def fault(self, s: State, a: int) -> str | None:
        """Why a call or a card is illegal; `None` if it is legal."""
        if self.is_bidding(s):
            if a < PASS:
                return f"{card_name(a)} is played while the auction goes on"
            legal = a in legal_calls(self.auction(s), self.levels)
            return None if legal else fault_of(self.auction(s), a) or f"the highest level is {self.levels}"
        if self.is_terminal(s):
            return f"{call_name(a) if a >= PASS else card_name(a)} comes after the end"
        if a >= PASS:
            return f"{call_name(a)} comes after the end of the auction"
        play = self.play(s)
        return fault_of_card(s.hands[play.turn], play.turn, play.trick, a)

    def show(self, s: State) -> str:
        from zermelo.games.bridge.show import show_table

        return show_table(self, s, self.dealt_hands(s) if self.is_terminal(s) else s.hands)

    def show_view(self, view: View, p: int) -> str:
        from zermelo.games.bridge.show import show_table

        return show_table(self, view, self.seen_hands(view, p))

    def picture(self, s: State) -> str:
        from zermelo.games.bridge.show import draw_table

        return draw_table(self, s, self.dealt_hands(s) if self.is_terminal(s) else s.hands)

    def view_picture(self, view: View, p: int) -> str:
        from zermelo.games.bridge.show import draw_table

        return draw_table(self, view, self.seen_hands(view, p))

    def write_record(
        self, start: State, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        """A board in PBN."""
        from zermelo.games.bridge.pbn import write_played
        from zermelo.games.bridge.record import played_board

        return write_played([played_board(self, start, actions, players)])

    def read_record(self, text: str) -> tuple[State, list[int]] | None:
        """The first board of a file in PBN."""
        from zermelo.games.bridge.record import read_game

        return read_game(self, text)

    def seen_hands(self, view: View, p: int) -> list[int | None]:
        """The hands that player `p` sees, `None` for the others."""
        hands: list[int | None] = [None] * 4
        contract = self.contract_of(view) if view.cards else None
        if contract:
            hands[contract.dummy] = view.dummy
        hands[p] = view.hand
        return hands

    def write(self, s: State) -> str:
        hands = " ".join(map(hand_text, self.dealt_hands(s)))
        calls = "-".join(map(call_name, s.calls)) or "."
        return f"N:{hands} {calls} {''.join(map(card_name, s.cards)) or '.'}"

    def read(self, text: str) -> State:
        found = re.fullmatch(r"\s*N:(\S+ \S+ \S+ \S+) (\S+) ((?:\w\w)+|\.)\s*", text)
        if found is None:
            raise PositionError(
                f"{text!r:.120} is not a position: write the hands as they were dealt, the calls and the cards, "
                "as in 'N:AK4.QT9.J87.6532 … 1NT-P-3NT-P-P-P SAS2', and a point for none"
            )
        calls = [] if found[2] == "." else found[2].split("-")
        cards = [] if found[3] == "." else re.findall("..", found[3])
        try:
            return self.replay([read_hand(part) for part in found[1].split()], calls, cards)
        except InputError as error:
            raise PositionError(f"{text!r:.120} is not a position: {error}") from None

    def replay(self, hands: Sequence[int], calls: Sequence[str], cards: Sequence[str]) -> State:
        """The state after these calls and cards as text; `InputError` names the first that is illegal."""
        north, east, south, west = hands
        s = self.State((north, east, south, west), sum(hand.bit_count() for hand in hands), (), ())
        if self.is_dealing(s):
            held = sorted(self.deck.index(card) for hand in hands for card in cards_of(hand) if card in self.deck)
            if held != list(range(s.dealt)) or max(hand.bit_count() for hand in hands) > self.tricks:
                raise InputError(f"the cards are dealt in order, from {card_name(self.deck[0])} down")
            if calls or cards:
                raise InputError("nobody calls or plays before all cards are dealt")
            return s
        check_hands(hands)
        if north.bit_count() != self.tricks:
            raise InputError(f"each hand has {self.tricks} cards here, not {north.bit_count()}")
        for number, text in enumerate(calls, 1):
            s = self.checked(s, read_call(text), f"call {number}")
        for number, text in enumerate(cards, 1):
            s = self.checked(s, read_card(text), f"card {number}")
        return s

    def checked(self, s: State, a: int, where: str) -> State:
        """The state after `a`, which need not be legal: then `InputError`."""
        fault = self.fault(s, a)
        if fault:
            raise InputError(f"{where}: {fault}")
        return self.result(s, a)


def changed(hands: Four, hand: int, card: int) -> Four:
    """The hands with one card more or less in one of them."""
    north, east, south, west = (each ^ 1 << card if i == hand else each for i, each in enumerate(hands))
    return north, east, south, west
