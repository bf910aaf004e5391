"""Play: what a page asks about the game at its table, and what it shows of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zermelo.errors import ActionError
from zermelo.game import Game
from zermelo.play import Chooser, Ending, Guest, LiveGame, PlayerMove, Ply, TimeControl
from zermelo.play.live import check_seats, resignation
from zermelo.play.notation import read_position
from zermelo.play.words import name_player
from zermelo.studio.messages import flag_of, number_of, paths_of, text_of, texts_of
from zermelo.studio.session import StudioSession
from zermelo.studio.views.advice import can_evaluate
from zermelo.studio.views.board import find_action, show_halfway
from zermelo.studio.views.files import formats, read_game_text, write_game
from zermelo.studio.views.match import LONGEST, Match, say_ending
from zermelo.studio.views.seats import NOBODY, Keeper, Person
from zermelo.studio.views.sight import Sight
from zermelo.studio.views.turns import tell_time


class PlayView(Match):
    """What a page may ask about its game, and what it is shown."""

    def __init__(self, session: StudioSession):
        super().__init__(session)
        self.text = ""
        self.seats: list[str] = []
        self.formats: list[str] = []
        """In which the game can be saved, the usual one first."""
        self.number = 0
        """Of the game, among those at this table."""
        self.verbs: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "new": self.new,
            "move": self.move,
            "step": self.step,
            "undo": self.undo,
            "resign": self.resign,
            "sit": self.sit,
            "pause": self.pause,
            "go": self.go,
            "once": self.once,
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
        """A game from `state` on, in which `actions` have been made already; what cannot begin ends no other."""
        players = [self.make_player(seat) for seat in seats]
        check_seats(game, players)
        keeper = Keeper(game.players, TimeControl.read(text_of(given, "clock", "none", 60)))
        table = LiveGame(game, state, players=players, timekeeper=keeper, longest_plies=LONGEST)
        known = formats(game, table.record())
        for action in actions:
            table.push(action)
        evaluates = flag_of(given, "evaluate", True)
        self.cancel()
        self.turn.forget()
        self.pausing.end()
        self.number += 1
        self.text, self.seats, self.formats = text, seats, known
        self.table, self.result = table, None
        self.sight = Sight(table, lambda: self.result is not None)
        self.guests = {seat for seat, player in enumerate(players) if isinstance(player, Guest)}
        self.adviser.begin(table, evaluates)
        self.advance()
        return {}

    def make_player(self, text: str) -> Chooser:
        return Person() if text == "human" else self.session.catalogue.player(text)

    def move(self, given: dict[str, Any]) -> dict[str, Any]:
        table = self.open_table()
        mover = self.check_turn(given)
        action = find_action(table.game, table.state, table.history, text_of(given, "move", most=200))
        seconds = self.turn.spent()
        if self.spend(mover, seconds):
            self.take(Ply(table.state, mover, PlayerMove(action), round(seconds, 3)))
        return {}

    def step(self, given: dict[str, Any]) -> dict[str, Any]:
        """How the board looks, and what can follow, when the steps `made` are those of a person's action so far."""
        table = self.open_table()
        self.check_turn(given)
        return show_halfway(table.game, table.state, table.history, paths_of(given, "made"), self.watch().viewer())

    def undo(self, given: dict[str, Any]) -> dict[str, Any]:
        """Back to the last position in which a person chose; not where that would tell too much."""
        table = self.open_table()
        if table.game.kind.hidden:
            raise ActionError("no taking back in a game of hidden information: you would know too much")
        chosen = [step.mover for step in table.plies if self.watch().is_person(step.mover)]
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
            sight = self.watch()
            people = sight.people()
            if not people:
                raise ActionError("nobody at this page plays")
            self.check_handed_over()
            turn, viewer = sight.turn(), sight.viewer()
            loser = turn if turn in people else viewer if viewer in people else people[0]
            self.cancel()
            ending = Ending(resignation(table.game, loser), "resignation", loser)
            self.end(ending, say_ending(table.game, ending))
        return {}

    def sit(self, given: dict[str, Any]) -> dict[str, Any]:
        """The person of `seat`, to whom the page was handed over, is there; a clock runs from now on."""
        table, sight = self.open_table(), self.watch()
        seat = number_of(given, "seat", 0, table.game.players - 1)
        if seat != sight.viewer():
            sight.sit(seat)
            self.begin_turn()
            self.session.push("play")
        return {}

    def pause(self, given: dict[str, Any]) -> dict[str, Any]:
        """Holds a game that nobody at the page plays; the player to move forgets what it was thinking of."""
        self.check_watched()
        self.pausing.begin()
        self.drop_thought()
        self.turn.forget()
        self.session.push("play")
        return {}

    def go(self, given: dict[str, Any]) -> dict[str, Any]:
        """Ends a pause."""
        self.check_watched()
        self.pausing.end()
        return self.go_on()

    def once(self, given: dict[str, Any]) -> dict[str, Any]:
        """One move of a game that is paused, and stays so."""
        self.check_watched()
        if not self.pausing.on:
            raise ActionError("one move at a time is for a game that is paused")
        self.pausing.one_more = True
        return self.go_on()

    def go_on(self) -> dict[str, Any]:
        """Has the player to move think, unless it does."""
        if self.thinking is None:
            self.begin_turn()
        self.session.push("play")
        return {}

    def ask_hint(self, given: dict[str, Any]) -> dict[str, Any]:
        if not self.can_hint():
            raise ActionError("there is no hint here")
        self.adviser.advise()
        return {}

    def look(self, given: dict[str, Any]) -> dict[str, Any]:
        """An earlier position of the game, by the number of actions before it."""
        table = self.open_table()
        if self.watch().is_secret():
            raise ActionError("earlier positions of a game of hidden information are shown when it is over")
        return self.watch().look(number_of(given, "ply", 0, len(table.plies)))

    def show(self, given: dict[str, Any]) -> dict[str, Any]:
        """Has everything shown anew: a page that was at another view does not know what the clocks say."""
        self.session.push("play")
        return {}

    def save(self, given: dict[str, Any]) -> dict[str, Any]:
        table = self.open_table()
        if self.watch().is_secret():
            raise ActionError("a game of hidden information is saved when it is over: a file tells everything")
        return write_game(table.game, table.record(), self.text, text_of(given, "format", self.formats[0], 20))

    def load(self, given: dict[str, Any]) -> dict[str, Any]:
        """A game from text: a position, moves, or a file of the game's own format."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        start, actions = read_game_text(game, text_of(given, "text"))
        return self.begin(text, game, texts_of(given, "seats"), start, given, actions)

    # What it may ask now.

    def check_turn(self, given: dict[str, Any]) -> int:
        """The person to move; an error if it is nobody's turn, or the page shows an older position."""
        sight = self.watch()
        mover = sight.turn()
        if not sight.is_person(mover):
            raise ActionError("it is not your turn")
        self.check_handed_over()
        if number_of(given, "ply", 0, LONGEST, sight.ply()) != sight.ply():
            raise ActionError("the position has changed meanwhile")
        return mover

    def check_handed_over(self) -> None:
        """An error if whoever is to move has not said to be at the page."""
        awaited = self.watch().awaited()
        if awaited is not None:
            raise ActionError(f"hand the page over to {name_player(self.open_table().game, awaited)} first")

    def check_watched(self) -> None:
        """An error unless a game goes on in which nobody at the page plays."""
        if self.watch().people():
            raise ActionError("a game is paused only where nobody at this page plays")
        if self.result is not None:
            raise ActionError("the game is over")

    def can_hint(self) -> bool:
        """Whether a search may advise whoever is to move: where something is hidden, a person, by what it sees."""
        game, sight = self.open_table().game, self.watch()
        if self.result is not None or sight.awaited() is not None:
            return False
        return can_evaluate(game) or (game.can("sample") and sight.is_person(sight.turn()))

    # What it is shown.

    def clocks(self) -> dict[str, Any] | None:
        """Everybody's time, as the person at the page may see it."""
        sight = self.watch()
        told = tell_time(self.keeper(), self.turn, sight.turn(), sight.viewer())
        return told and {**told, "running": self.result is None and self.turn.mover != NOBODY}

    def snapshot(self) -> dict[str, Any] | None:
        table = self.table
        if table is None:
            return None
        game, sight = table.game, self.watch()
        return {
            **sight.show(),
            "game": self.text,
            "number": self.number,
            "name": game.name,
            "names": [name_player(game, p) for p in range(game.players)],
            "seats": self.seats,
            "turned": game.player_below is not None and sight.people() == [1 - game.player_below],
            "formats": self.formats,
            "ply": sight.ply(),
            "thinking": self.thinking is not None,
            "result": self.result,
            "evaluated": self.adviser.asked,
            "values": self.adviser.values if self.adviser.evaluates else [],
            "trouble": "" if game.kind.hidden else self.adviser.trouble,
            "hint": None if sight.is_covered() else self.adviser.hint,
            "hints": self.can_hint(),
            "hidden": game.kind.hidden,
            "watched": not sight.people(),
            "paused": self.pausing.on,
            "clock": self.clocks(),
            "control": "" if table.timekeeper.control == TimeControl() else str(table.timekeeper.control),
        }
