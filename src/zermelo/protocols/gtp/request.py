"""What an analysis is asked for, in the words of Leela Zero and KataGo, which may stand in any order.

    COLOUR                            whose move it is; the player to move, if nobody says
    CENTISECONDS, interval N          how often to speak
    minmoves N, maxmoves N            how many moves to speak of
    avoid COLOUR VERTICES DEPTH       not these moves of COLOUR, VERTEX,VERTEX,…, up to so many plies deep
    allow COLOUR VERTICES DEPTH       no others than these

Only the moves of the position itself are restricted: deeper in the tree, and for the other colour, all are thought of.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

from zermelo.errors import InputError
from zermelo.protocols.gtp.table import COLOURS, Table

INTERVAL = 0.5
"""Seconds between two lines, if nobody says otherwise."""
MOST_MOVES = 30
"""That a line names, if nobody says otherwise."""
MOST_DIGITS = 6


class Restriction(NamedTuple):
    """Moves of a player to avoid, or the only ones to allow."""

    allowing: bool
    player: int
    vertices: str


class Request(NamedTuple):
    """An analysis as it was asked for."""

    player: int
    interval: float = INTERVAL
    """Seconds; 0 for every answer of the search."""
    least: int = 0
    most: int = MOST_MOVES
    """Moves that a line names."""
    only: tuple[Any, ...] | None = None
    """The actions to look at; `None` for all."""


class Words:
    """Takes the words of a command one by one."""

    def __init__(self, words: Sequence[str]):
        self.left = deque(word.casefold() for word in words)
        self.player: int | None = None
        self.numbers: dict[str, int] = {}
        self.restrictions: list[Restriction] = []

    def take_all(self) -> None:
        while self.left:
            word = self.left.popleft()
            if word in COLOURS:
                self.player = COLOURS[word]
            elif word.isascii() and word.isdigit():
                self.left.appendleft(word)
                self.numbers["interval"] = self.take_number("interval")
            elif word in ("interval", "minmoves", "maxmoves"):
                self.numbers[word] = self.take_number(word)
            elif word in ("avoid", "allow"):
                self.take_restriction(word)
            else:
                known = "COLOUR, CENTISECONDS, interval, minmoves, maxmoves, avoid, allow"
                raise InputError(f"syntax error: {word[:20]!r} is none of {known}")

    def take(self) -> str:
        return self.left.popleft() if self.left else ""

    def take_number(self, name: str) -> int:
        word = self.take()
        if not word.isascii() or not word.isdigit() or len(word) > MOST_DIGITS:
            raise InputError(f"syntax error: {name} wants a whole number, as in `{name} 10`")
        return int(word)

    def take_restriction(self, name: str) -> None:
        player, vertices, depth = COLOURS.get(self.take()), self.take(), self.take()
        if player is None or not depth.isascii() or not depth.isdigit() or not depth.strip("0"):
            raise InputError(f"syntax error: write `{name} COLOUR VERTEX,VERTEX DEPTH`, the depth from 1 on")
        self.restrictions.append(Restriction(name == "allow", player, vertices))


def read_request(table: Table, words: Sequence[str]) -> Request:
    """The request that `words` make; `InputError` if one of them makes no sense, or no move is left to look at."""
    read = Words(words)
    read.take_all()
    player = read.player
    if player is None:
        if table.game.is_terminal(table.state):
            raise InputError("the game is over")
        player = table.game.player(table.state)
    least = read.numbers.get("minmoves", 0)
    return Request(
        player,
        INTERVAL if "interval" not in read.numbers else read.numbers["interval"] / 100,
        least,
        max(read.numbers.get("maxmoves", MOST_MOVES), least, 1),
        restrict(table, player, [each for each in read.restrictions if each.player == player]),
    )


def restrict(table: Table, p: int, restrictions: Sequence[Restriction]) -> tuple[Any, ...] | None:
    """The legal actions of player `p` that are left; `None` if that are all."""
    state, legal = table.state_for(p), table.legal(p)
    names = {table.vertex(state, action).casefold(): action for action in legal}
    avoided: set[Any] = set()
    allowed: set[Any] = set()
    for each in restrictions:
        named = {names[word] for word in read_vertices(table, each.vertices, names) if word in names}
        (allowed if each.allowing else avoided).update(named)
    narrow = any(each.allowing for each in restrictions)
    only = tuple(action for action in legal if action not in avoided and (action in allowed or not narrow))
    if not only:
        raise InputError("no legal move is left to look at")
    return only if len(only) < len(legal) else None


def read_vertices(table: Table, text: str, names: dict[str, Any]) -> list[str]:
    """The vertices of a list; one that is on the board but taken is no error, since nobody can play there."""
    found = [text] if text in names else text.split(",")
    point_of = getattr(table.game, "point_of", None)
    for word in found:
        if word not in names and (point_of is None or point_of(word) is None):
            raise InputError(f"bad vertex list: there is no move {word[:20]!r}")
    return found
