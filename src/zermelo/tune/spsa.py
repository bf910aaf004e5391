"""Simultaneous perturbation stochastic approximation (Spall 1992): two noisy measurements a step, however many numbers.

    θ⁺ = θ + cₖ Δ,   θ⁻ = θ − cₖ Δ          Δ: ±1 for each number, drawn anew in each step
    θ ← θ + aₖ / cₖ · (y(θ⁺) − y(θ⁻)) · Δ

    aₖ = a / (A + k)^α,   cₖ = c / k^γ       α = 0.602, γ = 0.101, A: a tenth of all steps

The numbers are counted in steps of their own, so that c is 1 at the end for all of them, and stay within bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ALPHA, GAMMA = 0.602, 0.101
STABILITY_SHARE = 0.1
"""Of all steps: A, which keeps the first ones small."""

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gains:
    """How far step k, from 1 on, looks and goes."""

    steps: int
    """How many there will be."""
    rate: float
    """Of the last step: how far it goes for a difference of 1."""

    def reach(self, k: int) -> float:
        """cₖ: 1 at the end."""
        return float((self.steps / k) ** GAMMA)

    def gain(self, k: int) -> float:
        """aₖ / cₖ: the rate at the end."""
        stability = STABILITY_SHARE * self.steps
        return float(self.rate * ((stability + self.steps) / (stability + k)) ** ALPHA / self.reach(k))


class Spsa:
    """Where an optimisation is, and where it looks next."""

    def __init__(self, point: Vector, low: Vector, high: Vector, seed: int = 0):
        self.point = np.clip(point, low, high)
        self.low, self.high = low, high
        self.seed = seed

    def directions(self, k: int) -> Vector:
        """Δ of step k, which follows from the seed."""
        return np.random.default_rng((self.seed, k)).choice([-1.0, 1.0], len(self.point))

    def tried(self, k: int, gains: Gains) -> tuple[Vector, Vector]:
        """The two points that step k compares."""
        offset = gains.reach(k) * self.directions(k)
        return self._inside(self.point + offset), self._inside(self.point - offset)

    def learn(self, k: int, gains: Gains, difference: float) -> None:
        """Goes on from step k, in which the first point was better by `difference`."""
        self.point = self._inside(self.point + gains.gain(k) * difference * self.directions(k))

    def _inside(self, point: Vector) -> Vector:
        return np.clip(point, self.low, self.high)
