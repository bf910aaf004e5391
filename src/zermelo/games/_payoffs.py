"""A payoff table as an SVG drawing, in which whoever is to choose clicks a row or a column."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import chain
from typing import Any

MOST_DRAWN = 12
"""Rows, and columns, of a table that is drawn: more would be too small to read."""
CELL, LINE, MARGIN = 56, 36, 10
LETTER = 9
"""The width of a letter, about."""
STYLE = (
    ".paper{fill:#f7f4ec;stroke:#8a8372}.cell{fill:#ffffff;stroke:#c9c3b4}.head{fill:#e4e9ef;stroke:#8a8372}"
    ".on{fill:#f6dfae}.met{fill:#e8b64c}text{font:15px sans-serif;text-anchor:middle;dominant-baseline:central;"
    "fill:#22252a}.first{fill:#23588f;font-weight:600}.second{fill:#a83f26;font-weight:600}.gets{font-size:12px}"
)

Choices = tuple[Sequence[str], Sequence[str]]


def draw_payoffs(
    names: Sequence[str], choices: Choices, payoffs: Any, chosen: tuple[int, int], chooser: int | None
) -> str:
    """The table of `payoffs[p, row, column]`, with what has been `chosen` (−1 for nothing) in colour.

    The rows, or the columns, of the `chooser` are places of their names.
    """
    zero_sum = bool((payoffs[0] == -payoffs[1]).all())
    rows, columns = choices
    said = [[_write(payoffs[:, i, j], zero_sum) for j in range(len(columns))] for i in range(len(rows))]
    side = max(LETTER * max(len(name) for name in (*rows, names[0])) + 2 * MARGIN, CELL)
    cell = max(LETTER * max(len(each) for each in (*columns, *chain(*said))) + 2 * MARGIN, CELL)
    lefts = [MARGIN + side + cell * j for j in range(len(columns))]
    tops = [MARGIN + 2 * LINE + LINE * i for i in range(len(rows))]
    width, height = lefts[-1] + cell + MARGIN, tops[-1] + LINE + 2 * MARGIN + LINE
    heads = [
        _group(rows[i], chooser == 0, _box(MARGIN, tops[i], side, rows[i], _kind("head", chosen[0] == i)))
        for i in range(len(rows))
    ] + [
        _group(
            columns[j], chooser == 1, _box(lefts[j], tops[0] - LINE, cell, columns[j], _kind("head", chosen[1] == j))
        )
        for j in range(len(columns))
    ]
    cells = [
        [_box(lefts[j], tops[i], cell, said[i][j], _cell(chosen, i, j)) for j in range(len(columns))]
        for i in range(len(rows))
    ]
    # The cells come first: the name of a row lies on top, and is what a mark goes round.
    lines = cells if chooser != 1 else [list(column) for column in zip(*cells, strict=True)]
    owners = columns if chooser == 1 else rows
    body = "".join(_group(owners[i], chooser is not None, "".join(line)) for i, line in enumerate(lines))
    gets = f"what {names[0]} gets" if zero_sum else f"what {names[0]} gets, what {names[1]} gets"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'style="max-width:{2 * width}px"><style>{STYLE}</style>'
        f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10" class="paper"/>'
        f"{_text(MARGIN + side / 2, tops[0] - LINE / 2, names[0], 'first')}"
        f"{_text(lefts[0] + cell * len(columns) / 2, MARGIN + LINE / 2, names[1], 'second')}"
        f"{body}{''.join(heads)}{_text(width / 2, height - MARGIN - LINE / 2, gets, 'gets')}</svg>"
    )


def _write(payoff: Any, zero_sum: bool) -> str:
    shown = [f"{value:g}".replace("-", "−") for value in payoff]
    return shown[0] if zero_sum else ", ".join(shown)


def _cell(chosen: tuple[int, int], i: int, j: int) -> str:
    if chosen == (i, j):
        return "cell met"
    return _kind("cell", i == chosen[0] or j == chosen[1])


def _kind(kind: str, on: bool) -> str:
    return f"{kind} on" if on else kind


def _box(x: float, y: float, width: float, said: str, kind: str) -> str:
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="{LINE}" class="{kind}"/>'
    return shape + _text(x + width / 2, y + LINE / 2, said)


def _text(x: float, y: float, said: str, kind: str = "") -> str:
    return f'<text x="{x}" y="{y}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(said)}</text>'


def _group(name: str, is_place: bool, shapes: str) -> str:
    return f'<g data-at="{escape(name)}">{shapes}</g>' if is_place else shapes
