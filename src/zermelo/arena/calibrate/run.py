"""A calibration from beginning to end: a game and a budget in, a ladder out."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.climb import RANDOM, Climb, PlayerFamily, find_family
from zermelo.arena.calibrate.ladder import Ladder
from zermelo.arena.executors import Executor, make_executor
from zermelo.arena.host import versions
from zermelo.arena.openings import OpeningBook, read_openings
from zermelo.arena.scheduled import GameJob, GameOutcome, Terms
from zermelo.arena.statistics import Result, comparisons
from zermelo.errors import MethodError, PlayerError
from zermelo.game import Game
from zermelo.games import load
from zermelo.options import check_fields, number, whole

LONGEST_GAME_PLIES = 1_000
"""Actions after which a game counts as drawn: weak players may never finish."""
RULED = ("", "repetition", "length")
"""The reasons of endings in which no player fails."""


class MeetingRunner:
    """Plays meetings: each is played from several openings, and from each opening everybody sits in every seat."""

    def __init__(
        self,
        game: str,
        seats: int,
        executor: Executor,
        book: OpeningBook,
        *,
        seed: int,
        games: int,
        deadline: float | None,
        progress: Callable[[int], None] | None = None,
    ):
        self.game = game
        self.seats = seats
        self.executor = executor
        self.book = book
        self.seed = seed
        self.left = games
        self.deadline = deadline
        """When to stop, by the monotonic clock."""
        self.progress = progress
        self.played = 0
        self.encounters = 0
        self.ended = ""
        """What has ended the playing: `games`, `minutes` or `interrupt`; empty as long as there is more to come."""

    def play(self, meetings: Sequence[tuple[str, ...]], games: int) -> list[Result]:
        """The results of `games` games of each meeting, or of as many as the budget still allows."""
        jobs = self.jobs(meetings, games)
        jobs = jobs[: self.left - self.left % self.seats]
        self.left -= len(jobs)
        try:
            outcomes = self._run(jobs)
        except KeyboardInterrupt:
            self.ended = "interrupt"
            return []
        if self.left < self.seats and not self.ended:
            self.ended = "games"
        players = {job.number: job.players for job in jobs}
        return [
            result
            for outcome in sorted(outcomes, key=lambda outcome: outcome.number)
            for result in comparisons(players[outcome.number], outcome.points)
        ]

    def jobs(self, meetings: Sequence[tuple[str, ...]], games: int) -> list[GameJob]:
        """The games of `meetings`, whole encounters, all meetings taking turns."""
        found: list[GameJob] = []
        for _ in range(-(-games // self.seats)):
            opening = self.book.pick(self.encounters % len(self.book))
            seed = random.Random(f"{self.seed}:{self.encounters}").getrandbits(48)
            self.encounters += 1
            for meeting in meetings:
                for turn in range(self.seats):
                    players = meeting[turn:] + meeting[:turn]
                    number = self.played + len(found)
                    found.append(GameJob(number, self.game, players, opening, seed, Terms(longest=LONGEST_GAME_PLIES)))
        return found

    def _run(self, jobs: Sequence[GameJob]) -> list[GameOutcome]:
        waiting, playing, done = list(reversed(jobs)), 0, list[GameOutcome]()
        while waiting or playing:
            if self.deadline is not None and time.monotonic() > self.deadline:
                waiting, self.ended = [], "minutes"
            while waiting and playing < self.executor.size:
                self.executor.submit(waiting.pop())
                playing += 1
            for outcome in self.executor.collect():
                playing -= 1
                self.played += 1
                done.append(checked(outcome))
                if self.progress is not None:
                    self.progress(self.played)
        return done


def checked(outcome: GameOutcome) -> GameOutcome:
    """`outcome`, if the game was played to an end; a player of ours that fails is no weak player but a fault."""
    if outcome.record.reason not in RULED:
        raise PlayerError(f"a game broke off: {outcome.record.detail}; `zermelo check` may say why")
    return outcome


MOST_OPENINGS = 200
"""Positions that games begin from, one for every ten games at most; they come back when all have been used."""
OPENING_PLIES = 4
"""Plies of an opening; fewer in a game so short that these would be more than a third of it."""
SAMPLE_GAMES = 10


@dataclass(frozen=True, slots=True)
class CalibrationSettings:
    """The budget and the settings of a calibration."""

    games: int = 4000
    minutes: float | None = None
    levels: int = 12
    """The maximum number of rungs."""
    nodes: int | None = None
    """Nodes per move of the strongest player."""
    seed: int = 0

    def check(self) -> None:
        check_fields(
            self,
            {
                "games": whole(10, 10_000_000),
                "levels": whole(2, 10_000_000),
                "minutes": number(0, 1e6, above=True, optional=True),
            },
        )


def calibrate(
    game: Game | str,
    settings: CalibrationSettings | None = None,
    *,
    concurrency: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Ladder:
    """The ladder of `game`, a text or an object; `progress` is called with the number of games played.

    A game that exists as an object only is played in this process, so its `concurrency` is 1.
    """
    settings = settings or CalibrationSettings()
    settings.check()
    made = load(game) if isinstance(game, str) else game
    text = game if isinstance(game, str) else made.name
    own = {} if isinstance(game, str) else {text: made}
    family = find_family(made, settings.nodes)
    deadline = None if settings.minutes is None else time.monotonic() + 60 * settings.minutes
    book = make_book(made, family, min(MOST_OPENINGS, max(settings.games // 10, 1)), settings.seed)
    executor = make_executor("here" if concurrency == 1 else "processes", concurrency, own=own)
    try:
        field = MeetingRunner(
            text,
            made.players,
            executor,
            book,
            seed=settings.seed,
            games=settings.games,
            deadline=deadline,
            progress=progress,
        )
        climb = Climb(family, made.players, field.play, lambda: bool(field.ended), settings.levels)
        climb.run()
    finally:
        executor.close()
    rungs = climb.rungs()
    if len(rungs) < 2:
        if field.ended == "interrupt":
            raise KeyboardInterrupt
        raise MethodError(
            f"nobody plays {text} better than at random, as far as {field.played} games tell, so there is no ladder; "
            f"try more --games or --nodes"
        )
    facts = {
        "anchor": {RANDOM: 0},
        "settings": {**asdict(settings), "openings": book.source},
        "ended": field.ended or "precise",
        "games": field.played,
        **told(climb),
    }
    return Ladder(text, files.identity(made), files.rules_of(made), rungs, facts)


def make_book(game: Game, family: PlayerFamily, count: int, seed: int) -> OpeningBook:
    """About `count` openings, short ones: people begin at the beginning. Dice make openings unnecessary."""
    if game.kind.chance:
        return read_openings("none", game, count, seed)
    plies = min(OPENING_PLIES, max(usual_length(game, seed) // 3, 1))
    # Where rules run in Python a search for balance takes longer than the games, so it is a small one.
    nodes = "" if family.kind == "engine" else ",nodes=100"
    return read_openings(f"random:plies={plies}{nodes}", game, count, seed)


def usual_length(game: Game, seed: int) -> int:
    """The plies of a random game without dice, as far as they matter here: the mean of a few games."""
    dice = random.Random(seed)
    plies = 0
    for _ in range(SAMPLE_GAMES):
        state, length = game.initial(), 0
        while not game.is_terminal(state) and length < 3 * OPENING_PLIES:
            state = game.result(state, dice.choice(list(game.actions(state))))
            length += 1
        plies += length
    return plies // SAMPLE_GAMES


def told(climb: Climb) -> dict[str, object]:
    """The facts of a ladder besides its rungs."""
    return {
        "first_move": round(climb.ratings.first_move.elo, 1),
        "draws": round(sum(result.score == 0.5 for result in climb.results) / max(len(climb.results), 1), 3),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
    }
