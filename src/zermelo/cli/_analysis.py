"""An `Analysis`, or a strong solution, as data and as words: what `analyse` and `solve` print."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo.analysis import Analysis
from zermelo.cli._answer import progress
from zermelo.cli._options import Start, is_imagined
from zermelo.game import CHANCE
from zermelo.play.notation import write_line
from zermelo.play.words import say_mean, say_number, say_points, say_value
from zermelo.search.trace.words import clean, listing, plural

if TYPE_CHECKING:
    from zermelo.engine.outcomes import Choice
    from zermelo.engine.solution import Solution, SolveProgress
    from zermelo.tables import Tables

WIDTH_CHARS = 80
LISTED_ACTIONS = 12
"""Actions that are listed with the results of simulations."""
UNPRUNED = ("alphamu", "solver", "minimax", "h-minimax", "negamax", "maxn", "expectiminimax")
"""Searches that give every action of the root its value; the others only a bound to all but the best."""

STOPS = {
    "interrupt": "by Ctrl-C",
    "nodes": "at the limit of nodes",
    "simulations": "at the limit of simulations",
    "seconds": "when the time was up",
}


def analysis_data(start: Start, found: Analysis) -> dict[str, object]:
    """Everything in `found`, actions in the game's notation."""
    line = write_line(start.game, start.state, found.line)
    return {
        "game": start.game.name,
        "position": start.game.write(start.state),
        "value": found.value,
        "values": found.values,
        "action": line[0] if line else None,
        "line": line,
        "depth": found.depth,
        "nodes": found.nodes,
        "leaves": found.leaves,
        "cutoffs": found.cutoffs,
        "probed": found.probed,
        "seconds": found.seconds,
        "exact": found.exact,
        "bounds": found.bounds,
        "rounding": found.rounding,
        "method": found.method,
        "stopped": found.stopped,
        "actions": {clean(start.game.show_action(start.state, a)): value for a, value in found.actions.items()},
        "visits": {clean(start.game.show_action(start.state, a)): count for a, count in found.visits.items()},
    }


def analysis_text(start: Start, found: Analysis, narrow: bool = False) -> str:
    """The board, the best action, its value and the effort of the search; after a `narrow` window the bounds."""
    line = write_line(start.game, start.state, found.line)
    rows = [("value", say_value(start.game, start.state, found))]
    if line:
        rows.insert(0, ("best", line[0]))
        rows.append(("line", " ".join(line)))
    elif not start.game.is_terminal(start.state) and start.game.player(start.state) == CHANCE:
        rows.insert(0, ("best", "nothing to choose: chance moves here"))
    if narrow and found.bounds[0] != found.bounds[1]:
        low, high = (say_number(bound) for bound in found.bounds)
        rows.append(("bounds", f"at most {high}" if found.bounds[1] == found.value else f"at least {low}"))
    if len(found.actions) > 1:
        rows.append(("moves", list_actions(start, found)))
    depth = f"depth {found.depth}, " if found.depth is not None else ""
    if found.visits:
        counted = ("world", "worlds") if is_imagined(found.method) else ("simulation", "simulations")
        depth = f"{plural(found.leaves, *counted)}, "
    speed = f", {found.nodes / found.seconds:,.0f} a second" if found.seconds >= 0.001 else ""
    rows.append(("search", f"{depth}{plural(found.nodes, 'node', 'nodes')}{speed}"))
    if found.rounding:
        rows.append(("rounded", f"payoffs less than {found.rounding:g} apart may stand in either order"))
    if found.probed:
        rows.append(("probed", f"{plural(found.probed, 'position', 'positions')} in endgame tables"))
    rows.append(("method", found.method))
    if found.stopped:
        rows.append(("stopped", f"{STOPS.get(found.stopped, found.stopped)}; this is the best so far"))
    return f"{start.game.show(start.state)}\n\n" + "\n".join(lay_out(name, text) for name, text in rows)


def list_actions(start: Start, found: Analysis) -> str:
    """`b1 = 3, c1 ≤ 2`: best first, ties in the order searched; of simulations also how many there were."""
    if found.visits:
        most = sorted(found.actions.items(), key=lambda pair: (pair[0] != found.action, -found.visits[pair[0]]))
        named = [(clean(start.game.show_action(start.state, a)), say_mean(v), found.visits[a]) for a, v in most]
        return listing((f"{name} ≈ {value} (×{visits:,})" for name, value, visits in named), LISTED_ACTIONS)
    first, *more = found.method.split("+")
    whole = first in UNPRUNED and not {"star1", "star2", "shallow"} & set(more)
    shown = []
    say = (lambda value: say_points(start.game, value)) if not found.exact else say_number
    for action, value in sorted(found.actions.items(), key=lambda pair: (pair[0] != found.action, -pair[1])):
        relation = "=" if whole or action == found.action else "≤"
        shown.append(f"{clean(start.game.show_action(start.state, action))} {relation} {say(value)}")
    return ", ".join(shown)


def lay_out(name: str, text: str) -> str:
    """A name in the margin and its text beside it, within the width of a terminal."""
    lines = textwrap.wrap(text, WIDTH_CHARS - 9, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(f"{name if i == 0 else '':<8} {line}" for i, line in enumerate(lines))


def solve_start(start: Start, memory: int, threads: int, seconds: float | None) -> Solution:
    """Solves every position that can be reached from `start`, with a progress bar."""
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


def solution_data(start: Start, solution: Solution, found: Analysis, path: str | None) -> dict[str, object]:
    """The value of the position, and figures about all positions that can be reached from it."""
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


def probe_data(start: Start, tables: Tables) -> dict[str, object]:
    """What endgame tables say of the position, and of every action in it."""
    found = tables.analyse(start.state)
    choices = tables.actions(start.state)
    named = {clean(start.game.show_action(start.state, a)): choice._asdict() for a, choice in choices.items()}
    longest = None if start.game.is_terminal(start.state) else tables.longest(start.state)
    known = {"distance": tables.distance(start.state), "longest": longest}
    return {**analysis_data(start, found), **known, "actions": named}


def probe_text(start: Start, tables: Tables) -> str:
    line = write_line(start.game, start.state, tables.line(start.state))
    outcome, choices = tables.outcome(start.state), tables.actions(start.state)
    rows = [("best", line[0])] if line else []
    longest = tables.longest(start.state) if outcome.mover is not None else None
    rows.append(("value", say_known(start, outcome.value, outcome.distance, longest)))
    if line and outcome.distance is not None:
        rows.append(("line", " ".join(line)))
    ranked = sorted(choices.items(), key=lambda each: rank_choice(start, each[1]), reverse=True)
    names = (f"{clean(start.game.show_action(start.state, a))} {say_known(start, *choice)}" for a, choice in ranked)
    rows.append(("moves", ", ".join(names)))
    return f"{start.game.show(start.state)}\n\n" + "\n".join(lay_out(name, text) for name, text in rows if text)


def rank_choice(start: Start, choice: Choice) -> tuple[float, int]:
    plies = choice.distance or 0
    return choice.value, -plies if choice.value > start.game.neutral else plies


def say_known(start: Start, value: float, distance: int | None, longest: int | None = None) -> str:
    """`won in 29`, `lost in at most 48`, in plies, `won` or `drawn`."""
    if value == start.game.neutral:
        return "drawn"
    result = "won" if value > start.game.neutral else "lost"
    if distance is not None:
        return f"{result} in {distance}"
    return result if longest is None else f"{result} in at most {longest}"
