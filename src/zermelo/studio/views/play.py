"""Play: what a page may ask about the game on its board, and what it shows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zermelo.errors import ActionError
from zermelo.game import AnyGame
from zermelo.play.clock import TimeControl
from zermelo.play.live import LiveGame, Ply, check_seats
from zermelo.play.notation import read_position
from zermelo.play.player import Chooser, Guest, PlayerMove
from zermelo.play.words import name_game, name_player
from zermelo.studio.messages import flag_of, number_of, paths_of, text_of, texts_of
from zermelo.studio.opponents import name_opponent
from zermelo.studio.session import StudioSession, Verb
from zermelo.studio.views.advice import can_evaluate, why_no_evaluation
from zermelo.studio.views.board import show_halfway
from zermelo.studio.views.cards import can_look_back
from zermelo.studio.views.clocks import NOBODY, StudioClock, show_clocks
from zermelo.studio.views.files import formats, read_game_text, write_game
from zermelo.studio.views.match import MAX_PLIES, Match, show_ending
from zermelo.studio.views.review import Review
from zermelo.studio.views.visibility import PagePerson, Visibility


class PlayView(Match):
    """The verbs of the Play view, and its snapshot."""

    def __init__(self, session: StudioSession):
        super().__init__(session)
        self.review = Review(session)
        self.seats: list[str] = []
        self.formats: list[str] = []
        """In which the game can be saved, the usual one first."""
        self.number = 0
        """Of the game, among those played on this page."""
        self.facts: dict[str, object] = {}
        """The part of the snapshot that stays the same for a whole game."""
        self.verbs: dict[str, Verb] = {
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
            "review": self.begin_review,
            "better": self.show_better,
            "retry": self.retry,
            "count": self.count,
        }

    # What a page may ask.

    def new(self, given: Mapping[str, object]) -> dict[str, object]:
        """A new game: `game`, `seats`, and perhaps a `position`, a `clock`, `evaluate`."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        position = text_of(given, "position", "").strip()
        state = read_position(game, position) if position else game.initial()
        return self.begin(text, game, texts_of(given, "seats"), state, given)

    def begin(
        self,
        text: str,
        game: AnyGame,
        seats: list[str],
        state: Any,
        given: Mapping[str, object],
        actions: Sequence[Any] = (),
    ) -> dict[str, object]:
        """Begins a game from `state`, after `actions`; if that is not possible, the present game stays."""
        players = [self.make_player(seat) for seat in seats]
        check_seats(game, players)
        clock = StudioClock(game.players, TimeControl.read(text_of(given, "clock", "none", 60)))
        live = LiveGame(game, state, players=players, timekeeper=clock, longest_plies=MAX_PLIES)
        known = formats(game, live.record())
        for action in actions:
            live.push(action)
        evaluates = flag_of(given, "evaluate", True)
        self.cancel()
        self.review.end()
        self.timer.reset()
        self.pausing.end()
        self.number += 1
        self.text, self.seats, self.formats = text, seats, known
        self.live, self.visibility = live, Visibility(live)
        self.facts = self.show_facts()
        self.unready = {seat for seat, player in enumerate(players) if isinstance(player, Guest)}
        self.adviser.begin(live, evaluates)
        self.advance()
        return self.pushed()

    def make_player(self, text: str) -> Chooser:
        return PagePerson() if text == "human" else self.session.catalogue.player(text)

    def pushed(self) -> dict[str, object]:
        """An empty answer, after an update of the page."""
        self.session.push("play")
        return {}

    def move(self, given: Mapping[str, object]) -> dict[str, object]:
        live = self.game_on()
        mover = self.check_turn(given)
        action = self.seen().find_action(text_of(given, "move", most=200))
        seconds = self.timer.spent()
        if self.spend(mover, seconds):
            self.take(Ply(live.state, mover, PlayerMove(action), round(seconds, 3)))
        return self.pushed()

    def step(self, given: Mapping[str, object]) -> dict[str, object]:
        """The board, and what can follow, after the steps `made` of a person's move."""
        live = self.game_on()
        self.check_turn(given)
        return show_halfway(live.game, live.state, live.legal_actions(), paths_of(given, "made"), self.seen().viewer())

    def undo(self, given: Mapping[str, object]) -> dict[str, object]:
        """Back to the last position in which a person chose; not where that would reveal something."""
        live = self.game_on()
        if live.game.kind.hidden:
            raise ActionError("no taking back in a game of hidden information: you would know too much")
        chosen = [ply.mover for ply in live.plies if self.seen().is_person(ply.mover)]
        if not chosen:
            raise ActionError("there is nothing to take back")
        self.cancel()
        self.review.end()
        live.undo(chosen[-1])
        self.adviser.go_back()
        self.advance()
        return self.pushed()

    def resign(self, given: Mapping[str, object]) -> dict[str, object]:
        live, seen = self.game_on(), self.seen()
        if live.is_over:
            return {}
        people = seen.people()
        if not people:
            raise ActionError("nobody at this page plays")
        self.check_handed_over()
        turn, viewer = seen.turn(), seen.viewer()
        self.cancel()
        live.resign(turn if turn in people else viewer if viewer in people else people[0])
        self.evaluate()
        return self.pushed()

    def sit(self, given: Mapping[str, object]) -> dict[str, object]:
        """The person of `seat`, to whom the page was handed over, is there; a clock runs from now on."""
        live, seen = self.game_on(), self.seen()
        seat = number_of(given, "seat", 0, live.game.players - 1)
        if seat != seen.viewer():
            seen.hand_over(seat)
            self.begin_turn()
        return self.pushed()

    def pause(self, given: Mapping[str, object]) -> dict[str, object]:
        """Holds a game that nobody at the page plays; the player to move drops its search."""
        self.check_watched()
        self.pausing.begin()
        self.cancel_thinking()
        self.timer.reset()
        return self.pushed()

    def go(self, given: Mapping[str, object]) -> dict[str, object]:
        """Ends a pause."""
        self.check_watched()
        self.pausing.end()
        return self.go_on()

    def once(self, given: Mapping[str, object]) -> dict[str, object]:
        """Makes one move of a game that is paused, and stays so."""
        self.check_watched()
        if not self.pausing.on:
            raise ActionError("one move at a time is for a game that is paused")
        self.pausing.one_more = True
        return self.go_on()

    def go_on(self) -> dict[str, object]:
        """Has the player to move think, unless it does already."""
        if self.thinking is None:
            self.begin_turn()
        return self.pushed()

    def ask_hint(self, given: Mapping[str, object]) -> dict[str, object]:
        if not self.can_hint():
            raise ActionError("there is no hint here")
        self.adviser.advise()
        return {}

    def look(self, given: Mapping[str, object]) -> dict[str, object]:
        """An earlier position of the game, by the number of actions before it."""
        live = self.game_on()
        if self.seen().is_secret():
            raise ActionError("earlier positions of a game of hidden information are shown when it is over")
        return self.seen().show_earlier(number_of(given, "ply", 0, len(live.plies)))

    def show(self, given: Mapping[str, object]) -> dict[str, object]:
        """Updates the page: one that was at another view does not know what the clocks show."""
        return self.pushed()

    def save(self, given: Mapping[str, object]) -> dict[str, object]:
        live = self.game_on()
        if self.seen().is_secret():
            raise ActionError("a game of hidden information is saved when it is over: a file tells everything")
        return write_game(live.game, live.record(), self.text, text_of(given, "format", self.formats[0], 20))

    def load(self, given: Mapping[str, object]) -> dict[str, object]:
        """A game from text: a position, moves, or a file of the game's own format."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        start, actions = read_game_text(game, text_of(given, "text"))
        return self.begin(text, game, texts_of(given, "seats"), start, given, actions)

    # After a game, or in the middle of one.

    def begin_review(self, given: Mapping[str, object]) -> dict[str, object]:
        """Has every move of the game judged, one after the other; of a game of hidden information once it is over."""
        live = self.game_on()
        if not can_evaluate(live.game):
            raise ActionError(f"there is nothing to judge moves by: {why_no_evaluation(live.game)}")
        self.review.begin(live)
        return self.pushed()

    def show_better(self, given: Mapping[str, object]) -> dict[str, object]:
        """What would have been better than the move at `ply`, drawn position by position."""
        return {"steps": self.review.draw_better(number_of(given, "ply", 0, MAX_PLIES))}

    def retry(self, given: Mapping[str, object]) -> dict[str, object]:
        """A new game between the same players that begins after `ply` actions of this one."""
        live = self.game_on()
        if self.seen().is_secret():
            raise ActionError("a game of hidden information goes on from its start only")
        ply = number_of(given, "ply", 0, len(live.plies))
        actions = [each.action for each in live.plies[:ply]]
        again = {"clock": self.facts["control"] or "none", "evaluate": self.adviser.asked}
        return self.begin(self.text, live.game, self.seats, live.start, again, actions)

    def count(self, given: Mapping[str, object]) -> dict[str, object]:
        """Counts the game anew: what stands at the place `turned` is dead if it was alive, and alive if it was dead."""
        live = self.game_on()
        self.counting.turn(live, text_of(given, "turned", most=40))
        del self.adviser.values[len(live.plies) :]  # what the end is worth has changed
        self.evaluate()
        return self.pushed()

    # Checks of a request.

    def check_turn(self, given: Mapping[str, object]) -> int:
        """The person to move; an error if it is nobody's turn, or the page shows an older position."""
        seen = self.seen()
        mover = seen.turn()
        if not seen.is_person(mover):
            raise ActionError("it is not your turn")
        self.check_handed_over()
        if number_of(given, "ply", 0, MAX_PLIES, seen.ply()) != seen.ply():
            raise ActionError("the position has changed meanwhile")
        return mover

    def check_handed_over(self) -> None:
        """An error if the person to move has not confirmed to be at the page."""
        awaited = self.seen().awaited()
        if awaited is not None:
            raise ActionError(f"hand the page over to {name_player(self.game_on().game, awaited)} first")

    def check_watched(self) -> None:
        """An error unless a game goes on in which nobody at the page plays."""
        if self.seen().people():
            raise ActionError("a game is paused only where nobody at this page plays")
        if self.game_on().is_over:
            raise ActionError("the game is over")

    def can_hint(self) -> bool:
        """Whether a search may advise the player to move: where something is hidden, a person, by what it sees."""
        live, seen = self.game_on(), self.seen()
        if live.is_over or seen.awaited() is not None:
            return False
        return can_evaluate(live.game) or (live.game.can("sample") and seen.is_person(seen.turn()))

    # What it is shown.

    def show_facts(self) -> dict[str, object]:
        """What stays the same for a whole game."""
        game, people, control = self.game_on().game, self.seen().people(), self.clock().control
        bots = {bot.text: bot.name for bot in self.session.catalogue.bots()}
        return {
            "game": self.text,
            "number": self.number,
            "name": game.name,
            "title": name_game(game),
            "names": [name_player(game, p) for p in range(game.players)],
            "seats": self.seats,
            "people": people,
            "who": [bots.get(seat) or name_opponent(game, seat) for seat in self.seats],
            "colours": list(game.player_colours[: game.players]),
            "below": game.player_below,
            "dice": game.shelf == "dice",
            "reviewable": can_evaluate(game),
            "solvable": can_look_back(game),
            "turned": game.player_below is not None and people == [1 - game.player_below],
            "formats": self.formats,
            "hidden": game.kind.hidden,
            "watched": not people,
            "control": "" if control == TimeControl() else str(control),
        }

    def show_clocks(self) -> dict[str, object] | None:
        """Everybody's time, as the person at the page may see it."""
        seen = self.seen()
        shown = show_clocks(self.clock(), self.timer, seen.turn(), seen.viewer())
        return shown and {**shown, "running": not self.game_on().is_over and self.timer.mover != NOBODY}

    def snapshot(self) -> dict[str, object] | None:
        if self.live is None:
            return None
        seen, adviser, ending = self.seen(), self.adviser, self.live.ending
        return {
            **self.facts,
            **seen.show(),
            "ply": seen.ply(),
            "thinking": self.thinking is not None,
            "result": None if ending is None else show_ending(self.live.game, self.live.state, ending),
            "review": self.review.show(),
            "evaluated": adviser.asked,
            "values": list(adviser.values) if adviser.evaluates else [],
            "trouble": "" if self.facts["hidden"] else adviser.trouble,
            "interpreted": adviser.interpreted,
            "hint": None if seen.is_covered() else adviser.hint,
            "hints": self.can_hint(),
            "count": self.counting.show(self.live),
            "paused": self.pausing.on,
            "clock": self.show_clocks(),
        }
