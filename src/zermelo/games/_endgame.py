"""What a betting game declares of its public and private parts, and how it is written."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from zermelo.errors import PositionError
from zermelo.game.ranges import HIDDEN, Hand, Stakes
from zermelo.games._betting import CALL, END, FOLD, NOBODY, UNDEALT, Betting, digits
from zermelo.games._table import Row, draw_table


class Endgame(Betting):
    """Betting with hands that have names; a game says how cards are called, and how strong hands are."""

    private_cards: int = 1
    """In each hand."""
    board: tuple[int, ...] = ()
    """The public cards that lie there from the start."""

    def card_name(self, card: int) -> str:
        raise self._missing("card_name(self, card)")

    # Public and private parts.

    def hands(self, p: int) -> Sequence[Hand]:
        return self.ranges[p]

    def public_start(self) -> Betting.State:
        return self.initial()._replace(first=HIDDEN, second=HIDDEN)

    def hand(self, s: Betting.State, p: int) -> int:
        return s.first if p == 0 else s.second

    def hold(self, s: Betting.State, p: int, hand: int) -> Betting.State:
        return s._replace(first=hand) if p == 0 else s._replace(second=hand)

    def public_deals(self, cards: tuple[int, ...]) -> Iterator[tuple[int, float]]:
        if not cards:
            for card in self.deck:
                yield card, 1.0 / (len(self.deck) - 2 * self.private_cards)

    def stakes(self, s: Betting.State) -> Stakes:
        if s.folded != NOBODY:
            lost = self.pot / 2 + (s.paid if s.folded == 0 else s.others)
            return Stakes(*(3 * (-lost if s.folded == 0 else lost,)))
        return Stakes(self.pot / 2 + s.paid, 0.0, -self.pot / 2 - s.paid)

    def betting(self, s: Betting.State) -> Hashable:
        return s._replace(card=0) if s.card >= 0 else s

    # Text.

    def hand_name(self, p: int, hand: int) -> str:
        return "?" if hand < 0 else self.ranges[p][hand].name

    def choices(self, line: int) -> Iterator[tuple[Betting.State, int]]:
        """The choices of `line`, each with the public state before it; `END` where a round is over."""
        s = self.public_start()
        for digit in digits(line, self.base):
            yield s, digit
            if digit != END:
                s = self.result(s, digit)
            elif not self.is_terminal(s):
                s = self.result(s, self.deck[0])

    def line_name(self, line: int) -> str:
        """The choices of both rounds, as in `x b50 c / x`: check, bet, raise to so much in this round, call, all-in."""
        words = ["/" if digit == END else self._mark(s, digit) for s, digit in self.choices(line)]
        if words[-1:] == ["/"] and self.rounds == 1:
            words.pop()
        return " ".join(words)

    def money(self, line: int) -> tuple[int, int, int]:
        """The pot after `line`, and what each player has behind."""
        paid, others = 0, 0
        for s, digit in self.choices(line):
            if digit != END:
                after = self.result(s, digit)
                paid, others = after.paid, after.others
        return int(self.pot) + paid + others, self.stack - paid, self.stack - others

    def told(self, s: Betting.State, a: int, p: int) -> str:
        if not self.is_dealing(s):
            return f"{self.player_name(s.turn)} {self.say(s, a)}"
        if s.second != UNDEALT:
            return f"the board gets {self.card_name(a)}"
        mine = p == (0 if s.first == UNDEALT else 1)
        return f"you are dealt {self.hand_name(p, a)}" if mine else ""

    def say(self, s: Betting.State, a: int) -> str:
        """What the player to move does, as a third person is told."""
        if a == FOLD:
            return "folds"
        if a == CALL:
            return "checks" if s.paid == s.others else f"calls {abs(s.paid - s.others)}"
        amount = self.price(s, a) - s.before
        said = f"raises to {amount}" if s.raises else f"bets {amount}"
        return f"{said} and is all-in" if a == self.all_in else said

    def _mark(self, s: Betting.State, a: int) -> str:
        if a == CALL:
            return "x" if s.paid == s.others else "c"
        return "a" if a == self.all_in else f"{'r' if s.raises else 'b'}{self.price(s, a) - s.before}"

    def show(self, s: Betting.State) -> str:
        card = "" if s.card < 0 else f" {self.card_name(s.card)}"
        folded = "" if s.folded == NOBODY else f", player {s.folded} folds"
        hands = f"{self.hand_name(0, s.first)} {self.hand_name(1, s.second)}"
        board = f", board {''.join(map(self.card_name, self.board))}" if self.board else ""
        line = f"{hands}{card} {self.line_name(s.line)}".rstrip()
        return f"{line}, pot {self.pot + s.paid + s.others}{board}{folded}"

    def show_seat(self, view: Betting.View, p: int) -> str:
        """The pot, the board, the own hand and what is behind it; then the betting in words."""
        pot, *behind = self.money(view.line)
        board = " ".join(map(self.card_name, (*self.board, *([view.card] if view.card >= 0 else []))))
        lines = [f"pot {pot}{', board ' + board if board else ''}"]
        other = self.player_name(1 - p)
        lines.append(
            f"your hand {self.hand_name(p, view.hand)}, {behind[p]} behind; {other} has {behind[1 - p]} behind"
        )
        said = [f"{self.player_name(s.turn)} {self.say(s, a)}" for s, a in self.choices(view.line) if a != END]
        return "\n".join([*lines, *([", ".join(said)] if said else [])])

    def picture(self, s: Betting.State) -> str:
        return self.draw([s.first, s.second], s.card, s.line)

    def view_picture(self, view: Betting.View, p: int) -> str:
        hands = [UNDEALT, UNDEALT]
        hands[p] = view.hand
        return self.draw(hands, view.card, view.line)

    def draw(self, hands: list[int], card: int, line: int) -> str:
        """The hands that are seen, the board, and the betting."""
        rows = []
        for p, hand in enumerate(hands):
            unseen = ["?"] * self.private_cards
            names = unseen if hand < 0 else [self.card_name(each) for each in self.ranges[p][hand].cards]
            rows.append(Row(self.player_name(p), names))
        board = [self.card_name(each) for each in (*self.board, *([card] if card >= 0 else []))]
        pot, *behind = self.money(line)
        said = [f"{self.player_name(s.turn)} {self.say(s, a)}" for s, a in self.choices(line) if a != END]
        rows += [Row("board", board)] if board else []
        rows.append(Row("pot", words=f"{pot}; {behind[0]} and {behind[1]} behind"))
        return draw_table([*rows, Row("betting", words=", ".join(said))])

    def show_view(self, view: Betting.View, p: int) -> str:
        card = "" if view.card < 0 else f" {self.card_name(view.card)}"
        return f"{self.hand_name(p, view.hand)}{card} {self.line_name(view.line)}".rstrip()

    def show_action(self, s: Betting.State, a: int) -> str:
        if self.is_dealing(s):
            return self.hand_name(0 if s.first == UNDEALT else 1, a) if s.second == UNDEALT else self.card_name(a)
        if a < self.all_in and a > CALL:
            return f"{'raise' if s.raises else 'bet'}{self.price(s, a) - s.before}"
        return "all-in" if a == self.all_in else "fold" if a == FOLD else "check" if s.paid == s.others else "call"

    def read(self, text: str) -> Betting.State:
        s: Betting.State = super().read(text)
        if not self.is_position(s):
            raise PositionError(f"{text!r} is not a position of this game; play there by --moves")
        return s

    def is_position(self, wanted: Betting.State) -> bool:
        """Whether the deals and choices of `wanted` lead to it."""
        choices = [digit for digit in digits(wanted.line, self.base) if digit != END]
        s, deals = self.initial(), [wanted.first, wanted.second, wanted.card]
        while s != wanted:
            legal = list(self.actions(s))
            dealing = not self.is_terminal(s) and self.is_dealing(s)
            fallen = [FOLD] if wanted.folded != NOBODY and not choices and not dealing else []
            a = (deals if dealing else choices or fallen or [NOBODY]).pop(0)
            if a not in legal:
                return False
            s = self.result(s, a)
        return True
