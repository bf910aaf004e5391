"""Tournaments: set one up and watch its crosstable grow, or look at one that another process plays."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.arena.report import Report
from zermelo.errors import InputError, OptionError
from zermelo.studio.messages import number_of, text_of, texts_of
from zermelo.studio.session import StudioSession, UncachedAnswer, Verb, View, describe_error
from zermelo.studio.views.played import list_faults, list_games, show_game, show_position, write_all, write_one
from zermelo.studio.workers import WorkerJob

if TYPE_CHECKING:
    from zermelo.arena.executors import Executor, Job
    from zermelo.arena.plan import Plan
    from zermelo.arena.tournament import Tournament

MAX_ENTRANTS, MAX_GAMES = 64, 1_000
MOST_NUMBER = 10_000_000
MAX_TOURNAMENT_SECONDS = 3600.0
MOVE_TIMEOUT_SECONDS = 60.0
"""For a move; after that, the player counts as hanging."""
BOT_TIMEOUT_SECONDS = 20.0
"""The same where a bot of the user's own takes part: an endless loop must not keep a class waiting."""
UPDATE_INTERVAL_SECONDS = 0.25
"""Between two updates of the table."""


class StoppedHereError(Exception):
    """The page has stopped the tournament, or is gone."""


class Halting:
    """An executor that stops in the middle of a game once nobody wants its outcome: a game may take hours."""

    def __init__(self, executor: Executor, job: WorkerJob):
        self.executor, self.job = executor, job
        self.size = executor.size

    def submit(self, job: Job) -> None:
        self.executor.submit(job)

    def collect(self) -> Sequence[Any]:
        if self.job.should_stop():
            raise StoppedHereError
        return self.executor.collect()

    def drop(self, begun: bool = False) -> set[int]:
        return self.executor.drop(begun)

    def close(self) -> None:
        self.executor.close()


class ArenaView(View):
    """One tournament at a time; its games are played in a process of their own."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.job: WorkerJob | None = None
        self.report: dict[str, object] | None = None
        self.tournament: Tournament | None = None
        """What is being played, or was played last, with its games."""
        self.names: dict[str, str] = {}
        """What the page calls bots, by their texts."""
        self.error = ""
        self.text = ""
        self.plan: dict[str, object] = {}
        """The settings of the last tournament, as the page's form holds them."""
        self.stopped = False
        """Whether the last tournament was stopped early."""
        self.verbs: dict[str, Verb] = {
            "start": self.start,
            "halt": self.halt,
            "files": self.files,
            "show": self.show,
            "games": self.games,
            "game": self.game,
            "position": self.position,
            "write": self.write,
        }

    def start(self, given: Mapping[str, object]) -> dict[str, object]:
        """Plays `entrants` at `game`, `games` for each two of them."""
        from zermelo.arena.plan import Plan
        from zermelo.arena.scheduled import Terms

        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        catalogue = self.session.catalogue
        written = texts_of(given, "entrants", MAX_ENTRANTS)
        entrants = [catalogue.player_text(each) for each in written]
        if len(entrants) < 2:
            raise OptionError("a tournament needs two players or more")
        for entrant in entrants:
            catalogue.player(entrant)
        names = {bot.text: bot.name for bot in catalogue.bots()}
        has_bots = not names.keys().isdisjoint(entrants)
        games = number_of(given, "games", 1, MAX_GAMES, 10)
        form = text_of(given, "format", "round-robin", 20)
        terms = Terms(
            clock=text_of(given, "clock", "none", 40),
            patience=BOT_TIMEOUT_SECONDS if has_bots else MOVE_TIMEOUT_SECONDS,
        )
        plan = Plan(text, tuple(entrants), format=form, games=games, terms=terms)
        if not has_bots:  # else the tournament tries them before it begins: a class of them takes its time
            plan.check(game)
        self.stop()
        self.tournament, self.names = None, names
        self.report, self.error, self.stopped = None, "", False
        self.text = text
        self.plan = {"entrants": written, "games": games, "format": form, "clock": terms.clock}
        self.job = self.session.search(lambda job: self.play(job, plan), MAX_TOURNAMENT_SECONDS)
        self.session.push("arena")
        return {}

    def play(self, job: WorkerJob, plan: Plan) -> bool:
        """Plays the whole tournament, kept in a file that goes away with it."""
        from zermelo.arena.executors import make_executor
        from zermelo.arena.tournament import Tournament

        pushed = 0.0

        def note(tournament: Tournament, _outcome: object) -> None:
            nonlocal pushed
            if time.monotonic() - pushed > UPDATE_INTERVAL_SECONDS:
                pushed = time.monotonic()
                self.publish(job, tournament)

        try:
            with (
                tempfile.TemporaryDirectory() as folder,
                Tournament.begin(plan, Path(folder) / "studio.db") as tournament,
                contextlib.closing(Halting(make_executor("processes", 1), job)) as executor,
            ):
                with self.session.lock:
                    if self.job is job:
                        self.tournament = tournament
                tournament.run(executor, note)
                self.publish(job, tournament)
        except StoppedHereError:
            pass
        except Exception as error:
            self.fail(job, describe_error(error))
        with self.session.lock:
            if self.job is job:
                self.job = None
        self.session.push("arena")
        return True

    def fail(self, job: WorkerJob, error: str) -> None:
        """Reports an error in a tournament, unless another has taken its place."""
        with self.session.lock:
            if self.job is job:
                self.error = error

    def publish(self, job: WorkerJob, tournament: Tournament) -> None:
        shown = show_report(tournament.report(), tournament.total(), self.names)
        shown["faults"] = list_faults(tournament, self.names)
        with self.session.lock:
            if self.job is job and not job.cancelled:
                self.report = shown
        self.session.push("arena")

    def halt(self, given: Mapping[str, object]) -> dict[str, object]:
        self.stop()
        self.session.push("arena")
        return {}

    def files(self, given: Mapping[str, object]) -> dict[str, object]:
        return {"files": list(self.session.catalogue.tournaments)}

    def show(self, given: Mapping[str, object]) -> dict[str, object]:
        """The tournament in a file that the command line has named; it may still be growing."""
        from zermelo.arena.tournament import Tournament

        name = text_of(given, "file", most=500)
        if name not in self.session.catalogue.tournaments:
            raise InputError("name the file of a tournament on the command line: zermelo studio --tournament FILE")
        with Tournament.resume(name, writes=False) as tournament:
            return {"report": show_report(tournament.report(), tournament.total())}

    def games(self, given: Mapping[str, object]) -> dict[str, object]:
        """The games that have been played, between `entrants` if any are named."""
        texts = {name: text for text, name in self.names.items()}
        entrants = [texts.get(each, each) for each in texts_of(given, "entrants", 2)] if given.get("entrants") else []
        return UncachedAnswer(list_games(self.played(), self.names, entrants))

    def game(self, given: Mapping[str, object]) -> dict[str, object]:
        """One game, move by move."""
        return UncachedAnswer(show_game(self.played(), number_of(given, "number", 0, MOST_NUMBER), self.names))

    def position(self, given: Mapping[str, object]) -> dict[str, object]:
        """The board of a game after `ply` moves."""
        number, ply = (number_of(given, name, 0, MOST_NUMBER) for name in ("number", "ply"))
        return UncachedAnswer(show_position(self.played(), number, ply))

    def write(self, given: Mapping[str, object]) -> dict[str, object]:
        """A game as a file, or all of them if no number is given."""
        form = text_of(given, "format", "", 20)
        if given.get("number") is None:
            return UncachedAnswer(write_all(self.played(), form or "jsonl"))
        return UncachedAnswer(write_one(self.played(), number_of(given, "number", 0, MOST_NUMBER), form))

    def played(self) -> Tournament:
        if self.tournament is None:
            raise InputError("no game has been played yet")
        return self.tournament

    def snapshot(self) -> dict[str, object] | None:
        if not self.plan:
            return None
        state = {"running": self.job is not None, "stopped": self.stopped, "error": self.error}
        return {"game": self.text, "plan": self.plan, "report": self.report, **state}

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
            self.stopped = True
        self.job = None


def show_report(report: Report, total: int | None, names: Mapping[str, str] | None = None) -> dict[str, object]:
    """A crosstable with ratings, for a page; `names` are those of entrants that have others than their texts."""
    rated = {rating.name: rating for rating in report.ratings.entrants} if report.games else {}
    means = {} if report.payoffs is None else report.payoffs.means
    best = [report.entrants[one] for one in means] or [*rated]
    order = [*best, *(name for name in report.entrants if name not in best)]
    numbers = {name: i for i, name in enumerate(report.entrants)}
    rows = []
    for name in order:
        cells = [None if other == name else list(report.score(numbers[name], numbers[other])) for other in order]
        met = [None if other == name else show_meeting(report, numbers[name], numbers[other]) for other in order]
        found, mean = rated.get(name), means.get(numbers[name])
        rows.append(
            {
                "name": (names or {}).get(name, name),
                "cells": cells,
                "points": sum(cell[0] for cell in cells if cell),
                "games": sum(cell[2] for cell in cells if cell),
                "elo": None if found is None else [found.elo, found.low, found.high],
                "payoff": None if mean is None else mean.line(),
                "payoffs": met,
            }
        )
    facts = {"played": len(report.games), "total": total, "copies": report.copies, "unit": report.unit}
    return {"rows": rows, **facts}


def show_meeting(report: Report, one: int, other: int) -> str | None:
    """What one gets a game from another, with its standard error."""
    found = None if report.payoffs is None else report.payoffs.meeting(one, other)
    if found is None:
        return None
    mine = found.mine
    return f"{mine.said(mine.mean)} ± {mine.said(mine.error).lstrip('+')}"
