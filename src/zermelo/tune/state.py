"""The folder of a tuning: what it needs to go on after whatever ended it.

state.json      the settings, the point that was reached, its course, and the test
curve.svg       a picture of the course
lock            held by the process that writes here
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.engine.parameters import PARAMETERS, check_parameters
from zermelo.train.folder import PAIR_RESULTS, RunFolder, check_state, is_count, is_list, is_number, require

SUFFIX = ".tuning"
PHASES = ("", "tuning", "testing", "over")
GREATEST = 1e12
"""No number of a state is."""
MOST_ROWS = 200
"""Of the course: when there are more, every second one is left out."""


class TuningFolder(RunFolder):
    what = "tuning"


@dataclass
class TuningState:
    """What a tuning has come to."""

    game: str
    settings: dict[str, Any]
    names: list[str]
    """The parameters that are tuned."""
    before: dict[str, float]
    """Those of the game when it began; others had their defaults."""
    point: list[float]
    """Where the tuning is, in the order of the names."""
    seconds: float = 0.0
    """Spent so far."""
    step: int = 0
    """The last one that is complete."""
    games: int = 0
    course: list[list[float]] = field(default_factory=list)
    """The number of games and the values then, every `spacing` steps."""
    spacing: int = 1
    tests: int = 0
    """How many tests were begun."""
    counts: list[int] = field(default_factory=lambda: [0] * PAIR_RESULTS)
    """Of the last one: pairs of games by half points."""
    phase: str = ""
    kept: bool | None = None
    """Whether the test was passed; `None` until it is decided."""

    def note(self) -> None:
        """Adds where the tuning is to the course."""
        if (self.step - 1) % self.spacing:
            return
        self.course.append([float(self.games), *(float(f"{value:.5g}") for value in self.point)])
        if len(self.course) > MOST_ROWS:
            self.course = self.course[::2]
            self.spacing *= 2

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TuningState:
        """The state that JSON holds; a `ValueError` or a `TypeError` says what is wrong with it."""
        state = cls(**data)
        check_state(state)
        known = is_list(state.names, lambda name: isinstance(name, str) and name in PARAMETERS)
        require(known and 0 < len(set(state.names)) == len(state.names), "its names are those of parameters")
        require(isinstance(state.before, dict), "values are a record")
        check_parameters(state.before)
        is_point = is_list(state.point, is_value) and len(state.point) == len(state.names)
        require(is_point, "the point has a number for each name")
        numbers = [state.step, state.games, state.tests]
        require(is_list(numbers, is_count) and is_count(state.spacing) and state.spacing > 0, "steps are counted")
        rows = isinstance(state.course, list) and len(state.course) <= MOST_ROWS
        width = 1 + len(state.names)
        require(rows and all(is_list(row, is_value) and len(row) == width for row in state.course), "rows are numbers")
        require(is_list(state.counts, is_count) and len(state.counts) == PAIR_RESULTS, "pairs are counted")
        require(state.phase in PHASES, "the phase is one of a few")
        require(state.kept is None or isinstance(state.kept, bool), "`kept` is true, false or null")
        return state


def is_value(value: Any) -> bool:
    """Whether it is a number that a parameter, or a count of games, could be."""
    return is_number(value) and abs(value) < GREATEST
