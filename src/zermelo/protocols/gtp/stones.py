"""What only Go has: komi, handicap, counting, dead stones, passing and resigning, SGF.

A game is taken for Go by what it offers (`StoneGame`), whatever it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from zermelo.analysis import Analysis
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.protocols.gtp.table import COLOURS, Table, Turn, remake

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import Command, GtpServer

RESIGN_BELOW = -0.9
"""The value at which a game is given up: one win in twenty."""
LARGEST_FILE = 10_000_000
"""Bytes of an SGF file: no game has as many."""
ENOUGH_NODES = 1000
"""Fewer positions than these are not enough to despair."""


@runtime_checkable
class StoneGame(Protocol):
    """What the commands of this file ask of a game."""

    size: int
    komi: float

    def with_turn(self, s: Any, p: int) -> Any: ...
    def setup(self, black: set[int], white: set[int], turn: int) -> Any: ...
    def colours(self, s: Any) -> str: ...
    def passes(self, s: Any) -> int: ...
    def prisoners(self, s: Any) -> tuple[int, int]: ...
    def dead(self, s: Any) -> set[int]: ...
    def liberties(self, s: Any, points: set[int]) -> set[int]: ...
    def seki(self, s: Any, dead: set[int]) -> set[int]: ...
    def margin(self, s: Any, dead: set[int]) -> float: ...
    def handicap_points(self, stones: int) -> list[int]: ...
    def point_of(self, text: str) -> int | None: ...
    def load_sgf(self, data: bytes, move: int | None) -> tuple[Any, list[tuple[int, int]], list[Any]]: ...
    def write_sgf(self, moves: list[tuple[int, int]], base: Any, states: list[Any]) -> str: ...


def is_stone_game(game: Game) -> bool:
    return isinstance(game, StoneGame)


def prefer_end(game: Any, state: Any) -> Any:
    """The pass that wins at once because the other has passed; `None` if it would not win."""
    if not is_stone_game(game) or game.passes(state) != 1:
        return None
    passing = game.size * game.size
    p, after = game.player(state), game.result(state, passing)
    return passing if game.is_terminal(after) and game.utility(after, p) > 0 else None


def may_resign(game: Any, best: Analysis | None, moves: int) -> bool:
    """Whether a game of Go is lost beyond hope."""
    if not is_stone_game(game) or best is None or best.nodes < ENOUGH_NODES:
        return False
    return bool(best.value < RESIGN_BELOW and moves > game.size * game.size // 5)


def write_margin(margin: float) -> str:
    return "0" if margin == 0 else f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def read_file(path: Path) -> bytes:
    """The content of a file that is one, and no device or pipe, which may have no end."""
    try:
        if path.is_file() and path.stat().st_size <= LARGEST_FILE:
            return path.read_bytes()
    except (OSError, ValueError):
        pass
    raise InputError("cannot load file")


class StoneCommands:
    """The commands over a server's table."""

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
    def table(self) -> Table:
        return self.server.table

    @property
    def game(self) -> Any:
        return self.table.game

    def names(self, points: Sequence[int]) -> list[str]:
        return [self.table.vertex(self.table.state, point) for point in sorted(points)]

    def set_komi(self, words: list[str]) -> str:
        """The same stones under another komi."""
        try:
            komi = float(words[0])
        except (IndexError, ValueError):
            raise InputError("syntax error: komi is a number") from None
        old = self.table
        game: Any = remake(old.game, komi=komi)
        table = Table(game, self.server.settings)

        def moved(s: Any) -> Any:
            return game.read(old.game.write(s))

        table.base = moved(old.base)
        table.turns = [Turn(t.player, t.action, moved(t.before), moved(t.after)) for t in old.turns]
        self.server.table = table
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
        if self.table.turns or set(self.game.colours(self.table.state)) != {"."}:
            raise InputError("board not empty")
        self.table.clear(self.game.setup(set(points), set(), 1))
        return " ".join(self.names(points))

    # Counting.

    def count_captures(self, words: list[str]) -> str:
        p = COLOURS.get(words[0].casefold()) if words else None
        if p is None:
            raise InputError("syntax error: the colour is black or white")
        return str(self.game.prisoners(self.table.state)[p])

    def count_score(self, words: list[str]) -> str:
        state = self.table.state
        return write_margin(self.game.margin(state, self.game.dead(state)))

    def list_status(self, words: list[str]) -> str:
        state, kind = self.table.state, words[0] if words else ""
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
        table, state = self.table, self.table.state_for(p)
        colours = self.game.colours(state)
        doomed = {point for point in self.game.dead(state) if colours[point] == "OX"[p]}
        if doomed:
            wanted = self.game.liberties(state, doomed)
            points = [a for a in table.legal(p) if a in wanted]
            if points:
                return self.search_only(p, points)
        table.add(p, state, self.game.size**2)
        return table.vertex(state, self.game.size**2)

    def search_only(self, p: int, points: list[int]) -> str:
        """The best of these moves, played."""
        table = self.table
        table.session.position = table.position_for(p)
        state = table.session.position.state
        order = self.server.clock.order(p, len(points))
        search = table.session.go(replace(order, only=tuple(points)), lambda *_: None, lambda _: None)
        search.join()
        table.add(p, state, search.action)
        return table.vertex(state, search.action)

    # Files.

    def load(self, words: list[str]) -> str:
        """The position of a file before that move of its main line, or at its end."""
        if not words:
            raise InputError("syntax error: write `loadsgf FILE MOVE`")
        number = words[1] if len(words) > 1 else ""
        move = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None
        data = read_file(Path(words[0]))
        try:
            game, moves, states = self.game.load_sgf(data, move)
        except InputError as error:
            raise InputError(f"cannot load file: {error}") from None
        table = Table(game, self.server.settings)
        table.base = states[0]
        for (p, action), after in zip(moves, states[1:], strict=True):
            table.turns.append(Turn(p, action, table.state_for(p), after))
        self.server.table = table
        return ("black", "white")[game.player(table.state)]

    def print_sgf(self, words: list[str]) -> str:
        moves = [(turn.player, turn.action) for turn in self.table.turns]
        text = str(self.game.write_sgf(moves, self.table.base, [turn.after for turn in self.table.turns]))
        if not words:
            return text
        raise InputError("syntax error: files are not written; `printsgf` alone answers with the game")
