"""What an entrant gets a game, where payoffs are more than won, drawn and lost, and how sure that is.

The units of observation are whole groups of games that share their luck: the games of an encounter, or all games of a
round with the same deal. With n_c games in group c, x̄ = Σ sums / Σ n_c, and the variance of x̄ is

    C / (C − 1) · Σ_c (sum_c − x̄ n_c)² / (Σ n_c)²,

which is s²/C if all groups are as large. The bar is Student's, with C − 1 degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from zermelo.arena.statistics.sprt import Decision, Wald
from zermelo.errors import OptionError


@dataclass(frozen=True)
class PayoffEstimate:
    """The mean payoff of a game, its standard error, and the ends of its bar: infinite after one group of games."""

    mean: float
    error: float
    low: float
    high: float
    superiority: float
    """The probability that the expected payoff is above 0."""
    groups: int
    games: int

    def scaled(self, factor: float) -> PayoffEstimate:
        """The same in another unit, of which `factor` make one of this."""
        return replace(
            self,
            mean=factor * self.mean,
            error=factor * self.error,
            low=factor * self.low,
            high=factor * self.high,
        )

    def line(self) -> str:
        """`+0.167 [+0.102, +0.231]`."""
        return f"{self.said(self.mean)} [{self.said(self.low)}, {self.said(self.high)}]"

    def said(self, number: float) -> str:
        """A number with as many digits as the error leaves it."""
        if math.isinf(number):
            return "∞" if number > 0 else "−∞"
        certain = 0 < self.error < math.inf
        digits = min(max(1 - math.floor(math.log10(self.error)), 0), 6) if certain else 3
        text = f"{number:+.{digits}f}"
        return (text.replace("-", "+") if float(text) == 0 else text).replace("-", "−")


def mean_payoff(groups: Iterable[Sequence[float]], confidence: float = 0.95) -> PayoffEstimate | None:
    """The estimate from the payoffs of games, in the groups that share their luck; `None` of no games."""
    from scipy.special import stdtr, stdtrit

    found = [(math.fsum(payoffs), len(payoffs)) for payoffs in groups if payoffs]
    games, count = sum(size for _, size in found), len(found)
    if not games:
        return None
    mean = math.fsum(total for total, _ in found) / games
    if count < 2:
        return PayoffEstimate(mean, math.inf, -math.inf, math.inf, 0.5, count, games)
    squares = math.fsum((total - mean * size) ** 2 for total, size in found)
    error = math.sqrt(count / (count - 1) * squares) / games
    reach = float(stdtrit(count - 1, (1 + confidence) / 2)) * error
    sure = float(stdtr(count - 1, mean / error)) if error else (1 + (mean > 0) - (mean < 0)) / 2
    return PayoffEstimate(mean, error, mean - reach, mean + reach, sure, count, games)


LEAST_PAIRS = 20
"""Pairs before a test may end: fewer do not show how wide payoffs scatter."""


@dataclass(frozen=True)
class PayoffSprt(Wald):
    """A test of H1: the first gets `mean1` a game against H0: it gets `mean0`.

    With the variance unknown and payoffs taken to be normal, the likeliest variance under each hypothesis gives
    LLR = n/2 · ln((s² + (x̄ − mean0)²) / (s² + (x̄ − mean1)²)), n being the number of pairs and s² their variance. As for
    any mean of many, it takes pairs enough that no single one counts for much: a big pot that comes once in a thousand
    pairs is not seen in the first hundred.
    """

    mean0: float
    mean1: float
    unit: str
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.mean0 < self.mean1 < math.inf:
            raise OptionError(f"the first of two bounds lies below the second, not {self.mean0:g} and {self.mean1:g}")
        self.check_risks()

    def check(self, widest: float) -> None:
        """Refuses bounds beyond what a game can pay."""
        if max(abs(self.mean0), abs(self.mean1)) > widest:
            raise OptionError(
                f"the bounds of --sprt are {self.unit} a game here, not Elo: between −{widest:g} and {widest:g}"
            )

    def llr(self, means: Moments) -> float:
        """The log-likelihood ratio of H1 against H0; 0 as long as pairs do not differ."""
        if means.count < 2 or means.variance <= 0:
            return 0.0
        against0, against1 = (means.variance + (means.mean - each) ** 2 for each in (self.mean0, self.mean1))
        return means.count / 2 * math.log(against0 / against1)

    def decision(self, means: Moments) -> Decision | None:
        """Which hypothesis to accept, or None while the match goes on."""
        return self.verdict(self.llr(means)) if means.count >= LEAST_PAIRS else None

    def line(self, means: Moments) -> str:
        """`LLR +1.32 of [−2.94, +2.94] for +0 against +0.1 chips a game: go on`."""
        bounds = " against ".join(f"{each:+g}".replace("-", "−") for each in (self.mean0, self.mean1))
        verdict = self.decision(means) or "go on"
        return f"{self.place(self.llr(means))} for {bounds} {self.unit} a game: {verdict}"


@dataclass
class Moments:
    """How many numbers there were, their mean, and the mean square of their distance from it (Welford)."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        self.count += 1
        before = number - self.mean
        self.mean += before / self.count
        self.squares += before * (number - self.mean)

    @property
    def variance(self) -> float:
        return self.squares / self.count if self.count else 0.0
