"""A player's own limits and the clock's: the smaller one holds, and a second where there is neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.analysis import Analysis, Clock
from zermelo.engine.timeman import budget
from zermelo.play import PlayerMove

DEFAULT_SECONDS = 1.0
"""How long a player thinks about a move if nobody limits it."""
LIMITS = ("depth", "nodes", "simulations", "seconds")
SAID = {
    "depth": "plies to search",
    "nodes": "positions to enter at most",
    "seconds": "time for a move; 1 if there is no other limit",
}
"""What the limits mean, for the list of players."""


def agreed_limits(own: Mapping[str, Any], clock: Clock, p: int) -> dict[str, Any]:
    """The limits for player `p`'s next action, of `own` and `clock`."""
    limits = {name: own[name] for name in LIMITS if own.get(name) is not None}
    for name, allowed in (("seconds", usual_seconds(clock, p)), ("nodes", clock.nodes)):
        if allowed is not None:
            limits[name] = min(limits.get(name, allowed), allowed)
    limits = limits or {"seconds": DEFAULT_SECONDS}
    return limits if clock.stop is None else {**limits, "stop": clock.stop}


def usual_seconds(clock: Clock, p: int) -> float | None:
    """What player `p` usually takes for a move on this clock; `None` without a limit of time."""
    given = budget(clock, p)
    return given.hard if given.soft is None or given.hard is None else min(given.soft, given.hard)


def choice_of(found: Analysis) -> PlayerMove:
    """What a search recommends; Ctrl-C goes on to whoever asked the player."""
    if found.stopped == "interrupt":
        raise KeyboardInterrupt
    return PlayerMove(found.action, found.value, found.depth, found.nodes)
