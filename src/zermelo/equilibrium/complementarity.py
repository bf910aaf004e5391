"""Extensive games of two players, of any sum: the sequence form as a linear complementarity problem.

x and y are realisation plans, A and B what their sequences are worth (Koller, Megiddo and von Stengel 1996):

    x is best against y:  each own choice is as good as what is best there, or is not played       and the same for y

Lemke's method follows a path of equilibria (von Stengel, van den Elzen and Talman 2002). At its beginning everybody
plays a best answer to a given strategy that uses everything. Then, with t from 0 to 1, each is met by that strategy
with probability 1 − t and by the other's own choice with probability t; where t = 1 stands an equilibrium of the game.

Each information set has one choice that fills up: its probability is what the others leave. With r the best answers at
the beginning as these choices, a plan of weight t is x = X·(t, u), with u ≥ 0 for all other choices, and X u + r t ≥ 0
for those that fill up. There are as many unknowns as sequences.
"""

from __future__ import annotations

import contextlib
import math
import time
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine import polytopes
from zermelo.equilibrium.bimatrix import is_ill_scaled
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.equilibrium.form import Array
from zermelo.equilibrium.numbers import common_integers
from zermelo.equilibrium.reduction import START, sequences
from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Strategy, from_merged_plans, from_plans
from zermelo.errors import MethodError, UnsolvedError

MOST_SEQUENCES = 2_500
"""Of both players, after merging, in floating point."""
MOST_EXACT = 250
"""Of both players, in fractions."""
PERTURBATIONS = (1e-7, 1e-9, 1e-5)
"""Of the right-hand side in doubles, for payoffs and probabilities of about 1; the next one where one leads astray."""
TOLERANCE = 1e-9
"""Gain of a best answer, for payoffs within 1 of each other, above which a result in floating point is rejected."""


class Choices(NamedTuple):
    """One player's sequences, and what they are worth."""

    sets: list[tuple[int, range]]
    """Per information set, in an order in which one comes before those that follow it: what is before, the choices."""
    worth: Array
    """A row per own sequence, a column per sequence of the other: doubles or whole numbers."""


def lemke(form: ExtensiveForm, exact: bool = False) -> ExtensiveEquilibrium:
    """An equilibrium of a game of two players: in doubles, verified, or in fractions if it is small.

    Doubles that rounding errors lead astray are replaced by fractions where these are short enough.
    """
    if form.players != 2:
        raise MethodError(f"Lemke's method is for two players, and {form.game.name} has {form.players}: use cfr")
    start = time.perf_counter()
    strategy = _solve_exactly(form) if exact else _solve(form)
    return ExtensiveEquilibrium(strategy, "lemke", exact, seconds=time.perf_counter() - start)


def count_merged(form: ExtensiveForm) -> int:
    """The number of sequences of all players, equivalent ones merged."""
    return sum(int(form.form.side(p, merged=True).first[-1]) for p in range(form.players))


def _solve(form: ExtensiveForm) -> Strategy:
    count = count_merged(form)
    if count > MOST_SEQUENCES:
        raise MethodError(f"{form.game.name} has {count:,} sequences, too many for Lemke's method: use cfr")
    ways = [_solve_in_doubles, _round_exact]
    if any(map(is_ill_scaled, form.arrays.payoffs.reshape(-1, 2).T)):
        ways.reverse()
    for way in ways:
        found = way(form)
        if found is not None:
            return found
    raise UnsolvedError(f"rounding errors are too large for Lemke's method in {form.game.name}: use cfr")


def _solve_in_doubles(form: ExtensiveForm) -> Strategy | None:
    """`None` where best answers confirm nothing that is found."""
    path = _Path([_merged_choices(form, p) for p in (0, 1)], float)
    spans = np.ptp(form.arrays.payoffs.reshape(-1, 2), axis=0).tolist()
    for perturbation in PERTURBATIONS:
        with contextlib.suppress(UnsolvedError):
            found = from_merged_plans(form, path.plans(perturbation))
            gains = [best - value for value, best in zip(found.values, found.best_values, strict=True)]
            if all(gain <= TOLERANCE * span for gain, span in zip(gains, spans, strict=True)):
                return found
    return None


def _round_exact(form: ExtensiveForm) -> Strategy | None:
    """The exact solution, rounded; `None` where it would take too long."""
    if sum(int(form.form.side(p).first[-1]) for p in (0, 1)) > MOST_EXACT:
        return None
    try:
        exact = _solve_exactly(form)
    except MethodError:
        return None
    return Strategy(form, np.array([float(share) for share in exact.shares]))


def _solve_exactly(form: ExtensiveForm) -> Strategy:
    known = sequences(form)
    if sum(known.counts) > MOST_EXACT:
        raise MethodError(
            f"{form.game.name} has {sum(known.counts):,} sequences, and fractions do for {MOST_EXACT}: leave out exact"
        )
    both = []
    for p in (0, 1):
        worth = np.zeros((known.counts[p], known.counts[1 - p]), dtype=object)
        whole, _ = common_integers(payoffs[p] for payoffs in known.ends.values())
        for own, payoff in zip(known.ends, whole, strict=True):
            worth[own[p], own[1 - p]] = payoff
        both.append(Choices([(here.after, here.sequences) for here in known.decisions[p]], worth))
    found = from_plans(form, _Path(both, object).plans())
    if found.exploitability != 0:
        raise UnsolvedError(f"Lemke's method went astray in {form.game.name}: please report this game, and use cfr")
    return found


def _merged_choices(form: ExtensiveForm, p: int) -> Choices:
    side, other = (form.form.side(q, merged=True) for q in (p, 1 - p))
    first = side.first.tolist()
    sets = [(after, range(first[k], first[k + 1])) for k, after in enumerate(side.after.tolist())]
    worth = np.zeros((first[-1], int(other.first[-1])))
    np.add.at(worth, (np.repeat(np.arange(first[-1]), np.diff(side.start)), side.others[:, 0]), side.payoff)
    return Choices(sets, worth / (np.abs(worth).max() or 1.0))


class _Path:
    """The path from the best answers to uniform play to an equilibrium, in doubles or in fractions."""

    def __init__(self, both: list[Choices], kind: type):
        self.kind = kind
        uniform = [_uniform(own.sets, own.worth.shape[0], kind) for own in both]
        self.before = [own.worth @ uniform[1 - p] for p, own in enumerate(both)]
        """What each sequence is worth at the beginning."""
        self.bases = [self._basis(own, self.before[p]) for p, own in enumerate(both)]
        """X of each player."""
        self.filling = [_best(own.sets, self.before[p]) for p, own in enumerate(both)]
        self.worth = [own.worth for own in both]

    def _basis(self, own: Choices, before: Array) -> Array:
        filling = set(_best(own.sets, before))
        basis = np.zeros((own.worth.shape[0], own.worth.shape[0] - len(own.sets)), dtype=self.kind)
        basis[START, 0] = 1
        column = 1
        for after, choices in own.sets:
            rest = basis[after].copy()
            (fills,) = (s for s in choices if s in filling)
            for s in choices:
                if s != fills:
                    basis[s, column] = 1
                    rest[column] -= 1
                    column += 1
            basis[fills] = rest
        return basis

    def plans(self, perturbation: float = 0.0) -> list[list[Any]]:
        """Both realisation plans at the end."""
        matrix, right, scale = self._problem()
        point, _ = polytopes.lemke(matrix if self.kind is float else matrix.tolist(), right, perturbation)
        if self.kind is float and not np.isfinite(point).all():
            raise UnsolvedError("rounding errors led Lemke's method astray: ask for exact arithmetic")
        found, place = [], 0
        for basis, filling in zip(self.bases, self.filling, strict=True):
            free = basis.shape[1] - 1
            shares: Array = np.array([1, *(share / scale for share in point[place : place + free])], dtype=self.kind)
            found.append((basis @ shares).tolist())
            place += free + len(filling)
        return found

    def _problem(self) -> tuple[Array, Any, Any]:
        """The tableau, its right-hand side, and the number that all of the solution is multiplied by.

        Rows are the losses of choices, then the probabilities of those that fill up, of either player; columns are
        their partners: the probabilities of choices, the losses of those that fill up; and t.
        """
        sizes = [(basis.shape[1] - 1, len(filling)) for basis, filling in zip(self.bases, self.filling, strict=True)]
        starts = [0, sum(sizes[0])]
        last = sum(map(sum, sizes))
        matrix = np.zeros((last + 1, last + 1), dtype=self.kind)
        right = np.zeros(last + 1, dtype=self.kind)
        for p, (free, filled) in enumerate(sizes):
            mine, theirs = self.bases[p], self.bases[1 - p]
            choices = slice(starts[p], starts[p] + free)
            fills = slice(starts[p] + free, starts[p] + free + filled)
            others = slice(starts[1 - p], starts[1 - p] + sizes[1 - p][0])
            flow = mine[self.filling[p]]
            matrix[choices, fills] = flow[:, 1:].T
            matrix[fills, choices] = -flow[:, 1:]
            matrix[fills, last] = -flow[:, 0]
            gains = mine[:, 1:].T @ self.worth[p] @ theirs
            at_first = mine[:, 1:].T @ self.before[p]
            matrix[choices, others] = gains[:, 1:]
            matrix[choices, last] = gains[:, 0] - at_first
            right[choices] = -at_first
        matrix[last, last] = right[last] = 1
        if self.kind is float:
            return matrix, np.maximum(right, 0.0)[:, None], 1.0
        scale = math.lcm(*(Fraction(number).denominator for number in (*matrix[:, last], *right)))
        matrix[:, last] = [int(number * scale) for number in matrix[:, last]]
        return matrix, [[int(number * scale)] for number in right], scale


def _uniform(sets: list[tuple[int, range]], count: int, kind: type) -> Array:
    """The plan that makes all choices of an information set alike."""
    plan: Array = np.empty(count, dtype=kind)
    plan[START] = 1.0 if kind is float else Fraction(1)
    for after, choices in sets:
        for s in choices:
            plan[s] = plan[after] / len(choices)
    return plan


def _best(sets: list[tuple[int, range]], worth: Array) -> list[int]:
    """The best choice at each information set, with the best ones after it; the first of several."""
    worth = worth.copy()
    found = []
    for after, choices in reversed(sets):
        best = max(choices, key=lambda s: worth[s])
        worth[after] += worth[best]
        found.append(best)
    return found[::-1]
