"""What the engine answers at the edges: tiny differences, forbidden repetitions, endless captures, strange limits."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo.analysis import LONGEST_SECONDS, Limits
from zermelo.engine.engine import Engine
from zermelo.engine.searcher import Searcher
from zermelo.errors import OptionError
from zermelo.search.mcts.settings import Budget


class Prizes(z.Game):
    """Take one of four prizes."""

    class State(NamedTuple):
        taken: int
        turn: int

    bounds = (-1000.0, 1000.0)

    def initial(self) -> State:
        return self.State(-1, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for a in range(4):
            yield a

    def result(self, s: State, a: int) -> State:
        return self.State(a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.taken >= 0

    def utility(self, s: State, p: int) -> float:
        prize = 0.0012 if s.taken == 0 else 0.0019 if s.taken == 2 else 0.0007
        return prize if p == 0 else -prize


class Pairs(z.Game):
    """One player takes a pair of prizes, the other leaves the better one or the worse one of them; then it ends."""

    class State(NamedTuple):
        pair: int
        prize: int
        ended: bool

    def __init__(self, prizes: tuple[tuple[float, float], ...], bounds: tuple[float, float]):
        self.prizes, self.bounds = prizes, bounds

    def initial(self) -> State:
        return self.State(-1, -1, False)

    def player(self, s: State) -> int:
        return 0 if s.pair < 0 else 1

    def actions(self, s: State) -> Iterator[int]:
        for a in range(len(self.prizes) if s.pair < 0 else 2 if s.prize < 0 else 1):
            if not s.ended:
                yield a

    def result(self, s: State, a: int) -> State:
        if s.pair < 0:
            return self.State(a, -1, False)
        return self.State(s.pair, a, False) if s.prize < 0 else self.State(s.pair, s.prize, True)

    def is_terminal(self, s: State) -> bool:
        return s.ended

    def utility(self, s: State, p: int) -> float:
        prize = self.prizes[s.pair][s.prize]
        return prize if p == 0 else -prize


class Circles(z.Game):
    """Every action is noisy, and leads round in circles of two positions or through a grid of many."""

    class State(NamedTuple):
        x: int
        y: int
        turn: int

    def __init__(self, size: int = 2):
        self.size = size

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for a in range(4):
            yield a

    def result(self, s: State, a: int) -> State:
        x = (s.x + (a == 0) - (a == 1)) % self.size
        y = (s.y + (a == 2) - (a == 3)) % self.size
        return self.State(x, y, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return False

    def utility(self, s: State, p: int) -> float:
        return 0.0

    def evaluate(self, s: State, p: int) -> float:
        good = 0.001 * ((s.x * 7 + s.y * 13) % 11)
        return good if p == 0 else -good

    def is_noisy(self, s: State, a: int) -> bool:
        return True


def test_ends_are_compared_by_their_utilities_and_not_by_rounded_scores():
    found = Engine(Prizes()).search()
    assert (found.action, found.value) == (2, 0.0019)
    assert found.rounding > 0.0019 - 0.0012
    assert not found.exact


@pytest.mark.parametrize(
    ("prizes", "bounds"),
    [
        (((1e-12, 2e-12), (3e-12, 5e-12)), (-1000.0, 1000.0)),
        (((1e-300, 2e-300), (3e-300, 4e-300)), (-1.0, 1.0)),
        (((1e-10, 2e-10), (3e-10, 4e-10)), (-math.inf, math.inf)),
        (((0.1, 0.2), (0.2 + 3e-17, 0.3)), (-0.5, 0.5)),
        (((1e9 + 0.25, 1e9 + 0.5), (1e9 + 0.75, 1e9 + 1)), (-math.inf, math.inf)),
    ],
)
def test_prizes_that_scores_do_not_tell_apart_are_never_proved(prizes, bounds):
    game = Pairs(prizes, bounds)
    best = max(map(min, prizes))
    found = Engine(game).search()
    assert not found.exact
    assert found.rounding >= 2 * abs(found.value - best) > 0
    assert z.solve(game).value == best


def test_whole_prizes_are_proved_whether_or_not_the_game_says_how_large_they_may_be():
    for most in (1000.0, math.inf):
        found = Engine(Pairs(((3.0, 5.0), (4.0, 7.0)), (-most, most))).search()
        assert (found.action, found.value, found.exact, found.rounding) == (1, 4.0, True, 0)


def test_utilities_that_scores_express_are_not_rounded():
    assert Engine(z.load("tictactoe")).search(depth=2).rounding == 0


@pytest.mark.parametrize("seed", range(6))
def test_the_engine_never_proposes_an_action_that_repeats_where_that_is_forbidden(seed):
    game = z.load("go:size=2")
    engine = Engine(game, table_mb=1)
    state, history = game.initial(), []
    for ply in range(20):
        if game.is_terminal(state):
            break
        past = {game.recurrence(s) for s in [*history, state]}
        found = engine.search(state, depth=1 + (seed + ply) % 4, history=history)
        after = game.result(state, found.action)
        assert game.is_terminal(after) or game.recurrence(after) not in past
        history.append(state)
        state = after


@pytest.mark.parametrize("size", [2, 9])
def test_quiescence_ends_where_noisy_actions_go_round_in_circles(size):
    found = Engine(Circles(size)).search(depth=1)
    assert found.depth == 1
    assert found.nodes < 200_000


@pytest.mark.parametrize("seconds", [1e10, sys.maxsize, 10**400, math.inf])
def test_a_time_beyond_all_measure_is_no_limit(seconds):
    assert Limits(seconds=seconds).seconds is None
    found = Engine(z.load("tictactoe")).search(depth=3, seconds=seconds)
    assert (found.depth, found.stopped, found.value) == (3, "", 0.0)


@pytest.mark.parametrize("seconds", [1e10, math.inf])
def test_who_asks_for_no_limit_gets_none_of_our_own(monkeypatch, seconds):
    monkeypatch.setattr("zermelo.engine.searcher.DEFAULT_SECONDS", 0.0)
    game = Pairs(((3.0, 5.0), (4.0, 7.0)), (-10.0, 10.0))
    assert not z.search(game).exact
    found = z.search(game, seconds=seconds)
    assert (found.stopped, found.exact) == ("", True)
    assert z.mcts(z.load("tictactoe"), seconds=seconds, simulations=20).stopped == "simulations"
    assert Budget(seconds=seconds).time == LONGEST_SECONDS
    asked = itertools.count()
    simulated = Searcher(z.load("hex"), algorithm="mcts").search(
        limits=Limits(seconds=seconds, stop=lambda: next(asked) > 5)
    )
    assert simulated.stopped == "stop"


@pytest.mark.parametrize("seconds", [-1, math.nan, -math.inf, True, "1"])
def test_a_time_that_is_none_is_refused(seconds):
    with pytest.raises(OptionError, match="seconds must be a number"):
        Limits(seconds=seconds)


def test_a_position_that_has_ended_is_solved():
    game = z.load("tictactoe")
    end = functools.reduce(game.result, (0, 1, 3, 4, 6), game.initial())
    found = z.solve(game, end)
    assert (found.value, found.values, found.exact, found.action) == (1.0, (1.0, -1.0), True, None)
    assert Engine(game).solve(end).exact


@pytest.mark.parametrize(
    "limits",
    [{"depth": np.int64(2)}, {"nodes": np.int32(30)}, {"seconds": np.float32(9)}, {"depth": np.array(2)}],
    ids=str,
)
@pytest.mark.parametrize("search", [z.alphabeta, z.search, lambda game, **limits: Engine(game).search(**limits)])
def test_limits_may_be_numbers_of_numpy(search, limits):
    game = z.load("nim:heaps=1/2/3")
    found, expected = (search(game, **each) for each in (limits, {name: n.item() for name, n in limits.items()}))
    assert (found.value, found.depth, found.nodes) == (expected.value, expected.depth, expected.nodes)


def test_options_may_be_truth_values_of_numpy():
    found = z.alphabeta(z.load("nim"), depth=np.int16(3), table=np.True_, deepen=np.True_, width=np.int64(2))
    assert found.method == "alphabeta+deepen+width(2)+table"


@pytest.mark.parametrize("name", ["tictactoe", "pig"])
def test_a_search_that_ends_before_its_first_node_claims_nothing(name):
    game = z.load(name)
    found = Engine(game).search(nodes=0)
    assert (found.value, found.bounds, found.exact, found.depth) == (game.neutral, game.bounds, False, None)
    assert found.stopped == "nodes"
    assert not found.actions
