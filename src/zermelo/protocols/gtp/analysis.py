"""What the search thinks while it thinks: `lz-analyze` and `lz-genmove_analyze`, as Leela Zero answers them.

    info move D4 visits 120 winrate 5312 lcb 5190 order 0 pv D4 E5 C3 info move …

One line per interval, until the next command comes. Chances of winning and bounds are in ten-thousandths; `lcb` is the
lower confidence bound by which moves are often compared, z = 1.96. There is no `prior`: no search here has a policy.

The words of a request, in any order:

    COLOUR                            whose move it is; by default that of the player to move
    CENTISECONDS, interval N          how often to report
    minmoves N, maxmoves N            how many moves to report
    avoid COLOUR VERTICES DEPTH       not these moves of COLOUR, VERTEX,VERTEX,…, up to DEPTH plies deep
    allow COLOUR VERTICES DEPTH       no others than these

Only the moves of the position itself are restricted: deeper in the tree, and for the other colour, all are searched.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, NamedTuple

from zermelo.analysis import Analysis
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.play.notation import write_line
from zermelo.protocols.gtp.game import COLOURS, GtpGame, MoveOptions, StoneGame, write_vertex
from zermelo.protocols.session import SearchRequest, SearchThread

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

CONFIDENCE_Z = 1.96
FOLLOWED_LINES = 5
"""Moves that a search by depth follows up with their lines: each costs it time."""
INTERVAL_SECONDS = 0.5
"""Seconds between two lines, by default."""
NAMED_MOVES = 30
"""The number of moves that a line names, by default."""
MOST_DIGITS = 6


class AnalysisCommands:
    """The commands over a server's board, and the analysis under way."""

    def __init__(self, server: GtpServer):
        self.server = server
        self.number = ""
        """The number of the command that is being answered."""
        self.under_way = False
        """Whether an analysis goes on and its answer is not finished."""
        self.answered = False
        """Whether the command has written the beginning of its answer itself, or all of it."""
        self._request = AnalysisRequest(0)
        self._due = 0.0
        """When to report again."""
        self._latest: tuple[SearchThread, Analysis] | None = None
        self.commands: dict[str, Command] = {
            "lz-analyze": self.begin,
            "analyze": self.begin,
            "lz-genmove_analyze": self.generate,
            "genmove_analyze": self.generate,
        }

    def begin(self, words: list[str]) -> str:
        """Starts an analysis, which goes on until `end`."""
        request, session = self.read(words), self.server.board.session
        session.position = self.server.board.position_for(request.player)
        lines = max(min(FOLLOWED_LINES, request.most), request.least, 1)
        self.open()
        self.under_way = True
        order = SearchRequest(infinite=True, only=request.only, interval=request.interval or None, lines=lines)
        session.go(order, self.tell, lambda _: None)
        return ""

    def generate(self, words: list[str]) -> str:
        """A move of its own, with what it thought on the way; ends with `play VERTEX`."""
        request = self.read(words)
        options = MoveOptions(request.only, request.interval or None, tell=self.tell)
        vertex = self.server.chooser.play(request.player, options)
        self.say()
        self.open()
        self.server.say(f"play {vertex}", "")
        return ""

    def end(self) -> None:
        """Ends the analysis under way, with a last report and the empty line that ends its answer."""
        if not self.under_way:
            return
        self.server.board.session.stop()
        self.under_way = False
        self.say()
        self.server.say("")

    def read(self, words: list[str]) -> AnalysisRequest:
        self._request = read_request(self.server.board, words)
        self._due = time.perf_counter() + self._request.interval
        self._latest = None
        return self._request

    def open(self) -> None:
        """Writes the first line of the answer, unless that was done before."""
        if not self.answered:
            self.answered = True
            self.server.say(f"={self.number}")

    def tell(self, search: SearchThread, found: Analysis) -> None:
        self._latest = (search, found)
        now = time.perf_counter()
        if now >= self._due:
            self._due = max(self._due + self._request.interval, now)
            self.say()

    def say(self) -> None:
        """Reports the last result of the search, unless that was done before."""
        if self._latest is None:
            return
        search, found = self._latest
        self._latest = None
        self.open()
        self.server.say(describe(search.game, search.position.state, found, self._request, search.legal))


class Candidate(NamedTuple):
    """A move, and what is known of it."""

    action: object
    value: float
    visits: int
    line: tuple[object, ...]


def describe(game: Game, state: object, found: Analysis, request: AnalysisRequest, legal: Sequence[object]) -> str:
    """The best moves of an analysis, one `info move` after the other; moves that were not tried only to fill up."""
    candidates = rank(found, legal)
    tried = sum(each.visits > 0 for each in candidates)
    parts = []
    for order, each in enumerate(candidates[: min(max(tried, request.least, 1), request.most)]):
        share, visits = win_share(game, each.value), max(each.visits, 1)
        bound = max(share - CONFIDENCE_Z * math.sqrt(max(share * (1 - share), 0.25 / visits) / visits), 0.0)
        words = " ".join(write_line(game, state, each.line, write_vertex))
        numbers = f"visits {each.visits} winrate {round(10_000 * share)} lcb {round(10_000 * bound)}"
        parts.append(f"info move {words.split(' ', 1)[0]} {numbers} order {order} pv {words}")
    return " ".join(parts)


def rank(found: Analysis, legal: Sequence[object]) -> list[Candidate]:
    """All of `legal`, the best first.

    Simulations report how often each was tried. A search by depth has values and lines for as many as it was asked
    about; of others it knows bounds at most, so they count as not tried.
    """
    lines = {line[0]: (value, line) for value, line in found.lines if line}
    if found.line:
        lines[found.line[0]] = (found.value, found.line)
    visits = found.visits or dict.fromkeys(lines, found.nodes)
    candidates = []
    for action in legal:
        value, line = lines.get(action, (found.actions.get(action, found.value), (action,)))
        candidates.append(Candidate(action, value, visits.get(action, 0), line))
    return sorted(candidates, key=lambda each: (each.action != found.action, -each.visits, -each.value))


def win_share(game: Game, value: float) -> float:
    """A value of the mover between a loss, 0, and a win, 1."""
    low, high = game.bounds
    if not math.isfinite(high - low) or high <= low:
        return (1 + math.tanh(value / 2)) / 2
    return min(max((value - low) / (high - low), 0.0), 1.0)


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


def read_request(board: GtpGame, words: Sequence[str]) -> AnalysisRequest:
    """The request that `words` make; `InputError` if one of them makes no sense, or no move is left to look at."""
    read = Words(words)
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
