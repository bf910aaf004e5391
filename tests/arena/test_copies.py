"""Copies of games count once, whatever asks."""

from __future__ import annotations

import zermelo as z
from zermelo.arena.copies import signature, without_copies
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameOutcome, ScheduledGame
from zermelo.arena.sequential import SequentialTest
from zermelo.arena.statistics import Sprt
from zermelo.play import Record


def encounter(number, moves, points=(1.0, 0.0), reason="", culprit=None, opening=0, seconds=()):
    """Two games, seats swapped, of which the first entrant wins both."""
    found = []
    for turn, seats in enumerate(((0, 1), (1, 0))):
        won = points if turn == 0 else points[::-1]
        record = Record("g", ("a", "b"), "start", (), moves[turn], won, reason, culprit, seconds=seconds)
        fixture = ScheduledGame(2 * number + turn, 0, 0, number, seats, opening, 0)
        found.append((fixture, GameOutcome(fixture.number, record, won, "", 0.0, {})))
    return found


ONE, OTHER = (("x",), ("y",)), (("x",), ("z",))


def test_an_encounter_whose_games_were_all_played_before_is_a_copy():
    games = [*encounter(0, ONE), *encounter(1, OTHER, opening=1), *encounter(2, ONE), *encounter(3, ONE)]
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


def test_games_in_which_chance_moved_are_no_copies():
    games = [game for number in range(3) for game in encounter(number, ONE, seconds=(None, 0.1))]
    assert without_copies(games) == games
    assert signature(encounter(0, ONE, seconds=(0.1, 0.1))) is not None


def test_players_who_say_that_they_vary_make_no_copies():
    games = [game for number in range(3) for game in encounter(number, ONE)]
    assert without_copies(games, varying=[1]) == games
    assert without_copies(games, varying=[2]) == games[:2]


def test_players_who_were_seen_to_play_one_opening_in_two_ways_make_no_copies():
    games = [*encounter(0, ONE), *encounter(1, ONE), *encounter(2, OTHER), *encounter(3, ONE)]
    assert without_copies(games) == games
    assert without_copies(games[:4]) == games[:2]


def test_a_sequential_test_counts_what_it_held_back_once_players_are_seen_to_vary():
    test = SequentialTest(Sprt(0, 100))
    for fixture, outcome in [game for number in range(5) for game in encounter(number, ONE)]:
        test.add(fixture, outcome)
    assert sum(test.counts) == 1
    for fixture, outcome in encounter(5, OTHER):
        test.add(fixture, outcome)
    assert sum(test.counts) == 6


def test_who_varies_is_known_before_the_first_game():
    players = (
        "engine:depth=2",
        "random",
        "mcts:simulations=9",
        "mcts:simulations=9,seed=1",
        "engine:depth=1,noise=0.5",
    )
    assert Plan("tictactoe", players).varying({}) == [1, 2, 4]
    assert Plan("kuhn", ("cfr:iterations=9", "rated:300")).varying({}) == [0, 1]


def test_a_random_player_in_a_tiny_game_makes_no_copies():
    report = z.match("tictactoe", ["random", "random:seed=1"], games=12, openings="none")
    assert report.copies == 0
    assert z.match("kuhn", ["cfr:iterations=9", "random"], games=40).copies == 0
