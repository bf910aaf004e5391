"""The options of a game as controls of a page."""

from __future__ import annotations

from typing import Any

from zermelo.game import Game
from zermelo.options import OPEN_BOUND, Option, declared_options, default_options, write_options


def open_options(kind: type[Game]) -> dict[str, Any]:
    """The options that a page may set, with their defaults: of texts those among which there is a choice."""
    declared = declared_options(kind)
    return {
        name: default
        for name, default in default_options(kind).items()
        if not isinstance(default, str) or (name in declared and declared[name].choices)
    }


def list_controls(kind: type[Game]) -> list[dict[str, object]]:
    """The options of a game as controls: what each is called, what it means, and what it may be."""
    declared = declared_options(kind)
    return [make_control(name, default, declared.get(name)) for name, default in open_options(kind).items()]


def make_control(name: str, default: Any, option: Option | None) -> dict[str, object]:
    about = option.about if option is not None else ""
    shown: dict[str, object] = {
        "name": name,
        "title": (about if len(name) == 1 and about else name.replace("_", " ")).capitalize(),
        "about": about if len(name) > 1 else "",
        "value": write_options({name: default}).partition("=")[2],
        "kind": "text",
    }
    if option is not None and option.choices:
        return shown | {"kind": "choice", "choices": [str(each) for each in option.choices]}
    if isinstance(default, bool):
        return shown | {"kind": "flag"}
    if isinstance(default, (int, float)):
        bounds = (-OPEN_BOUND, OPEN_BOUND) if option is None else (option.low, option.high)
        low, high = (bound if abs(bound) < OPEN_BOUND else None for bound in bounds)
        return shown | {"kind": "number", "low": low, "high": high, "step": 1 if isinstance(default, int) else "any"}
    return shown
