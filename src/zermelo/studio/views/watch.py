"""Watch: searches recorded step by step, one or two side by side, on a tree typed in or on a position of a game."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from zermelo.engine.imagined import find_algorithm
from zermelo.errors import InputError, ZermeloError
from zermelo.game import AnyGame, Tree
from zermelo.play.notation import play_moves, read_position, show_action
from zermelo.search import revealed
from zermelo.search.algorithms import IMAGINED, SAMPLED
from zermelo.search.trace import Trace, diff
from zermelo.search.trace.scene import PICTURE_LIMIT
from zermelo.studio.exercise import make_exercise
from zermelo.studio.messages import flag_of, number_of, numbers_of, text_of
from zermelo.studio.recordings import Recording
from zermelo.studio.session import StudioSession, UncachedAnswer, Verb, View, describe_error
from zermelo.studio.views.board import draw
from zermelo.studio.workers import WorkerJob

MAX_SEARCH_SECONDS = 300.0
"""How long a search may run: enough for several million nodes."""
FAIR_SECONDS = 30.0
"""How long it may run while others wait for a thread."""
INDEX_SECONDS = 120.0
"""Added, for building its index and comparing it with the other side."""
PROGRESS_INTERVAL_SECONDS = 0.4
"""Between two reports of how long a recording is."""
MAX_CLOSED_NODES = 500
"""Nodes that a page may have folded."""
DEFAULT_SIMULATIONS, MAX_SIMULATIONS = 60, 1_000_000
"""Simulations of a Monte Carlo search: the default, few enough to follow, and the maximum."""
DEFAULT_WORLDS, MAX_WORLDS = 10, 1_000
"""Worlds that a search imagines: the same."""
TECHNIQUES = ("table", "null_move", "probcut", "quiescence", "deepen", "quick", "hard")


class WatchView(View):
    """Two sides, each with one recorded search."""

    incremental = False  # its snapshots are large

    def __init__(self, session: StudioSession):
        self.session = session
        self.recordings: list[Recording | None] = [None, None]
        self.errors = ["", ""]
        self.jobs: list[WorkerJob | None] = [None, None]
        self.halted: list[WorkerJob | None] = [None, None]
        self.versions = [0, 0]
        self.difference: dict[str, object] | None = None
        self.verbs: dict[str, Verb] = {
            "run": self.run,
            "halt": self.halt,
            "close": self.close,
            "window": self.window,
            "exercise": self.exercise,
            "board": self.board,
            "page": self.page,
        }

    def run(self, given: Mapping[str, object]) -> dict[str, object]:
        """Records `algorithm` on `game`, at `position` or after `moves`, on one `side`."""
        side = number_of(given, "side", 0, 1, 0)
        game = self.session.catalogue.load(text_of(given, "game"))
        name = text_of(given, "algorithm", most=40)
        imagines = name in IMAGINED
        game = revealed(game) if game.kind.hidden and not imagines else game
        position = text_of(given, "position", "").strip()
        start = read_position(game, position) if position else game.initial()
        state, history = play_moves(game, start, text_of(given, "moves", "").split())
        search = find_algorithm(name)
        options = (read_worlds if imagines else read_simulations if name in SAMPLED else read_techniques)(given)

        def work(job: WorkerJob) -> bool:
            recording = self.session.recordings.start(None if imagines or isinstance(game, Tree) else (game, state))
            monitor = RecordingMonitor(self, side, job, recording)
            try:
                found = search(game, state, history=history, trace=recording.events, stop=monitor.stop, **options)
                if not job.cancelled:
                    recording.finish(found.trace)
                self.finish(side, job, recording, "")
            except (Exception, SystemExit) as error:  # rules are anybody's code
                self.finish(side, job, None, describe_error(error))
            return True

        self.cancel(side)
        self.jobs[side] = self.session.search(work, MAX_SEARCH_SECONDS + INDEX_SECONDS)
        self.session.push("watch")
        return {}

    def finish(self, side: int, job: WorkerJob, recording: Recording | None, error: str) -> None:
        """Shows what was recorded, once it is known how it differs from the other side."""
        while True:
            with self.session.lock:
                other = self.recordings[1 - side]
            pair = (recording, other) if side == 0 else (other, recording)
            difference = compare(*pair, partial(self.is_outdated, side, job, other))
            with self.session.lock:
                if self.jobs[side] is not job or job.cancelled:
                    return
                if self.recordings[1 - side] is not other:
                    continue
                self.jobs[side] = None
                self.recordings[side], self.errors[side], self.difference = recording, error, difference
                self.versions[side] += 1
            self.session.push("watch")
            return

    def is_outdated(self, side: int, job: WorkerJob, other: Recording | None) -> bool:
        """Whether the difference between what `job` has recorded on one side and `other` is no longer wanted."""
        return job.cancelled or self.recordings[1 - side] is not other

    def halt(self, given: Mapping[str, object]) -> dict[str, object]:
        """Stops recording; what there is by now is shown."""
        side = number_of(given, "side", 0, 1)
        self.halted[side] = self.jobs[side]
        return {}

    def close(self, given: Mapping[str, object]) -> dict[str, object]:
        side = number_of(given, "side", 0, 1)
        self.cancel(side)
        self.recordings[side], self.errors[side] = None, ""
        self.versions[side] += 1
        self.difference = None
        self.session.push("watch")
        return {}

    def window(self, given: Mapping[str, object]) -> dict[str, object]:
        """The steps around `step` below the node that the trace calls `node`; those called `closed` are folded."""
        recording = self.recording_of(given)
        node = number_of(given, "node", 0, 2**40, 0)
        step = None if given.get("step") is None else number_of(given, "step", 0, 2**40)
        return UncachedAnswer(view=recording.view(node, step, numbers_of(given, "closed", MAX_CLOSED_NODES)))

    def exercise(self, given: Mapping[str, object]) -> dict[str, object]:
        """A sheet to print: the tree without its values, and the key on a page of its own."""
        trace = self.recording_of(given).part(number_of(given, "node", 0, 2**40, 0), PICTURE_LIMIT)
        return UncachedAnswer(name="exercise.html", content=make_exercise(trace, flag_of(given, "key", True)))

    def board(self, given: Mapping[str, object]) -> dict[str, object]:
        """The position of the node that the trace calls `node`, drawn; no picture where that cannot be worked out."""
        recording = self.recording_of(given)
        line = recording.line(number_of(given, "node", 0, 2**40))
        if recording.start is None:
            return {"picture": ""}
        game, state = recording.start
        for event in line:
            following = follow(game, state, event)
            if following is None:
                return UncachedAnswer(picture="")
            state = following
        return UncachedAnswer(picture=draw(game, state))

    def page(self, given: Mapping[str, object]) -> dict[str, object]:
        """A recorded search as one web page, to be kept."""
        trace, _ = self.recording_of(given).open()
        return UncachedAnswer(name="search.html", content=trace.html())

    def recording_of(self, given: Mapping[str, object]) -> Recording:
        recording = self.recordings[number_of(given, "side", 0, 1, 0)]
        if recording is None:
            raise InputError("nothing has been recorded there")
        return recording

    def snapshot(self) -> dict[str, object] | None:
        sides = [
            {
                **self.show(side),
                "version": self.versions[side],
                "running": self.jobs[side] is not None,
            }
            for side in (0, 1)
        ]
        return {"sides": sides, "difference": self.difference} if any(self.versions) or any(self.jobs) else None

    def show(self, side: int) -> dict[str, object]:
        """How the run of one side ends; computed each time, since those of many sessions would fill the memory."""
        recording = self.recordings[side]
        try:
            shown = None if recording is None else recording.view()
            has_boards = recording is not None and recording.start is not None
            return {"view": shown, "error": self.errors[side], "board": has_boards}
        except InputError as error:
            return {"view": None, "error": str(error), "board": False}

    def cancel(self, side: int) -> None:
        job = self.jobs[side]
        if job is not None:
            job.cancel()
        self.jobs[side] = None

    def stop(self) -> None:
        for side in (0, 1):
            if self.jobs[side] is not None:
                self.cancel(side)
                self.versions[side] += 1  # a page that comes back shows what there is in place of what was recorded


def follow(game: AnyGame, state: Any, event: Mapping[str, Any]) -> Any:
    """The position that `event` enters from `state`; `None` if no action leads there."""
    if event.get("mode") == "null move":
        return game.pass_turn(state)
    label, action = event.get("label"), event.get("action")
    for each in game.actions(state):
        if each == action or (action is None and show_action(game, state, each) == label):
            return game.result(state, each)
    return None


class RecordingMonitor:
    """Decides at every node of a search whether to stop, and reports the length of the recording."""

    def __init__(self, view: WatchView, side: int, job: WorkerJob, recording: Recording):
        self.view, self.side, self.job, self.recording = view, side, job, recording
        self.begun = self.reported = time.monotonic()

    def stop(self) -> bool:
        if self.job.cancelled or self.recording.ended:
            return True
        now = time.monotonic()
        if now - self.reported > PROGRESS_INTERVAL_SECONDS:
            self.reported = now
            self.recording.ended = self.find_end(now)
            progress = {"side": self.side, "steps": len(self.recording.events)}
            self.view.session.send("recording", progress)
        return bool(self.recording.ended)

    def find_end(self, now: float) -> str:
        """Why the search has to stop now, if it has to."""
        events = self.recording.events
        if self.view.halted[self.side] is self.job:
            return "by hand"
        if now - self.begun > MAX_SEARCH_SECONDS:
            return f"after {MAX_SEARCH_SECONDS:g} seconds"
        if now - self.begun > FAIR_SECONDS and self.job.pool is not None and self.job.pool.waiting:
            return "because others were waiting"
        if len(events) >= events.most:
            return f"after {events.most:,} steps"
        return "" if self.recording.grow() else "because no more memory is free for recordings"


def compare(one: Recording | None, other: Recording | None, stop: Callable[[], bool]) -> dict[str, object] | None:
    """Where the two sides first differ, if there are two that can be compared; `stop` ends the comparison."""
    traces = [None if each is None else each.trace for each in (one, other)]
    first, second = traces
    if first is None or second is None:
        return None
    try:
        found = diff(first, second, stop=stop)
    except ZermeloError as error:
        return {"message": str(error), "steps": None}
    if found is None:
        return {"message": "The two searches agree in every step.", "steps": None}
    return {"message": found.say(*name_searches(first, second)), "steps": [found.step_a, found.step_b]}


def name_searches(one: Trace, other: Trace) -> tuple[str, str]:
    names = [str(trace.header.get("algorithm") or "the search") for trace in (one, other)]
    return (names[0], names[1]) if names[0] != names[1] else ("the first", "the second")


def read_simulations(given: Mapping[str, object]) -> dict[str, object]:
    return {"simulations": number_of(given, "simulations", 1, MAX_SIMULATIONS, DEFAULT_SIMULATIONS)}


def read_worlds(given: Mapping[str, object]) -> dict[str, object]:
    """How many worlds a search imagines; `simulations` is what the page calls them all."""
    options: dict[str, object] = {"worlds": number_of(given, "simulations", 1, MAX_WORLDS, DEFAULT_WORLDS)}
    if given.get("depth") is not None:
        options["depth"] = number_of(given, "depth", 1, 100)
    return options


def read_techniques(given: Mapping[str, object]) -> dict[str, object]:
    """The options of a search that a page may set."""
    options: dict[str, object] = {name: True for name in TECHNIQUES if flag_of(given, name)}
    if given.get("depth") is not None:
        options["depth"] = number_of(given, "depth", 0, 100)
    for name in ("order", "extensions"):
        if given.get(name):
            options[name] = text_of(given, name, most=200)
    return options
