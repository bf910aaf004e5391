"""A played game with all that a file may hold of it, what a writer of files is, and text that is safe in a file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from zermelo.arena.openings.book import Opening
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.play import Record
from zermelo.play.notation import play_moves, read_position


@dataclass(frozen=True, slots=True)
class ExportGame:
    """One game. Fields parallel to `moves` have one entry per move, `None` where it is unknown."""

    game: str
    """The game's name, as in `ConnectFour`."""
    players: tuple[str, ...]
    """The names of the players, player 0's first."""
    moves: tuple[str, ...]
    """Every move in the game's notation, including those of the opening and of chance."""
    movers: tuple[int, ...]
    """Who made each move; `CHANCE` is −1."""
    utilities: tuple[float, ...] | None
    """The utility of every player; `None` if the game was left unfinished."""
    payoffs: tuple[float, ...] | None = None
    """What statistics count for every player, with luck taken off; `None` where points count."""
    start: str | None = None
    """The position before the first move, as text; `None` for the game's initial one."""
    reason: str = ""
    """What ended the game, if not the rules: a word of `Record.reason`, or a kind of `PlayerError`."""
    detail: str = ""
    """More about the end, for people."""
    spec: str = ""
    """The text that names the game with its options, as in `connect4:columns=8`."""
    seats: tuple[str, ...] = ()
    """What the game calls its players, as in `black` and `white`."""
    size: tuple[int, int] | None = None
    """Columns and rows of the board, if it has one."""
    chance: bool = False
    hidden: bool = False
    book: int = 0
    """The number of moves at the start that belong to the opening."""
    seconds: tuple[float | None, ...] | None = None
    values: tuple[float | None, ...] | None = None
    """The utility that the mover expected for itself."""
    depths: tuple[int | None, ...] | None = None
    nodes: tuple[int | None, ...] | None = None
    event: str = ""
    site: str = ""
    started: str = ""
    """When the game began, as in `2026-11-15T20:17:00+00:00`."""
    round: str = ""
    fixture: str = ""
    time_control: str = ""
    seed: int | None = None
    versions: dict[str, str] = field(default_factory=dict)
    """The versions of the programs that played, by name."""


class Writer(Protocol):
    """A format of files."""

    name: str
    """Also the suffix of its files."""
    scope: str
    """Which games it suits, in words."""

    def suits(self, game: ExportGame) -> bool: ...

    def write(self, game: ExportGame) -> str:
        """The game as text; files of many games are such texts one after the other."""


PARALLEL = ("seconds", "values", "depths", "nodes")


def from_record(game: Game, record: Record, opening: Opening | None = None, **more: Any) -> ExportGame:
    """The game of `record`, with `more` about it; `opening`, if given, is what led to the record's start.

    Those of `more` that are parallel to moves are parallel to the record's; the opening's moves get `None`.
    """
    opening = opening or Opening(None if record.start == game.write(game.initial()) else record.start)
    state, history = opening.reach(game)
    movers = [game.player(s) for s in history]
    for action in record.actions:
        movers.append(game.player(state))
        state = game.result(state, action)
    book = len(opening.moves)
    for name in PARALLEL:
        if more.get(name) is not None:
            more[name] = (None,) * book + tuple(more[name])
    facts: dict[str, Any] = {
        "game": record.game,
        "players": record.players,
        "moves": (*opening.moves, *record.moves),
        "movers": tuple(movers),
        "utilities": record.utilities,
        "start": opening.start,
        "reason": record.reason,
        "seats": tuple(game.player_name(p) for p in range(game.players)),
        "size": game.board_size,
        "chance": game.kind.chance,
        "hidden": game.kind.hidden,
        "book": book,
    }
    return ExportGame(**{**facts, **more})


def find_white(game: ExportGame) -> int | None:
    """Which of two players the game calls white; `None` if it has other names for them."""
    return white_seat(game.seats) if len(game.players) == 2 else None


def white_seat(seats: Sequence[str]) -> int | None:
    """Which of these is white; `None` if none is, and none is black."""
    for p, seat in enumerate(seats):
        if seat.casefold() in ("white", "w"):
            return p
        if seat.casefold() in ("black", "b"):
            return 1 - p
    return None


def find_winner(game: ExportGame) -> int | None:
    """Which of two players got more; `None` if neither did, or it is unknown."""
    if game.utilities is None or len(game.utilities) != 2 or game.utilities[0] == game.utilities[1]:
        return None
    return 0 if game.utilities[0] > game.utilities[1] else 1


def read_moment(text: str) -> datetime | None:
    """The time that `text` gives in ISO 8601; `None` if it is not a time."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def describe_move(game: ExportGame, number: int) -> str:
    """What is known of a move, as cutechess writes it: `+0.310/8 0.12s`, the value from the mover's side."""
    if number < game.book:
        return "book"
    value, depth, seconds = (
        None if facts is None else facts[number] for facts in (game.values, game.depths, game.seconds)
    )
    thought = "" if value is None else f"{value:+.3f}" + ("" if depth is None else f"/{depth}")
    spent = "" if seconds is None else f"{seconds:.2f}s"
    return " ".join(word for word in (thought, spent) if word)


LINE_COLUMNS = 79
"""Lines of movetext stay below 80 columns."""


def one_line(text: str) -> str:
    """`text` with a blank for whatever breaks lines or cannot be printed, and `?` for what UTF-8 cannot hold."""
    kinds = {"Cc": " ", "Zl": " ", "Zp": " ", "Cs": "?"}
    return "".join(kinds.get(unicodedata.category(letter), letter) for letter in text)


def quoted(text: str) -> str:
    """`text` as a string of PGN."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def write_tags(tags: Iterable[tuple[str, str]]) -> str:
    """One line per tag."""
    return "".join(f"[{name} {quoted(value)}]\n" for name, value in tags)


def wrap(tokens: Iterable[str]) -> str:
    """`tokens` with blanks between them, in lines of at most `LINE_COLUMNS` columns where no token is longer."""
    lines = [""]
    for token in tokens:
        longer = f"{lines[-1]} {token}" if lines[-1] else token
        if len(longer) <= LINE_COLUMNS or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(token)
    return "\n".join(lines) + "\n"


class OwnFormat:
    """The format of one game, with its options."""

    def __init__(self, game: Game):
        self.rules = game
        self.name = game.record_format
        self.scope = f"games of {game.name} that it can hold"

    def suits(self, game: ExportGame) -> bool:
        try:
            self.write(game)
        except InputError:
            return False
        return True

    def write(self, game: ExportGame) -> str:
        """The game as text; `InputError` says why the format cannot hold it."""
        return self.rules.write_record(*self.played(game))

    def write_all(self, games: Iterable[ExportGame]) -> Iterator[str]:
        """A file of the games, piece by piece."""
        return self.rules.write_records(self.played(game) for game in games)

    def played(self, game: ExportGame) -> tuple[object, list[object], tuple[str, ...], tuple[float, ...] | None]:
        """Where the game begins, its actions, its players and their utilities."""
        rules = self.rules
        start = rules.initial() if game.start is None else read_position(rules, game.start)
        _last, before = play_moves(rules, start, game.moves)
        actions = [rules.read_action(s, move) for s, move in zip(before, game.moves, strict=True)]
        return start, actions, game.players, game.utilities
