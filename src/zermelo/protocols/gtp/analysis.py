"""What the search thinks while it thinks: `lz-analyze` and `lz-genmove_analyze`, as Leela Zero answers them.

    info move D4 visits 120 winrate 5312 lcb 5190 order 0 pv D4 E5 C3 info move …

One line per interval, until the next command comes. Chances of winning and bounds are in ten-thousandths; `lcb` is the
lower confidence bound by which moves are often compared, z = 1.96. There is no `prior`: no search here has a policy.

What may stand behind a command is in `request.py`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from zermelo.analysis import Analysis
from zermelo.protocols.gtp.game import MoveOptions
from zermelo.protocols.gtp.kata import KataReports
from zermelo.protocols.gtp.report import describe
from zermelo.protocols.gtp.request import AnalysisRequest, read_request
from zermelo.protocols.session import SearchThread
from zermelo.protocols.settings import SearchRequest

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

FOLLOWED_LINES = 5
"""Moves that a search by depth follows up with their lines: each costs it time."""


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
        self._kata = KataReports()
        self._due = 0.0
        """When to report again."""
        self._latest: tuple[SearchThread, Analysis] | None = None
        self.commands: dict[str, Command] = {
            "lz-analyze": self.begin,
            "analyze": self.begin,
            "kata-analyze": lambda words: self.begin(words, kata=True),
            "lz-genmove_analyze": self.generate,
            "genmove_analyze": self.generate,
            "kata-genmove_analyze": lambda words: self.generate(words, kata=True),
        }

    def begin(self, words: list[str], kata: bool = False) -> str:
        """Starts an analysis, which goes on until `end`."""
        request, session = self.read(words, kata), self.server.board.session
        session.position = self.server.board.position_for(request.player)
        lines = max(min(FOLLOWED_LINES, request.most), request.least, 1)
        self.open()
        self.under_way = True
        order = SearchRequest(infinite=True, only=request.only, interval=request.interval or None, lines=lines)
        session.go(order, self.tell, lambda _: None)
        return ""

    def generate(self, words: list[str], kata: bool = False) -> str:
        """A move of its own, with what it thought on the way; ends with `play VERTEX`."""
        request = self.read(words, kata)
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

    def read(self, words: list[str], kata: bool) -> AnalysisRequest:
        self._request = read_request(self.server.board, words, kata)
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
        say = self._kata.describe if self._request.kata else describe
        self.server.say(say(search.game, search.position.state, found, self._request, search.legal))
