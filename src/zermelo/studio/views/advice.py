"""What short searches think of a game at the table: of each position, for the bar and its graph, and a hint for whoever
asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Game
from zermelo.play import LiveGame
from zermelo.play.notation import write_line
from zermelo.play.words import is_too_early, say_value
from zermelo.studio.session import StudioSession, describe_error
from zermelo.studio.views.board import share
from zermelo.studio.workers import WorkerJob

GLANCE, HINT = 0.15, 1.0
"""Seconds of search for the bar beside the board, and for a hint."""
LONGEST_REVIEW = 600.0
"""Seconds of search for all earlier positions of a game that was loaded."""
MOST_JOBS = 8
"""Searches of earlier positions that may still wait for a thread."""


class Adviser:
    """Thinks about one game at a time, on threads for searches; whatever it finds about another is dropped."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.table: LiveGame | None = None
        self.asked = self.evaluates = False
        """Whether somebody wants to see what it thinks of positions, and whether that makes sense."""
        self.values: list[float | None] = []
        """For each position of the game, player 0's prospects from −1 to 1, where they are known."""
        self.hint: dict[str, Any] | None = None
        """A `move` and what it `says` of it; no move if something went wrong, which it says then."""
        self.trouble = ""
        """Why there is no evaluation, if one is asked for."""
        self.jobs: list[WorkerJob] = []
        self.loaded = 0
        """How many positions of the game came before its first one at this table."""
        self.review: WorkerJob | None = None
        """Looks at those, one after the other."""

    def begin(self, table: LiveGame, evaluates: bool) -> None:
        """A new game, at each position of which it is to look if `evaluates` and if that makes sense."""
        self.stop()
        self.table, self.values, self.hint = table, [], None
        self.loaded = len(table.plies)
        self.asked = evaluates
        self.trouble = why_no_evaluation(table.game) if evaluates else ""
        self.evaluates = evaluates and not self.trouble

    def go_back(self) -> None:
        """Forgets what it thought of positions that were taken back."""
        assert self.table is not None
        self.hint = None
        del self.values[len(self.table.plies) + 1 :]
        self.loaded = min(self.loaded, len(self.table.plies))

    def glance(self, utilities: Sequence[float] | None) -> None:
        """Looks at the newest position, briefly, and at those of a loaded game that nobody has looked at yet;
        `utilities` are those of a game that is over."""
        table = self.table
        assert table is not None
        ply = len(table.plies)
        self.values += [None] * (ply + 1 - len(self.values))
        if not self.evaluates:
            return
        self._look_back()
        if self.values[ply] is not None:
            return
        if utilities is not None:
            self.values[ply] = share(table.game, utilities[0])
        elif not table.game.is_terminal(table.state):

            def note(found: Analysis) -> None:
                if not is_too_early(table.game, found):
                    self.values[ply] = share(table.game, found.values[0])
                self.trouble = ""

            self._search(GLANCE, 2.0, note, self._despair)

    def _despair(self, error: str) -> None:
        """A position cannot be evaluated; the next one may be."""
        self.trouble = error

    def _look_back(self) -> None:
        """Looks at the positions of a loaded game, a little at a time while others wait."""
        table = self.table
        assert table is not None
        before = len(table.history) - len(table.plies)
        states = [*table.history, table.state]
        missing = [
            ply
            for ply in range(self.loaded)
            if self.values[ply] is None and table.game.player(states[before + ply]) != CHANCE
        ]
        if self.review is not None or not missing:
            return

        def work(job: WorkerJob) -> bool:
            try:
                while missing and self._look_at(job, table, missing[0], states[: before + missing[0] + 1]):
                    missing.pop(0)
            except (Exception, SystemExit) as error:  # rules are anybody's code
                with self.session.lock:
                    if self.review is job and not job.cancelled:
                        self._despair(describe_error(error))
                self.session.push("play")
                return True  # and `review` stays: rules that failed once are not asked at every move
            with self.session.lock:
                if self.review is job and not missing:
                    self.review = None
            return not missing

        self.review = self.session.search(work, LONGEST_REVIEW, yields=True)

    def _look_at(self, job: WorkerJob, table: LiveGame, ply: int, states: list[Any]) -> bool:
        """Notes what the last of `states` is worth, those before it being its history; false if there was no time."""
        from zermelo.engine import search

        found = search(table.game, states[-1], history=states[:-1], seconds=GLANCE, stop=job.should_stop)
        with self.session.lock:
            if self.review is not job or job.should_stop() or is_too_early(table.game, found):
                return False
            self.values[ply] = share(table.game, found.values[0])
        self.session.push("play")
        return True

    def advise(self) -> None:
        """Looks for a hint."""
        table = self.table
        assert table is not None
        state, ply = table.state, len(table.plies)

        def note(found: Analysis) -> None:
            if len(table.plies) != ply:
                return
            move = write_line(table.game, state, found.line[:1])[0]
            self.hint = {"move": move, "message": say_value(table.game, state, found)}

        def fail(error: str) -> None:
            if len(table.plies) == ply:
                self.hint = {"move": "", "message": error}

        self._search(HINT, 5.0, note, fail)

    def _search(
        self,
        seconds: float,
        most: float,
        note: Callable[[Analysis], None],
        fail: Callable[[str], None] = lambda _error: None,
    ) -> None:
        """Tells `note` what is found about the present position, if it is still one of the game by then, or `fail` what
        went wrong."""
        table = self.table
        assert table is not None
        game, state, past, ply = table.game, table.state, list(table.history), len(table.plies)

        def tell(job: WorkerJob, listener: Callable[[Any], None], news: Any) -> None:
            with self.session.lock:
                if self.table is table and ply < len(self.values) and not job.cancelled:
                    listener(news)

        def work(job: WorkerJob) -> bool:
            from zermelo.engine import search

            try:
                tell(job, note, search(game, state, history=past, seconds=seconds, stop=job.should_stop))
            except (Exception, SystemExit) as error:  # rules are anybody's code
                tell(job, fail, describe_error(error))
            self.session.push("play")
            return True

        self.jobs = [job for job in self.jobs if not job.cancelled][-MOST_JOBS:]
        self.jobs.append(self.session.search(work, most))

    def stop(self) -> None:
        for job in self.jobs:
            job.cancel()
        self.jobs = []
        if self.review is not None:
            self.review.cancel()
        self.review = None


def can_evaluate(game: Game) -> bool:
    """Whether one number says how good a position is, and a search may look at all of it."""
    return not why_no_evaluation(game)


def why_no_evaluation(game: Game) -> str:
    """Why no number says how good a position is, if none does."""
    if game.kind.hidden:
        return "a search would look through what is hidden"
    if game.players > 2:
        return f"one number cannot say how {game.players} players stand"
    if not game.kind.constant_sum:
        return "what is good for one player is not always bad for the other"
    return ""
