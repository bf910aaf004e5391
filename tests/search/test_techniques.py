"""Each technique does what its file promises: fewer nodes, or a wiser answer at the same depth."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from zermelo.games import load
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
