"""Lines in, answers out: the framing of GTP, its errors, and what every engine knows.

Nothing that is read can end it but `quit` and the end of the input. Every command is answered exactly once, by `=` and
a text or by `?` and what is wrong, and with the number that came before it.
"""

from __future__ import annotations

import math
import re
import sys
import threading
import traceback
from collections.abc import Callable
from typing import BinaryIO

from zermelo.engine.network import AnyNetwork, network_of
from zermelo.errors import InputError, ZermeloError
from zermelo.game import Game
from zermelo.options import default_options
from zermelo.protocols.gtp.analysis import AnalysisCommands
from zermelo.protocols.gtp.game import COLOURS, Chooser, GtpClock, GtpGame, is_stone_game, remake
from zermelo.protocols.gtp.stones import StoneCommands
from zermelo.protocols.settings import SessionSettings
from zermelo.protocols.uci import read_lines
from zermelo.search.trace.words import clean
from zermelo.version import own_version

Command = Callable[[list[str]], str]

LONGEST_ERROR_CHARS = 300
"""The maximum length of an error message, in characters."""
DEFAULT_MOVE_SECONDS = 5.0
"""For a move, where no time is set."""
LONGEST_TIME_SECONDS = 1e7


class GtpServer:
    """An engine for one game; `say` is given one line at a time, from two threads but never from both at once."""

    def __init__(
        self,
        game: Game,
        say: Callable[[str], None],
        *,
        settings: SessionSettings | None = None,
        seconds: float = DEFAULT_MOVE_SECONDS,
        debug: bool = False,
    ):
        self._say = say
        self._lock = threading.Lock()
        self.debug = debug
        self.settings = settings or SessionSettings()
        self.board = GtpGame(game, self.settings)
        self.network = network_of(game)
        """For every game of this server that it fits."""
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
            self.board.session.stop()

    def handle(self, line: str) -> bool:
        """Answers one line; returns whether there may be more."""
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
        except Exception as error:  # also from the game's own rules: a peer must not be able to end the engine
            self.answer("?", number, self.describe(error))
        else:
            if not (self.analysis.under_way or self.analysis.answered):
                self.answer("=", number, told)
        return True

    def describe(self, error: Exception) -> str:
        if self.debug:
            traceback.print_exception(error, file=sys.stderr)
        text = clean(str(error)) if isinstance(error, ZermeloError) else f"{type(error).__name__}: {clean(str(error))}"
        return text if len(text) <= LONGEST_ERROR_CHARS else text[:LONGEST_ERROR_CHARS] + " …"

    def answer(self, sign: str, number: str, text: str) -> None:
        """Writes one answer and the empty line that ends it; no line of it but the first may be empty."""
        first, *others = text.splitlines() or [""]
        self.say(f"{sign}{number} {first}".rstrip(), *(line.rstrip() for line in others if line.strip()), "")

    def say(self, *lines: str) -> None:
        with self._lock:
            for line in lines:
                self._say(line)


class PlayCommands:
    """The commands over a server's board and clock."""

    def __init__(self, server: GtpServer):
        self.server = server
        self.commands: dict[str, Command] = {
            "boardsize": self.set_size,
            "query_boardsize": lambda _: str(board_size(self.board.game) or ""),
            "clear_board": self.clear,
            "play": self.play,
            "genmove": self.generate,
            "reg_genmove": self.consider,
            "undo": self.undo,
            "showboard": lambda _: "\n" + self.board.game.show(self.board.state),
            "is_legal": self.is_legal,
            "all_legal": self.all_legal,
            "move_history": self.list_moves,
            "time_settings": self.set_time,
            "kgs-time_settings": self.set_kgs_time,
            "time_left": self.tell_time,
        }

    @property
    def board(self) -> GtpGame:
        return self.server.board

    def set_size(self, words: list[str]) -> str:
        size = read_whole(words, 0, "unacceptable size", most=100)
        if size != board_size(self.board.game):
            try:
                game = remake(self.board.game, self.server.network, size=size)
            except InputError:
                if "handicap" not in default_options(type(self.board.game)):
                    raise InputError("unacceptable size") from None
                game = remake_without_handicap(self.board.game, self.server.network, size)
            self.server.board = GtpGame(game, self.server.settings)
        else:
            self.board.clear()
        return ""

    def clear(self, words: list[str]) -> str:
        self.board.clear()
        self.server.clock.restart()
        return ""

    def play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise InputError("syntax error: write `play COLOUR VERTEX`")
        self.board.play(read_colour(words), words[1])
        return ""

    def undo(self, words: list[str]) -> str:
        self.board.undo()
        return ""

    def is_legal(self, words: list[str]) -> str:
        if len(words) != 2:
            raise InputError("syntax error: write `is_legal COLOUR VERTEX`")
        p = read_colour(words)
        state = self.board.state_for(p)
        names = {self.board.vertex(state, action).casefold() for action in self.board.legal(p)}
        return str(int(words[1].casefold() in names))

    def all_legal(self, words: list[str]) -> str:
        p = read_colour(words)
        state = self.board.state_for(p)
        return " ".join(self.board.vertex(state, action) for action in self.board.legal(p))

    def list_moves(self, words: list[str]) -> str:
        """From the last to the first."""
        plies = reversed(self.board.live.plies)
        return "\n".join(f"{('black', 'white')[p.mover]} {self.board.vertex(p.state, p.action)}" for p in plies)

    # Moves of its own.

    def generate(self, words: list[str]) -> str:
        return self.server.chooser.play(read_colour(words))

    def consider(self, words: list[str]) -> str:
        """What it would play."""
        state, action, _ = self.server.chooser.choose(read_colour(words))
        return self.board.vertex(state, action)

    # Clocks.

    def set_time(self, words: list[str]) -> str:
        main, overtime = (read_seconds(words, i) for i in range(2))
        stones = read_whole(words, 2, "syntax error: write `time_settings MAIN OVERTIME STONES`")
        self.server.clock.set(None if overtime > 0 and stones == 0 else main, overtime, stones)
        return ""

    def set_kgs_time(self, words: list[str]) -> str:
        kind = words[0] if words else ""
        if kind == "none":
            self.server.clock.set(None)
        elif kind == "absolute":
            self.server.clock.set(read_seconds(words, 1))
        elif kind == "byoyomi":  # the periods are a reserve; each stone has one period
            read_whole(words, 3, "syntax error: write `kgs-time_settings byoyomi MAIN PERIOD PERIODS`")
            self.server.clock.set(read_seconds(words, 1), read_seconds(words, 2), 1)
        elif kind == "canadian":
            stones = read_whole(words, 3, "syntax error: write `kgs-time_settings canadian MAIN PERIOD STONES`")
            self.server.clock.set(read_seconds(words, 1), read_seconds(words, 2), stones)
        else:
            raise InputError("syntax error: the time is none, absolute, byoyomi or canadian")
        return ""

    def tell_time(self, words: list[str]) -> str:
        p = read_colour(words)
        stones = read_whole(words, 2, "syntax error: write `time_left COLOUR SECONDS STONES`")
        self.server.clock.tell(p, read_seconds(words, 1), stones)
        return ""


def board_size(game: Game) -> int | None:
    """The lines of a square board."""
    columns, rows = game.board_size or (0, 0)
    return columns if columns and columns == rows else None


def remake_without_handicap(game: Game, network: AnyNetwork | None, size: int) -> Game:
    try:
        return remake(game, network, size=size, handicap=0)
    except InputError:
        raise InputError("unacceptable size") from None


def read_colour(words: list[str]) -> int:
    p = COLOURS.get(words[0].casefold()) if words else None
    if p is None:
        raise InputError("syntax error: the colour is black or white")
    return p


def read_whole(words: list[str], at: int, complaint: str, most: int = 10**6) -> int:
    word = words[at] if at < len(words) else ""
    if not word.isascii() or not word.isdigit() or len(word) > 9 or int(word) > most:
        raise InputError(complaint)
    return int(word)


def read_seconds(words: list[str], at: int) -> float:
    try:
        seconds = float(words[at])
    except (IndexError, ValueError):
        raise InputError("syntax error: a time is a number of seconds") from None
    if not 0 <= seconds < math.inf:
        raise InputError("syntax error: a time is a number of seconds")
    return min(seconds, LONGEST_TIME_SECONDS)
