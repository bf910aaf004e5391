"""Which game a file was made for: the class, the options, and how states are written."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from zermelo.engine.equipped import NativeGame
from zermelo.engine.rules import layout
from zermelo.engine.rules.content import PLAIN
from zermelo.errors import CompileError
from zermelo.game.contract import AnyGame

IGNORED = ("weights", "network", "unit")
"""Attributes that make no difference: files that a game object has, and what its points are called."""
FACTS = (("game", "game was"), ("options", "options were"), ("states", "states were"))


def identify(game: AnyGame) -> dict[str, Any]:
    """What makes a file fit a game: its class, its options, and how states are written."""
    options = {
        name: value
        for name, value in sorted(vars(game).items())
        if isinstance(value, PLAIN) and not name.startswith("_") and name not in IGNORED
    }
    state = [_fields(game), game.players, list(game.bounds)]
    name = type(game).__name__
    return {"game": name, "options": options, "states": hashlib.sha256(repr(state).encode()).hexdigest()[:16]}


def _fields(game: AnyGame) -> Any:
    """How states are written; of one that cannot be compiled, its text."""
    if isinstance(game, NativeGame):
        return game.native.handle.state_size
    try:
        return layout.describe(layout.infer(game.initial()))
    except CompileError:
        return game.write(game.initial())


def why_another(wanted: Mapping[str, Any], game: AnyGame, ignored: Collection[str] = ()) -> str:
    """Why what `identify` said when a file was made does not fit `game`, whatever the options that are `ignored`; empty
    if it does."""
    own = identify(game)
    for name, what in FACTS:
        theirs, ours = wanted.get(name), own[name]
        if name == "options":
            theirs, ours = _without(theirs, ignored), _without(ours, ignored)
        if theirs != ours:
            return f"its {what} {theirs}, not {ours}"
    return ""


def has_options_of(wanted: Mapping[str, Any], game: AnyGame, ignored: Collection[str] = ()) -> bool:
    """Whether a file was made for the options of `game`."""
    return bool(_without(wanted.get("options"), ignored) == _without(identify(game)["options"], ignored))


def _without(options: Any, ignored: Collection[str]) -> Any:
    return {name: value for name, value in options.items() if name not in ignored} if type(options) is dict else options
