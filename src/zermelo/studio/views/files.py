"""Games as text that a page saves and loads: a game's own format, those of the arena, positions, and lists of moves.

A text is tried as a position, as the game's own format, as SGF, as a line of JSON, and as PGN or PDN, whose moves may
also stand alone. Whatever it is, one error says what is wrong with it.
"""

from __future__ import annotations

import re

from zermelo.arena.export import OwnFormat, find_writer, from_record, writers
from zermelo.arena.openings.files import read_movetext
from zermelo.arena.recorded import LoadedGame, read_json, read_sgf, replay
from zermelo.errors import InputError, ZermeloError
from zermelo.game import Game
from zermelo.play.live import Record
from zermelo.play.notation import read_position
from zermelo.search.trace.words import clean

BINARY = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")
"""What no text of a game has in it."""
MAX_ERROR_CHARS = 300


def formats(game: Game, record: Record) -> list[str]:
    """The formats that can hold the game of `record`, the usual one first."""
    found = from_record(game, record)
    names = {name for name, writer in writers().items() if writer.suits(found)}
    if game.can("write_record"):
        (names.add if OwnFormat(game).suits(found) else names.discard)(game.record_format)
    return sorted(names, key=lambda name: (name != game.record_format, name != "pgn", name))


def write_game(game: Game, record: Record, text: str, form: str) -> dict[str, object]:
    """The game of `record` as a file: its name and its content."""
    if form not in (known := formats(game, record)):
        scope = f"{form} is for {find_writer(form).scope}" if form in writers() else f"there is no {form} of this game"
        raise InputError(f"{scope}: save this game as {', '.join(known)}")
    writer = OwnFormat(game) if game.can("write_record") and form == game.record_format else find_writer(form)
    content = writer.write(from_record(game, record, spec=text))
    return {"name": f"{game.name.lower()}.{form}"[-80:], "content": content}


def read_game_text(game: Game, text: str) -> LoadedGame:
    """Where a game begins and the actions from there on, from a position, from moves, or from a file of one game."""
    stripped = text.strip().removeprefix("\ufeff")
    if not stripped:
        raise InputError("there is nothing to load: paste a position, moves or a game")
    if BINARY.search(stripped):
        raise InputError("this is no text: load a position, moves or a game as a text file")
    try:
        return read_any(game, stripped)
    except ZermeloError as error:
        said = clean(str(error))
        if len(said) <= MAX_ERROR_CHARS:
            raise
        raise InputError(f"{said[:MAX_ERROR_CHARS]}…") from None


def read_any(game: Game, text: str) -> LoadedGame:
    try:
        return read_position(game, text), []
    except ZermeloError as error:
        why = error
    own = game.read_record(text) if game.can("read_record") else None
    if own is not None:
        return own
    if text.startswith("("):
        return read_sgf(game, text)
    if text.startswith("{"):
        return read_json(game, text.splitlines()[0])
    games = list(read_movetext(text))
    if not games or not (games[0][2] is None or games[0][2] or games[0][1]):
        raise why
    _line, tags, moves = games[0]
    if moves is None:
        raise InputError("the moves cannot be told apart: a comment or a text in quotes is not closed")
    # Both tags are in files of the arena; other programs call other things so.
    if "Game" in tags and tags.get("Variant", game.name) != game.name:
        raise InputError(f"this is a game of {tags['Variant']}, not of {game.name}: choose that game")
    try:
        return replay(game, tags.get("FEN"), list(moves))
    except ZermeloError:
        if tags or not looks_like_position(moves[0]):
            raise
        raise why from None


def looks_like_position(word: str) -> bool:
    """Whether what is no move was meant as a position: several rows, or parts with names."""
    return word.count("/") > 1 or ":" in word
