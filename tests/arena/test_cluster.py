"""An executor of a Ray cluster: workers and nodes may be lost, games may not.

Ray is big and not part of the development group: `pip install 'zermelo[cluster]'` runs these tests, others skip them.
"""

from __future__ import annotations

import importlib.util
import os
import secrets
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

import pytest

from zermelo.arena.executors import make_executor
from zermelo.arena.executors.cluster import ClusterExecutor, ClusterWorker, names_files
from zermelo.arena.openings import Opening
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameJob, Terms
from zermelo.arena.tournament import Tournament
from zermelo.errors import OptionError, ZermeloError

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'zermelo[cluster]'"
)
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray leaves sockets and files open, and warns of its own future

PLAYERS = '''
import os
import signal
import time
import zermelo

class Slow:
    name = "slow"
    def choose(self, game, state, history):
        time.sleep(0.02)
        return next(iter(game.actions(state)))

class Hanging:
    name = "hanging"
    def choose(self, game, state, history):
        time.sleep(600)

class Deadly(zermelo.load("tictactoe").__class__):
    """Its rules kill whoever keeps the process that plays."""
    def result(self, s, a):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
'''


@pytest.fixture(scope="module", autouse=True)
def token(tmp_path_factory):
    """A token of these tests' own, so that Ray leaves none in the home folder of whoever runs them."""
    path = tmp_path_factory.mktemp("ray") / "token"
    path.touch(0o600)
    path.write_text(secrets.token_hex(32))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(path))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        yield


@pytest.fixture(scope="module")
def nodes(token):
    """A cluster of two nodes on this machine; this process is connected to it."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    from ray.cluster_utils import Cluster as Nodes

    found = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    found.add_node(num_cpus=1)
    ray.init(address=found.address, log_to_driver=False, logging_level="error")
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture
def own(tmp_path) -> str:
    path = tmp_path / "own.py"
    path.write_text(PLAYERS)
    return str(path)


def run(plan: Plan, executor: ClusterExecutor, after=lambda executor, count: None) -> tuple[Tournament, Counter[int]]:
    """The tournament, played, and how often each game was stored; `after` is told how many games have ended."""
    counts: Counter[int] = Counter()

    def tell(_, outcome):
        counts[outcome.number] += 1
        after(executor, counts.total())

    with Tournament.begin(plan) as tournament:
        try:
            tournament.run(executor, tell)
        finally:
            executor.close()
        return tournament, counts


def once(count: int) -> Counter[int]:
    return Counter(range(count))


@needs_ray
def test_a_cluster_plays_the_games_that_this_process_would(nodes):
    plan = Plan("tictactoe", ("random", "alphabeta:depth=2"), games=8, seed=3)
    far, counts = run(plan, make_executor("ray", 2))
    near, _ = run(plan, make_executor("here", 1))
    assert counts == once(8)
    assert [far.ended[n][1].record.moves for n in range(8)] == [near.ended[n][1].record.moves for n in range(8)]


@needs_ray
def test_a_worker_that_is_killed_costs_no_game_and_doubles_none(nodes, own):
    killed = []

    def kill_one(executor, count):
        if count == 3:
            busy = next(worker for worker in executor.workers if worker.job is not None)
            os.kill(busy.process, signal.SIGKILL)
            killed.append(busy)

    tournament, counts = run(
        Plan("tictactoe", (f"python:{own}:Slow", "random"), games=12), make_executor("ray", 2), kill_one
    )
    assert killed
    assert counts == once(12)
    assert not tournament.report().failures()


@needs_ray
def test_a_node_that_is_lost_costs_no_game_and_doubles_none(nodes, own):
    extra = nodes.add_node(num_cpus=2)
    executor = make_executor("ray", 4)
    lost = []

    def remove_node(executor, count):
        if count >= 3 and not lost and any(worker.node == extra.node_id and worker.job for worker in executor.workers):
            nodes.remove_node(extra, allow_graceful=False)
            lost.append(extra)

    _, counts = run(Plan("tictactoe", (f"python:{own}:Slow", "random"), games=60), executor, remove_node)
    assert lost
    assert counts == once(60)


@needs_ray
def test_a_player_that_hangs_on_a_node_loses_its_game_there(nodes, own):
    plan = Plan("tictactoe", (f"python:{own}:Hanging", "random"), games=2, terms=Terms(patience=1.0))
    tournament, counts = run(plan, make_executor("ray", 1))
    assert counts == once(2)
    assert tournament.report().failures() == {f"python:{own}:Hanging": Counter({"hang": 2})}


@needs_ray
def test_a_game_that_kills_every_worker_is_named(nodes, own):
    executor = make_executor("ray", 1)
    try:
        executor.submit(GameJob(7, f"{own}:Deadly", ("random", "random"), Opening(), 1, Terms()))
        with pytest.raises(ZermeloError, match=r"game 7 of .*own\.py:Deadly \(random - random\) has died 3 times"):
            collect_one(executor)
    finally:
        executor.close()


@needs_ray
def test_an_outcome_that_comes_in_twice_counts_once(nodes):
    executor = ClusterExecutor("ray", 1)
    outcome = make_outcome(3)
    worker = ClusterWorker(None)
    worker.node = "somewhere"
    executor.workers.add(worker)
    executor.due.add(3)
    told: Future = Future()
    told.set_result(outcome)
    assert executor._listen(worker, told) is outcome
    assert executor._listen(worker, told) is None


def collect_one(executor: ClusterExecutor):
    while not (found := executor.collect()):
        pass
    return found[0]


def make_outcome(number: int):
    here = make_executor("here", 1)
    here.submit(GameJob(number, "tictactoe", ("random", "random"), Opening(), 1, Terms()))
    return collect_one(here)


@needs_ray
def test_a_new_cluster_gets_the_files_of_this_folder_and_keeps_standard_output_clean(own):
    script = """
import os, signal
from zermelo.arena.executors import make_executor
from zermelo.arena.scheduled import GameJob, Terms
from zermelo.arena.openings import Opening
executor = make_executor("ray", 1)
found, killed = [], False
for number in range(3):
    executor.submit(GameJob(number, "own.py:Loud", ("python:own.py:Slow", "random"), Opening(), 1, Terms()))
while len(found) < 3:
    found += executor.collect()
    if found and not killed:
        [worker] = executor.workers
        os.kill(worker.process, signal.SIGKILL)
        killed = True
executor.close()
assert [outcome.record.reason for outcome in found] == [""] * 3, found
print("done", sorted(outcome.number for outcome in found))
"""
    with open(own, "a", encoding="utf-8") as file:
        file.write('\nclass Loud(zermelo.load("tictactoe").__class__):\n    print("hello")\n')
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(own).parent,
        env={**os.environ, "RAY_ADDRESS": "local"},  # or it would join the cluster of the other tests
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (0, "done [0, 1, 2]\n"), done.stderr


def test_without_ray_the_word_is_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(OptionError, match=r"pip install 'zermelo\[cluster\]'"):
        make_executor("ray", 2)


@pytest.mark.parametrize("where", ["ray://", "ray://host", "ray://host:port", "ray://a b:10001", "ray:// host:1"])
def test_an_address_that_is_none_is_refused(where):
    with pytest.raises(OptionError, match="ray://HOST:PORT"):
        make_executor(where, 2)


def test_files_below_the_current_folder_are_what_nodes_lack(own, monkeypatch):
    monkeypatch.chdir(Path(own).parent)

    def needs(game: str, player: str, **terms: str) -> bool:
        return names_files(GameJob(0, game, (player, "random"), Opening(), 0, Terms(**terms)))

    assert needs("own.py:Deadly", "random")
    assert needs("tictactoe", "python:own.py:Slow")
    assert needs("tictactoe", "random", solution="own.py")
    assert not needs("tictactoe", "alphabeta:depth=3,order=best")
    assert not needs(f"{own}:Deadly", "random")
