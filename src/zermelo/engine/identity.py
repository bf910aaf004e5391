"""What tells a game apart from another one, for the files that belong to it: networks and endgame tables."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from zermelo.engine.attributes import PLAIN
from zermelo.engine.equipped import NativeGame
from zermelo.engine.rules import layout
from zermelo.game.contract import AnyGame


def identify(game: AnyGame) -> dict[str, Any]:
    """What makes a file fit a game: its class, its options, and how states are written."""
    if isinstance(game, NativeGame):
        fields: Any = game.native.handle.state_size
    else:
        fields = layout.describe(layout.infer(game.initial()))
    options = {
        name: value
        for name, value in sorted(vars(game).items())
        if isinstance(value, PLAIN) and not name.startswith("_") and name not in ("weights", "network")
    }
    state = [fields, game.players, list(game.bounds)]
    name = type(game).__name__
    return {"game": name, "options": options, "states": hashlib.sha256(repr(state).encode()).hexdigest()[:16]}


def why_unlike(kept: Mapping[str, Any], game: AnyGame) -> str:
    """Why what is `kept` of a game's identity is not that of `game`; empty if it is."""
    own = identify(game)
    for name, what in (("game", "game was"), ("options", "options were"), ("states", "states were")):
        if kept.get(name) != own[name]:
            return f"its {what} {kept.get(name)}, not {own[name]}"
    return ""
