"""The rules of bridge: the deal, the auction, the play in which the declarer plays the dummy's cards, and the score.

Players are north, east, south and west; partners sit opposite each other. The deal goes through the deck from the ace
of spades down, and an action of chance is the hand that gets the next card. A call is a number from 64 on
(`auction.py`), a claim one beyond the calls (`claims.py`), a card the number of its bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from zermelo.errors import ActionError, InputError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import Proof
from zermelo.games._bridge.cards import (
    HAND_NAMES,
    HANDS,
    SIDES,
    VULNERABLE,
    Board,
    card_name,
    cards_of,
    read_card,
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
from zermelo.games.bridge.claims import (
    AGREE,
    ANSWERS,
    CLAIM,
    Claim,
    Claims,
    asked_about,
    is_sure,
    may_claim,
    read_claim,
    say_claim,
)
from zermelo.games.bridge.position import action_name, read_position, write_position
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
        claims: Claims = ()

    class View(NamedTuple):
        hand: int
        dummy: int  # what the dummy has left; 0 as long as it is hidden
        dealt: int
        calls: Calls
        cards: tuple[int, ...]
        claims: Claims = ()
        shown: Four = (0, 0, 0, 0)  # what the hands have left whose players have claimed

    @takes(
        dealer=choice(*HANDS),
        vulnerable=choice(*VULNERABLE),
        ranks=whole(1, 13),
        board=whole(1),
        explain=flag(),
        claims=flag(),
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
        claims: bool = False,
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
        self.explains, self.claims = explain, claims

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

    def pending(self, s: State | View) -> Claim | None:
        """The claim that somebody has yet to answer."""
        return s.claims[-1] if s.claims and s.claims[-1].pending else None

    def left(self, s: State | View) -> int:
        """The tricks that are left, with the one under way."""
        return self.tricks - len(s.cards) // 4

    def taken(self, s: State | View) -> tuple[int, int]:
        """The tricks of each side, with those of a claim that stands."""
        north_south, east_west = self.play(s).taken
        if not s.claims or not s.claims[-1].stands:
            return north_south, east_west
        claim = s.claims[-1]
        own, rest = claim.tricks, self.left(s) - claim.tricks
        return (north_south + own, east_west + rest) if claim.hand % 2 == 0 else (north_south + rest, east_west + own)

    def team(self, p: int) -> int:
        return p % 2

    def player(self, s: State) -> int:
        if self.is_dealing(s):
            return CHANCE
        return self.acting(s)

    def acting(self, s: State | View) -> int:
        """Who is to call, to play or to answer a claim; the declarer plays the dummy's cards."""
        turn, contract = self.turn(s), self.contract_of(s)
        claim = self.pending(s)
        if claim and contract:
            return asked_about(contract, claim.hand)[len(claim.answers)]
        return contract.declarer if contract and turn == contract.dummy else turn

    def can_claim(self, s: State | View) -> bool:
        """Whether the player to move may claim."""
        if not self.claims or self.is_bidding(s) or self.is_terminal(s) or self.pending(s):
            return False
        return may_claim(s.claims, self.turn(s) % 2, len(s.cards))

    def actions(self, s: State) -> Iterator[int]:
        if self.is_dealing(s):
            yield from (hand for hand in range(4) if s.hands[hand].bit_count() < self.tricks)
        elif self.is_bidding(s):
            yield from legal_calls(self.auction(s), self.levels)
        elif self.pending(s):
            yield from ANSWERS
        elif not self.is_terminal(s):
            play = self.play(s)
            yield from cards_of(playable(s.hands[play.turn], play.trick))
            if self.can_claim(s):
                yield from range(CLAIM, CLAIM + self.left(s) + 1)

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if self.is_dealing(s):
            left = 4 * self.tricks - s.dealt
            for hand in self.actions(s):
                yield hand, (self.tricks - s.hands[hand].bit_count()) / left

    def result(self, s: State, a: int) -> State:
        if self.is_dealing(s):
            return s._replace(hands=changed(s.hands, a, self.deck[s.dealt]), dealt=s.dealt + 1)
        if a >= CLAIM:
            return s._replace(claims=(*s.claims, self.claim(s, a - CLAIM)))
        if a in ANSWERS:
            claim = s.claims[-1]
            return s._replace(claims=(*s.claims[:-1], claim._replace(answers=(*claim.answers, a))))
        if a >= PASS:
            return s._replace(calls=(*s.calls, a))
        return s._replace(hands=changed(s.hands, self.play(s).turn, a), cards=(*s.cards, a))

    def claim(self, s: State, tricks: int) -> Claim:
        """That of the player to move, who says to take so many more tricks."""
        play, contract, hand = self.play(s), self.contract_of(s), self.player(s)
        assert contract is not None
        sure = is_sure(s.hands, contract.trumps, play.leader, play.trick, tricks)
        return Claim(hand, tricks, len(s.cards), sure, len(asked_about(contract, hand)), ())

    def is_terminal(self, s: State | View) -> bool:
        if self.is_dealing(s) or self.is_bidding(s):
            return False
        claimed = bool(s.claims) and s.claims[-1].stands
        return claimed or self.contract_of(s) is None or len(s.cards) == 4 * self.tricks

    def utility(self, s: State, p: int) -> float:
        contract = self.contract_of(s)
        if contract is None:
            return 0.0
        points = self.points(contract, self.taken(s)[contract.declarer % 2])
        return float(points if p % 2 == contract.declarer % 2 else -points)

    def points(self, contract: Contract, tricks: int) -> int:
        """What the declarer's side scores with so many tricks."""
        return contract.points(tricks, self.vulnerable in (SIDES[contract.declarer % 2], "both"), self.book)

    # What a player knows.

    def view(self, s: State, p: int) -> View:
        contract = self.contract_of(s) if s.cards else None
        dummy = s.hands[contract.dummy] if contract else 0
        claimed = {claim.hand for claim in s.claims}
        north, east, south, west = (left if hand in claimed else 0 for hand, left in enumerate(s.hands))
        return self.View(s.hands[p], dummy, s.dealt, s.calls, s.cards, s.claims, (north, east, south, west))

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other hands as likely as the calls make them, and without suits that were not followed."""
        from zermelo.games.bridge.sampling import draw_worlds

        hands = list(draw_worlds(self, view, p, 1, random)[0])
        return self.State((hands[0], hands[1], hands[2], hands[3]), view.dealt, view.calls, view.cards, view.claims)

    def prove(self, s: State, stop: Callable[[], bool] | None = None) -> Proof[int]:
        from zermelo.games.bridge.proof import prove

        return prove(self, s, stop)

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
        return action_name(a)

    def say_worth(self, s: State, value: float) -> str:
        from zermelo.games.bridge.proof import say_worth

        return say_worth(self, s, value)

    def told(self, s: State, a: int, p: int) -> str:
        """Calls, cards and claims are open; the deal is not."""
        if self.is_dealing(s):
            return ""
        if self.is_bidding(s):
            return f"{HAND_NAMES[self.turn(s)]} calls {call_name(a)}"
        if a in ANSWERS:
            return f"{HAND_NAMES[self.player(s)]} {'agrees' if a == AGREE else 'refuses'}"
        return say_claim(self.claim(s, a - CLAIM)) if a >= CLAIM else f"{HAND_NAMES[self.turn(s)]} plays {card_name(a)}"

    def read_action(self, s: State, text: str) -> int:
        """A call or a card as people write it: `1n`, `pass`, `♠A`, `H10`."""
        if not self.is_dealing(s) and not self.is_terminal(s):
            try:
                claim = read_claim(text) if self.claims else None
                found = claim or (read_call(text) if self.is_bidding(s) else read_card(text))
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
            if not PASS <= a < AGREE:
                return f"{action_name(a)} comes while the auction goes on"
            legal = a in legal_calls(self.auction(s), self.levels)
            return None if legal else fault_of(self.auction(s), a) or f"the highest level is {self.levels}"
        if self.is_terminal(s):
            return f"{action_name(a)} comes after the end"
        if self.pending(s) or a >= AGREE:
            return None if a in set(self.actions(s)) else self.fault_of_claim(s, a)
        if a >= PASS:
            return f"{call_name(a)} comes after the end of the auction"
        play = self.play(s)
        return fault_of_card(s.hands[play.turn], play.turn, play.trick, a)

    def fault_of_claim(self, s: State, a: int) -> str:
        """Why a claim, or what is said to one, is illegal."""
        if self.pending(s):
            return f"{action_name(a)} does not answer the claim: agree or refuse"
        if a in ANSWERS:
            return "there is no claim to answer"
        if not self.claims:
            return "nobody claims here: take the option claims=yes"
        if a - CLAIM > self.left(s):
            return f"there are {self.left(s)} tricks left to claim, not {a - CLAIM}"
        return "a side claims once in a trick, and not before the dummy is seen"

    def show(self, s: State) -> str:
        from zermelo.games.bridge.show import show_table

        return show_table(self, s, self.dealt_hands(s) if self.is_terminal(s) else s.hands)

    def show_view(self, view: View, p: int) -> str:
        from zermelo.games.bridge.show import show_table

        return show_table(self, view, self.seen_hands(view, p))

    def picture(self, s: State) -> str:
        from zermelo.games._bridge.show import SOUTH
        from zermelo.games.bridge.picture import draw_table

        p = -1 if self.is_terminal(s) else self.player(s)
        return draw_table(self, s, self.dealt_hands(s) if self.is_terminal(s) else s.hands, p, SOUTH)

    def view_picture(self, view: View, p: int) -> str:
        from zermelo.games.bridge.picture import draw_table

        acts = not self.is_dealing(view) and not self.is_terminal(view) and p == self.acting(view)
        return draw_table(self, view, self.seen_hands(view, p), p if acts else -1, p)

    def write_record(
        self, start: State, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        """A board in PBN."""
        from zermelo.games.bridge.pbn import write_played
        from zermelo.games.bridge.record import played_board

        return write_played([played_board(self, start, actions, players)])

    def read_record(self, text: str) -> tuple[State, list[int]] | None:
        """The first board of a file in PBN or LIN."""
        from zermelo.games.bridge.record import read_game

        return read_game(self, text)

    def seen_hands(self, view: View, p: int) -> list[int | None]:
        """The hands that player `p` sees, `None` for the others."""
        claimed = {claim.hand for claim in view.claims}
        hands: list[int | None] = [left if hand in claimed else None for hand, left in enumerate(view.shown)]
        contract = self.contract_of(view) if view.cards else None
        if contract:
            hands[contract.dummy] = view.dummy
        hands[p] = view.hand
        return hands

    def write(self, s: State) -> str:
        return write_position(self, s)

    def read(self, text: str) -> State:
        return read_position(self, text)


def changed(hands: Four, hand: int, card: int) -> Four:
    """The hands with one card more or less in one of them."""
    north, east, south, west = (each ^ 1 << card if i == hand else each for i, each in enumerate(hands))
    return north, east, south, west
