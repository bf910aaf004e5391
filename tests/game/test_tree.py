"""Trees as data: what can be written down, what is refused, and any game as such data."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from tests.search.trees import chance_trees, trees
from zermelo.errors import InputError, MethodError, PositionError, TreeError
from zermelo.games import load


def test_nodes_and_actions_are_named_as_in_the_lectures() -> None:
    game = z.Tree("[[3,12,8],[2,4,6],[14,5,2]]")
    root = game.initial()
    assert [game.show_action(root, a) for a in game.actions(root)] == ["a1", "a2", "a3"]
    assert [game.node_name(game.result(root, a)) for a in game.actions(root)] == ["B", "C", "D"]


def test_movers_alternate_in_lists_and_can_be_said() -> None:
    game = z.Tree([[1, [2, 3]], {"max": [4, 5]}])
    root = game.initial()
    movers = [game.player(game.result(root, a)) for a in game.actions(root)]
    assert movers == [1, 0]


def test_chance_nodes_have_probabilities() -> None:
    game = z.Tree('{"chance": {"heads": [0.5, 1], "tails": [0.5, -1]}}')
    assert list(game.chances(game.initial())) == [(0, 0.5), (1, 0.5)]
    assert game.can("chances")
    assert not z.Tree([1, 2]).can("chances")


def test_payoffs_for_three_players() -> None:
    game = z.Tree({"player": 2, "children": [(1, 2, 3), {"player": 1, "children": [(0, 0, 9), (5, 5, 0)]}]})
    assert game.players == 3
    assert game.utility_sum is None
    assert z.maxn(game).values == (1, 2, 3)


def test_facts_follow_from_the_ends() -> None:
    assert z.Tree([3, [1, -7]]).bounds == (-7, 7)
    assert z.Tree([3, [1, -7]]).scale == 1.0
    assert z.Tree([0.5, 1]).scale is None
    assert z.Tree([(2, 3), (4, 1)]).utility_sum == 5
    assert z.Tree([(2, 3), (4, 4)]).utility_sum is None


@pytest.mark.parametrize(
    "written",
    [
        '{"max": {"a": 5, "a": 3}}',
        "{'max': {'a': 5, 'a': 3}}",
        '{"max": [1, 2], "max": [3, 4]}',
        '{"max": [1, {"min": {"": 5, "": 3}}]}',
        "{'chance': {'x': (0.5, 1), 'x': (1.0, 2)}}",
        {"max": {1: 5, "1": 3}},
    ],
)
def test_a_name_that_is_there_twice_in_one_record_is_refused(written) -> None:
    with pytest.raises(TreeError, match=r"is there twice in one record"):
        z.Tree(written)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "[[3,12,8],[2,4",
        "[[3,12,8],[]]",
        "hello[",
        '["a"]',
        "[true]",
        "[1, null]",
        "[1e999]",
        "[NaN]",
        '{"max": []}',
        '{"max": [1], "min": [2]}',
        '{"maximum": [1]}',
        '{"chance": [1, 2]}',
        '{"chance": [[0.5, 1], [0.4, 2]]}',
        '{"chance": [[1.5, 1], [-0.5, 2]]}',
        '{"chance": [["half", 1], [0.5, 2]]}',
        '{"player": "me", "children": [1]}',
        '{"player": 99, "children": [1]}',
        '{"payoffs": []}',
        '{"payoffs": 3}',
        '{"max": 3}',
        '{"max": [1], "estimate": "high"}',
        '{"max": [1], "noisy": 3}',
        "[(1, 2, 3), (1, 2)]",
        "{1: 2}",
        "[{1, 2}]",
        "[" * 5000,
    ],
)
def test_malformed_trees_are_refused_in_one_line(text: str) -> None:
    with pytest.raises(TreeError) as refused:
        z.Tree(text)
    assert "\n" not in str(refused.value)


def test_a_tree_may_be_deeper_than_python_nests() -> None:
    assert z.alphabeta(z.Tree("[" * 300 + "1" + "]" * 300)).value == 1


@given(st.text(max_size=60) | st.text("[]{}(),:\"'0123456789.e-maxinchplyero ", max_size=60))
def test_no_text_does_worse_than_an_error_of_ours(text: str) -> None:
    try:
        game = z.Tree(text)
    except InputError:
        return
    assert z.expectiminimax(game).exact if game.utility_sum is not None else z.maxn(game).exact


@given(chance_trees() | trees())
def test_the_tree_of_a_tree_is_the_same_game(data: Any) -> None:
    game = z.Tree(data)
    again = z.tree(game)
    assert z.expectiminimax(game).value == z.expectiminimax(again).value
    assert z.expectiminimax(game).nodes == z.expectiminimax(again).nodes
    assert z.expectiminimax(z.Tree(game.subtree(game.initial(), 10_000))).value == z.expectiminimax(game).value


def test_the_tree_of_a_game_keeps_its_value_and_notation() -> None:
    game = load("tictactoe")
    near_the_end = game.read("xox/oxo/...")
    data = z.tree(game, state=near_the_end)
    assert z.minimax(data).value == z.minimax(game, near_the_end).value
    assert [data.show_action(data.initial(), a) for a in data.actions(data.initial())] == ["a1", "b1", "c1"]


def test_a_tree_cut_at_a_depth_ends_in_estimates() -> None:
    game = load("connect4")
    data = z.tree(game, 2)
    assert z.minimax(data).nodes == 1 + 7 + 49
    with pytest.raises(MethodError, match="more than 100,000 nodes"):
        z.tree(game)


def test_the_tree_of_a_game_of_three_and_of_a_game_of_chance() -> None:
    three = load("kingmaker")
    cut = z.tree(three, 4)
    assert cut.players == 3
    assert z.maxn(cut).nodes == z.maxn(three, depth=4).nodes
    race = load("race")
    assert z.expectiminimax(z.tree(race, 3)).value == pytest.approx(z.expectiminimax(race, depth=3).value)


def test_a_position_is_a_name_or_a_number() -> None:
    game = z.Tree([[3, 12], [2, 4]])
    assert game.read("C") == game.State(2)
    assert game.read("3") == game.State(3)
    for text in ("X", "7", "-1", ""):
        with pytest.raises(PositionError):
            game.read(text)


def test_too_large_a_tree_is_refused() -> None:
    wide = [[0] * 1001] * 1000
    with pytest.raises(TreeError, match="1,000,000"):
        z.Tree(wide)
