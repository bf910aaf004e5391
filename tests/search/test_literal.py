"""The literal searches, as on the slides, do what the composable search does: node by node, event by event."""

import contextlib
import inspect
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.search.little_games import Countdown, Hurry
from tests.search.trees import chance_trees, moved_trees, trees
from zermelo.analysis import Analysis
from zermelo.games import load
from zermelo.search import run
from zermelo.search.alphabeta import alphabeta_value
from zermelo.search.cutoff import h_minimax_value
from zermelo.search.deepening import iterative_deepening
from zermelo.search.expectiminimax import expectiminimax_value
from zermelo.search.maxn import maxn_value
from zermelo.search.mcts import mcts, puct, uct
from zermelo.search.mcts import run as mcts_run
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.minimax import minimax_value
from zermelo.search.negamax import negamax_value
from zermelo.search.pvs import pvs_value
from zermelo.search.visit import Visit
from zermelo.search.zerowindow import zero_window_value

LITERAL = {
    *(alphabeta_value, expectiminimax_value, h_minimax_value, maxn_value, minimax_value, negamax_value, pvs_value),
    *(zero_window_value, iterative_deepening, uct.uct_simulation, puct.puct_simulation),
}
SEARCHES: dict[str, Callable[..., Analysis]] = {
    "minimax": z.minimax,
    "h-minimax": z.h_minimax,
    "negamax": z.negamax,
    "alphabeta": z.alphabeta,
    "fail-hard": lambda game, **options: z.alphabeta(game, hard=True, **options),
    "window": lambda game, **options: z.alphabeta(game, window=(-3, 4), **options),
    "half a window": lambda game, **options: z.alphabeta(game, window=(None, 4), hard=True, **options),
    "zero window": lambda game, **options: z.zero_window(game, 2, **options),
    "pvs": z.pvs,
    "pvs, window": lambda game, **options: z.pvs(game, window=(-5, 2), **options),
    "maxn": z.maxn,
    "deepening": lambda game, **options: z.alphabeta(game, deepen=True, **options),
    "deepening pvs": lambda game, **options: z.pvs(game, deepen=True, **options),
}
LIMITS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}),
    st.integers(0, 5).map(lambda depth: {"depth": depth}),
    st.integers(0, 40).map(lambda nodes: {"nodes": nodes}),
    st.integers(1, 4).map(lambda ply: {"cutoff": lambda s, d: d >= ply}),
)


@contextlib.contextmanager
def only(kind: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Searches are made by the `literal` or by the `composable` search alone; which ones ran is written down."""
    ran: list[str] = []
    original = run.iterate

    def watched(search: Any, *others: Any) -> Analysis:
        ran.append("literal" if isinstance(search, Visit) else "composable")
        return original(search, *others)

    with monkeypatch.context() as patch:
        patch.setattr(run, "iterate", watched)
        if kind == "composable":
            patch.setattr(run, "knows_all", lambda *_: False)
        yield ran


def outcome(found: Analysis) -> tuple[Any, ...]:
    fields = ("action", "value", "values", "line", "depth", "nodes", "leaves", "cutoffs", "exact", "bounds", "method")
    told = [(event["event"], event) for event in found.trace.events] if found.trace else None
    return *(getattr(found, field) for field in fields), found.stopped, found.actions, told


def compare(search: Callable[..., Analysis], game: z.Game, **options: Any) -> None:
    """Both kinds of search find the same, and do the same on the way."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        with only("literal", monkeypatch) as ran:
            literal = search(game, **options)
        assert set(ran) == {"literal"}
        with only("composable", monkeypatch) as ran:
            composable = search(game, **options)
        assert set(ran) == {"composable"}
    assert outcome(literal) == outcome(composable)


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=150, deadline=None)
@given(data=st.one_of(trees(), moved_trees()), limits=LIMITS, trace=st.booleans())
def test_literal_and_composable_agree_on_random_trees(
    name: str, data: Any, limits: dict[str, Any], trace: bool
) -> None:
    compare(SEARCHES[name], z.Tree(data), trace=trace, **limits)


@pytest.mark.parametrize("search", [z.expectiminimax, z.maxn])
@settings(max_examples=300, deadline=None)
@given(data=chance_trees(), limits=LIMITS, trace=st.booleans())
def test_literal_and_composable_agree_on_random_trees_with_chance(
    search: Callable[..., Analysis], data: Any, limits: dict[str, Any], trace: bool
) -> None:
    compare(search, z.Tree(data), trace=trace, **limits)


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(
    "game", ["tictactoe", "connect4:columns=4,rows=4", "nim:heaps=1/2/3", "hexapawn:columns=4,rows=4", "othello"]
)
def test_literal_and_composable_agree_on_games(game: str, name: str) -> None:
    compare(SEARCHES[name], load(game), depth=3, trace=True)
    if name.startswith("pvs"):  # estimates that are no whole points, in floating point
        compare(SEARCHES[name], load("hexapawn:columns=5,rows=5"), depth=5)


@pytest.mark.parametrize("game", ["race:steps=2,sides=3", "pig", "kingmaker", "kingmaker:podium=true"])
def test_literal_and_composable_agree_on_dice_and_many_players(game: str) -> None:
    rules = load(game)
    compare(z.maxn, rules, depth=4, trace=True)
    if rules.kind.scalar:
        compare(z.expectiminimax, rules, depth=4, trace=True)


@pytest.mark.parametrize("options", [{"table": True}, {"order": "best"}, {"quick": True}, {"prune": False}])
def test_techniques_go_to_the_composable_search(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with only("literal", monkeypatch) as ran:
        z.alphabeta(load("tictactoe"), depth=2, **options)
    assert ran == ["composable"]


def test_a_game_too_deep_for_pythons_stack_goes_to_the_composable_search(monkeypatch: pytest.MonkeyPatch) -> None:
    with only("literal", monkeypatch) as ran:
        found = z.alphabeta(Countdown(2000), trace=True)
    assert ran == ["literal", "composable"]
    with only("composable", monkeypatch):
        assert outcome(found) == outcome(z.alphabeta(Countdown(2000), trace=True))


def test_what_a_handed_over_search_has_done_before_is_neither_lost_nor_told_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Hurry(plies=400)
    limit = sys.getrecursionlimit()
    with only("literal", monkeypatch) as ran:
        found = z.negamax(game, depth=limit, nodes=3000, trace=1000)
    assert ran == ["literal", "composable"]
    with only("composable", monkeypatch):
        assert outcome(found) == outcome(z.negamax(game, depth=limit, nodes=3000, trace=1000))
    assert len(found.trace) == 1001


@settings(max_examples=60, deadline=None)
@given(data=st.one_of(moved_trees(), chance_trees()), seed=st.integers(0, 9), plies=st.sampled_from([0, 1, 1000]))
def test_literal_uct_does_what_the_simulator_does(data: Any, seed: int, plies: int) -> None:
    compare_simulations(uct, "uct_simulation", z.Tree(data), simulations=40, seed=seed, plies=plies, c=0.7)


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "race:steps=2,sides=3", "kingmaker", "pig"])
def test_literal_uct_does_what_the_simulator_does_on_games(game: str) -> None:
    compare_simulations(uct, "uct_simulation", load(game), simulations=80, seed=1)


def opinion(game: z.Game) -> Any:
    """An evaluator whose priors and values are drawn from the position itself."""

    def evaluator(states: list[Any]) -> tuple[list[list[float]], list[list[float]]]:
        draws = [random.Random(repr(game.key(s))) for s in states]
        priors = [[draw.random() for _ in game.actions(s)] for s, draw in zip(states, draws, strict=True)]
        return priors, [[draw.uniform(*bounds_of(game)) for _ in range(game.players)] for draw in draws]

    return evaluator


def bounds_of(game: z.Game) -> tuple[float, float]:
    low, high = game.bounds
    return (max(low, -9.0), min(high, 9.0))


@settings(max_examples=40, deadline=None)
@given(data=st.one_of(moved_trees(), chance_trees()), seed=st.integers(0, 9))
def test_literal_puct_does_what_the_simulator_does(data: Any, seed: int) -> None:
    game = z.Tree(data)
    compare_simulations(puct, "puct_simulation", game, simulations=40, seed=seed, c=0.7, evaluator=opinion(game))


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "race:steps=2,sides=3", "kingmaker", "pig"])
def test_literal_puct_does_what_the_simulator_does_on_games(name: str) -> None:
    game = load(name)
    compare_simulations(
        puct, "puct_simulation", game, simulations=80, seed=1, evaluator=opinion(game), noise=(0.3, 0.25)
    )


def compare_simulations(module: Any, name: str, game: z.Game, **options: Any) -> None:
    ran = []
    with pytest.MonkeyPatch.context() as patch:
        original = getattr(module, name)
        patch.setattr(module, name, lambda *given: (ran.append(1), original(*given)))
        literal = mcts(game, solver=False, trace=True, **options)
        assert game.is_terminal(game.initial()) or len(ran) == options["simulations"]
        patch.setattr(mcts_run, "simulator_for", lambda *_: Simulator)
        composed = mcts(game, solver=False, trace=True, **options)
    assert outcome(literal) == outcome(composed)
    assert literal.visits == composed.visits


@pytest.mark.parametrize("search", sorted(LITERAL, key=lambda each: each.__name__))
def test_a_literal_search_is_as_long_as_the_slide(search: Callable[..., Any]) -> None:
    lines = [line for line in inspect.getsource(search).splitlines() if line.strip()]
    assert len(lines) <= 40
