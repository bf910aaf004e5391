"""Positions with very many actions: nothing at the root is quadratic, and the order of actions is the game's."""

import itertools
import sys
from typing import NamedTuple

import pytest

import zermelo as z
from zermelo.engine.interpreted import InterpretedWarning
from zermelo.search.mcts.answer import to_analysis
from zermelo.search.mcts.run import mcts as textbook_mcts


class Wide(z.Game):
    """One player has `width` actions, then the other three; the value is a hash with many ties."""

    class State(NamedTuple):
        number: int
        ply: int

    def __init__(self, width: int, plies: int = 2):
        self.width = width
        self.plies = plies

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.ply % 2

    def actions(self, s):
        for a in range(self.width if s.ply == 0 else 3):
            yield a

    def result(self, s, a):
        return self.State((s.number * 3 + a * 7919) % 1_000_003, s.ply + 1)

    def is_terminal(self, s):
        return s.ply == self.plies

    def utility(self, s, p):
        value = ((s.number * 48271) % 21 - 10) / 10.0
        return value if p == 0 else -value


class Interpreted(Wide):
    """The same, and no compiler takes it."""

    def result(self, s, a):
        return self.State(int(str((s.number * 3 + a * 7919) % 1_000_003)), eval("s.ply") + 1)


@pytest.mark.parametrize("plies", [1, 2])
def test_of_equal_actions_the_first_is_kept_whatever_their_number(plies: int) -> None:
    game = Wide(5_000, plies)
    values = z.minimax(game).actions
    first = next(a for a in game.actions(game.initial()) if values[a] == max(values.values()))
    assert z.alphabeta(game).action == first
    for threads in (1, 2):
        found = z.solve(game, threads=threads)
        assert (found.value, values[found.action]) == (values[first], values[first])
    assert z.solve(game).action == z.solve(game).action == first


def test_two_searches_of_a_wide_root_are_the_same() -> None:
    game = Wide(50_000)
    one, two = (z.search(game, nodes=60_000) for _ in range(2))
    assert (one.action, one.value, one.line, one.actions) == (two.action, two.value, two.line, two.actions)


def test_simulations_tell_of_every_action_in_the_games_order() -> None:
    game = Wide(3_000)
    found = z.mcts(game, simulations=500)
    assert list(found.visits) == list(range(3_000))
    assert sum(found.visits.values()) == 500
    assert found.visits == z.mcts(game, simulations=500).visits


def test_a_million_actions_are_searched_within_a_limit() -> None:
    width = 1_000_000
    game = Wide(width)
    for found in (
        z.search(game, seconds=0.05),
        z.search(game, seconds=0.05, lines=3),
        z.mcts(game, seconds=0.05),
        z.alphabeta(game, seconds=0.05),
    ):
        assert 0 <= found.action < width
    best = z.search(Wide(width, 1), depth=1)
    assert best.value == 1.0
    assert best.action == next(a for a in range(width) if (a * 7919 % 1_000_003) * 48271 % 21 == 20)


def test_many_actions_that_are_interpreted_are_searched_within_a_limit() -> None:
    game = Interpreted(200_000)
    with pytest.warns(InterpretedWarning):
        found = z.search(game, seconds=0.05)
    assert 0 <= found.action < game.width
    assert 0 <= z.alphabeta(game, seconds=0.05, deepen=True).action < game.width


def test_the_clock_is_asked_while_actions_are_put_in_order() -> None:
    game = Wide(5_000)
    asked = itertools.count()
    looked_at = []
    result = game.result
    game.result = lambda s, a: looked_at.append(a) or result(s, a)
    found = z.alphabeta(game, order="winning", stop=lambda: next(asked) > 50)
    assert found.stopped == "stop"
    assert len(looked_at) < 1_000


@pytest.mark.parametrize("make", [Wide, Interpreted])
@pytest.mark.filterwarnings("ignore::zermelo.engine.interpreted.InterpretedWarning")
def test_simulations_describe_the_actions_that_they_have_visited_and_count_all(make, monkeypatch) -> None:
    described = []

    def watched(game, state, found, *rest):
        described.append(len(found.actions))
        return to_analysis(game, state, found, *rest)

    for module in ("zermelo.engine.mcts", "zermelo.search.mcts.run"):
        monkeypatch.setattr(sys.modules[module], "to_analysis", watched)
    found = z.mcts(make(3_000), simulations=50)
    assert list(found.visits) == list(range(3_000))
    assert sum(found.visits.values()) == 50
    assert described == [len(found.actions)] == [sum(1 for count in found.visits.values() if count)]


def test_the_actions_asked_for_are_not_looked_for_one_by_one() -> None:
    compared = 0

    class Counted(int):
        __hash__ = int.__hash__

        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return int(self) == other

    class Many(Wide):
        def actions(self, s):
            for a in range(self.width if s.ply == 0 else 3):
                yield Counted(a)

    width = 1_000
    found = textbook_mcts(Many(width), simulations=5, only=range(width // 2, width))
    assert found.action >= width // 2
    assert compared < 20 * width
