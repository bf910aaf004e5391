"""How much stronger one player is than another, from the games the two have played, with honest error bars.

The Elo difference D and the expected score s say the same thing: s = 1 / (1 + 10^(−D/400)). The score is estimated
from *pairs*, two games of one opening with the seats swapped, because the two games of a pair are not independent: an
opening that wins for the first player gives 1 – 1 nearly always. Counting pairs by their score (0, ½, 1, 1½, 2)
measures the noise that is really there; counting games would overstate it.

The bars come from a posterior: the counts, plus a prior of half a unit won outright and half a unit lost, a unit
being a pair, or a game where games stand alone. The expected score then has the mean m and the variance v of that
Dirichlet posterior, and its quantiles are those of the beta distribution with the same m and v. So the bars are
finite for every result, never leave the scale, and lean to the longer side where a score is lopsided.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zermelo.errors import InputError

ELO_PER_NAT = 400 / math.log(10)
"""Elo points in a factor e of the odds: 173.7."""

NORMALISED_SCALE = 2 * ELO_PER_NAT
"""Normalised Elo of a score one standard deviation of a game above ½; near ½ and without draws it equals Elo."""

PRIOR_UNITS = 0.5
"""Units (pairs, or games that stand alone) added as won outright, and as many as lost."""

LEAST_SCORE = 1e-300
"""The score that replaces a quantile that underflows to 0."""


def expected_score(elo: float) -> float:
    """The expected score per game with an advantage of `elo`."""
    return (1 + math.tanh(elo / (2 * ELO_PER_NAT))) / 2


def elo_of_score(score: float) -> float:
    """The advantage that corresponds to a score strictly between 0 and 1."""
    if not 0 < score < 1:
        raise InputError(f"only a score between 0 and 1 has an Elo difference, not {score!r}; count games instead")
    return ELO_PER_NAT * math.log(score / (1 - score))


def signed(elo: float) -> str:
    """`+35.2`, `−4.0`, `+0.0`."""
    text = f"{elo:+.1f}"
    return "+0.0" if text == "-0.0" else text.replace("-", "−")


def with_bar(elo: float, low: float, high: float) -> str:
    """`+35.2 [+10.1, +60.9]`."""
    return f"{signed(elo)} [{signed(low)}, {signed(high)}]"


def say_chance(chance: float) -> str:
    """A probability in per cent; no number of games makes anything certain."""
    if chance > 0.9995:
        return "over 99.9%"
    return "under 0.1%" if chance < 0.0005 else f"{chance:.1%}"


@dataclass(frozen=True)
class Estimate:
    """What the games say about the first of two players.

    `score` is its share of the points, `elo` that share as a difference, `low` and `high` the ends of the bar.
    `normalised` is (score − ½) / σ on the Elo scale, σ being the standard deviation of one game, `normalised_pair`
    the same with that of one pair. `superiority` is the probability that it is the stronger one. `draws` is the share
    of units that were drawn (1 – 1, for pairs), and `ratio` the number of units won for each one lost.
    """

    elo: float
    low: float
    high: float
    normalised: float
    normalised_pair: float
    superiority: float
    score: float
    draws: float
    ratio: float
    games: int
    counts: tuple[int, ...]

    @property
    def margin(self) -> float:
        """Half the length of the bar: what other programs write after ±."""
        return (self.high - self.low) / 2

    def line(self) -> str:
        """`+35.2 [+10.1, +60.9]`."""
        return with_bar(self.elo, self.low, self.high)

    def __str__(self) -> str:
        return self.line()


def elo_from_pairs(counts: Sequence[int], confidence: float = 0.95) -> Estimate:
    """The estimate from five counts: the pairs in which the player scored 0, ½, 1, 1½ and 2 points."""
    return _estimate(whole_counts(counts, 5), 2, confidence)


def elo_from_games(wins: int, draws: int, losses: int, confidence: float = 0.95) -> Estimate:
    """The estimate from games that stand alone; use pairs where openings were played with both seats."""
    return _estimate(whole_counts((losses, draws, wins), 3), 1, confidence)


def count_pairs(scores: Iterable[float]) -> tuple[int, int, int, int, int]:
    """The number of pairs that scored 0, ½, 1, 1½ and 2."""
    counts = [0] * 5
    for score in scores:
        if score not in (0, 0.5, 1, 1.5, 2):
            raise InputError(f"a pair of games scores 0, ½, 1, 1½ or 2, not {score!r}")
        counts[int(2 * score)] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def whole_counts(counts: Sequence[int], size: int) -> tuple[int, ...]:
    """`counts` as plain numbers; an error if there are not `size` of them, or one is not a count."""
    try:
        numbers = tuple(operator.index(each) for each in counts)
    except TypeError:
        raise InputError(f"counts are whole numbers, not {counts!r}") from None
    if len(numbers) != size or min(numbers) < 0:
        raise InputError(f"give {size} counts of 0 or more, the worst result first, not {counts!r}")
    return numbers


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the score of a unit, when a clean sweep is 1."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(count * place / last for place, count in enumerate(counts)) / total
    return mean, sum(count * (place / last - mean) ** 2 for place, count in enumerate(counts)) / total


def _estimate(counts: tuple[int, ...], games_per_unit: int, confidence: float) -> Estimate:
    from scipy.special import betainc

    if not 0 < confidence < 1:
        raise InputError(f"confidence lies between 0 and 1, as 0.95 does, not {confidence!r}")
    units, middle = sum(counts), len(counts) // 2
    won, lost = sum(counts[middle + 1 :]), sum(counts[:middle])
    prior = [counts[0] + PRIOR_UNITS, *counts[1:-1], counts[-1] + PRIOR_UNITS]
    for_it, against_it = _beta(prior)
    tail = (1 - confidence) / 2
    score = moments(counts)[0] if units else 0.5
    normalised = _normalised(counts if units and moments(counts)[1] > 0 else prior)
    return Estimate(
        elo=_point(score, units * games_per_unit),
        low=_quantile(for_it, against_it, tail),
        high=_quantile(for_it, against_it, 1 - tail),
        normalised=normalised / math.sqrt(games_per_unit),
        normalised_pair=normalised * math.sqrt(2 / games_per_unit),
        superiority=float(betainc(against_it, for_it, 0.5)),
        score=score,
        draws=counts[middle] / units if units else 0.0,
        ratio=won / lost if lost else (won + PRIOR_UNITS) / PRIOR_UNITS,
        games=units * games_per_unit,
        counts=counts,
    )


def _beta(counts: Sequence[float]) -> tuple[float, float]:
    """The beta distribution with the mean and variance of the expected score under a Dirichlet of these counts."""
    mean, variance = moments(counts)
    strength = mean * (1 - mean) * (sum(counts) + 1) / variance - 1
    return mean * strength, (1 - mean) * strength


def _quantile(for_it: float, against_it: float, probability: float) -> float:
    """A quantile of the beta distribution, as Elo; taken from the nearer end, so that no digit is lost at 1."""
    from scipy.special import betaincinv

    score = float(betaincinv(for_it, against_it, probability))
    if score < 0.5:
        return elo_of_score(max(score, LEAST_SCORE))
    return -elo_of_score(max(float(betaincinv(against_it, for_it, 1 - probability)), LEAST_SCORE))


def _point(score: float, games: int) -> float:
    """The Elo difference of the score itself; a clean sweep counts as a quarter of a point less, since the next best
    score is half a point less."""
    if not games:
        return 0.0
    quarter = 0.25 / games
    return elo_of_score(min(max(score, quarter), 1 - quarter))


def _normalised(counts: Sequence[float]) -> float:
    """Distance of the mean from ½ in standard deviations of a unit, on the scale of Elo."""
    mean, variance = moments(counts)
    return NORMALISED_SCALE * (mean - 0.5) / math.sqrt(variance)
