"""The games and players that a page may name.

A page names games of the package, with options that are numbers, and trees written down; games in files are named by
the command line, and known to the page by the text that the command line used. Players are those whose text can do
nothing but play.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zermelo.arena.players import kinds, make_player
from zermelo.errors import InputError, OptionError
from zermelo.game import Game
from zermelo.games import games, load, load_again, load_named, split_name, without_files
from zermelo.options import read_options, write_options
from zermelo.play import Chooser
from zermelo.play.words import name_game
from zermelo.studio.bots import NamedBot, check_bots, find_bots
from zermelo.studio.controls import open_options

RATED_PLAYER = re.compile(r"rated:-?\d{1,5}(\.\d+)?")
MAX_THREADS, MAX_MEMORY_MB = 4, 256


class Catalogue:
    """The games of the package, and those that the command line has named."""

    def __init__(self, own: Sequence[str | Game] = (), tournaments: Sequence[str] = (), bots: Sequence[str] = ()):
        self.own = {
            **{each: load(each) for each in own if isinstance(each, str)},
            **{each.name: each for each in own if isinstance(each, Game)},
        }
        self.tournaments = tuple(tournaments)
        """Files of the arena that a page may look at."""
        check_bots(bots)
        self.named_bots = tuple(bots)

    def load(self, text: str) -> Game:
        """The game that `text` names to a page."""
        if text in self.own:
            return self.own[text]
        for name, game in self.own.items():
            if text.startswith(f"{name}:"):
                return load_again(game, text.removeprefix(f"{name}:"))
        return load_named(text)

    def find(self, text: str, beside: Path) -> Game:
        """The game of a training in the folder `beside`; one in a file only if the command line has named it, too."""
        path, name, options = split_name(text)
        options = without_files(options)
        if path is None:
            return load_named(f"{name}:{options}" if options else name)
        wanted = {place.resolve() for place in (path, beside / path, beside / path.name)}
        for known, game in self.own.items():
            file, kind, own = split_name(known)
            if file is not None and file.resolve() in wanted and name in ("", kind, game.name):
                same = options == without_files(own)
                return game if same else load_again(game, options)
        raise InputError(f"to see the boards, name the game to the studio: zermelo studio {text}")

    def folders(self) -> list[Path]:
        """Where the files of the user's own games lie."""
        files = [split_name(text)[0] for text in self.own]
        return list(dict.fromkeys(file.parent for file in files if file is not None))

    def entries(self) -> list[dict[str, Any]]:
        """Every game with what a page shows of it, the user's own first."""
        entries = [{"text": text, "own": True, **describe(type(game), game)} for text, game in self.own.items()]
        return entries + [{"text": name, **describe(kind)} for name, kind in games().items()]

    def bots(self) -> list[NamedBot]:
        """The bots of the command line, as they are by now."""
        return find_bots(self.named_bots)

    def player_text(self, text: str) -> str:
        """The text of a player, where a page gives that, or the name of a bot."""
        return next((bot.text for bot in self.bots() if bot.name == text.strip()), text)

    def player(self, text: str) -> Chooser:
        """The player that `text` names to a page."""
        if text in {bot.text for bot in self.bots()}:
            return make_player(text)
        kind, _, options = text.strip().partition(":")
        if RATED_PLAYER.fullmatch(text.strip()):
            return make_player(text)
        known = {name for name, each in kinds().items() if each.harmless}
        if kind not in known:
            raise OptionError(f"{kind!r} does not play in the studio; there are {', '.join(sorted(known))}, rated:ELO")
        given = read_options(options)
        for name, most in (("threads", MAX_THREADS), ("table_mb", MAX_MEMORY_MB), ("memory_mb", MAX_MEMORY_MB)):
            if isinstance(given.get(name), int) and given[name] > most:
                raise OptionError(f"{name} is at most {most} in the studio")
        for name in ("book", "search"):
            if isinstance(given.get(name), str):
                raise OptionError(
                    f"{name} is yes or no in the studio; start the studio with the game and its {name}=FILE to say more"
                )
        return make_player(text)


def describe(kind: type[Game], game: Game | None = None) -> dict[str, object]:
    """A game in the list: its heading, what it is about, and where a gallery has it."""
    about = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    name = game.name if game is not None else kind.__name__
    title = name_game(kind if game is None else game)
    shelf = "yours" if game is not None else kind.shelf
    return {"name": name, "title": title, "about": about, "shelf": shelf, "options": write_options(open_options(kind))}
