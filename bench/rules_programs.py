"""Programs of `rules_fuzz.py`, and the games that are made of them, with every type of field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

STATE = """
        x: int
        y: int
        f: float
        g: float
        b: bool
        c: bool
        pair: tuple[int, int]
        nest: tuple[tuple[int, int], tuple[int, int]]
        inner: Inner
"""
ARRAYS = """        row: np.ndarray
        grid: np.ndarray
        tiny: np.ndarray
        short: np.ndarray
        flags: np.ndarray
        reals: np.ndarray
        halves: np.ndarray
"""
WORDS = "        mine: U64\n        theirs: U64\n"
BOARDS = "        boards: np.ndarray\n"
BEGINNINGS = {"whole": "0", "real": "0.0", "truth": "False", "word": "U64(0)"}
ANNOTATIONS = {"whole": "int", "real": "float", "truth": "bool", "word": "U64"}
HEADER = """
import math
from typing import NamedTuple

import numpy as np

import zermelo
from zermelo import U64

LIMIT, TABLE = 7, (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5)
ROWS = ((0, 1), (2,), (), (3, 4, 5))


class Inner(NamedTuple):
    k: int
    v: float
    pos: tuple[int, int]

"""
GAME = """
class Fuzz(zermelo.Game):
    players = 1
    utility_sum = None
    bounds = (-1e300, 1e300)
    Inner = Inner
    limit = 5
    weights = (0.5, -1.25, 2.0)
    table = (1, 2, 3, 5, 8)
    masks = (1, 255, 65280, 4611686018427387904)

    class State(NamedTuple):{state}

    def initial(self):
        return self.State(
            0, 0, 0.0, 0.0, False, False, (0, 0), ((0, 0), (0, 0)), Inner(0, 0.0, (0, 0)),
            {arrays}{words}{beginnings}
        )

    def player(self, s): return 0
    def is_terminal(self, s): return False
    def utility(self, s, p): return 0.0

    def actions(self, s):
        for a in range({count}):
            yield a

    def twice(self, n, plus=1):
        return 2 * n + plus

    @property
    def half(self):
        return self.limit // 2

    @staticmethod
    def between(low, n, high):
        return low <= n < high

{methods}
    def result(self, s, a):
{calls}
        return self.State(s.x, s.y, s.f, s.g, s.b, s.c, s.pair, s.nest, s.inner, {kept}{names})
"""


ARRAY_ZEROS = (
    'np.zeros(5, int), np.zeros((3, 3), int), np.zeros(4, "int8"), np.zeros(4, "int32"), np.zeros(4, bool), '
    'np.zeros(3), np.zeros(3, "float32"), '
)


class Fields(NamedTuple):
    """What the states of a game hold beside numbers and tuples."""

    words: bool
    arrays: bool = True


class Program(NamedTuple):
    """One random function or expression."""

    source: str
    """Of a function, and maybe of its helper; empty for an expression."""
    call: str
    """The expression, or a call of the function."""
    kind: str

    def numbered(self, number: int) -> Program:
        """The program with functions of its own name."""
        source, call = (re.sub(r"\b(program|helper)_\w+", rf"\1_{number}", text) for text in (self.source, self.call))
        return Program(source, call, self.kind)

    def __str__(self) -> str:
        return self.source or self.call

    def function(self) -> str:
        """Its source as a function."""
        return self.source or f"def program_NUMBER(self, s):\n    return {self.call}\n"


def game_source(programs: list[Program], fields: Fields) -> str:
    """A module with one game, which has one program an action and a field for each answer, `o0`, `o1`, …"""
    names = ", ".join(f"o{i}" for i in range(len(programs)))
    beginnings = ", ".join(BEGINNINGS[each.kind] for each in programs)
    calls = [f"        {names} = {beginnings}\n"]
    calls += [
        f"        if a == {i}:\n            o{i} = {each.call}  # program {i}\n" for i, each in enumerate(programs)
    ]
    functions = "\n\n".join(f"# program {i}\n{each.source}" for i, each in enumerate(programs) if each.source)
    outs = "".join(f"        o{i}: {ANNOTATIONS[each.kind]}\n" for i, each in enumerate(programs))
    game = _game(fields, names, beginnings, calls=calls, outs=outs, count=len(programs))
    return HEADER + functions + "\n\n# the game\n" + game


def methods_source(programs: list[Program], fields: Fields) -> str:
    """A module with one game, which has the programs as methods, `program_0`, `program_1`, …, that no rule calls."""
    numbered = [Program(each.function(), "", each.kind).numbered(i) for i, each in enumerate(programs)]
    functions = "\n\n".join(each.source for each in numbered)
    methods = "".join(f"    program_{i} = program_{i}\n" for i in range(len(programs)))
    return HEADER + functions + "\n\n" + _game(fields, methods=methods)


def _game(
    fields: Fields,
    names: str = "",
    beginnings: str = "",
    methods: str = "",
    calls: Sequence[str] = (),
    outs: str = "",
    count: int = 1,
) -> str:
    boards = fields.arrays and fields.words
    kept = "s.row, s.grid, s.tiny, s.short, s.flags, s.reals, s.halves, " if fields.arrays else ""
    kept += "s.mine, s.theirs, " if fields.words else ""
    held = (ARRAYS if fields.arrays else "") + (WORDS if fields.words else "") + (BOARDS if boards else "")
    return GAME.format(
        state=STATE + held + outs,
        arrays=ARRAY_ZEROS if fields.arrays else "",
        words=("U64(0), U64(0), " if fields.words else "") + ('np.zeros(3, "uint64"), ' if boards else ""),
        names=names,
        beginnings=beginnings,
        kept=kept + ("s.boards, " if boards else ""),
        methods=methods,
        count=count,
        calls="".join(calls),
    )
