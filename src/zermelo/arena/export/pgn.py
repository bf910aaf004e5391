"""PGN, the format of chess, for every game, and PDN, the format of draughts, for checkers.

In PGN the movetext is in the game's own notation. White is the player of that name, else player 0, and `1-0` says that
White has won. Games other than chess have a tag `Variant`; with more or fewer than two players the result is a star.
There, and where payoffs count, `Utilities` holds what was paid, and `Adjusted` the same with luck taken off. A start
other than the initial position stands in `FEN`, as the game writes it. A move that a reader could mistake stands in
quotes. Comments are those of cutechess: value, depth, seconds.

In PDN squares have numbers, and `GameType` is 21. Black is player 0 and moves first; `1-0` says that White has won.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from zermelo.arena.export._game import (
    ExportGame,
    Writer,
    describe_move,
    find_white,
    find_winner,
    one_line,
    quoted,
    read_moment,
    wrap,
    write_tags,
)
from zermelo.arena.openings.files import RESULTS
from zermelo.game import CHANCE

PLAIN_MOVE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:/@-]*")
"""Moves that need no quotes."""

TERMINATIONS = {
    "left": "abandoned",
    "adjudication": "adjudication",
    "crash": "emergency",
    "hang": "time forfeit",
    "time": "time forfeit",
    "illegal move": "rules infraction",
    "garbage": "rules infraction",
}
"""The words of PGN for the reasons of ours; all others are normal ends."""


def white_player(game: ExportGame) -> int:
    """The player that the game calls white, else player 0."""
    return find_white(game) or 0


def write_result(game: ExportGame) -> str:
    """`1-0` if White has won; a star if it is unknown, or there are not two players."""
    if game.utilities is None or len(game.players) != 2:
        return "*"
    winner = find_winner(game)
    return "1/2-1/2" if winner is None else "1-0" if winner == white_player(game) else "0-1"


def roster(game: ExportGame) -> list[tuple[str, str]]:
    """The seven tags that every file has, in their order, and when the game began."""
    white = white_player(game)
    others = [name for p, name in enumerate(game.players) if p != white]
    began = read_moment(game.started)
    return [
        ("Event", game.event or "?"),
        ("Site", game.site or "?"),
        ("Date", "????.??.??" if began is None else began.date().isoformat().replace("-", ".")),
        ("Round", game.round or "?"),
        ("White", game.players[white]),
        ("Black", others[0] if others else "-"),
        ("Result", write_result(game)),
        *([] if began is None else [("Time", began.time().isoformat("seconds"))]),
    ]


def further_tags(game: ExportGame) -> list[tuple[str, str]]:
    """Tags for other facts that are known."""
    ended = "unterminated" if game.utilities is None else "normal"
    adjudged = "unterminated" if game.utilities is None else "adjudication"
    tags = [
        ("Termination", adjudged if game.reason == "length" else TERMINATIONS.get(game.reason, ended)),
        ("PlyCount", str(len(game.moves))),
        ("TimeControl", game.time_control),
        ("Fixture", game.fixture),
        ("Seed", "" if game.seed is None else str(game.seed)),
        ("Versions", ", ".join(f"{name} {version}" for name, version in game.versions.items())),
    ]
    return [(name, value) for name, value in tags if value]


def write_moves(game: ExportGame) -> Iterator[str]:
    """The words of the movetext. There is a move number at each turn of player 0, and after comments."""
    number, previous, commented = 0, -1, True
    for i, (move, turn) in enumerate(zip(game.moves, _turns(game), strict=True)):
        if (turn == 0 and previous != 0) or number == 0:
            number += 1
            commented = True
        if commented:
            yield f"{number}." if turn == 0 else f"{number}..."
        yield write_move(move)
        comment = describe_move(game, i)
        yield from write_comment(comment)
        previous, commented = turn, bool(comment)
    ending = ": ".join(text for text in (game.reason, game.detail) if text)
    yield from write_comment(ending)
    yield write_result(game)


def _turns(game: ExportGame) -> list[int]:
    """Whose turn each move belongs to; a roll of the dice is part of the turn that it opens."""
    turns: list[int] = []
    turn = 0
    for mover in reversed(game.movers):
        turn = turn if mover == CHANCE else mover
        turns.append(turn)
    return turns[::-1]


def write_move(move: str) -> str:
    """The move, in quotes if a reader could misread it."""
    return move if PLAIN_MOVE.fullmatch(move) and move not in RESULTS else quoted(move)


def write_comment(text: str) -> list[str]:
    """The words of a comment; characters that would end it, or start a skipped line, are replaced."""
    clean = one_line(text).replace("{", "(").replace("}", ")").replace("%", " percent")
    words = clean.split()
    if not words:
        return []
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words


class Pgn:
    name = "pgn"
    scope = "all games"

    def suits(self, game: ExportGame) -> bool:
        return True

    def write(self, game: ExportGame) -> str:
        tags = [*roster(game), *self.tags(game), *further_tags(game)]
        return f"{write_tags(tags)}\n{wrap(write_moves(game))}\n"

    def tags(self, game: ExportGame) -> list[tuple[str, str]]:
        """Tags that distinguish the game from chess."""
        tags = [] if game.game.casefold() == "chess" else [("Variant", game.game)]
        if game.spec:
            tags.append(("Game", game.spec))
        if game.start is not None:
            tags += [("SetUp", "1"), ("FEN", game.start)]
        if len(game.players) != 2:
            tags += [(f"Player{p + 1}", name) for p, name in enumerate(game.players)]
        if game.utilities is not None and (len(game.players) != 2 or game.payoffs is not None):
            tags.append(("Utilities", " ".join(f"{u:g}" for u in game.utilities)))
        if game.payoffs is not None and game.payoffs != game.utilities:
            tags.append(("Adjusted", " ".join(f"{u:.6g}" for u in game.payoffs)))
        return tags


QUIET = re.compile(r":H\d+$")
"""The number of quiet plies, which the standard's positions do not have."""


class Pdn:
    name = "pdn"
    scope = "checkers"

    def suits(self, game: ExportGame) -> bool:
        return game.game.casefold() == "checkers"

    def write(self, game: ExportGame) -> str:
        tags = [*roster(game), ("GameType", "21")]
        if game.start is not None:
            tags += [("SetUp", "1"), ("FEN", QUIET.sub("", game.start))]
        return f"{write_tags([*tags, *further_tags(game)])}\n{wrap(write_moves(game))}\n"


WRITERS: tuple[Writer, ...] = (Pgn(), Pdn())
