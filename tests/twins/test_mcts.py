"""The native Monte Carlo tree search builds the textbook's tree: of one seed the same visits, values and lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.search.little_games import Shuffle
from tests.twins.random_games import NoiseNet, NoiseTree

import zermelo as z
from zermelo.engine import Mcts
from zermelo.games import load
from zermelo.search.mcts import Budget, MctsSettings
from zermelo.search.mcts import mcts as textbook
from zermelo.search.mcts.hidden import HiddenSimulator
from zermelo.search.mcts.run import simulate

GAMES = ("tictactoe", "connect4", "race", "kingmaker")
SETTINGS: dict[str, dict[str, Any]] = {
    "uct": {"solver": False},
    "solver": {},
    "puct": {"selection": "puct"},
    "rave": {"rave": 50.0, "c": 0.3},
    "widening": {"widening": 0.5},
    "short": {"plies": 3},
}


HIDING = (
    "battleship",
    "blind_tictactoe",
    "goofspiel:cards=3,hidden=true",
    "kuhn:players=3",
    "leduc",
    "liars_dice:dice=2,sides=3",
    "one_card",
    "red_blue",
)
"""Games in which players do not see everything."""


FACTS = (
    "action",
    "value",
    "values",
    "line",
    "lines",
    "nodes",
    "leaves",
    "exact",
    "bounds",
    "stopped",
    "actions",
    "visits",
)


def compare(game: z.Game, s: Any = None, **options: Any) -> None:
    ours, twin = textbook(game, s, **options), z.mcts(game, s, batch=1, **options)
    for name in FACTS:
        assert getattr(twin, name) == getattr(ours, name), name


@pytest.mark.parametrize("name", ["connect4", "othello", "pig:goal=12", "race"])
@pytest.mark.parametrize("options", [{}, {"plies": 5}, {"rave": 50.0, "c": 0.3}], ids=str)
def test_both_roll_out_by_the_same_estimates(name: str, options: dict[str, Any]) -> None:
    compare(load(name), simulations=40, playout="evaluate", seed=3, **options)


@pytest.mark.parametrize("name", ["connect4", "tictactoe", "race"])
@pytest.mark.parametrize("mix", [0.3, 1.0])
def test_both_mix_an_evaluators_judgement_with_playouts(name: str, mix: float) -> None:
    game = load(name)

    def judge(states: list[Any]) -> tuple[list[Any], list[Any]]:
        return [None] * len(states), [(hash(s) % 200 - 100) / 101 for s in states]

    compare(game, simulations=80, evaluator=judge, mix=mix, seed=5)


@pytest.mark.parametrize("name", GAMES)
def test_both_build_the_same_tree(name: str) -> None:
    game = load(name)
    for options in SETTINGS.values():
        compare(game, simulations=120, seed=7, **options)


@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
def test_both_build_the_same_tree_of_games_made_of_noise(options: dict[str, Any]) -> None:
    for game in (NoiseTree(), NoiseNet(loops=True)):
        for seed in range(12):
            s = game.State(*(3 + 17 * seed, *game.initial()[1:]))
            if not game.is_terminal(s):
                compare(game, s, simulations=80, seed=seed, **{"plies": 40, **options})


@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
def test_both_choose_from_the_same_actions(options: dict[str, Any]) -> None:
    game = load("tictactoe")
    for only in ([0], [1, 5], [8, 2, 4]):
        compare(game, simulations=150, seed=3, only=only, temperature=0.5, **options)


class Checks(Shuffle):
    """`Shuffle` in which whoever puts the token on the first place gives check."""

    def is_check(self, s: Shuffle.State) -> bool:
        return s.place == 0


@pytest.mark.parametrize("rule", ["draw", "loses", "forbidden", "perpetual"])
def test_both_know_the_rules_of_repetition(rule: str) -> None:
    game = Checks(rule)
    s = game.result(game.initial(), 1)
    simulations = 3 if rule == "forbidden" else 60  # sooner or later that game leaves no action
    compare(game, s, history=[game.initial()], simulations=simulations, plies=5, seed=1)


def test_both_ask_an_evaluator_alike() -> None:
    def judge(states: list[Any]) -> tuple[list[Any], list[float]]:
        return [[1.0 + (s.noise + i) % 3 for i in range(n)] for s in states if (n := len(list(game.actions(s))))], [
            (s.noise % 11 - 5) / 10 for s in states
        ]

    game = NoiseTree()
    for seed in range(8):
        s = game.State(5 + 13 * seed, 6, 0)
        if not game.is_terminal(s):
            compare(game, s, simulations=60, seed=seed, evaluator=judge)


def test_both_mix_in_the_same_noise() -> None:
    compare(load("connect4"), simulations=60, selection="puct", noise=(0.5, 0.3), temperature=1.0, seed=4)


def choices(game: z.Game, seed: int) -> Iterator[Any]:
    """The positions of a random game in which players choose."""
    dice, s = random.Random(seed), game.initial()
    while not game.is_terminal(s):
        if game.player(s) >= 0:
            yield s
        s = game.result(s, dice.choice(list(game.actions(s))))


@pytest.mark.parametrize("name", HIDING)
def test_both_build_the_same_tree_of_information_sets(name: str) -> None:
    game = load(name)
    for seed, s in enumerate(choices(game, 7)):
        for options in ({}, {"selection": "puct"}, {"plies": 1}, {"widening": 0.5}):
            compare(game, s, simulations=60, seed=seed, **options)


@pytest.mark.parametrize("name", ["battleship:columns=2,rows=2", "blind_tictactoe", "goofspiel:cards=4", "leduc"])
@pytest.mark.parametrize(
    "settings", [MctsSettings(), MctsSettings(selection="puct", noise=(0.5, 0.3), temperature=1.0)]
)
def test_both_keep_the_same_information_sets_from_move_to_move(name: str, settings: MctsSettings) -> None:
    game, dice, reused = load(name), random.Random(3), 0
    for seat in range(2):
        searcher, twin = Mcts(game, settings=settings), None
        s, history = game.initial(), []
        while not game.is_terminal(s):
            action = dice.choice(list(game.actions(s)))
            if game.player(s) == seat:
                found = searcher.search(s, history=history, simulations=150)
                twin = HiddenSimulator(game, s, settings, history, twin)
                told = simulate(twin, Budget(simulations=150), 0.0)
                assert [getattr(found, fact) for fact in FACTS] == [getattr(told, fact) for fact in FACTS]
                assert searcher.reused == twin.reused
                reused += twin.reused
                action = found.action
            history.append(s)
            s = game.result(s, action)
    assert reused > 0
