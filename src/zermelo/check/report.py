"""What a check found: problems, each once with its first example and the line of the rules at fault."""

from __future__ import annotations

import os
import sysconfig
import traceback
from collections.abc import Hashable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Problem:
    """One breach of the contract."""

    rule: str
    """The method or attribute of the game that is at fault."""
    message: str
    """What is wrong, and what to change."""
    state: str = ""
    """The first state that showed it, as text; empty if it shows in no state."""
    action: str = ""
    """The action that showed it, as text; empty if none is involved."""
    count: int = 1
    """How often it was seen."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The outcome of a check."""

    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    """What is worth knowing and breaks nothing."""
    games: int
    positions: int
    branching: float
    """The mean number of actions where somebody, or chance, acts."""
    length: float
    """The mean number of plies of a game."""
    longest: int
    """The plies of the longest game."""
    positions_per_second: float
    """How fast the rules run as plain Python, at random play without any checks."""
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether the game keeps the contract, as far as was seen."""
        return not self.problems

    def to_json(self) -> dict[str, object]:
        """The report in the types of JSON."""
        told = asdict(self)
        return {"ok": self.ok, **told, "problems": list(told["problems"]), "notes": list(told["notes"])}


class Ledger:
    """Collects problems; the same breach is kept once, with a count."""

    def __init__(self) -> None:
        self._problems: dict[Hashable, Problem] = {}
        self._notes: dict[str, None] = {}

    def again(self, breach: Hashable) -> bool:
        """Counts `breach` once more if it is known already."""
        known = self._problems.get(breach)
        if known is None:
            return False
        self._problems[breach] = replace(known, count=known.count + 1)
        return True

    def add(self, breach: Hashable, problem: Problem) -> None:
        self._problems[breach] = problem

    def note(self, text: str) -> None:
        self._notes[text] = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(self._problems.values())

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)


PACKAGE = Path(__file__).resolve().parent.parent
LIBRARIES = {Path(path).resolve() for name, path in sysconfig.get_paths().items() if name.endswith("lib")}


def is_rules(file: str) -> bool:
    """Whether `file` may hold the rules of a game."""
    if file.startswith("<"):
        return False
    path = Path(file).resolve()
    if path.is_relative_to(PACKAGE):
        return path.is_relative_to(PACKAGE / "games")
    return not any(path.is_relative_to(library) for library in LIBRARIES)


def culprit(frames: Iterable[tuple[str, int]]) -> str:
    """`file:line` of the first of `frames`, innermost first, that may be a rule's; empty if there is none."""
    for file, line in frames:
        if is_rules(file):
            return f"{shorten(file)}:{line}"
    return ""


def of_error(error: BaseException) -> str:
    """`file:line` of the rule in which `error` was raised."""
    stack = traceback.extract_tb(error.__traceback__)
    return culprit((frame.filename, frame.lineno or 0) for frame in reversed(stack))


def shorten(file: str) -> str:
    """The path as seen from the current folder, if that is below it."""
    relative = os.path.relpath(file) if Path(file).drive == Path.cwd().drive else file
    return file if relative.startswith("..") else relative
