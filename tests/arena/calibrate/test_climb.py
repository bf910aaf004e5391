"""How a ladder of weakened players is made."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from tests.arena.calibrate.stones import Solitaire, Stones

from zermelo.arena.calibrate.climb import Climb, PlayerFamily, Strength, find_family
from zermelo.arena.calibrate.ladder import Rung
from zermelo.arena.calibrate.run import CalibrationSettings, MeetingRunner, calibrate
from zermelo.arena.executors import InlineExecutor
from zermelo.arena.openings import Opening, OpeningBook
from zermelo.arena.statistics import Result, expected_score
from zermelo.errors import MethodError, OptionError, PlayerError
from zermelo.games import load


class Simulation:
    """Players whose strength is known: a limit is worth `step` Elo, and noise takes all of it away."""

    def __init__(self, step, budget, seed=0):
        self.step = step
        self.left = budget
        self.dice = random.Random(seed)

    def elo(self, text):
        if text == "random":
            return 0.0
        limit, _, noise = text.removeprefix("sim:").partition(",noise=")
        return 400 + self.step * int(limit) * (1 - float(noise or 0) ** 0.5) - 400 * float(noise or 0)

    def meet(self, meetings, count):
        found = []
        for meeting in meetings:
            for _ in range(min(count, self.left)):
                self.left -= 1
                one, other = self.dice.sample(meeting, 2)
                won = self.dice.random() < expected_score(self.elo(one) - self.elo(other))
                found.append(Result(one, other, float(won)))
        return found


@pytest.mark.parametrize("seats", [2, 3])
def test_a_ladder_of_known_players_has_their_ratings_and_no_wide_gaps(seats):
    world = Simulation(step=300, budget=6000)
    climb = Climb(PlayerFamily("sim", tuple("0123")), seats, world.meet, lambda: world.left <= 0, levels=14)
    climb.run()
    found = climb.rungs()
    assert found[0] == Rung("random", 0.0, 0.0, 0.0, found[0].games)
    assert found[-1].player == "sim:3"
    assert [rung.elo for rung in found] == sorted(rung.elo for rung in found)
    for rung in found:
        assert abs(rung.elo - world.elo(rung.player)) < 3 * max(rung.high - rung.low, 1) / 2
    gaps = [upper.elo - lower.elo for lower, upper in pairwise(found)]
    assert max(gaps) < 300
    assert min(gaps) >= 60


def test_limits_that_bring_nothing_end_the_ascent():
    world = Simulation(step=0, budget=4000)
    climb = Climb(PlayerFamily("sim", tuple("0123456")), 2, world.meet, lambda: world.left <= 0)
    climb.ascend()
    assert "sim:6" not in climb.pool


def test_a_ladder_has_no_more_levels_than_asked_for_and_keeps_its_ends():
    world = Simulation(step=300, budget=3000)
    climb = Climb(PlayerFamily("sim", tuple("0123")), 2, world.meet, lambda: world.left <= 0, levels=3)
    climb.run()
    assert [rung.player for rung in climb.rungs()][::2] == ["random", "sim:3"]
    assert len(climb.rungs()) == 3


def test_a_small_real_ladder_is_settled_by_its_seed_and_rises_from_random_play():
    settings = CalibrationSettings(games=300, nodes=200, seed=1)
    made = calibrate("tictactoe", settings)
    assert made.rungs == calibrate("tictactoe", settings).rungs
    assert made.rungs[0].player == "random"
    assert made.rungs[0].elo == 0
    assert made.highest > 150
    assert made.facts["games"] <= 300
    assert made.facts["anchor"] == {"random": 0}


def test_processes_make_the_same_ladder():
    settings = CalibrationSettings(games=100, nodes=100)
    assert calibrate("tictactoe", settings, concurrency=2).rungs == calibrate("tictactoe", settings).rungs


@pytest.mark.parametrize("game", [Stones(), "race", "kingmaker:stones=11,most=3"])
def test_games_of_ones_own_with_dice_and_of_three_get_a_ladder(game):
    made = calibrate(game, CalibrationSettings(games=200, nodes=300))
    assert made.rungs[0].player == "random"
    assert len(made.rungs) >= 2


def test_what_has_no_opponents_is_refused():
    with pytest.raises(MethodError, match="hides information"):
        calibrate("blind-tictactoe")
    with pytest.raises(OptionError, match="for one player"):
        calibrate(Solitaire())
    with pytest.raises(MethodError, match="nobody plays"):
        calibrate("[[1,1],[1,1]]", CalibrationSettings(games=200))


@pytest.mark.parametrize(
    "settings", [{"games": 3}, {"levels": 1}, {"minutes": 0}, {"minutes": float("nan")}, {"nodes": 0}]
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(OptionError, match="must be"):
        calibrate("tictactoe", CalibrationSettings(**settings))


def test_the_engine_serves_where_it_can_and_the_textbook_elsewhere():
    assert find_family(load("connect4"), 1000).limits == ("depth=1", "nodes=128", "nodes=512", "nodes=1000")
    assert find_family(load("pig")).kind == "engine"
    circling = load("kingmaker")
    circling.repetition = "draw"  # with three players only the textbook knows that
    family = find_family(circling, 10)
    assert family.text(Strength(1, 0.25)) == "search:nodes=10,noise=0.25"
    assert family.text(Strength(1, 1)) == "random"


def field(executor, games=100, deadline=None):
    return MeetingRunner(
        "tictactoe", 2, executor, OpeningBook((Opening(),), "none"), seed=0, games=games, deadline=deadline
    )


def test_time_ends_the_playing_and_so_does_the_number_of_games():
    late = field(InlineExecutor(), deadline=0.0)
    assert late.play([("random", "search:depth=1")], 10) == []
    assert late.ended == "minutes"
    short = field(InlineExecutor(), games=7)
    assert len(short.play([("random", "search:depth=1")], 10)) == 6
    assert short.ended == "games"


def test_ctrl_c_ends_the_playing_and_keeps_what_is_known():
    class Interrupted(InlineExecutor):
        def collect(self):
            raise KeyboardInterrupt

    stopped = field(Interrupted())
    assert stopped.play([("random", "search:depth=1")], 10) == []
    assert stopped.ended == "interrupt"


def test_a_player_that_fails_is_a_fault_and_not_a_weak_player():
    with pytest.raises(PlayerError, match="broke off"):
        field(InlineExecutor()).play([("random", "expectiminimax:depth=1,null_move=yes,order=nonsense")], 2)
