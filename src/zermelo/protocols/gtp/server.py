"""Lines in, answers out: the framing of GTP, its errors, and what every engine knows.

Nothing that is read can end it but `quit` and the end of the input. Every command is answered exactly once, by `=` and
a text or by `?` and what is wrong, and with the number that came before it.
"""

from __future__ import annotations

import re
import sys
import threading
import traceback
from collections.abc import Callable
from typing import BinaryIO

from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.protocols.gtp.analysis import AnalysisCommands
from zermelo.protocols.gtp.choosing import Chooser
from zermelo.protocols.gtp.clock import GtpClock
from zermelo.protocols.gtp.play import PlayCommands
from zermelo.protocols.gtp.stone_game import is_stone_game
from zermelo.protocols.gtp.stones import StoneCommands
from zermelo.protocols.gtp.table import Table
from zermelo.protocols.session import SessionSettings
from zermelo.protocols.uci import read_lines
from zermelo.search.trace.words import clean
from zermelo.version import own_version

Command = Callable[[list[str]], str]

LONGEST_ERROR = 300
"""Characters of what is said to be wrong."""
SECONDS = 5.0
"""For a move, where no time is set."""


class GtpServer:
    """An engine for one game; `say` is given one line at a time, from two threads but never from both at once."""

    def __init__(
        self,
        game: Game,
        say: Callable[[str], None],
        *,
        settings: SessionSettings | None = None,
        seconds: float = SECONDS,
        debug: bool = False,
    ):
        self._say = say
        self._lock = threading.Lock()
        self.debug = debug
        self.settings = settings or SessionSettings()
        self.table = Table(game, self.settings)
        self.clock = GtpClock(seconds)
        self.chooser = Chooser(self)
        self.analysis = AnalysisCommands(self)
        self.commands: dict[str, Command] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Zermelo" if is_stone_game(game) else f"Zermelo {clean(game.name)}",
            "version": lambda _: own_version(),
            "known_command": lambda words: str(bool(words) and words[0] in self.known()).lower(),
            "list_commands": lambda _: "\n".join(self.known()),
            **PlayCommands(self).commands,
            **self.analysis.commands,
        }
        if is_stone_game(game):
            self.commands |= StoneCommands(self).commands

    def known(self) -> list[str]:
        return [*self.commands, "quit"]

    def serve(self, stream: BinaryIO) -> None:
        """Answers `stream` until it ends or says `quit`."""
        try:
            for line in read_lines(stream):
                if not self.handle("too-long" if line is None else line):
                    break
        finally:
            self.analysis.end()
            self.table.session.stop()

    def handle(self, line: str) -> bool:
        """Answers one line; says whether there may be more."""
        words = re.sub(r"[^\t\x20-\x7e\x80-\U0010ffff]", "", line.partition("#")[0]).split()
        if not words:
            return True
        self.analysis.end()
        number = words.pop(0) if re.fullmatch(r"[0-9]{1,9}", words[0], re.ASCII) else ""
        if not words:
            self.answer("?", number, "unknown command")
            return True
        name, *arguments = words
        if name == "quit":
            self.answer("=", number, "")
            return False
        command = self.commands.get(name)
        if command is None:
            self.answer("?", number, "unknown command")
            return True
        self.analysis.number, self.analysis.answered = number, False
        try:
            told = command(arguments)
        except Exception as error:  # of the game's own rules, too: a peer must not be able to end us
            self.answer("?", number, self.describe(error))
        else:
            if not (self.analysis.under_way or self.analysis.answered):
                self.answer("=", number, told)
        return True

    def describe(self, error: Exception) -> str:
        if self.debug:
            traceback.print_exception(error, file=sys.stderr)
        text = clean(str(error)) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {clean(str(error))}"
        return text if len(text) <= LONGEST_ERROR else text[:LONGEST_ERROR] + " …"

    def answer(self, sign: str, number: str, text: str) -> None:
        """One answer, with the empty line behind it; no other line of it but the first is empty."""
        first, *others = text.splitlines() or [""]
        self.say(f"{sign}{number} {first}".rstrip(), *(line.rstrip() for line in others if line.strip()), "")

    def say(self, *lines: str) -> None:
        with self._lock:
            for line in lines:
                self._say(line)
