"""Zero-sum games of two players by linear programming: von Neumann's minimax theorem, with its proof beside it.

primal: max t   s.t.  Σ_i a_ij y_i ≥ t for every column j,  Σ y = 1,  y ≥ 0          the row player
dual:   min w   s.t.  Σ_j a_ij x_j ≤ w for every row i,     Σ x = 1,  x ≥ 0          the column player

t ≤ yᵀAx ≤ w for all y, x;  t = w at the optimum: exposing one's strategy, or moving first, changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.engine import polytopes
from zermelo.equilibrium.form import Array, NormalForm, as_game, two_players
from zermelo.equilibrium.linear_program import maximise
from zermelo.equilibrium.numbers import Number, common_integers, say
from zermelo.equilibrium.profile import Equilibrium, Profile, Strategy
from zermelo.errors import MethodError, UnsolvedError

MOST_VERTICES = 1_000_000
EXACT_ENTRIES = 4_096
"""Entries of a matrix up to which the default is to compute in fractions."""
GAP = 1e-9
"""How far apart the two values may be in floating point, for payoffs within 1 of each other."""


@dataclass(frozen=True, slots=True)
class ZeroSum:
    """Both players' optimal strategies, and the two programs that prove them so."""

    game: NormalForm
    row: Strategy
    column: Strategy
    primal: Number
    """What `row` gets at least, whatever the column player does: min_j (yᵀA)_j."""
    dual: Number
    """What `column` pays at most: max_i (Ax)_i."""
    method: str
    exact: bool

    @property
    def value(self) -> Number:
        """What the game is worth to the row player (a cost, if the game has costs)."""
        return self.game.shown(self.primal if self.exact else (self.primal + self.dual) / 2)

    @property
    def gap(self) -> Number:
        """dual − primal: 0 in exact arithmetic. The value lies between the two, so this certifies it."""
        return self.dual - self.primal

    @property
    def strategies(self) -> Profile:
        return (self.row, self.column)

    @property
    def payoffs(self) -> Strategy:
        mine = self.game.shown(self.value)
        total = self.game.constant_sum
        return (self.value, self.game.shown((total if self.exact else float(total)) - mine))

    @property
    def equilibrium(self) -> Equilibrium:
        """The same as an equilibrium of two players."""
        return Equilibrium(self.strategies, self.payoffs, self.method, self.exact, self.game)

    def _repr_html_(self) -> str:
        return self.equilibrium._repr_html_()

    def slackness(self) -> tuple[list[tuple[Number, Number]], list[tuple[Number, Number]]]:
        """For each row (y_i, w − (Ax)_i), for each column (x_j, (yᵀA)_j − t): one of each pair is 0."""
        matrix = self.game.tables(self.exact)[0]
        rows = self.dual - matrix @ np.array(self.column, dtype=matrix.dtype)
        columns = np.array(self.row, dtype=matrix.dtype) @ matrix - self.primal
        return list(zip(self.row, rows, strict=True)), list(zip(self.column, columns, strict=True))


def zero_sum(game: object, exact: bool = False, method: str = "simplex") -> ZeroSum:
    """Solves a zero-sum game by `simplex` (native; HiGHS if rounding errors are too large) or by `highs`."""
    form = as_game(game)
    check_zero_sum(form, exact)
    matrix = form.tables(exact)[0]
    if method not in ("simplex", "highs"):
        raise MethodError(f"a zero-sum game is solved by simplex or by highs, not by {method}")
    if exact and method == "highs":
        raise MethodError("HiGHS computes in floating point: ask for simplex, or leave out exact")
    if exact:
        row, column = _solve_exactly(matrix)
        return _certify(form, row, column, method, exact)
    span = float(matrix.max() - matrix.min())
    if method == "simplex":
        try:
            found = _certify(form, *_solve_doubles(matrix), method, exact)
        except UnsolvedError:
            pass
        else:
            if found.gap <= GAP * max(span, 1e-300):
                return found
    return _certify(form, *_solve_by_highs(matrix), "highs", exact)


def check_zero_sum(form: NormalForm, exact: bool = False) -> None:
    """Refuses a game that is not zero-sum; with `exact`, also one that is zero-sum only within rounding."""
    two_players(form, "linear programming of a zero-sum game")
    if not form.is_zero_sum:
        raise MethodError("the game is not zero-sum: use lemke-howson, vertices or supports")
    if exact and not form.is_exactly_zero_sum:
        raise MethodError(
            "the payoffs add up to a constant only but for rounding: ask for floating point, or give them exactly"
        )


def _certify(form: NormalForm, row: Strategy, column: Strategy, method: str, exact: bool) -> ZeroSum:
    """The two values from the strategies alone, however they were found."""
    matrix = form.tables(exact)[0]
    primal = (np.array(row, dtype=matrix.dtype) @ matrix).min()
    dual = (matrix @ np.array(column, dtype=matrix.dtype)).max()
    if not exact:
        primal, dual = float(primal), float(dual)
    return ZeroSum(form, tuple(row), tuple(column), primal, dual, method, exact)


def positive_integers(table: Array) -> list[list[int]]:
    """A table of fractions times a number, plus a number: whole numbers from 1 up. Optimal strategies stay the same."""
    whole, _ = common_integers(table.ravel())
    array = np.array(whole, dtype=object).reshape(table.shape)
    shifted = array - array.min()
    divisor = max(int(np.gcd.reduce(shifted.ravel())), 1)
    listed: list[list[int]] = (shifted // divisor + 1).tolist()
    return listed


def positive_doubles(table: Array) -> Array:
    """A table of doubles moved and scaled into 0.25 … 1.25."""
    low, high = float(table.min()), float(table.max())
    scaled = (table / 2 - low / 2) / (high / 2 - low / 2) if high > low else np.zeros(table.shape)
    return np.ascontiguousarray(scaled + 0.25)


def share(point: list[Fraction] | Array) -> Strategy:
    """A point of a polytope as a strategy: divided by its sum."""
    if isinstance(point, list):
        total = sum(point)
        return tuple(each / total for each in point)
    positive = np.maximum(point, 0.0)
    return tuple((positive / positive.sum()).tolist())


def _solve_exactly(matrix: Array) -> tuple[Strategy, Strategy]:
    point, prices, _ = polytopes.optimum(positive_integers(matrix))
    return share(prices), share(point)


def _solve_doubles(matrix: Array) -> tuple[Strategy, Strategy]:
    point, prices, _ = polytopes.optimum(positive_doubles(matrix))
    return share(prices), share(point)


def _solve_by_highs(matrix: Array) -> tuple[Strategy, Strategy]:
    """One program for each player: maximise the guaranteed payoff."""
    return _program_by_highs(positive_doubles(matrix)), _program_by_highs(positive_doubles(-matrix.T))


def _program_by_highs(matrix: Array) -> Strategy:
    rows, columns = matrix.shape
    below = np.hstack([-matrix.T, np.ones((columns, 1))])  # t − Σ_i a_ij y_i ≤ 0; t > 0, as all payoffs are
    found = maximise([0.0] * rows + [1.0], below, [0.0] * columns, [[1.0] * rows + [0.0]], [1.0], exact=False)
    assert found is not None  # any strategy is feasible
    return share(np.array(found.point[:-1]))


def optimal_strategies(
    game: object, limit: int = MOST_VERTICES, exact: bool | None = None
) -> tuple[list[Strategy], list[Strategy]]:
    """All extreme optimal strategies of either player; the mixtures of a player's are the rest.

    In fractions, or in floating point where these would be too long; `exact` asks for one of the two.
    """
    form = as_game(game)
    exact = fits_exactly(form) and form.is_exactly_zero_sum if exact is None else exact
    check_zero_sum(form, exact)
    make, matrix = (positive_integers if exact else positive_doubles), form.tables(exact)[0]
    rows = polytopes.optimal_vertices(make(-matrix.T), limit)
    columns = polytopes.optimal_vertices(make(matrix), limit)
    return sorted(map(share, rows), reverse=True), sorted(map(share, columns), reverse=True)


def fits_exactly(form: NormalForm) -> bool:
    """Whether the core has numbers long enough to compute with the payoffs of two players exactly."""
    if math.prod(form.shape) > EXACT_ENTRIES:
        return False
    return all(polytopes.minor_bits(positive_integers(table)) < polytopes.MAX_EXACT_BITS for table in form.exact)


def security_levels(game: object, mixed: bool = True, exact: bool | None = None) -> Strategy:
    """What each player can guarantee alone: the maximin, over mixed or over pure strategies.

    With more than two players the others are assumed to play against the player together. In fractions, or in floating
    point where these would be too long; `exact` asks for one of the two.
    """
    form = as_game(game)
    levels = []
    for p in range(len(form.players)):
        table = form.payoffs[p]
        own = np.moveaxis(table, p, 0).reshape(table.shape[p], -1)
        against = NormalForm([own, -own])
        fractions = fits_exactly(against) if exact is None else exact
        own = against.tables(fractions)[0]
        level = zero_sum(against, exact=fractions).primal if mixed else own.min(axis=1).max()
        levels.append(form.shown(level))
    return tuple(levels)


def saddle_points(game: object) -> list[tuple[int, int]]:
    """Entries that are least in their row and greatest in their column: equilibria in pure strategies."""
    form = as_game(game)
    check_zero_sum(form)
    matrix = form.payoffs[0]
    saddle = (matrix == matrix.min(axis=1, keepdims=True)) & (matrix == matrix.max(axis=0, keepdims=True))
    return [(int(i), int(j)) for i, j in np.argwhere(saddle)]


MAX_WRITTEN_ENTRIES = 10_000
"""Entries of a matrix whose programs are still written out."""


def write_primal(found: ZeroSum) -> dict[str, Any]:
    """The row player's program: maximise what one gets at least, or minimise what one pays at most."""
    matrix = found.game.tables(found.exact)[0]
    if found.game.costs:
        return _write(-matrix.T, "minimise t", "y", "≤ t", found.row, -found.primal)
    return _write(matrix.T, "maximise t", "y", "≥ t", found.row, found.primal)


def write_dual(found: ZeroSum) -> dict[str, Any]:
    """The column player's program: minimise what one pays at most, or maximise what the other pays at least."""
    matrix = found.game.tables(found.exact)[0]
    if found.game.costs:
        return _write(-matrix, "maximise w", "x", "≥ w", found.column, -found.dual)
    return _write(matrix, "minimise w", "x", "≤ w", found.column, found.dual)


def _write(
    rows: Array, objective: str, letter: str, relation: str, strategy: Strategy, value: Number
) -> dict[str, Any]:
    constraints = None
    if rows.size <= MAX_WRITTEN_ENTRIES:
        names = [f"{letter}{i + 1}" for i in range(rows.shape[1])]
        constraints = [f"{linear(row, names)} {relation}" for row in rows]
        constraints += [f"{' + '.join(names)} = 1", f"{letter} ≥ 0", f"{objective[-1]} free"]
    return {"objective": objective, "constraints": constraints, "solution": list(strategy), "value": value}


def linear(numbers: Iterable[Any], names: list[str]) -> str:
    """`30 y1 − 10 y2`."""
    text = ""
    for number, name in zip(numbers, names, strict=True):
        if number == 0:
            continue
        size = abs(number)
        term = name if size == 1 else f"{say(size)} {name}"
        sign = (" − " if number < 0 else " + ") if text else ("−" if number < 0 else "")
        text += sign + term
    return text or "0"
