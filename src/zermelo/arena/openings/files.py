"""Openings from files, one reader per kind of file; an error names its line.

.txt            one opening per line: moves, or `position TEXT` (`fen TEXT`), or that and `moves …`; # begins a comment
.jsonl          one record per opening, with `start` and `moves`, such as exported games
.epd  .fen      one position per line, as the game reads it
.pgn  .pdn      one game per opening; comments and variations are skipped
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from zermelo.arena.openings.book import Opening
from zermelo.errors import InputError, OptionError, PositionError
from zermelo.game import Game
from zermelo.protocols.epd import split_position

TOKEN = re.compile(
    r"""
      (?P<comment>  \{[^}]*\} | ;[^\n]* | ^%[^\n]* )
    | (?P<tag>      ^[ \t]*\[\s*(?P<name>\w+)\s+"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
    | (?P<text>     "(?:[^"\\]|\\.)*" )
    | (?P<bracket>  [()] )
    | (?P<mark>     \$\d+ | [?!]+ (?=\s|$) )
    | (?P<broken>   [{"] )
    | (?P<word>     [^\s{}();"]+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
RESULTS = ("1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1")
"""Those of PGN, and those with which PDN counts points; no move of any game is written so without quotes."""

MovetextGame = tuple[int, dict[str, str], tuple[str, ...] | None]
"""The line of the first move, the tags and the moves; `None` for moves that cannot be separated."""


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def read_movetext(text: str) -> Iterator[MovetextGame]:
    """The games of a file, one after the other."""
    line, at, depth = 1, 0, 0
    first: int | None = None
    tags: dict[str, str] = {}
    moves: list[str] = []
    for found in TOKEN.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        kind, word = found.lastgroup, found[0]
        if kind == "broken":
            yield line, tags, None
            return
        if kind == "bracket":
            depth = max(depth + (1 if word == "(" else -1), 0)
        is_result = kind == "word" and word in RESULTS and depth == 0
        if kind == "tag" or is_result:
            if first is not None or (is_result and tags):
                yield first or line, tags, tuple(moves)
                first, tags, moves, depth = None, {}, [], 0
            if kind == "tag":
                tags[found["name"]] = unescape(found["value"])
        elif kind in ("text", "word") and depth == 0:
            move = unescape(word[1:-1]) if kind == "text" else re.sub(r"^\d+\.+|[?!]+$", "", word)
            if move:
                first = line if first is None else first
                moves.append(move)
    if first is not None or tags:
        yield first or line, tags, tuple(moves)


Lines = Iterator[tuple[int, Opening]]


def read_file(path: Path, game: Game, plies: int | None = None) -> list[Opening]:
    """All openings of the file, cut after `plies` moves, each of them tried."""
    reader = READERS.get(path.suffix.lower())
    if not path.is_file():
        raise OptionError(f"there is no file {path}: openings are `none`, `random:plies=6` or a file")
    if reader is None:
        raise OptionError(f"openings cannot be read from {path}: its name should end in one of {', '.join(READERS)}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    openings = []
    try:
        for line, opening in reader(text, game):
            cut = Opening(opening.start, opening.moves[:plies])
            try:
                cut.reach(game)
            except InputError as error:
                raise BadLineError(line, str(error)) from None
            openings.append(cut)
    except BadLineError as error:
        raise InputError(f"{path}, line {error.line}: {error}") from None
    if not openings:
        raise InputError(f"{path} has no openings: write one a line, or play with `none`")
    return openings


class BadLineError(Exception):
    """What is wrong, and where."""

    def __init__(self, line: int, message: str):
        super().__init__(message)
        self.line = line


def read_line(text: str) -> Opening:
    """An opening in one line, as `str` of it gives it."""
    found = re.fullmatch(r"(?:fen|position)\s+(.+?)(?:\s+moves(?:\s+(.*))?)?|startpos(?:\s+moves(?:\s+(.*))?)?", text)
    if found is None:
        return Opening(None, tuple(text.removeprefix("moves ").split()))
    start, moves, others = found.groups()
    return Opening(None if start == "startpos" else start, tuple((moves or others or "").split()))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, numbered from 1 on."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def _read_txt(text: str, _game: Game) -> Lines:
    for number, line in _lines(text):
        yield number, read_line(line)


def _read_jsonl(text: str, _game: Game) -> Lines:
    for number, line in _lines(text):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadLineError(number, f"this is not JSON: {error}") from None
        yield number, _from_record(number, record)


def _from_record(number: int, record: object) -> Opening:
    if not isinstance(record, dict):
        raise BadLineError(number, 'an opening is a record, as in {"start": null, "moves": ["4", "4"]}')
    start, moves = record.get("start"), record.get("moves", [])
    if isinstance(moves, str):
        moves = moves.split()
    if not isinstance(start, str | None) or not isinstance(moves, list) or not all(isinstance(m, str) for m in moves):
        raise BadLineError(number, "`start` must be a text or null, and `moves` a list of texts")
    return Opening(start, tuple(moves))


def _read_positions(text: str, game: Game) -> Lines:
    for number, line in _lines(text):
        try:
            yield number, Opening(split_position(line, game)[0])
        except PositionError as error:
            raise BadLineError(number, str(error)) from None


def _read_games(text: str, _game: Game) -> Lines:
    for line, tags, moves in read_movetext(text):
        if moves is None:
            raise BadLineError(line, "this comment or text is never closed")
        yield line, Opening(tags.get("FEN"), moves)


READERS: dict[str, Callable[[str, Game], Lines]] = {
    ".txt": _read_txt,
    ".jsonl": _read_jsonl,
    ".epd": _read_positions,
    ".fen": _read_positions,
    ".pgn": _read_games,
    ".pdn": _read_games,
}
