"""Watch: searches recorded step by step, one or two side by side, on a tree typed in or on a position of a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.arena.position import play_moves, read_position
from zermelo.errors import InputError, ZermeloError
from zermelo.search import revealed
from zermelo.search.algorithms import SAMPLED, algorithm
from zermelo.search.trace import Trace, diff
from zermelo.search.trace.html import view
from zermelo.studio.desk import Job
from zermelo.studio.exercise import make_exercise
from zermelo.studio.session import say_error
from zermelo.studio.window import below
from zermelo.studio.wire import flag_of, number_of, text_of

if TYPE_CHECKING:
    from zermelo.studio.session import Session

MOST_EVENTS = 200_000
"""Steps that are kept: more would fill the memory of a small machine."""
MOST_STEPS = 8_000
"""Steps that a page is sent at once; of a longer run, the window that it asks for."""
MOST_NODES = 250
"""Nodes that are drawn at once, each about six elements of SVG."""
SIMULATIONS = 60
"""Of a Monte Carlo search: as many as one can still follow."""
FLAGS = ("table", "null_move", "quiescence", "deepen", "quick", "hard")


class WatchRoom:
    """Two sides, each with one recorded search."""

    def __init__(self, session: Session):
        self.session = session
        self.traces: list[Trace | None] = [None, None]
        self.shown: list[dict[str, Any] | None] = [None, None]
        self.errors = ["", ""]
        self.jobs: list[Job | None] = [None, None]
        self.versions = [0, 0]
        self.difference: dict[str, Any] | None = None
        self.verbs: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "run": self.run,
            "close": self.close,
            "window": self.window,
            "exercise": self.exercise,
        }

    def run(self, given: dict[str, Any]) -> dict[str, Any]:
        """Records `algorithm` on `game`, at `position` or after `moves`, on one `side`."""
        side = number_of(given, "side", 0, 1, 0)
        game = self.session.catalogue.load(text_of(given, "game"))
        game = revealed(game) if game.can("view") else game
        position = text_of(given, "position", "").strip()
        start = read_position(game, position) if position else game.initial()
        state, history = play_moves(game, start, text_of(given, "moves", "").split())
        name = text_of(given, "algorithm", most=40)
        search = algorithm(name)
        options = {"simulations": SIMULATIONS} if name in SAMPLED else read_techniques(given)

        def work(job: Job) -> bool:
            try:
                found = search(game, state, history=history, trace=MOST_EVENTS, stop=job.should_stop, **options)
                self.finish(side, job, found.trace, "")
            except (Exception, SystemExit) as error:  # rules are anybody's code
                self.finish(side, job, None, say_error(error))
            return True

        self.cancel(side)
        self.jobs[side] = self.session.search(work, 30.0)
        self.session.push("watch")
        return {}

    def finish(self, side: int, job: Job, trace: Trace | None, error: str) -> None:
        shown = None if trace is None else make_view(trace)
        with self.session.lock:
            if self.jobs[side] is not job or job.cancelled:
                return
            self.jobs[side] = None
            self.traces[side], self.shown[side], self.errors[side] = trace, shown, error
            self.versions[side] += 1
            self.compare()
        self.session.push("watch")

    def compare(self) -> None:
        """Where the two sides part ways, if there are two that can be compared."""
        self.difference = None
        one, other = self.traces
        if one is None or other is None:
            return
        try:
            found = diff(one, other)
        except ZermeloError as error:
            self.difference = {"says": str(error), "steps": None}
            return
        if found is None:
            self.difference = {"says": "The two searches agree in every step.", "steps": None}
        else:
            names = [str(trace.header.get("algorithm") or "the search") for trace in (one, other)]
            if names[0] == names[1]:
                names = ["the first", "the second"]
            self.difference = {"says": found.say(*names), "steps": [found.step_a, found.step_b]}

    def close(self, given: dict[str, Any]) -> dict[str, Any]:
        side = number_of(given, "side", 0, 1)
        self.cancel(side)
        self.traces[side], self.shown[side], self.errors[side] = None, None, ""
        self.versions[side] += 1
        self.difference = None
        self.session.push("watch")
        return {}

    def window(self, given: dict[str, Any]) -> dict[str, Any]:
        """A part of the tree: what lies below the node that the trace calls `node`."""
        trace = self.trace_of(given)
        part = below(trace, number_of(given, "node", 0, 2**40))
        return {"view": make_view(part)}

    def exercise(self, given: dict[str, Any]) -> dict[str, Any]:
        """A sheet to print: the tree without its values, and the key on a page of its own."""
        return {"name": "exercise.html", "content": make_exercise(self.trace_of(given), flag_of(given, "key", True))}

    def trace_of(self, given: dict[str, Any]) -> Trace:
        trace = self.traces[number_of(given, "side", 0, 1, 0)]
        if trace is None:
            raise InputError("nothing has been recorded there")
        return trace

    def snapshot(self) -> dict[str, Any] | None:
        sides = [
            {
                "view": self.shown[side],
                "version": self.versions[side],
                "running": self.jobs[side] is not None,
                "error": self.errors[side],
            }
            for side in (0, 1)
        ]
        return {"sides": sides, "difference": self.difference} if any(self.versions) or any(self.jobs) else None

    def cancel(self, side: int) -> None:
        job = self.jobs[side]
        if job is not None:
            job.cancel()
        self.jobs[side] = None

    def stop(self) -> None:
        for side in (0, 1):
            self.cancel(side)


def make_view(trace: Trace) -> dict[str, Any]:
    """The trace for a page; the totals are those of the search, however little of it is shown."""
    return view(trace.header, trace.events, MOST_STEPS, MOST_NODES) | {"total": len(trace)}


def read_techniques(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a search that a page may set."""
    options: dict[str, Any] = {name: True for name in FLAGS if flag_of(given, name)}
    if given.get("depth") is not None:
        options["depth"] = number_of(given, "depth", 0, 100)
    for name in ("order", "extensions"):
        if given.get(name):
            options[name] = text_of(given, name, most=200)
    return options
