"""A strong solution as data and as words: what `solve --strongly` prints."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Analysis
from zermelo.cli._analysis import lay_out
from zermelo.cli._options import Start
from zermelo.cli._progress import progress
from zermelo.play.notation import write_line
from zermelo.play.words import say_value

if TYPE_CHECKING:
    from zermelo.engine.solution import Solution, SolveProgress


def solve_start(start: Start, memory: int, threads: int, seconds: float | None) -> Solution:
    """Solves all that can be reached from `start`, with a sign of life."""
    from zermelo.engine.solution import solve_strongly

    name = start.game.name
    stop: Callable[[], bool] | None = None
    if seconds is not None:
        deadline = time.monotonic() + seconds

        def stop() -> bool:
            return time.monotonic() > deadline

    with progress(f"solving {name}") as shown:

        def tell(now: SolveProgress) -> None:
            part = "" if now.stage == "exploring" else f", {now.stage} {now.done / now.states:.0%}"
            shown.text = f"solving {name}: {now.states:,} positions{part}, {now.bytes >> 20:,} MB"

        return solve_strongly(start.game, start.state, memory, threads, stop, tell)


def solution_data(start: Start, solution: Solution, found: Analysis, path: str | None) -> dict[str, Any]:
    """What there is to say about the position and about all that can be reached from it."""
    line = write_line(start.game, start.state, found.line)
    counts = solution.counts
    return {
        "game": start.game.name,
        "position": start.game.write(start.state),
        "value": found.value,
        "values": found.values,
        "distance": solution.distance(start.state),
        "action": line[0] if line else None,
        "line": line,
        "states": len(solution),
        "wins": counts.wins,
        "draws": counts.draws,
        "losses": counts.losses,
        "ends": counts.ends,
        "rolls": counts.rolls,
        "error": solution.error,
        "seconds": solution.seconds,
        "exact": True,
        "method": found.method,
        "file": path,
    }


def solution_text(start: Start, solution: Solution, found: Analysis, path: str | None) -> str:
    line = write_line(start.game, start.state, found.line)
    counts = solution.counts
    speed = f", {len(solution) / solution.seconds:,.0f} a second" if solution.seconds >= 0.001 else ""
    rows = [("best", line[0])] if line else []
    rows.append(("value", say_value(start.game, start.state, found)))
    if line:
        rows.append(("line", " ".join(line)))
    rows.append(("solved", f"{len(solution):,} positions{speed}"))
    tally = f"{counts.wins:,} won, {counts.draws:,} drawn, {counts.losses:,} lost for the player to move"
    rolls = f", {counts.rolls:,} with chance to move" if counts.rolls else ""
    rows.append(("of these", f"{tally}; {counts.ends:,} ends{rolls}"))
    if solution.error:
        rows.append(("error", f"at most {solution.error:.1g}, by value iteration"))
    if path is not None:
        rows.append(("saved", f"{path}; the player solution:{path} plays from it"))
    return f"{start.game.show(start.state)}\n\n" + "\n".join(lay_out(name, text) for name, text in rows)
