"""Moves by name, moves of its own, boards and clocks: what GTP asks of any game."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.options import default_options
from zermelo.protocols.gtp.table import COLOURS, Table, remake

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

MOST_SECONDS = 1e7


class PlayCommands:
    """The commands over a server's table and clock."""

    def __init__(self, server: GtpServer):
        self.server = server
        self.commands: dict[str, Command] = {
            "boardsize": self.set_size,
            "query_boardsize": lambda _: str(board_size(self.table.game) or ""),
            "clear_board": self.clear,
            "play": self.play,
            "genmove": self.generate,
            "reg_genmove": self.consider,
            "undo": self.undo,
            "showboard": lambda _: "\n" + self.table.game.show(self.table.state),
            "is_legal": self.is_legal,
            "all_legal": self.all_legal,
            "move_history": self.list_moves,
            "time_settings": self.set_time,
            "kgs-time_settings": self.set_kgs_time,
            "time_left": self.tell_time,
        }

    @property
    def table(self) -> Table:
        return self.server.table

    def set_size(self, words: list[str]) -> str:
        size = read_whole(words, 0, "unacceptable size", most=100)
        if size != board_size(self.table.game):
            try:
                game = remake(self.table.game, size=size)
            except InputError:
                if "handicap" not in default_options(type(self.table.game)):
                    raise InputError("unacceptable size") from None
                game = remake_without_handicap(self.table.game, size)
            self.server.table = Table(game, self.server.settings)
        else:
            self.table.clear()
        return ""

    def clear(self, words: list[str]) -> str:
        self.table.clear()
        self.server.clock.restart()
        return ""

    def play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise InputError("syntax error: write `play COLOUR VERTEX`")
        self.table.play(read_colour(words), words[1])
        return ""

    def undo(self, words: list[str]) -> str:
        self.table.undo()
        return ""

    def is_legal(self, words: list[str]) -> str:
        if len(words) != 2:
            raise InputError("syntax error: write `is_legal COLOUR VERTEX`")
        p = read_colour(words)
        state = self.table.state_for(p)
        names = {self.table.vertex(state, action).casefold() for action in self.table.legal(p)}
        return str(int(words[1].casefold() in names))

    def all_legal(self, words: list[str]) -> str:
        p = read_colour(words)
        state = self.table.state_for(p)
        return " ".join(self.table.vertex(state, action) for action in self.table.legal(p))

    def list_moves(self, words: list[str]) -> str:
        """From the last to the first."""
        turns = reversed(self.table.turns)
        return "\n".join(f"{('black', 'white')[t.player]} {self.table.vertex(t.before, t.action)}" for t in turns)

    # Moves of its own.

    def generate(self, words: list[str]) -> str:
        return self.server.chooser.play(read_colour(words))

    def consider(self, words: list[str]) -> str:
        """What it would play."""
        state, action, _ = self.server.chooser.choose(read_colour(words))
        return self.table.vertex(state, action)

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


def remake_without_handicap(game: Game, size: int) -> Game:
    try:
        return remake(game, size=size, handicap=0)
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
    return min(seconds, MOST_SECONDS)
