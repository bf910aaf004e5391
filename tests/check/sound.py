"""Games without a fault, from which the broken ones derive, and the list of those."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo import CHANCE, U64, Game


class Sound(Game):
    """Take one or two of seven stones; who takes the last one wins. It has every method that it can have."""

    class State(NamedTuple):
        board: Any
        turn: int
        hash: U64

    repetition = "draw"
    input_count = 15
    stage_count = 2
    symmetry_count = 2

    def __init__(self) -> None:
        self.stones = 7

    def initial(self) -> Any:
        return self.State(np.ones(self.stones, dtype=np.int8), 0, U64(2**63))

    def player(self, s: Any) -> Any:
        return s.turn

    def left(self, s: Any) -> int:
        return int(s.board.sum())

    def actions(self, s: Any) -> Any:
        for n in (1, 2):
            if n <= self.left(s):
                yield n

    def result(self, s: Any, a: Any) -> Any:
        board = s.board.copy()
        board[self.left(s) - a :] = 0
        return self.State(board, 1 - s.turn, s.hash)

    def is_terminal(self, s: Any) -> Any:
        return self.left(s) == 0

    def utility(self, s: Any, p: int) -> Any:
        return 1.0 if p != s.turn else -1.0

    def evaluate(self, s: Any, p: int) -> Any:
        return 0.5 if (p == s.turn) == (self.left(s) % 3 != 0) else -0.5

    def priority(self, s: Any, a: Any) -> Any:
        return a

    def is_noisy(self, s: Any, a: Any) -> Any:
        return a == self.left(s)

    def target(self, s: Any, a: Any) -> Any:
        return self.left(s) - a

    def pass_turn(self, s: Any) -> Any:
        return s._replace(turn=1 - s.turn)

    def is_irreversible(self, s: Any, a: Any) -> Any:
        return True

    def remaining_plies(self, s: Any) -> Any:
        return self.left(s)

    def upper_bound(self, s: Any, p: int) -> Any:
        return 1.0

    def ending_priority(self, s: Any, a: Any) -> Any:
        return a

    def features(self, s: Any) -> Any:
        return [self.left(s), s.turn]

    def inputs(self, s: Any, p: int) -> Any:
        return [self.left(s) if p == s.turn else 7 + self.left(s)]

    def stage(self, s: Any) -> Any:
        return int(self.left(s) > 3)

    def owners(self, s: Any) -> Any:
        return [s.turn, -1]

    def slices(self, pieces: int) -> Any:
        return [0]

    def material(self, s: Any) -> Any:
        return 0

    def slice_size(self, m: int) -> Any:
        return self.stones + 1

    def rank(self, s: Any) -> Any:
        return self.left(s)

    def unrank(self, m: int, i: int) -> Any:
        return self.State((np.arange(self.stones) < i).astype(np.int8), 0, U64(2**63))

    def plies_left(self, s: Any) -> Any:
        return 100

    def symmetric(self, s: Any, k: int) -> Any:
        return s

    def symmetric_action(self, a: Any, k: int) -> Any:
        return a

    def picture(self, s: Any) -> Any:
        return f'<svg><text data-at="1">{self.left(s)}</text></svg>'

    def clicks(self, s: Any, a: Any) -> Any:
        return [[("1",)] * a]


class Dice(Game):
    """Guess whether a coin falls heads, then see."""

    class State(NamedTuple):
        guess: int
        coin: int

    utility_sum = None

    def initial(self) -> Any:
        return self.State(-1, -1)

    def player(self, s: Any) -> int:
        return 0 if s.guess < 0 else CHANCE

    def actions(self, s: Any) -> Iterator[int]:
        if s.coin < 0:
            yield from (0, 1)

    def chances(self, s: Any) -> Any:
        for a in self.actions(s):
            yield a, 0.5

    def result(self, s: Any, a: int) -> Any:
        return self.State(a, -1) if s.guess < 0 else self.State(s.guess, a)

    def is_terminal(self, s: Any) -> bool:
        return bool(s.coin >= 0)

    def utility(self, s: Any, p: int) -> float:
        return float(s.guess == s.coin) if p == 0 else 0.0


BROKEN: dict[str, tuple[type[Game], str, str]] = {}


def breaks(rule: str, words: str) -> Any:
    """Enters a game that breaks `rule`, as a message with `words` must say."""

    def enter(game: type[Game]) -> type[Game]:
        BROKEN[game.__name__] = (game, rule, words)
        return game

    return enter
