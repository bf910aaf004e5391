"""What must hold for every tree: the searches agree, windows mean what they say, counts are what theory says."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.search.trees import chance_trees, moved_trees, trees, uniform, value_of
from zermelo.games import load

THOUSANDS = settings(max_examples=1500, deadline=None)
WINDOWS = st.tuples(st.integers(-22, 22), st.integers(-22, 22)).filter(lambda w: w[0] < w[1])
REAL_LEAVES = st.floats(-20, 20, allow_nan=False, width=32)
RULES = ("previous", "winning", "killers", "history")


@THOUSANDS
@given(trees())
def test_alphabeta_is_minimax_and_never_visits_more_nodes(data: Any) -> None:
    game = z.Tree(data)
    plain, pruned = z.minimax(game), z.alphabeta(game)
    assert plain.value == pruned.value == value_of(game, game.initial())
    assert (plain.action, plain.line) == (pruned.action, pruned.line)
    assert pruned.nodes <= plain.nodes
    assert pruned.leaves <= plain.leaves
    assert pruned.exact
    assert pruned.cutoffs == 0 or pruned.nodes < plain.nodes


@THOUSANDS
@given(moved_trees(), WINDOWS, st.booleans())
def test_the_window_theorem(data: Any, window: tuple[int, int], hard: bool) -> None:
    game = z.Tree(data)
    alpha, beta = window
    truth = value_of(game, game.initial())
    found = z.alphabeta(game, window=window, hard=hard).value
    assert (found <= alpha) == (truth <= alpha)
    assert (found >= beta) == (truth >= beta)
    if alpha < truth < beta:
        assert found == truth
    if hard:
        assert alpha <= found <= beta


@THOUSANDS
@given(moved_trees(), st.integers(-22, 22))
def test_a_zero_window_answers_yes_or_no(data: Any, bound: int) -> None:
    game = z.Tree(data)
    found = z.zero_window(game, bound)
    truth = value_of(game, game.initial())
    assert (found.value >= bound) == (truth >= bound)
    assert found.bounds[0] <= truth <= found.bounds[1]


@THOUSANDS
@given(moved_trees(), st.booleans(), st.sets(st.sampled_from(RULES)), st.booleans(), st.booleans())
def test_sound_techniques_leave_the_value_alone(
    data: Any, table: bool, rules: set[str], quick: bool, deepen: bool
) -> None:
    game = z.Tree(data)
    truth = value_of(game, game.initial())
    options: Any = {"table": table, "order": sorted(rules), "quick": quick, "deepen": deepen}
    for method in (z.alphabeta, z.pvs, z.mtdf):
        found = method(game, **options)
        assert found.value == truth, method
        assert found.exact
        assert play_out(game, found.line) == truth


@THOUSANDS
@given(trees(REAL_LEAVES))
def test_values_need_not_be_whole(data: Any) -> None:
    game = z.Tree(data)
    truth = value_of(game, game.initial())
    assert z.alphabeta(game).value == z.pvs(game).value == z.mtdf(game).value == z.negamax(game).value == truth


@given(trees())
def test_negamax_is_minimax_node_for_node(data: Any) -> None:
    game = z.Tree(data)
    plain, one_sided = z.minimax(game, trace=True), z.negamax(game, trace=True)
    assert (plain.value, plain.action, plain.nodes) == (one_sided.value, one_sided.action, one_sided.nodes)
    minimising = {e["node"] for e in plain.trace.events if e["event"] == "enter" and e["kind"] == "min"}
    for theirs, ours in zip(plain.trace.events, one_sided.trace.events, strict=True):
        if theirs["event"] in ("leave", "value"):
            sign = -1 if theirs["node"] in minimising else 1
            assert ours["value"] == sign * theirs["value"]


@given(trees(), st.integers(1, 4))
def test_maxn_of_two_players_with_opposed_utilities_is_minimax(data: Any, depth: int) -> None:
    game = z.Tree(data)
    assert z.maxn(game).values == z.minimax(game).values
    assert z.maxn(game, depth=depth).nodes == z.minimax(game, depth=depth).nodes


@given(trees(), st.integers(-9, 9))
def test_a_constant_sum_other_than_zero_changes_nothing(data: Any, total: int) -> None:
    def shared(node: Any) -> Any:
        return [shared(c) for c in node] if isinstance(node, list) else {"payoffs": [node, total - node]}

    zero, constant = z.Tree(data), z.Tree(shared(data))
    assert constant.utility_sum == total
    first, second = z.alphabeta(zero), z.alphabeta(constant)
    assert (first.value, first.action, first.nodes) == (second.value, second.action, second.nodes)
    assert second.values == (second.value, total - second.value)


@THOUSANDS
@given(chance_trees())
def test_star_pruning_is_expectiminimax_with_fewer_nodes(data: Any) -> None:
    game = z.Tree(data)
    truth = value_of(game, game.initial())
    plain = z.expectiminimax(game)
    star1 = z.expectiminimax(game, pruning="star1")
    star2 = z.expectiminimax(game, pruning="star2")
    assert plain.value == pytest.approx(truth)
    assert star1.value == star2.value == plain.value
    assert star1.action == plain.action
    assert star1.nodes <= plain.nodes


@THOUSANDS
@given(chance_trees(), WINDOWS, st.sampled_from(["star1", "star2"]), st.booleans())
def test_the_window_theorem_with_chance(data: Any, window: tuple[int, int], pruning: str, table: bool) -> None:
    game = z.Tree(data)
    alpha, beta = window
    truth = z.expectiminimax(game).value
    found = z.expectiminimax(game, pruning=pruning, window=window, table=table).value
    assert (found <= alpha + 1e-9) >= (truth <= alpha)
    assert (found >= beta - 1e-9) >= (truth >= beta)
    if alpha < truth < beta:
        assert found == pytest.approx(truth)


@pytest.mark.parametrize(("branching", "depth"), [(1, 5), (2, 1), (2, 6), (3, 4), (4, 3), (5, 4), (7, 2)])
def test_perfect_order_looks_at_the_fewest_leaves_there_are(branching: int, depth: int) -> None:
    # Equal leaves are in perfect order: Knuth and Moore count b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
    game = z.Tree(uniform(branching, depth, iter(lambda: 0, 1)))
    assert z.alphabeta(game).leaves == branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


@pytest.mark.parametrize(("branching", "depth"), [(2, 4), (2, 7), (3, 4), (4, 3)])
def test_the_worst_order_looks_at_every_leaf(branching: int, depth: int) -> None:
    assert z.alphabeta(z.Tree(worst(branching, depth))).leaves == branching**depth


def worst(branching: int, depth: int) -> Any:
    """A uniform tree in which every child is better for its mover than the ones before, so that nothing is cut."""

    def grow(level: int, low: float, high: float) -> Any:
        if level == 0:
            return (low + high) / 2
        step = (high - low) / branching
        bands = [(low + i * step, low + (i + 1) * step) for i in range(branching)]
        ordered = bands if (depth - level) % 2 == 0 else bands[::-1]
        return [grow(level - 1, *band) for band in ordered]

    return grow(depth, 0.0, float(2**20))


@given(trees(), st.integers(0, 6))
def test_a_depth_limit_at_or_beyond_the_end_is_no_limit(data: Any, depth: int) -> None:
    game = z.Tree(data)
    limited = z.alphabeta(game, depth=depth)
    assert limited.depth == depth
    if limited.exact:
        assert limited.value == value_of(game, game.initial())


@given(trees(), st.integers(1, 40))
def test_a_node_limit_is_kept_and_leaves_a_legal_action(data: Any, nodes: int) -> None:
    game = z.Tree(data)
    found = z.alphabeta(game, nodes=nodes)
    assert found.nodes <= nodes
    assert found.action in list(game.actions(game.initial()))
    if found.stopped:
        assert found.stopped == "nodes"
        assert not found.exact
        assert found.bounds[0] <= value_of(game, game.initial()) <= found.bounds[1]


@pytest.mark.parametrize("name", ["tictactoe", "connect4:columns=4,rows=4", "nim:heaps=1/2/3", "hexapawn"])
def test_every_search_proves_the_same_value_of_a_whole_game(name: str) -> None:
    game = load(name)
    values = {z.alphabeta(game, table=True).value, z.pvs(game, table=True, order="best").value}
    values |= {z.mtdf(game).value, z.solve(game).value, z.maxn(game, table=True).value}
    assert len(values) == 1


def play_out(game: z.Game, line: tuple[Any, ...]) -> float:
    """What MAX gets at the end of `line`."""
    s = game.initial()
    maximiser = game.player(s)
    for action in line:
        s = game.result(s, action)
    assert game.is_terminal(s)
    return game.utility(s, maximiser)
