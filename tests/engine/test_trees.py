"""Trees written down run natively as data: the rules are those of Python, and nothing is compiled."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.search.trees import chance_trees, moved_trees, trees

import zermelo as z
from zermelo.engine.agreement import difference_at
from zermelo.engine.compiled import compile_game
from zermelo.engine.rules import compiler
from zermelo.engine.trees import TreeRules

MANY = {"player": 2, "children": [(1, 2, 3), {"player": 1, "children": [(0, 0, 9), (5, 5, 0)]}]}
TOLD = {"max": {"x": {"min": [1, 5], "estimate": 3}, "y": {"min": [2, 4]}, "z": 3}, "noisy": ["x"]}


def assert_same_rules(game: z.Tree) -> None:
    rules = compile_game(game)
    assert isinstance(rules, TreeRules)
    for node in range(len(game.movers)):
        s = game.State(node)
        assert difference_at(game, rules, s) == ""
        if game.is_terminal(s):
            continue
        for p in range(game.players if game.can("evaluate") else 0):
            assert rules.ask("evaluate", s, p) == game.evaluate(s, p)
        for a in game.actions(s) if game.can("is_noisy") else ():
            assert rules.ask("is_noisy", s, a) == game.is_noisy(s, a)


@given(st.one_of(trees(), moved_trees(), chance_trees()))
def test_every_node_has_the_rules_of_python(data: object) -> None:
    assert_same_rules(z.Tree(data))


@pytest.mark.parametrize("data", [MANY, TOLD, {"chance": {"heads": [0.5, 1], "tails": [0.5, (1, -1)]}}])
def test_players_estimates_noise_and_chance_are_those_of_python(data: object) -> None:
    assert_same_rules(z.Tree(data))


@given(trees(), st.integers(0, 4))
def test_native_minimax_and_alphabeta_are_the_textbooks_node_for_node(data: object, depth: int) -> None:
    game = z.Tree(data)
    rules, s = compile_game(game), game.initial()
    for textbook, found in (
        (z.minimax(game, depth=depth), rules.minimax(s, depth)),
        (z.alphabeta(game, depth=depth), rules.alphabeta(s, depth)),
    ):
        assert (found.value, found.line, found.nodes) == (textbook.value, textbook.line, textbook.nodes)


@given(chance_trees())
def test_a_tree_with_chance_is_solved_as_the_textbook_does(data: object) -> None:
    game = z.Tree(data)
    assert z.solve(game).value == pytest.approx(z.expectiminimax(game).value, abs=1e-9)


def test_estimates_decide_at_the_depth_limit() -> None:
    game = z.Tree({"max": {"x": {"min": [1, 5], "estimate": 4}, "y": {"min": [2, 4], "estimate": 2}}})
    assert z.search(game, depth=1).action == 0
    assert z.search(game, depth=2).action == 1


def test_a_tree_with_more_children_than_a_buffer_has_them_all() -> None:
    game = z.Tree([[i, 2000 - i] for i in range(1500)])
    assert compile_game(game).actions(game.initial()) == list(range(1500))
    assert z.solve(game).action == 1000


def test_nothing_is_compiled_for_trees() -> None:
    code = (
        "import sys, zermelo as z\n"
        "for i in range(20):\n"
        "    z.search(z.Tree([[i, 12, 8], [2, 4, i]])), z.solve(z.Tree({'chance': [[0.5, i], [0.5, 3]]}))\n"
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"
    known = len(compiler._made)
    z.search(z.Tree([[31, 12], [2, 41]]))
    assert len(compiler._made) == known


def test_a_subclass_may_change_what_is_shown_but_its_rules_are_its_own() -> None:
    class Named(z.Tree):
        def show_action(self, s: z.Tree.State, a: int) -> str:
            return f"go {a}"

    class First(z.Tree):
        def utility(self, s: z.Tree.State, p: int) -> float:
            return 2.0 - s.node if p == 0 else s.node - 2.0

    assert isinstance(compile_game(Named([1, 2])), TreeRules)
    assert not isinstance(compile_game(First([1, 2])), TreeRules)
    assert z.search(Named([1, 2])).action == 1
    assert z.search(First([1, 2])).action == 0


def test_an_engine_refuses_a_tree_that_has_changed_since_it_was_made() -> None:
    game = z.Tree([1, 2])
    engine = z.Engine(game)
    assert engine.search().action == 1
    game.payoffs[2] = 5.0
    game.bounds = (-5.0, 5.0)
    with pytest.raises(z.ContractError, match=r"payoffs has changed"):
        engine.search()
    assert z.Engine(game).search().action == 0


def test_a_node_that_does_not_exist_raises_as_in_python() -> None:
    game = z.Tree([1, 2])
    with pytest.raises(IndexError):
        compile_game(game).info(game.State(7))
