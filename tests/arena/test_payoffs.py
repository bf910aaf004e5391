"""Games about chips and points are judged by what they pay: means with bars, to which exact values are held."""

from __future__ import annotations

import json
import sqlite3

import pytest
from tests.arena.adjust.exact import plays
from tests.arena.instant import Instant

import zermelo as z
from zermelo.arena.payoffs import PayoffTable
from zermelo.arena.plan import Plan
from zermelo.arena.players import make_player
from zermelo.arena.report import Report
from zermelo.arena.scheduled import GameOutcome, ScheduledGame, points_of, unit_of, unit_seen
from zermelo.arena.store import Store
from zermelo.arena.tournament import Tournament
from zermelo.errors import OptionError
from zermelo.play import Record


def game(number, seats, utilities, payoffs=None, encounter=None, reason="", culprit=None):
    place = number // len(seats) if encounter is None else encounter
    scheduled = ScheduledGame(number, 0, 0, place, tuple(seats), 0, 0)
    record = Record("g", ("x",) * len(seats), "", (), (), utilities and tuple(utilities), reason, culprit)
    return scheduled, GameOutcome(number, record, points_of(utilities or (0, 0)), "", 0.0, {}, payoffs)


def expectation(text, names):
    """What the first of two gets a game, over both seats, by the whole tree."""
    rules, sums = z.load(text), []
    for order in ((0, 1), (1, 0)):
        players = [make_player(names[entrant]) for entrant in order]
        sums.append(sum(share * live.ending.utilities[order.index(0)] for share, live in plays(rules, players)))
    return sum(sums) / 2


@pytest.mark.parametrize("adjust", ["none", "solved"])
def test_the_estimate_of_kuhn_agrees_with_the_exact_expectation(adjust):
    names = ("cfr:iterations=500", "random")
    exact = expectation("kuhn", names)
    assert exact == pytest.approx(0.143, abs=0.01)
    report = z.match("kuhn", names, games=1_200, adjust=adjust)
    (mine, theirs), found = report.payoffs.means.values(), report.payoffs.meeting(0, 1)
    assert report.copies == 0
    assert (mine.groups, mine.games) == (600, 1_200)
    assert abs(mine.mean - exact) < 4 * mine.error
    assert mine.low > 0
    assert theirs.mean == pytest.approx(-mine.mean)
    assert found.opposite
    assert found.mine == mine
    assert mine.error < (0.015 if adjust == "solved" else 0.03)


def test_the_value_of_kuhn_for_the_first_player_is_a_loss_of_an_eighteenth():
    names = ("cfr:iterations=2000", "cfr:iterations=2001")
    report = z.match("kuhn", names, games=400, adjust="solved")
    first = [outcome.payoffs[0] for _, outcome in report.games]
    mean = sum(first) / len(first)
    error = (sum((each - mean) ** 2 for each in first) / len(first) ** 2) ** 0.5
    assert abs(mean + 1 / 18) < 4 * error + 2e-3
    assert error < 0.01


def test_taking_luck_off_and_sharing_it_shorten_the_bars_of_leduc():
    names = ("cfr:iterations=100", "random")
    plain = z.match("leduc", names, games=200, adjust="none").payoffs
    fair = z.match("leduc", names, games=200, adjust="solved").payoffs
    assert fair.meeting(0, 1).mine.error < 0.6 * plain.meeting(0, 1).mine.error
    assert fair.meeting(0, 1).paid == plain.meeting(0, 1).mine
    lone = PayoffTable(plain.entrants, [alone(each, number) for number, each in enumerate(plain.games)], "chips")
    assert plain.meeting(0, 1).mine.error < lone.meeting(0, 1).mine.error


def alone(played, number):
    """A game as if it had a deal of its own."""
    return played[0]._replace(encounter=number), played[1]


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("kuhn", "chips"),
        ("leduc", "chips"),
        ("one-card", "chips"),
        ("backgammon", "points"),
        ("backgammon:match=3", "equity of the match"),
        ("othello:discs=yes", "discs"),
        ("kalah:count=yes", "seeds"),
        ("goofspiel:points=yes", "points"),
        ("prisoners-dilemma", "points"),
        ("rock-paper-scissors", ""),
        ("chess", ""),
        ("pig", ""),
        ("othello", ""),
        ("kingmaker", ""),
        ("liars-dice", ""),
    ],
)
def test_what_payoffs_count_follows_from_the_utilities_that_there_can_be(text, unit):
    assert unit_of(z.load(text)) == unit


def test_a_game_of_yours_is_about_points_if_it_pays_more_than_one():
    class Auction(z.Game):
        bounds = (-3.0, 3.0)

    class Both(z.Game):
        utility_sum = None

    class Named(z.Game):
        unit = "euros"

    class Wrong(z.Game):
        unit = 7

    assert [unit_of(rules()) for rules in (Auction, Both, Named, z.Game)] == ["points", "points", "euros", ""]
    with pytest.raises(z.errors.ContractError, match="unit"):
        unit_of(Wrong())


def test_old_games_tell_by_their_utilities_what_they_are_about():
    assert unit_seen([]) == ""
    assert unit_seen([game(0, (0, 1), (1.0, -1.0)), game(1, (1, 0), (0.0, 0.0))]) == ""
    assert unit_seen([game(0, (0, 1), (2.0, -2.0))]) == "points"
    assert unit_seen([game(0, (0, 1), (1.0, 0.0)), game(1, (1, 0), (1.0, 1.0))]) == "points"


def test_a_report_says_payoffs_to_people_and_programs():
    games = [
        game(2 * i + turn, seats, (3.0 + i, -3.0 - i) if turn == 0 else (-1.0, 1.0))
        for i in range(4)
        for turn, seats in enumerate(((0, 1), (1, 0)))
    ]
    report = Report(("a", "b"), games, unit="chips", big_blind=2.0, sprt=(0.0, 1.0))
    text = report.text()
    assert "1. a  +2.75 [+1.72, +3.78] chips a game, +1375 [+861, +1889] mbb/g" in text
    assert "standard error 0.32, 4 pairs), 99.8% sure to gain" in text
    assert "for +0 against +1 chips a game" in text
    found = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert found["unit"] == "chips"
    assert [each["player"] for each in found["payoffs"]] == ["a", "b"]
    (pair,) = found["pairs"]
    assert pair["payoff"]["mean"] == 2.75
    assert pair["payoff"]["mbb"] == 1375
    assert found["sprt"]["mean1"] == 1.0
    assert "<svg" in report.course_svg()
    assert "<svg" in report.crosstable_svg()


def test_adjusted_payoffs_are_told_beside_what_was_paid():
    games = [game(i, ((0, 1), (1, 0))[i % 2], (2.0, -2.0), (0.5 + i / 10, -0.5 - i / 10)) for i in range(6)]
    assert "as paid +0" in Report(("a", "b"), games, unit="chips").text()
    assert "as paid" not in Report(("a", "b"), [game(0, (0, 1), (2.0, -2.0))], unit="chips").text()


def test_where_both_can_gain_both_are_told():
    games = [game(i, ((0, 1), (1, 0))[i % 2], (3.0, 2.0 + i)) for i in range(6)]
    found = Report(("a", "b"), games, unit="points")
    assert not found.payoffs.meeting(0, 1).opposite
    assert "points a game, and +" in found.text()


def test_games_whose_payoffs_nobody_knows_are_left_out_and_counted():
    games = [
        game(0, (0, 1), (2.0, -2.0)),
        game(1, (1, 0), None, reason="left"),
        game(2, (0, 1), (2.0, -2.0)),
        game(3, (1, 0), (1.0, -1.0)),
    ]
    report = Report(("a", "b"), games, unit="chips")
    assert report.payoffs.meeting(0, 1).mine.mean == 0.5
    assert "1 of 4 games are left out" in report.text()


def test_three_players_share_the_deals_that_they_play_in_all_seats():
    names = ("cfr:iterations=50", "random", "random:seed=1")
    report = z.match("kuhn:players=3", names, games=60)
    means = report.payoffs.means
    assert sum(each.mean for each in means.values()) == pytest.approx(0, abs=1e-12)
    assert {each.groups for each in means.values()} == {20}
    assert "deals" in report.text()


def test_a_knock_out_is_won_by_payoffs():
    plan = Plan("kuhn", ("random", "random:seed=1"), games=4, format="knock-out", openings="none")
    utilities = [(-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.0), (-9.0, 9.0)]  # each side wins two games
    with Tournament.begin(plan) as tournament:
        tournament.run(Instant(judge=lambda job: utilities[job.number % 4]))
        assert tournament._points()[0, 0] == {0: 3.0, 1: 1.0}


# The test, the file, and what is refused.


def test_a_sequential_test_ends_a_match_about_chips():
    plan = Plan("kuhn", ("cfr:iterations=200", "random"), games=4_000, sprt=(0.0, 0.1))
    with Tournament.begin(plan) as tournament:
        tournament.run(z.arena.executors.make_executor("here", 1))
        assert tournament.test.decision == "accept H1"
        assert len(tournament.ended) < 4_000


def test_elo_bounds_are_refused_where_chips_count():
    with pytest.raises(OptionError, match="chips a game here, not Elo"):
        Plan("kuhn", ("cfr", "random"), sprt=(0.0, 20.0)).check(z.load("kuhn"))
    with pytest.raises(OptionError, match="leave out --adjust"):
        z.match("tictactoe", ("random", "random:seed=1"), adjust="solved")


def test_payoffs_are_kept_in_the_file(tmp_path):
    path = tmp_path / "cup.db"
    report = z.match("kuhn", ("cfr:iterations=50", "random"), games=20, adjust="solved", save=path)
    with Tournament.resume(path, writes=False) as again:
        assert again.report().to_json() == report.to_json()
        assert again.unit == "chips"
        assert again.varying == [0, 1]


def make_old(path):
    """Turns a file into one from before payoffs were kept."""
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE game DROP COLUMN payoffs")
        settings = json.loads(connection.execute("SELECT settings FROM tournament").fetchone()[0])
        for name in ("unit", "big_blind", "varying"):
            del settings[name]
        del settings["terms"]["adjust"]
        connection.execute("UPDATE tournament SET settings = ?", [json.dumps(settings)])
    connection.close()


def test_files_from_before_payoffs_were_kept_are_read_and_gone_on_with(tmp_path):
    path = tmp_path / "old.db"
    whole = z.match("kuhn", ("cfr:iterations=50", "random"), games=20, save=path)
    make_old(path)
    with Tournament.resume(path, writes=False) as old:
        report = old.report()
        assert report.unit == "points"
        assert report.payoffs.means[0].mean == whole.payoffs.means[0].mean
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM game WHERE number >= 10")
    connection.close()
    with Tournament.resume(path) as old:
        old.run(z.arena.executors.make_executor("here", 1))
        assert [outcome.record.moves for _, outcome in old.report().games] == [
            outcome.record.moves for _, outcome in whole.games
        ]
    store = Store.open(path)
    assert [outcome.payoffs is None for _, outcome in store.games()] == [True] * 10 + [False] * 10
    store.close()
