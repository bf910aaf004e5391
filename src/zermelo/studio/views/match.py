"""A game in the studio that goes on: people move by clicks, players think on threads of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.errors import InputError, PlayerError
from zermelo.game import AnyGame
from zermelo.play.live import Ending, Forfeit, LiveGame, MoveRequest, Ply, resignation
from zermelo.play.player import Guest
from zermelo.play.words import name_player, say_outcome, say_shares
from zermelo.search.trace.words import clean
from zermelo.studio.session import StudioSession, View
from zermelo.studio.views.advice import Adviser
from zermelo.studio.views.clocks import NOBODY, StudioClock, TurnTimer
from zermelo.studio.views.counting import Counting
from zermelo.studio.views.visibility import Visibility
from zermelo.studio.workers import WorkerJob

MAX_PLIES = 2_000
"""After which a game is left unfinished: the list of moves of a page must come to an end."""


class Pause:
    """Whether a game that is only watched goes on: by itself, for one more move, or not at all."""

    def __init__(self) -> None:
        self.on = False
        self.one_more = False
        """Whether one move is made although the game is paused."""

    def begin(self) -> None:
        self.on, self.one_more = True, False

    def end(self) -> None:
        self.on = self.one_more = False

    def allows_move(self) -> bool:
        return not self.on or self.one_more


class Match(View):
    """At most one game at a time: what happens in it, whatever a page may ask about it."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.live: LiveGame | None = None
        self.text = ""
        """Which names its game."""
        self.visibility: Visibility | None = None
        self.unready: set[int] = set()
        """Seats whose players have not been notified yet that a game begins."""
        self.adviser = Adviser(session)
        self.thinking: WorkerJob | None = None
        self.timer = TurnTimer(session.lock, self.time_is_up)
        self.pausing = Pause()
        self.counting = Counting()

    def game_on(self) -> LiveGame:
        """The game on the board; an error if there is none."""
        if self.live is None:
            raise InputError("there is no game: begin one")
        return self.live

    def hand_on(self) -> tuple[str, Any, list[Ply]]:
        """The text that names the game, where it began, and what was played, for a search."""
        live = self.game_on()
        if live.game.kind.hidden:
            raise InputError("a search would look through what is hidden in this game: Theory can learn it")
        return self.text, live.start, live.plies

    def seen(self) -> Visibility:
        """Who sees what of the game."""
        self.game_on()
        assert self.visibility is not None
        return self.visibility

    def clock(self) -> StudioClock:
        clock = self.game_on().timekeeper
        assert isinstance(clock, StudioClock)
        return clock

    # The course of the game. These change it; the caller pushes the result to the page.

    def advance(self) -> None:
        """Rolls dice until a player is to move or the game is over, then begins its turn."""
        live = self.game_on()
        pending = live.step()
        while isinstance(pending, Ply):
            pending = live.step()
        self.counting.begin(live)
        self.evaluate()
        if isinstance(pending, MoveRequest):
            self.begin_turn()
        else:
            self.timer.cancel()

    def begin_turn(self) -> None:
        """Waits for a person, or has a player think; while neither may act, no clock runs."""
        seen = self.seen()
        if seen.awaited() is not None or not self.pausing.allows_move():
            self.timer.reset()
            return
        self.timer.start(seen.turn())
        if seen.is_person(self.timer.mover):
            self.timer.expire_in_time(self.clock())
        else:
            self.think()

    def take(self, ply: Ply) -> None:
        """Plays what the mover has chosen, and goes on."""
        self.pausing.one_more = False
        self.adviser.hint = None
        self.game_on().take(ply)
        self.advance()

    def think(self) -> None:
        """Asks the player to move, on another thread."""
        live, clock, unready = self.game_on(), self.clock(), self.unready
        mover = live.game.player(live.state)

        def work(job: WorkerJob) -> bool:
            if not clock.acquire(job):
                return True
            chosen: Ply | Forfeit
            try:
                begin_player(live, mover, unready)
                chosen = live.ask()
            except Forfeit as forfeit:
                chosen = forfeit
            finally:
                clock.release()
            with self.session.lock:
                if self.thinking is not job or job.cancelled:
                    return True
                self.thinking = None
                if isinstance(chosen, Forfeit):
                    self.end(Ending(resignation(live.game, mover), chosen.kind, mover, str(chosen)))
                elif self.spend(mover, chosen.seconds or 0.0):
                    self.take(chosen)
                self.session.push("play")
            return True

        self.thinking = self.session.search(work)

    def spend(self, mover: int, seconds: float) -> bool:
        """Takes `seconds` off a clock; false, and the end of the game, if fewer were left."""
        live = self.game_on()
        try:
            self.clock().charge(mover, seconds)
        except PlayerError as late:
            self.cancel()
            self.end(Ending(resignation(live.game, mover), "time", mover, f"{name_player(live.game, mover)} {late}"))
            return False
        return True

    def time_is_up(self) -> None:
        """The person to move has not moved in time."""
        self.spend(self.timer.mover, self.timer.spent())
        self.session.push("play")

    def end(self, ending: Ending) -> None:
        """Ends the game for a reason outside the rules."""
        self.game_on().ending = ending
        self.timer.cancel()
        self.evaluate()

    def evaluate(self) -> None:
        """Has the newest position evaluated."""
        ending = self.game_on().ending
        self.adviser.evaluate(None if ending is None else ending.utilities)

    # A page that goes away and comes back.

    def stop(self) -> None:
        """The page is gone: the game stays, but its players drop their tables, which are large."""
        self.cancel()
        for seat, player in enumerate(() if self.live is None else self.live.players):
            if isinstance(player, Guest):
                player.close()
                self.unready.add(seat)

    def resume(self) -> None:
        """Asks the player to move again, if it was thinking when the page went away; a person's clock has run on."""
        if self.live is None:
            return
        if not self.live.is_over and self.thinking is None:
            seen = self.seen()
            if not seen.is_person(seen.turn()):
                self.timer.reset()
                self.begin_turn()
            elif self.timer.mover != NOBODY:
                self.timer.expire_in_time(self.clock())
        self.evaluate()

    def cancel(self) -> None:
        self.timer.cancel()
        self.adviser.stop()
        self.cancel_thinking()

    def cancel_thinking(self) -> None:
        if self.thinking is not None:
            self.thinking.cancel()
        self.thinking = None


def begin_player(live: LiveGame, seat: int, unready: set[int]) -> None:
    """Notifies a player, before its clock runs, that a game begins: an engine compiles the rules then."""
    player = live.players[seat]
    if seat in unready and isinstance(player, Guest):
        with live.blaming(seat):
            player.begin(live.game, seat)
        unready.discard(seat)


def show_ending(game: AnyGame, state: Any, ending: Ending) -> dict[str, object]:
    """How a game ended in `state`, for a page."""
    utilities = ending.utilities
    outcome = "" if utilities is None else say_outcome(game, utilities)
    if ending.reason == "repetition":
        what = "a position has come back"
        message = f"{what}: {outcome}"
    else:
        what = ending.detail or ("" if ending.reason else clean(game.say_end(state)))
        if ending.reason == "length":
            what = "the game is left unfinished: it is too long"
        elif ending.reason == "resignation" and ending.culprit is not None:
            what = f"{name_player(game, ending.culprit)} resigns"
        message = "; ".join(dict.fromkeys(filter(None, (what, outcome))))
    return {
        "message": message,
        "why": what,
        "winners": [] if utilities is None else find_winners(game, utilities),
        "shares": "" if utilities is None else say_shares(game, utilities),
        "utilities": utilities,
        "reason": ending.reason,
        "culprit": ending.culprit,
    }


def find_winners(game: AnyGame, utilities: Sequence[float]) -> list[int]:
    """Who has won, where somebody has and others have not."""
    best = max(utilities)
    winners = [p for p, utility in enumerate(utilities) if utility == best]
    return winners if game.players > 1 and len(winners) < game.players else []
