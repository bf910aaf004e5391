"""Games as text that a page saves and loads: the formats of the arena, positions, and lists of moves.

A text is tried as a position, as SGF, as a line of JSON, and as PGN or PDN, whose moves may also stand alone.
"""

from __future__ import annotations

from typing import Any

from zermelo.arena.export import find_writer, from_record, writers
from zermelo.arena.export.jsonl import read_game
from zermelo.arena.openings.movetext import read_movetext
from zermelo.arena.play import Record
from zermelo.arena.position import play_moves, read_position
from zermelo.errors import InputError, ZermeloError
from zermelo.game import Game

STANDARD = {"checkers": "pdn", "go": "sgf", "hex": "sgf", "othello": "sgf"}
"""What a game is saved as if nobody says otherwise, by its name; others as PGN."""

Course = tuple[Any, list[Any]]
"""Where a game begins, and the actions from there on."""


def formats(game: Game, record: Record) -> list[str]:
    """The formats that can hold the game of `record`, the usual one first."""
    found = from_record(game, record)
    usual = STANDARD.get(game.name.casefold(), "pgn")
    return sorted((name for name, writer in writers().items() if writer.suits(found)), key=lambda name: name != usual)


def write_game(game: Game, record: Record, text: str, form: str) -> dict[str, Any]:
    """The game of `record` as a file: its name and its content."""
    writer = find_writer(form)
    if writer.name not in (known := formats(game, record)):
        raise InputError(f"{writer.name} is for {writer.scope}: save this game as {', '.join(known)}")
    content = writer.write(from_record(game, record, spec=text))
    return {"name": f"{game.name.lower()}.{writer.name}"[-80:], "content": content}


def read_game_text(game: Game, text: str) -> Course:
    """Where a game begins and the actions from there on, from a position, from moves, or from a file of one game."""
    stripped = text.strip()
    if not stripped:
        raise InputError("there is nothing to load: paste a position, moves or a game")
    try:
        return read_position(game, stripped), []
    except ZermeloError as error:
        why = error
    if stripped.startswith("(;"):
        return read_sgf(game, stripped)
    if stripped.startswith("{"):
        found = read_game(stripped.splitlines()[0])
        return replay(game, found.start, [str(move) for move in found.moves])
    games = list(read_movetext(stripped))
    if not games or games[0][2] is None or not (games[0][2] or games[0][1]):
        raise why
    _line, tags, moves = games[0]
    return replay(game, tags.get("FEN"), list(moves or ()))


def replay(game: Game, start: str | None, moves: list[str]) -> Course:
    """`moves` in the game's notation, from a position that is written as text, or from the initial one."""
    state = game.initial() if start is None else read_position(game, start)
    last, history = play_moves(game, state, moves)
    return state, [game.read_action(s, move) for s, move in zip([*history, last], moves, strict=False)]


def read_sgf(game: Game, text: str) -> Course:
    """The main line of the first game of an SGF file."""
    from zermelo.games._sgf import parse

    if hasattr(game, "load_sgf"):
        return load_sgf(game, text)
    root = parse(text)[0]
    moves = [move for node in root.main_line() for name in ("B", "W") for move in node.properties.get(name, [])[:1]]
    return replay(game, root.get("START") or None, ["swap" if move == "swap-pieces" else move for move in moves])


def load_sgf(game: Any, text: str) -> Course:
    """A file of a game that reads SGF itself, with its handicap; the page's own komi and rules count."""
    played, moves, starts = game.load_sgf(text.encode(), None)
    if played.size != game.size:
        raise InputError(f"the file is of a board of {played.size} lines: choose go with the option size={played.size}")
    start = state = read_position(game, played.write(starts[0]))
    actions: list[Any] = []
    for mover, action in moves:
        if game.is_terminal(state) or game.player(state) != mover or action not in game.actions(state):
            raise InputError(f"move {len(actions) + 1} of the file cannot be played by the rules chosen here")
        actions.append(action)
        state = game.result(state, action)
    return start, actions
