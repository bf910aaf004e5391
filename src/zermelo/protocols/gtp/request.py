"""What an analysis is asked for: the words behind `lz-analyze` and its like, in any order.

    COLOUR                            whose move it is; by default that of the player to move
    CENTISECONDS, interval N          how often to report
    minmoves N, maxmoves N            how many moves to report
    avoid COLOUR VERTICES DEPTH       not these moves of COLOUR, VERTEX,VERTEX,…, up to DEPTH plies deep
    allow COLOUR VERTICES DEPTH       no others than these
    ownership true                    whose the points will be; only of KataGo's commands

Only the moves of the position itself are restricted: deeper in the tree, and for the other colour, all are searched.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Sequence
from typing import NamedTuple

from zermelo.errors import InputError
from zermelo.protocols.gtp.game import COLOURS, GtpGame, StoneGame

INTERVAL_SECONDS = 0.5
"""Seconds between two lines, by default."""
NAMED_MOVES = 30
"""The number of moves that a line names, by default."""
MOST_DIGITS = 6
KATA_FLAGS = {
    name.casefold(): name
    for name in ("ownership", "ownershipStdev", "movesOwnership", "pvVisits", "pvEdgeVisits", "rootInfo")
}
"""What KataGo reports on request."""


class Restriction(NamedTuple):
    """Moves of a player to avoid, or the only ones to allow."""

    allowing: bool
    player: int
    vertices: str


class AnalysisRequest(NamedTuple):
    """An analysis as it was asked for."""

    player: int
    interval: float = INTERVAL_SECONDS
    """Seconds; 0 for every answer of the search."""
    least: int = 0
    most: int = NAMED_MOVES
    """Moves that a line names."""
    only: tuple[object, ...] | None = None
    """The actions to look at; `None` for all."""
    kata: bool = False
    """Whether KataGo's words are wanted."""
    ownership: bool = False


class Words:
    """Takes the words of a command one by one."""

    def __init__(self, words: Sequence[str], kata: bool = False):
        self.left = deque(word.casefold() for word in words)
        self.kata = kata
        self.ownership = False
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
            elif self.kata and word in KATA_FLAGS:
                self.take_flag(word)
            else:
                known = "COLOUR, CENTISECONDS, interval, minmoves, maxmoves, avoid, allow"
                known += f", {', '.join(KATA_FLAGS.values())}" * self.kata
                raise InputError(f"syntax error: {word[:20]!r} is none of {known}")

    def take(self) -> str:
        return self.left.popleft() if self.left else ""

    def take_number(self, name: str) -> int:
        word = self.take()
        if not word.isascii() or not word.isdigit() or len(word) > MOST_DIGITS:
            raise InputError(f"syntax error: {name} wants a whole number, as in `{name} 10`")
        return int(word)

    def take_flag(self, name: str) -> None:
        """What KataGo reports on request; of these, ownership is known here."""
        word = self.take()
        if word not in ("true", "false"):
            raise InputError(f"syntax error: write `{KATA_FLAGS[name]} true` or `{KATA_FLAGS[name]} false`")
        if name == "ownership":
            self.ownership = word == "true"
        elif word == "true":
            raise InputError(f"{KATA_FLAGS[name]} is not known here; leave it out")

    def take_restriction(self, name: str) -> None:
        player, vertices, depth = COLOURS.get(self.take()), self.take(), self.take()
        if player is None or not depth.isascii() or not depth.isdigit() or not depth.strip("0"):
            raise InputError(f"syntax error: write `{name} COLOUR VERTEX,VERTEX DEPTH`, the depth from 1 on")
        self.restrictions.append(Restriction(name == "allow", player, vertices))


def read_request(board: GtpGame, words: Sequence[str], kata: bool = False) -> AnalysisRequest:
    """The request that `words` make; `InputError` if one of them makes no sense, or no move is left to look at."""
    read = Words(words, kata)
    read.take_all()
    player = read.player
    if player is None:
        if board.game.is_terminal(board.state):
            raise InputError("the game is over")
        player = board.game.player(board.state)
    least = read.numbers.get("minmoves", 0)
    return AnalysisRequest(
        player,
        INTERVAL_SECONDS if "interval" not in read.numbers else read.numbers["interval"] / 100,
        least,
        max(read.numbers.get("maxmoves", NAMED_MOVES), least, 1),
        restrict(board, player, [each for each in read.restrictions if each.player == player]),
        kata,
        read.ownership,
    )


def restrict(board: GtpGame, p: int, restrictions: Sequence[Restriction]) -> tuple[object, ...] | None:
    """The legal actions of player `p` that are left; `None` if these are all."""
    state, legal = board.state_for(p), board.legal(p)
    names = {board.vertex(state, action).casefold(): action for action in legal}
    avoided: set[object] = set()
    allowed: set[object] = set()
    for each in restrictions:
        named = {names[word] for word in read_vertices(board, each.vertices, names) if word in names}
        (allowed if each.allowing else avoided).update(named)
    narrow = any(each.allowing for each in restrictions)
    only = tuple(action for action in legal if action not in avoided and (action in allowed or not narrow))
    if not only:
        raise InputError("no legal move is left to look at")
    return only if len(only) < len(legal) else None


def read_vertices(board: GtpGame, text: str, names: Container[str]) -> list[str]:
    """The vertices of a list; one that is on the board but taken is no error, since nobody can play there."""
    found = [text] if text in names else text.split(",")
    for word in found:
        if word not in names and not (isinstance(board.game, StoneGame) and board.game.point_of(word) is not None):
            raise InputError(f"bad vertex list: there is no move {word[:20]!r}")
    return found
