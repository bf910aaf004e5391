"""How much a recorded search of a million nodes takes, and how soon any place of it is shown.

    python bench/long_trace.py --depth 7

Minimax of Connect Four to `--depth` plies, and of a tree with `--width` actions in each of its three plies, is recorded
as the studio does it. The figures: steps a second, beside the same search with nothing recorded and with its events
kept as Python's dicts (one ply less deep, for they need a hundred times the memory); bytes a step, of the events and of
their index; and how long a page waits for the window around a random step, for a random part of the tree, and for the
first difference from another search.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from tools import answer, arguments, table

from zermelo.game import Game, Tree
from zermelo.games import load
from zermelo.search import alphabeta, minimax
from zermelo.search.trace import Event, Packed, diff
from zermelo.studio.messages import write
from zermelo.studio.recordings import Recording, RecordingCache


class Loose(Packed):
    """Events as dicts, one by one."""

    def append(self, event: Event) -> None:
        self._open.append(event)


def seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def record(game: Game, depth: int, cache: RecordingCache) -> tuple[dict[str, Any], Recording]:
    """What the recording of one search has cost, and the recording."""
    recording = cache.start()
    started = time.perf_counter()
    found = minimax(game, depth=depth, trace=recording.events)
    taken = time.perf_counter() - started
    assert found.trace is not None
    packed = recording.events.nbytes
    indexed = seconds(lambda: recording.finish(found.trace))
    steps = len(found.trace)
    return {
        "nodes": found.nodes,
        "steps": steps,
        "seconds": taken,
        "steps a second": steps / taken,
        "bytes a step": recording.nbytes / steps,
        "of these, events": packed / steps,
        "seconds to index": indexed,
    }, recording


def compare_rates(game: Game, depth: int) -> dict[str, float]:
    """Steps a second, the best of three rounds: packed, as dicts, and of the same search with nothing recorded."""
    best = {"packed": math.inf, "dicts": math.inf, "nothing": math.inf}
    steps = 0
    for _ in range(3):
        for name, kept in (("packed", Packed()), ("dicts", Loose()), ("nothing", False)):
            taken = seconds(lambda kept=kept: minimax(game, depth=depth, trace=kept))  # type: ignore[misc]
            best[name] = min(best[name], taken)
            steps = len(kept) if isinstance(kept, Packed) else steps
    return {name: steps / taken for name, taken in best.items()}


def look_around(recording: Recording, count: int, dice: random.Random) -> dict[str, dict[str, float]]:
    """Milliseconds until the message with a window is ready to be sent."""
    trace, cutter = recording.open()
    steps, nodes = len(trace), len(cutter.index)

    def wait(root: int, step: int | None, closed: list[int]) -> float:
        return 1000 * seconds(lambda: write({"id": 1, "ok": {"view": recording.view(root, step, closed)}}))

    asked = {
        "the window around a step": lambda: wait(0, dice.randint(0, steps), []),
        "a part of the tree": lambda: wait(dice.randrange(nodes), None, []),
        "a window with folded nodes": lambda: wait(
            0, dice.randint(0, steps), [dice.randrange(nodes) for _ in range(20)]
        ),
        "the end of the run": lambda: wait(0, None, []),
    }
    return {what: describe([ask() for _ in range(count)]) for what, ask in asked.items()}


def describe(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
    most = ordered[int(0.95 * (len(ordered) - 1))]
    return {"median": statistics.median(ordered), "19 of 20 within": most, "worst": ordered[-1]}


def find_difference(game: Game, depth: int, recording: Recording) -> float:
    """Seconds until it is known where alpha-beta goes another way."""
    other = alphabeta(game, depth=depth, trace=True).trace
    assert recording.trace is not None
    assert other is not None
    trace = recording.trace
    return seconds(lambda: diff(trace, other))


def measure(name: str, game: Game, depth: int, windows: int) -> dict[str, Any]:
    cache = RecordingCache()
    rates = compare_rates(game, max(1, depth - 1))
    cost, recording = record(game, depth, cache)
    found = {"search": name, **cost, "rates": rates}
    found["difference"] = find_difference(game, depth, recording)
    return found | {"waits": look_around(recording, windows, random.Random(1))}


def render(found: list[dict[str, Any]]) -> str:
    head = [
        "search",
        "nodes",
        "steps",
        "seconds",
        "steps a second",
        "bytes a step",
        "of these, events",
        "seconds to index",
    ]
    costs = [
        [each["search"], *(f"{each[name]:,.0f}" for name in head[1:5]), *(f"{each[name]:.1f}" for name in head[5:])]
        for each in found
    ]
    rates = [
        [
            each["search"],
            *(f"{rate:,.0f}" for rate in each["rates"].values()),
            f"{each['rates']['packed'] / each['rates']['dicts']:.2f}",
        ]
        for each in found
    ]
    waits = [
        [f"{each['search']}: {what}", *(f"{value:.0f}" for value in times.values())]
        for each in found
        for what, times in each["waits"].items()
    ]
    told = [
        f"{each['search']}: the first difference from alpha-beta is known after {1000 * each['difference']:.0f} ms"
        for each in found
    ]
    return "\n\n".join(
        [
            table(head, costs),
            table(["steps a second, one ply less", "packed", "as dicts", "not recorded", "packed : dicts"], rates),
            table(["in ms", "median", "19 of 20 within", "worst"], waits),
            "\n".join(told),
        ]
    )


def main() -> None:
    asked = arguments(
        __doc__,
        depth=(7, "plies of Connect Four: 7 are 960,793 nodes"),
        width=(99, "actions in each ply of the tree: 99 make 980,200 nodes"),
        windows=(100, "windows of each kind to ask for"),
    )
    dice = random.Random(1)
    tree = [
        [[dice.randint(-99, 99) for _ in range(asked.width)] for _ in range(asked.width)] for _ in range(asked.width)
    ]
    found = [
        measure("Connect Four", load("connect4"), asked.depth, asked.windows),
        measure("a tree", Tree(tree), 3, asked.windows),
    ]
    answer(asked, {"runs": found}, render(found))


if __name__ == "__main__":
    main()
