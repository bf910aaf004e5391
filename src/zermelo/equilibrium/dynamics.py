"""Players who learn: replicator dynamics, fictitious play, regret matching; for any number of players.

None of them needs to converge (Shapley's game is the classic warning). What they give carries the regrets of the last
point, or of the average, so that nobody takes it for more than it is. In zero-sum games the averages of fictitious play
and of regret matching do converge to optimal strategies; regret matching's draws converge to the coarse correlated
equilibria of any game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.profile import Profile, Strategy, action_payoffs, read_profile, regrets
from zermelo.errors import OptionError

MOST_STEPS = 100_000_000


@dataclass(frozen=True, slots=True)
class Course:
    """Where a dynamic got to."""

    strategies: Profile
    """The last point of the replicator; the averages of the others."""
    regrets: Strategy
    steps: int
    method: str
    path: tuple[Profile, ...]
    """Points on the way, about a hundred of them, the first and the last among them."""


def replicator(
    game: Any, start: Sequence[Sequence[Any]] | None = None, steps: int = 2_000, step: float = 0.05
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


def fictitious_play(game: Any, start: Sequence[int] | None = None, steps: int = 10_000) -> Course:
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


def regret_matching(game: Any, steps: int = 10_000, plus: bool = True) -> Course:
    """Everybody plays actions in proportion to how much they would have brought in so far (Hart and Mas-Colell 2000).

    With expected payoffs in place of draws, so that it has no luck. With `plus` regrets never go below 0 and later
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
    """A start that no symmetry holds fast."""
    weights = [np.arange(2 * size, size, -1.0) for size in form.shape]
    return [(own / own.sum()).tolist() for own in weights]


def _in_proportion(sums: Array) -> Array:
    positive = np.maximum(sums, 0.0)
    total = positive.sum()
    return positive / total if total > 0 else np.full(len(sums), 1 / len(sums))


def _scaled(form: NormalForm) -> list[Array]:
    """The payoffs with a span of 1, so that steps mean the same in every game."""
    spans = [float(table.max() - table.min()) or 1.0 for table in form.floats]
    return [(table - table.min()) / span for table, span in zip(form.floats, spans, strict=True)]


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
