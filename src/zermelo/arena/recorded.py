"""Whole games from files, one after the other, whatever wrote them.

games.pgn, .pdn    moves with numbers, comments and variations, of which the main line is taken
games.jsonl        a line of JSON for each game, as `zermelo arena export` writes them
game.sgf           the main line of its first game, or of a game's own format
data, games.db     what `zermelo selfplay --save` and `zermelo arena --save` keep
games.bin          games of native self-play (`zermelo.learn.records`)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from zermelo.arena.export._game import white_seat
from zermelo.arena.export.jsonl import read_game
from zermelo.arena.export.sgf import game_number
from zermelo.arena.openings.files import read_movetext
from zermelo.book import PlayedGame
from zermelo.errors import InputError
from zermelo.game import AnyGame, Game
from zermelo.play.notation import play_moves, read_position

LoadedGame = tuple[Any, list[Any]]
"""Where a game begins, and the actions from there on."""
STORE_MAGIC, RECORDS_MAGIC = b"SQLite format 3\0", b"ZGAMES"
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "2-0": (1.0, 0.0), "0-2": (0.0, 1.0)}
"""Results in files, as the shares of white and of black; so many points as in PDN are the same results."""


def read_games(path: Path, game: AnyGame, plies: int) -> Iterator[PlayedGame[Any, Any]]:
    """The games of a file or folder, each with its first `plies` actions at least."""
    if path.is_dir():
        from zermelo.arena.selfplay.run import STORE_NAME

        path = path / STORE_NAME
    try:
        with path.open("rb") as file:
            head = file.read(len(STORE_MAGIC))
        if head == STORE_MAGIC:
            yield from _stored(path, game, plies)
        elif head.startswith(RECORDS_MAGIC):
            yield from _recorded(path, game)
        else:
            yield from _written(path, game, path.read_text(encoding="utf-8-sig"), plies)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is no file of games: name a PGN, SGF or jsonl file, or games of self-play") from None


def _stored(path: Path, game: AnyGame, plies: int) -> Iterator[PlayedGame[Any, Any]]:
    from zermelo.arena.store import Store

    with closing(Store.open(path)) as store:
        for scheduled, outcome in store.games():
            record = outcome.record
            where = f"{path}, game {scheduled.number}"
            _check_name(where, record.game, game)
            yield _played(where, game, record.start, list(record.moves[:plies]), record.utilities)


def _recorded(path: Path, game: AnyGame) -> Iterator[PlayedGame[Any, Any]]:
    from zermelo.learn.records import RecordedGames

    records: RecordedGames[Any] = RecordedGames(path, game)
    for each in records:
        yield PlayedGame(each.start, each.actions, each.utilities)


def _written(path: Path, game: AnyGame, text: str, plies: int) -> Iterator[PlayedGame[Any, Any]]:
    """The games of a text."""
    text = text.lstrip()
    own = game.read_record(text) if game.can("read_record") else None
    if own is not None or text.startswith("("):
        start, actions = own or read_sgf(game, text)
        yield PlayedGame(start, actions, _end(game, start, actions))
    elif text.startswith("{"):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                found = read_game(line)
                _check_name(f"{path}, line {number}", found.game, game)
                moves = [str(move) for move in found.moves[:plies]]
                yield _played(f"{path}, line {number}", game, found.start, moves, found.utilities)
    else:
        for number, tags, moved in read_movetext(text):
            where = f"{path}, line {number}"
            if moved is None:
                raise InputError(f"{where}: this comment or text is never closed")
            if "Game" in tags:
                _check_name(where, tags.get("Variant", game.name), game)
            result = _result(game, tags)
            kept = list(moved if result is None else moved[:plies])
            yield _played(where, game, tags.get("FEN"), kept, result)


def _played(
    where: str, game: AnyGame, start: str | None, moves: list[str], utilities: tuple[float, ...] | None
) -> PlayedGame[Any, Any]:
    try:
        begin, actions = replay(game, start, moves)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return PlayedGame(begin, actions, utilities or _end(game, begin, actions))


def _check_name(where: str, name: str, game: AnyGame) -> None:
    if name != game.name:
        raise InputError(f"{where}: this is a game of {name}, not of {game.name}: leave the file out")


def _result(game: AnyGame, tags: dict[str, str]) -> tuple[float, ...] | None:
    """What each player got, by the tags of a game."""
    shares = POINTS.get(tags.get("Result", "*"))
    if shares is None or game.players != 2:
        return None
    low, high = game.bounds
    white = white_seat([game.player_name(p) for p in range(2)]) or 0
    points = shares if white == 0 else shares[::-1]
    return tuple(low + (high - low) * share if share != 0.5 else game.neutral for share in points)


def _end(game: AnyGame, start: Any, actions: list[Any]) -> tuple[float, ...] | None:
    """What each player got, if the rules ended the game."""
    state = start
    for action in actions:
        state = game.result(state, action)
    return game.utilities(state) if game.is_terminal(state) else None


def read_json(game: Game, line: str) -> LoadedGame:
    found = read_game(line)
    if found.game != game.name:
        raise InputError(f"this is a game of {found.game}, not of {game.name}: choose that game")
    if not isinstance(found.moves, tuple) or not isinstance(found.start, str | None):
        raise InputError("this line is not a whole game: its moves are a list, its start a text")
    return replay(game, found.start, [str(move) for move in found.moves])


def replay(game: Game, start: str | None, moves: list[str]) -> LoadedGame:
    """`moves` in the game's notation, from a position that is written as text, or from the initial one."""
    state = game.initial() if start is None else read_position(game, start)
    last, history = play_moves(game, state, moves)
    return state, [game.read_action(s, move) for s, move in zip([*history, last], moves, strict=False)]


def read_sgf(game: Game, text: str) -> LoadedGame:
    """The main line of the first game of an SGF file."""
    from zermelo.games._sgf import parse

    root = parse(text)[0]
    number = root.get("GM").strip()
    if number not in ("", "0", str(game_number(game.name))):
        raise InputError(f"the SGF file is of another game than {game.name}: its GM is {number[:8]}")
    moves = [move for node in root.main_line() for name in ("B", "W") for move in node.properties.get(name, [])[:1]]
    return replay(game, root.get("START") or None, ["swap" if move == "swap-pieces" else move for move in moves])
