"""Games of Go as SGF files: what the properties of a node mean on the board.

    >>> from zermelo.games.go.sgf import read_record
    >>> record = read_record("(;GM[1]SZ[9]KM[6.5];B[ee];W[ec](;B[gd])(;B[cd]))")
    >>> record.game.komi, len(record.states()), len(record.root.children[0].children[0].children)
    (6.5, 4, 2)

Moves must be legal in themselves; that a board came back
is not asked, since other rules than ours allow it.

Komi (KM) and the name of the rules (RU) are read as programs write them:

    KM[6.5], KM[6,5]     points
    KM[3.75]             counted on one side only, as the Chinese do: twice as many points
    KM[650], KM[375]     hundredths, as Fox writes them

Territory is counted by Japanese and Korean rules, whatever the language they are named in, and where the name says so.
All others, Ing's among them, count area, and so does a file that names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from zermelo.engine.native import Bytes
from zermelo.errors import InputError, OptionError, PositionError
from zermelo.games._sgf import SgfNode, parse, serialise
from zermelo.games.go.rules import Go
from zermelo.search.trace.words import clean

LEAST_HUNDREDTHS = 125
TERRITORY = re.compile(r"jap|jp\b|kor|kr\b|nihon|日本|韩国|韓国|韓國|.*territory", re.IGNORECASE)


def read_komi(text: str, size: int, literal: bool = False) -> float:
    """The points of white on a board of that many lines; nothing is none.

    A `literal` komi is in points whatever it is, as in the files that are written here.
    """
    word = text.strip().replace(",", ".")
    if not word:
        return 0.0
    if not re.fullmatch(r"[+-]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})", word, re.ASCII):
        raise InputError(f"KM[{clean(text[:20])}] is not a number")
    komi = float(word)
    if literal:
        return komi
    if is_in_hundredths(komi, size):
        komi /= 100
    return 2 * komi if komi % 0.5 == 0.25 else komi


def is_in_hundredths(komi: float, size: int) -> bool:
    """Whether they are quarters of a point, and nobody can mean points: there are fewer on the board, or they are many
    and a round number of hundredths only."""
    many = abs(komi) > size * size or (abs(komi) >= LEAST_HUNDREDTHS and komi % 100 != 0)
    return many and komi % 25 == 0


def read_scoring(name: str) -> Literal["area", "territory"]:
    """How rules of that name count."""
    return "territory" if TERRITORY.match(name.strip()) else "area"


def name_rules(scoring: str, handicap: bool) -> str:
    """What to call our rules; empty where no name fits.

    Chinese rules forbid suicide and boards that come back, as ours do, and those of New Zealand allow suicide. But they
    give white points for handicap stones, and ours do not.
    """
    if scoring == "territory":
        return "Japanese"
    return "" if handicap else "Chinese"


LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLOURS = ("B", "W")
WRITER = "zermelo"
"""Who has written a file, in its property AP."""
SETUP = (("AB", "X"), ("AW", "O"), ("AE", "."))


class Step(NamedTuple):
    """Stones that are set up, or a move by somebody; and the position after it."""

    move: tuple[int, int] | None
    state: Bytes


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
            for step in self.steps(state, each, number):
                state = step.state
            states.append(state)
        return states

    def steps(self, state: Bytes, node: SgfNode, number: int) -> Iterator[Step]:
        """What `node` does to `state`; a complaint tells its number."""
        try:
            yield from steps(self.game, state, node)
        except (InputError, PositionError) as error:
            raise InputError(f"node {number} of the SGF game: {error}") from None


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
    if not re.fullmatch(r"[0-9]{1,2}(:[0-9]{1,2})?", size, re.ASCII) or len(set(size.split(":"))) > 1:
        raise InputError(f"SZ[{clean(size[:20])}] is not the size of a square board")
    lines = int(size.split(":")[0])
    try:
        komi = read_komi(root.get("KM"), lines, literal=root.get("AP").startswith(WRITER))
        return Go(lines, komi, scoring=read_scoring(root.get("RU")))
    except OptionError as error:
        raise InputError(f"the SGF game cannot be played: {error}") from None


def main_moves(record: Record, before: int | None = None) -> tuple[Go, list[tuple[int, int]], list[Bytes]]:
    """The moves of the main line up to move number `before`, counted from 1; the position at first, and after each.

    Stones that are set up later in the file belong to the position after the last move before them. Nothing from that
    move number on is looked at, so that it need not make sense.
    """
    moves: list[tuple[int, int]] = []
    states = [record.game.setup(set(), set(), 0)]
    count = 0
    for number, node in enumerate(record.root.main_line()):
        count += sum(name in node.properties for name in COLOURS)
        if before is not None and count >= max(before, 1):
            break
        for move, state in record.steps(states[-1], node, number):
            if move is None:
                states[-1] = state
            else:
                moves.append(move)
                states.append(state)
    return record.game, moves, states


# From a node to the position after it.


def steps(game: Go, state: Bytes, node: SgfNode) -> Iterator[Step]:
    """The stones that `node` sets up, then its move."""
    properties = node.properties
    if any(name in properties for name in ("AB", "AW", "AE", "PL")):
        state = _set_up(game, state, properties)
        yield Step(None, state)
    for p, name in enumerate(COLOURS):
        for value in properties.get(name, [])[:1]:
            state, action = with_mover(game, state, p), read_move(value, game.size)
            if action not in game.native.actions(state):
                raise InputError(f"the move {name}[{value[:8]}] is not legal")
            state = game.result(state, action)
            yield Step((p, action), state)


def with_mover(game: Go, state: Bytes, p: int) -> Bytes:
    """`state` with player `p` to move: whoever moves out of turn moves, and after the end, too."""
    return state if not game.is_terminal(state) and game.player(state) == p else game.with_turn(state, p)


def _set_up(game: Go, state: Bytes, properties: dict[str, list[str]]) -> Bytes:
    colours = list(game.colours(state))
    for name, mark in SETUP:
        for value in properties.get(name, []):
            for point in read_points(value, game.size):
                colours[point] = mark
    black, white = ({p for p, colour in enumerate(colours) if colour == mark} for mark in "XO")
    turn = game.player(state)
    if properties.get("PL"):
        turn = 1 if properties["PL"][0].strip().upper().startswith(("W", "2")) else 0
    elif black and not white and "AB" in properties:
        turn = 1  # handicap stones
    return game.setup(black, white, turn, game.prisoners(state))


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
    one, two = corners[1] + corners[2], (corners[3] or corners[1]) + (corners[4] or corners[2])
    (left, top), (right, bottom) = map(LETTERS.index, one), map(LETTERS.index, two)
    if left > right or top > bottom:
        raise InputError(f"{value[:20]!r} is no rectangle: the upper left corner comes first")
    if right >= size or bottom >= size:
        raise InputError(f"{value[:20]!r} is not on a board of {size} lines")
    return [size * (size - 1 - y) + x for y in range(top, bottom + 1) for x in range(left, right + 1)]


# From a game to a file.


def write_point(action: int, size: int) -> str:
    """The two letters of a point; a pass is empty."""
    if action == size * size:
        return ""
    return LETTERS[action % size] + LETTERS[size - 1 - action // size]


def make_record(
    game: Go,
    moves: Iterable[tuple[int, int]],
    info: dict[str, str] | None = None,
    base: Bytes | None = None,
    states: Sequence[Bytes] | None = None,
) -> Record:
    """The record of a game from `base` on, or from its start: who played what, and further properties of the root.

    `states` are the positions after each move; where one has other stones than the move makes, they are set up.
    """
    start = game.initial() if base is None else base
    root = _make_root(game, start, info or {})
    node, state = root, start
    for number, (p, action) in enumerate(moves):
        node = node.add({COLOURS[p]: [write_point(action, game.size)]})
        state = game.result(with_mover(game, state, p), action)
        if states is not None:
            changes = _compare(game, state, states[number])
            node = node.add(changes) if changes else node
            state = states[number]
    return Record(game, root)


def _make_root(game: Go, start: Bytes, info: dict[str, str]) -> SgfNode:
    stones = _compare(game, game.setup(set(), set(), game.player(start)), start)
    handicap = "AB" in stones and "AW" not in stones and game.player(start) == 1
    facts = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": WRITER,
        "SZ": str(game.size),
        "KM": f"{game.komi:g}",
        "RU": name_rules(game.scoring, handicap),
    }
    root = SgfNode({name: [value] for name, value in {**facts, **info}.items() if value})
    if handicap:
        stones = {"AB": stones["AB"], "HA": [str(len(stones["AB"]))]}
    root.properties.update(stones)
    return root


def _compare(game: Go, before: Bytes, after: Bytes) -> dict[str, list[str]]:
    """The properties that set up what `after` has otherwise than `before`, and who is to move then; none if nothing."""
    old, new = game.colours(before), game.colours(after)
    found: dict[str, list[str]] = {}
    for name, mark in SETUP:
        points = [write_point(p, game.size) for p, colour in enumerate(new) if colour == mark != old[p]]
        if points:
            found[name] = points
    return {**found, "PL": [COLOURS[game.player(after)]]} if found else {}


def write_records(records: Sequence[Record]) -> str:
    return serialise(record.root for record in records)


def write_result(game: Go, state: Bytes, utilities: Sequence[float] | None) -> str:
    """As in `B+3.5`; `B+R` if the game was given up before its end, `B+` if people have counted it otherwise than the
    rules do, `?` if nobody knows."""
    if utilities is None:
        return "?"
    if utilities[0] == utilities[1]:
        return "0"
    winner = COLOURS[0] if utilities[0] > utilities[1] else COLOURS[1]
    if not game.is_terminal(state):
        return f"{winner}+R"
    margin = game.final_margin(state) * (1 if winner == COLOURS[0] else -1)
    return f"{winner}+{margin:g}" if margin > 0 else f"{winner}+"
