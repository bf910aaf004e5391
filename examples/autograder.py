"""An autograder: a student's own alpha-beta against ours, step by step.

The student's program writes what it does as JSON lines (docs/reference/trace-format.md): when it enters a position,
what a leaf is worth, where it cuts and what it returns. That is a dozen lines more than the search itself, as below.
The grader says at which step the two part ways, which is worth more to a student than a wrong number. Run it:

    python examples/autograder.py                      grades the two students below
    python examples/autograder.py FILE.jsonl …         grades files; exits with 1 if one is wrong
"""

from __future__ import annotations

import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import zermelo as z

TREE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
"""The exercise."""


class Student:
    """Alpha-beta as a student writes it down; a `careless` one forgets to raise α."""

    def __init__(self, careless: bool = False):
        self.careless = careless
        self.events: list[dict[str, Any]] = []
        self.entered = 0

    def search(self, node: Any, maximise: bool, alpha: float, beta: float, parent: int | None, action: Any) -> float:
        me, self.entered = self.entered, self.entered + 1
        self.note("enter", me, parent=parent, action=action, alpha=alpha, beta=beta)
        if not isinstance(node, list):
            self.note("leaf", me, value=node)
            return float(node)
        best = -math.inf if maximise else math.inf
        for i, child in enumerate(node):
            value = self.search(child, not maximise, alpha, beta, me, i)
            best = max(best, value) if maximise else min(best, value)
            if not maximise:
                beta = min(beta, best)
            elif not self.careless:
                alpha = max(alpha, best)
            if alpha >= beta and i + 1 < len(node):
                self.note("cutoff", me, value=best)
                break
        self.note("leave", me, value=best)
        return best

    def note(self, event: str, node: int, **fields: Any) -> None:
        self.events.append({"event": event, "node": node, **fields})

    def hand_in(self, path: Path) -> Path:
        self.search(TREE, True, -math.inf, math.inf, None, None)
        z.Trace({"trace": 1}, self.events).save(path)
        return path


def grade(path: Path) -> bool:
    """Whether the trace in `path` is what alpha-beta does with the exercise; says so."""
    ours = z.alphabeta(z.Tree(TREE), trace=True).trace
    difference = z.diff(ours, z.Trace.load(path))
    if difference is None:
        print(f"{path.name}: agrees with ours, step by step")
    else:
        print(f"{path.name}: parts ways (A is ours, B is the student's)\n{difference}")
    return difference is None


def main(files: list[str]) -> int:
    if files:
        grades = [grade(Path(name)) for name in files]
        return 0 if all(grades) else 1
    with tempfile.TemporaryDirectory() as folder:
        grade(Student().hand_in(Path(folder, "right.jsonl")))
        grade(Student(careless=True).hand_in(Path(folder, "wrong.jsonl")))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
