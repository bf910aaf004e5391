"""HTML with which results show themselves in a notebook. It brings its own looks, and needs no script and no network.

Text is escaped unless it is `Html`. Colours are those of the notebook, light or dark, and shades of them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape

CELL = "padding: 2px 10px; text-align: left; border: 0; border-bottom: 1px solid rgba(127, 127, 127, 0.35)"
BAR = "display: inline-block; height: 0.55em; border-radius: 2px; background: #4a86c5"
BAR_WIDTH = 90
"""Pixels of a probability of 1."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(part: str) -> str:
    return part if isinstance(part, Html) else escape(part)


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = (), caption: str = "") -> Html:
    """A table whose first column names the rows."""
    said = [f'<caption style="text-align: left; font-weight: 600">{text(caption)}</caption>'] if caption else []
    if head:
        said.append(_row(_cell("th", cell, "col") for cell in head))
    for name, *cells in rows:
        said.append(_row([_cell("th", name, "row"), *(_cell("td", cell) for cell in cells)]))
    inside = "".join(said)
    return Html(f'<table style="border-collapse: collapse; margin: 4px 0">{inside}</table>')


def _cell(tag: str, content: str, scope: str = "") -> str:
    named = f' scope="{scope}"' if scope else ""
    return f'<{tag}{named} style="{CELL}">{text(content)}</{tag}>'


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def bar(part: float, label: str) -> Html:
    """A share from 0 to 1 as a bar before its number."""
    width = round(BAR_WIDTH * min(max(part, 0.0), 1.0))
    return Html(f'<span style="{BAR}; width: {width}px" aria-hidden="true"></span> {text(label)}')


def picture(svg: str, label: str, width: int = 280) -> Html:
    """A drawing as an image: its styles reach nothing else on the page."""
    data = base64.b64encode(svg.encode()).decode()
    look = f"width: {width}px; max-width: 100%; background: #fff; border-radius: 6px"
    return Html(f'<img alt="{text(label)}" style="{look}" src="data:image/svg+xml;base64,{data}">')


def beside(*parts: str) -> Html:
    """Parts next to each other, or below where there is no room."""
    held = "".join(f"<div>{text(part)}</div>" for part in parts if part)
    return Html(f'<div style="display: flex; flex-wrap: wrap; gap: 20px; align-items: flex-start">{held}</div>')
