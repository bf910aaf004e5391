"""The rules of heads-up no-limit hold'em: two hidden cards each, five common ones, four rounds of betting.

The button posts the small blind and acts first before the flop, last after it. A bet is the big blind at least, a raise
as much as the bet or raise before it; all-in is always possible. Nobody can lose more than the smaller stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import OwnResolving
from zermelo.game.text import freeze
from zermelo.games.holdem.cards import CARDS, card_name, read_cards
from zermelo.games.poker import history, show
from zermelo.games.poker.strength import rate

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

    shelf = "cards"
    unit = "chips"
    record_format = "phh"

    class State(NamedTuple):
        cards: NDArray[np.int64]  # two of the button, two of the big blind, the board; −1 where none is yet
        dealt: int  # how many there are
        line: NDArray[np.int64]  # all choices so far; −1 where none is yet
        made: int  # how many there are
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
        cards: NDArray[np.int64]  # as in a state, and −1 for what is not seen
        line: NDArray[np.int64]
        folded: int

        # Arrays alone would be compared element by element.

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Poker.View) and freeze(tuple(self)) == freeze(tuple(other))

        def __ne__(self, other: object) -> bool:
            return not self == other

        def __hash__(self) -> int:
            return hash(freeze(tuple(self)))

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
        self.percents = (*self.sizes, 0.0)  # one more, as compiled rules know no empty tuple
        self.size_count = len(self.sizes)
        self.most_choices = SHOWDOWN * (raises + 3)
        self.most_raises = raises
        self.most = min(stacks)
        """That a player can put in: what the other could not call comes back."""
        self.bounds = (-float(self.most), float(self.most))
        self.big_blind = float(blinds[1])

    # Rules.

    def initial(self) -> State:
        small, big = self.blinds
        cards, line = np.full(DEALT[-1], -1, dtype=np.int64), np.full(self.most_choices, -1, dtype=np.int64)
        return self.State(cards, 0, line, 0, BUTTON, small, big, 0, 0, 0, 0, big, NOBODY)

    def is_dealing(self, s: State) -> bool:
        return s.round < SHOWDOWN and s.dealt < DEALT[s.round]

    def is_terminal(self, s: State) -> bool:
        return s.folded != NOBODY or s.round == SHOWDOWN

    def player(self, s: State) -> int:
        return CHANCE if self.is_dealing(s) else s.turn

    def is_dealt(self, s: State, card: int) -> bool:
        for i in range(s.dealt):  # noqa: SIM110 (any() over a generator does not compile)
            if s.cards[i] == card:
                return True
        return False

    def actions(self, s: State) -> Iterator[int]:
        if self.is_terminal(s):
            return
        if self.is_dealing(s):
            for card in range(CARDS):
                if not self.is_dealt(s, card):
                    yield card
            return
        high = max(s.paid, s.others)
        if s.paid != s.others:
            yield FOLD
        yield CALL
        if high < self.most and s.raises < self.most_raises:
            if self.free:
                for price in range(high + s.least, self.most):
                    yield price
            else:
                before = high
                for i in range(self.size_count):
                    price = max(high + int(self.percents[i] * 2 * high / 100.0 + 0.5), high + s.least)
                    if before < price < self.most:
                        yield price
                        before = price
            yield self.most

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if not self.is_terminal(s) and self.is_dealing(s):
            for card in range(CARDS):
                if not self.is_dealt(s, card):
                    yield card, 1.0 / (CARDS - s.dealt)

    def result(self, s: State, a: int) -> State:
        cards, line = s.cards.copy(), s.line.copy()
        if self.is_dealing(s):
            cards[s.dealt] = a
            # With all chips in there is nothing left to bet, and the next card follows.
            whole = s.round > 0 and s.dealt + 1 == DEALT[s.round]
            after = s.round + 1 if whole and s.paid == self.most and s.others == self.most else s.round
            return self.State(
                cards, s.dealt + 1, line, s.made, s.turn, s.paid, s.others, s.before, after, s.acted, s.raises,
                s.least, s.folded,
            )  # fmt: skip
        line[s.made] = a
        high = max(s.paid, s.others)
        price = high if a == CALL else a
        paid = price if s.turn == BUTTON and a != FOLD else s.paid
        others = price if s.turn == BIG_BLIND and a != FOLD else s.others
        folded = s.turn if a == FOLD else NOBODY
        if a == CALL and s.acted > 0:
            return self.State(
                cards, s.dealt, line, s.made + 1, BIG_BLIND, paid, others, paid, s.round + 1, 0, 0,
                self.blinds[1], NOBODY,
            )  # fmt: skip
        turn = s.turn if a == FOLD else 1 - s.turn
        raises = s.raises + 1 if a > CALL else s.raises
        least = max(price - high, s.least) if a > CALL else s.least
        return self.State(
            cards, s.dealt, line, s.made + 1, turn, paid, others, s.before, s.round, s.acted + 1, raises,
            least, folded,
        )  # fmt: skip

    def utility(self, s: State, p: int) -> float:
        if s.folded != NOBODY:
            loser = s.folded
        else:
            mine, theirs = self.strength(s, BUTTON), self.strength(s, BIG_BLIND)
            if mine == theirs:
                return 0.0
            loser = BUTTON if mine < theirs else BIG_BLIND
        lost = float(s.paid if loser == BUTTON else s.others)
        return -lost if p == loser else lost

    def strength(self, s: State, p: int) -> int:
        """Of the best five of seven cards, at a showdown: the stronger has the greater number."""
        ranks, suits = 0, 0  # four bits for the number of cards of a rank; a bit for each card, suit by suit
        for i in range(7):
            card = int(s.cards[2 * p + i] if i < 2 else s.cards[2 + i])
            ranks += 1 << 4 * (card // 4)
            suits |= 1 << (13 * (card % 4) + card // 4)
        return rate(ranks, suits)

    def view(self, s: State, p: int) -> View:
        cards = s.cards.copy()
        if s.round != SHOWDOWN:
            cards[2 * (1 - p)] = -1
            cards[2 * (1 - p) + 1] = -1
        return self.View(cards, s.line, s.folded)

    # What compiled rules need not know.

    def cards(self, s: State) -> tuple[int, ...]:
        """All that are dealt."""
        return tuple(s.cards[: s.dealt].tolist())

    def line(self, s: State) -> tuple[int, ...]:
        """All choices."""
        return tuple(s.line[: s.made].tolist())

    def hand(self, s: State, p: int) -> tuple[int, ...]:
        return self.cards(s)[2 * p : 2 * p + 2]

    def board(self, s: State) -> tuple[int, ...]:
        return self.cards(s)[4:]

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other holds any two of the cards that are left."""
        seen = [card for card in view.cards.tolist() if card >= 0]
        theirs = [card for card in view.cards.tolist()[2 * (1 - p) : 2 * (1 - p) + 2] if card >= 0]
        theirs = theirs or random.sample([card for card in range(CARDS) if card not in seen], 2)
        mine = view.cards.tolist()[2 * p : 2 * p + 2]
        board = [card for card in view.cards.tolist()[4:] if card >= 0]
        hands = (*mine, *theirs) if p == BUTTON else (*theirs, *mine)
        return self.replay((*hands, *board), [a for a in view.line.tolist() if a >= 0])

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
        return show.write(self.cards(s), self.line(s)) or "-"

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
        cards = view.cards.tolist()
        seen = [[card for card in part if card >= 0] for part in (cards[2 * p : 2 * p + 2], cards[4:])]
        line = [a for a in view.line.tolist() if a >= 0]
        return f"{show.names(seen[0])} {show.write(seen[1], line)}".strip()

    def show_seat(self, view: View, p: int) -> str:
        return show.board(self, self.imagine(view, p), (p,))

    def picture(self, s: State) -> str:
        return show.draw(self, s, (0, 1))

    def view_picture(self, view: View, p: int) -> str:
        return show.draw(self, self.imagine(view, p), (p,))

    def imagine(self, view: View, p: int) -> State:
        """A state that `p` sees so; what it does not see is made of any cards, and must not be shown."""
        return self.sample(view, p, Random(0)) if view.cards[2 * p + 1] >= 0 else self.initial()

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
        if s.dealt >= 4:
            return f"the {('flop', 'flop', 'turn', 'river')[s.round]} brings {card_name(a)}"
        return f"you are dealt {card_name(a)}" if s.dealt // 2 == p else ""

    # Re-solving.

    def own_resolving(self) -> OwnResolving:
        from zermelo.games.poker.measure import OPPONENTS, measure
        from zermelo.games.poker.resolver import HandResolver
        from zermelo.games.poker.river import RiverSettings, learn_river

        return OwnResolving(partial(HandResolver, self), RiverSettings, learn_river, measure, tuple(OPPONENTS))

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
