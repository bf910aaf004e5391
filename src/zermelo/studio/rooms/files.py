"""Games as text that a page saves and loads: the formats of the arena, positions, and lists of moves."""

from __future__ import annotations

from typing import Any

from zermelo.arena.export import find_writer, from_record, writers
from zermelo.arena.openings.movetext import read_movetext
from zermelo.arena.play import Record
from zermelo.arena.position import play_moves, read_position
from zermelo.errors import InputError, ZermeloError
from zermelo.game import Game


def write_game(game: Game, record: Record, text: str, form: str) -> dict[str, Any]:
    """The game of `record` as a file: its name and its content."""
    found = from_record(game, record, spec=text)
    writer = find_writer(form)
    if not writer.suits(found):
        others = ", ".join(name for name, other in writers().items() if other.suits(found))
        raise InputError(f"{writer.name} is for {writer.scope}: save this game as {others}")
    return {"name": f"{game.name.lower()}.{writer.name}"[-80:], "content": writer.write(found)}


def read_game_text(game: Game, text: str) -> tuple[Any, list[Any]]:
    """Where a game begins and the actions from there on, from a position, from moves, or from a file of one game."""
    stripped = text.strip()
    if not stripped:
        raise InputError("there is nothing to load: paste a position, moves or a game")
    try:
        return read_position(game, stripped), []
    except ZermeloError as error:
        why = error
    games = list(read_movetext(stripped))
    if not games or games[0][2] is None:
        raise why
    _line, tags, moves = games[0]
    assert moves is not None
    state = read_position(game, tags["FEN"]) if "FEN" in tags else game.initial()
    if not moves and not tags:
        raise why
    last, history = play_moves(game, state, moves)
    states = [*history, last]
    pairs = zip(states, moves, strict=False)
    return state, [game.read_action(s, move) for s, move in pairs]
