"""What short searches say about a game on the board: the value of each position, for the evaluation bar and its graph,
and a hint for a person who asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from zermelo.analysis import Analysis, Limits
from zermelo.engine.searcher import Searcher
from zermelo.game import CHANCE, AnyGame
from zermelo.play.live import LiveGame
from zermelo.play.notation import write_line
from zermelo.play.words import is_too_early, say_value
from zermelo.studio.session import StudioSession, describe_error
from zermelo.studio.views.board import share
from zermelo.studio.workers import WorkerJob

Result = TypeVar("Result")

EVALUATION = Limits(nodes=100_000, seconds=2.0)
"""Of the search for the evaluation bar: mostly a number of nodes, so that a value does not depend on the machine's
speed; the time is for games whose rules are slow."""
HINT = Limits(seconds=1.0)
MAX_EVALUATION_SECONDS, MAX_HINT_SECONDS = 10.0, 5.0
"""After which a search is stopped that does not stop by itself."""
MAX_REVIEW_SECONDS = 600.0
"""For all earlier positions of a game that was loaded."""
TABLE_MB = 32
MAX_WAITING_JOBS = 8
"""Searches of earlier positions that may still wait for a thread."""


class Adviser:
    """Evaluates the positions of one game at a time, on threads for searches; results about another are dropped."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.live: LiveGame | None = None
        self.asked = self.evaluates = False
        """Whether evaluations are wanted, and whether they make sense in this game."""
        self.values: list[float | None] = []
        """For each position of the game, player 0's prospects from −1 to 1, where they are known."""
        self.hint: dict[str, object] | None = None
        """A `move` and a `message` about it; if the search failed, no move, and the error as the message."""
        self.trouble = ""
        """Why there is no evaluation, if one is asked for."""
        self.interpreted = ""
        """Why searches run the rules in Python, which is slow, if they do; known after the first search."""
        self.jobs: list[WorkerJob] = []
        self.loaded = 0
        """Positions of the game that were loaded, before the first one on this board."""
        self.review: WorkerJob | None = None
        """Evaluates those, one after the other."""

    def begin(self, live: LiveGame, evaluates: bool) -> None:
        """A new game; each of its positions is evaluated if `evaluates` and if that makes sense."""
        self.stop()
        self.live, self.values, self.hint, self.interpreted = live, [], None, ""
        self.loaded = len(live.plies)
        self.asked = evaluates
        self.trouble = why_no_evaluation(live.game) if evaluates else ""
        self.evaluates = evaluates and not self.trouble

    def go_back(self) -> None:
        """Forgets the values of positions that were taken back."""
        assert self.live is not None
        self.hint = None
        del self.values[len(self.live.plies) + 1 :]
        self.loaded = min(self.loaded, len(self.live.plies))

    def evaluate(self, utilities: Sequence[float] | None) -> None:
        """Evaluates the newest position, and those of a loaded game that are still unknown.

        `utilities` are those of a game that is over.
        """
        live = self.live
        assert live is not None
        ply = len(live.plies)
        self.values += [None] * (ply + 1 - len(self.values))
        if not self.evaluates:
            return
        self._review_loaded()
        if self.values[ply] is not None:
            return
        if utilities is not None:
            self.values[ply] = share(live.game, utilities[0])
        elif not live.is_over:

            def note(found: Analysis) -> None:
                if found.stopped != "stop" and not is_too_early(live.game, found):
                    self.values[ply] = share(live.game, found.values[0])
                self.trouble = ""

            self._search(EVALUATION, MAX_EVALUATION_SECONDS, note, self._fail)

    def _fail(self, error: str) -> None:
        """A position cannot be evaluated; the next one may be."""
        self.trouble = error

    def _review_loaded(self) -> None:
        """Evaluates the positions of a loaded game, making room for others that wait."""
        live = self.live
        assert live is not None
        before = len(live.history) - len(live.plies)
        states = [*live.history, live.state]
        missing = [
            ply
            for ply in range(self.loaded)
            if self.values[ply] is None and live.game.player(states[before + ply]) != CHANCE
        ]
        if self.review is not None or not missing:
            return

        def work(job: WorkerJob) -> bool:
            try:
                while missing and self._review(job, live, missing[0], states[: before + missing[0] + 1]):
                    missing.pop(0)
            except (Exception, SystemExit) as error:  # rules are anybody's code
                with self.session.lock:
                    if self.review is job and not job.cancelled:
                        self._fail(describe_error(error))
                self.session.push("play")
                return True  # and `review` stays: rules that failed once are not asked at every move
            with self.session.lock:
                if self.review is job and not missing:
                    self.review = None
            return not missing

        self.review = self.session.search(work, MAX_REVIEW_SECONDS, yields=True)

    def _review(self, job: WorkerJob, live: LiveGame, ply: int, states: list[Any]) -> bool:
        """Notes the value of the last of `states`, those before it being its history; false if there was no time."""
        found = self._run(job, live, EVALUATION, states[-1], states[:-1])
        with self.session.lock:
            if self.review is not job or job.should_stop() or is_too_early(live.game, found):
                return False
            self.values[ply] = share(live.game, found.values[0])
        self.session.push("play")
        return True

    def advise(self) -> None:
        """Searches for a hint."""
        live = self.live
        assert live is not None
        state, ply = live.state, len(live.plies)

        def note(found: Analysis) -> None:
            if len(live.plies) != ply:
                return
            move = write_line(live.game, state, found.line[:1])[0]
            self.hint = {"move": move, "message": say_value(live.game, state, found)}

        def fail(error: str) -> None:
            if len(live.plies) == ply:
                self.hint = {"move": "", "message": error}

        self._search(HINT, MAX_HINT_SECONDS, note, fail)

    def _search(
        self,
        limits: Limits,
        most: float,
        note: Callable[[Analysis], None],
        fail: Callable[[str], None],
    ) -> None:
        """Calls `note` with the analysis of the present position, or `fail` with the error message, if the position is
        still part of the game by then."""
        live = self.live
        assert live is not None
        state, history, ply = live.state, list(live.history), len(live.plies)

        def report(job: WorkerJob, listener: Callable[[Result], None], result: Result) -> None:
            with self.session.lock:
                if self.live is live and ply < len(self.values) and not job.cancelled:
                    listener(result)

        def work(job: WorkerJob) -> bool:
            try:
                report(job, note, self._run(job, live, limits, state, history))
            except (Exception, SystemExit) as error:  # rules are anybody's code
                report(job, fail, describe_error(error))
            self.session.push("play")
            return True

        self.jobs = [job for job in self.jobs if not job.cancelled][-MAX_WAITING_JOBS:]
        self.jobs.append(self.session.search(work, most))

    def _run(self, job: WorkerJob, live: LiveGame, limits: Limits, state: Any, history: Sequence[Any]) -> Analysis:
        """One search, on the present thread; each has a searcher of its own, since several may run at a time."""
        searcher = Searcher(live.game, table_mb=TABLE_MB, quiet=True)
        with self.session.lock:
            if self.live is live:
                self.interpreted = searcher.why_textbook
        return searcher.search(state, replace(limits, stop=job.should_stop), history=history)

    def stop(self) -> None:
        for job in self.jobs:
            job.cancel()
        self.jobs = []
        if self.review is not None:
            self.review.cancel()
        self.review = None


def can_evaluate(game: AnyGame) -> bool:
    """Whether one number says how good a position is, and a search may look at all of it."""
    return not why_no_evaluation(game)


def why_no_evaluation(game: AnyGame) -> str:
    """Why no number says how good a position is, if none does."""
    if game.kind.hidden:
        return "a search would look through what is hidden"
    if game.players > 2:
        return f"one number cannot say how {game.players} players stand"
    if not game.kind.constant_sum:
        return "what is good for one player is not always bad for the other"
    return ""
