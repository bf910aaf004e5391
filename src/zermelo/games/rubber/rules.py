"""Rubber bridge: deal after deal until a side has won two games.

Each deal is one of `zermelo.games.bridge`, with the dealer next in turn, and the sides that have won a game vulnerable.
Tricks bid and made count below the line; a hundred there are a game, after which both sides begin at nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from zermelo.errors import InputError, PositionError
from zermelo.game import Game
from zermelo.games._bridge.cards import HAND_NAMES, HANDS, SIDES
from zermelo.games._bridge.score import GAME, GAME_POINTS, PARTSCORE, premium, trick_score
from zermelo.games.bridge.auction import Contract
from zermelo.games.bridge.boards import PlayedBoard
from zermelo.games.bridge.pbn import write_played
from zermelo.games.bridge.record import actions_of, board_at, read_boards
from zermelo.games.bridge.rules import Bridge
from zermelo.games.rubber.scoring import Score
from zermelo.options import choice, flag, takes, whole
from zermelo.search.trace.words import plural

MOST_PER_DEAL, MOST_BONUS = 7600, 1000
"""Points: thirteen tricks down, redoubled and vulnerable; more than what the end of a rubber adds."""


class Deal(Bridge):
    """One deal of a rubber: a game counts as much as it is worth on the way to the rubber."""

    def __init__(self, score: Score, dealer: str, ranks: int, explain: bool, claims: bool):
        super().__init__("", "", dealer, score.vulnerable, ranks, 1, explain, claims)
        self.score = score

    def points(self, contract: Contract, tricks: int) -> int:
        level, strain, doubled, declarer = contract
        side = declarer % 2
        vulnerable = self.score.games[side] > 0
        extra = premium(level, strain, tricks, vulnerable, doubled, self.book)
        if tricks < level + self.book:
            return extra
        made = trick_score(level, strain, doubled)
        wins = made + self.score.below[side] >= GAME_POINTS
        return made + extra + (GAME[vulnerable] if wins else PARTSCORE)


class Rubber(Game["Rubber.State", int]):
    """Bid and play deal after deal with a partner until a side has won two games."""

    title = "Rubber bridge"
    shelf = "cards"
    players = 4
    unit = "points"
    record_format = "pbn"

    class State(NamedTuple):
        score: Score
        deals: int  # that are over
        board: Bridge.State

    class View(NamedTuple):
        score: Score
        deals: int
        board: Bridge.View

    @takes(dealer=choice(*HANDS), ranks=whole(1, 13), deals=whole(1, 1000), explain=flag(), claims=flag())
    def __init__(
        self, dealer: str = "N", ranks: int = 13, deals: int = 20, explain: bool = False, claims: bool = False
    ):
        self.dealer = HANDS.index(dealer)
        self.ranks, self.deals = ranks, deals
        most = float(MOST_PER_DEAL * deals + MOST_BONUS)
        self.bounds = (-most, most)

        @lru_cache(maxsize=256)
        def make(score: Score, dealer: int) -> Deal:
            return Deal(score, HANDS[dealer], ranks, explain, claims)

        self._make = make

    def deal(self, s: State | View) -> Deal:
        """The game of the deal that is under way."""
        return self._make(s.score, (self.dealer + s.deals) % 4)

    # Rules.

    def initial(self) -> State:
        return self.begin(Score(), 0)

    def begin(self, score: Score, deals: int) -> State:
        return self.State(score, deals, self._make(score, (self.dealer + deals) % 4).initial())

    def team(self, p: int) -> int:
        return p % 2

    def player(self, s: State) -> int:
        return self.deal(s).player(s.board)

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            yield from self.deal(s).actions(s.board)

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        yield from self.deal(s).chances(s.board)

    def result(self, s: State, a: int) -> State:
        game = self.deal(s)
        board = game.result(s.board, a)
        if not game.is_terminal(board):
            return s._replace(board=board)
        contract = game.contract_of(board)
        tricks = game.taken(board)[contract.declarer % 2] if contract else 0
        score, deals = s.score.after(contract, tricks, game.book), s.deals + 1
        if score.is_over or deals == self.deals:
            return self.State(score, deals, board)
        return self.begin(score, deals)

    def is_terminal(self, s: State) -> bool:
        return s.score.is_over or s.deals == self.deals

    def utility(self, s: State, p: int) -> float:
        lead = s.score.lead()
        return float(lead if p % 2 == 0 else -lead)

    # What a player knows.

    def view(self, s: State, p: int) -> View:
        return self.View(s.score, s.deals, self.last_deal(s).view(s.board, p))

    def sample(self, view: View, p: int, random: Random) -> State:
        return self.State(view.score, view.deals, self.deal(view).sample(view.board, p, random))

    def last_deal(self, s: State | View) -> Bridge:
        """The game of the deal on the table, which at the end is the last one."""
        over = s.score.is_over or s.deals == self.deals
        return self._make(s.score, (self.dealer + s.deals - 1) % 4) if over else self.deal(s)

    # Text and picture.

    def player_name(self, p: int) -> str:
        return HAND_NAMES[p]

    def show_action(self, s: State, a: int) -> str:
        return self.deal(s).show_action(s.board, a)

    def read_action(self, s: State, text: str) -> int:
        return super().read_action(s, text) if self.is_terminal(s) else self.deal(s).read_action(s.board, text)

    def told(self, s: State, a: int, p: int) -> str:
        return self.deal(s).told(s.board, a, p)

    def says(self, s: State | View) -> str:
        """The score, in a line."""
        sides = (
            f"{side} {points} ({below} below the line, {plural(games, 'game', 'games')})"
            for side, points, below, games in zip(SIDES, *s.score, strict=True)
        )
        number = s.deals + (self.last_deal(s) is self.deal(s))
        return f"deal {number} of the rubber: {', '.join(sides)}"

    def tally(self, s: State, p: int) -> str:
        return f"{s.score.points[p % 2]} points, {s.score.games[p % 2]} games"

    def say_end(self, s: State) -> str:
        bonus = s.score.bonus()
        north_south, east_west = (points + extra for points, extra in zip(s.score.points, bonus, strict=True))
        return f"{north_south} : {east_west}"

    def show(self, s: State) -> str:
        return f"{self.last_deal(s).show(s.board)}\n{self.says(s)}"

    def show_view(self, view: View, p: int) -> str:
        return f"{self.last_deal(view).show_view(view.board, p)}\n{self.says(view)}"

    def picture(self, s: State) -> str:
        return self.last_deal(s).picture(s.board)

    def view_picture(self, view: View, p: int) -> str:
        return self.last_deal(view).view_picture(view.board, p)

    def write(self, s: State) -> str:
        return f"{s.score.text()} deals {s.deals} {self.last_deal(s).write(s.board)}"

    def read(self, text: str) -> State:
        pattern = r"\s*points (\d+)-(\d+) below (\d+)-(\d+) games (\d)-(\d) deals (\d+) (N:.*)"
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is None:
            raise PositionError(
                f"{text!r:.120} is not a position: write 'points 0-0 below 0-0 games 0-0 deals 0' and one of bridge"
            )
        numbers = list(map(int, found.groups()[:7]))
        points, below, games = ((numbers[i], numbers[i + 1]) for i in (0, 2, 4))
        s = self.State(Score(points, below, games), numbers[6], self.initial().board)
        if max(below) >= GAME_POINTS or max(numbers[:2]) > self.bounds[1] or s.deals > self.deals or max(games) > 2:
            raise PositionError(f"{text!r:.120} is not a position: there is no such score after {s.deals} deals")
        return s._replace(board=self.last_deal(s).read(found[8]))

    # Files.

    def write_record(
        self, start: State, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        """The deals of the rubber in PBN, one after the other; the last one may be unfinished."""
        return write_played(self.played_boards(start, actions, players), "Rubber")

    def played_boards(self, start: State, actions: Sequence[int], players: Sequence[str]) -> list[PlayedBoard]:
        """Each deal that came to its end, and the one after it as far as it went."""
        boards, s = [], start
        for a in actions:
            game, board = self.deal(s), s.board
            s = self.result(s, a)
            if self.is_terminal(s) or s.board.dealt < board.dealt:
                boards.append(board_at(game, game.result(board, a), players))
        game = self.deal(s)
        if not self.is_terminal(s) and not game.is_dealing(s.board):
            boards.append(board_at(game, s.board, players))
        return boards

    def read_record(self, text: str) -> tuple[State, list[int]] | None:
        """The deals of a file in PBN or LIN as one rubber."""
        boards = read_boards(text)
        if not boards:
            return None
        actions: list[int] = []
        s = self.initial()
        for number, played in enumerate(boards, 1):
            if s.deals != number - 1:
                raise InputError(f"deal {number - 1} of the file is not played to its end, and another one follows")
            if self.is_terminal(s):
                raise InputError(f"the rubber is over after {s.deals} deals, and the file has {len(boards)}")
            game = self.deal(s)
            self.check_deal(game, played, number)
            for a in actions_of(game, played):
                actions.append(a)
                s = self.result(s, a)
        return self.initial(), actions

    def check_deal(self, game: Bridge, played: PlayedBoard, number: int) -> None:
        """Refuses a board that is not the next of this rubber."""
        board = played.board
        facts = {
            "dealer": (HANDS[board.dealer], HANDS[game.dealer]),
            "vulnerable side": (board.vulnerable, game.vulnerable),
            "number of ranks": (board.tricks, game.tricks),
        }
        for name, (said, expected) in facts.items():
            if said != expected:
                raise InputError(f"deal {number}: the {name} is {said} in the file, and {expected} in this rubber")
        if played.said:
            raise InputError(f"deal {number}: a rubber needs the auction that led to {played.said}")
