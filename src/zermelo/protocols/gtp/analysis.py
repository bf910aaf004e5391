"""What the search thinks while it thinks: `lz-analyze` and `lz-genmove_analyze`, as Leela Zero answers them.

    info move D4 visits 120 winrate 5312 lcb 5190 order 0 pv D4 E5 C3 info move …

One line an interval, until the next command comes. Chances of winning and bounds are in ten-thousandths; `lcb` is the
lower confidence bound by which moves are often compared, z = 1.96. There is no `prior`: no search here has a policy.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.play.notation import write_line
from zermelo.protocols.gtp.choosing import Wish
from zermelo.protocols.gtp.request import Request, read_request
from zermelo.protocols.gtp.table import write_vertex
from zermelo.protocols.session import SearchRequest, SearchThread

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

CONFIDENCE = 1.96
LINES = 5
"""Moves that a search by depth follows up with their lines: each costs it time."""


class AnalysisCommands:
    """The commands over a server's table, and the analysis under way."""

    def __init__(self, server: GtpServer):
        self.server = server
        self.number = ""
        """Of the command that is being answered."""
        self.under_way = False
        """Whether an analysis goes on and its answer is not finished."""
        self.answered = False
        """Whether the command has written the beginning of its answer itself, or all of it."""
        self._request = Request(0)
        self._due = 0.0
        """When to speak again."""
        self._latest: tuple[SearchThread, Analysis] | None = None
        self.commands: dict[str, Command] = {
            "lz-analyze": self.begin,
            "analyze": self.begin,
            "lz-genmove_analyze": self.generate,
            "genmove_analyze": self.generate,
        }

    def begin(self, words: list[str]) -> str:
        """Starts an analysis, which goes on until `end`."""
        request, session = self.read(words), self.server.table.session
        session.position = self.server.table.position_for(request.player)
        lines = max(min(LINES, request.most), request.least, 1)
        self.open()
        self.under_way = True
        order = SearchRequest(infinite=True, only=request.only, interval=request.interval or None, lines=lines)
        session.go(order, self.tell, lambda _: None)
        return ""

    def generate(self, words: list[str]) -> str:
        """A move of its own, with what it thought on the way; ends with `play VERTEX`."""
        request = self.read(words)
        wish = Wish(request.only, request.interval or None, tell=self.tell)
        vertex = self.server.chooser.play(request.player, wish)
        self.say()
        self.open()
        self.server.say(f"play {vertex}", "")
        return ""

    def end(self) -> None:
        """Ends the analysis under way, with its last word and the empty line that its answer still lacks."""
        if not self.under_way:
            return
        self.server.table.session.stop()
        self.under_way = False
        self.say()
        self.server.say("")

    def read(self, words: list[str]) -> Request:
        self._request = read_request(self.server.table, words)
        self._due = time.perf_counter() + self._request.interval
        self._latest = None
        return self._request

    def open(self) -> None:
        """The first line of the answer, unless it has been said."""
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
        """What the search has found last, unless that was said before."""
        if self._latest is None:
            return
        search, found = self._latest
        self._latest = None
        self.open()
        self.server.say(describe(search.game, search.position.state, found, self._request, search.legal))


class Candidate(NamedTuple):
    """A move, and what is known of it."""

    action: Any
    value: float
    visits: int
    line: tuple[Any, ...]


def describe(game: Game, state: Any, found: Analysis, request: Request, legal: list[Any]) -> str:
    """The best moves of an analysis, one `info move` after the other; moves that were not tried only to fill up."""
    candidates = rank(found, legal)
    tried = sum(each.visits > 0 for each in candidates)
    parts = []
    for order, each in enumerate(candidates[: min(max(tried, request.least, 1), request.most)]):
        share, visits = win_share(game, each.value), max(each.visits, 1)
        bound = max(share - CONFIDENCE * math.sqrt(max(share * (1 - share), 0.25 / visits) / visits), 0.0)
        words = " ".join(write_line(game, state, each.line, write_vertex))
        numbers = f"visits {each.visits} winrate {round(10_000 * share)} lcb {round(10_000 * bound)}"
        parts.append(f"info move {words.split(' ', 1)[0]} {numbers} order {order} pv {words}")
    return " ".join(parts)


def rank(found: Analysis, legal: list[Any]) -> list[Candidate]:
    """All of `legal`, the best first.

    Simulations tell how often each was tried. A search by depth has values and lines for as many as it was asked about;
    of others it knows bounds at most, so they count as not tried.
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
