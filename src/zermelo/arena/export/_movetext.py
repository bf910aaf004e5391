"""What PGN and PDN share: tags that every game has, numbered moves with comments, results."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zermelo.arena.export._game import ExportGame, describe_move, find_white, find_winner, read_moment
from zermelo.arena.export._text import one_line, quoted
from zermelo.arena.openings.movetext import RESULTS
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
    """Who is White: who the game calls so, else player 0."""
    return find_white(game) or 0


def write_result(game: ExportGame) -> str:
    """`1-0` if White has won; a star if nobody knows, or there are not two players."""
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
    """What else is known, where it is."""
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
    """The words of the movetext. A number stands wherever the turn comes to player 0, and after comments."""
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
    """The move as it is, in quotes if a reader could take it for something else."""
    return move if PLAIN_MOVE.fullmatch(move) and move not in RESULTS else quoted(move)


def write_comment(text: str) -> list[str]:
    """The words of a comment; what would end it, or open a line that is skipped, is written otherwise."""
    clean = one_line(text).replace("{", "(").replace("}", ")").replace("%", " percent")
    words = clean.split()
    if not words:
        return []
    words[0] = "{" + words[0]
    words[-1] += "}"
    return words
