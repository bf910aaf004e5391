"""A tournament: who meets whom, game by game, until the schedule or a test ends it.

    plan = Plan("connect4", ("engine:depth=6", "alphabeta:depth=4", "random"), games=200)
    with Tournament.begin(plan, "cup.db") as tournament:
        tournament.run(make_executor("processes", 2))
        print(tournament.report().text())

The schedule is a function of the plan and of the games that have ended. So a tournament that was killed at any moment
goes on where it was: what is stored is done, and what is not is played.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from zermelo.arena.executors import Executor, make_executor
from zermelo.arena.openings import Opening, OpeningBook, read_openings
from zermelo.arena.payoffs import encounter_of, encounters, settle
from zermelo.arena.plan import Plan, check_trust, foreign_code
from zermelo.arena.report import Report
from zermelo.arena.schedule import Meeting, MeetingResult, make_schedule
from zermelo.arena.scheduled import GameJob, GameOutcome, ScheduledGame, Terms, points_of, unit_of
from zermelo.arena.sequential import SequentialTest, make_test
from zermelo.arena.store import Store
from zermelo.errors import InputError, OptionError, ZermeloError
from zermelo.game import Game
from zermelo.games import load, runs_code
from zermelo.play import Chooser

Progress = Callable[["Tournament", GameOutcome], None]
"""Called with every game that has ended."""


class Tournament:
    """A plan, the games that have ended, and how to go on."""

    def __init__(self, plan: Plan, store: Store, own: Mapping[str, Any] | None = None, trust: bool = False):
        self.plan = plan
        self.store = store
        self.own = own or {}
        """Games and players that exist as objects, by their names."""
        self.trust = trust
        self.book = OpeningBook(tuple(store.openings()), plan.openings)
        self.ended = {scheduled.number: (scheduled, outcome) for scheduled, outcome in store.games()}
        self.seats = self._count_seats()
        self.schedule = make_schedule(plan.format, len(plan.entrants), self.seats, plan.rounds)
        settings = store.settings
        self.unit: str | None = settings.get("unit")
        """What payoffs count, empty where points do; `None` in a file from before it was kept."""
        self.big_blind: float | None = settings.get("big_blind")
        self.varying: list[int] = settings.get("varying", [])
        """The entrants, by number, who say that they vary."""
        self.test: SequentialTest | None = None
        if plan.sprt is not None:
            self.test = SequentialTest(make_test(plan.sprt, self.unit or ""), self.ended.values(), self.varying)

    @classmethod
    def begin(cls, plan: Plan, path: str | Path | None = None, own: Mapping[str, Any] | None = None) -> Tournament:
        """A new tournament, kept in the file `path`, or in memory."""
        own = own or {}
        game: Game = own.get(plan.game) or load(plan.game)
        plan.check(game, tuple(own))
        book = read_openings(plan.openings, game, plan.openings_wanted(game.kind.sides), plan.seed)
        side_of = list(game.side_of) if game.kind.teams else None
        facts = {"seats": game.kind.sides, "side_of": side_of, "unit": unit_of(game), "big_blind": game.big_blind}
        settings = {**asdict(plan), "openings_note": book.note, **facts, "varying": plan.varying(own)}
        store = Store.create(path, settings, book.openings)
        made = cls(plan, store, own, trust=True)
        made.game = game
        return made

    @classmethod
    def resume(
        cls, path: str | Path, writes: bool = True, own: Mapping[str, Any] | None = None, trust: bool = False
    ) -> Tournament:
        """The tournament in the file `path`, where it was; `own` are games and players that exist as objects.

        With `writes` off it can be looked at and nothing is loaded. To go on, and for the rules, a file that names
        code from outside the package (`my_game.py:Nim`, `python:bot.py:Bot`, `uci:PROGRAM`) needs `trust`.
        """
        own = own or {}
        store = Store.open(path, writes)
        try:
            plan = Plan.from_settings(store.settings)
            found = cls(plan, store, own, trust)
            if writes:
                check_trust(path, [] if trust else found.foreign_code)
                plan.check(found.game, tuple(own), found.unit or "")
            return found
        except (TypeError, KeyError, AttributeError) as error:
            store.close()
            raise InputError(f"{path} holds settings that this version does not know: {error}") from error
        except ZermeloError:
            store.close()
            raise

    def __enter__(self) -> Tournament:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    @cached_property
    def game(self) -> Game:
        """The rules. A file that is not trusted may not run code for them."""
        if self.plan.game in self.own:
            own: Game = self.own[self.plan.game]
            return own
        check_trust(self.store.path or "the tournament", [] if self.trust else foreign_code(self.plan.game, ()))
        return load(self.plan.game)

    @property
    def foreign_code(self) -> list[str]:
        """Game and players that run code from outside the package."""
        return [name for name in foreign_code(self.plan.game, self.plan.entrants) if name not in self.own]

    def _count_seats(self) -> int:
        """How many entrants a game has, without loading the rules where the file knows it."""
        kept = self.store.settings.get("seats")
        if isinstance(kept, int):
            return kept
        if self.ended:
            return len(next(iter(self.ended.values()))[0].entrants)
        # Before the first game of a file without that number, only the rules know it.
        unknown = runs_code(self.plan.game) and not self.trust and self.plan.game not in self.own
        return 2 if unknown else self.game.kind.sides

    @property
    def note(self) -> str:
        """A note about the openings, or an empty text."""
        return str(self.store.settings.get("openings_note", ""))

    def run(self, executor: Executor, progress: Progress | None = None) -> None:
        """Plays what is left to play."""
        while not self.is_over() and not self.is_decided():
            self._play(executor, self.next_games(), progress)

    def is_over(self) -> bool:
        """Whether every game of the schedule has been played."""
        return next(self.next_games(), None) is None

    def next_games(self) -> Iterator[ScheduledGame]:
        """The remaining games of the first unfinished round, one by one, as there may be millions."""
        first, played, points = 0, list[list[MeetingResult]](), self._points()
        done = Counter(scheduled.round for scheduled, _ in self.ended.values())
        while (meetings := self.schedule.next_round(played)) is not None:
            games = len(meetings) * self.plan.encounters(self.seats) * self.seats
            if done[len(played)] < games:
                scheduled_games = self.round_games(len(played), meetings, first)
                yield from (scheduled for scheduled in scheduled_games if scheduled.number not in self.ended)
                return
            sums = [points[len(played), i] for i in range(len(meetings))]
            played.append(
                [
                    MeetingResult(meeting.entrants, tuple(won[entrant] for entrant in meeting.entrants))
                    for meeting, won in zip(meetings, sums, strict=True)
                ]
            )
            first += games

    def round_games(self, round_number: int, meetings: Sequence[Meeting], first: int) -> Iterator[ScheduledGame]:
        """The games of a round, numbered from `first` on: all meetings take turns, an encounter at a time."""
        seats, encounters = self.seats, self.plan.encounters(self.seats)
        number, side_of = first, self.store.settings.get("side_of")
        for encounter in range(encounters):
            # Within a round all meetings have the same openings and dice, so that none is easier than another.
            opening = (round_number * encounters + encounter) % len(self.book)
            seed = random.Random(f"{self.plan.seed}:{round_number}:{encounter}").getrandbits(48)
            for i, meeting in enumerate(meetings):
                for turn in range(seats):
                    around = meeting.entrants[turn:] + meeting.entrants[:turn]
                    around = around if side_of is None else tuple(around[side] for side in side_of)
                    yield ScheduledGame(number, round_number, i, encounter, around, opening, seed)
                    number += 1

    def total(self) -> int | None:
        """The number of games; `None` if it depends on their results."""
        if self.plan.format not in ("round-robin", "gauntlet"):
            return None
        played: list[list[MeetingResult]] = []
        count = 0
        while (meetings := self.schedule.next_round(played)) is not None:
            count += len(meetings) * self.plan.encounters(self.seats) * self.seats
            played.append([MeetingResult(each.entrants, (0.0,) * len(each.entrants)) for each in meetings])
        return count

    def is_decided(self) -> bool:
        """Whether the sequential test, if there is one, is decided."""
        return self.test is not None and self.test.decision is not None

    def report(self) -> Report:
        """Scores and ratings of the games that have ended."""
        games = [self.ended[number] for number in sorted(self.ended)]
        facts: dict[str, Any] = {"unit": self.unit, "big_blind": self.big_blind, "varying": self.varying}
        if self.unit is None and self.plan.sprt is not None:
            facts["unit"] = ""  # its test was begun about Elo
        return Report(self.plan.entrants, games, self.plan.anchors, self.plan.sprt, **facts)

    def _play(self, executor: Executor, scheduled_games: Iterator[ScheduledGame], progress: Progress | None) -> None:
        """One round, or what is left of it."""
        playing: dict[int, ScheduledGame] = {}
        while True:
            while (
                not self.is_decided()
                and len(playing) < executor.size
                and (scheduled := next(scheduled_games, None)) is not None
            ):
                playing[scheduled.number] = scheduled
                executor.submit(self._job(scheduled))
            if not playing:
                return
            done = [(playing.pop(outcome.number), outcome) for outcome in executor.collect()]
            if not done:
                continue
            self.store.add(done)
            for scheduled, outcome in done:
                self.ended[scheduled.number] = scheduled, outcome
                if self.test is not None:
                    self.test.add(scheduled, outcome)
                if progress is not None:
                    progress(self, outcome)

    def _job(self, scheduled: ScheduledGame) -> GameJob:
        plan = self.plan
        players = tuple(plan.entrants[entrant] for entrant in scheduled.seats)
        return GameJob(scheduled.number, plan.game, players, self.opening(scheduled), scheduled.seed, plan.terms)

    def opening(self, scheduled: ScheduledGame) -> Opening:
        return self.book.pick(scheduled.opening)

    def _points(self) -> dict[tuple[int, int], dict[int, float]]:
        """What the entrants have won in each meeting, by round and meeting; added up in the order of the schedule.

        Where payoffs count, all games of an encounter go to whoever got most in them.
        """
        points: dict[tuple[int, int], dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for games in encounters([self.ended[number] for number in sorted(self.ended)]):
            place = encounter_of(games[0])[:2]
            sums = settle(games) if self.unit else None
            if sums is not None:
                for entrant, won in zip(sums, points_of(list(sums.values())), strict=True):
                    points[place][entrant] += won * len(games)
                continue
            for scheduled, outcome in games:
                for entrant, won in zip(scheduled.entrants, scheduled.of_entrants(outcome.points), strict=True):
                    points[place][entrant] += won
        return points


def match(
    game: Game | str,
    players: Sequence[str | Chooser],
    games: int = 100,
    *,
    concurrency: int = 1,
    save: str | Path | None = None,
    clock: str = "none",
    **options: Any,
) -> Report:
    """Plays `players`, texts or objects, against each other, `games` games per pair, and reports who is stronger.

    Other options are those of `Plan` and `Terms`: `openings`, `seed`, `format`, `resign`, …
    """
    own: dict[str, Any] = {} if isinstance(game, str) else {game.name: game}
    own |= {player.name: player for player in players if not isinstance(player, str)}
    names = tuple(player if isinstance(player, str) else player.name for player in players)
    known = {each.name for each in fields(Terms)}
    terms = Terms(clock=clock, **{name: value for name, value in options.items() if name in known})
    rest = {name: value for name, value in options.items() if name not in known}
    wrong = set(rest) - {each.name for each in fields(Plan)}
    if wrong:
        raise OptionError(f"a match has no option {min(wrong)!r}")
    plan = Plan(game if isinstance(game, str) else game.name, names, games=games, terms=terms, **rest)
    with Tournament.begin(plan, save, own) as tournament:
        executor = make_executor("here" if concurrency == 1 else "processes", concurrency, own=own)
        try:
            tournament.run(executor)
        finally:
            executor.close()
        return tournament.report()
