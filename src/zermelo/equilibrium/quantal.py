"""The logit quantal response homotopy (McKelvey and Palfrey 1995, Turocy 2005), for any number of players.

    x_a = exp(λ · payoff of a) / Σ_b exp(λ · payoff of b)

At λ = 0 everybody mixes evenly. The branch that begins there is followed by predictor and corrector, back and forth in
λ where it turns, until regrets are small: in almost every game it leads to one Nash equilibrium, the logit solution.
Unknown are the logarithms of the probabilities, so that none can become negative.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.profile import Equilibrium, action_payoffs, make_equilibrium, regrets
from zermelo.errors import OptionError, UnsolvedError

LONGEST, SHORTEST = 2.0, 1e-9
"""Steps along the branch."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch as far as it was followed."""

    equilibrium: Equilibrium
    regret: float
    """The greatest of all players, in units of the payoffs' span."""
    rationality: float
    """λ at the end, for payoffs within 1 of each other."""
    points: tuple[tuple[float, tuple[tuple[float, ...], ...]], ...]
    """(λ, strategies), along the way."""


def logit(game: Any, tolerance: float = 1e-8, most_steps: int = 20_000) -> Branch:
    """Follows the branch until nobody's regret is above `tolerance`, for payoffs within 1 of each other."""
    form = as_game(game)
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance must be between 0 and 1, not {tolerance}")
    spans = [float(table.max() - table.min()) or 1.0 for table in form.floats]
    system = _System(form.shape, [(table - table.min()) / span for table, span in zip(form.floats, spans, strict=True)])
    z = system.start()
    tangent = np.zeros(len(z))
    tangent[-1] = 1.0
    points = [(0.0, system.strategies(z))]
    step = 0.03
    for _ in range(most_steps):
        worst = _worst(form, points[-1][1], spans)
        if worst <= tolerance:
            found = make_equilibrium(form, points[-1][1], "logit", False)
            return Branch(found, worst, points[-1][0], tuple(points))
        direction = system.tangent(z, tangent)
        with np.errstate(all="ignore"):  # a step too far is noticed, and halved
            ahead = system.correct(z + step * direction, direction)
        if ahead is None or ahead[1] > 0.5 * step or ahead[0][-1] < -1e-9:
            step /= 2
            if step < SHORTEST:
                break
            continue
        quick = ahead[1] < 0.05 * step
        z, tangent = ahead[0], direction
        points.append((float(z[-1]), system.strategies(z)))
        step = min(step * 1.5, max(LONGEST, 0.2 * z[-1])) if quick else step
    raise UnsolvedError(
        f"the logit branch was followed to λ = {z[-1]:.3g} with a regret of {worst:.1e} left: "
        f"raise the tolerance or the number of steps"
    )


def _worst(form: NormalForm, strategies: Any, spans: list[float]) -> float:
    gains = regrets(form, strategies, exact=False)
    return max(float(gain) / span for gain, span in zip(gains, spans, strict=True))


class _System:
    """The equations in (log-probabilities of all players, λ), and their derivatives."""

    def __init__(self, shape: tuple[int, ...], tables: list[Array]):
        self.shape, self.tables = shape, tables
        ends = np.cumsum([0, *shape])
        self.parts = [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]
        self.size = int(ends[-1])

    def start(self) -> Array:
        return np.array([-np.log(size) for size in self.shape for _ in range(size)] + [0.0])

    def strategies(self, z: Array) -> tuple[tuple[float, ...], ...]:
        found = []
        for part in self.parts:
            shares = np.exp(z[part])
            found.append(tuple((shares / shares.sum()).tolist()))
        return tuple(found)

    def values(self, z: Array) -> Array:
        """For each player Σ exp = 1, and for each further action log x_a − log x_0 = λ (payoff_a − payoff_0)."""
        x = [np.exp(z[part]) for part in self.parts]
        out = np.empty(self.size)
        for p, part in enumerate(self.parts):
            worth = action_payoffs(self.tables[p], x, p)
            logs = z[part]
            out[part.start] = x[p].sum() - 1
            out[part.start + 1 : part.stop] = logs[1:] - logs[0] - z[-1] * (worth[1:] - worth[0])
        return out

    def derivatives(self, z: Array) -> Array:
        x = [np.exp(z[part]) for part in self.parts]
        matrix = np.zeros((self.size, self.size + 1))
        for p, part in enumerate(self.parts):
            rest = slice(part.start + 1, part.stop)
            matrix[part.start, part] = x[p]
            matrix[rest, part.start] = -1
            matrix[rest, rest] += np.eye(part.stop - part.start - 1)
            worth = action_payoffs(self.tables[p], x, p)
            matrix[rest, -1] = -(worth[1:] - worth[0])
            for q, other in enumerate(self.parts):
                if q != p:
                    slopes = self._slopes(p, q, x)
                    matrix[rest, other] -= z[-1] * (slopes[1:] - slopes[0]) * x[q]
        return matrix

    def _slopes(self, p: int, q: int, x: list[Array]) -> Array:
        """How p's payoff for each action depends on each probability of q."""
        table = self.tables[p]
        for r in reversed(range(len(self.shape))):
            if r not in (p, q):
                table = np.tensordot(table, x[r], axes=([r], [0]))
        return table if p < q else table.T

    def tangent(self, z: Array, before: Array) -> Array:
        """The direction of the branch, the way it was going."""
        matrix = np.vstack([self.derivatives(z), before])
        right = np.zeros(self.size + 1)
        right[-1] = 1.0
        found = np.linalg.lstsq(matrix, right, rcond=None)[0]
        return found / np.linalg.norm(found)

    def correct(self, z: Array, direction: Array) -> tuple[Array, float] | None:
        """Newton's method back to the branch, across `direction`; also how far that was."""
        start = z
        for _ in range(8):
            errors = np.append(self.values(z), direction @ (z - start))
            matrix = np.vstack([self.derivatives(z), direction])
            try:
                change = np.linalg.solve(matrix, -errors)
            except np.linalg.LinAlgError:
                return None
            z = z + change
            if not np.isfinite(z).all() or np.abs(z[:-1]).max() > 700 + abs(z[-1]):
                return None
            if np.abs(change).max() < 1e-11 * (1 + np.abs(z).max()):
                return z, float(np.linalg.norm(z - start))
        return None
