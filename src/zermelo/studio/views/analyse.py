"""Analyse: any position, searched ever deeper while one looks on, and what is wrong with the moves it rejects."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import ActionError, InputError
from zermelo.game import CHANCE, Game
from zermelo.play.notation import read_position, write_line
from zermelo.play.words import say_points, say_value
from zermelo.search.trace.words import clean
from zermelo.studio.messages import number_of, paths_of, text_of
from zermelo.studio.session import StudioSession, View, describe_error
from zermelo.studio.views.board import draw, find_action, share, show, show_halfway
from zermelo.studio.views.depths import deepen, make_searcher
from zermelo.studio.views.files import read_game_text
from zermelo.studio.views.last import last_touched
from zermelo.studio.views.whynot import explain
from zermelo.studio.workers import WorkerJob

LONGEST = 600.0
"""Seconds of search for one position; to ask again goes on."""
MOST_LINES = 8
LINE_LENGTH = 24
"""Moves of a line that are told."""


class AnalyseView(View):
    """One position at a time, with the way that led to it."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.game: Game | None = None
        self.text = ""
        self.start: Any = None
        self.actions: list[Any] = []
        self.lines = 3
        self.found: Analysis | None = None
        self.answer: dict[str, Any] | None = None
        self.error = ""
        self.job: WorkerJob | None = None
        self.question: WorkerJob | None = None
        self.engine: Any = None
        self.using = threading.Lock()
        """Held while the engine searches: it has one table, and a search that is told to stop takes a moment."""
        self.verbs: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "open": self.open,
            "move": self.move,
            "step": self.step,
            "back": self.back,
            "go": self.go,
            "halt": self.halt,
            "line": self.line,
            "whynot": self.whynot,
        }

    # What a page may ask.

    def open(self, given: dict[str, Any]) -> dict[str, Any]:
        """A `game`, perhaps at a `position` or after what `load` tells."""
        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        if game.kind.hidden:
            raise InputError(
                f"{game.name} hides information, and a search would look through it: play it, or let Theory learn it"
            )
        position, loaded = text_of(given, "position", "").strip(), text_of(given, "load", "")
        start: Any = read_position(game, position) if position else game.initial()
        actions: list[Any] = []
        if loaded.strip():
            start, actions = read_game_text(game, loaded)
        self.stop()
        self.game, self.text, self.start, self.actions, self.engine = game, text, start, actions, None
        self.lines = number_of(given, "lines", 1, MOST_LINES, 3)
        self.search()
        return {}

    def move(self, given: dict[str, Any]) -> dict[str, Any]:
        game, state, past = self.here()
        if game.is_terminal(state):
            raise ActionError("the game is over here")
        say = text_of(given, "move", most=200)
        outcomes = list_outcomes(game, state)
        self.actions.append(outcomes[say] if say in outcomes else find_action(game, state, past, say))
        self.search()
        return {}

    def step(self, given: dict[str, Any]) -> dict[str, Any]:
        """How the board looks, and what can follow, when the steps `made` are those of an action so far."""
        game, state, past = self.here()
        if game.is_terminal(state) or game.player(state) == CHANCE:
            raise ActionError("nobody is to move here")
        return show_halfway(game, state, past, paths_of(given, "made"))

    def back(self, given: dict[str, Any]) -> dict[str, Any]:
        """Back to the position after `ply` actions; one step without it."""
        self.here()
        ply = number_of(given, "ply", 0, len(self.actions), max(len(self.actions) - 1, 0))
        del self.actions[ply:]
        self.search()
        return {}

    def go(self, given: dict[str, Any]) -> dict[str, Any]:
        self.here()
        self.lines = number_of(given, "lines", 1, MOST_LINES, self.lines)
        self.search()
        return {}

    def halt(self, given: dict[str, Any]) -> dict[str, Any]:
        self.cancel()
        self.session.push("analyse")
        return {}

    def line(self, given: dict[str, Any]) -> dict[str, Any]:
        """The positions of a line that was found, drawn one by one."""
        game, state, _ = self.here()
        number = number_of(given, "line", 0, MOST_LINES)
        lines = [] if self.found is None else lines_of(self.found)
        if number >= len(lines):
            raise InputError("there is no such line")
        return {"steps": draw_line(game, state, lines[number][1])}

    def whynot(self, given: dict[str, Any]) -> dict[str, Any]:
        """Why the search does not choose `move`."""
        game, state, past = self.here()
        if game.is_terminal(state):
            raise ActionError("the game is over here: go back to ask about a move")
        if game.player(state) == CHANCE:
            raise ActionError("chance decides here, and nobody chooses: ask after what it brings")
        action = find_action(game, state, past, text_of(given, "move", most=200))
        actions, found = list(self.actions), self.found

        def work(job: WorkerJob) -> bool:
            try:
                answer = explain(game, state, past, action, found, job.should_stop)
                answer["steps"] = draw_line(game, state, answer.pop("line"))
            except (Exception, SystemExit) as error:  # rules are anybody's code
                answer = {"message": describe_error(error), "steps": []}
            with self.session.lock:
                if self.question is job and self.actions == actions:
                    self.question, self.answer = None, answer
            self.session.push("analyse")
            return True

        if self.question is not None:
            self.question.cancel()
        self.answer = None
        self.question = self.session.search(work, 20.0)
        self.session.push("analyse")
        return {}

    # The search.

    def here(self) -> tuple[Game, Any, list[Any]]:
        """The game, the position and those before it."""
        if self.game is None:
            raise InputError("there is no position: choose a game")
        state, past = self.start, []
        for action in self.actions:
            past.append(state)
            state = self.game.result(state, action)
        return self.game, state, past

    def search(self) -> None:
        """Begins to search the position, in place of what is searched now."""
        self.cancel()
        self.found, self.answer, self.error = None, None, ""
        game, state, past = self.here()
        if not game.is_terminal(state):
            self.job = self.session.search(lambda job: self.deepen(job, game, state, past), LONGEST, yields=True)
        self.session.push("analyse")

    def deepen(self, job: WorkerJob, game: Game, state: Any, past: list[Any]) -> bool:
        """One turn of the search; whether it is over."""
        ended = ""
        try:
            with self.using:
                for found in self.depths(game, state, past, job):
                    ended = found.stopped
                    if not self.tell_depth(job, found):
                        return True
        except (Exception, SystemExit) as error:  # rules are anybody's code
            self.error = describe_error(error)
            self.finish(job)
            return True
        if ended == "stop" and not job.cancelled and not job.is_late():
            return False
        self.finish(job)
        return True

    def tell_depth(self, job: WorkerJob, found: Analysis) -> bool:
        """Shows what one more depth has found; false if nobody wants to know any more."""
        with self.session.lock:
            if job.cancelled or self.job is not job:
                return False
            known = self.found
            # A search that goes on after others had their turn begins at the first depth again.
            if known is not None and (found.stopped or (found.depth or 0) < (known.depth or 0)):
                return True
            self.found = found
        self.session.push("analyse")
        return True

    def finish(self, job: WorkerJob) -> None:
        with self.session.lock:
            if self.job is job:
                self.job = None
        self.session.push("analyse")

    def depths(self, game: Game, state: Any, past: list[Any], job: WorkerJob) -> Iterator[Analysis]:
        """One analysis a depth, or of a tree that grows on."""
        if self.engine is None or self.engine.game is not game:
            self.engine = make_searcher(game)
        for found in deepen(self.engine, state, past, job.should_stop, self.lines):
            yield replace(found, lines=most_visited(found, self.lines)) if found.visits else found

    # What the page shows.

    def snapshot(self) -> dict[str, Any] | None:
        if self.game is None:
            return None
        game, state, past = self.here()
        shown = show(game, state, past)
        if not game.is_terminal(state) and game.player(state) == CHANCE:
            shown["legal"] = [{"notation": say, "at": []} for say in list_outcomes(game, state)]
        course = [(s, game.player(s), a) for s, a in zip(past, self.actions, strict=True)]
        return {
            **shown,
            "last": last_touched(game, course, shown["picture"]),
            "game": self.text,
            "name": game.name,
            "moves": [{"notation": game.show_action(s, a), "player": player} for s, player, a in course],
            "ply": len(self.actions),
            "lines_asked": self.lines,
            "running": self.job is not None,
            "asking": self.question is not None,
            "answer": self.answer,
            "error": self.error,
            "analysis": None if self.found is None else tell(game, state, self.found),
        }

    def cancel(self) -> None:
        for job in (self.job, self.question):
            if job is not None:
                job.cancel()
        self.job = self.question = None

    def stop(self) -> None:
        self.cancel()
        self.engine = None  # its table is large, and whoever comes back gets another


def list_outcomes(game: Game, state: Any) -> dict[str, Any]:
    """What chance may bring in `state`, by its name; nothing where a player moves."""
    actions = game.actions(state) if game.player(state) == CHANCE else ()
    return {clean(game.show_action(state, action)): action for action in actions}


def lines_of(found: Analysis) -> list[tuple[float, tuple[Any, ...]]]:
    return list(found.lines) or [(found.value, found.line)]


def most_visited(found: Analysis, count: int) -> tuple[tuple[float, tuple[Any, ...]], ...]:
    """The principal line, and the actions that were simulated most often beside it."""
    others = sorted(found.visits, key=lambda action: (action != found.action, -found.visits[action]))[1:count]
    return ((found.value, found.line), *((found.actions[action], (action,)) for action in others))


def tell(game: Game, state: Any, found: Analysis) -> dict[str, Any]:
    """What a search has found, for a page."""
    lines = [
        {"value": say_points(game, value), "moves": write_line(game, state, line[:LINE_LENGTH])}
        for value, line in lines_of(found)
    ]
    return {
        "message": say_value(game, state, found),
        "share": share(game, found.values[0]) if game.players <= 2 else 0.0,
        "depth": found.depth,
        "simulations": sum(found.visits.values()) or None,
        "nodes": found.nodes,
        "speed": found.nodes / found.seconds if found.seconds > 0.001 else None,
        "seconds": found.seconds,
        "exact": found.exact,
        "method": found.method,
        "lines": lines,
    }


def draw_line(game: Game, state: Any, line: tuple[Any, ...]) -> list[dict[str, Any]]:
    """The position after each action of `line`."""
    steps = []
    course = []
    for action in line[:LINE_LENGTH]:
        course.append((state, game.player(state), action))
        say = game.show_action(state, action)
        state = game.result(state, action)
        picture = draw(game, state)
        last = last_touched(game, course, picture)
        steps.append({"notation": say, "picture": picture, "text": game.show(state), "last": last})
    return steps
