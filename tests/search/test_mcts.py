"""Monte Carlo tree search of the textbook: worked by hand where that is possible, and true where a proof is known."""

from __future__ import annotations

import functools
import math
import operator
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings

import zermelo as z
from tests.search.little_games import OneWay, Shuffle
from tests.search.trees import chance_trees, trees
from zermelo.errors import ContractError, MethodError, OptionError
from zermelo.games import load
from zermelo.games.nim import Nim
from zermelo.search.mcts import MctsSettings, mcts
from zermelo.search.mcts.dice import Dice, dirichlet
from zermelo.search.mcts.hidden import HiddenSimulator
from zermelo.search.mcts.simulate import Simulator

LECTURE = "[[3,12,8],[2,4,6],[14,5,2]]"


def test_the_dice_are_those_of_the_core() -> None:
    """The first numbers of xoshiro256** whose words are the first four of splitmix64 from 0."""
    dice = Dice(0)
    assert dice.words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [dice.next() for _ in range(2)] == [0x99EC5F36CB75F2B4, 0xBF6E1F784956452A]
    assert all(0 <= dice.below(7) < 7 and 0 <= dice.unit() < 1 for _ in range(1000))


def test_the_lectures_tree_is_proved() -> None:
    found = mcts(load(LECTURE), simulations=100)
    assert (found.value, found.exact, found.bounds, found.stopped) == (3.0, True, (3.0, 3.0), "")
    assert found.leaves == 11  # three playouts, and eight of the nine ends: as alpha-beta, it need not look at all
    assert found.line[0] == 0


def test_without_the_solver_the_best_action_is_the_most_visited() -> None:
    found = mcts(load(LECTURE), simulations=2000, solver=False, c=0.1)
    assert found.action == 0 == max(found.visits, key=found.visits.__getitem__)
    assert not found.exact
    assert sum(found.visits.values()) == found.leaves == 2000
    assert found.value == pytest.approx(3.0, abs=0.2)


def test_a_child_is_chosen_by_its_mean_and_how_seldom_it_was_tried() -> None:
    game = load("[1, 0, 0]")
    simulator = Simulator(game, game.initial(), MctsSettings(c=1.0, solver=False))
    for _ in range(3):
        simulator.simulate()
    root = simulator.root
    assert [child.visits for child in root.children] == [1, 1, 1]
    width = game.bounds[1] - game.bounds[0]
    bonus = width * math.sqrt(math.log(3))
    score = simulator.selector.uct(root)
    assert [score(child) for child in root.children] == [1 + bonus, bonus, bonus]
    simulator.simulate()
    assert [child.visits for child in root.children] == [2, 1, 1]


@given(tree=trees(most_leaves=25))
@settings(max_examples=60, deadline=None)
def test_what_is_proved_is_minimax(tree: Any) -> None:
    game = z.Tree(tree)
    truth = z.minimax(game)
    found = mcts(game, simulations=3000)
    assert found.bounds[0] <= truth.value <= found.bounds[1]
    assert found.exact
    assert found.value == truth.value
    if found.action is not None:
        assert z.minimax(game, game.result(game.initial(), found.action)).values[0] == truth.values[0]


@given(tree=chance_trees(most_leaves=15))
@settings(max_examples=40, deadline=None)
def test_bounds_hold_the_expected_value(tree: Any) -> None:
    game = z.Tree(tree)
    truth = z.expectiminimax(game).value
    found = mcts(game, simulations=300)
    low, high = found.bounds
    assert low - 1e-9 <= truth <= high + 1e-9
    if found.exact:
        assert found.value == pytest.approx(truth)


def test_a_dice_game_comes_near_its_exact_value() -> None:
    game = load("race:steps=2,sides=3")
    truth = z.expectiminimax(game)
    found = mcts(game, simulations=3000, solver=False)
    assert found.value == pytest.approx(truth.value, abs=0.1)
    assert found.action is None
    rolled = game.result(game.initial(), 1 * 4 + 2)
    assert mcts(game, rolled, simulations=1500).value == pytest.approx(z.expectiminimax(game, rolled).value, abs=0.1)


def test_three_players_play_each_for_itself() -> None:
    game = load("kingmaker:podium=true")
    truth = z.maxn(game)
    found = mcts(game, simulations=3000)
    assert found.action == truth.action
    assert found.values == pytest.approx(truth.values, abs=0.15)
    assert not found.exact
    assert "solver" not in found.method


def test_the_same_seed_the_same_search_and_another_another() -> None:
    game = load("connect4")
    first, again, other = (mcts(game, simulations=60, seed=seed) for seed in (1, 1, 2))
    assert first.visits == again.visits
    assert first.actions == again.actions
    assert first.actions != other.actions


# Repetition.


def test_repetition_as_a_draw_is_proved_to_be_one() -> None:
    found = mcts(Shuffle(), simulations=2000, plies=5)
    assert (found.value, found.exact) == (0.0, True)


def test_repetition_that_loses_has_minimaxs_value() -> None:
    assert mcts(Shuffle("loses"), simulations=2000, plies=5).value == z.minimax(Shuffle("loses")).value


def test_history_counts_as_repetition() -> None:
    game = Shuffle("loses")
    after_one = game.result(game.initial(), 1)
    past = [game.result(after_one, 1), game.result(after_one, 2)]
    found = mcts(game, after_one, history=past, simulations=100, plies=5)
    assert (found.value, found.exact) == (-1.0, True)


def test_what_repetition_forbids_is_not_among_the_actions() -> None:
    game = Shuffle("forbidden")
    after_one = game.result(game.initial(), 1)
    found = mcts(game, after_one, history=[game.result(after_one, 2)], simulations=2, plies=5)
    assert list(found.visits) == [1]
    with pytest.raises(ContractError, match="every action"):
        mcts(OneWay("forbidden"), simulations=100, plies=5)


# Techniques.


def test_widening_looks_at_few_actions_first_and_at_the_likeliest() -> None:
    game = load("connect4")
    found = mcts(game, simulations=9, widening=0.5)
    tried = [action for action, visits in found.visits.items() if visits]
    assert len(tried) == 3
    assert tried[0] == 3  # the middle has the highest priority


def test_all_moves_as_first_credits_later_plays_of_the_same_player() -> None:
    game = load("tictactoe")
    simulator = Simulator(game, game.initial(), MctsSettings(rave=100.0))
    simulator.simulate()
    weights = {child.action: child.weight for child in simulator.root.children}
    assert weights[0] == 1  # played
    assert sum(weights.values()) in (3, 4, 5)  # and whatever x did later
    assert all(child.visits == 0 for child in simulator.root.children[1:])


def test_an_evaluator_takes_the_place_of_playouts() -> None:
    game = load("tictactoe")
    asked: list[Any] = []

    def corner(states: list[Any]) -> tuple[list[Any], list[Any]]:
        asked.extend(states)
        return [{0: 1.0} for _ in states], [0.0 for _ in states]

    found = mcts(game, simulations=20, evaluator=corner)
    assert found.visits[0] == 20
    assert asked[0] == game.initial()
    assert found.method == "mcts+puct+evaluator+solver"


@pytest.mark.parametrize(
    "answer",
    [
        *(None, ([None],), ([], []), ([[1.0]], [0.0]), ([None], [math.nan]), ([[math.inf] * 9], [0.0])),
        *(([None], [[0.0]]), (["abcdefghi"], [0.0]), ([None], ["x"]), ([None], [["x", "y"]]), ([3], [0.0])),
        ([None], [None]),
    ],
)
def test_an_evaluator_that_answers_nonsense_is_told(answer: Any) -> None:
    with pytest.raises(OptionError):
        mcts(load("tictactoe"), simulations=3, evaluator=lambda states: answer)


def test_noise_moves_priors_and_keeps_their_sum() -> None:
    game = load("tictactoe")
    simulator = Simulator(game, game.initial(), MctsSettings(selection="puct", noise=(0.3, 0.25)))
    priors = [child.prior for child in simulator.root.children]
    assert sum(priors) == pytest.approx(1)
    assert len(set(priors)) == 9
    assert all(prior >= 0.75 / 9 for prior in priors)
    assert sum(dirichlet(5, 0.1, 3)) == pytest.approx(1)


def test_temperature_draws_actions_by_their_visits() -> None:
    game = load("connect4")
    hot = Counter(mcts(game, simulations=30, temperature=5.0, seed=seed).action for seed in range(20))
    assert len(hot) > 2
    cold = mcts(game, simulations=200, temperature=0.01, seed=1)
    assert cold.visits[cold.action] == max(cold.visits.values())


# Hidden information.


def test_nobody_chooses_by_what_it_cannot_know() -> None:
    """Both worlds behind the same view share one node, and so one choice."""
    game = load("blind_tictactoe")
    s = game.result(game.initial(), 4)
    hidden = HiddenSimulator(game, s, MctsSettings(seed=3))
    for _ in range(200):
        hidden.simulate()
    views = [key for key in hidden.sets if key[0] == 1 and len(key[1]) == 1]
    assert len(views) == 1
    assert sum(child.visits for child in hidden.root.children) == 200


def test_a_search_of_hidden_information_depends_on_the_view_alone() -> None:
    game = load("blind_tictactoe")
    found = [mcts(game, game.result(game.initial(), cell), simulations=100, seed=1) for cell in (0, 8)]
    assert found[0].visits == found[1].visits
    assert not found[0].exact


def test_games_that_hide_and_cannot_imagine_are_refused() -> None:
    class Secret(Shuffle):
        def view(self, s: Any, p: int) -> Any:
            return p

    with pytest.raises(MethodError, match="sample"):
        mcts(Secret(), simulations=1)
    with pytest.raises(MethodError, match="trace"):
        mcts(load("blind_tictactoe"), simulations=1, trace=True)
    with pytest.raises(MethodError, match="evaluators"):
        mcts(load("blind_tictactoe"), simulations=1, rave=10.0)


# The frame.


def test_a_position_that_is_over_needs_no_search() -> None:
    game = load("tictactoe")
    found = mcts(game, game.read("xxx/oo./..."), simulations=5)
    assert (found.action, found.value, found.exact, found.visits) == (None, 1.0, True, {})


@pytest.mark.parametrize(
    "options",
    [
        {"simulations": 0},
        {"simulations": 1.5},
        {"nodes": -1},
        {"seconds": -1},
        {"seconds": math.nan},
        {"c": "much"},
        {"c": -1.0},
        {"rave": math.inf},
        {"widening": 2},
        {"selection": "best"},
        {"playout": "clever"},
        {"plies": -1},
        {"seed": "one"},
        {"solver": 1},
        {"temperature": -1},
        {"noise": 3},
        {"noise": (0.3, 0.25)},
        {"selection": "puct", "noise": (0.0, 2.0)},
        {"evaluator": 3},
        {"depth": 3},
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        mcts(load("tictactoe"), **options)


@pytest.mark.parametrize(("name", "why"), [("tictactoe", "no estimate"), ("goofspiel", "no estimate|hides")])
def test_rollouts_need_an_estimate_that_looks_at_nothing_hidden(name: str, why: str) -> None:
    with pytest.raises(MethodError, match=why):
        mcts(load(name), playout="evaluate", simulations=1)


def test_one_rollout_by_an_estimate_that_is_right_tells_winning_actions_from_losing_ones() -> None:
    def is_won(s: Any) -> bool:
        return bool(functools.reduce(operator.xor, s.heaps))

    class Known(Nim):
        def evaluate(self, s: Any, p: int) -> float:
            return 0.9 if is_won(s) == (p == self.player(s)) else -0.9

    game = Known(heaps=(3, 4, 6))
    s = game.initial()
    count = len(list(game.actions(s)))
    found = mcts(game, simulations=count, playout="evaluate", solver=False)
    assert found.actions == {a: -1.0 if is_won(game.result(s, a)) else 1.0 for a in game.actions(s)}


def test_limits_end_a_search() -> None:
    game = load("othello")
    assert mcts(game, nodes=300).stopped == "nodes"
    assert mcts(game, seconds=0.02).stopped == "seconds"
    assert mcts(game, stop=lambda: True).stopped == "stop"
    assert mcts(game, simulations=3).stopped == "simulations"
