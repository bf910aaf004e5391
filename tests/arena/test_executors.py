"""An executor gives back every game once, whatever players do to its processes, and leaves none behind."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time

import pytest
from tests.arena.broken import HERE, MARK, RULES, bot, engine, survivors, wait_for_the_end

from zermelo.arena.executors import InlineExecutor, make_executor
from zermelo.arena.executors import processes as module
from zermelo.arena.executors.processes import ProcessExecutor
from zermelo.arena.openings import Opening
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameJob, Terms
from zermelo.arena.tournament import Tournament
from zermelo.errors import ContractError, OptionError, ZermeloError


@pytest.fixture
def mark(monkeypatch):
    """Marks all processes of a test, which are to be gone when it ends."""
    mark = secrets.token_hex(8)
    monkeypatch.setenv(MARK, mark)
    yield mark
    assert wait_for_the_end(mark, 5.0) == {}


def job(number, game, *players, **terms):
    return GameJob(number, game, players, Opening(), number, Terms(**terms))


def hold(executor, jobs):
    """The outcomes of all jobs, by number."""
    found = {}
    waiting = list(jobs)
    try:
        playing = 0
        while waiting or playing:
            while waiting and playing < executor.size:
                executor.submit(waiting.pop(0))
                playing += 1
            for outcome in executor.collect():
                assert outcome.number not in found
                found[outcome.number] = outcome
                playing -= 1
    finally:
        executor.close()
    return found


@pytest.mark.usefixtures("mark")
def test_processes_play_the_games_that_this_process_plays():
    jobs = [job(number, "pig:goal=15", "random", "expectiminimax:depth=1") for number in range(12)]
    here, there = hold(InlineExecutor(), jobs), hold(ProcessExecutor(2), jobs)
    assert sorted(here) == sorted(there) == list(range(12))
    for number, outcome in here.items():
        assert (outcome.record.actions, outcome.points) == (there[number].record.actions, there[number].points)


@pytest.mark.usefixtures("mark")
@pytest.mark.parametrize(
    ("fault", "reason", "detail"),
    [
        ("segfault", "crash", "SIGSEGV"),
        ("exit", "crash", "code 7"),
        ("leave", "crash", "SystemExit"),
        ("raise", "crash", "lost"),
        ("hang", "hang", "3 s"),
    ],
)
def test_a_player_that_breaks_its_process_loses_and_the_others_go_on(fault, reason, detail):
    game = f"{RULES}:stones=4,advice={fault}"
    jobs = [job(0, game, "random", "alphabeta:depth=1", patience=3.0)]
    jobs += [job(number, "tictactoe", "random", "alphabeta:depth=2") for number in range(1, 6)]
    found = hold(ProcessExecutor(2), jobs)
    record = found[0].record
    assert (record.reason, record.culprit, found[0].points) == (reason, 1, (1.0, 0.0))
    assert detail in record.detail
    assert record.start == "(4,0)"
    assert record.game == "Stones"
    assert record.utilities == (1.0, -1.0)
    assert all(found[number].record.reason == "" for number in range(1, 6))


@pytest.mark.usefixtures("mark")
def test_a_player_that_cannot_be_made_is_refused_before_the_first_game():
    with pytest.raises(OptionError, match="Unmakeable"):
        Tournament.begin(Plan(f"{RULES}:stones=20", (bot("Sound"), bot("Unmakeable")), openings="none"))


@pytest.mark.usefixtures("mark")
def test_a_tournament_with_every_kind_of_broken_player_is_completed():
    names = [engine(fault) for fault in ("", "hangs", "dies", "garbage", "illegal", "stillborn")]
    names += [bot(name) for name in ("Sound", "Looping", "Leaving", "Unready", "Unwilling")]
    plan = Plan(
        f"{RULES}:stones=20", tuple(names), "gauntlet", openings="none", terms=Terms(clock="move=0.5", margin=60.0)
    )
    with Tournament.begin(plan) as tournament:
        executor = make_executor("processes", 2)
        try:
            tournament.run(executor)
        finally:
            executor.close()
        report = tournament.report()
    assert len(report.games) == tournament.total() == 20
    failures = report.failures()
    assert names[0] not in failures
    assert bot("Sound") not in failures
    assert set(failures) == set(names) - {names[0], bot("Sound")}
    assert {reason for counts in failures.values() for reason in counts} == {"hang", "crash", "garbage", "illegal move"}
    for fixture, outcome in report.games:
        if outcome.record.culprit is not None:
            assert fixture.seats[outcome.record.culprit] != 0
            assert outcome.points[outcome.record.culprit] == 0.0


@pytest.mark.usefixtures("mark")
def test_a_rule_that_ends_the_process_ends_the_tournament_with_a_reason():
    with pytest.raises(ZermeloError, match="died, or hung, 3 times while no player was to move"):
        hold(ProcessExecutor(1), [job(0, f"{RULES}:rules=exit", "random", "random")])


@pytest.mark.usefixtures("mark")
def test_a_rule_that_never_ends_does_too(monkeypatch):
    monkeypatch.setattr(module, "RULES_TIMEOUT_SECONDS", 0.5)
    with pytest.raises(ZermeloError, match="or hung, 3 times"):
        hold(ProcessExecutor(1), [job(0, f"{RULES}:rules=hang", "random", "random")])


def until(executor, mark, done):
    """Collects until `done(lines)` holds of the command lines of all that runs; games that end meanwhile are lost."""
    deadline = time.monotonic() + 60
    while not done(survivors(mark).values()) and time.monotonic() < deadline:
        assert not executor.collect()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_that_somebody_else_ends_is_nobody_s_loss(mark, number):
    executor = ProcessExecutor(1)
    executor.submit(job(0, f"{RULES}:stones=30", engine("hangs"), "random", patience=60.0))
    for _ in range(module.TRIES_PER_GAME - 1):
        until(executor, mark, lambda lines: any("engine.py hangs" in line for line in lines))
        while executor.workers[0].beat().seat != 0:
            assert not executor.collect()
        os.kill(executor.workers[0].process.pid, number)
        executor.workers[0].process.wait()
        assert not executor.collect()
    assert [waiting.number for waiting in executor.waiting] == [0]
    executor.close()


@pytest.mark.usefixtures("mark")
def test_a_process_that_cannot_be_started_is_said_in_one_line(monkeypatch):
    def refuse(*_, **__):
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(module.subprocess, "Popen", refuse)
    with pytest.raises(ZermeloError, match=r"no process can be started: .*Too many open files"):
        ProcessExecutor(1).submit(job(0, "tictactoe", "random", "random"))


@pytest.mark.usefixtures("mark")
def test_a_rule_that_raises_ends_it_after_what_came_in_before():
    with pytest.raises(ContractError, match=r"a rule of .* raised LookupError"):
        hold(ProcessExecutor(1), [job(0, f"{RULES}:rules=raise", "random", "random")])


@pytest.mark.usefixtures("mark")
def test_what_came_in_with_an_error_is_not_lost(monkeypatch):
    executor = ProcessExecutor(2)
    monkeypatch.setattr(module, "wait", lambda connections, _: [each for each in connections if each.poll(30)])
    executor.submit(job(0, "tictactoe", "random", "random"))
    executor.submit(job(1, f"{RULES}:rules=raise", "random", "random"))
    assert [outcome.number for outcome in executor.collect()] == [0]
    with pytest.raises(ContractError):
        executor.collect()
    executor.close()


@pytest.mark.usefixtures("mark")
def test_actions_that_are_no_numbers_find_their_way():
    found = hold(ProcessExecutor(1), [job(0, f"{HERE / 'rules.py'}:Pairs", "random", "random")])
    assert all(isinstance(action, tuple) for action in found[0].record.actions)


@pytest.mark.usefixtures("mark")
def test_a_very_long_game_finds_its_way():
    found = hold(ProcessExecutor(1), [job(0, f"{RULES}:stones=8000", "random", "random")])
    assert len(found[0].record.actions) > 4000


def test_what_players_print_is_not_our_answer(mark, capfd):
    hold(ProcessExecutor(1), [job(0, RULES, bot("Sound"), "random")])
    assert capfd.readouterr().out == ""


def test_closing_ends_engines_that_do_not_want_to_end(mark):
    executor = ProcessExecutor(2)
    for number in (0, 1):
        executor.submit(job(number, f"{RULES}:stones=30", engine("clings"), "random:seed=1"))
    while not executor.collect():
        pass
    assert any("engine.py" in line for line in survivors(mark).values())
    executor.close()
    assert survivors(mark) == {}
    executor.close()


def test_engines_of_a_worker_that_crashed_are_ended(mark):
    game = f"{RULES}:stones=4,advice=segfault"
    executor = ProcessExecutor(1)
    executor.submit(job(0, game, engine("clings"), "alphabeta:depth=1"))
    while not (found := executor.collect()):
        pass
    assert found[0].record.culprit == 1
    assert survivors(mark) == {}
    executor.close()


COORDINATOR = """
import sys
from zermelo.arena.executors.processes import ProcessExecutor
from zermelo.arena.scheduled import GameJob, Terms
from zermelo.arena.openings import Opening

executor = ProcessExecutor(2)
for number in (0, 1):
    executor.submit(GameJob(number, sys.argv[1], (sys.argv[2], sys.argv[3]), Opening(), 1, Terms()))
while True:
    executor.collect()
"""


def count_engines(mark):
    return sum(line.strip().endswith("engine.py clings") for line in survivors(mark).values())


@pytest.mark.parametrize(
    ("game", "other"), [(f"{RULES}:stones=30", engine("hangs")), (f"{RULES}:stones=4,advice=hang", "alphabeta:depth=1")]
)
def test_nothing_survives_a_coordinator_that_is_killed(game, other):
    mark = secrets.token_hex(8)
    command = [sys.executable, "-c", COORDINATOR, game, engine("clings"), other, "the end"]
    coordinator = subprocess.Popen(command, env={**os.environ, MARK: mark})
    try:
        deadline = time.monotonic() + 60
        while count_engines(mark) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert count_engines(mark) >= 2
    finally:
        coordinator.send_signal(signal.SIGKILL)
        coordinator.wait()
    assert wait_for_the_end(mark) == {}


@pytest.mark.usefixtures("mark")
def test_workers_that_come_and_go_leave_no_file_open():
    def once():
        game = f"{RULES}:stones=3,advice=exit"
        hold(ProcessExecutor(2), [job(number, game, "alphabeta:depth=1", "random") for number in (0, 1)])

    once()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(4):
        once()
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.usefixtures("mark")
def test_a_worker_that_died_in_its_sleep_is_replaced():
    executor = ProcessExecutor(1)
    executor.submit(job(0, "tictactoe", "random", "random"))
    while not executor.collect():
        pass
    os.kill(executor.workers[0].process.pid, signal.SIGKILL)
    executor.workers[0].process.wait()
    assert sorted(hold(executor, [job(1, "tictactoe", "random", "random")])) == [1]


@pytest.mark.parametrize("concurrency", [0, -1, 1.5, True, "2", 10**9])
def test_an_executor_plays_a_whole_number_of_games_at_once(concurrency):
    with pytest.raises(OptionError, match="concurrency"):
        make_executor("processes", concurrency)


@pytest.mark.parametrize("cores", [0, -1, 1.5, True, "2", 10**9])
def test_and_each_a_whole_number_of_cores(cores):
    with pytest.raises(OptionError, match="cores"):
        make_executor("processes", 1, cores)


def test_where_games_are_played_is_a_place_that_there_is():
    with pytest.raises(OptionError, match="say processes"):
        make_executor("the moon", 1)


def test_objects_are_played_here_alone():
    with pytest.raises(OptionError, match="by their text alone"):
        make_executor("processes", 2, own={"x": object()})


def test_a_machine_plays_no_more_games_at_once_than_it_has_room_for():
    with pytest.raises(OptionError, match="on this machine"):
        make_executor("processes", 100_000)
