"""SGF, the format of Go and similar games (FF[4]): two players, a board, no dice, nothing hidden.

Black is the player that the game calls black, else player 0. Games that have a number in the standard's list get it,
all others `GM[0]`, which no reader takes for Go. Moves of Go are points as the standard wants them; those of all other
games stand in their own notation, which is the standard's for Hex. A start other than the initial position stands in
the property `START`, as the game writes it.
"""

from __future__ import annotations

import re

from zermelo.arena.export._game import (
    ExportGame,
    Writer,
    describe_move,
    find_white,
    find_winner,
    one_line,
    read_moment,
    wrap,
)

NUMBERS = {
    "go": 1,
    "othello": 2,
    "chess": 3,
    "gomoku": 4,
    "renju": 4,
    "morris": 5,
    "chinesechess": 7,
    "xiangqi": 7,
    "shogi": 8,
    "linesofaction": 9,
    "ataxx": 10,
    "hex": 11,
    "jungle": 12,
    "amazons": 18,
    "twixt": 21,
    "kropki": 40,
}
"""From the standard's list of games, under the names that games have here."""
UNLISTED = 0

ENDINGS = {"resignation": "R", "time": "T", "hang": "T", "crash": "F", "illegal move": "F", "garbage": "F"}


class Sgf:
    name = "sgf"
    scope = "games of two players without dice or hidden actions"

    def suits(self, game: ExportGame) -> bool:
        return len(game.players) == 2 and not game.chance and not game.hidden

    def write(self, game: ExportGame) -> str:
        nodes = [";" + "".join(f"{name}[{value}]" for name, value in self.root(game))]
        for i, (move, mover) in enumerate(zip(game.moves, game.movers, strict=True)):
            comment = describe_move(game, i)
            said = f"C[{escape(comment)}]" if comment else ""
            nodes.append(f";{colour(game, mover)}[{write_move(game, move)}]{said}")
        return f"({wrap(nodes).rstrip()})\n"

    def root(self, game: ExportGame) -> list[tuple[str, str]]:
        """Root and game-info properties; values are escaped."""
        began = read_moment(game.started)
        black = 0 if colour(game, 0) == "B" else 1
        version = escape(game.versions.get("zermelo", "?"))
        properties = [("FF", "4"), ("GM", str(game_number(game.game))), ("CA", "UTF-8"), ("AP", f"zermelo:{version}")]
        if game.size is not None:
            columns, rows = game.size
            properties.append(("SZ", str(columns) if columns == rows else f"{columns}:{rows}"))
        texts = [
            ("PB", game.players[black]),
            ("PW", game.players[1 - black]),
            ("RE", write_result(game)),
            ("GN", game.spec or game.game),
            ("DT", "" if began is None else began.date().isoformat()),
            ("EV", game.event),
            ("RO", game.round),
            ("PC", game.site),
            ("OT", game.time_control),
            ("START", game.start or ""),
            ("PL", colour(game, game.movers[0]) if game.start is not None and game.movers else ""),
            ("GC", ": ".join(text for text in (game.reason, game.detail) if text)),
        ]
        return properties + [(name, escape(text)) for name, text in texts if text]


def game_number(name: str) -> int:
    """The number of a game in the standard's list; 0 if it is not listed."""
    return NUMBERS.get(re.sub(r"[\W_]", "", name).casefold(), UNLISTED)


def escape(text: str) -> str:
    """`text` on one line, with the characters escaped that would end or split a value."""
    return re.sub(r"([\\\]:])", r"\\\1", one_line(text))


def colour(game: ExportGame, p: int) -> str:
    white = find_white(game)
    return "W" if p == (1 if white is None else white) else "B"


def write_result(game: ExportGame) -> str:
    """`B+`, with the way of winning where the rules did not end the game; `0` for a draw, `?` if it is unknown."""
    winner = find_winner(game)
    if winner is not None:
        return f"{colour(game, winner)}+{ENDINGS.get(game.reason, '')}"
    return "?" if game.utilities is None else "0"


def write_move(game: ExportGame, move: str) -> str:
    name = game.game.casefold()
    if name == "go" and game.size is not None:
        return go_point(move, game.size[1])
    if name == "hex" and move == "swap":
        return "swap-pieces"
    return escape(move)


def go_point(move: str, rows: int) -> str:
    """`D4`, which counts from below and has no column I, as two letters from the upper left; a pass is empty."""
    found = re.fullmatch(r"([A-HJ-Z])(\d+)", move.strip().upper())
    if found is None:
        return ""
    column, row = "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(found[1]), rows - int(found[2])
    return f"{chr(ord('a') + column)}{chr(ord('a') + row)}"


WRITERS: tuple[Writer, ...] = (Sgf(),)
