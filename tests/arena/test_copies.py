"""Copies of games count once, whatever asks."""

from __future__ import annotations

import zermelo as z
from zermelo.arena.report import SequentialTest
from zermelo.arena.scheduled import GameOutcome, ScheduledGame, signature, without_copies
from zermelo.arena.statistics import Sprt
from zermelo.play import Record


def encounter(number, moves, points=(1.0, 0.0), reason="", culprit=None):
    """Two games, seats swapped, of which the first entrant wins both."""
    found = []
    for turn, seats in enumerate(((0, 1), (1, 0))):
        won = points if turn == 0 else points[::-1]
        record = Record("g", ("a", "b"), "start", (), moves[turn], won, reason, culprit)
        fixture = ScheduledGame(2 * number + turn, 0, 0, number, seats, 0, 0)
        found.append((fixture, GameOutcome(fixture.number, record, won, "", 0.0, {})))
    return found


ONE, OTHER = (("x",), ("y",)), (("x",), ("z",))


def test_an_encounter_whose_games_were_all_played_before_is_a_copy():
    games = [*encounter(0, ONE), *encounter(1, OTHER), *encounter(2, ONE), *encounter(3, ONE)]
    assert [fixture.number for fixture, _ in without_copies(games)] == [0, 1, 2, 3]


def test_that_a_player_fails_again_is_news():
    games = [game for number in range(3) for game in encounter(number, ONE, reason="crash", culprit=1)]
    assert without_copies(games) == games
    assert signature(encounter(0, ((), ()))) is None


def test_a_sequential_test_is_not_decided_by_copies():
    test = SequentialTest(Sprt(0, 100))
    for number in range(500):
        for fixture, outcome in encounter(number, ONE):
            test.add(fixture, outcome)
    assert (sum(test.counts), test.decision) == (1, None)
    fresh = SequentialTest(Sprt(0, 100))
    for number in range(500):
        for fixture, outcome in encounter(number, ((f"x{number}",), (f"y{number}",))):
            fresh.add(fixture, outcome)
    assert fresh.decision == "accept H1"


def test_a_match_without_openings_between_players_that_do_not_vary_is_two_games():
    few = z.match("connect4", ["engine:depth=3", "engine:depth=1"], games=2, openings="none")
    many = z.match("connect4", ["engine:depth=3", "engine:depth=1"], games=40, openings="none")
    assert (len(many.games), many.copies) == (40, 38)
    assert many.compare(0, 1) == few.compare(0, 1)
    assert "38 of 40 games are copies" in many.text()
    assert many.ratings.entrants == few.ratings.entrants
