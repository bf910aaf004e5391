"""A game of chess as a tree: the moves that were played, and those that somebody would rather have seen."""

from __future__ import annotations

from dataclasses import dataclass, field

from zermelo.engine.native import Bytes
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
