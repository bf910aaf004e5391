from __future__ import annotations

import pytest

from zermelo.errors import OptionError, PositionError
from zermelo.game import CHANCE
from zermelo.games.pig import Pig


@pytest.fixture(scope="module")
def game():
    return Pig(goal=10)


def test_the_turn_begins_with_a_roll(game, play):
    assert [game.show_action(game.initial(), a) for a in game.actions(game.initial())] == ["roll"]
    rolling = play(game, "roll")
    assert game.player(rolling) == CHANCE
    assert list(game.chances(rolling)) == [(face, 1 / 6) for face in range(1, 7)]


def test_holding_keeps_the_points_and_a_one_loses_them(game, play):
    assert play(game, "roll 4 roll 3 hold") == (0, 7, 0, 1, False)
    assert play(game, "roll 4 roll 1") == (0, 0, 0, 1, False)


def test_reaching_the_goal_wins_at_once(game, play):
    s = play(game, "roll 4 hold roll 1 roll 6")
    assert game.is_terminal(s)
    assert game.utilities(s) == (1.0, -1.0)


def test_points_beyond_the_goal_make_no_further_position(game, play):
    assert play(game, "roll 5 roll 6") == play(game, "roll 5 roll 5")


def values(game, positions):
    """What every position is worth to player 0, by iterating until the values stand still."""
    value = {s: game.utility(s, 0) if game.is_terminal(s) else 0.0 for s in positions(game)}
    inner = [
        (s, game.player(s), [game.result(s, a) for a in game.actions(s)]) for s in value if not game.is_terminal(s)
    ]
    change = 1.0
    while change > 1e-7:
        change = 0.0
        for s, mover, children in inner:
            worth = [value[child] for child in children]
            # All faces of the die are equally likely.
            new = sum(worth) / len(worth) if mover == CHANCE else max(worth) if mover == 0 else min(worth)
            change = max(change, abs(new - value[s]))
            value[s] = new
    return value


@pytest.mark.parametrize(("goal", "chance"), [(2, 6 / 7), (10, 0.70942)])
def test_going_first_is_worth_most_in_a_short_game(goal, chance, positions):
    game = Pig(goal)
    assert (values(game, positions)[game.initial()] + 1) / 2 == pytest.approx(chance, abs=1e-5)


@pytest.mark.parametrize(("goal", "total"), [(10, None), (11, 5)])
def test_with_three_sides_holding_pays_from_a_goal_of_eleven_on(goal, total, positions):
    game = Pig(goal, sides=3)
    value = values(game, positions)
    holding = [
        s.total
        for s in value
        if s.turn == 0
        and not game.is_terminal(s)
        and not s.rolling
        and s.total > 0
        and value[game.result(s, 0)] > value[game.result(s, 1)] + 1e-6
    ]
    assert min(holding, default=None) == total


def test_the_score_is_shown(game, play):
    assert game.show(play(game, "roll 4 hold roll 3 roll")).splitlines() == [
        "player 0:   4 of 10",
        "player 1:   0 of 10, 3 this turn, rolls",
    ]


@pytest.mark.parametrize("options", [(1, 6), (101, 6), (10, 1), (10, 101)])
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        Pig(*options)


@pytest.mark.parametrize(
    "text", ["(0,0,0,0)", "(10,0,0,0,False)", "(0,0,-1,0,False)", "(0,0,0,2,False)", "(5,0,5,0,True)"]
)
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
