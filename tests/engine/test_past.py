"""What a search has proved is no proof any more once a position on its way has stood on the board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game
from zermelo.engine.engine import Engine

PLACES = 14


class Walk(Game):
    """Two players walk through a random graph, of which each wins at one place; a place that comes back is a draw."""

    repetition = "draw"

    class State(NamedTuple):
        place: int
        turn: int
        seed: int

    def initial(self) -> State:
        return self.State(5, 0, 1)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        yield from range(3)

    def result(self, s: State, a: int) -> State:
        mixed = (s.place * 3 + a + 1) * (2 * s.seed + 1) * 40503 % 65536
        return self.State(mixed // 64 % PLACES, 1 - s.turn, s.seed)

    def is_terminal(self, s: State) -> bool:
        return s.place < 2

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p == s.place else -1.0


def play_at_random(game: Walk, dice: random.Random) -> Iterator[tuple[Walk.State, list[Walk.State]]]:
    """The positions of the player to move first in a game without a repetition, with those before each."""
    s, history = Walk.State(dice.randrange(2, PLACES), 0, dice.randrange(1, 9000)), []
    while not game.is_terminal(s) and s not in history:
        if s.turn == 0:
            yield s, list(history)
        history.append(s)
        s = game.result(s, dice.randrange(3))


def test_an_engine_that_has_played_the_game_so_far_proves_what_a_new_one_proves():
    game, dice = Walk(), random.Random(1)
    kept, new = (Engine(game, exact=True, table_mb=1) for _ in range(2))
    for _ in range(1000):
        for s, history in play_at_random(game, dice):
            new.clear()
            found, expected = (engine.search(s, depth=30, history=history) for engine in (kept, new))
            assert not (found.exact and expected.exact) or found.value == expected.value
