"""Positions to begin games from, so that deterministic players do not play the same game again and again.

    none                          the initial position
    random:plies=6,balance=0.3    made for the game: random plies, kept where neither side is ahead
    FILE                          from a file: .txt, .jsonl, .epd, .fen, .pgn or .pdn
    NAME                          from a file of that name that the game brings, as `ballots` of checkers
    FILE:shuffle                  the same in an order that the seed settles
    FILE:plies=8                  only the first plies of each line

An opening is a position and moves from there, both as text of the game.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from zermelo.arena.openings.book import Opening as Opening
from zermelo.arena.openings.book import OpeningBook as OpeningBook
from zermelo.arena.openings.files import READERS
from zermelo.arena.openings.files import read_file as read_file
from zermelo.arena.openings.make import make_openings as make_openings
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.games import openings_folder
from zermelo.options import call_with_options, read_options, whole

FILE = re.compile(r"(?P<path>.+?)(?::(?P<options>(?:shuffle|plies=\w*)(?:,(?:shuffle|plies=\w*))*))?", re.DOTALL)


def read_openings(spec: str, game: Game, count: int, seed: int = 0) -> OpeningBook:
    """The book that `spec` names, for `count` meetings; `seed` settles all that is random about it."""
    name, _, options = spec.strip().partition(":")
    if name == "none" and not options:
        return OpeningBook((Opening(),), "none")
    if name == "random":

        def make(plies: int | None = None, balance: float | None = None, nodes: int | None = None) -> OpeningBook:
            return make_openings(game, count, seed, plies, balance, nodes)

        book: OpeningBook = call_with_options(make, options, "random")
        return book
    return _from_file(spec.strip(), game, count, seed)


def _from_file(spec: str, game: Game, count: int, seed: int) -> OpeningBook:
    found = FILE.fullmatch(spec)
    if found is None:
        raise OptionError("openings are `none`, `random:plies=6` or a file, not an empty text")
    words = (found["options"] or "").split(",")
    plies = read_options(",".join(word for word in words if word != "shuffle")).get("plies")
    whole(0, optional=True).check("plies", plies)
    openings = read_file(find_file(found["path"], game), game, plies)
    if "shuffle" in words:
        random.Random(seed).shuffle(openings)
    note = ""
    if len(openings) < count:
        note = f"{found['path']} has {len(openings)} openings, so they come back after that many meetings"
    return OpeningBook(tuple(openings), spec, note)


def find_file(name: str, game: Game) -> Path:
    """The file of that name, or the one that `game` brings under it."""
    path, folder = Path(name), openings_folder(game)
    if path.is_file() or folder is None:
        return path
    brought = {each.stem: each for each in sorted(folder.iterdir()) if each.suffix in READERS}
    if path.suffix or not brought:
        return path
    if name not in brought:
        raise OptionError(
            f"there is no file {name}: openings are `none`, `random:plies=6`, a file, or what {game.name} brings: "
            f"{', '.join(brought)}"
        )
    return brought[name]
