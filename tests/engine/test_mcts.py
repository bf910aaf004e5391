"""Native Monte Carlo tree search: it proves what is known, on threads, in little memory, with a tree that lives on."""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.search.little_games import OneWay
from tests.twins.random_games import NoiseTree

import zermelo as z
from zermelo.engine import InterpretedWarning, Mcts
from zermelo.errors import ContractError, OptionError
from zermelo.games import load
from zermelo.search.mcts import mcts as textbook

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
SOLVED = {
    "tictactoe": 0.0,
    "nim:heaps=3/4/5": 1.0,
    "nim:heaps=1/2/3": -1.0,
    "hexapawn": -1.0,
    "connect4:columns=4,rows=3": 0.0,
}


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("threads", [1, 2])
def test_small_games_are_proved(name: str, threads: int) -> None:
    game = load(name)
    found = z.mcts(game, simulations=300_000, threads=threads)
    assert (found.value, found.exact, found.stopped) == (SOLVED[name], True, "")
    after = game.result(game.initial(), found.action)
    assert z.solve(game, after).values[0] == SOLVED[name]  # the action keeps what is proved


def test_what_is_proved_of_noise_is_right() -> None:
    game = NoiseTree()
    searcher = Mcts(game)
    for seed in range(60):
        s = game.State(17 * seed + 5, 6, seed % 2)
        if not game.is_terminal(s):
            truth = z.minimax(game, s).value
            found = searcher.search(s, simulations=20_000)
            assert (found.exact, found.value) == (True, truth), s


def test_expected_utilities_of_dice_games_come_out() -> None:
    for name in ("race:steps=2,sides=3", "pig:goal=6,sides=3"):
        game = load(name)
        depth = None if name.startswith("race") else 60
        truth = z.expectiminimax(game, depth=depth, table=True).value
        assert z.mcts(game, simulations=60_000, c=0.5).value == pytest.approx(truth, abs=0.03)


def test_a_seed_settles_a_search_on_one_thread() -> None:
    game = load("connect4")
    first, again, other = (z.mcts(game, simulations=3000, seed=seed) for seed in (5, 5, 6))
    assert (first.visits, first.value) == (again.visits, again.value)
    assert other.visits != first.visits


@pytest.mark.parametrize("options", [{}, {"rave": 100.0}, {"selection": "puct"}, {"widening": 0.6}])
def test_threads_share_a_tree_and_lose_no_simulation(options: dict[str, Any]) -> None:
    found = z.mcts(load("connect4"), simulations=20_000, threads=3, **options)
    assert found.leaves == sum(found.visits.values()) == 20_000
    assert all(-1 <= value <= 1 for value in found.actions.values())


def test_a_tree_in_little_memory_gives_up_what_is_seldom_visited() -> None:
    game = load("connect4")
    searcher = Mcts(game, memory_mb=1)
    small, large = searcher.search(simulations=60_000), z.mcts(game, simulations=60_000)
    assert searcher.prunings > 1
    assert sum(small.visits.values()) == 60_000
    assert small.action == large.action == 3
    assert small.value == pytest.approx(large.value, abs=0.15)


def test_the_tree_lives_on_from_move_to_move() -> None:
    game = load("connect4")
    searcher = Mcts(game)
    s, history = game.initial(), []
    first = searcher.search(s, simulations=2000)
    assert searcher.reused == 0
    history.append(s)
    s = game.result(s, first.action)
    second = searcher.search(s, history=history, simulations=2000)
    assert searcher.reused == first.visits[first.action]
    assert sum(second.visits.values()) == searcher.reused + 2000 - 1  # but the visit that made the node
    history.append(s)
    history.append(game.result(s, second.action))
    s = game.result(history[-1], 0)
    searcher.search(s, history=history, simulations=10)
    assert searcher.reused > 0  # two plies on
    searcher.search(s, history=history, simulations=10)
    assert searcher.reused > 10  # the same position again
    searcher.search(game.initial(), simulations=10)
    assert searcher.reused == 0  # back at the start
    searcher.clear()
    assert searcher.search(simulations=2000).visits == first.visits


def test_a_proof_survives_a_move() -> None:
    game = load("nim:heaps=3/4/5")
    searcher = Mcts(game)
    first = searcher.search(simulations=100_000)
    assert first.exact
    s = game.result(game.initial(), first.action)
    second = searcher.search(s, history=[game.initial()], simulations=10)
    assert (second.exact, second.value) == (True, -1.0)


def test_with_time_to_spare_it_ends_when_nothing_can_change() -> None:
    game = load("tictactoe")
    found = z.mcts(game, game.read("xx./oo./..."), seconds=2, early=True, solver=False)
    assert (found.stopped, found.action) == ("", 8)
    assert not found.exact


def test_a_caller_can_end_a_search() -> None:
    game = load("othello")
    found = z.mcts(game, stop=lambda: True, seconds=60)
    assert found.stopped == "stop"
    assert found.action in found.visits
    ended = threading.Event()
    threading.Timer(0.1, ended.set).start()
    started = time.perf_counter()
    assert z.mcts(game, stop=ended.is_set, seconds=60, threads=2).stopped == "stop"
    assert time.perf_counter() - started < 50
    assert z.mcts(game, nodes=5000).stopped == "nodes"
    assert z.mcts(game, seconds=0).action is not None


def test_an_evaluator_is_asked_in_batches() -> None:
    game = load("connect4")
    sizes: list[int] = []

    def judge(states: list[Any]) -> tuple[list[Any], list[Any]]:
        sizes.append(len(states))
        assert len({game.key(s) for s in states}) > len(states) // 2
        return [None] * len(states), [game.evaluate(s, game.player(s)) for s in states]

    found = z.mcts(game, simulations=600, evaluator=judge, batch=32)
    assert sum(found.visits.values()) == 600
    assert max(sizes) > 16
    assert sum(sizes) <= 601


def test_priors_decide_where_to_look() -> None:
    game = load("connect4")
    found = z.mcts(game, simulations=200, evaluator=lambda states: ([{6: 1.0}] * len(states), [0.0] * len(states)))
    assert max(found.visits, key=found.visits.__getitem__) == 6


@pytest.mark.parametrize("answer", [None, ([None], []), ([[0.5, 0.5]], [0.0]), ([None], [math.inf]), ([None], [1.5])])
def test_an_evaluator_that_answers_nonsense_is_told(answer: Any) -> None:
    with pytest.raises(OptionError):
        z.mcts(load("tictactoe"), simulations=3, evaluator=lambda states: answer)


def test_what_an_evaluator_raises_comes_out() -> None:
    def fail(states: list[Any]) -> Any:
        raise ZeroDivisionError("in the network")

    with pytest.raises(ZeroDivisionError, match="in the network"):
        z.mcts(load("tictactoe"), simulations=3, evaluator=fail)


def test_a_rule_that_fails_ends_the_search_with_its_own_exception() -> None:
    class Faulty(NoiseTree):
        def result(self, s: Any, a: int) -> Any:
            if s.left == 3:
                raise ValueError("no way")
            return self.State(s.noise + a, s.left - 1, 1 - s.turn)

        def is_terminal(self, s: Any) -> bool:
            return s.left == 0

    searcher = Mcts(Faulty(), threads=2)
    for _ in range(2):
        with pytest.raises(ValueError, match="no way"):
            searcher.search(simulations=1000)


def test_a_game_that_leaves_no_action_is_told() -> None:
    with pytest.raises(ContractError, match="every action"):
        z.mcts(OneWay("forbidden"), simulations=100, plies=5)


def test_a_game_that_does_not_compile_is_searched_by_the_textbook() -> None:
    class Loose(NoiseTree):
        def actions(self, s: Any) -> Any:
            _ = yield from range(0 if self.is_terminal(s) else 2)

    with pytest.warns(InterpretedWarning):
        found = z.mcts(Loose(), simulations=20)
    assert sum(found.visits.values()) == 20 or found.exact


@pytest.mark.parametrize("threads", [1, 2])
def test_of_the_actions_named_the_best_is_chosen(threads: int) -> None:
    game = load("connect4")
    s = game.initial()
    for action in (3, 0, 3, 0, 3):
        s = game.result(s, action)
    searcher = Mcts(game, threads=threads)  # the fourth stone in column 3 must be stopped there
    elsewhere = searcher.search(s, simulations=20_000, only=[1, 2])
    assert (elsewhere.action in (1, 2), elsewhere.value, elsewhere.exact) == (True, -1.0, True)
    assert set(elsewhere.visits) == set(elsewhere.actions) == {1, 2}
    free = searcher.search(s, simulations=5000)  # the proof was one of other actions
    assert (free.action, searcher.reused > 0) == (3, True)
    assert searcher.search(s, simulations=100, only=[4]).action == 4
    assert searcher.search(s, simulations=100, only=(float(a) for a in (4, 5))).action in (4, 5)
    for bad in ([9], [3, "x"], [[3]], "3", 3, []):
        with pytest.raises(OptionError, match="only m"):
            searcher.search(s, only=bad)
        with pytest.raises(OptionError, match="only m"):
            textbook(game, s, only=bad)


class Prize(z.Game):
    """Take a prize; what the second one is worth is said by the first position."""

    class State(NamedTuple):
        second: float
        taken: int

    def initial(self) -> State:
        return self.State(1.0, -1)

    def player(self, s: State) -> int:
        return 0

    def actions(self, s: State) -> Iterator[int]:
        yield 0
        yield 1

    def result(self, s: State, a: int) -> State:
        return self.State(s.second, a)

    def is_terminal(self, s: State) -> bool:
        return s.taken >= 0

    def utility(self, s: State, p: int) -> float:
        value = s.second if s.taken == 1 else 0.5
        return value if p == 0 else -value


@pytest.mark.parametrize(
    ("second", "said"),
    [(10.0, r"worth 10, outside its bounds \(-1, 1\)"), (math.nan, "no utility"), (-math.inf, "no utility")],
)
def test_an_end_outside_the_bounds_is_an_error(second: float, said: str) -> None:
    game = Prize()
    s = game.State(second, -1)
    for search in (z.search, z.mcts, textbook):
        with pytest.raises(ContractError, match=said):
            search(game, s)


def test_priors_of_what_is_no_action_are_refused() -> None:
    game = load("connect4")
    for searching in (z.mcts, textbook):
        with pytest.raises(OptionError, match="priors are of actions such as 0, not of 'd'"):
            searching(game, simulations=9, evaluator=lambda states: ([{"d": 1.0}] * len(states), [0.0] * len(states)))


def test_ctrl_c_while_an_evaluator_thinks_gives_the_best_so_far() -> None:
    asked: list[int] = []

    def judge(states: list[Any]) -> tuple[list[Any], list[float]]:
        asked.extend([0] * len(states))
        if len(asked) == 50:
            os.kill(os.getpid(), signal.SIGINT)
        return [None] * len(states), [0.0] * len(states)

    found = Mcts(load("connect4"), evaluator=judge, batch=1).search(simulations=100_000)
    assert (found.stopped, found.action is not None) == ("interrupt", True)


def test_a_tree_is_not_used_where_the_game_came_another_way() -> None:
    game = load("go:size=3,komi=0.5")
    s, history = game.initial(), []
    for word in re.findall(r"\w+", "C2 B3 A1 A2 pass A3 pass C1 pass B1 pass C3 pass B2 pass A1"):
        history.append(s)
        s = game.result(s, game.read_action(s, word))
    banned = game.read_action(s, "C2")  # brings back a position of that game
    searcher = Mcts(game)
    assert searcher.search(s, simulations=3000).action == banned
    again = searcher.search(s, history=history, simulations=300)
    assert (searcher.reused, banned in again.visits) == (0, False)
    fresh = z.mcts(game, s, history=history, simulations=300)
    assert (again.action, again.value) == (fresh.action, fresh.value)
    searcher.search(s, history=history, simulations=300)
    assert searcher.reused > 0
    after = game.result(s, again.action)
    if not game.is_terminal(after):
        searcher.search(after, history=[*history, s], simulations=300)
        assert searcher.reused > 0


def test_noise_is_mixed_in_anew_for_every_search_of_a_position() -> None:
    def judge(states: list[Any]) -> tuple[list[Any], list[float]]:
        return [{3: 1.0} for _ in states], [0.0 for _ in states]

    options = {"evaluator": judge, "noise": (1.0, 0.25), "solver": False, "c": 50.0, "seed": 3}
    searcher = Mcts(load("connect4"), **options)
    for number in range(1, 7):
        visits = searcher.search(simulations=2000).visits[3]
        assert visits > 0.6 * 2000 * number  # by a prior of three quarters and more


def test_the_temperature_draws_nothing_that_is_proved_to_be_worse() -> None:
    game = load("connect4")
    s = game.initial()
    for action in (0, 3, 0, 3, 6, 3):
        s = game.result(s, action)
    drawn = [z.mcts(game, s, simulations=3000, temperature=1.0, seed=seed) for seed in range(30)]
    assert all(each.actions[each.action] == each.value for each in drawn)
    assert all(each.line[0] == each.action for each in drawn)
    assert {each.action for each in drawn} == {3}  # all others lose at once
    early = [z.mcts(game, simulations=300, temperature=3.0, seed=seed) for seed in range(10)]
    assert len({each.action for each in early}) > 2
    assert all(each.values == (each.value, -each.value) for each in early)


def test_an_evaluators_priors_stand_in_the_place_of_a_games_own_opinions() -> None:
    game = load("go:size=5,komi=0.5")

    def judge(states: list[Any]) -> tuple[list[Any], list[float]]:
        return [{0: 0.9, 1: 0.1} for _ in states], [0.0 for _ in states]

    assert z.mcts(game, simulations=400, evaluator=judge).visits[0] > 300
    alike = z.mcts(game, simulations=260, selection="puct", playout="uniform", seed=1).visits
    assert min(alike.values()) > 0  # nothing is preferred before it is tried


@pytest.mark.parametrize("options", [{"threads": 0}, {"memory_mb": 0}, {"batch": 0}, {"threads": 1.5}, {"depth": 1}])
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        z.mcts(load("tictactoe"), simulations=1, **options)


def test_settings_belong_to_a_searcher_and_limits_to_a_search() -> None:
    game = load("tictactoe")
    with pytest.raises(OptionError, match="limits belong"):
        Mcts(game, seconds=1)
    with pytest.raises(OptionError, match="keeps its settings"):
        Mcts(game).search(c=1.0)


# The slots of a native table: the game's own playouts, and opinions before them.

SLOTS = """
#include <string.h>
#include "nim.c"

/* Whoever moves wins at once, whatever happens, so that the statistics show who was asked. */
static zermelo_status playout(const void* context, const void* from, uint64_t* random, double* utilities,
                              int64_t* actions, int32_t* movers, uint64_t capacity, uint64_t* count) {
    const state* s = from;
    (void)context;
    (void)capacity;
    *random += 1;
    *count = 1;
    actions[0] = 1;
    movers[0] = (int32_t)s->turn;
    utilities[s->turn] = 0.5;
    utilities[1 - s->turn] = -0.5;
    return ZERMELO_OK;
}

static zermelo_status priors(const void* context, const void* from, const int64_t* actions, uint64_t count,
                             double* values, double* weights) {
    (void)context;
    (void)from;
    for (uint64_t i = 0; i < count; ++i) {
        values[i] = actions[i] == 3 ? 1.0 : -1.0;
        weights[i] = 1000;
    }
    return ZERMELO_OK;
}

const zermelo_table* with_playout(void) {
    static zermelo_table table;
    table = nim;
    table.playout = playout;
    return &table;
}

const zermelo_table* with_priors(void) {
    static zermelo_table table;
    table = nim;
    table.priors = priors;
    return &table;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if COMPILER is None:
        pytest.skip("there is no C compiler here")
    folder = tmp_path_factory.mktemp("slots")
    (folder / "slots.c").write_text(SLOTS, encoding="utf-8")
    include = [word for at in ("native/core", "examples/native_game") for word in ("-I", str(ROOT / at))]
    made = [COMPILER, "-std=c11", "-O1", "-shared", "-fPIC", *include, "-o", str(folder / "slots.so"), "slots.c"]
    subprocess.run(made, check=True, timeout=120, cwd=folder)
    return folder / "slots.so"


def test_a_games_own_playouts_are_used_unless_uniform_ones_are_asked_for(library: Path) -> None:
    game = load(f"{library}:with_playout")
    own = z.mcts(game, simulations=3, solver=False)
    assert set(own.actions.values()) == {-0.5}
    uniform = z.mcts(game, simulations=3, solver=False, playout="uniform")
    assert set(uniform.actions.values()) <= {-1.0, 1.0}
    assert z.mcts(game, simulations=500, rave=100.0, threads=2).leaves == 500


def test_opinions_say_what_to_try_first(library: Path) -> None:
    game = load(f"{library}:with_priors")
    found = z.mcts(game, simulations=10, solver=False, c=0.0, rave=1000.0)
    assert found.visits[3] > 7
