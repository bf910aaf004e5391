"""Where the games of a training are played: by threads of this process, or by the workers of an executor.

    Here()                                      native threads
    Workers("othello", make_executor("ray", 8))     processes of this machine, or the nodes of a cluster

Both play the same games, as a game follows from its number and the options, and hand them over in the order of their
numbers. Workers get jobs of about a second: so little is lost with one of them, and a phase ends when its time is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol

from zermelo.arena.executors import Executor
from zermelo.engine.grid import GridNetwork
from zermelo.engine.network import network_of
from zermelo.game import AnyGame
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.records import count_block
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train.jobs import GamesJob, GamesOutcome, RunOptions, count_of, pack_network, part_of

JOB_SECONDS = 1.0
"""What a job should take, to judge by those before it."""
MOST_GAMES_PER_JOB = 1000
JUDGED_ROWS = 2048
"""Positions that a GPU judges at once; twice as many games are played."""
JUDGED_BLOCK_GAMES = 256
"""All of them wait until a block is on the disk."""
LATE_SECONDS = 5.0
"""Seconds that jobs at work have to end after a stop; then they are dropped."""

Stop = Callable[[], bool]


class Pair(Protocol):
    """Two games of a match."""

    @property
    def half_points(self) -> int:
        """Of the first player, 0 to 4."""


class SelfPlayRun(Protocol):
    """A run of self-play."""

    @property
    def games(self) -> int: ...

    @property
    def positions(self) -> int: ...

    def blocks(self, stop: Stop) -> Iterator[bytes]: ...


class MatchRun(Protocol):
    """A match."""

    def play(self, stop: Stop) -> Iterator[Pair]: ...


class Place(Protocol):
    """Where games are played."""

    def prepare(self, rules: AnyGame) -> None:
        """Gets ready, so that the time of the training is spent on games alone."""

    def selfplay(self, game: AnyGame, options: SelfPlayOptions[Any]) -> SelfPlayRun: ...

    def match(self, first: AnyGame, second: AnyGame, options: MatchOptions[Any]) -> MatchRun: ...

    def close(self) -> None:
        """Ends whatever is still being played."""


class Here:
    """Native threads of this process."""

    def prepare(self, rules: AnyGame) -> None:
        """Threads are there at once."""

    def selfplay(self, game: AnyGame, options: SelfPlayOptions[Any]) -> SelfPlayRun:
        return SelfPlay(game, options)

    def match(self, first: AnyGame, second: AnyGame, options: MatchOptions[Any]) -> MatchRun:
        return Match(first, second, options)

    def close(self) -> None:
        """Nothing runs between two calls."""


class WithGpu(Here):
    """Threads of this process, and a GPU that judges the positions of grid networks for them.

    Thousands of games are played at once, and go on in the next run of the same options with the network of that time:
    so none is lost, and its numbers are those of one long run."""

    def __init__(self, device: str = "cuda", rows: int = JUDGED_ROWS):
        self.device, self.rows = device, rows
        self._run: JudgedRun | None = None

    def selfplay(self, game: AnyGame, options: SelfPlayOptions[Any]) -> SelfPlayRun:
        network = network_of(game)
        if not isinstance(network, GridNetwork):
            return super().selfplay(game, options)
        options = replace(options, block_games=min(JUDGED_BLOCK_GAMES, 2 * self.rows))
        alike = replace(options, first=0, seed=0, games=1)
        if self._run is None or self._run.options != alike or self._run.judge.shape != network.shape:
            self._run = JudgedRun(game, network, options, alike, self)
        return self._run.go_on(network)

    def close(self) -> None:
        self._run = None


class JudgedRun:
    """Self-play of grid networks whose positions a GPU judges."""

    def __init__(
        self,
        game: AnyGame,
        network: GridNetwork,
        options: SelfPlayOptions[Any],
        alike: SelfPlayOptions[Any],
        place: WithGpu,
    ):
        from zermelo.learn.grid.judge import TorchJudge

        self.options = alike
        self.judge = TorchJudge(network.shape, place.rows, place.device)
        self._selfplay = SelfPlay(game, options, self.judge)
        self.games = self.positions = 0
        """Of the games that were complete since it went on."""

    def go_on(self, network: GridNetwork) -> JudgedRun:
        self.judge.take(network)
        self.games = self.positions = 0
        return self

    def blocks(self, stop: Stop) -> Iterator[bytes]:
        for block in self._selfplay.blocks():
            games, moves = count_block(block)
            self.games += games
            self.positions += moves
            yield block
            if stop():
                return


class Workers:
    """The workers of an executor, for the training of the game that `text` names."""

    def __init__(self, text: str, executor: Executor):
        self.text = text
        self.executor = executor
        self.playing: set[int] = set()
        """The jobs whose outcome is still to come."""
        self.next_number = 0
        """Of a job."""

    def prepare(self, rules: AnyGame) -> None:
        """Waits for workers: they start, and compile the rules, as they play a move each."""
        options: SelfPlayOptions[Any] = SelfPlayOptions(SearchPlayer(nodes=1), self.executor.size, longest_plies=1)
        for _ in self.selfplay(rules, options).blocks(lambda: False):
            pass

    def selfplay(self, game: AnyGame, options: SelfPlayOptions[Any]) -> SelfPlayRun:
        options.check()
        return WorkersRun(self, (pack_network(game),), options)

    def match(self, first: AnyGame, second: AnyGame, options: MatchOptions[Any]) -> MatchRun:
        options.check()
        return WorkersRun(self, (pack_network(first), pack_network(second)), options)

    def close(self) -> None:
        self.executor.close()

    def outcomes(self, jobs: Iterator[GamesJob], stop: Stop) -> Iterator[GamesOutcome]:
        """The outcomes of `jobs` as they come in; after a stop, of those that are at work and end soon."""
        deadline: float | None = None
        while True:
            if deadline is None and stop():
                deadline = time.monotonic() + LATE_SECONDS
                self.playing -= self.executor.drop()
            while deadline is None and len(self.playing) < self.executor.size and (job := next(jobs, None)):
                self.executor.submit(job)
                self.playing.add(job.number)
            if not self.playing:
                return
            outcomes = self.executor.collect()
            self.playing -= {outcome.number for outcome in outcomes}  # all, as the caller may leave after the first
            yield from outcomes
            if deadline is not None and time.monotonic() > deadline:
                self.playing -= self.executor.drop(begun=True)

    def settle(self) -> None:
        """Waits for the jobs of a run that nobody wants to know the rest of."""
        for _ in self.outcomes(iter(()), lambda: True):
            pass


class WorkersRun:
    """A run of self-play, or a match, by workers."""

    def __init__(self, workers: Workers, networks: tuple[bytes | None, ...], options: RunOptions):
        self.workers = workers
        self.networks = networks
        self.options = options
        self.games = 0
        """Games, or pairs, that are complete."""
        self.positions = 0
        self.seconds = 0.0
        """Of all workers together."""

    def play(self, stop: Stop) -> Iterator[Any]:
        """Blocks of games, or pairs, in order; those that a stop has left out are missing."""
        self.workers.settle()
        due = self.workers.next_number
        ended: dict[int, GamesOutcome] = {}
        for outcome in self.workers.outcomes(self._jobs(), stop):
            self.games += outcome.games
            self.positions += outcome.positions
            self.seconds += outcome.seconds
            ended[outcome.number] = outcome
            while due in ended:
                yield from ended.pop(due).results
                due += 1
        for number in sorted(ended):
            yield from ended[number].results

    blocks = play

    def _jobs(self) -> Iterator[GamesJob]:
        """The run in parts."""
        workers = self.workers
        first, end = self.options.first, self.options.first + count_of(self.options)
        while first < end:
            count = min(self._fitting_games(), end - first)
            yield GamesJob(workers.next_number, workers.text, self.networks, part_of(self.options, first, count))
            workers.next_number += 1
            first += count

    def _fitting_games(self) -> int:
        if not self.seconds:
            return 1
        return max(1, min(int(JOB_SECONDS * self.games / self.seconds), MOST_GAMES_PER_JOB))
