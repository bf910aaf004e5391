"""Text as files of games take it: on one line, with nothing in it that ends a tag, a comment or a file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

WIDTH = 79
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
    """A line a tag."""
    return "".join(f"[{name} {quoted(value)}]\n" for name, value in tags)


def wrap(tokens: Iterable[str]) -> str:
    """`tokens` with blanks between them, in lines of at most `WIDTH` columns where no token is longer."""
    lines = [""]
    for token in tokens:
        longer = f"{lines[-1]} {token}" if lines[-1] else token
        if len(longer) <= WIDTH or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(token)
    return "\n".join(lines) + "\n"
