"""The lectures' own examples, with their own numbers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from tests.search.trees import trees
from zermelo.games.tictactoe import TicTacToe

TWO_PLY = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
EIGHT_STEPS = [[[2, 3], [5, 9]], [[0, 1], [7, 5]]]


def events(analysis: z.Analysis, kind: str, name: str | None = None) -> list[dict[str, Any]]:
    """The events of one kind, of the node called `name` if one is given."""
    trace = analysis.trace
    names = {e["node"]: e["name"] for e in trace.events if e["event"] == "enter"}
    return [e for e in trace.events if e["event"] == kind and (name is None or names[e["node"]] == name)]


def returned(analysis: z.Analysis) -> dict[str, float]:
    """What each inner node returned, by name."""
    names = {e["node"]: e["name"] for e in analysis.trace.events if e["event"] == "enter"}
    return {names[e["node"]]: e["value"] for e in analysis.trace.events if e["event"] == "leave"}


def test_two_ply_tree_is_worth_3_by_the_first_action() -> None:
    game = z.Tree(TWO_PLY)
    found = z.minimax(game, trace=True)
    assert (found.value, game.show_action(game.initial(), found.action), found.leaves) == (3, "a1", 9)
    assert returned(found) == {"A": 3, "B": 3, "C": 2, "D": 2}


def test_two_ply_tree_by_alphabeta_looks_at_seven_leaves_and_skips_4_and_6() -> None:
    found = z.alphabeta(z.Tree(TWO_PLY), trace=True)
    assert (found.value, found.leaves, found.nodes, found.cutoffs) == (3, 7, 11, 1)
    (cut,) = events(found, "cutoff")
    assert (cut["value"], cut["bound"], cut["reason"]) == (2, 3, "alpha")
    assert [skipped["tree"] for skipped in cut["skipped"]] == [4, 6]


def test_uneven_tree() -> None:
    game = z.Tree({"max": {"s1": [7, -6, 4], "s2": [3, 9], "s3": [-10, 2]}})
    found = z.minimax(game)
    assert found.value == 3
    assert game.show_action(game.initial(), found.action) == "s2"
    assert list(found.actions.values()) == [-6, 3, -10]


def test_four_layers() -> None:
    found = z.minimax(z.Tree([[[-1, 4], [2, 6]], [[-3, -5], [0, 7]]]), trace=True)
    assert returned(found) == {"A": 4, "B": 4, "C": -3, "D": 4, "E": 6, "F": -3, "G": 7}


def test_alphabeta_in_eight_steps_fail_soft() -> None:
    found = z.alphabeta(z.Tree(EIGHT_STEPS), trace=True)
    assert returned(found) == {"A": 3, "B": 3, "C": 1, "D": 3, "E": 5, "F": 1}
    assert [w["alpha"] for w in events(found, "window", "D")] == [2, 3]
    assert [w["beta"] for w in events(found, "window", "B")] == [3]
    assert [w["alpha"] for w in events(found, "window", "E")] == [5]
    assert [w["alpha"] for w in events(found, "window", "A")] == [3]
    assert events(found, "window", "F") == []
    cut_at_e, cut_at_c = events(found, "cutoff")
    assert [s["tree"] for s in cut_at_e["skipped"]] == [9]
    assert [s["tree"] for s in cut_at_c["skipped"]] == [{"name": "G", "max": {"g1": 7, "g2": 5}}]


def test_alphabeta_in_eight_steps_fail_hard_has_the_same_cuts() -> None:
    found = z.alphabeta(z.Tree(EIGHT_STEPS), trace=True, hard=True)
    assert returned(found) == {"A": 3, "B": 3, "C": 3, "D": 3, "E": 3, "F": 3}
    assert [[s["label"] for s in cut["skipped"]] for cut in events(found, "cutoff")] == [["e2"], ["c2"]]


def test_cuts_in_a_deeper_tree() -> None:
    first = {"max": [{"min": [3, 17]}, {"min": [2, 12]}]}
    second = {"max": [{"name": "n2", "min": [15, 99, 98]}, {"min": [97]}]}
    game = z.Tree({"max": [{"name": "n1", "min": [first, {"name": "late", **second}]}]})
    found = z.alphabeta(game, trace=True)
    assert found.value == 3
    skipped = [[s["tree"] for s in cut["skipped"]] for cut in events(found, "cutoff")]
    assert skipped[0] == [12]
    assert returned(found)["n1"] == 3
    assert returned(found)["late"] >= 15


def test_a_first_grandchild_of_15_cuts_the_rest_of_its_parent() -> None:
    game = z.Tree({"max": [{"min": [{"max": [{"min": [3, 17]}, {"min": [2, 12]}]}, {"max": [15, 99, 98]}]}]})
    cut = z.alphabeta(game, trace=True).trace.events
    last = [e for e in cut if e["event"] == "cutoff"][-1]
    assert (last["value"], last["bound"], [s["tree"] for s in last["skipped"]]) == (15, 3, [99, 98])


def test_a_deep_cut_takes_its_bound_from_further_up_than_the_parent() -> None:
    # A is sure of 5 by a1. Three plies down, at the MIN node E, 4 ≤ 5 cuts, though neither D nor C knows a bound.
    game = z.Tree({"max": [5, {"name": "C", "min": [{"name": "D", "max": [{"name": "E", "min": [4, 99]}]}]}]})
    found = z.alphabeta(game, trace=True)
    (cut,) = events(found, "cutoff", "E")
    parent = {e["node"]: e["parent"] for e in found.trace.events if e["event"] == "enter"}
    assert cut["bound_from"] == 0
    assert parent[cut["node"]] != 0
    assert found.value == 5


def test_minimax_tree_of_the_second_deck() -> None:
    assert z.minimax(z.Tree([[6, 4], [2, 9]])).value == 4


def test_evaluation_of_a_category_is_its_expected_value() -> None:
    game = z.Tree({"chance": [[0.72, 1], [0.20, -1], [0.08, 0]]})
    assert z.expectiminimax(game).value == pytest.approx(0.52)


@pytest.mark.parametrize("pruning", [None, "star1", "star2"])
def test_an_order_preserving_relabelling_changes_expectiminimax(pruning: str | None) -> None:
    def tree(one: int, two: int, three: int, four: int) -> z.Tree:
        left = {"chance": [[0.9, {"min": [two, two]}], [0.1, {"min": [three, three]}]]}
        right = {"chance": [[0.9, {"min": [one, one]}], [0.1, {"min": [four, four]}]]}
        return z.Tree({"max": {"first": left, "second": right}})

    before = z.expectiminimax(tree(1, 2, 3, 4), pruning=pruning)
    after = z.expectiminimax(tree(1, 20, 30, 400), pruning=pruning)
    assert (before.action, before.value) == (0, pytest.approx(2.1))
    assert (after.action, after.value) == (1, pytest.approx(40.9))
    if pruning is None:
        assert list(before.actions.values()) == pytest.approx([2.1, 1.3])
        assert list(after.actions.values()) == pytest.approx([21, 40.9])


@given(trees(), st.integers(0, 2))
def test_minimax_is_unmoved_by_an_order_preserving_relabelling(data: Any, power: int) -> None:
    def relabelled(node: Any) -> Any:
        return [relabelled(child) for child in node] if isinstance(node, list) else (node + 50) ** (power + 1)

    before, after = z.minimax(z.Tree(data)), z.minimax(z.Tree(relabelled(data)))
    assert after.action == before.action
    assert after.value == relabelled(before.value)


def test_tic_tac_toe_is_a_draw_with_549946_nodes_and_255168_games() -> None:
    found = z.minimax(TicTacToe())
    assert (found.value, found.nodes, found.leaves, found.exact) == (0, 549_946, 255_168, True)


def test_a_zero_window_fails_high_and_is_searched_again() -> None:
    game = z.Tree([[3, 5], [4, 9]])
    found = z.pvs(game, trace=True)
    (again,) = events(found, "research")
    scouted = [e for e in events(found, "enter") if e["label"] == "a2"]
    assert [(e["alpha"], e["beta"]) for e in scouted] == [(3, 4), (4, float("inf"))]
    assert (again["alpha"], again["beta"]) == (4, float("inf"))
    assert found.value == 4


def test_a_zero_window_in_the_opponents_view_is_minus_4_to_minus_3() -> None:
    found = z.pvs(z.Tree([[3, 5], [4, 9]]), trace=True, view="mover")
    scouted = [e for e in events(found, "enter") if e["label"] == "a2"]
    assert [(e["alpha"], e["beta"]) for e in scouted] == [(-4, -3), (float("-inf"), -4)]
    assert [e["value"] for e in events(found, "leave", "C")] == [-4, -4]


@given(trees(), st.randoms())
def test_against_a_poor_opponent_the_minimax_strategy_never_gets_less(data: Any, random: Any) -> None:
    game = z.Tree(data)
    s = game.initial()
    promised = z.alphabeta(game).value
    while not game.is_terminal(s):
        actions = list(game.actions(s))
        s = game.result(s, z.alphabeta(game, s).action if game.player(s) == 0 else random.choice(actions))
    assert game.utility(s, 0) >= promised


def test_the_decks_chance_tree_in_exact_decimals() -> None:
    """Deck 002's probabilities .8 .3 .6 .4 .3 over MIN nodes with the leaves 3 5 3 7 2, in a reading that adds up."""
    game = z.Tree(
        {
            "max": {
                "left": {"chance": [[0.8, {"min": [3, 5]}], [0.2, {"min": [3]}]]},
                "middle": {"chance": [[0.3, {"min": [3, 5]}], [0.4, {"min": [7]}], [0.3, {"min": [2, 3]}]]},
                "right": {"chance": [[0.6, {"min": [5, 7]}], [0.4, {"min": [2]}]]},
            }
        }
    )
    found = z.expectiminimax(game, trace=True)
    assert game.show_action(game.initial(), found.action) == "middle"
    assert list(found.actions.values()) == pytest.approx([3, 4.3, 3.8], abs=1e-12)
    text = found.trace.text()
    assert [line.split()[-1] for line in text.splitlines() if "sum" in line][-1] == "3.8"
    for shown in ("sum 2.4\n", "sum 0.9\n", "sum 3.7\n", "sum 4.3\n", "→ middle, worth 4.3"):
        assert shown in text
    assert z.expectiminimax(game, pruning="star1").value == pytest.approx(4.3)


def test_the_minimax_tree_with_seven_leaves() -> None:
    """Deck 002's leaves 3 3 9 5 7 6 2 under three MIN nodes."""
    game = z.Tree([[3, 3], [9, 5], [7, 6, 2]])
    found = z.minimax(game, trace=True)
    assert returned(found) == {"A": 5, "B": 3, "C": 5, "D": 2}
    assert (found.action, found.leaves) == (1, 7)
    assert (z.alphabeta(game).value, z.alphabeta(game).leaves) == (5, 7)
