"""Numbers and names as people read them: −∞, 2.5, ≤ 2, the MIN node C."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

SYMBOLS = {"max": "▲", "min": "▼", "chance": "○", "player": "◊", "leaf": "■"}
MOVERS = {"max": "MAX", "min": "MIN", "chance": "chance"}
RELATIONS = {"exact": "=", "lower": "≥", "upper": "≤"}
CONTROLS = re.compile(r"\x1b\[(?:0|1|3[1-3])m|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""The styles of our own text, which may pass, and what a terminal obeys: names in files may hold either."""


def number(value: Any) -> str:
    """A value in five digits, without what floating point leaves behind them."""
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return f"({', '.join(number(each) for each in value)})"
    exact = float(value)
    if math.isinf(exact):
        return "∞" if exact > 0 else "−∞"
    if exact.is_integer() and abs(exact) < 1e15:
        return str(int(exact)).replace("-", "−")
    return f"{exact:.5g}".replace("-", "−").replace("e+", "e")


def term(value: float) -> str:
    """A term of a score, which nobody wants to know beyond three decimals."""
    return number(round(value, 3))


def edges(alpha: object, beta: object) -> tuple[str, str]:
    """Both sides of a window; `3` and `3+` for a zero window, where the second is the float just above 3."""
    texts = number(alpha), number(beta)
    if alpha is None or beta is None or alpha == beta or texts[0] != texts[1]:
        return texts
    return _nudged(alpha, texts[0]), _nudged(beta, texts[1])


def _nudged(value: Any, text: str) -> str:
    """`text`, which stands for `value`, with a sign if `value` lies just above or below it."""
    shown = float(text.replace("−", "-"))
    return text if value == shown else f"{text}+" if value > shown else f"{text}−"


def window(alpha: object, beta: object) -> str:
    """`α = 3, β = ∞`, or whichever of the two is known."""
    texts = zip(("α", "β"), edges(alpha, beta), (alpha, beta), strict=True)
    return ", ".join(f"{letter} = {text}" for letter, text, bound in texts if bound is not None)


def clean(text: object) -> str:
    """`text` on one line, without the characters that a terminal or an SVG file cannot hold."""
    return "".join(each if each.isprintable() else " " if each.isspace() else "�" for each in str(text)).strip()


def printable(text: str) -> str:
    """`text` as a terminal may have it: what a terminal would obey is written out, as in `\\x07`."""
    return CONTROLS.sub(lambda each: each[0] if len(each[0]) > 1 else ascii(each[0])[1:-1], text)


def shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def listing(items: Iterable[str], most: int = 6) -> str:
    """`a, b, c`, and how many more there are where the list is long."""
    everything = list(items)
    if len(everything) <= most:
        return ", ".join(everything)
    shown = most - 1
    return f"{', '.join(everything[:shown])} and {len(everything) - shown} more"


def plural(count: object, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def totals(event: dict[str, Any]) -> list[str]:
    """`13 nodes`, `7 leaves`, `1 cut-off`: what a result says of them.

    Simulations enter the nodes of their tree again and again, so that theirs are counted as `23 positions entered`.
    """
    if event.get("simulations") is not None:
        entered = [] if event.get("nodes") is None else [plural(event["nodes"], "position", "positions") + " entered"]
        return [plural(event["simulations"], "simulation", "simulations"), *entered]
    counted = (("nodes", "node", "nodes"), ("leaves", "leaf", "leaves"), ("cutoffs", "cut-off", "cut-offs"))
    return [plural(event[name], one, many) for name, one, many in counted if event.get(name) is not None]
