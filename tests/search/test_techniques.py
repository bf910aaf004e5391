"""Each technique does what its file promises: fewer nodes, or a wiser answer at the same depth."""

import dataclasses
import importlib.util
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo as z
from zermelo.errors import MethodError, OptionError, UnsolvedError
from zermelo.games import load
from zermelo.play.words import say_value
from zermelo.search.algorithms import require_proof
from zermelo.search.extensions import in_check
from zermelo.search.ordering import RULES, wins_at_once

ROOT = Path(__file__).parents[2]


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def label(game: z.Game, analysis: z.Analysis) -> str:
    return game.show_action(game.initial(), analysis.action)


def test_the_horizon_effect_and_quiescence() -> None:
    game = example("horizon").EXCHANGE
    assert label(game, z.alphabeta(game, depth=1)) == "take"
    assert label(game, z.alphabeta(game, depth=1, quiescence=True)) == label(game, z.minimax(game)) == "rest"


def test_the_horizon_effect_and_an_extension() -> None:
    game = example("horizon").DELAY
    short = z.alphabeta(game, depth=3)
    assert (label(game, short), short.value) == ("delay", -1)
    extended = z.alphabeta(game, depth=3, extensions="single", trace=True)
    assert label(game, extended) == label(game, z.minimax(game)) == "accept"
    assert {e["reason"] for e in extended.trace.events if e["event"] == "extend"} == {"single"}


@pytest.mark.parametrize("rules", ["winning", "killers", "history", "winning,killers,history"])
def test_ordering_keeps_the_value_and_saves_nodes_on_connect_four(rules: str) -> None:
    game = load("connect4")
    plain, ordered = z.alphabeta(game, depth=7), z.alphabeta(game, depth=7, order=rules)
    assert ordered.value == plain.value
    assert ordered.nodes != plain.nodes
    if "history" in rules or "killers" in rules:
        assert ordered.nodes < plain.nodes


def test_the_previous_iteration_puts_its_line_first() -> None:
    game = load("connect4:columns=5,rows=4")
    found = z.alphabeta(game, depth=5, deepen=True, order="previous", trace=True)
    starts = [i for i, e in enumerate(found.trace.events) if e["event"] == "iteration"]
    assert len(starts) == 5
    assert z.alphabeta(game, depth=5, deepen=True).value == found.value


def test_captures_and_recaptures_go_first() -> None:
    game = load("hexapawn:columns=4,rows=4")
    plain = z.alphabeta(game)
    for rules in ("captures", "recaptures", "priority", "best"):
        assert z.alphabeta(game, order=rules).value == plain.value
    assert z.alphabeta(game, order="best").nodes < plain.nodes


def test_the_table_saves_nodes_and_a_small_one_saves_fewer() -> None:
    game = load("tictactoe")
    none, small, large = (z.alphabeta(game, table=size) for size in (False, 50, True))
    assert none.value == small.value == large.value == 0
    assert large.nodes < small.nodes < none.nodes
    assert large.line[0] == none.line[0]
    assert len(large.line) == 9


def test_a_table_can_be_kept_for_the_next_search() -> None:
    game, table = load("tictactoe"), z.TranspositionTable()
    first = z.alphabeta(game, table=table)
    again = z.alphabeta(game, table=table)
    assert again.nodes < first.nodes / 10
    assert again.value == first.value


def test_a_table_shows_its_hits_in_the_trace() -> None:
    found = z.alphabeta(load("nim:heaps=1/2"), table=True, trace=True)
    assert any(e["event"] == "table" and e["used"] for e in found.trace.events)


def test_pvs_saves_nodes_in_good_order_and_researches_show() -> None:
    game = load("connect4")
    good: Any = {"depth": 7, "order": "best", "table": True, "deepen": True}
    plain, scouted = z.alphabeta(game, **good), z.pvs(game, **good)
    assert plain.value == scouted.value
    assert scouted.nodes <= plain.nodes


def test_mtdf_needs_a_table_and_has_one() -> None:
    found = z.mtdf(load("tictactoe"))
    assert "table" in found.method
    assert z.mtdf(load("tictactoe"), guess=1.0).value == z.mtdf(load("tictactoe"), guess=-1.0).value == 0


def test_the_null_move_saves_nodes_and_is_not_a_proof() -> None:
    game = load("hexapawn:columns=5,rows=5")
    plain = z.alphabeta(game, depth=7)
    found = z.alphabeta(game, depth=7, null_move=True, trace=True)
    assert found.nodes < plain.nodes
    assert not found.exact
    assert any(e["event"] == "cutoff" and e["reason"] == "null move" for e in found.trace.events)


def test_the_null_move_and_a_recapture_extension_go_together() -> None:
    game = load("hexapawn:columns=4,rows=4")
    assert z.alphabeta(game, depth=6, null_move=True, extensions="recapture").nodes > 0


def test_in_zugzwang_the_null_move_errs() -> None:
    # White, to move, loses: every move hurts. The null move supposes that none does.
    game = load("hexapawn:columns=3,rows=4")
    zugzwang = game.read("bb./..b/w../.ww w")
    assert z.alphabeta(game, zugzwang).value == -1
    assert z.null_move_score(game, zugzwang, reduction=0).value == 1  # no lower bound here
    fooled = z.alphabeta(game, zugzwang, null_move=True, depth=8)
    assert fooled.value == 1
    assert not fooled.exact


def test_check_is_a_threat_to_win_at_once() -> None:
    game = load("tictactoe")
    threatened, calm = game.read("xx./o../..."), game.read("x../o../...")
    assert in_check(game, threatened)
    assert not in_check(game, calm)
    assert wins_at_once(game, game.read("xx./oo./..."), 8)


def test_the_check_extension_sees_a_forced_win_earlier() -> None:
    game = load("connect4")
    s = game.read("......./......./......./......./..oo.../..xx...")
    plain = z.alphabeta(game, s, depth=2)
    extended = z.alphabeta(game, s, depth=2, extensions="check")
    assert abs(plain.value) < 1
    assert extended.value == z.alphabeta(game, s, depth=3).value == 1


def test_singular_and_recapture_extensions_search_deeper() -> None:
    game = load("hexapawn:columns=5,rows=5")
    plain = z.pvs(game, depth=8, table=True, deepen=True)
    for names in ("singular", "recapture", "recapture,singular"):
        found = z.pvs(game, depth=8, table=True, deepen=True, extensions=names, trace=True)
        assert {e["reason"] for e in found.trace.events if e["event"] == "extend"} == set(names.split(","))
        assert found.depth == plain.depth


def test_quiescence_searches_captures_only_beyond_the_depth() -> None:
    game = load("hexapawn:columns=4,rows=4")
    found = z.alphabeta(game, depth=3, quiescence=True, trace=True)
    deep = [e for e in found.trace.events if e["event"] == "enter" and e["depth"] is not None and e["depth"] < 0]
    assert deep
    assert all(e["mode"] == "quiescence" for e in deep)
    assert any(e["event"] == "leaf" and e["reason"] == "stand pat" for e in found.trace.events)


def test_every_ordering_rule_has_a_reason_written_down() -> None:
    assert all(rule.__doc__ for rule in RULES.values())


def test_all_candidates_are_sorted_by_the_scores_of_the_iteration_before() -> None:
    game = load("connect4:columns=5,rows=4")
    found = z.alphabeta(game, depth=5, deepen=True, prune=False, order="scores", trace=True)
    orders: list[list[str]] = []
    scores: list[dict[str, float]] = []
    names: dict[int, str] = {}
    for event in found.trace.events:
        if event["event"] == "iteration":
            orders.append([])
            scores.append({})
        if event["event"] == "enter" and event["parent"] == 0:
            names[event["node"]] = event["label"]
            orders[-1].append(event["label"])
        if event["event"] == "value" and event["node"] == 0:
            scores[-1][names[event["child"]]] = event["value"]
    assert len(orders) == 5
    assert len(set(map(tuple, orders))) > 1
    for before, order in zip(scores, orders[1:], strict=False):
        assert order == sorted(before, key=lambda name: -before[name])
    assert found.value == z.minimax(game, depth=5).value


def test_sorting_all_candidates_keeps_the_value() -> None:
    game = load("hexapawn:columns=5,rows=5")
    for search in (z.alphabeta, z.pvs, z.mtdf):
        ordered = search(game, depth=6, deepen=True, order="previous,scores,killers")
        assert ordered.value == z.alphabeta(game, depth=6).value


def test_the_null_move_score_is_a_lower_bound_where_passing_is_never_best() -> None:
    game = load("tictactoe")
    met, s = 0, game.initial()
    pending = [s]
    while pending and met < 60:
        s = pending.pop()
        if game.is_terminal(s):
            continue
        pending += [game.result(s, a) for a in list(game.actions(s))[:2]]
        if sum(1 for _ in game.actions(s)) <= 7 and not in_check(game, s):
            met += 1
            estimate = z.null_move_score(game, s, reduction=0)
            truth = z.alphabeta(game, s).value
            assert estimate.value <= truth
            assert estimate.bounds[0] <= truth <= estimate.bounds[1]
            assert (estimate.action, estimate.line, estimate.exact) == (None, (), False)
    assert met > 10


def test_the_null_move_score_can_be_traced_and_refuses_what_it_cannot_do() -> None:
    game = load("tictactoe")
    found = z.null_move_score(game, depth=5, trace=True)
    modes = {event["mode"] for event in found.trace.events if event["event"] == "enter" and event["ply"] == 1}
    assert modes == {"null move"}
    assert [e["bound"] for e in found.trace.events if e["event"] == "leave"][-1] == "lower"
    assert found.trace.text().splitlines()[1].startswith("▲")
    with pytest.raises(MethodError, match="pass_turn"):
        z.null_move_score(load("nim"))
    with pytest.raises(MethodError, match="check"):
        z.null_move_score(game, game.read("xx./o../..."), depth=3)
    with pytest.raises(OptionError, match="reduction"):
        z.null_move_score(game, depth=3, reduction=-1)


class FromArrays(z.Game[tuple[int, int], int]):
    """A game whose rules compute in NumPy: utilities, estimates and ends are NumPy's numbers."""

    payoffs = np.array([-1.0, 1.0, 0.0, 1.0, -1.0, 0.0, 1.0, -1.0])

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def player(self, s: tuple[int, int]) -> int:
        return s[1] % 2

    def actions(self, s: tuple[int, int]) -> list[int]:
        return [0, 1]

    def result(self, s: tuple[int, int], a: int) -> tuple[int, int]:
        return 2 * s[0] + a, s[1] + 1

    def is_terminal(self, s: tuple[int, int]) -> Any:
        return np.bool_(s[1] == 3)

    def utility(self, s: tuple[int, int], p: int) -> Any:
        return self.payoffs[s[0]] * (1 if p == 0 else -1)


@pytest.mark.parametrize(
    "search",
    [
        *(z.minimax, z.negamax, z.alphabeta, z.pvs, z.mtdf, z.maxn, z.h_minimax, z.solve, z.paranoid),
        lambda game: z.alphabeta(game, order="best"),
        lambda game: z.alphabeta(game, order="best", table=True, quick=True, deepen=True),
        lambda game: z.minimax(game, trace=True),
    ],
)
def test_numbers_of_numpy_are_plain_floats_to_every_search(search: Any) -> None:
    found = search(FromArrays())
    assert found.value == 1
    assert {type(each) for each in (found.value, *found.values, *found.actions.values())} == {float}


def test_paranoid_search_invents_no_values_for_the_others() -> None:
    game = load("kingmaker")
    found = z.paranoid(game)
    mover = game.player(game.initial())
    assert [math.isnan(u) for u in found.values] == [p != mover for p in range(game.players)]
    assert found.values[mover] == found.value
    said = say_value(game, game.initial(), found)
    assert said.count(":") == 1
    assert "nan" not in said


def test_what_is_not_solved_is_said_without_a_depth_that_there_is_not() -> None:
    found = z.alphabeta(load("connect4"), nodes=10)
    with pytest.raises(UnsolvedError) as error:
        require_proof(load("connect4"), dataclasses.replace(found, depth=None, stopped=""))
    assert "None" not in str(error.value)
