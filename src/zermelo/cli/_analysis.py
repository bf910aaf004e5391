"""An `Analysis` as data and as words: what `analyse` and `solve` print."""

from __future__ import annotations

import textwrap
from typing import Any

from zermelo.analysis import Analysis
from zermelo.cli._options import Start
from zermelo.game import CHANCE
from zermelo.play.notation import write_line
from zermelo.play.words import say_mean, say_number, say_points, say_value
from zermelo.search.trace.words import clean, listing, plural

WIDTH = 80
MOST_SIMULATED = 12
"""Actions that are listed with what simulations came to."""
UNPRUNED = ("minimax", "h-minimax", "negamax", "maxn", "expectiminimax")
"""Searches that give every action of the root its value; the others only a bound to all but the best."""

STOPS = {
    "interrupt": "by Ctrl-C",
    "nodes": "at the limit of nodes",
    "simulations": "at the limit of simulations",
    "seconds": "when the time was up",
}


def analysis_data(start: Start, found: Analysis) -> dict[str, Any]:
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
        "seconds": found.seconds,
        "exact": found.exact,
        "bounds": found.bounds,
        "method": found.method,
        "stopped": found.stopped,
        "actions": {clean(start.game.show_action(start.state, a)): value for a, value in found.actions.items()},
        "visits": {clean(start.game.show_action(start.state, a)): count for a, count in found.visits.items()},
    }


def analysis_text(start: Start, found: Analysis) -> str:
    """The board, what to play, what it is worth and how much looking that took."""
    line = write_line(start.game, start.state, found.line)
    rows = [("value", say_value(start.game, start.state, found))]
    if line:
        rows.insert(0, ("best", line[0]))
        rows.append(("line", " ".join(line)))
    elif not start.game.is_terminal(start.state) and start.game.player(start.state) == CHANCE:
        rows.insert(0, ("best", "nothing to choose: chance moves here"))
    if len(found.actions) > 1:
        rows.append(("moves", list_actions(start, found)))
    depth = f"depth {found.depth}, " if found.depth is not None else ""
    if found.visits:
        depth = f"{plural(found.leaves, 'simulation', 'simulations')}, "
    speed = f", {found.nodes / found.seconds:,.0f} a second" if found.seconds >= 0.001 else ""
    rows.append(("search", f"{depth}{plural(found.nodes, 'node', 'nodes')}{speed}"))
    rows.append(("method", found.method))
    if found.stopped:
        rows.append(("stopped", f"{STOPS.get(found.stopped, found.stopped)}; this is the best so far"))
    return f"{start.game.show(start.state)}\n\n" + "\n".join(lay_out(name, text) for name, text in rows)


def list_actions(start: Start, found: Analysis) -> str:
    """`b1 = 3, c1 ≤ 2`: best first, ties in the order searched; of simulations also how many there were."""
    if found.visits:
        most = sorted(found.actions.items(), key=lambda pair: (pair[0] != found.action, -found.visits[pair[0]]))
        named = [(clean(start.game.show_action(start.state, a)), say_mean(v), found.visits[a]) for a, v in most]
        return listing((f"{name} ≈ {value} (×{visits:,})" for name, value, visits in named), MOST_SIMULATED)
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
    lines = textwrap.wrap(text, WIDTH - 9, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(f"{name if i == 0 else '':<8} {line}" for i, line in enumerate(lines))
