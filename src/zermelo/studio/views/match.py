"""A game at a table of the studio that goes on: people move by clicks, players think on threads of their own."""

from __future__ import annotations

from typing import Any

from zermelo.errors import InputError, PlayerError
from zermelo.game import Game
from zermelo.play import Ending, Forfeit, Guest, LiveGame, MoveRequest, Ply
from zermelo.play.live import resignation
from zermelo.play.words import name_player, say_outcome, say_shares
from zermelo.studio.session import StudioSession, View
from zermelo.studio.views.advice import Adviser
from zermelo.studio.views.seats import NOBODY, Keeper, welcome
from zermelo.studio.views.sight import Sight
from zermelo.studio.views.turns import Pause, Turn
from zermelo.studio.workers import WorkerJob

LONGEST = 2_000
"""Actions of a game; the move list of a page must come to an end."""


class Match(View):
    """At most one game at a time, whatever a page may ask about it."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.table: LiveGame | None = None
        self.sight: Sight | None = None
        """Who sees what of the table."""
        self.guests: set[int] = set()
        """Seats whose players have not been told yet that a game begins."""
        self.result: dict[str, Any] | None = None
        self.adviser = Adviser(session)
        self.thinking: WorkerJob | None = None
        self.turn = Turn(session.lock, self.time_is_up)
        self.pausing = Pause()

    def open_table(self) -> LiveGame:
        if self.table is None:
            raise InputError("there is no game: begin one")
        return self.table

    def watch(self) -> Sight:
        """Who sees what of the game."""
        self.open_table()
        assert self.sight is not None
        return self.sight

    def keeper(self) -> Keeper:
        keeper = self.open_table().timekeeper
        assert isinstance(keeper, Keeper)
        return keeper

    def advance(self) -> None:
        """Rolls dice and asks players until a person is to move or the game is over."""
        table = self.open_table()
        while self.result is None and not isinstance(pending := table.step(), MoveRequest):
            self.adviser.hint = None
            if isinstance(pending, Ending):
                self.end(pending, say_ending(table.game, pending))
        self.glance()
        if self.result is None:
            self.begin_turn()
        self.session.push("play")

    def begin_turn(self) -> None:
        """Waits for a person, or has a player think; while neither may act, no clock runs."""
        sight = self.watch()
        if sight.awaited() is not None or not self.pausing.lets_move():
            self.turn.forget()
            return
        self.turn.start(sight.turn())
        if sight.is_person(self.turn.mover):
            self.turn.ring_in_time(self.keeper())
        else:
            self.think()

    def take(self, step: Ply) -> None:
        self.pausing.one_more = False
        self.adviser.hint = None
        self.open_table().take(step)
        self.advance()

    def think(self) -> None:
        """Asks the player to move, on another thread."""
        table = self.open_table()
        mover = table.game.player(table.state)
        guests, keeper = self.guests, self.keeper()

        def work(job: WorkerJob) -> bool:
            if not keeper.serve(job):
                return True
            step: Ply | Forfeit
            try:
                welcome(table, mover, guests)
                step = table.ask()
            except Forfeit as foul:
                step = foul
            finally:
                keeper.leave()
            with self.session.lock:
                if self.thinking is not job or job.cancelled:
                    return True
                self.thinking = None
                if isinstance(step, Forfeit):
                    self.end(Ending(resignation(table.game, mover), step.kind, mover), str(step))
                    self.session.push("play")
                elif self.spend(mover, step.seconds or 0.0):
                    self.take(step)
            return True

        self.thinking = self.session.searches.submit(WorkerJob(work))

    def spend(self, mover: int, seconds: float) -> bool:
        """Takes `seconds` off a clock; false, and the end of the game, if there were not so many."""
        table = self.open_table()
        try:
            self.keeper().charge(mover, seconds)
        except PlayerError as late:
            self.cancel()
            said = f"{name_player(table.game, mover)} {late}"
            self.end(Ending(resignation(table.game, mover), "time", mover), said)
            return False
        return True

    def time_is_up(self) -> None:
        """The person to move has not moved in time."""
        self.spend(self.turn.mover, self.turn.spent())

    def end(self, ending: Ending, said: str) -> None:
        """Ends the game; `said` is shown before the outcome."""
        table, utilities = self.open_table(), ending.utilities
        self.turn.hush()
        table.ending = ending
        outcome = "" if utilities is None else say_outcome(table.game, utilities)
        shares = "" if utilities is None else say_shares(table.game, utilities)
        words = "; ".join(dict.fromkeys(filter(None, (said, outcome)))) if ending.reason != "repetition" else said
        self.result = {
            "message": words,
            "shares": shares,
            "utilities": utilities,
            "reason": ending.reason,
            "culprit": ending.culprit,
        }
        self.glance()
        self.session.push("play")

    def glance(self) -> None:
        """Has the newest position looked at."""
        self.adviser.glance(None if self.result is None else self.result["utilities"])

    def stop(self) -> None:
        """The page is gone: the game stays, but its players let go of their tables, which are large."""
        self.cancel()
        for seat, player in enumerate(() if self.table is None else self.table.players):
            if isinstance(player, Guest):
                player.close()
                self.guests.add(seat)

    def resume(self) -> None:
        """Asks the player to move again, if it was thinking when the page went away; a person's clock has run on."""
        if self.table is None:
            return
        if self.result is None and self.thinking is None:
            if not self.watch().is_person(self.watch().turn()):
                self.turn.forget()
                self.begin_turn()
            elif self.turn.mover != NOBODY:
                self.turn.ring_in_time(self.keeper())
        self.glance()

    def cancel(self) -> None:
        self.turn.hush()
        self.adviser.stop()
        self.drop_thought()

    def drop_thought(self) -> None:
        """Nobody waits any more for what a player is thinking of."""
        if self.thinking is not None:
            self.thinking.cancel()
        self.thinking = None


def say_ending(game: Game, ending: Ending) -> str:
    """What is shown before the outcome of a game that ended by itself."""
    if ending.reason == "length":
        return "the game is left unfinished: it is too long"
    if ending.reason == "repetition" and ending.utilities is not None:
        return f"a position has come back: {say_outcome(game, ending.utilities)}"
    if ending.culprit is not None:
        return f"{name_player(game, ending.culprit)} resigns"
    return ""
