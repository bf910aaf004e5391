"""A game at a table of the studio that goes on: people move by clicks, players think on threads of their own."""

from __future__ import annotations

from typing import Any

from zermelo.arena.play import Foul, Step, Table, resignation
from zermelo.arena.player import Guest
from zermelo.arena.repetition import repetition_utilities
from zermelo.arena.words import name_player, say_outcome, say_shares
from zermelo.errors import InputError, PlayerError
from zermelo.game import CHANCE
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
        self.table: Table | None = None
        self.sight: Sight | None = None
        """Who sees what of the table."""
        self.guests: set[int] = set()
        """Seats whose players have not been told yet that a game begins."""
        self.result: dict[str, Any] | None = None
        self.adviser = Adviser(session)
        self.thinking: WorkerJob | None = None
        self.turn = Turn(session.lock, self.time_is_up)
        self.pausing = Pause()

    def open_table(self) -> Table:
        if self.table is None:
            raise InputError("there is no game: begin one")
        return self.table

    def watch(self) -> Sight:
        """Who sees what of the game."""
        self.open_table()
        assert self.sight is not None
        return self.sight

    def keeper(self) -> Keeper:
        keeper = self.open_table().keeper
        assert isinstance(keeper, Keeper)
        return keeper

    def advance(self) -> None:
        """Rolls dice and asks players until a person is to move or the game is over."""
        table = self.open_table()
        game = table.game
        while self.result is None:
            if game.is_terminal(table.state):
                self.end(game.utilities(table.state), "", "")
            elif len(table.steps) >= LONGEST:
                self.end(None, "the game is left unfinished: it is too long", "length")
            elif game.player(table.state) == CHANCE:
                self.settle(table.roll())
            else:
                break
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

    def take(self, step: Step) -> None:
        self.pausing.one_more = False
        self.settle(step)
        self.advance()

    def settle(self, step: Step) -> None:
        """One action, and the end of the game if it brings a position back too often."""
        self.adviser.hint = None
        if self.open_table().take(step):
            self.end_by_repetition()

    def end_by_repetition(self) -> None:
        """Ends a game in which a position has come back too often, if it is not over anyway."""
        table = self.open_table()
        if not table.game.is_terminal(table.state):
            utilities = repetition_utilities(table.game, table.state, table.past)
            self.end(utilities, f"a position has come back: {say_outcome(table.game, utilities)}", "repetition")

    def think(self) -> None:
        """Asks the player to move, on another thread."""
        table = self.open_table()
        mover = table.game.player(table.state)
        guests, keeper = self.guests, self.keeper()

        def work(job: WorkerJob) -> bool:
            if not keeper.serve(job):
                return True
            step: Step | Foul
            try:
                welcome(table, mover, guests)
                step = table.ask(mover)
            except Foul as foul:
                step = foul
            finally:
                keeper.leave()
            with self.session.lock:
                if self.thinking is not job or job.cancelled:
                    return True
                self.thinking = None
                if isinstance(step, Foul):
                    self.end(resignation(table.game, mover), str(step), step.kind, mover)
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
            self.end(resignation(table.game, mover), said, "time", mover)
            return False
        return True

    def time_is_up(self) -> None:
        """The person to move has not moved in time."""
        self.spend(self.turn.mover, self.turn.spent())

    def end(self, utilities: tuple[float, ...] | None, said: str, reason: str, culprit: int | None = None) -> None:
        table = self.open_table()
        self.turn.hush()
        outcome = "" if utilities is None else say_outcome(table.game, utilities)
        shares = "" if utilities is None else say_shares(table.game, utilities)
        words = "; ".join(dict.fromkeys(filter(None, (said, outcome)))) if reason != "repetition" else said
        self.result = {"message": words, "shares": shares, "utilities": utilities, "reason": reason, "culprit": culprit}
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
