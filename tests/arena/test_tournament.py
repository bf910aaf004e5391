"""A tournament plays what is scheduled, each game once, however often it is killed and in whatever order games end."""

from __future__ import annotations

import os
import random
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arena.broken import MARK, RULES, engine, wait_for_the_end
from tests.arena.instant import Instant

from zermelo.arena.executors import InlineExecutor
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import Terms
from zermelo.arena.sequential import SequentialTest
from zermelo.arena.statistics import Sprt
from zermelo.arena.tournament import Tournament, match
from zermelo.errors import GameNotFoundError, InputError, OptionError
from zermelo.games import load

GAMES = {2: "tictactoe", 3: "kingmaker", 4: "kingmaker:players=4"}
FORMATS = ["round-robin", "gauntlet", "swiss", "knock-out"]


@st.composite
def plans(draw):
    seats = draw(st.integers(2, 4))
    entrants = tuple(f"random:seed={i}" for i in range(draw(st.integers(seats, seats + 3))))
    kinds = FORMATS if seats == 2 else ["round-robin", "swiss"]
    rounds = draw(st.none() | st.integers(1, 3))
    kind = draw(st.sampled_from(kinds))
    return Plan(
        GAMES[seats],
        entrants,
        kind,
        games=draw(st.integers(1, 9)),
        rounds=None if kind == "knock-out" else rounds,
        openings="none",
        seed=draw(st.integers(0, 9)),
    )


def played(plan, executor):
    with Tournament.begin(plan) as tournament:
        tournament.run(executor)
        return dict(tournament.ended)


def essence(ended):
    """What is the same about games however they came about."""
    return {
        number: (fixture, outcome.record.actions, outcome.record.reason, outcome.record.utilities, outcome.points)
        for number, (fixture, outcome) in ended.items()
    }


# Laws.


@settings(deadline=None)
@given(plans())
def test_numbers_follow_each_other_and_everybody_sits_everywhere_equally_often(plan):
    with Tournament.begin(plan) as tournament:
        tournament.run(Instant())
        fixtures = [fixture for fixture, _ in tournament.ended.values()]
        total = tournament.total()
        seats = tournament.game.players
    assert sorted(fixture.number for fixture in fixtures) == list(range(len(fixtures)))
    assert total in (None, len(fixtures))
    meetings = defaultdict(list)
    for fixture in fixtures:
        meetings[fixture.round, fixture.meeting].append(fixture)
    for held in meetings.values():
        assert len(held) == plan.encounters(seats) * seats >= plan.games
        assert len({frozenset(fixture.seats) for fixture in held}) == 1
        counts = Counter((entrant, seat) for fixture in held for seat, entrant in enumerate(fixture.seats))
        assert set(counts.values()) == {len(held) // seats}
        assert len(counts) == seats * seats
        for encounter in {fixture.encounter for fixture in held}:
            same = [fixture for fixture in held if fixture.encounter == encounter]
            assert len({(fixture.opening, fixture.seed) for fixture in same}) == 1
            assert len({fixture.seats for fixture in same}) == seats


@settings(deadline=None)
@given(plans(), st.integers(1, 7), st.integers(0, 99))
def test_the_schedule_depends_on_how_games_ended_and_on_nothing_else(plan, size, order):
    assert essence(played(plan, Instant(size, order))) == essence(played(plan, Instant()))


@settings(deadline=None, max_examples=40)
@given(plans(), st.lists(st.integers(0, 9), max_size=6), st.integers(1, 4))
def test_a_tournament_that_is_stopped_again_and_again_plays_the_same_games(tmp_path_factory, plan, stops, size):
    path = tmp_path_factory.mktemp("cup") / "cup.db"
    Tournament.begin(plan, path).store.close()
    for order, stop in enumerate([*stops, None]):
        with Tournament.resume(path, trust=True) as tournament:
            assert tournament.plan == plan
            try:
                tournament.run(Instant(size, order, stop_after=stop))
            except KeyboardInterrupt:
                continue
    with Tournament.resume(path, writes=False) as tournament:
        assert tournament.is_over()
        assert essence(tournament.ended) == essence(played(plan, Instant()))


# The sequential test.


def stronger(share):
    """A judge by whom the entrant 0 wins so often."""

    def judge(job):
        won = random.Random(job.number).random() < share
        first = job.players[0] == "random:seed=0"
        return [1.0, 0.0] if won == first else [0.0, 1.0]

    return judge


MATCH = Plan("tictactoe", ("random:seed=0", "random:seed=1"), games=3000, openings="none", sprt=(0.0, 100.0))


@pytest.mark.parametrize(("share", "decision"), [(0.9, "accept H1"), (0.3, "accept H0")])
def test_a_sequential_test_ends_the_match_and_it_stays_ended(tmp_path, share, decision):
    path = tmp_path / "cup.db"
    with Tournament.begin(MATCH, path) as tournament:
        tournament.run(Instant(4, judge=stronger(share)))
        count = len(tournament.ended)
        assert tournament.is_decided()
        assert tournament.report().to_json()["sprt"]["decision"] == decision
        assert not tournament.is_over()
        tournament.run(Instant(4, judge=stronger(1 - share)))
        assert len(tournament.ended) == count < 500
    with Tournament.resume(path, trust=True) as tournament:
        assert tournament.is_decided()
        tournament.run(Instant(judge=stronger(1 - share)))
        assert len(tournament.ended) == count


@settings(deadline=None, max_examples=20)
@given(st.floats(0.3, 0.9), st.integers(1, 16), st.integers(0, 99))
def test_the_verdict_does_not_depend_on_the_order_in_which_games_end(share, size, order):
    def held(executor):
        with Tournament.begin(MATCH) as tournament:
            tournament.run(executor)
            return tournament.test.decision, tournament.test.counts, tournament.report().sequential.counts

    assert held(Instant(size, order, stronger(share))) == held(Instant(judge=stronger(share)))


@settings(deadline=None, max_examples=30)
@given(st.floats(0.2, 0.9), st.integers(0, 99))
def test_the_test_weighs_whole_encounters_in_the_order_of_the_schedule(share, order):
    with Tournament.begin(Plan(MATCH.game, MATCH.entrants, games=60, openings="none")) as tournament:
        tournament.run(Instant(judge=stronger(share)))
        games = [tournament.ended[number] for number in range(60)]
    test = Sprt(0.0, 100.0)
    scores = [
        sum(outcome.points[fixture.seats.index(0)] for fixture, outcome in games[i : i + 2]) for i in range(0, 60, 2)
    ]
    expected = None
    for upto in range(1, 31):
        counts = [scores[:upto].count(each / 2) for each in range(5)]
        if expected is None:
            expected = test.decision(counts)
    random.Random(order).shuffle(games)
    assert SequentialTest(test, games).decision == expected


# Killed and gone on with.


RUNNER = """
import os, sys, time
from zermelo.arena.executors import make_executor
from zermelo.arena.plan import Plan
from zermelo.arena.tournament import Tournament
from zermelo.errors import InputError

path, game, entrants, kind, games, where, pace = sys.argv[1:]
try:
    tournament = Tournament.resume(path, trust=True)
except InputError as error:  # killed before it began
    assert "there is no file" in str(error) or "is empty" in str(error), error
    if os.path.exists(path):
        os.unlink(path)
    plan = Plan(game, tuple(entrants.split("|")), kind, int(games), openings="none", seed=5)
    tournament = Tournament.begin(plan, path)
with tournament:
    executor = make_executor(where, 2)
    try:
        tournament.run(executor, lambda *_: time.sleep(float(pace)))
    finally:
        executor.close()
"""


def count_games(path):
    try:
        connection = sqlite3.connect(path.as_uri() + "?mode=ro", uri=True, timeout=5)
        try:
            return connection.execute("SELECT count(*) FROM game").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.Error:
        return 0


def kill_at_random(command, path, dice, number, environment):
    """Runs `command` for a while; the first times for any while, then until it has added some games."""
    goal = count_games(path) + dice.randrange(1, 6)
    patience = time.monotonic() + (dice.uniform(0.2, 0.8) if number < 3 else 60)
    process = subprocess.Popen(command, env=environment)
    try:
        while process.poll() is None and time.monotonic() < patience and count_games(path) < goal:
            time.sleep(0.002)
        time.sleep(dice.uniform(0, 0.01))
        ended = process.poll()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert ended is None, "the tournament was over before it could be killed"


@pytest.mark.parametrize(
    ("game", "entrants", "kind", "games", "where"),
    [
        ("pig:goal=20", ("random", "expectiminimax:depth=1"), "round-robin", 120, "processes"),
        ("tictactoe", ("alphabeta:depth=2", "random", "alphabeta:depth=1", "engine:depth=1"), "swiss", 24, "here"),
        (
            f"{RULES}:stones=9",
            ("alphabeta:depth=2", "random", engine(), "alphabeta:depth=3"),
            "knock-out",
            40,
            "processes",
        ),
    ],
)
def test_a_tournament_killed_ten_times_plays_exactly_what_one_left_alone_does(
    tmp_path, game, entrants, kind, games, where
):
    mark, dice, path = secrets.token_hex(8), random.Random(7), tmp_path / "cup.db"
    command = [sys.executable, "-c", RUNNER, str(path), game, "|".join(entrants), kind, str(games), where]
    environment = {**os.environ, MARK: mark}
    for number in range(10):
        kill_at_random([*command, "0.02"], path, dice, number, environment)
    subprocess.run([*command, "0"], env=environment, check=True, timeout=300)
    with Tournament.begin(Plan(game, entrants, kind, games, openings="none", seed=5)) as tournament:
        executor = InlineExecutor()
        tournament.run(executor)
        executor.close()
        expected = essence(tournament.ended)
    with Tournament.resume(path, writes=False) as tournament:
        assert tournament.is_over()
        assert essence(tournament.ended) == expected
        assert tournament.total() in (None, len(expected))
    assert wait_for_the_end(mark) == {}


def test_ctrl_c_leaves_a_file_that_can_be_gone_on_with(tmp_path):
    mark, path = secrets.token_hex(8), tmp_path / "cup.db"
    players = [engine("clings"), "random"]
    command = [sys.executable, "-m", "zermelo", "arena", f"{RULES}:stones=12", *players, "--games", "2000"]
    command += ["--openings", "none", "--concurrency", "2", "--save", str(path)]
    process = subprocess.Popen(
        command, env={**os.environ, MARK: mark}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
    )
    deadline = time.monotonic() + 60
    while count_games(path) < 5 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    process.wait(30)
    assert wait_for_the_end(mark) == {}
    with Tournament.resume(path, trust=True) as tournament:
        assert 5 <= len(tournament.ended) < 2000
        assert len(list(tournament.next_games())) == 2000 - len(tournament.ended)


# Plans.


def plan(**more):
    return Plan(**{"game": "tictactoe", "entrants": ("random", "random:seed=1"), "openings": "none", **more})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (plan(games=0), "games"),
        (plan(games=True), "games"),
        (plan(games=10**12), "games"),
        (plan(seed="x"), "seed"),
        (plan(terms=Terms(longest=0)), "longest"),
        (plan(terms=Terms(patience=0)), "patience"),
        (plan(terms=Terms(patience="long")), "patience"),
        (plan(terms=Terms(clock="soon")), "time control"),
        (plan(terms=Terms(margin=-1)), "margin"),
        (plan(terms=Terms(resign="never")), "resign"),
        (plan(terms=Terms(draw="never")), "draw"),
        (plan(terms=Terms(solution="no.file")), "no.file"),
        (plan(entrants=("random", "random")), "twice"),
        (plan(entrants=("random",)), "entrants"),
        (plan(entrants=("random", "human")), "person"),
        (plan(entrants=("random", "nobody")), "nobody"),
        (plan(anchors={"stockfish": 3000.0}), "stockfish"),
        (plan(sprt=(5.0, 0.0)), "elo0"),
        (plan(sprt=(0.0, 5.0), entrants=("random", "random:seed=1", "random:seed=2")), "two entrants"),
        (plan(format="league"), "league"),
        (plan(rounds=0), "rounds"),
        (plan(openings="nowhere.pgn"), "nowhere.pgn"),
        (plan(game="kingmaker", entrants=("random", "random:seed=1")), "3 entrants"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_before_anything_is_written(tmp_path, wrong, said):
    with pytest.raises(InputError, match=said):
        Tournament.begin(wrong, tmp_path / "cup.db")
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_not_there(tmp_path):
    with pytest.raises(GameNotFoundError):
        Tournament.begin(plan(game="ludo"), tmp_path / "cup.db")


# Matches.


class First:
    def __init__(self, name):
        self.name = name

    def choose(self, game, state, history):
        return next(iter(game.actions(state)))


def test_a_match_of_objects_and_texts():
    report = match(load("tictactoe"), [First("first"), "random"], games=10, openings="none")
    assert report.entrants == ("first", "random")
    assert len(report.games) == 10
    assert all(outcome.record.reason == "" for _, outcome in report.games)


def test_a_match_that_is_saved_can_be_gone_on_with_by_whoever_has_the_objects(tmp_path):
    path = tmp_path / "cup.db"
    match("tictactoe", [First("first"), "random"], games=4, openings="none", save=path)
    with pytest.raises(OptionError, match="first"):
        Tournament.resume(path)
    with Tournament.resume(path, own={"first": First("first")}) as tournament:
        assert tournament.is_over()


def test_a_match_by_other_processes_is_the_same_match():
    here = match("pig:goal=15", ["random", "expectiminimax:depth=1"], games=8, openings="none", seed=3)
    there = match("pig:goal=15", ["random", "expectiminimax:depth=1"], games=8, openings="none", seed=3, concurrency=2)
    assert [outcome.record.actions for _, outcome in here.games] == [
        outcome.record.actions for _, outcome in there.games
    ]


def test_a_match_has_only_the_options_it_has():
    with pytest.raises(OptionError, match="'speed'"):
        match("tictactoe", ["random", "random:seed=1"], speed=3)
    with pytest.raises(OptionError, match="time control"):
        match("tictactoe", ["random", "random:seed=1"], clock=60)


def test_a_tournament_of_ten_million_games_begins_at_once():
    """Its fixtures are made one by one; all of them together would fill the memory."""
    plan = Plan("tictactoe", ("random", "random:seed=1"), games=10_000_000, openings="none")
    with Tournament.begin(plan) as tournament:
        first = next(tournament.next_games())
        assert (first.number, tournament.is_over(), tournament.total()) == (0, False, 10_000_000)


def test_no_more_openings_are_wanted_than_can_be_made():
    assert Plan("tictactoe", ("random", "random:seed=1"), games=10_000_000).openings_wanted(2) == 1_000_000
