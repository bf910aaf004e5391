"""Time controls, and the clocks that they start.

    60+0.6        a minute for the game, and 0.6 seconds more for every move
    60            a minute for the game
    move=0.5      half a second for every move
    nodes=10000   10,000 nodes for every move
    none          as long as a player likes

Several can be combined with commas: `60+1,nodes=100000`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zermelo.analysis import Clock
from zermelo.errors import OptionError, PlayerError

MARGIN_SECONDS = 0.1
"""The tolerance in seconds beyond a player's time: other programs may hold the processor."""
LONGEST_CLOCK_SECONDS = 1e6
"""Seconds that a clock may show."""

_GAME = re.compile(r"(\d+(?:\.\d*)?)(?:\+(\d+(?:\.\d*)?))?")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much the players of a game may spend."""

    seconds: float | None = None
    """For the whole game."""
    increment: float = 0.0
    """Gained by every move."""
    move_seconds: float | None = None
    nodes: int | None = None
    margin: float = MARGIN_SECONDS

    @classmethod
    def read(cls, text: str, margin: float = MARGIN_SECONDS) -> TimeControl:
        """The time control that `text` names."""
        if not isinstance(margin, (int, float)) or not 0 <= margin < LONGEST_CLOCK_SECONDS:
            raise OptionError(f"the margin of a clock is a number of seconds, 0 or more, not {margin!r}")
        if not isinstance(text, str):
            raise OptionError(f"a time control is a text, as in 60+0.6, not {text!r}")
        seconds = move_seconds = nodes = None
        increment = 0.0
        for part in (part.strip() for part in text.split(",") if text.strip() not in ("", "none")):
            name, _, value = part.partition("=")
            found = _GAME.fullmatch(part)
            if found is not None and seconds is None:
                seconds, increment = float(found[1]), float(found[2] or 0)
            elif name == "move" and move_seconds is None and _GAME.fullmatch(value) and "+" not in value:
                move_seconds = float(value)
            elif name == "nodes" and nodes is None and value.isdecimal() and len(value) < 19:
                nodes = int(value)
            else:
                raise OptionError(f"{text!r} is no time control; write 60+0.6, move=0.5, nodes=10000 or none")
        if seconds == 0 or move_seconds == 0 or nodes == 0:
            raise OptionError(f"{text!r} leaves nobody the time to move; give more than 0")
        if max(seconds or 0, increment, move_seconds or 0) > LONGEST_CLOCK_SECONDS:
            raise OptionError(f"{text!r} is more time than anybody has; give at most {LONGEST_CLOCK_SECONDS:g} seconds")
        return cls(seconds, increment, move_seconds, nodes, margin)

    def __str__(self) -> str:
        increment = f"+{_write(self.increment)}" if self.increment else ""
        game = "" if self.seconds is None else f"{_write(self.seconds)}{increment}"
        move = "" if self.move_seconds is None else f"move={_write(self.move_seconds)}"
        nodes = "" if self.nodes is None else f"nodes={self.nodes}"
        return ",".join(filter(None, (game, move, nodes))) or "none"


def _write(seconds: float) -> str:
    """A number as `TimeControl.read` takes it, without an exponent."""
    return f"{seconds:.9f}".rstrip("0").rstrip(".")


class Timekeeper:
    """The clocks of one game."""

    def __init__(self, players: int, control: TimeControl | None = None):
        self.control = control or TimeControl()
        self.remaining = None if self.control.seconds is None else [self.control.seconds] * players

    def clock(self) -> Clock:
        """What the player to move sees."""
        remaining = None if self.remaining is None else tuple(self.remaining)
        return Clock(remaining, self.control.increment, self.control.move_seconds, self.control.nodes)

    def spend(self, p: int, seconds: float) -> None:
        """Takes `seconds` off the clock of `p`; raises a `PlayerError` if it ran out."""
        control = self.control
        if control.move_seconds is not None and seconds > control.move_seconds + control.margin:
            raise PlayerError(f"took {seconds:.3f} s for a move, of {control.move_seconds:g} allowed", "time")
        if self.remaining is None:
            return
        left = self.remaining[p] - seconds
        if left < -control.margin:
            raise PlayerError(f"ran out of time: {-left:.3f} s too late", "time")
        self.remaining[p] = max(left, 0.0) + control.increment
