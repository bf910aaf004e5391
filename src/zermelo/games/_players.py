"""Players that can play one game only: the file `players.py` in the folder of a game has them as `PLAYERS`, by name."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import zermelo.games
from zermelo.game import AnyGame


class OwnPlayer(NamedTuple):
    """A kind of player, as `zermelo.arena.players.Kind` is one for all games."""

    make: Callable[[str], Any]
    """From the text of its options."""
    summary: str
    example: str
    options: Mapping[str, str]
    """What each means."""
    strengths: Mapping[str, str]
    """Texts of such players, the strongest first, with what people call them."""


def players_of(game: AnyGame) -> dict[str, OwnPlayer]:
    """The players that the folder of a game brings, by name."""
    folder = type(game).__module__.rpartition(".")[0]
    if folder.startswith("zermelo.games.") and importlib.util.find_spec(f"{folder}.players"):
        found: dict[str, OwnPlayer] = importlib.import_module(f"{folder}.players").PLAYERS
        return found
    return {}


def own_players() -> dict[str, OwnPlayer]:
    """The players of all games of the package, by name."""
    found: dict[str, OwnPlayer] = {}
    for game in pkgutil.iter_modules(zermelo.games.__path__):
        name = f"zermelo.games.{game.name}.players"
        if game.ispkg and game.name[0] != "_" and importlib.util.find_spec(name):
            found |= importlib.import_module(name).PLAYERS
    return found
