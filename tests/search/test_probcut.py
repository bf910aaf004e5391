"""Multi-ProbCut in the textbook and in the engine."""

import json
import math
import random
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.engine.identity import identify
from zermelo.engine.parameters import Tuning, attach_tuning, read_tuning
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.games import load
from zermelo.search.probcut import (
    DepthPair,
    MeasuredPosition,
    ProbCut,
    fit_pairs,
    measure_pairs,
    merge_stages,
    shallow_depths,
)

SURE = [DepthPair(0, depth, depth - 2, 1.0, 0.0, 0.0) for depth in range(3, 9)]
"""Pairs without any error."""


def test_shallow_depths_are_about_a_quarter_and_half_and_as_odd() -> None:
    assert [shallow_depths(depth) for depth in (2, 3, 4, 6, 8, 13)] == [[], [1], [2], [2], [2, 4], [3, 5]]
    for depth in range(2, 60):
        assert all(0 < shallow < depth and (depth - shallow) % 2 == 0 for shallow in shallow_depths(depth))


@given(st.floats(0.5, 2), st.floats(-1, 1))
def test_a_line_is_found_again(slope: float, offset: float) -> None:
    chance = random.Random(1)
    xs = [chance.uniform(-1, 1) for _ in range(50)]
    (pair,) = fit_pairs(MeasuredPosition(3, [x, 0.0, slope * x + offset]) for x in xs)
    assert (pair.stage, pair.depth, pair.shallow) == (0, 3, 1)
    assert math.isclose(pair.slope, slope, rel_tol=1e-6)
    assert math.isclose(pair.offset, offset, abs_tol=1e-6)
    assert pair.error < 1e-6


def test_the_error_is_the_standard_deviation() -> None:
    chance = random.Random(2)
    rows = [(x := chance.uniform(-1, 1), None, x + chance.gauss(0, 0.2)) for _ in range(4000)]
    (pair,) = fit_pairs(MeasuredPosition(0, row) for row in rows)
    assert abs(pair.error - 0.2) < 0.01


def test_what_is_proved_or_never_changes_tells_nothing() -> None:
    assert fit_pairs(MeasuredPosition(0, [None, None, 1.0]) for _ in range(50)) == []
    assert fit_pairs(MeasuredPosition(0, [0.5, 0.5, x / 50]) for x in range(50)) == []


def test_it_saves_nodes_and_is_not_a_proof() -> None:
    game = load("othello:size=4")
    plain = z.alphabeta(game, depth=7)
    found = z.alphabeta(game, depth=7, probcut=ProbCut(measure_pairs(game, depth=5), risk=1), trace=True)
    assert found.nodes < plain.nodes
    assert not found.exact
    assert "probcut" in found.method
    assert any(e["event"] == "cutoff" and e["reason"] == "probcut" for e in found.trace.events)
    assert any(e["event"] == "enter" and e["mode"] == "shallow search" for e in found.trace.events)
    assert "probcut" in found.trace.text()


@pytest.mark.parametrize("algorithm", [z.alphabeta, z.pvs])
@pytest.mark.parametrize("options", [{}, {"quick": True}, {"table": True, "deepen": True, "order": "best"}])
def test_who_takes_no_risk_finds_the_value_of_alphabeta(algorithm: Any, options: Any) -> None:
    game = load("othello:size=4")
    careful = ProbCut(measure_pairs(game), risk=1e6)
    plain, found = algorithm(game, depth=5, **options), algorithm(game, depth=5, probcut=careful, **options)
    assert (found.value, found.nodes) == (plain.value, plain.nodes)


def test_a_game_of_another_sum_is_foretold_likewise() -> None:
    class Shared(type(load("hexapawn"))):  # type: ignore[misc]
        utility_sum = 1.0
        bounds = (0.0, 1.0)

        def utility(self, s: Any, p: int) -> float:
            return (super().utility(s, p) + 1) / 2

        def evaluate(self, s: Any, p: int) -> float:
            return (super().evaluate(s, p) + 1) / 2

    zero, shared = load("hexapawn:columns=4,rows=5"), Shared(columns=4, rows=5)
    for p in (zero, shared):
        assert measure_pairs(p, positions=20)
    assert z.alphabeta(zero, depth=6, probcut=SURE).nodes == z.alphabeta(shared, depth=6, probcut=SURE).nodes


def test_without_pairs_they_are_measured_first() -> None:
    game = load("connect4:columns=4,rows=4")
    first, given = (z.alphabeta(game, depth=4, probcut=each) for each in (True, measure_pairs(game)))
    assert (first.value, first.nodes) == (given.value, given.nodes)


@pytest.mark.parametrize("wrong", [3, "yes", [1, 2], {"a": 1}])
def test_what_is_no_pair_is_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match="probcut must be"):
        z.alphabeta(load("othello:size=4"), depth=2, probcut=wrong)


def test_minimax_and_games_without_an_estimate_are_refused() -> None:
    for algorithm, name in ((z.minimax, "othello:size=4"), (z.alphabeta, "nim")):
        with pytest.raises(MethodError, match="Multi-ProbCut"):
            algorithm(load(name), probcut=True)


@pytest.mark.parametrize(
    "change", [{"shallow": 4}, {"shallow": 0}, {"slope": 0.0}, {"slope": math.nan}, {"error": -1.0}, {"stage": -1}]
)
def test_a_pair_that_means_nothing_is_refused(change: dict[str, float]) -> None:
    with pytest.raises(InputError, match="a pair of depths"):
        DepthPair(**({"stage": 0, "depth": 4, "shallow": 2, "slope": 1.0, "offset": 0.0, "error": 0.1} | change))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="above 0"):
        ProbCut(risk=0)


def test_small_stages_go_with_the_one_before_them() -> None:
    rows = [MeasuredPosition(stage, ()) for stage in (0, 0, 1, 1, 1, 2, 4, 4, 5)]
    assert [each.stage for each in merge_stages(rows, 3)] == [0] * 5 + [2] * 4
    assert [each.stage for each in merge_stages(rows, 2)] == [0, 0, 1, 1, 1, 2, 2, 2, 2]
    assert {each.stage for each in merge_stages(rows, 100)} == {0}
    assert merge_stages([], 3) == []


# The engine.


def with_pairs(pairs: list[DepthPair]) -> Any:
    game = load("othello:size=6,book=no")
    attach_tuning(game, Tuning(identify(game), {}, {}, tuple(pairs)))
    return game


def test_the_engine_cuts_by_the_pairs_that_came_with_the_game() -> None:
    game = with_pairs(SURE)
    plain = z.Engine(load("othello:size=6,book=no"), table_mb=4).search(depth=9)
    assert z.Engine(game, table_mb=4, probcut=False).search(depth=9).nodes == plain.nodes
    assert z.Engine(game, table_mb=4).search(depth=9).nodes < plain.nodes
    assert z.Engine(game, table_mb=4, parameters={"probcut_risk": 6}).search(depth=9).value is not None


def test_an_exact_engine_takes_no_such_risk() -> None:
    game = load("othello:size=4")
    wrong = [DepthPair(0, depth, 1, 0.5, 0.9, 0.0) for depth in range(2, 9)]
    attach_tuning(game, Tuning(identify(game), {}, {}, tuple(wrong)))
    found = z.solve(game)
    assert (found.value, found.exact) == (-1.0, True)


def test_an_engine_notices_other_pairs() -> None:
    game = with_pairs(SURE)
    engine = z.Engine(game, table_mb=4)
    assert not engine.is_stale()
    attach_tuning(game, Tuning(identify(game), {}, {}, tuple(SURE[:1])))
    assert engine.is_stale()


@pytest.mark.parametrize(
    "pairs",
    [
        3,
        [{}],
        [{**asdict(SURE[0]), "stage": 1 << 70}],
        [{**asdict(SURE[0]), "depth": 4.5}],
        [{"depth": 2}],
        [["a"]],
        [{"stage": "x"}],
    ],
)
def test_damaged_pairs_in_a_file_are_refused_in_one_line(tmp_path: Any, pairs: Any) -> None:
    game = load("othello:size=4")
    path = tmp_path / "a.search.json"
    Tuning(identify(game), {}, {}, tuple(SURE)).write(path)
    assert read_tuning(path).pairs == tuple(SURE)
    text = path.read_text()
    path.write_text(json.dumps(json.loads(text) | {"pairs": pairs}))
    with pytest.raises(InputError) as caught:
        read_tuning(path)
    assert "\n" not in str(caught.value)
