"""Networks that guide simulations with playouts: they judge the positions that are visited often."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.test_grid import random_grid
from tests.engine.test_network import random_network

import zermelo as z
from zermelo.engine import Mcts
from zermelo.engine.network import AnyNetwork, read_network, with_network
from zermelo.engine.searcher import Searcher, is_simulated
from zermelo.errors import InputError, OptionError
from zermelo.games import load

SUM_GAMES = ("connect4", "breakthrough:columns=5,rows=5", "othello:size=4")


def sum_guide(name: str) -> Any:
    game = load(name)
    return with_network(game, random_network(game, 32).guiding("playouts"))


def grid_guide() -> Any:
    return with_network(load("hex:size=5"), random_grid("hex:size=5", (5, 5), True).guiding("playouts"))


def positions(game: Any, count: int) -> list[Any]:
    chance, found, s = np.random.default_rng(1), [], game.initial()
    while len(found) < count:
        if game.is_terminal(s):
            s = game.initial()
        found.append(s)
        s = game.result(s, int(chance.choice(list(game.actions(s)))))
    return found


@pytest.mark.parametrize("name", SUM_GAMES)
def test_priors_of_a_sum_network_go_with_the_odds_of_what_actions_lead_to(name: str) -> None:
    game = sum_guide(name)
    for s in positions(game, 30):
        mover = game.player(s)
        (priors,), (values,) = game.judge([s])
        odds = []
        for a in game.actions(s):
            child = game.result(s, a)
            over = game.is_terminal(child)
            worth = game.utility(child, mover) if over else game.evaluate(child, mover)
            share = min(max((worth + 1) / 2, 0.002), 0.998)
            odds.append(share / (1 - share))
        assert priors == pytest.approx([each / sum(odds) for each in odds])
        assert values[mover] == pytest.approx(game.evaluate(s, mover))
        assert sum(values) == pytest.approx(0)


@pytest.mark.parametrize("judged_from", [1, 3, 16])
@pytest.mark.parametrize("mix", [0.0, 0.5, 1.0])
def test_the_textbook_builds_the_same_tree(judged_from: int, mix: float) -> None:
    for game in (sum_guide("connect4"), sum_guide("othello:size=4"), grid_guide()):
        core = z.mcts(game, simulations=150, judged_from=judged_from, mix=mix, seed=2)
        book = z.mcts(game, simulations=150, judged_from=judged_from, mix=mix, seed=2, trace=True)
        assert (core.action, core.visits, core.nodes) == (book.action, book.visits, book.nodes)
        assert core.value == book.value
        assert core.line == book.line


def test_a_guide_is_simulated_by_default_and_says_so() -> None:
    game = sum_guide("connect4")
    assert is_simulated(game)
    assert z.mcts(game, simulations=50).method == "mcts+puct+playouts+evaluator+solver"
    assert Searcher(game).search(None, z.Limits(seconds=0.05)).method.startswith("mcts+puct+playouts")
    plain = with_network(load("connect4"), game.network.guiding(""))
    assert not is_simulated(plain)


def test_positions_that_are_seldom_visited_are_not_judged() -> None:
    """Of 200 simulations only those through the root's children come often enough."""
    game = grid_guide()
    late, never = (z.mcts(game, simulations=200, judged_from=n, mix=1.0, seed=4) for n in (8, 10**6))
    assert late.visits != never.visits
    assert max(late.visits.values()) <= 200


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_judge_a_position_once_and_lose_nothing(threads: int) -> None:
    found = Mcts(sum_guide("connect4"), threads=threads).search(simulations=20_000)
    assert sum(found.visits.values()) == 20_000
    assert -1 <= found.value <= 1


def test_what_a_network_is_for_is_kept_in_its_file(tmp_path: Path) -> None:
    for game in (sum_guide("connect4"), grid_guide()):
        network: AnyNetwork = game.network
        network.write(tmp_path / "guide.safetensors")
        again = read_network(tmp_path / "guide.safetensors")
        assert again.guide == "playouts"
        assert with_network(game.rules, again).simulation == game.simulation
        assert not again.guiding("").guide


def test_an_evaluator_in_python_judges_new_positions_only() -> None:
    def judge(states: list[Any]) -> tuple[list[Any], list[float]]:
        return [None] * len(states), [0.0] * len(states)

    with pytest.raises(OptionError, match="networks of the core"):
        z.mcts(load("connect4"), simulations=10, evaluator=judge, judged_from=4)


@pytest.mark.parametrize("options", [{"mix": -0.1}, {"mix": 2}, {"judged_from": -1}, {"judged_from": 0.5}], ids=str)
def test_shares_and_counts_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=next(iter(options))):
        z.mcts(load("connect4"), simulations=10, **options)


def test_a_guide_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    sum_guide("connect4").network.guiding("oracle").write(tmp_path / "guide.safetensors")
    with pytest.raises(InputError, match="'oracle', which this zermelo does not know"):
        read_network(tmp_path / "guide.safetensors")


def test_all_moves_as_first_go_with_priors_as_in_the_textbook() -> None:
    game = with_network(load("hex:size=5"), random_grid("hex:size=5", (5, 5), True).guiding("rave"))
    core, book = z.mcts(game, simulations=150), z.mcts(game, simulations=150, trace=True)
    assert core.method == "mcts+puct+rave+playouts+evaluator+solver"
    assert (core.action, core.visits, core.nodes, core.value) == (book.action, book.visits, book.nodes, book.value)


@pytest.mark.parametrize("cells", [(-1,) * 25, (0.5,) * 25, ("a",) * 25, (10**30,) * 25], ids=str)
def test_cells_that_are_no_numbers_of_cells_are_one_line(cells: Any) -> None:
    network = random_grid("hex:size=5", (5, 5), True)
    broken = replace(network, shape=replace(network.shape, action_cells=cells))
    with pytest.raises(InputError, match=r"^the network cannot be used: a number of its shape is of another kind$"):
        with_network(load("hex:size=5"), broken).evaluate(load("hex:size=5").initial(), 0)
