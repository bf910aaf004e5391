"""Open cards: a game of hidden information after the event. What was every action worth, if all had been seen?

The game's own solver (`prove`) judges one position after the other. It knows more than any player did: an action that
costs something with open cards may have been the right one without.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.errors import ActionError, InputError, MethodError, OtherOptionsError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import Proof
from zermelo.games import games
from zermelo.play.live import LiveGame
from zermelo.play.notation import show_action, write_line
from zermelo.play.words import name_game, name_player
from zermelo.search.open_cards import revealed
from zermelo.studio.messages import number_of, text_of
from zermelo.studio.session import StudioSession, Verb, View, describe_error
from zermelo.studio.views.board import draw, draw_line, find_places, find_touched, list_places
from zermelo.studio.views.files import read_game_text
from zermelo.studio.views.match import Match
from zermelo.studio.workers import WorkerJob

MAX_SECONDS = 900.0
MAX_LINE_PLIES = 16


def can_look_back(game: AnyGame | type[AnyGame]) -> bool:
    """Whether something is hidden in `game` that its own solver can look through."""
    kind = game if isinstance(game, type) else type(game)
    return kind.view is not Game.view and kind.prove is not Game.prove


class CardsView(View):
    """The verbs of the view, and its snapshot."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.live: LiveGame | None = None
        self.text = ""
        self.number = 0
        """Of the game, among those opened on this page."""
        self.states: list[Any] = []
        self.proofs: list[Proof[Any] | None] = []
        """Of each position, the first ones first, as they become known; `None` where nobody plays a card."""
        self.ply = 0
        self.answer: dict[str, object] | None = None
        self.error = ""
        self.job: WorkerJob | None = None
        self.verbs: dict[str, Verb] = {
            "games": self.list_games,
            "open": self.open,
            "adopt": self.adopt,
            "look": self.look,
            "whynot": self.whynot,
        }

    # What a page may ask.

    def list_games(self, given: Mapping[str, object]) -> dict[str, object]:
        """The games that this view can look at."""
        catalogue = self.session.catalogue
        known: dict[str, AnyGame | type[AnyGame]] = {**games(), **catalogue.own}
        return {"games": [each for each in catalogue.entries() if can_look_back(known[str(each["text"])])]}

    def open(self, given: Mapping[str, object]) -> dict[str, object]:
        """A `game` from the `load`ed text: a file, or a position."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        self.check(game)
        loaded = text_of(given, "load")
        try:
            start, actions = read_game_text(game, loaded)
        except OtherOptionsError as error:  # the file knows better than the page what it is
            text = f"{text.partition(':')[0]}:{error.options}"
            game = self.session.catalogue.load(text)
            start, actions = read_game_text(game, loaded)
        return self.begin(text, game, start, actions)

    def adopt(self, given: Mapping[str, object]) -> dict[str, object]:
        """The game of the Play view, once it is over."""
        played = self.session.views["play"]
        assert isinstance(played, Match)
        live = played.game_on()
        self.check(live.game)
        if not live.is_over:
            raise ActionError("the cards are opened when the game is over")
        return self.begin(played.text, live.game, live.start, [each.action for each in live.plies])

    def check(self, game: AnyGame) -> None:
        if not can_look_back(game):
            raise InputError(f"{game.name} has no solver that looks through what is hidden: Play reviews other games")

    def begin(self, text: str, game: AnyGame, start: Any, actions: list[Any]) -> dict[str, object]:
        live = LiveGame(game, start)
        for action in actions:
            live.push(action)
        self.stop()
        self.number += 1
        self.live, self.text, self.answer, self.error = live, text, None, ""
        self.states = [*(each.state for each in live.plies), live.state]
        self.proofs = []
        self.ply = next((i for i, each in enumerate(self.states) if self.is_decision(each)), 0)
        self.resume()
        return self.pushed()

    def is_decision(self, s: Any) -> bool:
        assert self.live is not None
        return not self.live.game.is_terminal(s) and self.live.game.player(s) != CHANCE

    def look(self, given: Mapping[str, object]) -> dict[str, object]:
        """The position after `ply` actions."""
        self.opened()
        self.ply, self.answer = number_of(given, "ply", 0, len(self.states) - 1), None
        return self.pushed()

    def whynot(self, given: Mapping[str, object]) -> dict[str, object]:
        """What comes of `move` in the position that is looked at, played out."""
        game, s, proof = self.opened().game, self.states[self.ply], self.known(self.ply)
        if proof is None:
            raise ActionError("the solver has nothing to say of this position")
        notation = text_of(given, "move", most=200)
        action = next((a for a in proof.values if show_action(game, s, a) == notation), None)
        if action is None:
            raise ActionError(f"{notation!r:.40} cannot be played here")
        after = game.result(s, action)
        line = (action, *self.line_from(after))[:MAX_LINE_PLIES]
        message = self.say_why(game, s, proof, action, line)
        self.answer = {"message": message, "steps": draw_line(revealed(game), s, line)}
        return self.pushed()

    def line_from(self, s: Any) -> tuple[Any, ...]:
        """Best play from `s` on, as far as the solver has anything to say."""
        game = self.opened().game
        if game.is_terminal(s):
            return ()
        try:
            return game.prove(s).line
        except MethodError:
            return ()

    def say_why(self, game: AnyGame, s: Any, proof: Proof[Any], action: Any, line: tuple[Any, ...]) -> str:
        """`SA: 9 tricks, 1 down; S3 would leave 10 tricks, made. Best play after it: …`"""
        name, best = show_action(game, s, action), max(proof.values.values())
        value = proof.values[action]
        way = " ".join(write_line(game, s, line)[1:])
        then = f" Best play after it: {way}." if way else ""
        if value == best:
            return f"{name} is as good as any: {game.say_worth(s, value)}.{then}"
        better = ", ".join(show_action(game, s, a) for a, each in proof.values.items() if each == best)
        return f"{name} leaves {game.say_worth(s, value)}; {better} would leave {game.say_worth(s, best)}.{then}"

    def opened(self) -> LiveGame:
        if self.live is None:
            raise ActionError("no game is open: load one, or finish one in Play")
        return self.live

    def pushed(self) -> dict[str, object]:
        self.session.push("cards")
        return {}

    # The solver.

    def resume(self) -> None:
        live = self.live
        if live is not None and self.job is None and len(self.proofs) < len(self.states):
            self.job = self.session.search(lambda job: self.work(job, live), MAX_SECONDS, yields=True)

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
        self.job = None

    def work(self, job: WorkerJob, live: LiveGame) -> bool:
        """Solves one position after the other; whether it is done."""
        from zermelo.engine import Stopped

        try:
            while len(self.proofs) < len(self.states):
                s = self.states[len(self.proofs)]
                try:
                    proof = live.game.prove(s, job.should_stop) if self.is_decision(s) else None
                except MethodError:
                    proof = None
                with self.session.lock:
                    if self.job is not job or job.cancelled:
                        return True
                    self.proofs.append(proof)
                self.session.push("cards")
        except Stopped:
            return job.is_late()
        except (Exception, SystemExit) as error:  # rules are anybody's code
            with self.session.lock:
                if self.job is job:
                    self.error = describe_error(error)
            self.session.push("cards")
        return True

    def known(self, ply: int) -> Proof[Any] | None:
        return self.proofs[ply] if ply < len(self.proofs) else None

    # What it is shown.

    def grade(self, ply: int) -> str:
        """What the action at `ply` cost with open cards: `blunder` if it changes who comes out ahead."""
        live, proof = self.opened(), self.known(ply)
        value = None if proof is None else proof.values.get(live.plies[ply].action)
        if proof is None or value is None:
            return ""
        best, even = max(proof.values.values()), live.game.neutral
        return "" if value == best else "blunder" if (value > even) != (best > even) else "mistake"

    def worths(self) -> list[dict[str, object]]:
        """What every action is worth in the position that is looked at, the best first."""
        game, s, proof = self.opened().game, self.states[self.ply], self.known(self.ply)
        if proof is None:
            return []
        best, worst = max(proof.values.values()), min(proof.values.values())
        names = list_places(draw(revealed(game), s))
        found = [
            {
                "notation": (name := show_action(game, s, a)),
                "at": find_places(name, names)[:1],
                "says": game.say_worth(s, value),
                "share": 1.0 if value == best else -0.35 - 0.65 * (best - value) / (best - worst),
                "played": self.ply < len(self.opened().plies) and self.opened().plies[self.ply].action == a,
            }
            for a, value in proof.values.items()
        ]
        return sorted(found, key=lambda each: -float(str(each["share"])))

    def snapshot(self) -> dict[str, object] | None:
        if self.live is None:
            return None
        game, plies, s = self.live.game, self.live.plies, self.states[self.ply]
        picture = draw(revealed(game), s)
        passed = [(each.state, each.mover, each.action) for each in reversed(plies[: self.ply])]
        acts = self.is_decision(s)
        dealt = next((i for i, each in enumerate(plies) if each.mover != CHANCE), len(plies))
        return {
            "game": self.text,
            "number": self.number,
            "title": name_game(game),
            "ply": self.ply,
            "picture": picture,
            "text": game.show(s),
            "last": find_touched(game, passed, picture),
            "turn": name_player(game, game.player(s)) if acts else "",
            "names": [name_player(game, p) for p in range(game.players)],
            "dealt": dealt,
            "moves": [
                {"notation": show_action(game, each.state, each.action), "player": each.mover, "grade": self.grade(i)}
                for i, each in enumerate(plies[dealt:], dealt)
            ],
            "worths": self.worths(),
            "known": self.ply < len(self.proofs),
            "solved": len(self.proofs),
            "of": len(self.states),
            "answer": self.answer,
            "error": self.error,
        }
