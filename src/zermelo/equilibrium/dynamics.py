"""Players who learn: replicator dynamics, fictitious play, regret matching; for any number of players.

None of them needs to converge (Shapley's game is the classic warning). Results carry the regrets of the last point, or
of the average, which show how far it is from an equilibrium. In zero-sum games the averages of fictitious play and of
regret matching do converge to optimal strategies; regret matching's draws converge to the coarse correlated
equilibria of any game.

The logit quantal response homotopy (McKelvey and Palfrey 1995, Turocy 2005), for any number of players.

    x_a = exp(λ · payoff of a) / Σ_b exp(λ · payoff of b)

At λ = 0 everybody mixes evenly. The branch that begins there is followed by predictor and corrector, back and forth in
λ where it turns, until regrets are small: in almost every game it leads to one Nash equilibrium, the logit solution.
Unknown are the logarithms of the probabilities, so that none can become negative.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.numbers import Number
from zermelo.equilibrium.profile import (
    Equilibrium,
    Profile,
    Strategy,
    action_payoffs,
    make_equilibrium,
    read_profile,
    regrets,
)
from zermelo.errors import OptionError, UnsolvedError

MOST_STEPS = 100_000_000


@dataclass(frozen=True, slots=True)
class Course:
    """The result of a dynamic."""

    strategies: Profile
    """The last point of the replicator; the averages of the others."""
    regrets: Strategy
    steps: int
    method: str
    path: tuple[Profile, ...]
    """Points on the way, about a hundred of them, the first and the last among them."""


def replicator(
    game: object, start: Sequence[Sequence[Number]] | None = None, steps: int = 2_000, step: float = 0.05
) -> Course:
    """dx_a/dt = x_a · (payoff of a − mean payoff): what does better than the mean grows. By Runge–Kutta of order 4.

    Without a `start` it begins a little off the middle, in favour of the first actions; time is in units of the
    payoffs' span.
    """
    form = as_game(game)
    check_steps(steps)
    if not 0 < step <= 1:
        raise OptionError(f"step must be a number above 0 and at most 1, not {step}")
    tables = _scaled(form)
    x = [np.array(own) for own in (off_middle(form) if start is None else read_profile(form, start, False))]
    path = [x]

    def flow(point: list[Array]) -> list[Array]:
        found = []
        for p, table in enumerate(tables):
            worth = action_payoffs(table, point, p)
            found.append(point[p] * (worth - point[p] @ worth))
        return found

    def move(point: list[Array], slope: list[Array], length: float) -> list[Array]:
        return [own + length * change for own, change in zip(point, slope, strict=True)]

    for count in range(1, steps + 1):
        a = flow(x)
        b = flow(move(x, a, step / 2))
        c = flow(move(x, b, step / 2))
        d = flow(move(x, c, step))
        x = [own + step / 6 * (w + 2 * y + 2 * z + v) for own, w, y, z, v in zip(x, a, b, c, d, strict=True)]
        x = [np.maximum(own, 0.0) / np.maximum(own, 0.0).sum() for own in x]
        if is_milestone(count, steps):
            path.append(x)
    return _course(form, x, steps, "replicator", path)


def fictitious_play(game: object, start: Sequence[int] | None = None, steps: int = 10_000) -> Course:
    """Everybody replies best to how the others have played on average so far; ties keep the first action."""
    form = as_game(game)
    check_steps(steps)
    actions = tuple(0 for _ in form.shape) if start is None else tuple(start)
    counts = [np.zeros(size) for size in form.shape]
    for p, a in enumerate(actions):
        if not 0 <= a < form.shape[p]:
            raise OptionError(f"player {form.players[p]} has no action {a}; they are 0 … {form.shape[p] - 1}")
        counts[p][a] += 1
    path = []
    for count in range(1, steps + 1):
        averages = [own / own.sum() for own in counts]
        if is_milestone(count, steps) or count == 1:
            path.append(averages)
        replies = [int(np.argmax(action_payoffs(table, averages, p))) for p, table in enumerate(form.floats)]
        for p, a in enumerate(replies):
            counts[p][a] += 1
    return _course(form, [own / own.sum() for own in counts], steps, "fictitious-play", path)


def regret_matching(game: object, steps: int = 10_000, plus: bool = True) -> Course:
    """Everybody plays actions in proportion to how much they would have brought in so far (Hart and Mas-Colell 2000).

    With expected payoffs in place of draws, so that it is deterministic. With `plus` regrets never go below 0 and later
    steps weigh more, which is much quicker in practice.
    """
    form = as_game(game)
    check_steps(steps)
    tables = _scaled(form)
    sums = [np.zeros(size) for size in form.shape]
    totals = [np.zeros(size) for size in form.shape]
    path = []
    for count in range(1, steps + 1):
        now = [_in_proportion(own) for own in sums]
        for p, table in enumerate(tables):
            worth = action_payoffs(table, now, p)
            sums[p] = sums[p] + worth - now[p] @ worth
            if plus:
                sums[p] = np.maximum(sums[p], 0.0)
                now[p] = _in_proportion(sums[p])  # the next player replies to this already
            totals[p] = totals[p] + (count if plus else 1) * now[p]
        if is_milestone(count, steps) or count == 1:
            path.append([own / own.sum() for own in totals])
    return _course(form, [own / own.sum() for own in totals], steps, "regret-matching", path)


def check_steps(steps: int) -> None:
    if not isinstance(steps, int) or not 1 <= steps <= MOST_STEPS:
        raise OptionError(f"steps must be a whole number from 1 to {MOST_STEPS:,}, not {steps}")


def is_milestone(count: int, steps: int) -> bool:
    return count == steps or count % max(1, steps // 100) == 0


def off_middle(form: NormalForm) -> list[list[float]]:
    """A start away from the symmetric points, at which the dynamic would stay."""
    weights = [np.arange(2 * size, size, -1.0) for size in form.shape]
    return [(own / own.sum()).tolist() for own in weights]


def _in_proportion(sums: Array) -> Array:
    positive = np.maximum(sums, 0.0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(sums), 1 / len(sums))


def _scaled(form: NormalForm) -> list[Array]:
    """The payoffs divided by one number, so that their spans are at most 1 and steps mean the same in every game."""
    span = _span(form)
    return [(table - table.min()) / span for table in form.floats]


def _span(form: NormalForm) -> float:
    """The greatest difference between two payoffs of one player."""
    return max(float(table.max() - table.min()) for table in form.floats) or 1.0


def _course(form: NormalForm, last: list[Array], steps: int, method: str, path: list[list[Array]]) -> Course:
    def plain(point: list[Array]) -> Profile:
        return tuple(tuple(own.tolist()) for own in point)

    strategies = plain(last)
    return Course(
        strategies, tuple(map(float, regrets(form, strategies, exact=False))), steps, method, tuple(map(plain, path))
    )


Dynamic = Callable[..., Course]
DYNAMICS: dict[str, Dynamic] = {
    "replicator": replicator,
    "fictitious-play": fictitious_play,
    "regret-matching": regret_matching,
}


LONGEST_STEP, SHORTEST_STEP = 2.0, 1e-9
"""Steps along the branch."""


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch as far as it was followed."""

    equilibrium: Equilibrium
    regret: float
    """The greatest of all players, in units of the payoffs' span."""
    rationality: float
    """λ at the end, of the payoffs as they were given."""
    points: tuple[tuple[float, tuple[tuple[float, ...], ...]], ...]
    """(λ, strategies), along the way."""


def logit(game: object, tolerance: float = 1e-8, most_steps: int = 20_000, at: float | None = None) -> Branch:
    """Follows the branch until nobody's regret is above `tolerance`, as a part of the payoffs' span.

    With `at` it ends at that λ instead, with the quantal response equilibrium that the branch first has there.
    """
    form = as_game(game)
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance must be between 0 and 1, not {tolerance}")
    if at is not None and not (0 <= at < math.inf):
        raise OptionError(f"at must be a λ from 0 on, not {at}")
    span = _span(form)
    system = _System(form.shape, _scaled(form))
    z = system.start()
    tangent = np.zeros(len(z))
    tangent[-1] = 1.0
    points = [(0.0, system.strategies(z))]
    step = 0.03
    for _ in range(most_steps):
        worst = max(map(float, regrets(form, points[-1][1], exact=False))) / span
        if (at is None and worst <= tolerance) or (at is not None and z[-1] >= at * span):
            return Branch(make_equilibrium(form, points[-1][1], "logit", False), worst, points[-1][0], tuple(points))
        direction = system.tangent(z, tangent)
        with np.errstate(all="ignore"):  # a step too far is noticed, and halved
            ahead = system.correct(z + step * direction, direction)
            if at is not None and ahead is not None and ahead[0][-1] >= at * span:
                ahead = system.meet(z, ahead[0], at * span) or ahead
        if ahead is None or ahead[1] > 0.5 * step or ahead[0][-1] < -1e-9:
            step /= 2
            if step < SHORTEST_STEP:
                break
            continue
        quick = ahead[1] < 0.05 * step
        z, tangent = ahead[0], direction
        points.append((float(z[-1]) / span, system.strategies(z)))
        step = min(step * 1.5, max(LONGEST_STEP, 0.2 * z[-1])) if quick else step
    raise UnsolvedError(
        f"the logit branch was followed to λ = {z[-1] / span:.3g} with a regret of {worst:.1e} left: "
        f"raise the tolerance or the number of steps"
    )


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
        direction: Array = found / np.linalg.norm(found)
        return direction

    def meet(self, before: Array, after: Array, rationality: float) -> tuple[Array, float] | None:
        """The point of the branch between two others at which λ has the value `rationality`."""
        share = (rationality - before[-1]) / (after[-1] - before[-1])
        across = np.zeros(self.size + 1)
        across[-1] = 1.0
        between = before + share * (after - before)
        between[-1] = rationality
        found = self.correct(between, across)
        return None if found is None else (found[0], 0.0)

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
