"""Traps that ordinary tests do not find: paths, tables that outlive a search, bold estimates."""

import random
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from zermelo.errors import MethodError
from zermelo.search import search as textbook_search
from zermelo.search.algorithms import ALGORITHMS


class Graph(z.Game):
    """A game on a graph that is written down: who moves where, where to, and what the ends are worth."""

    def __init__(
        self,
        repetition: Any,
        movers: list[int],
        edges: dict[int, list[int]],
        ends: dict[int, float],
        estimates: dict[int, float] | None = None,
    ):
        self.repetition = repetition
        self.movers = movers
        self.edges = edges
        self.ends = ends
        self.estimates = estimates or {}

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return self.movers[s]

    def actions(self, s: int) -> list[int]:
        return self.edges.get(s, [])

    def result(self, s: int, a: int) -> int:
        return a

    def is_terminal(self, s: int) -> bool:
        return s not in self.edges

    def utility(self, s: int, p: int) -> float:
        return self.ends[s] * (1, -1)[p]

    def evaluate(self, s: int, p: int) -> float:
        return self.estimates.get(s, 0.0) * (1, -1)[p]


class CheckGraph(Graph):
    """A graph in some of whose places the mover is in check."""

    checks: frozenset[int] = frozenset()

    def is_check(self, s: int) -> bool:
        return s in self.checks


def random_graph(seed: int, repetition: str) -> Graph:
    """Up to seven places, some of them ends; with a way out of every place where repetition is forbidden."""
    dice = random.Random(seed)
    size = dice.randint(3, 7)
    ends = {place: dice.choice([-1.0, 0.0, 1.0]) for place in range(size, size + 3)}
    edges = {place: dice.sample(range(size + 3), dice.randint(1, 3)) for place in range(size)}
    if repetition == "forbidden":
        edges = {place: [*targets, dice.choice(list(ends))] for place, targets in edges.items()}
        edges = {place: list(dict.fromkeys(targets)) for place, targets in edges.items()}
    estimates = {place: dice.uniform(-0.9, 0.9) for place in range(size)}
    movers = [dice.randint(0, 1) for _ in range(size)]
    if repetition != "perpetual":
        return Graph(repetition, movers, edges, ends, estimates)
    game = CheckGraph(repetition, movers, edges, ends, estimates)
    game.checks = frozenset(place for place in range(size) if dice.random() < 0.6)
    return game


def perpetual(checks: set[int]) -> CheckGraph:
    """Two players go round four places; player 0 may stop in the first, with a loss."""
    game = CheckGraph("perpetual", [0, 1, 0, 1], {0: [1, 4], 1: [2], 2: [3], 3: [0]}, {4: -0.5})
    game.checks = frozenset(checks)
    return game


@pytest.mark.parametrize(
    ("checks", "value"),
    [(set(), 0.0), ({1, 3}, -0.5), ({1}, 0.0), ({0, 2}, 1.0), ({0, 1, 2, 3}, 0.0), ({0, 1, 2}, 1.0)],
)
def test_perpetual_check_loses_unless_both_give_it(checks: set[int], value: float) -> None:
    game = perpetual(checks)
    for method in (z.minimax, z.alphabeta, z.pvs, z.mtdf):
        assert (method(game).value, method(game).exact) == (value, True)


def test_perpetual_check_counts_from_the_games_history_on() -> None:
    game = perpetual({1, 3})
    assert z.minimax(game, 2, history=[0, 1]).value == -1.0  # no way to stop before the first place is back
    game.checks = frozenset({3})
    assert z.minimax(game, 2, history=[0, 1]).value == 0.0
    game.occurrences = 3
    game.checks = frozenset({1, 3})
    assert z.minimax(game, 2, history=[0, 1]).value == -0.5
    assert z.minimax(game, 2, history=[0, 1, 2, 3, 0, 1]).value == -1.0


@pytest.mark.parametrize("repetition", ["draw", "loses", "forbidden", "perpetual"])
def test_cycles_and_tables_prove_what_plain_minimax_proves(repetition: str) -> None:
    for seed in range(150):
        game = random_graph(seed, repetition)
        truth = z.minimax(game).value
        kinds: list[Any] = [{}, {"deepen": True}, {"quick": True, "order": "best"}]
        for options in kinds:
            for method in (z.alphabeta, z.pvs, z.mtdf):
                found = method(game, table=True, **options)
                assert (found.value, found.exact) == (truth, True), (seed, method, options)


def test_forbidden_positions_do_not_get_into_the_table() -> None:
    game = Graph("forbidden", [1, 1, 0], {0: [2, 4, 1], 1: [2, 5], 2: [3, 1]}, {3: -1.0, 4: 1.0, 5: 1.0})
    assert z.minimax(game).value == z.minimax(game, table=True).value == textbook_search(game, depth=9).value == 1.0


def test_estimates_do_not_go_round_in_the_table_for_ever() -> None:
    game = Graph("draw", [0, 0, 0], {0: [1, 2], 1: [2], 2: [1, 0]}, {}, {0: 0.7, 1: 0.05, 2: -0.9})
    found = textbook_search(game, depth=50)
    assert (found.value, found.exact) == (0.0, True)


def test_a_table_that_is_kept_serves_the_other_player_too() -> None:
    for total in (0.0, 1.0):
        data = [[{"payoffs": [0.0, total]}, {"payoffs": [1.0, total - 1.0]}], [{"payoffs": [0.25, total - 0.25]}]]
        game, table = z.Tree(data), z.TranspositionTable()
        z.alphabeta(game, table=table)
        for s in (game.read("B"), game.read("C"), game.initial()):
            assert z.alphabeta(game, s, table=table).values == z.minimax(game, s).values


def test_a_table_that_is_kept_survives_another_kind_of_search() -> None:
    game, table = z.load("tictactoe"), z.TranspositionTable()
    for quick in (True, False, True):
        assert z.alphabeta(game, table=table, quick=quick).value == 0


def test_a_bold_estimate_proves_nothing() -> None:
    game = z.Tree({"max": [{"estimate": 5, "min": [1, 2]}, {"min": [5, -5]}]})
    assert not z.alphabeta(game, depth=1).exact
    assert not z.alphabeta(z.load("tictactoe"), depth=2, evaluate=lambda s, p: 1.0).exact


def test_the_bounds_of_a_stopped_search_hold_the_truth() -> None:
    for seed in range(60):
        game = random_graph(seed, "draw")
        truth = z.minimax(game).value
        for nodes in (2, 3, 5, 8):
            stopped: list[z.Analysis] = [
                z.mtdf(game, guess=1.0, nodes=nodes),
                z.alphabeta(game, hard=True, window=(-0.5, 0.5), nodes=nodes),
                z.alphabeta(game, nodes=nodes),
            ]
            assert all(a.bounds[0] <= truth <= a.bounds[1] for a in stopped if a.stopped), seed


def test_pruning_can_be_switched_off() -> None:
    game = z.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert z.alphabeta(game, prune=False).nodes == z.minimax(game).nodes == 13


def test_deepening_ends_when_nothing_is_deeper_even_without_a_proof() -> None:
    game = z.load("hexapawn")
    assert z.alphabeta(game, deepen=True, null_move=True).depth is not None
    assert z.alphabeta(z.load("tictactoe"), deepen=True, cutoff=lambda s, d: d >= 2).depth == 3


def test_mtdf_refuses_to_fail_hard() -> None:
    with pytest.raises(MethodError, match="hard"):
        z.mtdf(z.Tree([[0.5, 1], [0.2, 0.3]]), hard=True)


def test_a_null_move_is_no_move_to_repeat() -> None:
    class Passing(Graph):
        def pass_turn(self, s: int) -> int:
            return {0: 1, 1: 0}.get(s, s)

        def is_irreversible(self, s: int, a: int) -> bool:
            assert a is not None
            return False

    game = Passing("draw", [0, 1, 0, 1], {0: [1, 2], 1: [0, 3], 2: [3], 3: [2, 4]}, {4: 0.5})
    assert z.alphabeta(game, depth=6, null_move=True).value == z.alphabeta(game, depth=6).value


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "changing.py"
    source = "import zermelo\nclass Two(zermelo.Tree):\n    def __init__(self): super().__init__([[{}, 9], [2, 9]])\n"
    for first in (3, 30):
        path.write_text(source.format(first))
        assert z.minimax(z.load(f"{path}:Two")).value == min(first, 9)


def test_a_very_deep_tree_has_a_name_and_a_trace() -> None:
    deep: Any = 1
    for _ in range(3000):
        deep = [deep]
    assert z.alphabeta(z.Tree(deep), trace=True).trace.header["game"] == "a tree of 3,001 nodes"


@pytest.mark.parametrize("nodes", [0, 1])
@pytest.mark.parametrize("search", [*ALGORITHMS.values()], ids=ALGORITHMS)
def test_a_search_that_is_stopped_before_any_answer_claims_nothing(search: Any, nodes: int) -> None:
    game = z.load("nim:heaps=1/2/3") if search is not ALGORITHMS["expectiminimax"] else z.load("pig")
    found = search(game, nodes=nodes)
    assert (found.value, found.bounds, found.exact, found.stopped) == (game.neutral, game.bounds, False, "nodes")


def test_a_stopped_search_of_an_end_has_its_value() -> None:
    game = z.Tree([7, 3])
    found = z.maxn(game, game.State(1), nodes=0)
    assert (found.value, found.values, found.exact) == (7, (7, -7), False)
