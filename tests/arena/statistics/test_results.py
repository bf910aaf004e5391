"""Results are added up, games of many players are compared two by two, and nonsense is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from zermelo.arena.statistics import Result, comparisons, tally
from zermelo.errors import InputError


def test_a_tally_counts_by_seat_and_by_opponent():
    games = tally([("a", "b", 1), ("a", "b", 0.5), ("b", "a", 1, 3.0), Result("c", "a", 0.0)])
    assert games.names == ("a", "b", "c")
    assert games.wins[0, 1] == 1
    assert games.wins[1, 0] == 3
    assert games.draws[0, 1] == 1
    assert games.losses[2, 0] == 1
    assert games.points[0].tolist() == [0, 1.5, 1]
    assert games.points[1, 0] == 3.5
    assert games.met[0].tolist() == [0, 5, 1]


def test_the_points_of_two_add_up_to_their_games():
    games = tally([("a", "b", 1), ("b", "c", 0.5), ("c", "a", 0), ("a", "c", 0.5, 7)])
    assert np.allclose(games.points + games.points.T, games.met)


def test_parts_are_what_games_connect():
    games = tally([("a", "b", 1), ("c", "d", 0), ("b", "e", 0.5)])
    assert [[games.names[place] for place in part] for part in games.parts()] == [["a", "b", "e"], ["c", "d"]]


def test_a_game_of_three_weighs_one_for_each_of_them():
    rows = comparisons(["a", "b", "c"], [5.0, 2.0, 2.0])
    assert rows == [Result("a", "b", 1.0, 0.5), Result("a", "c", 1.0, 0.5), Result("b", "c", 0.5, 0.5)]
    games = tally(rows)
    assert games.met.sum(1).tolist() == [1, 1, 1]
    assert games.points.sum(1).tolist() == [1, 0.25, 0.25]


def test_a_game_of_two_is_itself():
    assert comparisons(["a", "b"], [-1, 1]) == [Result("a", "b", 0.0, 1.0)]


@pytest.mark.parametrize(
    "row",
    [
        ("a", "b"),
        ("a", "b", 0.3),
        ("a", "b", "won"),
        ("a", "b", None),
        ("a", "b", math.nan),
        ("a", "a", 1),
        ("a", "b", 1, 0),
        ("a", "b", 1, math.inf),
        ("a", "b", 1, 1, 1),
        7,
    ],
)
def test_what_is_no_result_is_refused(row):
    with pytest.raises(InputError):
        tally([row])


@pytest.mark.parametrize(("entrants", "points"), [(["a"], [1]), (["a", "b"], [1]), ([], [])])
def test_what_is_no_game_is_refused(entrants, points):
    with pytest.raises(InputError, match="two or more entrants"):
        comparisons(entrants, points)
