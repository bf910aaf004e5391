"""PGN: games of chess with their variations, comments and marks, as a tree, and back to text.

    read_games(write_game(g)) is g again: tags, tree, marks, and comments up to their blanks.

Whatever text is read, it is read: a move that makes no sense ends its line, with a word in the game's `problems`, and
reading goes on behind it. Games may go on where fifty moves, or too few pieces, could have ended them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo.engine.native import Bytes
from zermelo.errors import InputError, PositionError
from zermelo.games.chess.board import read_board
from zermelo.games.chess.notation import find_moves
from zermelo.games.chess.rules import Chess

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The tags that every game has, in their order, and what they say when nothing is known."""
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


@dataclass(slots=True)
class Node:
    """A position in the tree of a game, with the move that led to it and what is said about that move."""

    state: Bytes
    action: int | None = None
    """The move; `None` at the root."""
    parent: Node | None = field(default=None, repr=False)
    children: list[Node] = field(default_factory=list)
    """The first is how the line goes on, the others are variations on it."""
    comment: str = ""
    """After the move; at the root, before all moves."""
    opening: str = ""
    """Before the move, at the beginning of a variation."""
    nags: list[int] = field(default_factory=list)
    """Marks by their numbers: 1 is !, 2 is ?, …"""

    def add(self, state: Bytes, action: int) -> Node:
        """A further move from here: the first is the line, later ones are variations."""
        node = Node(state, action, self)
        self.children.append(node)
        return node


@dataclass(slots=True)
class PgnGame:
    """One game: its tags, its tree, and what in its text made no sense."""

    rules: Chess
    tags: dict[str, str]
    root: Node
    problems: list[str] = field(default_factory=list)

    @property
    def result(self) -> str:
        said = self.tags.get("Result", "*")
        return said if said in RESULTS else "*"

    def line(self) -> list[Node]:
        """The nodes of the main line, without the root."""
        nodes, at = [], self.root
        while at.children:
            at = at.children[0]
            nodes.append(at)
        return nodes


def new_game(fen: str | None = None, chess960: bool = False) -> PgnGame:
    """A game without moves, from the start or from a position."""
    rules = Chess(chess960=chess960)
    tags = dict(ROSTER)
    if chess960:
        tags["Variant"] = "Chess960"
    if fen is not None:
        tags |= {"SetUp": "1", "FEN": fen}
    return PgnGame(rules, tags, Node(rules.initial() if fen is None else rules.read(fen)))


MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Marks that stand for a number (NAG)."""
WIDTH = 80

# A tag's value has so many quotes at most: brackets that are never closed would each look through the rest of the text.
_TOKENS = re.compile(
    r"""(?P<escape>^%[^\n]*)
      | (?P<tag>\[[ \t]*(?P<name>\w+)[ \t]*"(?P<value>(?:[^"\\\n]++|\\.|"(?![ \t]*\])){0,200}+)"[ \t]*\])
      | \{(?P<comment>[^}]*)\}?
      | ;(?P<rest>[^\n]*)
      | \$(?P<nag>\d{1,3})
      | (?P<open>\()
      | (?P<close>\))
      | (?P<result>(?:1-0|0-1|1/2-1/2|\*)(?=[\s(){};]|$))
      | (?P<number>\d+(?:\s*\.+|(?=[\s(){};]|$)))
      | (?P<mark>[!?]+)
      | (?P<word>[^\s(){}\[\];$!?.]+)""",
    re.VERBOSE | re.MULTILINE | re.ASCII,
)

# Reading.


def read_games(text: str) -> Iterator[PgnGame]:
    """The games of a text, one after the other."""
    reader = _Reader()
    for token in _TOKENS.finditer(text):
        done = reader.take(token)
        if done is not None:
            yield done
    last = reader.finish()
    if last is not None:
        yield last


class _Place(NamedTuple):
    """Where a line of moves has got to."""

    node: Node
    broken: bool
    """Whether the rest of the line is passed over."""
    begun: bool
    """Whether it has a move yet; at the root, as good as that."""


class _Reader:
    """Makes games out of tokens; those that belong nowhere are passed over."""

    def __init__(self) -> None:
        self.start_anew()

    def start_anew(self) -> None:
        self.tags: dict[str, str] = {}
        self.game: PgnGame | None = None
        self.outer: list[_Place] = []
        self.opening = ""

    def take(self, token: re.Match[str]) -> PgnGame | None:
        """Adds one token; returns the game that it ends, if it does."""
        kind, text = token.lastgroup or "", token[0]
        if token["tag"] is not None:
            done = self.finish() if self.game is not None else None
            self.tags[token["name"]] = re.sub(r"\\(.)", r"\1", token["value"])
            return done
        if kind == "result":
            return None if self.outer else self.finish(text)
        if kind in ("comment", "rest"):
            self.comment(token[kind])
        elif kind in ("nag", "mark"):
            self.mark(int(token["nag"]) if kind == "nag" else MARKS.get(text))
        elif kind == "open":
            self.begin_variation()
        elif kind == "close" and self.outer:
            self.place = self.outer.pop()
            self.opening = ""
        elif kind == "word":
            self.move(text)
        return None

    def begin(self) -> PgnGame:
        """The game that is being read; the tags before it are complete by now."""
        if self.game is None:
            chess960 = "960" in self.tags.get("Variant", "") or "fischer" in self.tags.get("Variant", "").casefold()
            try:
                self.game = new_game(self.tags.get("FEN"), chess960)
            except PositionError as error:
                self.game = new_game(chess960=chess960)
                self.game.problems.append(str(error))
            self.game.tags = self.tags
            self.place = _Place(self.game.root, bool(self.game.problems), True)
        return self.game

    def finish(self, result: str = "") -> PgnGame | None:
        """The game that has been read up to here, if there is one."""
        if not self.tags and self.game is None and not result:
            return None
        game = self.begin()
        if result:
            game.tags.setdefault("Result", result)
        if self.outer:
            game.problems.append(f"{len(self.outer)} variations are not closed")
        self.start_anew()
        return game

    def move(self, word: str) -> None:
        game = self.begin()
        node, broken, _ = self.place
        if broken or word in ("e", "p", "ep"):  # what is left of e.p.
            return
        found = find_moves(word, game.rules.native.actions(node.state))
        if len(found) != 1:
            what = "names several moves" if found else "is no move"
            game.problems.append(f"{word!r} {what} in {game.rules.write(node.state)}")
            self.place = self.place._replace(broken=True)
            return
        child = node.add(game.rules.native.step(node.state, found[0]).state, found[0])
        child.opening, self.opening = self.opening, ""
        self.place = _Place(child, False, True)

    def begin_variation(self) -> None:
        """A line instead of the last move."""
        self.begin()
        node, broken, begun = self.place
        self.outer.append(self.place)
        if node.parent is None or not begun:
            self.place = _Place(node, True, False)
        else:
            self.place = _Place(node.parent, broken, False)

    def comment(self, text: str) -> None:
        self.begin()
        words = " ".join(text.split())
        node, broken, begun = self.place
        if broken:
            return
        if begun:
            node.comment = f"{node.comment} {words}".strip()
        else:
            self.opening = f"{self.opening} {words}".strip()

    def mark(self, nag: int | None) -> None:
        if self.game is not None and nag is not None and self.place.begun and not self.place.broken:
            self.place.node.nags.append(nag)


# Writing.


def write_game(game: PgnGame) -> str:
    """The game as PGN, ready to be followed by another."""
    tags = ROSTER | game.tags | {"Result": game.result}
    for name in tags:
        if not re.fullmatch(r"\w+", name, re.ASCII):
            raise InputError(f"{name!r} cannot be the name of a tag: use letters, digits and _ only")
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
    return f"{head}\n{_wrap([*_words(game), game.result])}\n\n"


def _quoted(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> list[str]:
    """A comment as words; a brace would end it, and there is no way to write one."""
    words = text.replace("}", ")").split()
    return f"{{{' '.join(words)}}}".split(" ") if words else []


class _Line(NamedTuple):
    """A line that is still to be written, from this node on."""

    node: Node
    numbered: bool
    """Whether black's move needs its number, too."""
    variation: bool = False


def _words(game: PgnGame) -> list[str]:
    """The movetext, word by word; with a stack, as variations may be nested deeply."""
    words = _comment(game.root.comment)
    waiting: list[_Line | None] = [_Line(each, True) for each in game.root.children[:1]]
    while waiting:
        line = waiting.pop()
        if line is None:  # the end of a variation
            words[-1] += ")"
            continue
        node, parent = line.node, line.node.parent
        assert parent is not None
        first = len(words)
        words += _move_words(game, line)
        variations = [] if line.variation else parent.children[1:]
        if line.variation:
            words[first] = f"({words[first]}"
        waiting += [_Line(each, bool(node.comment or variations)) for each in node.children[:1]]
        for each in reversed(variations):
            waiting += [None, _Line(each, True, variation=True)]
    return words


def _move_words(game: PgnGame, line: _Line) -> list[str]:
    """A move with its number and all that is said about it."""
    node, parent = line.node, line.node.parent
    assert parent is not None
    assert node.action is not None
    board = read_board(parent.state.data)
    number = f"{board.move}{'...' if board.turn else '.'}"
    return [
        *_comment(node.opening),
        *([number] if board.turn == 0 or line.numbered or node.opening else []),
        game.rules.show_action(parent.state, node.action),
        *(f"${nag}" for nag in node.nags),
        *_comment(node.comment),
    ]


def _wrap(words: list[str]) -> str:
    lines, length = [[words[0]]], len(words[0])
    for word in words[1:]:
        if length + 1 + len(word) > WIDTH:
            lines.append([])
            length = -1
        lines[-1].append(word)
        length += 1 + len(word)
    return "\n".join(" ".join(line) for line in lines)
