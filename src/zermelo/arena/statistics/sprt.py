"""When to stop a match: the sequential probability ratio test, in the generalised form, on pairs of games.

Two hypotheses about the Elo difference, H0: `elo0` and H1: `elo1`, are weighed after every pair by the log-likelihood
ratio

    LLR = n · Σ p̂ᵢ · ln(p¹ᵢ / p⁰ᵢ),

where p̂ is what was observed (the share of pairs that scored 0, ½, 1, 1½, 2) and p⁰, p¹ are the likeliest
distributions that have exactly the strength the hypothesis claims. The match ends when LLR leaves (ln(β/(1−α)),
ln((1−β)/α)). Then H1 is accepted with probability at most about α if H0 is true, and H0 with at most about β if H1 is
true.

No model of draws is assumed: p⁰ and p¹ are found by maximum likelihood under a constraint on the mean (model
`logistic`), or on the mean measured in standard deviations (`normalised`). A cell that is still empty counts as a
thousandth of a pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.statistics.elo import NORMALISED_SCALE, expected_score, signed, whole_counts
from zermelo.errors import OptionError

Decision = Literal["accept H0", "accept H1"]
Array = NDArray[np.float64]

EMPTY_CELL = 1e-3
"""What a cell without pairs counts: small beside one pair, and yet no likelihood is zero."""

WIDEST_BOUNDS_ELO = {"logistic": 1000.0, "normalised": 200.0}
"""Bounds beyond this need no test: a few games decide."""


class Wald:
    """What sequential tests have in common, whatever they test: their risks, and the ratios at which they end."""

    alpha: float
    beta: float

    def check_risks(self) -> None:
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise OptionError(f"alpha and beta are risks, as 0.05 is, not {self.alpha:g} and {self.beta:g}")

    @property
    def lower(self) -> float:
        """H0 is accepted when the ratio falls to this."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted when the ratio rises to this."""
        return math.log((1 - self.beta) / self.alpha)

    def verdict(self, llr: float) -> Decision | None:
        """Which hypothesis a log-likelihood ratio lets accept, or None while the match goes on."""
        if llr >= self.upper:
            return "accept H1"
        return "accept H0" if llr <= self.lower else None

    def place(self, llr: float) -> str:
        """`LLR +1.32 of [−2.94, +2.94]`."""
        found, lower, upper = (f"{each:+.2f}".replace("-", "−") for each in (llr, self.lower, self.upper))
        return f"LLR {found} of [{lower}, {upper}]"


@dataclass(frozen=True)
class Sprt(Wald):
    """A test of H1: `elo1` against H0: `elo0`. Counts are five (pairs) or three (losses, draws, wins of lone games)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["logistic", "normalised"] = "logistic"

    def __post_init__(self) -> None:
        if self.model not in WIDEST_BOUNDS_ELO:
            raise OptionError(f"model is logistic or normalised, not {self.model!r}")
        widest = WIDEST_BOUNDS_ELO[self.model]
        if not -widest <= self.elo0 < self.elo1 <= widest:
            raise OptionError(f"elo0 must lie below elo1, both within ±{widest:g}, not {self.elo0:g} and {self.elo1:g}")
        self.check_risks()

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 against H0: above 0, the games speak for H1."""
        numbers = whole_counts(counts, 3 if len(counts) == 3 else 5)
        if not any(numbers):
            return 0.0
        weights = np.array([max(float(each), EMPTY_CELL) for each in numbers])
        under_h0, under_h1 = (self._likeliest(weights / weights.sum(), elo) for elo in (self.elo0, self.elo1))
        return float(weights @ np.log(under_h1 / under_h0))

    def decision(self, counts: Sequence[int]) -> Decision | None:
        """Which hypothesis to accept, or None while the match goes on."""
        return self.verdict(self.llr(counts))

    def line(self, counts: Sequence[int]) -> str:
        """`LLR +1.32 of [−2.94, +2.94] for Elo +0.0 against +5.0: go on`."""
        kind = "Elo" if self.model == "logistic" else "normalised Elo"
        verdict = self.decision(counts) or "go on"
        bounds = f"{kind} {signed(self.elo0)} against {signed(self.elo1)}"
        return f"{self.place(self.llr(counts))} for {bounds}: {verdict}"

    def _likeliest(self, observed: Array, elo: float) -> Array:
        scores = np.linspace(0, 1, len(observed))
        if self.model == "logistic":
            return _tilt(observed, scores - expected_score(elo))
        games = (len(observed) - 1) // 2
        return _likeliest_ratio(observed, scores, elo / NORMALISED_SCALE * math.sqrt(games))


def _tilt(observed: Array, values: Array) -> Array:
    """The distribution p that maximises Σ observed · ln p under Σ p · values = 0.

    By Lagrange it is observed / (1 + x · values), and x is the one root that leaves every probability positive.
    """
    from scipy.optimize import brentq

    lowest, highest = float(values.min()), float(values.max())

    def excess(x: float) -> float:
        return float((observed * values / (1 + x * values)).sum())

    left, right = -1 / highest, -1 / lowest
    inset = 1e-12 * (right - left)
    x = brentq(excess, left + inset, right - inset, xtol=1e-15, rtol=1e-14)
    tilted: Array = observed / (1 + x * values)
    return tilted


def _likeliest_ratio(observed: Array, scores: Array, ratio: float) -> Array:
    """The likeliest distribution whose mean lies `ratio` standard deviations above ½.

    The constraint bends with the distribution, so it is replaced by its tangent at the last guess until that stands
    still.
    """
    likeliest = np.full(len(scores), 1 / len(scores))
    for _ in range(100):
        mean = likeliest @ scores
        deviation = math.sqrt(likeliest @ (scores - mean) ** 2)
        tangent = scores - 0.5 - ratio * deviation * (1 + ((scores - mean) / deviation) ** 2) / 2
        before, likeliest = likeliest, _tilt(observed, tangent)
        if np.abs(likeliest - before).max() < 1e-10:
            break
    return likeliest
