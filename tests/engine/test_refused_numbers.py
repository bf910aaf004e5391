"""A number beyond 64 bits in the middle of a search: the search goes on with Python's rules, and says so once."""

import warnings
from typing import NamedTuple
from weakref import WeakValueDictionary

import pytest

import zermelo
from zermelo import engine
from zermelo.engine import InterpretedWarning, compile_game
from zermelo.engine.rules import compiler
from zermelo.equilibrium.extensive import extensive_form
from zermelo.errors import CompileError, RefusedError


class Growing(zermelo.Game):
    """Players double a number, or double and add one; it leaves 64 bits before the game is over."""

    class State(NamedTuple):
        n: int
        left: int

    def initial(self):
        return self.State(1 << 60, 6)

    def player(self, s):
        return s.left % self.players

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, a):
        return self.State(s.n * 2 + a, s.left - 1)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return 1.0 if (s.n % 3 == 0) == (p == 0) else -1.0


class GrowingAlone(Growing):
    players = 1
    utility_sum = None


class GrowingThree(Growing):
    players = 3
    utility_sum = None


class GrowingDice(Growing):
    def player(self, s):
        return -1 if s.left == 6 else s.left % 2

    def chances(self, s):
        yield 0, 0.5
        yield 1, 0.5


class GrowingHidden(Growing):
    def view(self, s, p):
        return s.n // 2


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test has given up is not given up in the next."""
    monkeypatch.setattr(compiler, "_made", WeakValueDictionary())


def told_once(function):
    with pytest.warns(InterpretedWarning, match=r"test_refused_numbers\.py:\d+: `\w+`.* needs a number") as caught:
        found = function()
    assert len(caught) == 1
    assert caught[0].filename == __file__
    return found


@pytest.mark.parametrize("kind", [Growing, GrowingAlone, GrowingThree, GrowingDice])
def test_a_search_goes_on_in_python(kind) -> None:
    game = kind()
    expected = zermelo.maxn(game) if kind is GrowingThree else zermelo.expectiminimax(game)
    found = told_once(lambda: engine.search(game, depth=20))
    assert found.value == expected.value
    assert found.exact


def test_a_proof_goes_on_in_python() -> None:
    assert told_once(lambda: engine.solve(Growing())).value == zermelo.minimax(Growing()).value


def test_a_strong_solution_goes_on_in_python() -> None:
    solved = told_once(lambda: engine.solve(Growing(), strongly=True))
    assert solved.value() == zermelo.minimax(Growing()).value


def test_simulations_go_on_in_python() -> None:
    found = told_once(lambda: engine.mcts(Growing(), simulations=2000))
    assert found.value == zermelo.minimax(Growing()).value
    assert found.exact


def test_counting_goes_on_in_python() -> None:
    assert told_once(lambda: engine.perft(Growing(), depth=6)).leaves == 64


def test_a_tree_goes_on_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.equilibrium.extensive.INTERPRETED", 3)
    assert len(told_once(lambda: extensive_form(GrowingHidden())).arrays.first) == 127


def test_a_searcher_says_it_once_and_thinks_on() -> None:
    searcher = engine.Searcher(Growing())
    depths = told_once(lambda: [found.depth for found in searcher.think(limits=zermelo.Limits(depth=8))])
    assert depths[-1] == 6
    assert "needs a number" in searcher.why_textbook
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert searcher.search(limits=zermelo.Limits(depth=8)).exact


def test_rules_that_were_given_up_stay_with_python() -> None:
    told_once(lambda: engine.perft(Growing(), depth=6))
    with pytest.raises(CompileError, match="needs a number"):
        compile_game(Growing())


@pytest.mark.parametrize(
    ("change", "ask", "rule"),
    [
        ({}, lambda compiled, s: compiled.step(s(1 << 62, 6), 1), "`result`"),
        ({}, lambda compiled, s: compiled.step(s(1 << 61, 1), 1), "`is_terminal` or `utility`"),
        ({}, lambda compiled, s: compiled.info(s(1 << 62, 0)), "`is_terminal` or `utility`"),
        ({"player": lambda self, s: s.n * 8 % 2}, lambda c, s: c.info(s(1 << 62, 3)), "`is_terminal` or `player`"),
        ({"evaluate": lambda self, s, p: s.n * 8 % 7}, lambda c, s: c.ask("evaluate", s(1 << 62, 3), 0), "`evaluate`"),
        ({"actions": lambda self, s: [s.n * 8 % 2]}, lambda c, s: c.actions(s(1 << 62, 3)), "`actions`"),
    ],
)
def test_the_rule_is_named(change, ask, rule) -> None:
    own = {"utility_sum": None, "utility": lambda self, s, p: 0.5 * (s.n * 4 % 2)}
    kind = type("Changed", (Growing,), {**own, **change})
    compiled = compile_game(kind())
    with pytest.raises(RefusedError, match=rf"^tests/engine/test_refused_numbers\.py:\d+: {rule} of Changed needs"):
        ask(compiled, kind.State)


class Beginning(Growing):
    def initial(self):
        return self.State(1 << 70, 6)


def test_an_initial_state_beyond_64_bits_is_not_compiled() -> None:
    with pytest.warns(InterpretedWarning, match="does not fit 64 bits"):
        assert engine.search(Beginning(), depth=6).exact


def test_a_position_beyond_64_bits_is_searched_in_python() -> None:
    game = Growing()
    with pytest.warns(InterpretedWarning, match="does not fit 64 bits"):
        assert engine.search(game, game.State(1 << 64, 6), depth=20).exact
