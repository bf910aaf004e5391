"""Plays the games of a tournament: keeps game and players between games, and turns failures into losses."""

from __future__ import annotations

import contextlib
import functools
import platform
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Clock
from zermelo.arena.adjudicate import Adjudicator, DrawRule, ResignRule
from zermelo.arena.adjust import Adjuster
from zermelo.arena.players import make_player
from zermelo.arena.scheduled import GameJob, GameOutcome, Terms, seat_points, seat_points_without, unit_of
from zermelo.check.report import of_error
from zermelo.errors import ContractError, PlayerError, ZermeloError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.games import load
from zermelo.play import (
    Chooser,
    Ending,
    Forfeit,
    Gambler,
    Guest,
    LiveGame,
    Luck,
    PlayerMove,
    Record,
    TimeControl,
    Timekeeper,
    Wish,
    ask,
)
from zermelo.play.live import resignation
from zermelo.version import own_version

if TYPE_CHECKING:
    from zermelo.engine.solution import Solution

Heartbeat = Callable[[int, float], None]
"""Called with the seat of the player that starts to think, and its seconds; seat −1 when nobody thinks."""

NOBODY = -1
LONGEST_DETAIL_CHARS = 500
HANG_GRACE_SECONDS = 5.0
"""Seconds beyond its time after which a player counts as hanging."""
MOST_WAITING_PLAYERS = 8
"""The number of idle players that are kept for their next game: each may be a process, or hold a big table."""


def silent(seat: int, seconds: float) -> None:
    """The heartbeat of an unsupervised host."""


class Watched:
    """A player whose host reports when it thinks."""

    def __init__(self, player: Chooser, seat: int, terms: Terms, heartbeat: Heartbeat):
        self.player = player
        self.name = player.name
        self.seat = seat
        self.terms = terms
        self.heartbeat = heartbeat

    def choose(self, game: Game[S, A], state: S, history: Sequence[S]) -> A | Wish:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        grace = self.terms.margin + HANG_GRACE_SECONDS
        limits = [] if clock.remaining is None else [clock.remaining[self.seat] + grace]
        limits += [] if clock.move_seconds is None else [clock.move_seconds + grace]
        self.heartbeat(self.seat, min(limits, default=self.terms.patience))
        choice = ask(self.player, game, state, history, clock)
        self.heartbeat(NOBODY, 0.0)
        if isinstance(choice, PlayerMove) and choice.action is Wish.LEAVE:
            raise PlayerError(f"{self.name} has left the game", "left")
        if isinstance(choice, PlayerMove) and choice.action is Wish.UNDO:
            raise PlayerError(f"{self.name} wants to take a move back, which no tournament allows", "illegal move")
        return choice

    def begin(self, game: Game, seat: int) -> None:
        if isinstance(self.player, Guest):
            self.heartbeat(seat, self.terms.patience)
            self.player.begin(game, seat)
            self.heartbeat(NOBODY, 0.0)

    def close(self) -> None:
        if isinstance(self.player, Guest):
            self.player.close()


class Host:
    """Plays one game after another."""

    def __init__(self, heartbeat: Heartbeat = silent, own: Mapping[str, Any] | None = None):
        self.heartbeat = heartbeat
        self.own = own or {}
        """Games and players that exist as objects only, by the text that stands for them."""
        self.games: dict[str, Game] = {}
        self.players: OrderedDict[tuple[str, int], Chooser] = OrderedDict()
        """By text and seat, the most recently used last."""
        self.solutions: dict[str, Solution] = {}
        self.adjusters: dict[tuple[str, str], Adjuster] = {}

    def play(self, job: GameJob) -> GameOutcome:
        """The game of `job`; a player that fails loses it. What it raises is the game's fault, or the plan's."""
        try:
            return self._play(job, self._game(job.game))
        except ZermeloError:
            raise
        except Exception as error:  # in the rules: players are guarded
            place = of_error(error)
            what = f"{type(error).__name__}: {error}{f', at {place}' if place else ''}"
            raise ContractError(f"a rule of {job.game} raised {what}; run `zermelo check` on the game") from error

    def _play(self, job: GameJob, game: Game) -> GameOutcome:
        state, history = job.opening.reach(game)
        started, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.perf_counter()
        seats: list[Chooser] = [Unseated(text) for text in job.players]
        live = LiveGame(
            game,
            state,
            players=seats,
            history=history,
            luck=Luck(job.seed),
            timekeeper=Timekeeper(game.players, TimeControl.read(job.terms.clock, job.terms.margin)),
            longest_plies=job.terms.longest,
            adjudicate=self._adjudicator(job, game),
        )
        try:
            for seat, text in enumerate(job.players):
                with live.blaming(seat):
                    seats[seat] = self._seat(text, seat, job)
            record = live.play()
        except Forfeit as forfeit:
            seat, detail = forfeit.seat, " ".join(str(forfeit).split())[:LONGEST_DETAIL_CHARS]
            self._dismiss(job.players[seat], seat)
            live.ending = Ending(resignation(game, seat), forfeit.kind, seat, detail)
            record = live.record()
            points = seat_points_without(game, seat)
        else:
            if record.reason == "length":
                record = replace(record, utilities=(game.neutral,) * game.players)
            points = self._points(game, record.utilities, record.culprit)
        self.heartbeat(NOBODY, 0.0)
        duration = time.perf_counter() - clock
        return GameOutcome(job.number, record, points, started, duration, versions(), self._payoffs(live, record, job))

    def _payoffs(self, live: LiveGame, record: Record, job: GameJob) -> tuple[float, ...] | None:
        """What statistics count for every seat, where payoffs are more than points."""
        if record.utilities is None or not unit_of(live.game):
            return None
        key = job.game, job.terms.adjust
        if key not in self.adjusters:
            self.adjusters[key] = Adjuster(live.game, job.terms.adjust)
        players = [seat.player if isinstance(seat, Watched) else seat for seat in live.players]
        return self.adjusters[key].adjust(live, record.utilities, players, job.seed)

    def close(self) -> None:
        """Ends the players that are outside programs."""
        while self.players:
            self._dismiss(*next(iter(self.players)))

    def _game(self, text: str) -> Game:
        if text not in self.games:
            self.games[text] = self.own[text] if text in self.own else load(text)
        return self.games[text]

    def _seat(self, text: str, seat: int, job: GameJob) -> Watched:
        self.heartbeat(seat, job.terms.patience)
        player = self.players.get((text, seat))
        if player is None:
            player = self.players[text, seat] = self.own[text] if text in self.own else make_player(text)
        self.players.move_to_end((text, seat))
        while len(self.players) > MOST_WAITING_PLAYERS + len(job.players):
            self._dismiss(*next(iter(self.players)))
        if isinstance(player, Gambler):
            player.reseed(job.seed * 64 + seat)
        self.heartbeat(NOBODY, 0.0)
        return Watched(player, seat, job.terms, self.heartbeat)

    def _dismiss(self, text: str, seat: int) -> None:
        """Closes and removes a player, even if closing fails."""
        player = self.players.pop((text, seat), None)
        if isinstance(player, Guest):
            with contextlib.suppress(Exception):
                player.close()

    def _adjudicator(self, job: GameJob, game: Game) -> Adjudicator:
        terms = job.terms
        resign = None if terms.resign is None else ResignRule.read(terms.resign)
        draw = None if terms.draw is None else DrawRule.read(terms.draw)
        path = terms.solution
        return Adjudicator(resign, draw, None if path is None else lambda: self._solution(path, game))

    def _solution(self, path: str, game: Game) -> Solution:
        if path not in self.solutions:
            from zermelo.engine.solution import Solution

            self.solutions[path] = Solution.load(path, game)
        return self.solutions[path]

    def _points(self, game: Game, utilities: tuple[float, ...] | None, culprit: int | None) -> tuple[float, ...]:
        if utilities is not None:
            return seat_points(game, utilities)
        if culprit is not None:  # a resignation whose utilities are unknown
            return seat_points_without(game, culprit)
        return seat_points(game, (0.0,) * game.players)


class Unseated:
    """A placeholder for a player that has not been created yet."""

    def __init__(self, name: str):
        self.name = name

    def choose(self, game: Game[S, A], state: S, history: Sequence[S]) -> A | Wish:
        raise AssertionError("nobody sits here")


@functools.cache
def versions() -> dict[str, str]:
    """The versions with which a game is played."""
    return {"zermelo": own_version(), "python": platform.python_version()}
