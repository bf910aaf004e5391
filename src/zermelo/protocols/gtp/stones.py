"""What only Go has: komi, handicap, counting, dead stones, SGF."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import InputError
from zermelo.protocols.gtp.game import COLOURS, GtpGame, MoveOptions, remake

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

LARGEST_FILE_BYTES = 10_000_000
"""The maximum size of an SGF file; no game is larger."""


def write_margin(margin: float) -> str:
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def read_file(path: Path) -> bytes:
    """The content of a regular file; devices and pipes, which may have no end, are refused."""
    try:
        if path.is_file() and path.stat().st_size <= LARGEST_FILE_BYTES:
            return path.read_bytes()
    except (OSError, ValueError):
        pass
    raise InputError("cannot load file")


class StoneCommands:
    """The commands over a server's board."""

    def __init__(self, server: GtpServer):
        self.server = server
        self.commands: dict[str, Command] = {
            "komi": self.set_komi,
            "get_komi": lambda _: f"{self.game.komi:g}",
            "fixed_handicap": self.place_fixed,
            "place_free_handicap": self.place_free,
            "set_free_handicap": self.set_free,
            "captures": self.count_captures,
            "final_score": self.count_score,
            "final_status_list": self.list_status,
            "kgs-genmove_cleanup": self.clean_up,
            "loadsgf": self.load,
            "printsgf": self.print_sgf,
        }

    @property
    def board(self) -> GtpGame:
        return self.server.board

    @property
    def game(self) -> Any:
        return self.board.game

    def names(self, points: Sequence[int]) -> list[str]:
        return [self.board.vertex(self.board.state, point) for point in sorted(points)]

    def set_komi(self, words: list[str]) -> str:
        """The same stones under another komi."""
        try:
            komi = float(words[0])
        except (IndexError, ValueError):
            raise InputError("syntax error: komi is a number") from None
        old = self.board
        game = remake(old.game, self.server.network, komi=komi)

        def moved(s: object) -> object:
            return game.read(old.game.write(s))

        board = GtpGame(game, self.server.settings, moved(old.live.start))
        board.set_up = {number: moved(state) for number, state in old.set_up.items()}
        for ply in old.live.plies:
            board.live.push(ply.action, state=moved(ply.state))
        self.server.board = board
        return ""

    # Handicap.

    def place_fixed(self, words: list[str]) -> str:
        return self.place(self.handicap_points(words))

    def place_free(self, words: list[str]) -> str:
        """The usual places; as many of them as the board has."""
        try:
            return self.place(self.handicap_points(words))
        except InputError:
            wanted = int(words[0]) if words and words[0].isascii() and words[0].isdigit() and len(words[0]) < 4 else 0
            if wanted < 2:
                raise
        most = max((n for n in range(2, 10) if self.game.handicap_points(n)), default=0)
        points = self.game.handicap_points(min(wanted, most))
        if not points:
            raise InputError("invalid number of stones")
        return self.place(points)

    def handicap_points(self, words: list[str]) -> list[int]:
        word = words[0] if words else ""
        points: list[int] = []
        if word.isascii() and word.isdigit() and len(word) < 4:
            points = self.game.handicap_points(int(word))
        if not points:
            raise InputError("invalid number of stones")
        return points

    def set_free(self, words: list[str]) -> str:
        points = [self.game.point_of(word) for word in words]
        taken = [p for p in points if p is not None and p < self.game.size**2]
        if len(taken) < 2 or len(set(taken)) < len(words) or len(words) >= self.game.size**2:
            raise InputError("bad vertex list")
        self.place(taken)
        return ""

    def place(self, points: list[int]) -> str:
        if self.board.live.plies or set(self.game.colours(self.board.state)) != {"."}:
            raise InputError("board not empty")
        self.board.clear(self.game.setup(set(points), set(), 1))
        return " ".join(self.names(points))

    # Counting.

    def count_captures(self, words: list[str]) -> str:
        p = COLOURS.get(words[0].casefold()) if words else None
        if p is None:
            raise InputError("syntax error: the colour is black or white")
        return str(self.game.prisoners(self.board.state)[p])

    def count_score(self, words: list[str]) -> str:
        state = self.board.state
        return write_margin(self.game.margin(state, self.game.dead(state)))

    def list_status(self, words: list[str]) -> str:
        state, kind = self.board.state, words[0] if words else ""
        dead = self.game.dead(state)
        seki = self.game.seki(state, dead)
        stones = {p for p, colour in enumerate(self.game.colours(state)) if colour != "."}
        found = {"dead": dead, "seki": seki, "alive": stones - dead - seki}.get(kind)
        if found is None:
            raise InputError("syntax error: the status is alive, seki or dead")
        return "\n".join(self.names(list(found)))

    def clean_up(self, words: list[str]) -> str:
        """A move that takes dead stones of the other off the board; a pass when there are none left."""
        p = COLOURS.get(words[0].casefold()) if words else None
        if p is None:
            raise InputError("syntax error: the colour is black or white")
        board, state = self.board, self.board.state_for(p)
        colours = self.game.colours(state)
        doomed = {point for point in self.game.dead(state) if colours[point] == "OX"[p]}
        if doomed:
            wanted = self.game.liberties(state, doomed)
            points = [a for a in board.legal(p) if a in wanted]
            if points:
                return self.server.chooser.play(p, MoveOptions(tuple(points), resigning=False))
        board.live.push(self.game.size**2, state=state)
        return board.vertex(state, self.game.size**2)

    # Files.

    def load(self, words: list[str]) -> str:
        """The position of a file before that move of its main line, or at its end."""
        if not words:
            raise InputError("syntax error: write `loadsgf FILE MOVE`")
        number = words[1] if len(words) > 1 else ""
        if number and not (number.isascii() and number.isdigit() and len(number) < 9):
            raise InputError("syntax error: the move is a number from 1 on")
        move = int(number) if number else None
        data = read_file(Path(words[0]))
        try:
            game, moves, states = self.game.load_sgf(data, move)
        except InputError as error:
            raise InputError(f"cannot load file: {error}") from None
        board = GtpGame(game, self.server.settings, states[0])
        for count, (p, action) in enumerate(moves, start=1):
            board.live.push(action, state=board.state_for(p))
            board.set_up[count] = states[count]
        self.server.board = board
        return ("black", "white")[game.player(board.state)]

    def print_sgf(self, words: list[str]) -> str:
        live = self.board.live
        moves = [(ply.mover, ply.action) for ply in live.plies]
        text = str(self.game.write_sgf(moves, live.start, self.board.states))
        if not words:
            return text
        raise InputError("syntax error: files are not written; `printsgf` alone answers with the game")
