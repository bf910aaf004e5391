"""Games in normal form: every player picks one action, all at once, and a table says what each gets.

    NormalForm([[30, -10, 20], [-10, 20, -20]])                      zero-sum: payoffs to the row player
    NormalForm([A, B], players=("Ann", "Bob"), actions=(…, …))       one table per player, for any number of players
    NormalForm([A, B], costs=True)                                   what the players want to be small

Payoffs are held as floats or, where any of them was given as a fraction or as text, as fractions. `exact` has them as
fractions in any case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from string import ascii_uppercase
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.numbers import LARGEST, Number, rational, read_number, table_fractions, within_reach
from zermelo.errors import InputError, MethodError

MOST_PROFILES = 50_000_000
"""Outcomes times players that a table may have."""

Array: TypeAlias = NDArray[Any]
"""A NumPy array: `float64`, or `object` holding fractions."""


class NormalForm:
    """Payoff tables of two or more players, with names for players and actions."""

    def __init__(
        self,
        payoffs: object,
        players: Sequence[str] | None = None,
        actions: Sequence[Sequence[str]] | None = None,
        title: str = "",
        costs: bool = False,
    ):
        tables = read_tables(payoffs)
        self.title = title
        self.costs = bool(costs)
        self.payoffs: tuple[Array, ...] = tuple(-table for table in tables) if costs else tuple(tables)
        """One array per player, with one axis per player; more is better: costs are negated."""
        self.shape: tuple[int, ...] = tables[0].shape
        self.players = name_players(players, len(tables))
        self.actions = name_actions(actions, self.shape)

    @cached_property
    def exact(self) -> tuple[Array, ...]:
        """The payoffs as fractions."""
        return tuple(map(exactly, self.payoffs))

    @cached_property
    def floats(self) -> tuple[Array, ...]:
        """The payoffs as doubles."""
        return tuple(table.astype(float) for table in self.payoffs)

    def tables(self, exact: bool) -> tuple[Array, ...]:
        """The payoffs as fractions if `exact`, else as doubles."""
        return self.exact if exact else self.floats

    @cached_property
    def is_exactly_zero_sum(self) -> bool:
        """Whether two players' payoffs, as fractions, always add up to the same number."""
        if len(self.players) != 2:
            return False
        sums = self.exact[0] + self.exact[1]
        return bool((sums == sums.flat[0]).all())

    @cached_property
    def is_zero_sum(self) -> bool:
        """Whether two players' payoffs always add up to the same number, floats within their rounding."""
        if len(self.players) != 2:
            return False
        if self.payoffs[0].dtype == object:
            sums = self.payoffs[0] + self.payoffs[1]
            return bool((sums == sums.flat[0]).all())
        sums = self.payoffs[0] + self.payoffs[1]
        scale = max(1.0, float(np.abs(self.payoffs[0]).max()))
        return bool(np.abs(sums - sums.flat[0]).max() <= 1e-12 * scale)

    @property
    def constant_sum(self) -> Fraction:
        """What the payoffs of a constant-sum game add up to."""
        if not self.is_zero_sum:
            raise MethodError("the payoffs do not add up to a constant: the game is not zero-sum")
        total: Fraction = self.exact[0].flat[0] + self.exact[1].flat[0]
        return total

    def profiles(self) -> Iterator[tuple[int, ...]]:
        """Every combination of actions, the last player's the fastest."""
        yield from np.ndindex(*self.shape)

    def restrict(self, kept: Sequence[Sequence[int]]) -> NormalForm:
        """The game in which each player has only some of the actions left."""
        grid = np.ix_(*kept)
        names = [[own[i] for i in few] for own, few in zip(self.actions, kept, strict=True)]
        return self._like([table[grid] for table in self.payoffs], names)

    def name_profile(self, profile: Sequence[int]) -> tuple[str, ...]:
        """The actions of a profile by name."""
        return tuple(own[i] for own, i in zip(self.actions, profile, strict=True))

    def shown(self, payoff: Number) -> Number:
        """A payoff as the game was given: a cost, if costs were."""
        return -payoff if self.costs else payoff

    def _like(self, tables: list[Array], actions: Sequence[Sequence[str]]) -> NormalForm:
        game = object.__new__(NormalForm)
        game.title, game.costs, game.players = self.title, self.costs, self.players
        game.payoffs, game.shape = tuple(tables), tables[0].shape
        game.actions = tuple(tuple(own) for own in actions)
        return game

    def _repr_html_(self) -> str:
        from zermelo.equilibrium.shown import show_form

        return show_form(self)

    def __repr__(self) -> str:
        return f"NormalForm({' × '.join(map(str, self.shape))}, players={self.players})"


def read_tables(payoffs: object) -> list[Array]:
    """One table per player from the caller's input: one matrix for a zero-sum game, or a table for each player."""
    if isinstance(payoffs, str):
        return read_text(payoffs)
    if isinstance(payoffs, (tuple, list)) and payoffs and depth(payoffs[0]) >= 2:
        tables = [to_array(table) for table in payoffs]
    else:
        found = to_array(payoffs)
        tables = [found, -found] if found.ndim == 2 else list(found)
    players = len(tables)
    if players < 2 or any(table.ndim != players for table in tables):
        raise InputError("a game of N players needs N payoff tables, each with one axis a player; or one matrix")
    if any(table.shape != tables[0].shape for table in tables):
        shapes = ", ".join("×".join(map(str, table.shape)) for table in tables)
        raise InputError(f"every player's table must have the same shape; these are {shapes}")
    if tables[0].size == 0:
        raise InputError("every player needs at least one action")
    if any(table.dtype == object for table in tables):
        tables = [exactly(table) for table in tables]
    return tables


def depth(value: object) -> int:
    """How many axes nested lists have, seen along their first entries."""
    if hasattr(value, "ndim"):
        return int(value.ndim)
    axes = 0
    while isinstance(value, (list, tuple)):
        axes += 1
        if not value:
            break
        value = value[0]
    return axes


def to_array(table: Any) -> Array:
    """A table as floats, or as fractions if that is how any entry was given."""
    if not hasattr(table, "ndim"):
        shape = shape_of(table)
        flat = list(flatten(table, len(shape)))
        if math.prod(shape) != len(flat):
            raise InputError("the payoffs are ragged: every row needs the same number of entries")
        numbers = [value if type(value) in (int, float) else rational(value) for value in flat]
        inexact = all(type(value) in (int, float) and abs(value) <= 2**53 for value in numbers)
        if inexact:
            table = np.array(numbers, dtype=float).reshape(shape)
        else:
            array = np.empty(len(numbers), dtype=object)
            array[:] = numbers
            return exactly(array.reshape(shape))
    if table.dtype == object:
        return exactly(table)
    if table.dtype.kind not in "iufb":
        raise InputError("payoffs must be numbers")
    if table.ndim == 0:
        raise InputError(f"{table!r} is not a payoff table: give rows of numbers")
    if table.dtype.kind in "iu" and table.size and max(abs(int(table.min())), abs(int(table.max()))) > 2**53:
        return exactly(table.astype(object))
    array = np.array(table, dtype=float)
    if not np.isfinite(array).all():
        raise InputError("payoffs must be finite numbers, and one is not (NaN or infinite)")
    if array.size and np.abs(array).max() > LARGEST:
        return exactly(array)
    return array


def shape_of(table: object) -> tuple[int, ...]:
    shape = []
    while isinstance(table, (list, tuple)):
        shape.append(len(table))
        if not table:
            break
        table = table[0]
    if not shape:
        raise InputError(f"{table!r} is not a payoff table: give rows of numbers")
    return tuple(shape)


def flatten(table: object, axes: int) -> Iterator[Any]:
    """The entries of nested lists, `axes` deep; ragged ones are refused."""
    if axes == 0:
        if isinstance(table, (list, tuple)):
            raise InputError("the payoffs are ragged: every row needs the same number of entries")
        yield table
        return
    if not isinstance(table, (list, tuple)):
        raise InputError("the payoffs are ragged: every row needs the same number of entries")
    width = len(table[0]) if axes > 1 and table and isinstance(table[0], (list, tuple)) else None
    for row in table:
        if width is not None and isinstance(row, (list, tuple)) and len(row) != width:
            raise InputError("the payoffs are ragged: every row needs the same number of entries")
        yield from flatten(row, axes - 1)


def exactly(table: Array) -> Array:
    """A table as fractions."""
    array = np.empty(table.size, dtype=object)
    array[:] = [within_reach(value) for value in table_fractions(table.ravel().tolist())]
    return array.reshape(table.shape)


def read_text(text: str) -> list[Array]:
    """`1 2; 3 4` is the row player's payoffs in a zero-sum game; `1,2 3,4; …` is every player's in one of two."""
    rows = [row.split() for row in text.strip().rstrip(";").split(";")]
    if any(len(row) != len(rows[0]) for row in rows) or not rows[0]:
        raise InputError("the matrix is ragged: write rows of as many numbers, as in '30 -10 20; -10 20 -20'")
    cells = [[cell.split(",") for cell in row] for row in rows]
    players = len(cells[0][0])
    if players > 2 or any(len(cell) != players for row in cells for cell in row):
        raise InputError("each entry is one number, or two with a comma between them, as in '3,3 0,5; 5,0 1,1'")
    tables: list[Array] = []
    for p in range(players):
        array = np.empty((len(cells), len(cells[0])), dtype=object)
        for i, row in enumerate(cells):
            array[i, :] = [read_number(cell[p]) for cell in row]
        tables.append(array)
    return tables if players == 2 else [tables[0], -tables[0]]


def name_players(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if names is None:
        return ("row", "column") if count == 2 else tuple(f"player {p}" for p in range(count))
    found = tuple(map(str, names))
    if len(found) != count:
        raise InputError(f"there are {count} players, and {len(found)} names for them")
    return found


def name_actions(names: Sequence[Sequence[str]] | None, shape: tuple[int, ...]) -> tuple[tuple[str, ...], ...]:
    if names is None:
        numbers = [tuple(str(i + 1) for i in range(size)) for size in shape]
        if len(shape) == 2 and shape[1] <= len(ascii_uppercase):
            numbers[1] = tuple(ascii_uppercase[: shape[1]])  # rows are numbers and columns letters, as on a board
        return tuple(numbers)
    found = tuple(tuple(map(str, own)) for own in names)
    if tuple(map(len, found)) != shape:
        raise InputError(f"the players have {shape} actions, and {tuple(map(len, found))} names for them")
    for own in found:
        if len(set(own)) != len(own):
            raise InputError(f"two actions of a player have the same name: {', '.join(own)}")
    return found


def two_players(game: NormalForm, method: str) -> None:
    """Raises `MethodError` unless the game has two players."""
    if len(game.players) != 2:
        raise MethodError(
            f"{method} is for two players, and this game has {len(game.players)}: "
            f"use supports, logit or one of the dynamics"
        )


def as_game(game: object, **options: Any) -> NormalForm:
    """A game in normal form from anything that describes one."""
    return game if isinstance(game, NormalForm) else NormalForm(game, **options)


def fractions_of(values: Sequence[object]) -> tuple[Fraction, ...]:
    return tuple(rational(value) for value in values)
