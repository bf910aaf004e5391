"""Analyse: any position, searched deeper and deeper, and what is wrong with the moves that the search rejects."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis, Limits
from zermelo.book import book_of, share_of
from zermelo.engine.searcher import Searcher
from zermelo.errors import ActionError, InputError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import S
from zermelo.play.live import LiveGame
from zermelo.play.notation import read_position, show_action, write_line
from zermelo.play.words import is_too_early, name_game, name_player, say_score, say_value
from zermelo.search.trace.words import plural
from zermelo.studio.messages import number_of, paths_of, text_of
from zermelo.studio.session import StudioSession, Verb, View, describe_error
from zermelo.studio.views.board import (
    MAX_LINE_PLIES,
    LegalMove,
    draw,
    draw_line,
    find_action,
    find_touched,
    legal_moves,
    share,
    show,
    show_halfway,
)
from zermelo.studio.views.files import read_game_text
from zermelo.studio.views.match import Match
from zermelo.studio.views.whynot import explain
from zermelo.studio.workers import WorkerJob

MAX_SEARCH_SECONDS = 600.0
"""For one position; another request continues the search."""
MAX_QUESTION_SECONDS = 20.0
MAX_LINES = 8
TABLE_MB = 32


class AnalyseView(View):
    """One position at a time, with the moves that led to it."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.live: LiveGame | None = None
        self.text = ""
        self.lines = 3
        self.found: Analysis | None = None
        self.answer: dict[str, object] | None = None
        self.error = ""
        self.job: WorkerJob | None = None
        self.question: WorkerJob | None = None
        self.searcher: Searcher | None = None
        self.in_use = threading.Lock()
        """Held while the searcher searches: it has one table, and a search takes a moment to stop."""
        self.drawn: tuple[Any, list[LegalMove], dict[str, object]] | None = None
        """The state that was drawn last, its legal moves and its board."""
        self.verbs: dict[str, Verb] = {
            "open": self.open,
            "adopt": self.adopt,
            "move": self.move,
            "step": self.step,
            "back": self.back,
            "go": self.go,
            "halt": self.halt,
            "line": self.line,
            "whynot": self.whynot,
        }

    # What a page may ask.

    def open(self, given: Mapping[str, object]) -> dict[str, object]:
        """A `game`, perhaps at a `position` or after what `load` contains."""
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
        live = LiveGame(game, start)
        for action in actions:
            live.push(action)
        self.stop()
        self.live, self.text = live, text
        self.lines = number_of(given, "lines", 1, MAX_LINES, 3)
        return self.search()

    def adopt(self, given: Mapping[str, object]) -> dict[str, object]:
        """The game of the Play view, after `ply` of its actions."""
        played = self.session.views["play"]
        assert isinstance(played, Match)
        text, start, plies = played.hand_on()
        ply = number_of(given, "ply", 0, len(plies), len(plies))
        live = LiveGame(played.game_on().game, start)
        for each in plies[:ply]:
            live.push(each.action)
        self.stop()
        self.live, self.text = live, text
        return self.search()

    def move(self, given: Mapping[str, object]) -> dict[str, object]:
        live = self.position()
        if live.game.is_terminal(live.state):
            raise ActionError("the game is over here")
        notation = text_of(given, "move", most=200)
        outcomes = list_outcomes(live)
        live.push(outcomes[notation] if notation in outcomes else self.find_action(notation))
        return self.search()

    def step(self, given: Mapping[str, object]) -> dict[str, object]:
        """The board, and what can follow, after the steps `made` of a move."""
        live = self.position()
        if live.game.is_terminal(live.state) or live.game.player(live.state) == CHANCE:
            raise ActionError("nobody is to move here")
        return show_halfway(live.game, live.state, live.legal_actions(), paths_of(given, "made"))

    def back(self, given: Mapping[str, object]) -> dict[str, object]:
        """Back to the position after `ply` actions; by one action without it."""
        live = self.position()
        ply = number_of(given, "ply", 0, len(live.plies), max(len(live.plies) - 1, 0))
        while len(live.plies) > ply:
            live.undo()
        return self.search()

    def go(self, given: Mapping[str, object]) -> dict[str, object]:
        self.position()
        self.lines = number_of(given, "lines", 1, MAX_LINES, self.lines)
        return self.search()

    def halt(self, given: Mapping[str, object]) -> dict[str, object]:
        self.cancel()
        self.session.push("analyse")
        return {}

    def line(self, given: Mapping[str, object]) -> dict[str, object]:
        """The positions of a line that was found, drawn one by one."""
        live = self.position()
        number = number_of(given, "line", 0, MAX_LINES)
        lines = [] if self.found is None else lines_of(self.found)
        if number >= len(lines):
            raise InputError("there is no such line")
        return {"steps": draw_line(live.game, live.state, lines[number][1])}

    def whynot(self, given: Mapping[str, object]) -> dict[str, object]:
        """Why the search does not choose `move`."""
        live = self.position()
        game, state, history = live.game, live.state, list(live.history)
        if game.is_terminal(state):
            raise ActionError("the game is over here: go back to ask about a move")
        if game.player(state) == CHANCE:
            raise ActionError("chance decides here, and nobody chooses: ask after what it brings")
        action, found = self.find_action(text_of(given, "move", most=200)), self.found

        def work(job: WorkerJob) -> bool:
            try:
                answer = explain(game, state, history, action, found, job.should_stop)
                answer["steps"] = draw_line(game, state, answer.pop("line"))
            except (Exception, SystemExit) as error:  # rules are anybody's code
                answer = {"message": describe_error(error), "reasoning": "", "steps": []}
            with self.session.lock:
                if self.question is job and live.state is state:
                    self.question, self.answer = None, answer
            self.session.push("analyse")
            return True

        if self.question is not None:
            self.question.cancel()
        self.answer = None
        self.question = self.session.search(work, MAX_QUESTION_SECONDS)
        self.session.push("analyse")
        return {}

    def find_action(self, notation: str) -> Any:
        live = self.position()
        return find_action(live.game, live.state, live.history, self.draw()[0], notation)

    # The search.

    def position(self) -> LiveGame:
        """The position on the board, with the way there; an error if there is none."""
        if self.live is None:
            raise InputError("there is no position: choose a game")
        return self.live

    def search(self) -> dict[str, object]:
        """Begins to search the position, in place of what is searched now."""
        self.cancel()
        self.found, self.answer, self.error = None, None, ""
        live = self.position()
        if not live.game.is_terminal(live.state):
            state, history = live.state, list(live.history)
            work = lambda job: self.deepen(job, live.game, state, history)  # noqa: E731
            self.job = self.session.search(work, MAX_SEARCH_SECONDS, yields=True)
        self.session.push("analyse")
        return {}

    def deepen(self, job: WorkerJob, game: Game[S, Any], state: S, history: list[S]) -> bool:
        """One slice of the search; whether it is over."""
        ended = ""
        try:
            with self.in_use:
                for found in self.depths(game, state, history, job):
                    ended = found.stopped
                    if not self.note(job, found):
                        return True
        except (Exception, SystemExit) as error:  # rules are anybody's code
            self.error = describe_error(error)
            self.finish(job)
            return True
        if ended == "stop" and not job.cancelled and not job.is_late():
            return False
        self.finish(job)
        return True

    def depths(self, game: Game[S, Any], state: S, history: list[S], job: WorkerJob) -> Iterator[Analysis]:
        """One analysis per depth, or of a tree that keeps growing."""
        if self.searcher is None or self.searcher.game is not game:
            self.searcher = Searcher(game, table_mb=TABLE_MB, quiet=True)
        limits = Limits(stop=job.should_stop)
        for found in self.searcher.think(state, limits, history=history, lines=self.lines):
            yield replace(found, lines=most_visited(found, self.lines)) if found.visits else found

    def note(self, job: WorkerJob, found: Analysis) -> bool:
        """Shows what one more depth has found; false if it is no longer wanted."""
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

    # What the page shows.

    def draw(self) -> tuple[list[LegalMove], dict[str, object]]:
        """The legal moves and the board of the present position, drawn once for all snapshots that show it."""
        live = self.position()
        game, state = live.game, live.state
        if self.drawn is None or self.drawn[0] is not state:
            picture = draw(game, state)
            moves = legal_moves(game, state, live.legal_actions(), picture)
            board = show(game, state, picture, moves)
            outcomes = [{"notation": notation, "at": []} for notation in list_outcomes(live)]
            plies = [(ply.state, ply.mover, ply.action) for ply in live.plies]
            board |= {
                "legal": outcomes or board["legal"],
                "last": find_touched(game, reversed(plies), picture),
                "moves": [{"notation": show_action(game, s, a), "player": mover} for s, mover, a in plies],
                "book": say_book(game, state),
            }
            self.drawn = state, moves, board
        return self.drawn[1:]

    def snapshot(self) -> dict[str, object] | None:
        if self.live is None:
            return None
        live = self.live
        _, board = self.draw()
        return {
            **board,
            "game": self.text,
            "name": live.game.name,
            "title": name_game(live.game),
            "colours": list(live.game.player_colours),
            "below": live.game.player_below,
            "names": [name_player(live.game, p) for p in range(live.game.players)],
            "ply": len(live.plies),
            "lines_asked": self.lines,
            "running": self.job is not None,
            "asking": self.question is not None,
            "answer": self.answer,
            "error": self.error,
            "interpreted": self.searcher.why_textbook if self.searcher is not None else "",
            "analysis": None if self.found is None else show_analysis(live.game, live.state, self.found),
        }

    def cancel(self) -> None:
        for job in (self.job, self.question):
            if job is not None:
                job.cancel()
        self.job = self.question = None

    def stop(self) -> None:
        self.cancel()
        self.searcher = None  # its table is large, and a page that comes back gets another


def list_outcomes(live: LiveGame) -> dict[str, object]:
    """The outcomes of chance by their names; none where a player moves."""
    game, state = live.game, live.state
    if game.is_terminal(state) or game.player(state) != CHANCE:
        return {}
    return {show_action(game, state, action): action for action in game.actions(state)}


def say_book(game: Game[S, Any], state: S) -> str:
    """What the book of the game plays here, each move with what is known of it; empty if it does not know."""
    book = book_of(game)
    said = []
    for move, part in [] if book is None else book.shares(state):
        facts = [f"{part:.0%}"]
        if move.games:
            score = "" if move.score is None else f" with {share_of(game, move.score):.0%} of the points"
            facts.append(f"{plural(move.games, 'game', 'games')}{score}")
        if move.value is not None:
            facts.append(f"value {say_score(game, move.value)}")
        said.append(f"{show_action(game, state, move.action)} ({', '.join(facts)})")
    return f"Book: {'; '.join(said)}" if said else ""


def lines_of(found: Analysis) -> list[tuple[float, tuple[Any, ...]]]:
    return list(found.lines) or [(found.value, found.line)]


def most_visited(found: Analysis, count: int) -> tuple[tuple[float, tuple[Any, ...]], ...]:
    """The principal line, and the actions that were simulated most often beside it."""
    others = sorted(
        (action for action in found.actions if action != found.action), key=lambda a: -found.visits.get(a, 0)
    )
    return ((found.value, found.line), *((found.actions[action], (action,)) for action in others[: count - 1]))


def say_found(game: Game[S, Any], state: S, found: Analysis) -> str:
    """What is proved, or else how the players stand, in the numbers of the lines."""
    if found.exact or not game.kind.scalar or is_too_early(game, found) or game.is_terminal(state):
        return say_value(game, state, found)
    score, mover = say_score(game, found.value), name_player(game, max(game.player(state), 0))
    return f"{mover} {score}" if score in ("wins", "loses") else f"{score} for {mover}"


def show_analysis(game: Game[S, Any], state: S, found: Analysis) -> dict[str, object]:
    """What a search has found, for a page."""
    lines = [
        {"value": say_score(game, value), "moves": write_line(game, state, line[:MAX_LINE_PLIES])}
        for value, line in lines_of(found)
    ]
    return {
        "message": say_found(game, state, found),
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
