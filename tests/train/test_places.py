"""Workers play the games of a training that this process would play, in the same order, whatever happens to them.

Ray is big and not part of the development group: `pip install 'zermelo[cluster]'` runs its tests, others skip them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from tests.arena.test_cluster import needs_ray
from tests.arena.test_cluster import token as token
from tests.train.test_training import GAME, SHORT
from zermelo.arena.executors import make_executor
from zermelo.engine.network import with_network
from zermelo.errors import ZermeloError
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.learning import SumLearning
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train import Moment, Training
from zermelo.train import places as module
from zermelo.train.jobs import GamesJob, GamesOutcome
from zermelo.train.places import Workers

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray leaves sockets and files open, and warns of its own future

PLAYER = SearchPlayer(nodes=40)
GAMES: SelfPlayOptions[Any] = SelfPlayOptions(PLAYER, 60, first=7, seed=3, nodes_spread=0.3, opening_plies=(0, 6))
PAIRS: MatchOptions[Any] = MatchOptions(PLAYER, PLAYER, pairs=20, first=5, seed=3)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster of each test's own, whatever else runs on this machine."""
    monkeypatch.setenv("RAY_ADDRESS", "local")


@pytest.fixture
def learned() -> AnyGame:
    """The game with a network, if one that has learned nothing."""
    rules = load(GAME)
    return with_network(rules, SumLearning(rules, 32, 512, 1, 0).network({}))


def written(blocks: Iterator[bytes], path: Path) -> list[tuple[int, tuple[int, ...]]]:
    """The number and the actions of each game of `blocks`, in their order."""
    rules = load(GAME)
    with RecordWriter(path, rules) as writer:
        for block in blocks:
            writer.write(block)
    return [(each.number, each.actions) for each in RecordedGames(path, rules)]


def never() -> bool:
    return False


@pytest.mark.parametrize("where", ["here", "processes", pytest.param("ray", marks=needs_ray)])
def test_workers_play_the_games_and_pairs_that_this_process_plays(where: str, learned: AnyGame, tmp_path: Path) -> None:
    with closing(Workers(GAME, make_executor(where, 2))) as workers:
        workers.prepare(load(GAME))
        run = workers.selfplay(learned, GAMES)
        far = written(run.blocks(never), tmp_path / "far")
        pairs = [pair.half_points for pair in workers.match(learned, load(GAME), PAIRS).play(never)]
    selfplay = SelfPlay(learned, GAMES)
    assert far == written(selfplay.blocks(), tmp_path / "near")
    assert (run.games, run.positions) == (selfplay.games, selfplay.positions)
    assert pairs == [pair.half_points for pair in Match(learned, load(GAME), PAIRS).play()]


def test_after_a_stop_come_the_games_at_work_and_no_others(learned: AnyGame, tmp_path: Path) -> None:
    with closing(Workers(GAME, make_executor("processes", 2))) as workers:
        run = workers.selfplay(learned, replace(GAMES, games=1 << 40))
        found = written(run.blocks(lambda: run.games >= 30), tmp_path / "games")
        assert len(found) == run.games >= 30
        assert not workers.playing
        assert found == written(SelfPlay(learned, replace(GAMES, games=run.games)).blocks(), tmp_path / "near")


def test_games_that_are_too_late_are_left_out(monkeypatch: pytest.MonkeyPatch, learned: AnyGame) -> None:
    monkeypatch.setattr(module, "LATE_SECONDS", 0.1)
    with closing(Workers(GAME, make_executor("processes", 2))) as workers:
        workers.prepare(load(GAME))
        endless = replace(GAMES, player=SearchPlayer(seconds=600.0), opening_plies=(0, 0))
        assert list(workers.selfplay(learned, endless).blocks(soon())) == []
        assert not workers.playing
        assert len(list(workers.selfplay(learned, GAMES).blocks(never))) > 0  # others go on


def soon(calls: int = 3) -> module.Stop:
    left = iter(range(calls))
    return lambda: next(left, None) is None


def test_a_match_that_is_decided_leaves_nothing_to_the_next_run(learned: AnyGame, tmp_path: Path) -> None:
    with closing(Workers(GAME, make_executor("processes", 2))) as workers:
        for _ in workers.match(learned, learned, PAIRS).play(never):
            break
        far = written(workers.selfplay(learned, GAMES).blocks(never), tmp_path / "far")
    assert far == written(SelfPlay(learned, GAMES).blocks(), tmp_path / "near")


def test_who_leaves_after_the_first_of_two_outcomes_leaves_no_job_behind() -> None:
    class Together:
        """Ends all jobs at once."""

        size = 2

        def __init__(self) -> None:
            self.given: list[Any] = []

        def submit(self, job: Any) -> None:
            self.given.append(job)

        def collect(self) -> list[GamesOutcome]:
            ended, self.given = self.given, []
            return [GamesOutcome(job.number, 1, 1, 0.1, ()) for job in ended]

    workers = Workers(GAME, cast(Any, Together()))
    jobs: Any = iter([GamesJob(number, GAME, (), GAMES) for number in (0, 1)])
    outcomes = workers.outcomes(jobs, never)
    assert next(outcomes).number == 0
    outcomes.close()  # type: ignore[attr-defined]
    assert not workers.playing


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise here")
@pytest.mark.parametrize("where", ["processes", pytest.param("ray", marks=needs_ray)])
def test_a_worker_that_is_killed_costs_no_game(
    where: str, learned: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_GAMES_PER_JOB", 10)
    executor: Any = make_executor(where, 2)
    submit, killed = executor.submit, list[int]()

    def submit_and_kill(job: GamesJob) -> None:
        """Kills a worker at work, once."""
        submit(job)
        if job.number == 8:
            worker = next(worker for worker in executor.workers if worker.job is not None)
            killed.append(worker.process if where == "ray" else worker.process.pid)
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(executor, "submit", submit_and_kill)
    with closing(Workers(GAME, executor)) as workers:
        workers.prepare(load(GAME))
        far = written(workers.selfplay(learned, replace(GAMES, games=200)).blocks(never), tmp_path / "far")
    assert killed
    assert far == written(SelfPlay(learned, replace(GAMES, games=200)).blocks(), tmp_path / "near")


def test_what_a_worker_refuses_is_said(learned: AnyGame) -> None:
    with closing(Workers("kuhn", make_executor("processes", 1))) as workers, pytest.raises(ZermeloError):
        list(workers.selfplay(load(GAME), GAMES).blocks(never))


@pytest.mark.parametrize("where", ["processes", pytest.param("ray", marks=needs_ray)])
def test_a_training_with_workers_learns_from_a_game_of_the_users_own(where: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.py").write_text(
        "from zermelo.games.breakthrough import Breakthrough\n\n\n"
        "class Small(Breakthrough):\n    def __init__(self):\n        super().__init__(4, 5)\n"
    )
    moments: list[Moment] = []
    with closing(Workers("small.py:Small", make_executor(where, 2))) as workers:
        training = Training("small.py:Small", "small.safetensors", SHORT, moments.append, workers)
        summary = training.run()
    assert {each.phase for each in moments} >= {"playing", "learning", "testing"}
    assert summary.games == sum(each.games for each in training.state.generations) > 0
    numbers = [each.number for each in RecordedGames(training.folder.games(0), training.rules)]
    assert numbers == sorted(set(numbers))
