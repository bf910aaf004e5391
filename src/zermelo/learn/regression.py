"""Logistic regression: the weights under which features predict results best.

With σ(x) = 1 / (1 + e⁻ˣ), a position of features f is won with probability σ(k · w·f), and the weights w minimise

    mean of −[y · ln σ(k · w·f) + (1 − y) · ln(1 − σ(k · w·f))]  +  ½ · l2 · Σ (k · sⱼ · (wⱼ − oldⱼ))²

where y is the result, maybe mixed with what a search thought, sⱼ the usual size of feature j where it is not 0, and
`old` the weights before. k gives the unit of the weights: it is fitted to the old ones first and then left alone;
without old ones it is 1, and w·f are the logarithms of odds. Some games are held out: the weights kept are those that
predict *them* best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import InputError, OptionError
from zermelo.learn.samples import Floats, Samples
from zermelo.options import check_fields, number, whole

if TYPE_CHECKING:
    from scipy.optimize import OptimizeResult

    from zermelo.learn.samples import Features

PATIENCE_ROUNDS = 15
"""Rounds without progress on the games held out before the fit stops."""
SMALLEST_UNIT, GREATEST_UNIT = 1e-6, 1e3
Progress = Callable[[int, float, float], None]
"""Called after each round with its number and the losses on the training games and on those held out."""


@dataclass(frozen=True, slots=True)
class FitSettings:
    """How to fit."""

    l2: float = 1e-4
    """The penalty for leaving the old weights."""
    mix: float = 0.0
    """The share of the search's value in the target, from 0 to 1; the rest is the result."""
    holdout: float = 0.1
    """The share of games that are held out."""
    rounds: int = 300
    seed: int = 0
    """Determines which games those are."""

    def check(self, points: float | None = None) -> None:
        """Refuses what is out of range; `points` as for `fit`."""
        check_fields(
            self, {"l2": number(0, 1e6), "mix": number(0, 1), "holdout": number(0.001, 0.9), "rounds": whole(1)}
        )
        if self.mix > 0 and points is None:
            raise OptionError("a search's opinion can be mixed in only where the game has weights: leave out mix")


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights, and how well they do."""

    weights: Floats
    unit: float
    """k: what a weight of 1 adds to the logarithm of the odds."""
    rounds: int
    losses: dict[str, float] = field(default_factory=dict)
    """Mean losses before and after, on the training games and on those held out, without the l2 penalty."""


def fit(
    samples: Samples,
    old: Sequence[float] | None = None,
    settings: FitSettings | None = None,
    *,
    points: float | None = None,
    progress: Progress = lambda *_: None,
) -> Fit:
    """The weights for `samples`, from `old` on.

    `points` is the number of points of the old weights per unit of utility: it converts a search's values, which are
    utilities, to probabilities in the same way as the evaluation. Without it, search values cannot be mixed in.
    """
    settings = settings or FitSettings()
    settings.check(points)
    width = samples.features.shape[1]
    before = np.zeros(width) if old is None else np.asarray(old, np.float64)
    if len(before) != width:
        raise InputError(f"there are {len(before)} old weights for {width} features")
    held = hold_out(samples, settings)
    unit = _fit_unit(samples.features[~held] @ before, samples.results[~held]) if before.any() else 1.0
    targets = _targets(samples, settings.mix, unit, points)
    problem = Problem(samples.features, targets, before, unit, settings.l2)
    weights, rounds = _descend(problem, held, settings, progress)
    losses = {}
    for name, chosen in (("train", ~held), ("validation", held)):
        losses[f"{name} before"] = problem.loss_of(before, chosen)
        losses[f"{name} after"] = problem.loss_of(weights, chosen)
    return Fit(weights, unit, rounds, losses)


def hold_out(samples: Samples, settings: FitSettings) -> NDArray[np.bool_]:
    """The mask of held-out samples: whole games, as positions of one game are similar."""
    games = int(samples.games.max()) + 1
    count = max(1, round(games * settings.holdout))
    if games < 2:
        raise InputError("one game is too few to learn from: some are learnt from and others held out")
    chosen = np.zeros(games, bool)
    chosen[np.random.default_rng(settings.seed).permutation(games)[:count]] = True
    held: NDArray[np.bool_] = chosen[samples.games]
    return held


class Problem:
    """The loss as a function of steps u = k · s · (w − old), which all have the same size."""

    def __init__(self, features: Features, targets: Floats, old: Floats, unit: float, l2: float):
        self.sizes = _sizes(features)
        self.features = features
        self.scaled = features.multiply(1 / self.sizes).tocsr()
        self.targets = targets
        self.old = old
        self.unit = unit
        self.l2 = l2
        self.base = unit * (features @ old)

    def weights(self, steps: Floats) -> Floats:
        moved: Floats = self.old + steps / (self.unit * self.sizes)
        return moved

    def loss_of(self, weights: Floats, chosen: NDArray[np.bool_]) -> float:
        """The mean loss of weights on some samples, without the penalty."""
        return _loss(self.unit * (self.features[chosen] @ weights), self.targets[chosen])


def _descend(
    problem: Problem, held: NDArray[np.bool_], settings: FitSettings, progress: Progress
) -> tuple[Floats, int]:
    """L-BFGS until the loss on the games held out stops falling."""
    from scipy.optimize import minimize

    train, test = problem.scaled[~held], problem.scaled[held]
    base, targets = problem.base[~held], problem.targets[~held]
    transposed = train.T.tocsr()
    best = (_loss(problem.base[held], problem.targets[held]), np.zeros(train.shape[1]), 0)
    rounds = 0

    def price(steps: Floats) -> tuple[float, Floats]:
        odds = base + train @ steps
        loss = _loss(odds, targets) + settings.l2 / 2 * float(steps @ steps)
        return loss, transposed @ (_sigmoid(odds) - targets) / len(targets) + settings.l2 * steps

    def look(intermediate_result: OptimizeResult) -> None:
        nonlocal best, rounds
        rounds += 1
        steps = intermediate_result.x
        loss = _loss(problem.base[held] + test @ steps, problem.targets[held])
        progress(rounds, float(intermediate_result.fun), loss)
        if loss < best[0]:
            best = (loss, steps.copy(), rounds)
        if rounds - best[2] >= PATIENCE_ROUNDS:
            raise StopIteration

    minimize(
        price, best[1], jac=True, method="L-BFGS-B", callback=look, options={"maxiter": settings.rounds, "maxcor": 20}
    )
    return problem.weights(best[1]), rounds


def _fit_unit(points: Floats, results: Floats) -> float:
    """The k under which the old weights predict results best."""
    from scipy.optimize import minimize_scalar

    low, high = np.log(SMALLEST_UNIT), np.log(GREATEST_UNIT)
    found = minimize_scalar(lambda x: _loss(np.exp(x) * points, results), bounds=(low, high), method="bounded")
    return float(np.exp(found.x))


def _targets(samples: Samples, mix: float, unit: float, points: float | None) -> Floats:
    if points is None:
        return samples.results
    thought = _sigmoid(unit * points * samples.values)
    mixed: Floats = np.where(np.isnan(thought), samples.results, (1 - mix) * samples.results + mix * thought)
    return mixed


def _sizes(features: Features) -> Floats:
    """The root of the mean square of each feature where it is not 0; 1 for a feature that is always 0."""
    counts = np.bincount(features.indices, minlength=features.shape[1])
    squares = np.bincount(features.indices, features.data**2, minlength=features.shape[1])
    sizes: Floats = np.sqrt(squares / np.maximum(counts, 1))
    sizes[sizes == 0] = 1
    return sizes


def _sigmoid(odds: Floats) -> Floats:
    from scipy.special import expit

    found: Floats = expit(odds)
    return found


def _loss(odds: Floats, targets: Floats) -> float:
    """The mean cross-entropy, without taking the logarithm of a number near 0."""
    return float(np.mean(np.logaddexp(0, odds) - targets * odds))
