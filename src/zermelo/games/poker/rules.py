"""The rules of heads-up no-limit hold'em: two hidden cards each, five common ones, four rounds of betting.

The button posts the small blind and acts first before the flop, last after it. A bet is the big blind at least, a raise
as much as the bet or raise before it; all-in is always possible. Nobody can lose more than the smaller stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.game import CHANCE, Game
from zermelo.games.holdem.cards import CARDS, card_name, evaluate, read_cards
from zermelo.games.poker import history, show

FOLD, CALL = 0, 1
"""What is no bet; a bet or raise is the number of chips that its player has then put in, 2 at least."""
BUTTON, BIG_BLIND = 0, 1
NOBODY = -1
DEALT = (4, 7, 8, 9)
"""Cards that are dealt before each round, hidden ones included."""
SHOWDOWN = 4
MOST_CHIPS = 10**9
MOST_SIZES = 8
MOST_RAISES = 20
MOST_FREE = 20_000
"""Chips of which any number can be bet."""


class Poker(Game["Poker.State", int]):
    """Heads-up no-limit hold'em, whole hands: bet, bluff and fold from the blinds to the showdown."""

    unit = "chips"
    record_format = "phh"

    class State(NamedTuple):
        cards: tuple[int, ...]  # two of the button, two of the big blind, the board
        line: tuple[int, ...]  # all choices so far
        turn: int
        paid: int  # what the button has put in
        others: int  # what the big blind has
        before: int  # what each had put in before this round
        round: int
        acted: int  # choices in this round
        raises: int  # bets and raises in this round
        least: int  # the least raise
        folded: int  # who gave up, or −1

    class View(NamedTuple):
        hand: tuple[int, ...]
        board: tuple[int, ...]
        shown: tuple[int, ...]  # the other's hand, at a showdown
        line: tuple[int, ...]
        folded: int

    def __init__(
        self,
        stacks: tuple[int, ...] = (200, 200),
        blinds: tuple[int, ...] = (1, 2),
        bets: tuple[float, ...] = (50, 100),
        raises: int = 4,
        free: bool = False,
    ):
        if len(stacks) == 1:
            stacks = (*stacks, *stacks)
        if len(stacks) != 2 or len(blinds) != 2:
            raise OptionError(f"two players have two stacks and two blinds, as in blinds=1/2, not {stacks}, {blinds}")
        if any(type(chips) is not int or not 1 <= chips <= MOST_CHIPS for chips in (*stacks, *blinds)):
            raise OptionError(f"stacks and blinds are whole chips, 1 to {MOST_CHIPS:,}, not {stacks} and {blinds}")
        if not blinds[0] < blinds[1] < min(stacks):
            raise OptionError(f"the small blind is below the big one, and that below both stacks: {blinds}, {stacks}")
        if len(bets) > MOST_SIZES or any(not isinstance(x, (int, float)) or not 0 < x <= 1e4 for x in bets):
            raise OptionError(f"bets are at most {MOST_SIZES} percentages of the pot, as in bets=50/100, not {bets}")
        if type(raises) is not int or not 0 <= raises <= MOST_RAISES:
            raise OptionError(f"raises must be 0 to {MOST_RAISES}, bets and raises of a round, not {raises}")
        if free and min(stacks) > MOST_FREE:
            raise OptionError(f"free is for stacks of at most {MOST_FREE:,} chips: say percentages, as in bets=50/100")
        self.free = bool(free)
        """Whether any whole number of chips may be bet."""
        self.stacks, self.blinds = (stacks[0], stacks[1]), (blinds[0], blinds[1])
        self.sizes = tuple(sorted({float(size) for size in bets}))
        self.most_raises = raises
        self.most = min(stacks)
        """That a player can put in: what the other could not call comes back."""
        self.bounds = (-float(self.most), float(self.most))
        self.big_blind = float(blinds[1])

    # Rules.

    def initial(self) -> State:
        small, big = self.blinds
        return self.State((), (), BUTTON, small, big, 0, 0, 0, 0, big, NOBODY)

    def is_dealing(self, s: State) -> bool:
        return s.round < SHOWDOWN and len(s.cards) < DEALT[s.round]

    def is_terminal(self, s: State) -> bool:
        return s.folded != NOBODY or s.round == SHOWDOWN

    def player(self, s: State) -> int:
        return CHANCE if self.is_dealing(s) else s.turn

    def is_all_in(self, s: State) -> bool:
        return s.paid == s.others == self.most

    def prices(self, s: State) -> list[int]:
        """What the player to move may have put in after a bet or raise, ascending; all-in is the last."""
        high = max(s.paid, s.others)
        if high >= self.most or s.raises >= self.most_raises:
            return []
        least = high + s.least
        if self.free:
            found = set(range(least, self.most))
        else:
            found = {max(high + int(size * 2 * high / 100 + 0.5), least) for size in self.sizes}
        return [*sorted(price for price in found if price < self.most), self.most]

    def actions(self, s: State) -> Iterator[int]:
        if self.is_terminal(s):
            return
        if self.is_dealing(s):
            yield from (card for card in range(CARDS) if card not in s.cards)
            return
        if s.paid != s.others:
            yield FOLD
        yield CALL
        yield from self.prices(s)

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if not self.is_terminal(s) and self.is_dealing(s):
            left = CARDS - len(s.cards)
            for card in self.actions(s):
                yield card, 1.0 / left

    def result(self, s: State, a: int) -> State:
        if self.is_dealing(s):
            after = s._replace(cards=(*s.cards, a))
            # With all chips in there is nothing left to bet.
            over = self.is_all_in(s) and not self.is_dealing(after) and s.round > 0
            return after._replace(round=s.round + 1) if over else after
        line = (*s.line, a)
        if a == FOLD:
            return s._replace(line=line, folded=s.turn)
        high = max(s.paid, s.others)
        price = high if a == CALL else a
        paid, others = (price, s.others) if s.turn == BUTTON else (s.paid, price)
        if a == CALL and s.acted > 0:
            return self.State(s.cards, line, BIG_BLIND, paid, others, paid, s.round + 1, 0, 0, self.blinds[1], NOBODY)
        raised = a != CALL
        return s._replace(
            line=line,
            turn=1 - s.turn,
            paid=paid,
            others=others,
            acted=s.acted + 1,
            raises=s.raises + raised,
            least=max(price - high, s.least) if raised else s.least,
        )

    def utility(self, s: State, p: int) -> float:
        if s.folded != NOBODY:
            loser = s.folded
        else:
            mine, theirs = (self.strength(s, q) for q in (BUTTON, BIG_BLIND))
            if mine == theirs:
                return 0.0
            loser = BUTTON if mine < theirs else BIG_BLIND
        lost = float(s.paid if loser == BUTTON else s.others)
        return -lost if p == loser else lost

    def strength(self, s: State, p: int) -> int:
        """Of the best five of seven cards, at a showdown."""
        return int(evaluate([[*self.hand(s, p), *s.cards[4:]]])[0])

    def hand(self, s: State, p: int) -> tuple[int, ...]:
        return s.cards[2 * p : 2 * p + 2]

    def view(self, s: State, p: int) -> View:
        shown = self.hand(s, 1 - p) if s.round == SHOWDOWN else ()
        return self.View(self.hand(s, p), s.cards[4:], shown, s.line, s.folded)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other holds any two of the cards that are left."""
        left = [card for card in range(CARDS) if card not in (*view.hand, *view.board)]
        theirs = view.shown or tuple(random.sample(left, 2))
        hands = (*view.hand, *theirs) if p == BUTTON else (*theirs, *view.hand)
        return self.replay((*hands, *view.board), view.line)

    def replay(self, cards: Sequence[int], line: Sequence[int]) -> State:
        """The state after these cards and choices; `ActionError` if one is not possible there."""
        s = self.initial()
        dealt, made = list(cards), list(line)
        while not self.is_terminal(s) and (dealt if self.is_dealing(s) else made):
            a = (dealt if self.is_dealing(s) else made).pop(0)
            if a not in self.actions(s):
                raise ActionError(f"{a} is not possible after {self.write(s)}")
            s = self.result(s, a)
        if dealt or made:
            raise ActionError("there are more cards or choices than the hand has")
        return s

    # Text.

    def player_name(self, p: int) -> str:
        return "button" if p == BUTTON else "big blind"

    def write(self, s: State) -> str:
        """Cards and choices, as in `AhKdQcJsKs7h2d r6 c / c r4`: a bet or raise with the chips then put in."""
        return show.write(s.cards, s.line) or "-"

    def read(self, text: str) -> State:
        cards, _, line = text.strip().partition(" ")
        try:
            if not cards:
                raise ActionError("it is empty")
            dealt = () if cards == "-" else read_cards(cards)
            return self.replay(dealt, show.read_line(line))
        except (ActionError, OptionError) as error:
            raise PositionError(f"{text!r} is not a position of this game: {error}") from None

    def show(self, s: State) -> str:
        return show.board(self, s, (0, 1))

    def show_view(self, view: View, p: int) -> str:
        return f"{show.names(view.hand)} {show.write(view.board, view.line)}".strip()

    def show_seat(self, view: View, p: int) -> str:
        return show.board(self, self.imagine(view, p), (p,))

    def picture(self, s: State) -> str:
        return show.draw(self, s, (0, 1))

    def view_picture(self, view: View, p: int) -> str:
        return show.draw(self, self.imagine(view, p), (p,))

    def imagine(self, view: View, p: int) -> State:
        """A state that `p` sees so; what it does not see is made of any cards, and must not be shown."""
        return self.sample(view, p, Random(0)) if len(view.hand) == 2 else self.initial()

    def show_action(self, s: State, a: int) -> str:
        if self.is_dealing(s):
            return card_name(a)
        if a in (FOLD, CALL):
            return "fold" if a == FOLD else "check" if s.paid == s.others else "call"
        if a == self.most:
            return "all-in"
        return f"{'bet' if s.paid == s.others == s.before else 'raise'}{a - s.before}"

    def read_action(self, s: State, text: str) -> int:
        """Also `bet 12` and `raise to 40`."""
        return super().read_action(s, text.replace(" to ", "").replace(" ", ""))

    def told(self, s: State, a: int, p: int) -> str:
        if not self.is_dealing(s):
            return f"{self.player_name(s.turn)} {show.say(self, s, a)}"
        if len(s.cards) >= 4:
            return f"the {('flop', 'flop', 'turn', 'river')[s.round]} brings {card_name(a)}"
        return f"you are dealt {card_name(a)}" if len(s.cards) // 2 == p else ""

    # Files.

    def write_record(
        self, start: State, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        s = start
        for a in actions:
            s = self.result(s, a)
        return history.write_phh(self, s, players)

    def read_record(self, text: str) -> tuple[State, list[int]] | None:
        return history.read(self, text)
