"""The tags and moves of PGN, and of PDN, which is written the same way; for the notation of any game.

A move is any word that is no number of a move (`12.`, `12...`), no result and no mark. A text in quotes is a move as it
stands: so moves with blanks or brackets in them can be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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

Game = tuple[int, dict[str, str], tuple[str, ...] | None]
"""The line of the first move, the tags and the moves; `None` for moves that cannot be told apart."""


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def read_movetext(text: str) -> Iterator[Game]:
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
