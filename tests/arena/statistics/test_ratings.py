"""Ratings agree with the textbook's, keep what they are anchored to, say what they cannot know, and cover the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arena.statistics.worlds import NAT, game_law, pool

from zermelo.arena.statistics import comparisons, course, elo_from_games, ratings, tally
from zermelo.arena.statistics.davidson import Likelihood
from zermelo.arena.statistics.ratings import rate
from zermelo.errors import InputError

# The American League East of 1987: (home wins, home losses) of the row's team against the column's.
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
HOME = [
    [None, (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), None, (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), None, (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), None, (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), None, (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), None, (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), None],
]


def baseball():
    return [
        (TEAMS[home], TEAMS[away], score, games)
        for home, row in enumerate(HOME)
        for away, cell in enumerate(row)
        if cell
        for score, games in zip((1.0, 0.0), cell, strict=True)
        if games
    ]


@pytest.fixture
def no_prior(monkeypatch):
    monkeypatch.setattr(ratings, "PRIOR_GAMES", 1e-9)


def test_baseball_is_rated_as_in_agresti(no_prior):
    """Table 10.11 of Categorical Data Analysis: log-abilities over Baltimore's, errors of about 0.3."""
    rated = rate(baseball(), anchors={"Baltimore": 0.0}, first_move=False)
    nats = sorted(round(each.elo / NAT, 2) for each in rated.entrants)
    assert nats == [0.0, 0.68, 1.11, 1.25, 1.29, 1.44, 1.58]
    errors = [(each.high - each.elo) / 1.96 / NAT for each in rated.entrants if each.name != "Baltimore"]
    assert errors == pytest.approx([0.3] * 6, abs=0.05)


def test_baseball_at_home_is_rated_as_in_agresti(no_prior):
    rated = rate(baseball())
    assert rated.first_move.elo / NAT == pytest.approx(0.302, abs=5e-4)
    strengths = np.array([math.exp(each.elo / NAT) for each in rated.entrants])
    assert sorted(np.round(strengths / strengths.sum(), 3)) == [0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220]


def test_two_entrants_differ_by_the_odds_of_their_wins_with_half_a_game_each_way():
    rated = rate([("a", "b", 1, 30), ("a", "b", 0, 10), ("b", "a", 1, 10), ("b", "a", 0, 30)])
    assert rated.difference("a", "b").elo == pytest.approx(400 * math.log10(60.5 / 20.5), abs=1e-3)
    assert rated.first_move.elo == pytest.approx(0, abs=1e-3)
    assert [each.name for each in rated.entrants] == ["a", "b"]
    assert rated["a"].elo == pytest.approx(-rated["b"].elo)


def test_draws_do_not_stretch_the_scale():
    """With draws, two entrants still differ by the Elo of their score, and by the bar that `elo` finds."""
    results = [("a", "b", 1, 50), ("a", "b", 0.5, 40), ("a", "b", 0, 10)]
    results += [("b", "a", 0, 50), ("b", "a", 0.5, 40), ("b", "a", 1, 10)]
    found, alone = rate(results).difference("a", "b"), elo_from_games(100, 80, 20)
    assert found.elo == pytest.approx(alone.elo, abs=1)
    assert found.high - found.low == pytest.approx(alone.high - alone.low, rel=0.02)
    assert found.superiority == pytest.approx(alone.superiority, abs=1e-6)
    assert found.line().startswith("+1")


def test_the_gradient_and_the_hessian_are_those_of_the_likelihood():
    random = np.random.default_rng(1)
    likelihood = Likelihood(tally(pool(random, {"a": 0, "b": 90, "c": -40}, 20, 1.0, 30)))
    at, step = random.normal(0, 0.5, 5), 1e-6 * np.eye(5)
    slopes = [(likelihood.value(at + each) - likelihood.value(at - each)) / 2e-6 for each in step]
    curves = [(likelihood.gradient(at + each) - likelihood.gradient(at - each)) / 2e-6 for each in step]
    assert likelihood.gradient(at) == pytest.approx(np.array(slopes), abs=1e-5)
    assert likelihood.hessian(at) == pytest.approx(np.array(curves), abs=1e-5)


def test_first_move_and_draws_are_found():
    random = np.random.default_rng(2)
    truth = {"a": 150.0, "b": 0.0, "c": -150.0}
    rated = rate(pool(random, truth, 20_000, 2.0, 60))
    assert rated.draws == pytest.approx(0.5, abs=0.01)
    assert rated.first_move.elo == pytest.approx(60, abs=4)
    assert {each.name: each.elo for each in rated.entrants} == pytest.approx(truth, abs=5)


def test_anchors_hold_and_carry_the_rest_along():
    results = pool(np.random.default_rng(3), {"a": 100, "b": 0, "c": -100}, 50, 1.0, 20)
    free, held = rate(results), rate(results, anchors={"b": 2000.0})
    assert (held["b"].elo, held["b"].low, held["b"].high) == (2000.0, 2000.0, 2000.0)
    assert held["a"].elo - 2000 == pytest.approx(free["a"].elo - free["b"].elo, abs=1e-3)
    assert held["a"].high - held["a"].elo == pytest.approx(
        free.difference("a", "b").high - free.difference("a", "b").elo
    )


def test_several_anchors_all_hold():
    results = pool(np.random.default_rng(3), {"a": 100, "b": 0, "c": -100}, 50, 1.0, 20)
    rated = rate(results, anchors={"a": 1600, "c": 1400})
    assert (rated["a"].elo, rated["c"].elo) == (1600, 1400)
    assert 1450 < rated["b"].elo < 1550
    everyone = rate(results, anchors={"a": 1600, "b": 1500, "c": 1400})
    assert [each.elo for each in everyone.entrants] == [1600, 1500, 1400]


def test_parts_that_never_met_are_named_and_not_compared():
    rated = rate([("a", "b", 1, 10), ("c", "d", 0.5, 10)])
    assert rated.parts == (("a", "b"), ("c", "d"))
    assert rated.note().startswith("The pool falls into 2 parts that never met: a, b | c, d.")
    assert rated.text().endswith("Ratings compare only within a part.")
    with pytest.raises(InputError, match="never met"):
        rated.difference("a", "c")
    assert rated.difference("a", "b").elo > 0


def test_anchors_put_parts_on_one_scale():
    rated = rate([("a", "b", 1, 10), ("c", "d", 1, 10), ("e", "f", 1)], anchors={"a": 100, "c": 200})
    assert rated.parts == (("a", "b", "c", "d"), ("e", "f"))
    assert rated.difference("c", "a").line() == "+100.0 [+100.0, +100.0]"


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_perfect_scores_have_finite_ratings_and_bars(score):
    rated = rate([("a", "b", score, 200), ("b", "a", 1 - score, 200)])
    for each in rated.entrants:
        assert -2000 < each.low < each.elo < each.high < 2000
    if score != 0.5:
        winner = "a" if score else "b"
        assert rated.entrants[0].name == winner
        assert rated[winner].score == 1


def test_a_pool_without_games_is_empty():
    rated = rate([])
    assert rated.entrants == ()
    assert rated.text() == ""
    assert course([], 10) == []


def test_the_table_has_a_line_for_each():
    rated = rate([("long name", "b", 1, 3), ("b", "long name", 0.5, 1)])
    lines = rated.text().splitlines()
    assert lines[0].split()[:3] == ["1.", "long", "name"]
    assert lines[0].endswith("4 games  87.5%")


def test_games_of_three_are_rated_by_their_comparisons():
    rows = [row for _ in range(40) for row in comparisons(["a", "b", "c"], [2, 1, 0])]
    rated = rate(rows, first_move=False)
    assert [each.name for each in rated.entrants] == ["a", "b", "c"]
    assert rated["b"].elo == pytest.approx(0, abs=1e-3)
    assert rated["a"].games == 40


def test_the_course_ends_where_the_ratings_are():
    results = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0), ("a", "b", 0.5), ("b", "a", 1.0)]
    moments = course(results, 2, anchors={"c": 0})
    assert [games for games, _ in moments] == [2, 4, 5]
    assert moments[-1][1] == rate(results, anchors={"c": 0})


NAMES = "abcde"
results_of_a_pool = st.lists(
    st.tuples(
        st.permutations(NAMES).map(lambda order: order[:2]),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.sampled_from([1, 9, 300]),
    ).map(lambda row: (*row[0], row[1], row[2])),
    min_size=1,
    max_size=12,
)


@settings(deadline=None, max_examples=50)
@given(results_of_a_pool, st.dictionaries(st.sampled_from(NAMES), st.integers(-1500, 1500), max_size=3))
def test_every_pool_has_finite_ratings_inside_their_bars(results, anchors):
    played = {name for row in results for name in row[:2]}
    rated = rate(results, anchors={name: elo for name, elo in anchors.items() if name in played})
    for each in rated.entrants:
        assert math.isfinite(each.low)
        assert math.isfinite(each.high)
        assert each.low <= each.elo <= each.high


@settings(deadline=None, max_examples=25)
@given(results_of_a_pool, st.randoms())
def test_neither_the_order_of_games_nor_the_seats_of_names_matter(results, random):
    shuffled = [(f"x{first}", f"x{second}", score, weight) for first, second, score, weight in results]
    random.shuffle(shuffled)
    one, other = rate(results), rate(shuffled)
    assert {f"x{each.name}": each.elo for each in one.entrants} == pytest.approx(
        {each.name: each.elo for each in other.entrants}, abs=0.01
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"anchors": {"z": 0}}, "has played no game"),
        ({"anchors": {"a": math.nan}}, "finite"),
        ({"anchors": {"a": "strong"}}, "finite"),
        ({"confidence": 0}, "confidence"),
    ],
)
def test_what_cannot_be_rated_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        rate([("a", "b", 1)], **options)


def test_a_stranger_and_a_course_without_steps_are_refused():
    with pytest.raises(InputError, match="not in the pool"):
        rate([("a", "b", 1)])["c"]
    with pytest.raises(InputError, match="every 1 or more"):
        course([("a", "b", 1)], 0)


POOLS = [
    ({"a": 120, "b": 40, "c": 0, "d": -160}, 20, 0.0, 40),
    ({"a": 120, "b": 40, "c": 0, "d": -160}, 20, 2.0, 40),
    ({"a": 400, "b": 0, "c": -400}, 40, 2.0, 0),
]


@pytest.mark.parametrize(("truth", "games", "ties", "first_move"), POOLS)
def test_bars_of_ratings_differences_and_first_move_cover_the_truth(truth, games, ties, first_move):
    """Davidson's scale is exactly Elo's with no draws and with ν = 2; so the truth is known."""
    random = np.random.default_rng(5)
    held = []
    for _ in range(250):
        rated = rate(pool(random, truth, games, ties, first_move))
        held += [each.low <= truth[each.name] <= each.high for each in rated.entrants]
        gap = rated.difference("a", "c")
        held += [gap.low <= truth["a"] - truth["c"] <= gap.high]
        held += [rated.first_move.low <= first_move <= rated.first_move.high]
    # Numbers out of one pool hang together; four deviations of 250 independent ones would be 0.055.
    assert np.mean(held) == pytest.approx(0.95, abs=0.025)


def test_the_worlds_of_these_tests_have_the_elo_they_claim():
    for ties in (0.0, 2.0):
        law = game_law((1 + ties / 2) * 100, ties)
        assert 400 * math.log10((law[2] + law[1] / 2) / (law[0] + law[1] / 2)) == pytest.approx(100)
