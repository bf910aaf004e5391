"""A report says what the statistics say of the same games, and says it to programs in strict JSON."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arena.instant import Instant

from zermelo.arena.plan import Plan
from zermelo.arena.report import Report
from zermelo.arena.scheduled import GameOutcome, ScheduledGame, points_of
from zermelo.arena.statistics import Sprt, comparisons, elo_from_games, elo_from_pairs, rate, say_chance, tally
from zermelo.arena.tournament import Tournament
from zermelo.play import Record

NAMES = ("a", "b", "c", "d")


def game(number, seats, utilities, reason="", culprit=None):
    fixture = ScheduledGame(number, 0, 0, number // len(seats), tuple(seats), 0, 0)
    record = Record("g", tuple(NAMES[entrant] for entrant in seats), "", (), (), tuple(utilities), reason, culprit)
    return fixture, GameOutcome(number, record, points_of(utilities), "", 0.0, {})


def strict(report):
    """The report as a program reads it."""
    return json.loads(json.dumps(report.to_json(), allow_nan=False))


ends = st.sampled_from([(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)])
encounters = st.lists(st.tuples(ends, ends), max_size=30)


def match_of(results):
    """Encounters of `a` and `b`; each game's utilities are of `a` first."""
    games = []
    for one, other in results:
        games.append(game(len(games), (0, 1), one))
        games.append(game(len(games), (1, 0), other[::-1]))
    return games


@settings(deadline=None)
@given(encounters)
def test_a_match_is_counted_in_encounters_and_compared_by_them(results):
    games = match_of(results)
    report = Report(NAMES[:2], games, sprt=(0.0, 10.0))
    scores = [one[0] + other[0] for one, other in results]
    counts = tuple(scores.count(each / 2) for each in range(5))
    assert report.pairs(0, 1) == counts
    assert report.pairs(1, 0) == counts[::-1]
    assert report.score(0, 1) == (sum(scores), len(games) - sum(scores), len(games))
    found = strict(report)
    assert found["games"] == len(games)
    if not games:
        assert report.compare(0, 1) is None
        return
    expected = elo_from_pairs(counts)
    assert report.compare(0, 1) == expected
    (pair,) = found["pairs"]
    assert pair["pentanomial"] == list(counts)
    assert pair["superiority"] == expected.superiority
    test = Sprt(0.0, 10.0)
    if found["sprt"]["decision"] is None:
        assert found["sprt"]["llr"] == test.llr(counts)
        assert test.line(counts) in report.text()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.permutations(range(4)), st.sampled_from([2, 3]), st.lists(st.integers(0, 2), min_size=3))))
def test_ratings_are_those_of_the_statistics(drawn):
    games = [
        game(number, seats[:count], [float(each) for each in utilities[:count]])
        for number, (seats, count, utilities) in enumerate(drawn)
    ]
    report = Report(NAMES, games, {"a": 100.0})
    results = [
        result
        for fixture, outcome in games
        for result in comparisons([NAMES[entrant] for entrant in fixture.seats], outcome.points)
    ]
    found = strict(report)
    if not games:
        assert (found["ratings"], found["first_move"], found["pairs"]) == ([], None, [])
        return
    counted = tally(results)
    expected = rate(counted, {"a": 100.0} if "a" in counted.names else {})
    assert [each["player"] for each in found["ratings"]] == [each.name for each in expected.entrants]
    for told, each in zip(found["ratings"], expected.entrants, strict=True):
        assert told["elo"] == pytest.approx(each.elo)
        assert told["games"] == each.games
    met = {frozenset(pair["players"]) for pair in found["pairs"]}
    sat = {frozenset(NAMES[p] for p in pair) for fixture, _ in games for pair in combinations(fixture.seats, 2)}
    assert met == sat
    assert report.text()


def test_an_empty_tournament_has_a_report():
    report = Report(NAMES, [], {"a": 3.0}, None)
    assert report.text() == "No game has ended yet."
    assert strict(report)["games"] == 0
    assert strict(report)["ratings"] == []
    assert report.failures() == {}
    assert Report(NAMES[:2], [], sprt=(0.0, 5.0)).to_json()["sprt"]["llr"] == 0.0


def test_entrants_that_never_met_are_compared_by_nothing():
    report = Report(NAMES, match_of([((1.0, 0.0), (1.0, 0.0))]))
    assert report.compare(0, 2) is None
    assert report.score(0, 2) == (0.0, 0.0, 0)
    assert report.pairs(2, 3) == (0, 0, 0, 0, 0)
    assert [pair["players"] for pair in strict(report)["pairs"]] == [["a", "b"]]


def test_two_groups_that_never_met():
    games = match_of([((1.0, 0.0), (1.0, 0.0))])
    games += [game(2, (2, 3), (1.0, 0.0)), game(3, (3, 2), (0.5, 0.5))]
    found = strict(Report(NAMES, games))
    assert len(found["ratings"]) == 4
    assert Report(NAMES, games).text()


def test_a_clean_sweep_is_no_number_of_elo_and_yet_strict_json():
    report = Report(NAMES[:2], match_of([((1.0, 0.0), (1.0, 0.0))] * 50))
    (pair,) = strict(report)["pairs"]
    assert pair["points"] == [100.0, 0.0]
    assert report.text()


def test_a_lone_game_of_an_encounter_counts_by_itself():
    report = Report(NAMES[:2], match_of([((1.0, 0.0), (0.5, 0.5))])[:1])
    assert report.pairs(0, 1) == (0, 0, 0, 0, 0)
    assert report.compare(0, 1) == elo_from_games(1, 0, 0)
    assert report.compare(1, 0) == elo_from_games(0, 0, 1)


def test_games_of_three_are_compared_two_by_two():
    games = [game(i, seats, (1.0, 0.0, 0.0)) for i, seats in enumerate([(0, 1, 2), (1, 2, 0), (2, 0, 1)])]
    report = Report(NAMES[:3], games)
    assert report.score(0, 1) == (1.5, 1.5, 3)
    assert report.compare(0, 1) is None
    assert [pair["games"] for pair in strict(report)["pairs"]] == [3, 3, 3]
    assert {each["score"] for each in strict(report)["ratings"]} == {0.5}


def test_failures_and_endings_are_counted_for_those_who_failed():
    games = [
        game(0, (0, 1), (0.0, 1.0), "crash", 0),
        game(1, (1, 0), (1.0, 0.0), "crash", 1),
        game(2, (0, 1), (1.0, 0.0), "time", 1),
        game(3, (1, 0), (0.0, 1.0), "resignation", 0),
        game(4, (0, 1), (0.5, 0.5), "length"),
    ]
    report = Report(NAMES[:2], games)
    assert report.failures() == {"a": {"crash": 2}, "b": {"time": 1}}
    assert strict(report)["endings"] == {"crash": 2, "time": 1, "resignation": 1, "length": 1}
    assert "a lost by failing: crash 2×" in report.text()


def test_the_report_of_a_tournament_is_the_report_of_its_games(tmp_path):
    plan = Plan("kingmaker", tuple(f"random:seed={i}" for i in range(4)), games=6, openings="none")
    with Tournament.begin(plan, tmp_path / "cup.db") as tournament:
        tournament.run(Instant(3, 5))
        found = tournament.report()
    with Tournament.resume(tmp_path / "cup.db", writes=False) as tournament:
        assert tournament.report().to_json() == found.to_json()
        assert [fixture.number for fixture, _ in found.games] == list(range(24))
    assert "<svg" in found.crosstable_svg()
    assert "<svg" in found.course_svg()


def test_nobody_is_said_to_be_stronger_for_certain():
    assert [say_chance(each) for each in (1.0, 0.99949, 0.5, 0.0)] == ["over 99.9%", "99.9%", "50.0%", "under 0.1%"]
