"""Where the games of a training are played: by threads of this process, or by the workers of an executor.

    Here()                                      native threads
    Workers("othello", make_executor("ray", 8))     processes of this machine, or the nodes of a cluster

Both play the same games, as a game follows from its number and the options, and hand them over in the order of their
numbers. Workers get jobs of about a second: so little is lost with one of them, and a phase ends when its time is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from zermelo.arena.executors import Executor
from zermelo.game import AnyGame
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train.jobs import GamesJob, GamesOutcome, RunOptions, count_of, pack_network, part_of

JOB_SECONDS = 1.0
"""What a job should take, to judge by those before it."""
MOST_GAMES_PER_JOB = 1000
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
