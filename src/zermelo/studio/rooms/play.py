"""Play: a game at the table of the arena, moved on by a person's clicks and by players on threads of their own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from zermelo.arena.adjudicate import Rulings
from zermelo.arena.clock import TimeControl
from zermelo.arena.play import Foul, Step, Table, check_seats, resignation
from zermelo.arena.player import Choice, Chooser, Guest
from zermelo.arena.position import read_position
from zermelo.arena.repetition import repetition_utilities
from zermelo.arena.words import name_player, say_outcome, say_shares
from zermelo.errors import ActionError, InputError, PlayerError
from zermelo.game import CHANCE, Game
from zermelo.search.trace.words import clean
from zermelo.studio.desk import Job
from zermelo.studio.rooms.advice import Adviser, can_evaluate
from zermelo.studio.rooms.board import draw, find_action, show, show_halfway
from zermelo.studio.rooms.files import formats, read_game_text, write_game
from zermelo.studio.rooms.seats import Keeper, Person, welcome
from zermelo.studio.rooms.turns import Turn, tell_time
from zermelo.studio.session import Room, Session
from zermelo.studio.wire import flag_of, number_of, paths_of, text_of, texts_of

LONGEST = 2_000
"""Actions of a game; the move list of a page must come to an end."""


class PlayRoom(Room):
    """At most one game at a time."""

    def __init__(self, session: Session):
        self.session = session
        self.table: Table | None = None
        self.text = ""
        self.seats: list[str] = []
        self.formats: list[str] = []
        """In which the game can be saved, the usual one first."""
        self.guests: set[int] = set()
        """Seats whose players have not been told yet that a game begins."""
        self.result: dict[str, Any] | None = None
        self.adviser = Adviser(session)
        self.thinking: Job | None = None
        self.turn = Turn(session.lock, self.time_is_up)
        self.number = 0
        """Of the game, among those at this table."""
        self.verbs: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "new": self.new,
            "move": self.move,
            "step": self.step,
            "undo": self.undo,
            "resign": self.resign,
            "hint": self.ask_hint,
            "look": self.look,
            "show": self.show,
            "save": self.save,
            "load": self.load,
        }

    # What a page may ask.

    def new(self, given: dict[str, Any]) -> dict[str, Any]:
        """A new game: `game`, `seats`, and perhaps a `position`, a `clock`, `evaluate`."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        position = text_of(given, "position", "").strip()
        state = read_position(game, position) if position else game.initial()
        return self.begin(text, game, texts_of(given, "seats"), state, given)

    def begin(
        self, text: str, game: Game, seats: list[str], state: Any, given: dict[str, Any], actions: Sequence[Any] = ()
    ) -> dict[str, Any]:
        """A game from `state` on, in which `actions` have been made already."""
        players = [self.make_player(seat) for seat in seats]
        check_seats(game, players)
        keeper = Keeper(game.players, TimeControl.read(text_of(given, "clock", "none", 60)))
        self.cancel()
        self.turn.forget()
        self.number += 1
        self.text, self.seats = text, seats
        self.table = Table(game, players, state, (), random.Random(), None, keeper, Rulings(LONGEST))
        self.formats = formats(game, self.table.record(None, ""))
        self.result = None
        self.guests = {seat for seat, player in enumerate(players) if isinstance(player, Guest)}
        for action in actions:
            self.table.take(Step(self.table.state, game.player(self.table.state), Choice(action)))
        self.adviser.begin(self.table, flag_of(given, "evaluate", True))
        self.advance()
        return {}

    def make_player(self, text: str) -> Chooser:
        return Person() if text == "human" else self.session.catalogue.player(text)

    def move(self, given: dict[str, Any]) -> dict[str, Any]:
        table = self.open_table()
        mover = self.check_turn(given)
        action = find_action(table.game, table.state, table.past, text_of(given, "move", most=200))
        seconds = self.turn.spent()
        if self.spend(mover, seconds):
            self.take(Step(table.state, mover, Choice(action), round(seconds, 3)))
        return {}

    def step(self, given: dict[str, Any]) -> dict[str, Any]:
        """How the board looks, and what can follow, when the steps `made` are those of a person's action so far."""
        table = self.open_table()
        self.check_turn(given)
        return show_halfway(table.game, table.state, table.past, paths_of(given, "made"), self.viewer())

    def undo(self, given: dict[str, Any]) -> dict[str, Any]:
        """Back to the last position in which a person chose; not where that would tell too much."""
        table = self.open_table()
        if table.game.can("view"):
            raise ActionError("no taking back in a game of hidden information: you would know too much")
        chosen = [step.mover for step in table.steps if self.is_person(step.mover)]
        if not chosen:
            raise ActionError("there is nothing to take back")
        self.cancel()
        self.result = None
        table.undo(chosen[-1])
        self.adviser.go_back()
        self.advance()
        return {}

    def resign(self, given: dict[str, Any]) -> dict[str, Any]:
        table = self.open_table()
        if self.result is None:
            turn = table.game.player(table.state)
            people = self.people()
            if not people:
                raise ActionError("nobody at this page plays")
            loser = turn if turn in people else people[0]
            self.cancel()
            self.end(resignation(table.game, loser), f"{name_player(table.game, loser)} resigns", "resignation", loser)
        return {}

    def ask_hint(self, given: dict[str, Any]) -> dict[str, Any]:
        if not self.can_hint():
            raise ActionError("there is no hint here")
        self.adviser.advise()
        return {}

    def look(self, given: dict[str, Any]) -> dict[str, Any]:
        """An earlier position of the game, by the number of actions before it."""
        table = self.open_table()
        if self.is_secret():
            raise ActionError("earlier positions of a game of hidden information are shown when it is over")
        ply = number_of(given, "ply", 0, len(table.steps))
        state = table.state if ply == len(table.steps) else table.steps[ply].state
        return {"ply": ply, "picture": draw(table.game, state, self.viewer())}

    def show(self, given: dict[str, Any]) -> dict[str, Any]:
        """Has everything shown anew: a page that was at another view does not know what the clocks say."""
        self.session.push("play")
        return {}

    def save(self, given: dict[str, Any]) -> dict[str, Any]:
        table = self.open_table()
        if self.is_secret():
            raise ActionError("a game of hidden information is saved when it is over: a file tells everything")
        result = self.result or {}
        record = table.record(result.get("utilities"), result.get("reason", "left"), result.get("culprit"))
        return write_game(table.game, record, self.text, text_of(given, "format", self.formats[0], 20))

    def load(self, given: dict[str, Any]) -> dict[str, Any]:
        """A game from text: a position, moves, or a file of the game's own format."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        start, actions = read_game_text(game, text_of(given, "text"))
        return self.begin(text, game, texts_of(given, "seats"), start, given, actions)

    # How the game goes on.

    def open_table(self) -> Table:
        if self.table is None:
            raise InputError("there is no game: begin one")
        return self.table

    def check_turn(self, given: dict[str, Any]) -> int:
        """The person to move; an error if it is nobody's turn, or the page shows an older position."""
        table = self.open_table()
        mover = table.game.player(table.state) if self.result is None else CHANCE
        if not self.is_person(mover):
            raise ActionError("it is not your turn")
        if number_of(given, "ply", 0, LONGEST, self.ply()) != self.ply():
            raise ActionError("the position has changed meanwhile")
        return mover

    def people(self) -> list[int]:
        return [p for p in range(self.open_table().game.players) if self.is_person(p)]

    def is_person(self, p: int) -> bool:
        return p >= 0 and isinstance(self.open_table().players[p], Person)

    def spend(self, mover: int, seconds: float) -> bool:
        """Takes `seconds` off a person's clock; false, and the end of the game, if there were not so many."""
        table = self.open_table()
        try:
            table.keeper.spend(mover, seconds)
        except PlayerError as late:
            self.cancel()
            said = f"{name_player(table.game, mover)} {late}"
            self.end(resignation(table.game, mover), said, "time", mover)
            return False
        return True

    def time_is_up(self) -> None:
        """The person to move has not moved in time."""
        self.spend(self.turn.mover, self.turn.spent())

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
            self.turn.start(game.player(table.state))
            self.ask_mover()
        self.session.push("play")

    def ask_mover(self) -> None:
        """Waits for a person, or has a player think."""
        if self.is_person(self.turn.mover):
            self.turn.ring_in_time(self.open_table().keeper)
        else:
            self.think()

    def take(self, step: Step) -> None:
        self.settle(step)
        self.advance()

    def settle(self, step: Step) -> None:
        """One action, and the end of the game if it brings a position back too often."""
        table = self.open_table()
        self.adviser.hint = None
        if table.take(step) and not table.game.is_terminal(table.state):
            utilities = repetition_utilities(table.game, table.state, table.past)
            self.end(utilities, f"a position has come back: {say_outcome(table.game, utilities)}", "repetition")

    def think(self) -> None:
        """Asks the player to move, on another thread."""
        table = self.open_table()
        mover = table.game.player(table.state)
        keeper = table.keeper
        assert isinstance(keeper, Keeper)
        guests = self.guests

        def work(job: Job) -> bool:
            step: Step | Foul
            try:
                welcome(table, mover, guests)
                step = table.ask(mover)
            except Foul as foul:
                step = foul
            with self.session.lock:
                if self.thinking is not job or job.cancelled:
                    return True
                self.thinking = None
                if isinstance(step, Foul):
                    self.end(resignation(table.game, mover), str(step), step.kind, mover)
                    self.session.push("play")
                else:
                    self.take(step)
            return True

        self.thinking = keeper.job = Job(work)
        self.session.searches.submit(self.thinking)

    def end(self, utilities: tuple[float, ...] | None, said: str, reason: str, culprit: int | None = None) -> None:
        table = self.open_table()
        self.turn.hush()
        outcome = "" if utilities is None else say_outcome(table.game, utilities)
        shares = "" if utilities is None else say_shares(table.game, utilities)
        words = "; ".join(dict.fromkeys(filter(None, (said, outcome)))) if reason != "repetition" else said
        self.result = {"says": words, "shares": shares, "utilities": utilities, "reason": reason, "culprit": culprit}
        self.glance()
        self.session.push("play")

    def glance(self) -> None:
        """Has the newest position looked at."""
        self.adviser.glance(None if self.result is None else self.result["utilities"])

    def can_hint(self) -> bool:
        """Whether a search may advise whoever is to move: where something is hidden, a person, by what it sees."""
        table = self.open_table()
        if self.result is not None:
            return False
        imagines = table.game.can("sample") and self.is_person(table.game.player(table.state))
        return can_evaluate(table.game) or imagines

    # What the page shows.

    def is_secret(self) -> bool:
        """Whether something is hidden now: when the game is over, everybody may see everything."""
        return self.open_table().game.can("view") and self.result is None

    def ply(self) -> int:
        """Actions so far; of hidden ones those of people alone, for how often others tried may be hidden too."""
        steps = self.open_table().steps
        return sum(self.is_person(step.mover) for step in steps) if self.is_secret() else len(steps)

    def viewer(self) -> int | None:
        """Whose eyes look at a game of hidden information: the person to move, or the only one at the page."""
        table = self.open_table()
        if not table.game.can("view"):
            return None
        people = self.people()
        over = table.game.is_terminal(table.state)
        turn = None if over else table.game.player(table.state)
        return turn if turn in people else people[0] if people else None

    def clocks(self) -> dict[str, Any] | None:
        """Everybody's time, as the person at the page may see it."""
        table = self.open_table()
        assert isinstance(table.keeper, Keeper)
        mover = CHANCE if table.game.is_terminal(table.state) else table.game.player(table.state)
        told = tell_time(table.keeper, self.turn, mover, self.viewer() if self.is_secret() else None)
        return told and {**told, "running": self.result is None}

    def snapshot(self) -> dict[str, Any] | None:
        table = self.table
        if table is None:
            return None
        game = table.game
        shown = show(game, table.state, table.past, None if self.result else self.viewer())
        person = self.result is None and self.is_person(game.player(table.state))
        hidden = self.is_secret()
        moves = [
            {"say": clean(game.show_action(step.state, step.choice.action)), "player": step.mover}
            for step in table.steps
            if not hidden or step.mover == self.viewer()
        ]
        return {
            **shown,
            "legal": shown["legal"] if person else [],
            "steps": shown["steps"] if person or shown["steps"] is None else [],
            "game": self.text,
            "number": self.number,
            "name": game.name,
            "names": [name_player(game, p) for p in range(game.players)],
            "seats": self.seats,
            "turned": game.player_below is not None and self.people() == [1 - game.player_below],
            "formats": self.formats,
            "moves": moves,
            "ply": self.ply(),
            "yours": person,
            "thinking": self.thinking is not None,
            "result": self.result,
            "evaluated": self.adviser.asked,
            "values": self.adviser.values if self.adviser.evaluates else [],
            "hint": self.adviser.hint,
            "hints": self.can_hint(),
            "hidden": game.can("view"),
            "clock": self.clocks(),
            "control": "" if table.keeper.control == TimeControl() else str(table.keeper.control),
        }

    def stop(self) -> None:
        """The page is gone: the game stays, but its players let go of their tables, which are large."""
        self.cancel()
        for seat, player in enumerate(() if self.table is None else self.table.players):
            if isinstance(player, Guest):
                player.close()
                self.guests.add(seat)

    def resume(self) -> None:
        """Asks the player to move again, if it was thinking when the page went away; a person's clock has run on."""
        if self.table is not None and self.result is None and self.thinking is None:
            mover = self.table.game.player(self.table.state)
            if not self.is_person(mover):
                self.turn.forget()
                self.turn.start(mover)
            self.ask_mover()
        if self.table is not None:
            self.glance()

    def cancel(self) -> None:
        self.turn.hush()
        self.adviser.stop()
        if self.thinking is not None:
            self.thinking.cancel()
        self.thinking = None
