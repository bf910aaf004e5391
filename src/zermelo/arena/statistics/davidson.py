"""The model behind the ratings: Bradley and Terry's, with Davidson's ties and an advantage for the first player.

With δ = rating of the first − rating of the second + first-move advantage, all in nats,

    P(win) : P(draw) : P(loss)  =  e^(δ/2) : ν : e^(−δ/2).

Davidson's ties rather than those of Rao and Kupper, for two reasons. A draw counts as exactly half a win and half a
loss, so the ratings depend on games and points alone. And the log-likelihood is concave in ratings, advantage and ln
ν, so there is one best fit, and it is found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.arena.statistics.results import Array, Tally

LEAST_INFORMATION = 1e-6
"""Information that is always there: where games carry no information, an error is a thousand nats and not infinite."""


@dataclass(frozen=True)
class DavidsonFit:
    """The likeliest parameters (ratings, first-move advantage, ln ν) and the covariance of their errors, in nats."""

    parameters: Array
    covariance: Array


class Likelihood:
    """The negative log-likelihood of a tally, with its gradient and Hessian in (ratings…, advantage, ln ν)."""

    def __init__(self, games: Tally):
        self.games = games
        self.played = games.played
        self.drawn = bool(games.draws.any())
        self.edge = games.wins - games.losses

    def _half(self, parameters: Array) -> Array:
        """δ/2 for every first and second."""
        ratings, advantage = parameters[:-2], parameters[-2]
        half: Array = (ratings[:, None] - ratings[None, :] + advantage) / 2
        return half

    def _chances(self, parameters: Array) -> tuple[Array, Array, Array, Array]:
        """The chances of win, draw and loss for every first and second, and the logarithm of what divides them."""
        half, log_ties = self._half(parameters), parameters[-1]
        # The greatest exponent is taken out, so that nothing overflows.
        greatest = np.maximum(np.abs(half), log_ties) if self.drawn else np.abs(half)
        win, loss = np.exp(half - greatest), np.exp(-half - greatest)
        draw = np.exp(log_ties - greatest) if self.drawn else np.zeros_like(half)
        total = win + draw + loss
        return win / total, draw / total, loss / total, greatest + np.log(total)

    def value(self, parameters: Array) -> float:
        *_, logarithm = self._chances(parameters)
        told = self.edge * self._half(parameters) - self.played * logarithm
        return -float(told.sum() + self.games.draws.sum() * parameters[-1])

    def gradient(self, parameters: Array) -> Array:
        win, draw, loss, _ = self._chances(parameters)
        slope = (self.played * (win - loss) - self.edge) / 2
        ties = (self.played * draw - self.games.draws).sum()
        return np.concatenate([slope.sum(1) - slope.sum(0), [slope.sum(), ties]])

    def hessian(self, parameters: Array) -> Array:
        win, draw, loss, _ = self._chances(parameters)
        curve = self.played * (win + loss - (win - loss) ** 2) / 4
        cross = -self.played * draw * (win - loss) / 2
        size = len(self.games.names)
        hessian = np.zeros((size + 2, size + 2))
        hessian[:size, :size] = np.diag(curve.sum(1) + curve.sum(0)) - curve - curve.T
        hessian[size, :size] = hessian[:size, size] = curve.sum(1) - curve.sum(0)
        hessian[size + 1, :size] = hessian[:size, size + 1] = cross.sum(1) - cross.sum(0)
        hessian[size, size] = curve.sum()
        hessian[size + 1, size] = hessian[size, size + 1] = cross.sum()
        hessian[size + 1, size + 1] = (self.played * draw * (1 - draw)).sum()
        return hessian


def fit(games: Tally, held: Array, free: Array) -> DavidsonFit:
    """The likeliest parameters of the form held + free · x; errors of what is not free are 0."""
    from scipy.optimize import minimize

    if not free.shape[1]:
        return DavidsonFit(held, np.zeros((len(held), len(held))))
    likelihood = Likelihood(games)

    def value(x: Array) -> float:
        return likelihood.value(held + free @ x)

    def gradient(x: Array) -> Array:
        slope: Array = free.T @ likelihood.gradient(held + free @ x)
        return slope

    def hessian(x: Array) -> Array:
        curvature: Array = free.T @ likelihood.hessian(held + free @ x) @ free
        return curvature

    # The gradient counts games; a millionth of one is far below what a rating shows.
    start = np.zeros(free.shape[1])
    best = minimize(value, start, jac=gradient, hess=hessian, method="trust-exact", tol=1e-6).x
    information = hessian(best) + LEAST_INFORMATION * np.eye(len(best))
    return DavidsonFit(held + free @ best, free @ np.linalg.inv(information) @ free.T)
