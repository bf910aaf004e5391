"""Test suites in EPD, for any game: one position per line, followed by operations that say what to find there.

    2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";

`bm` names the best moves (any of them solves the position), `am` those to avoid, and `dm` the moves to a win. `id` is
the name of the position; other operations are ignored. Positions and moves are in the game's own notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zermelo.analysis import Analysis, Limits
from zermelo.engine import Searcher
from zermelo.errors import InputError, MethodError, PositionError
from zermelo.game import Game
from zermelo.play.notation import legal_actions, read_action, read_position, write_action
from zermelo.protocols.score import read_number, write_score
from zermelo.search.trace.words import clean

MOST_FIELDS = 8
"""Words of a line that can be the position."""
_OPERATION = re.compile(r"""\s*([A-Za-z]\w*)((?:"[^"]*"|[^;"])*)(?:;|$)""")
_END = re.compile(r"[\s;]*$")
_OPERAND = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Task:
    """A position, and what to find in it."""

    line: int
    """Its line number in the file, from 1 on."""
    name: str
    state: object
    best: tuple[object, ...] = ()
    avoid: tuple[object, ...] = ()
    mate: int | None = None
    """Find a win in this number of moves."""

    def is_solved(self, game: Game, found: Analysis) -> bool:
        """Whether `found` solves the task."""
        if (self.best and found.action not in self.best) or found.action in self.avoid:
            return False
        if self.best or self.avoid or self.mate is None:
            return True
        plies = next(iter(found.plies_to_end), 0)
        kind, moves = write_score(game, self.state, found.value, found.line, plies)
        return kind == "mate" and 0 < moves <= self.mate


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that cannot be used, and why."""

    line: int
    problem: str


def read_suite(text: str, game: Game) -> Iterator[Task | BadLine]:
    """The tasks of a file, in their order; a line that cannot be read becomes a `BadLine`."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield _read_task(number, line.strip(), game)
        except InputError as error:
            yield BadLine(number, " ".join(str(error).split()))


def split_position(line: str, game: Game) -> tuple[str, str]:
    """The longest part of a line that the game reads as a position, and the operations after it.

    The position of chess has four fields in EPD; games that want six get the two counters as well.
    """
    fields = line.split(maxsplit=MOST_FIELDS)
    most = min(len(fields), MOST_FIELDS)
    problem: PositionError | None = None
    for length in range(most, 0, -1):
        rest = " ".join(fields[length:])
        if rest and not re.match(r"[A-Za-z]", rest):
            continue
        text = " ".join(fields[:length])
        for written in (text, f"{text} 0 1") if length == 4 else (text,):
            try:
                read_position(game, written)
            except PositionError as error:
                if problem is None or re.match(r"[A-Za-z]\w+\s", rest):  # the most useful: before an operation
                    problem = error
            else:
                return written, rest
    raise problem or PositionError(f"{clean(line[:80])!r} does not begin with a position")


def read_operations(text: str) -> dict[str, list[str]]:
    """The operations after a position: the words of each by name; of duplicates, the first."""
    operations: dict[str, list[str]] = {}
    at = 0
    while not _END.match(text, at):
        found = _OPERATION.match(text, at)
        if found is None:
            raise InputError(
                f'{clean(text[at : at + 40])!r} is no operation: write NAME VALUES; as in `bm Nf3; id "1";`'
            )
        operands = [quoted or plain for quoted, plain in _OPERAND.findall(found[2])]
        operations.setdefault(found[1], operands)
        at = found.end()
    return operations


def _read_task(number: int, line: str, game: Game) -> Task:
    text, rest = split_position(line, game)
    state = read_position(game, text)
    operations = read_operations(rest)
    if not legal_actions(game, state):
        raise PositionError(f"{text!r}: the game is over there, and nothing is to be found")
    best, avoid = (
        tuple(read_action(game, state, word.rstrip(",")) for word in operations.get(name, ())) for name in ("bm", "am")
    )
    mate = read_number(" ".join(operations["dm"])) if "dm" in operations else None
    if not best and not avoid and (mate is None or mate < 1):
        raise InputError(
            "nothing is to be found: name the best moves, as in `bm Nf3;`, those to avoid (am) or a win (dm 3)"
        )
    return Task(number, " ".join(operations.get("id", [f"line {number}"])), state, best, avoid, mate)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for one position."""

    task: Task
    move: str
    """The move of the last depth."""
    solved: bool
    depth: int
    """The last depth that was finished."""
    nodes: int
    seconds: float
    since: float | None
    """Seconds after which it had the solution and kept it; `None` if it has none."""


def run_suite(
    game: Game, tasks: Iterable[Task], limits: Limits, threads: int = 1, table_mb: int = 64
) -> Iterator[Finding]:
    """One finding per task, each searched with an empty table, independently of the others."""
    if game.kind.hidden:
        raise MethodError(f"{game.name} hides information, and a search would look through it; it has no test suites")
    searcher = Searcher(game, threads=threads, table_mb=table_mb, quiet=True)
    for task in tasks:
        searcher.clear()
        yield _find(game, searcher, task, limits)


def _find(game: Game, searcher: Searcher, task: Task, limits: Limits) -> Finding:
    since: float | None = None
    found = None
    for found in searcher.think(task.state, limits):
        if not task.is_solved(game, found):
            since = None
        elif since is None:
            since = found.seconds
    assert found is not None
    assert found.action is not None
    move = write_action(game, task.state, found.action)
    return Finding(task, move, since is not None, found.depth or 0, found.nodes, found.seconds, since)
