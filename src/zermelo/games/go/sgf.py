"""Games of Go as SGF files: what the properties of a node mean on the board.

    >>> from zermelo.games.go.sgf import read_record
    >>> record = read_record("(;GM[1]SZ[9]KM[6.5];B[ee];W[ec](;B[gd])(;B[cd]))")
    >>> record.game.komi, len(record.states()), len(record.root.children[0].children[0].children)
    (6.5, 4, 2)

Rules that are Japanese, Korean or Ing by name make a game of territory; all others one of area. Moves must be legal in
themselves; that a board came back is not asked, since other rules than ours allow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zermelo.engine.native import Bytes
from zermelo.errors import InputError, OptionError, PositionError
from zermelo.games._sgf import SgfNode, parse, serialise
from zermelo.games.go.rules import Go
from zermelo.search.trace.words import clean

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLOURS = ("B", "W")
TERRITORY = ("japan", "korea")


@dataclass(frozen=True, slots=True)
class Record:
    """A game tree with the rules by which it was played."""

    game: Go
    root: SgfNode

    def states(self, node: SgfNode | None = None) -> list[Bytes]:
        """The positions after the root, and after each node on the way to `node`, or along the main line."""
        nodes = self.root.main_line() if node is None else iter(node.path())
        state = self.game.setup(set(), set(), 0)
        states = []
        for number, each in enumerate(nodes):
            try:
                state = follow(self.game, state, each)
            except (InputError, PositionError) as error:
                raise InputError(f"node {number} of the SGF game: {error}") from None
            states.append(state)
        return states


def read_records(text: str) -> list[Record]:
    """All games of Go of a file; `InputError` if one of them is another game, or makes no sense."""
    return [Record(_read_game(root), root) for root in parse(text)]


def read_record(text: str) -> Record:
    """The first game of a file."""
    return read_records(text)[0]


def _read_game(root: SgfNode) -> Go:
    if root.get("GM", "1").strip() != "1":
        raise InputError(f"the SGF file is not of Go: its GM is {root.get('GM')!r}, and Go's 1")
    size = root.get("SZ", "19").strip()
    komi = _read_number(root.get("KM", "0") or "0", "KM")
    rules = root.get("RU").casefold()
    if not re.fullmatch(r"[0-9]{1,2}(:[0-9]{1,2})?", size, re.ASCII) or len(set(size.split(":"))) > 1:
        raise InputError(f"SZ[{clean(size[:20])}] is not the size of a square board")
    try:
        return Go(int(size.split(":")[0]), komi, scoring="territory" if rules.startswith(TERRITORY) else "area")
    except OptionError as error:
        raise InputError(f"the SGF game cannot be played: {error}") from None


def _read_number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name}[{clean(text[:20])}] is not a number") from None


def main_moves(record: Record, before: int | None = None) -> tuple[Go, list[tuple[int, int]], list[Bytes]]:
    """The moves of the main line up to move number `before`, counted from 1, and the positions from which they start.

    Stones that are set up later in the file belong to the position before the next move.
    """
    nodes, states = list(record.root.main_line()), record.states()
    moves: list[tuple[int, int]] = []
    starts = [states[0]]
    for node, after in zip(nodes, states, strict=True):
        for p, name in enumerate(COLOURS):
            if name not in node.properties:
                continue
            if before is not None and len(moves) >= before - 1:
                return record.game, moves, starts
            moves.append((p, read_move(node.get(name), record.game.size)))
            starts.append(after)
        starts[-1] = after
    return record.game, moves, starts


# From a node to the position after it.


def follow(game: Go, state: Bytes, node: SgfNode) -> Bytes:
    """The position after the stones that `node` sets up, or after its move."""
    properties = node.properties
    if any(name in properties for name in ("AB", "AW", "AE", "PL")):
        state = _set_up(game, state, properties)
    for p, name in enumerate(COLOURS):
        for value in properties.get(name, [])[:1]:
            if game.is_terminal(state) or game.player(state) != p:
                state = game.with_turn(state, p)
            action = read_move(value, game.size)
            if action not in game.native.actions(state):
                raise InputError(f"the move {name}[{value[:8]}] is not legal")
            state = game.result(state, action)
    return state


def _set_up(game: Go, state: Bytes, properties: dict[str, list[str]]) -> Bytes:
    colours = list(game.colours(state))
    for name, mark in (("AB", "X"), ("AW", "O"), ("AE", ".")):
        for value in properties.get(name, []):
            for point in read_points(value, game.size):
                colours[point] = mark
    black, white = ({p for p, colour in enumerate(colours) if colour == mark} for mark in "XO")
    turn = game.player(state)
    if properties.get("PL"):
        turn = 1 if properties["PL"][0].strip().upper().startswith(("W", "2")) else 0
    elif black and not white and "AB" in properties:
        turn = 1  # handicap stones
    return game.setup(black, white, turn)


def read_move(value: str, size: int) -> int:
    """The action of a move's value; empty, and `tt` up to 19 lines, are passes."""
    text = value.strip()
    if text in ("", "tt"):
        return size * size
    return read_points(text, size)[0]


def read_points(value: str, size: int) -> list[int]:
    """The points that `ab` names, or all of the rectangle `ab:cd`."""
    corners = re.fullmatch(r"([a-z])([a-z])(?::([a-z])([a-z]))?", value.strip())
    if corners is None:
        raise InputError(f"{value[:20]!r} is not a point: two letters, counted from the upper left, are one")
    left, top, right, bottom = (None if c is None else LETTERS.index(c) for c in corners.groups())
    assert left is not None
    assert top is not None
    right, bottom = left if right is None else right, top if bottom is None else bottom
    if not (left <= right < size and top <= bottom < size):
        raise InputError(f"{value[:20]!r} is not on a board of {size} lines")
    return [size * (size - 1 - y) + x for y in range(top, bottom + 1) for x in range(left, right + 1)]


# From a game to a file.


def write_point(action: int, size: int) -> str:
    """The two letters of a point; a pass is empty."""
    if action == size * size:
        return ""
    return LETTERS[action % size] + LETTERS[size - 1 - action // size]


def make_record(
    game: Go, moves: Iterable[tuple[int, int]], info: dict[str, str] | None = None, base: Bytes | None = None
) -> Record:
    """The record of a game from `base` on, or from its start: who played what, and further properties of the root."""
    rules = "Japanese" if game.scoring == "territory" else "NZ"
    facts = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": "zermelo",
        "SZ": str(game.size),
        "KM": f"{game.komi:g}",
        "RU": rules,
    }
    root = SgfNode({name: [value] for name, value in {**facts, **(info or {})}.items()})
    start = game.initial() if base is None else base
    colours = game.colours(start)
    for name, mark in (("AB", "X"), ("AW", "O")):
        stones = [write_point(p, game.size) for p, colour in enumerate(colours) if colour == mark]
        if stones:
            root.properties[name] = stones
    if "AB" in root.properties and "AW" not in root.properties and game.player(start) == 1:
        root.properties["HA"] = [str(len(root.properties["AB"]))]
    elif "AB" in root.properties or "AW" in root.properties:
        root.properties["PL"] = [COLOURS[game.player(start)]]
    node = root
    for p, action in moves:
        node = node.add({COLOURS[p]: [write_point(action, game.size)]})
    return Record(game, root)


def write_records(records: Sequence[Record]) -> str:
    return serialise(record.root for record in records)


def write_result(game: Go, state: Bytes, utilities: Sequence[float] | None) -> str:
    """As in `B+3.5`; `B+R` if the game was given up before its end, `?` if nobody knows."""
    if utilities is None:
        return "?"
    if utilities[0] == utilities[1]:
        return "0"
    winner = COLOURS[0] if utilities[0] > utilities[1] else COLOURS[1]
    return f"{winner}+{abs(game.margin(state)):g}" if game.is_terminal(state) else f"{winner}+R"
