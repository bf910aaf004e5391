"""The linear programs of a zero-sum game in words, as the lecture writes them."""

from __future__ import annotations

from typing import Any

from zermelo.equilibrium.numbers import say
from zermelo.equilibrium.zerosum import ZeroSum

LARGEST = 10_000
"""Entries of a matrix whose programs are still written out."""


def write_primal(found: ZeroSum) -> dict[str, Any]:
    """The row player's program: maximise what one gets at least, or minimise what one pays at most."""
    matrix = found.game.tables(found.exact)[0]
    if found.game.costs:
        return _write(-matrix.T, "minimise t", "y", "≤ t", found.row, -found.primal)
    return _write(matrix.T, "maximise t", "y", "≥ t", found.row, found.primal)


def write_dual(found: ZeroSum) -> dict[str, Any]:
    """The column player's program: minimise what one pays at most, or maximise what the other pays at least."""
    matrix = found.game.tables(found.exact)[0]
    if found.game.costs:
        return _write(-matrix, "maximise w", "x", "≥ w", found.column, -found.dual)
    return _write(matrix, "minimise w", "x", "≤ w", found.column, found.dual)


def _write(rows: Any, objective: str, letter: str, relation: str, strategy: Any, value: Any) -> dict[str, Any]:
    constraints = None
    if rows.size <= LARGEST:
        names = [f"{letter}{i + 1}" for i in range(rows.shape[1])]
        constraints = [f"{linear(row, names)} {relation}" for row in rows]
        constraints += [f"{' + '.join(names)} = 1", f"{letter} ≥ 0", f"{objective[-1]} free"]
    return {"objective": objective, "constraints": constraints, "solution": list(strategy), "value": value}


def linear(numbers: Any, names: list[str]) -> str:
    """`30 y1 − 10 y2`."""
    text = ""
    for number, name in zip(numbers, names, strict=True):
        if number == 0:
            continue
        size = abs(number)
        term = name if size == 1 else f"{say(size)} {name}"
        sign = (" − " if number < 0 else " + ") if text else ("−" if number < 0 else "")
        text += sign + term
    return text or "0"
