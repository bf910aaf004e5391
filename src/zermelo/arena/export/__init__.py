"""Played games as files that other programs read: the modules of this folder, found by a scan.

    pgn      every game; the moves in the game's own notation
    sgf      two players, no dice, nothing hidden
    pdn      checkers
    jsonl    every game, without loss

and the format of a game of its own, as `mat` of backgammon. Each module has `WRITERS`: the name of each format, which
games it suits, and how it writes one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator

from zermelo.arena.export._game import ExportGame as ExportGame
from zermelo.arena.export._game import OwnFormat as OwnFormat
from zermelo.arena.export._game import Writer as Writer
from zermelo.arena.export._game import from_record as from_record
from zermelo.errors import OptionError
from zermelo.game import Game


def writers(game: Game | None = None) -> dict[str, Writer]:
    """Every format by name, in alphabetical order; after them that of `game`, if it has another one."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")]
    found: list[Writer] = [each for name in names for each in importlib.import_module(f"{__name__}.{name}").WRITERS]
    known = {writer.name: writer for writer in sorted(found, key=lambda writer: writer.name)}
    if game is not None and game.can("write_record") and game.record_format not in known:
        known[game.record_format] = OwnFormat(game)
    return known


def find_writer(name: str, game: Game | None = None) -> Writer:
    """The writer called `name`, or whose files end so."""
    known = writers(game)
    wanted = name.strip().lower().removeprefix(".")
    if wanted not in known:
        raise OptionError(f"games cannot be written as {name!r}; there are {', '.join(known)}")
    return known[wanted]


def export(name: str, games: Iterable[ExportGame], rules: Game | None = None) -> Iterator[str]:
    """The text of a file of `games`, piece by piece; refuses games that the format cannot hold."""
    writer = find_writer(name, rules)
    suited = _suited(writer, games, rules)
    return writer.write_all(suited) if isinstance(writer, OwnFormat) else map(writer.write, suited)


def _suited(writer: Writer, games: Iterable[ExportGame], rules: Game | None) -> Iterator[ExportGame]:
    for game in games:
        if not writer.suits(game):
            others = ", ".join(other.name for other in writers(rules).values() if other.suits(game))
            raise OptionError(f"{writer.name} is for {writer.scope}, and {game.game} is not: write {others}")
        yield game
