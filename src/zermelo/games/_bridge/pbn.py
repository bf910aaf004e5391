"""Deals in PBN (Portable Bridge Notation): the tags Board, Dealer, Vulnerable and Deal.

read_pbn(write_pbn(boards)) == boards
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from zermelo.errors import InputError
from zermelo.games._bridge.cards import HANDS, VULNERABLE, Board, called, read_deal

TAG = re.compile(r'\[\s*(\w+)\s+"([^"\n]*)"\s*\]')
SAID = {"none": "none", "love": "none", "-": "none", "ns": "NS", "ew": "EW", "all": "both", "both": "both"}
HEAD = "% PBN 2.1\n"
WRITTEN = dict(zip(VULNERABLE, ("None", "NS", "EW", "All"), strict=True))


def read_pbn(text: str) -> list[Board]:
    """The deals of a file; `InputError` names the first that is none. Games without a deal are left out."""
    games = split_games(text)
    return [read_board(game.tags, number) for number, game in enumerate(games, 1) if game.tags.get("Deal")]


class PbnGame(NamedTuple):
    """A game of a file before it is understood."""

    tags: dict[str, str]
    words: dict[str, list[str]]
    """What stands below a tag, as the calls below `Auction`."""


def split_games(text: str) -> list[PbnGame]:
    """The games of a file: a tag that comes again begins a new one, and `#` repeats the value of the game before."""
    plain = re.sub(r"\{[^}]*\}", " ", re.sub(r"^%.*$|;[^\n\"]*$", "", text.lstrip("\ufeff"), flags=re.MULTILINE))
    tags = list(TAG.finditer(plain))
    games = [PbnGame({}, {})] if tags else []
    before: dict[str, str] = {}
    ends = [found.start() for found in tags[1:]] + [len(plain)]
    for found, end in zip(tags, ends, strict=False):
        name, value = found.groups()
        if name in games[-1].tags:
            before = games[-1].tags
            games.append(PbnGame({}, {}))
        games[-1].tags[name] = before.get(name, "") if value == "#" else value
        games[-1].words[name] = plain[found.end() : end].split()
    return games


def read_board(tags: Mapping[str, str], number: int) -> Board:
    """The deal of a game, the `number`-th of its file."""
    name = tags.get("Board", "")
    where = called(f"board {name}" if name else "", "board", number)
    dealer, vulnerable = tags.get("Dealer", "").upper() or "N", tags.get("Vulnerable", "").casefold() or "none"
    if dealer not in HANDS:
        raise InputError(f"{where}: the dealer is N, E, S or W, not {dealer!r:.20}")
    if vulnerable not in SAID:
        raise InputError(f"{where}: vulnerable is None, NS, EW or All, not {vulnerable!r:.20}")
    try:
        hands = read_deal(tags["Deal"])
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return Board(hands, HANDS.index(dealer), SAID[vulnerable], name)


def write_pbn(boards: Iterable[Board]) -> str:
    """A file with these deals."""
    return HEAD + "\n".join(write_tags(board_tags(board)) for board in boards)


def board_tags(board: Board) -> dict[str, str]:
    """What a file says of a deal."""
    tags = {"Board": board.name} if board.name else {}
    tags |= {"Dealer": HANDS[board.dealer], "Vulnerable": WRITTEN[board.vulnerable]}
    return {**tags, "Deal": board.text(board.dealer)}


def write_tags(tags: Mapping[str, str]) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
