"""What makes a search fit for play: haste, limits, interruption, depth without end, repetition."""

import signal
import threading
from typing import Any

import pytest

import zermelo as z
from tests.search.little_games import Countdown, Hurry, OneWay, Shuffle
from zermelo.errors import ContractError, MethodError, OptionError
from zermelo.games import load


@pytest.mark.parametrize("method", [z.minimax, z.alphabeta, z.pvs, z.mtdf])
@pytest.mark.parametrize("table", [False, True])
def test_quick_prefers_the_quicker_win(method: Any, table: bool) -> None:
    assert method(Hurry(), quick=True, table=table or method is z.mtdf).line == (1,)
    assert method(Hurry(), quick=False, table=table or method is z.mtdf).value == 1


@pytest.mark.parametrize("method", [z.minimax, z.alphabeta, z.pvs, z.mtdf])
def test_quick_prefers_the_longer_resistance(method: Any) -> None:
    found = method(Hurry(loser_first=True), quick=True)
    assert found.value == -1
    assert len(found.line) == 6


def test_quick_is_off_by_default_in_the_textbook_and_on_in_play() -> None:
    assert z.minimax(Hurry()).action == 0
    assert z.search(Hurry()).action == 1


@pytest.mark.parametrize("method", [z.minimax, z.negamax, z.alphabeta, z.pvs, z.mtdf, z.maxn])
def test_depth_is_no_limit(method: Any) -> None:
    found = method(Countdown(5000), trace=method is z.alphabeta)
    assert (found.value, len(found.line), found.nodes >= 5001, found.exact) == (-1.0, 5000, True, True)


def test_time_stops_a_search_and_leaves_an_action() -> None:
    found = z.alphabeta(load("connect4"), seconds=0.05)
    assert found.stopped == "seconds"
    assert found.action in range(7)
    assert not found.exact


def test_no_time_at_all_still_leaves_an_action() -> None:
    assert z.search(load("connect4"), seconds=0).action in range(7)


def test_another_thread_stops_a_search() -> None:
    enough = threading.Event()
    threading.Timer(0.1, enough.set).start()
    found = z.alphabeta(load("connect4"), stop=enough.is_set)
    assert found.stopped == "stop"


@pytest.mark.parametrize("method", [z.alphabeta, z.search])
def test_ctrl_c_returns_the_best_so_far(method: Any) -> None:
    interrupt = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    interrupt.start()
    found = method(load("connect4"), seconds=60)
    assert found.stopped == "interrupt"
    assert found.action in range(7)


def test_deepening_yields_every_depth_and_stops_when_nothing_is_deeper() -> None:
    found = list(z.deepening(load("tictactoe")))
    assert [a.depth for a in found] == list(range(1, 10))
    assert [a.exact for a in found] == [False] * 8 + [True]
    assert [a.nodes for a in found] == sorted(a.nodes for a in found)


def test_a_proved_win_ends_the_deepening() -> None:
    game = load("tictactoe")
    found = z.search(game, game.read("xx./oo./..."))
    assert (found.value, found.depth, found.exact) == (1, 1, True)
    assert game.show_action(game.read("xx./oo./..."), found.action) == "c3"


def test_an_interrupted_iteration_does_not_lose_the_one_before() -> None:
    game = load("connect4")
    whole = list(z.deepening(game, depth=4))
    cut_short = list(z.deepening(game, nodes=whole[-1].nodes - 1))
    assert cut_short[-1].stopped == "nodes"
    assert cut_short[-1].depth == 3
    assert cut_short[-1].action in range(7)


@pytest.mark.parametrize("table", [False, True])
def test_repetition_as_a_draw_ends_endless_games(table: bool) -> None:
    found = z.alphabeta(Shuffle(), table=table)
    assert (found.value, found.exact) == (0.0, True)


def test_repetition_that_loses_is_avoided_as_long_as_possible() -> None:
    # Six positions; whoever first has only old ones to go to loses.
    found = z.minimax(Shuffle("loses"))
    assert found.value in (-1.0, 1.0)
    assert z.alphabeta(Shuffle("loses"), table=True).value == found.value


def test_history_counts_as_repetition() -> None:
    game = Shuffle("loses")
    after_one = game.result(game.initial(), 1)
    past = [game.result(after_one, 1), game.result(after_one, 2)]
    assert z.minimax(game, after_one, history=past).value == -1.0


def test_forbidden_repetition_takes_actions_away() -> None:
    with pytest.raises(ContractError, match="every action"):
        z.minimax(OneWay("forbidden"))
    assert z.minimax(Shuffle("forbidden"), depth=4).nodes < z.minimax(Shuffle(None), depth=4).nodes


def test_cutoff_and_evaluate_of_the_caller_replace_the_games_own() -> None:
    game = load("connect4")
    asked = []

    def cutoff(s: Any, plies: int) -> bool:
        asked.append(plies)
        return plies >= 2

    found = z.alphabeta(game, cutoff=cutoff, evaluate=lambda s, p: 0.25 if p == 0 else -0.25)
    assert found.value == 0.25
    assert not found.exact
    assert set(asked) == {0, 1, 2}
    assert z.h_minimax(game, depth=2, evaluate=lambda s, p: 0.25).nodes == 1 + 7 + 49


@pytest.mark.parametrize(
    ("name", "method", "advice"),
    [
        ("race", z.minimax, "expectiminimax"),
        ("race", z.alphabeta, "expectiminimax"),
        ("kingmaker", z.minimax, "maxn"),
        ("kingmaker", z.expectiminimax, "maxn"),
        ("blind-tictactoe", z.alphabeta, "revealed"),
    ],
)
def test_a_search_that_does_not_fit_the_game_names_one_that_does(name: str, method: Any, advice: str) -> None:
    with pytest.raises(MethodError, match=advice):
        method(load(name), depth=2)


def test_a_general_sum_game_of_two_is_not_for_minimax() -> None:
    game = z.Tree([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
    with pytest.raises(MethodError, match="constant-sum"):
        z.minimax(game)
    assert z.maxn(game).values == (1, 1)


def test_a_revealed_game_can_be_searched() -> None:
    assert z.search(z.revealed(load("blind-tictactoe")), depth=3).action is not None


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"depth": -1}, "depth"),
        ({"depth": 2.5}, "depth"),
        ({"nodes": -3}, "nodes"),
        ({"seconds": float("nan")}, "seconds"),
        ({"window": (3, 3)}, "window"),
        ({"order": "fastest"}, "fastest"),
        ({"extensions": "luck"}, "luck"),
        ({"table": -5}, "table"),
        ({"speed": 9}, "speed"),
        ({"view": "mine"}, "view"),
    ],
)
def test_bad_options_are_refused_by_name(options: Any, word: str) -> None:
    with pytest.raises(OptionError, match=word):
        z.alphabeta(load("tictactoe"), **options)


def test_a_technique_that_the_game_cannot_serve_is_refused() -> None:
    for options in ({"null_move": True}, {"quiescence": True}, {"order": "captures"}, {"extensions": "recapture"}):
        with pytest.raises(MethodError):
            z.alphabeta(load("nim"), depth=2, **options)  # type: ignore[arg-type]


def test_a_terminal_root_has_a_value_and_no_action() -> None:
    game = load("tictactoe")
    over = game.read("xxx/oo./...")
    for method in (z.minimax, z.alphabeta, z.pvs, z.mtdf, z.search):
        found = method(game, over)
        assert (found.action, found.line, found.exact) == (None, (), True)
        assert abs(found.value) == 1
