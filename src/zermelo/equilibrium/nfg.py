"""NFG, Gambit's text format of games in normal form: read in both of its forms, written in both.

NFG 1 R "title" { "Ann" "Bob" } { 2 2 }              or the actions by name: { { "up" "down" } { "left" "right" } }
3 3 0 5 5 0 1 1                                      every player's payoffs, the first player's action the fastest
{ { "both" 3, 3 } { "" 0, 5 } } 1 2 0 …              or outcomes, and then their numbers; 0 stands for payoffs of 0

`Reader` is what the text formats of games share: words, braces, names in quotation marks; read from the front, with
every token checked. Versions of Gambit differ in the names that they take: printable ASCII, without spaces at the ends
or side by side, is safe. All else is written as \\u2660 or \\U0001f0a1, which `Reader` reads as the character.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np

from zermelo.equilibrium.form import MOST_PROFILES, NormalForm
from zermelo.equilibrium.numbers import read_number
from zermelo.errors import InputError

TOKEN = re.compile(r'\s*(?:,\s*)?("(?:[^"\\]|\\.)*"|[{}]|[^\s{},"]+)')
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|(.))", re.DOTALL)
ESCAPED = re.compile(r'["\\]|[^ -~]|^ | $|(?<= ) ')
MAX_FILE_BYTES = 200_000_000


def load_text(path: str | Path, kind: str) -> str:
    """The text of a file of that kind, as in `NFG`."""
    file = Path(path)
    if not file.is_file():
        raise InputError(f"there is no file {file}: give the path of an .{kind.lower()} file")
    if file.stat().st_size > MAX_FILE_BYTES:
        raise InputError(f"{file} is larger than {MAX_FILE_BYTES:,} bytes, too large for a game in {kind}")
    return file.read_text(encoding="utf-8", errors="replace")


class Reader:
    """The tokens of a file, taken from the front."""

    def __init__(self, text: str, kind: str):
        self.kind = kind
        self.tokens = self._split(text)
        self.place = 0

    def _split(self, text: str) -> list[str]:
        found, place = [], 0
        end = len(text.rstrip().rstrip(","))
        while place < end:
            match = TOKEN.match(text, place)
            if match is None:
                where = f"at character {place}: {text[place : place + 20]!r}"
                raise InputError(f"the {self.kind} file has an unreadable part {where}")
            found.append(match.group(1))
            place = match.end()
        return found

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def next(self, wanted: str) -> str:
        if self.place >= len(self.tokens):
            raise InputError(f"the {self.kind} file ends where {wanted} should be")
        self.place += 1
        return self.tokens[self.place - 1]

    def expect(self, *words: str) -> None:
        for word in words:
            found = self.next(word)
            if found != word:
                raise InputError(f"the {self.kind} file has {found[:40]!r} where {word!r} should be")

    def string(self, wanted: str) -> str:
        token = self.next(wanted)
        if not token.startswith('"'):
            raise InputError(f"the {self.kind} file has {token[:40]!r} where {wanted} should be, in quotation marks")
        return ESCAPE.sub(unescape, token[1:-1])

    def strings(self, wanted: str) -> list[str]:
        self.expect("{")
        found = []
        while self.peek() != "}":
            found.append(self.string(wanted))
        self.expect("}")
        return found

    def whole(self, wanted: str) -> int:
        """A whole number, 0 or more."""
        token = self.next(wanted)
        if not re.fullmatch(r"\d{1,9}", token):
            raise InputError(f"the {self.kind} file has {token[:40]!r} where {wanted} should be")
        return int(token)

    def end(self) -> None:
        if self.place < len(self.tokens):
            raise InputError(f"the {self.kind} file goes on after its end: {self.peek()[:40]!r}")


def unlike(names: list[str]) -> list[str]:
    """The names, with numbers appended to duplicate and empty ones."""
    if len(set(names)) == len(names) and all(names):
        return names
    return [f"{name or 'action'} {i + 1}" for i, name in enumerate(names)]


def quote(text: str) -> str:
    """A name in quotation marks, in ASCII; `Reader.string` gives it back as it was."""
    return f'"{ESCAPED.sub(lambda match: escape(match[0]), text)}"'


def escape(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def unescape(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else match[3]


def load_nfg(path: str | Path) -> NormalForm:
    """The game in a file."""
    return read_nfg(load_text(path, "NFG"))


def read_nfg(text: str) -> NormalForm:
    """The game that `text` describes."""
    reader = _Reader(text, "NFG")
    reader.expect("NFG", "1")
    if reader.next("R or D").upper() not in ("R", "D"):
        raise InputError("an NFG file begins with NFG 1 R or NFG 1 D")
    title = reader.string("the title")
    players = reader.strings("the players' names")
    if len(players) < 2:
        raise InputError("an NFG file needs at least two players")
    actions = reader.actions(len(players))
    if reader.peek().startswith('"'):
        reader.next("a comment")
    shape = tuple(map(len, actions))
    count = math.prod(shape)
    if count * len(players) > MOST_PROFILES:
        raise InputError(
            f"{len(players):,} players with these actions get over {MOST_PROFILES:,} payoffs, too many for a table"
        )
    rows = reader.outcomes(len(players), count) if reader.peek() == "{" else reader.payoffs(len(players), count)
    reader.end()
    tables = []
    for p in range(len(players)):
        array = np.empty(count, dtype=object)
        array[:] = [row[p] for row in rows]
        tables.append(array.reshape(shape, order="F"))
    return NormalForm(tables, players, actions, title)


class _Reader(Reader):
    """The parts of an NFG file."""

    def actions(self, players: int) -> list[list[str]]:
        """Names for every player's actions, or only their numbers."""
        self.expect("{")
        found = []
        for _ in range(players):
            if self.peek() == "{":
                names = self.strings("the names of actions")
            else:
                size = self.next("a number of actions")
                if not re.fullmatch(r"\d{1,8}", size) or int(size) > len(self.tokens):
                    raise InputError(f"{size[:40]!r} is no number of actions that the payoffs in the file could have")
                names = [str(i + 1) for i in range(int(size))]
            if not names:
                raise InputError("every player needs at least one action")
            found.append(unlike(names))
        self.expect("}")
        return found

    def payoffs(self, players: int, count: int) -> list[list[Fraction]]:
        left = len(self.tokens) - self.place
        if left != players * count:
            raise InputError(f"the NFG file needs {players * count:,} payoffs and has {left:,}")
        return [[read_number(self.next("a payoff")) for _ in range(players)] for _ in range(count)]

    def outcomes(self, players: int, count: int) -> list[list[Fraction]]:
        self.expect("{")
        found: list[list[Fraction]] = [[read_number("0")] * players]
        while self.peek() != "}":
            self.expect("{")
            self.string("the name of an outcome")
            found.append([read_number(self.next("a payoff")) for _ in range(players)])
            self.expect("}")
        self.expect("}")
        left = len(self.tokens) - self.place
        if left != count:
            raise InputError(f"the NFG file needs {count:,} numbers of outcomes and has {left:,}")
        numbers = [self.next("a number of an outcome") for _ in range(count)]
        if any(not re.fullmatch(r"\d{1,8}", number) or int(number) >= len(found) for number in numbers):
            raise InputError(f"outcomes are numbered 0 … {len(found) - 1}, and the NFG file names another")
        return [found[int(number)] for number in numbers]


def write_nfg(game: NormalForm, outcomes: bool = False) -> str:
    """The game as text, from which `read_nfg` makes it again; costs are written as negative payoffs."""
    head = [
        f"NFG 1 R {quote(game.title)} {{ {' '.join(map(quote, game.players))} }}",
        f"{{ {' '.join('{ ' + ' '.join(map(quote, own)) + ' }' for own in game.actions)} }}",
        '""',
    ]
    flat = [table.ravel(order="F") for table in game.exact]
    rows = list(zip(*flat, strict=True))
    if not outcomes:
        return "\n".join([*head, "", *(" ".join(map(str, row)) for row in rows), ""])
    numbers = {row: i + 1 for i, row in enumerate(dict.fromkeys(rows))}
    listed = [f'{{ "" {", ".join(map(str, row))} }}' for row in numbers]
    return "\n".join([*head, "{", *listed, "}", " ".join(str(numbers[row]) for row in rows), ""])
