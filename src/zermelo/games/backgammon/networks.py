"""What the core offers for backgammon beyond a table: networks, what they think of boards, and their games.

A board is a row of 50 counts, those of the player on roll and then the other's, each from its ace point to its bar. The
five chances of the player on roll are to win, to win a gammon, a backgammon, to lose a gammon, a backgammon.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zermelo.engine.compiled import Stop
from zermelo.engine.core import _core
from zermelo.engine.native import sound_text
from zermelo.engine.tensors import Tensors, read_tensors
from zermelo.errors import InputError, OptionError

INPUTS: int = _core.BACKGAMMON_INPUTS
RACE_INPUTS: int = _core.BACKGAMMON_RACE_INPUTS
MOST_ROLLS: int = _core.BACKGAMMON_MOST_ROLLS
SIDE = 25
BOARD = 2 * SIDE
CHEQUERS = 15
CHANCES = 5
NEAR = 0.16
"""Plays that are worse by more than this at first sight are not looked into."""
NETS = ("contact", "race")
LAYERS = ("hidden", "inner", "chances")
NAMES = {net: [f"{net}.{layer}.{part}" for layer in LAYERS for part in ("weight", "bias")] for net in NETS}
ENDS = {"contact": (INPUTS, CHANCES), "race": (RACE_INPUTS, 2 * MOST_ROLLS)}
"""How many inputs a network has, and how many numbers come out."""

DEFAULT = Path(__file__).with_name("weights.safetensors")
"""The networks that come with the package, as `zermelo train backgammon` has written them."""

P = ParamSpec("P")
R = TypeVar("R")

Boards = NDArray[np.uint8]
Floats = NDArray[np.float32]


class Lessons(NamedTuple):
    """Positions of games, and the chances that the player on roll should have expected."""

    boards: Boards
    targets: Floats


class Duel(NamedTuple):
    """What two networks, playing each other without a cube, came to."""

    games: int
    points: float
    """That the first won of the second, a game."""
    error: float
    """The standard error of that, from the spread of pairs of games with the same dice."""


class Networks:
    """One network for contact and one for a side of a race, ready to be asked."""

    def __init__(self, tensors: Tensors, source: str = "these tensors"):
        missing = [name for net in NETS for name in NAMES[net] if name not in tensors]
        if missing:
            raise InputError(f"{source} holds no networks for backgammon: {missing[0]} is missing")
        parts = [[np.ascontiguousarray(tensors[name], np.float32) for name in NAMES[net]] for net in NETS]
        try:
            self.handle = _core.BackgammonNetworks(*parts)
        except ValueError as error:
            raise InputError(f"{source} holds networks that cannot be used: {error}") from None

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Networks:
        """Those in a file of `zermelo train backgammon`."""
        return cls(read_tensors(path)[0], str(path))

    def chances(self, boards: Boards, plies: int = 0) -> Floats:
        """Five chances for each board: by the networks, or the mean after the best plays of the next `plies` rolls."""
        rows = read_rows(boards, BOARD)
        found = np.zeros((len(rows), CHANCES), np.float32)
        call(_core.backgammon_chances, self.handle, rows, found, plies)
        return found

    def needs(self, sides: Boards, plies: int = 0) -> Floats:
        """How many rolls each side of a race needs, alone.

        [side, 0, n] is the chance that all its chequers are off at the n-th roll, [side, 1, n] that the first one is.
        A side is a row of 25 counts. The answer is that of the bear-off tables or the network, or, with `plies=1`, the
        mean over the next roll, played for the fewest on average."""
        rows = read_rows(sides, SIDE)
        found = np.zeros((len(rows), 2 * MOST_ROLLS), np.float32)
        call(_core.backgammon_needs, self.handle, rows, found, plies)
        return found.reshape(-1, 2, MOST_ROLLS)

    def best_play(self, board: Boards, dice: tuple[int, int], plies: int = 0, width: int = 6) -> Boards:
        """The best board that a roll leads to; ahead one looks at up to `width` that are good by the networks alone."""
        after = plays_of(board, *dice)
        left = equities(self.chances(after))
        if plies:
            order = np.argsort(left, kind="stable")[:width]
            after = after[order[left[order] <= left.min() + NEAR]]
            left = equities(self.chances(after, plies)) if len(after) > 1 else np.zeros(1, np.float32)
        best: Boards = after[int(left.argmin())]
        return best

    def lessons(
        self,
        games: int,
        *,
        first: int = 0,
        seed: int = 0,
        threads: int = 1,
        trace: float = 0.0,
        lookahead: float = 0.0,
        strange: float = 0.0,
        stop: Stop = None,
    ) -> Lessons:
        """Plays games against itself. `trace` is λ, how far the targets look ahead; see `SelfPlay` in the core."""
        settings = (games, first, seed % (1 << 64), threads, trace, lookahead, strange)
        boards, targets = _core.backgammon_lessons(self.handle, *settings, stop)
        return Lessons(
            np.frombuffer(boards, np.uint8).reshape(-1, BOARD), np.frombuffer(targets, np.float32).reshape(-1, CHANCES)
        )

    def duel(self, other: Networks, pairs: int, *, seed: int = 0, threads: int = 1, stop: Stop = None) -> Duel:
        """Plays pairs of games with the same dice, in which the two change sides."""
        points = np.array(self.pair_points(other, pairs, seed=seed, threads=threads, stop=stop))
        error = float(points.std(ddof=1)) / math.sqrt(pairs) if pairs > 1 else math.inf
        return Duel(2 * pairs, float(points.mean()) if pairs else 0.0, error)

    def pair_points(
        self, other: Networks, pairs: int, *, seed: int = 0, threads: int = 1, stop: Stop = None
    ) -> list[float]:
        """The points a game that each of such pairs brings."""
        found = _core.backgammon_duel(self.handle, other.handle, pairs, seed % (1 << 64), threads, stop)
        return [points / 2 for points in found]


def read_rows(given: ArrayLike, width: int) -> Boards:
    """Rows of so many counts as the core takes them; what is none of it is refused."""
    try:
        rows = np.asarray(given)
    except ValueError:  # of unequal lengths
        rows = np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != width or rows.dtype.kind not in "iu":
        raise InputError(
            f"write rows of {width} whole numbers: the chequers on each point, from the ace point to the bar"
        )
    if rows.size and not 0 <= rows.min() <= rows.max() <= CHEQUERS:
        raise InputError("a point has no fewer than no chequers and no more than fifteen")
    return np.ascontiguousarray(rows, np.uint8)


def call(function: Callable[P, R], *arguments: P.args, **options: P.kwargs) -> R:
    """What the core answers; its complaints of boards, dice and plies are ours."""
    try:
        return function(*arguments, **options)
    except ValueError as error:
        raise InputError(str(error)) from None
    except TypeError:
        raise InputError("dice and plies must be whole numbers") from None


def inputs_of(boards: Boards) -> Floats:
    """What a network sees of each board in contact: a row of `INPUTS` numbers."""
    rows = read_rows(boards, BOARD)
    found = np.zeros((len(rows), INPUTS), np.float32)
    call(_core.backgammon_inputs, rows, found)
    return found


def race_inputs_of(sides: Boards) -> Floats:
    """What a network sees of each side of a race: a row of `RACE_INPUTS` numbers.

    The last two are its pips and those of its way home, in hundreds."""
    rows = read_rows(sides, SIDE)
    found = np.zeros((len(rows), RACE_INPUTS), np.float32)
    call(_core.backgammon_race_inputs, rows, found)
    return found


def equities(chances: Floats) -> Floats:
    """The points that the player on roll expects, without a cube."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = chances.T
    found: Floats = 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon
    return found


def plays_of(board: Boards, first: int, second: int) -> Boards:
    """The boards that a roll may lead to, with the other player on roll."""
    found = call(_core.backgammon_plays, read_rows([board], BOARD), first, second)
    return np.frombuffer(found, np.uint8).reshape(-1, BOARD)


def make_table(match: int, cube: bool, jacoby: bool, networks: Networks | None) -> _core.GameTable:
    """A table by these options."""
    return _core.backgammon_table(match, cube, jacoby, networks.handle if networks else None)


def write_ids(handle: _core.GameTable, data: bytes) -> str:
    return str(_core.backgammon_write(handle, data))


def read_ids(handle: _core.GameTable, text: str) -> bytes:
    """Raises `ValueError`, with the reason, if `text` is none of our positions."""
    found: bytes = _core.backgammon_read(handle, sound_text(text))
    return found


def explain(handle: _core.GameTable, data: bytes) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = _core.backgammon_explain(handle, data)
    return found


def match_chance(handle: _core.GameTable, own: int, other: int, after_crawford: bool) -> float:
    return float(_core.backgammon_equity(handle, own, other, after_crawford))


@lru_cache(maxsize=8)
def _read(path: str, _changed: int) -> Networks:
    return Networks.read(path)


def networks_of(path: str) -> Networks | None:
    """The networks in the file `path`, read once; none for `none`, and the package's own for no name."""
    if path == "none":
        return None
    file = Path(path) if path else DEFAULT
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        raise OptionError(
            f"weights must be a file of `zermelo train backgammon`, or none; there is no {path}"
        ) from None
    try:
        return _read(str(file), changed)
    except InputError as error:
        raise OptionError(str(error)) from None
