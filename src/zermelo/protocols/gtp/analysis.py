"""What the search thinks while it thinks: `lz-analyze` and `lz-genmove_analyze`, as Leela Zero answers them.

    info move D4 visits 120 winrate 5312 prior 0 lcb 5190 order 0 pv D4 E5 C3 info move …

One line an interval, until the next command comes. Chances of winning and bounds are in ten-thousandths; `lcb` is the
lower confidence bound by which moves are often compared, z = 1.96.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Analysis
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.protocols.gtp.table import COLOURS
from zermelo.protocols.notation import write_line
from zermelo.protocols.thinking import Search
from zermelo.protocols.timing import Order

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

MOST_MOVES = 30
"""That a line names."""
INTERVAL = 0.5
"""Seconds between two lines, if nobody says otherwise."""
CONFIDENCE = 1.96


class AnalysisCommands:
    """The commands over a server's table, and the analysis under way."""

    def __init__(self, server: GtpServer):
        self.server = server
        self.number = ""
        """Of the command that is being answered."""
        self.under_way = False
        """Whether an analysis goes on and its answer is not finished."""
        self.answered = False
        """Whether the command has written its whole answer itself."""
        self._interval = INTERVAL
        self._said = 0.0
        self.commands: dict[str, Command] = {
            "lz-analyze": self.begin,
            "analyze": self.begin,
            "lz-genmove_analyze": self.generate,
            "genmove_analyze": self.generate,
        }

    def begin(self, words: list[str]) -> str:
        """Starts an analysis, which goes on until `end`."""
        p = self.read(words)
        session = self.server.table.session
        session.position = self.server.table.position_for(p)
        self.server.say(f"={self.number}")
        self.under_way = True
        session.go(Order(infinite=True), self.tell, lambda _: None)
        return ""

    def generate(self, words: list[str]) -> str:
        """A move of its own, with what it thought on the way; ends with `play VERTEX`."""
        p = self.read(words)
        table = self.server.table
        session = table.session
        session.position = table.position_for(p)
        state = session.position.state
        self.server.say(f"={self.number}")
        search = session.go(self.server.clock.order(p, 25), self.tell, lambda _: None)
        search.join()
        if search.best is not None:
            self.say(search, search.best)
        table.add(p, state, search.action)
        self.server.say(f"play {table.vertex(state, search.action)}", "")
        self.answered = True
        return ""

    def end(self) -> None:
        """Ends the analysis under way, with its last word and the empty line that its answer still lacks."""
        if not self.under_way:
            return
        search = self.server.table.session.search
        self.server.table.session.stop()
        self.under_way = False
        if search is not None and search.best is not None:
            self.say(search, search.best)
        self.server.say("")

    def read(self, words: list[str]) -> int:
        """Whose move is asked for; sets how often to speak. Both may be left out."""
        left = [word.casefold() for word in words]
        table = self.server.table
        p = COLOURS.get(left[0]) if left else None
        if p is not None:
            left.pop(0)
        elif not table.game.is_terminal(table.state):
            p = table.game.player(table.state)
        if left and left[0] == "interval":
            left.pop(0)
        self._interval = INTERVAL
        if left and left[0].isascii() and left[0].isdigit() and len(left[0]) < 7:
            self._interval = int(left[0]) / 100
        elif left:
            raise InputError("syntax error: write `lz-analyze COLOUR CENTISECONDS`")
        if p is None:
            raise InputError("the game is over")
        self._said = time.perf_counter()
        return p

    def tell(self, search: Search, found: Analysis) -> None:
        if time.perf_counter() - self._said >= self._interval:
            self.say(search, found)

    def say(self, search: Search, found: Analysis) -> None:
        self._said = time.perf_counter()
        self.server.say(describe(self.server.table.game, search.position.state, found))


def describe(game: Game, state: Any, found: Analysis) -> str:
    """The best moves of an analysis, one `info move` after the other."""
    lines = {line[0]: line for _, line in found.lines if line}
    if found.line:
        lines[found.line[0]] = found.line
    visits = found.visits or dict.fromkeys(found.actions or lines, found.nodes)
    ranked = sorted(visits, key=lambda a: (a != found.action, -visits[a], -found.actions.get(a, found.value)))
    parts = []
    for order, action in enumerate(ranked[:MOST_MOVES]):
        share = win_share(game, found.actions.get(action, found.value))
        tried = max(visits[action], 1)
        bound = max(share - CONFIDENCE * math.sqrt(max(share * (1 - share), 0.25 / tried) / tried), 0.0)
        words = " ".join(write_line(game, state, lines.get(action, (action,))))
        move = words.split(" ", 1)[0]
        numbers = f"visits {visits[action]} winrate {round(10_000 * share)} prior 0 lcb {round(10_000 * bound)}"
        parts.append(f"info move {move} {numbers} order {order} pv {words}")
    return " ".join(parts)


def win_share(game: Game, value: float) -> float:
    """A value of the mover between a loss, 0, and a win, 1."""
    low, high = game.bounds
    if not math.isfinite(high - low) or high <= low:
        return 1 / (1 + math.exp(-value))
    return min(max((value - low) / (high - low), 0.0), 1.0)
