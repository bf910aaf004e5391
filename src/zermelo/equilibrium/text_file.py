"""What the text formats of games share: words, braces, names in quotation marks; read from the front, never trusted."""

from __future__ import annotations

import re
from pathlib import Path

from zermelo.errors import InputError

TOKEN = re.compile(r'\s*(?:,\s*)?("(?:[^"\\]|\\.)*"|[{}]|[^\s{},"]+)')
LARGEST_FILE = 200_000_000
"""Bytes."""


def load_text(path: str | Path, kind: str) -> str:
    """The text of a file of that kind, as in `NFG`."""
    file = Path(path)
    if not file.is_file():
        raise InputError(f"there is no file {file}: give the path of an .{kind.lower()} file")
    if file.stat().st_size > LARGEST_FILE:
        raise InputError(f"{file} is larger than {LARGEST_FILE:,} bytes, too large for a game in {kind}")
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
        return re.sub(r"\\(.)", r"\1", token[1:-1])

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
    """The names, with numbers behind those that are there twice or are empty."""
    if len(set(names)) == len(names) and all(names):
        return names
    return [f"{name or 'action'} {i + 1}" for i, name in enumerate(names)]


def quote(text: str) -> str:
    escaped = re.sub(r'(["\\])', r"\\\1", " ".join(text.split()))
    return f'"{escaped}"'
