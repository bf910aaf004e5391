"""Ratings of a whole pool: one number for every entrant, from all games at once, with error bars.

Ratings are the likeliest under the model of `davidson`, plus a weak prior: every entrant has played one more game,
half won and half lost, spread over the opponents it has met in proportion to the games. That keeps the ratings of
entrants that won or lost everything finite, and pulls together only entrants that did meet. The bars are those of the
Fisher information: the curvature of the log-likelihood at its top.

The scale is that of `elo`. Davidson's own is stretched where games are drawn; so it is multiplied by the one factor
with which the differences between those who met agree best (by least squares) with the Elo of the score the model
expects of them. Between two entrants that is exact. Where no entrant is an anchor the mean is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np

from zermelo.arena.statistics.davidson import DavidsonFit, fit
from zermelo.arena.statistics.elo import ELO_PER_NAT, with_bar
from zermelo.arena.statistics.results import Array, Result, Tally, tally
from zermelo.errors import InputError

PRIOR_GAMES = 1.0
"""Games, half won and half lost, that every entrant is given on top of its own."""

NARROWEST_SCALE = 0.05
"""The least scale that several anchors may impose on a pool, as a share of the scale of a game without draws."""


@dataclass(frozen=True)
class Interval:
    """A number of Elo points, the ends of its error bar, and the probability that it is above 0."""

    elo: float
    low: float
    high: float
    superiority: float

    def line(self) -> str:
        """`+35.2 [+10.1, +60.9]`."""
        return with_bar(self.elo, self.low, self.high)


@dataclass(frozen=True)
class Rating:
    """One entrant: rating and bar, games and share of their points, and the part of the pool it belongs to."""

    name: str
    elo: float
    low: float
    high: float
    games: float
    score: float
    part: int

    def line(self) -> str:
        """`+35.2 [+10.1, +60.9]`."""
        return with_bar(self.elo, self.low, self.high)


@dataclass(frozen=True)
class Ratings:
    """The pool, best first. `first_move` is the advantage of sitting first, `draws` the chance that equals draw.

    `parts` are the groups of entrants that games (or anchors) connect. With more than one, ratings compare only
    within a part.
    """

    entrants: tuple[Rating, ...]
    first_move: Interval
    draws: float
    parts: tuple[tuple[str, ...], ...]
    confidence: float
    covariance: Array = field(compare=False, repr=False)
    order: tuple[str, ...]

    def __getitem__(self, name: str) -> Rating:
        for each in self.entrants:
            if each.name == name:
                return each
        raise InputError(f"{name!r} is not in the pool; its entrants are {', '.join(map(repr, self.order[:6]))}")

    def difference(self, one: str, other: str) -> Interval:
        """How much stronger `one` is than `other`. Its bar is shorter than those of the two ratings suggest."""
        mine, yours = self[one], self[other]
        if mine.part != yours.part:
            raise InputError(f"{one!r} and {other!r} are in parts of the pool that never met; let the parts play")
        pair = [self.order.index(one), self.order.index(other)]
        (first, both), (_, second) = self.covariance[np.ix_(pair, pair)]
        return interval(mine.elo - yours.elo, first + second - 2 * both, self.confidence)

    def note(self) -> str:
        """A warning for comparing ratings; may be empty."""
        if len(self.parts) < 2:
            return ""
        groups = " | ".join(", ".join(part[:4]) + (", …" if len(part) > 4 else "") for part in self.parts)
        return (
            f"The pool falls into {len(self.parts)} parts that never met: {groups}. Ratings compare only within a part."
        )

    def text(self) -> str:
        """A table, one line per entrant."""
        width = max([len(each.name) for each in self.entrants], default=0)
        lines = [
            f"{place:>3}. {each.name:<{width}}  {each.line():<28} {each.games:>7g} games {each.score:>6.1%}"
            for place, each in enumerate(self.entrants, 1)
        ]
        return "\n".join([*lines, *filter(None, [self.note()])])


def interval(elo: float, variance: float, confidence: float) -> Interval:
    """A normal estimate with its bar."""
    deviation = math.sqrt(max(float(variance), 0.0))
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * deviation
    superiority = NormalDist().cdf(elo / deviation) if deviation else (1 + np.sign(elo)) / 2
    return Interval(float(elo), float(elo) - reach, float(elo) + reach, float(superiority))


def rate(
    results: Tally | Iterable[Result | tuple[str, str, float] | tuple[str, str, float, float]],
    anchors: Mapping[str, float] | None = None,
    first_move: bool = True,
    confidence: float = 0.95,
) -> Ratings:
    """Rates everyone in `results`: triples (first, second, score of first), with a weight or not, or a tally of them.

    `anchors` holds entrants at given ratings; without `first_move` sitting first is taken to be worth nothing.
    """
    games = results if isinstance(results, Tally) else tally(results)
    held = dict(anchors or {})
    for name, elo in held.items():
        if name not in games.names:
            raise InputError(f"the anchor {name!r} has played no game; its name must be that of an entrant")
        if not isinstance(elo, (int, float)) or not math.isfinite(elo):
            raise InputError(f"the anchor {name!r} needs a finite number as its rating, not {elo!r}")
    if not 0 < confidence < 1:
        raise InputError(f"confidence lies between 0 and 1, as 0.95 does, not {confidence!r}")
    if not games.names:
        return Ratings((), interval(0.0, 0.0, confidence), 0.0, (), confidence, np.zeros((0, 0)), ())
    return _Pool(games, held, first_move).ratings(confidence)


class _Pool:
    """One rating of one pool: which parameters are free, and the way from nats back to Elo."""

    def __init__(self, games: Tally, anchors: dict[str, float], first_move: bool):
        self.games = games
        self.anchors = {games.names.index(name): elo for name, elo in anchors.items()}
        self.groups = games.parts()
        self.size = len(games.names)
        self.drawn = bool(games.draws.any())
        self.free = self._free(first_move)
        self.centre, self.middle = self._gauge()

    def _free(self, first_move: bool) -> Array:
        """A column for every parameter to be found. The first of a group without anchor stays put until centred."""
        columns = np.eye(self.size + 2)
        fixed = set(self.anchors) | {group[0] for group in self.groups if not self.anchors.keys() & set(group)}
        if not first_move:
            fixed.add(self.size)
        if not self.drawn:
            fixed.add(self.size + 1)
        return columns[:, [place for place in range(self.size + 2) if place not in fixed]]

    def _gauge(self) -> tuple[Array, Array]:
        """What centres the groups without anchors, and the rating around which each group is measured."""
        centre, middle = np.eye(self.size), np.zeros(self.size)
        for group in self.groups:
            known = [self.anchors[place] for place in group if place in self.anchors]
            middle[list(group)] = sum(known) / len(known) if known else 0.0
            if not known:
                centre[np.ix_(group, group)] -= 1 / len(group)
        return centre, middle

    def ratings(self, confidence: float) -> Ratings:
        found, scale = self._fit()
        nats = self.centre @ found.parameters[: self.size]
        elo = self.middle + scale * nats
        for place, rating in self.anchors.items():
            elo[place] = rating
        covariance = self._covariance(found, nats, scale)
        names, met, points = self.games.names, self.games.met.sum(1), self.games.points.sum(1)
        part_of = self._part_of()
        entrants = []
        for place, name in enumerate(names):
            bar = interval(elo[place], covariance[place, place], confidence)
            share = float(points[place] / met[place])
            entrants.append(Rating(name, bar.elo, bar.low, bar.high, float(met[place]), share, part_of[place]))
        ties = self._ties(found.parameters)
        parts = [tuple(names[at] for at in range(self.size) if part_of[at] == part) for part in range(max(part_of) + 1)]
        return Ratings(
            entrants=tuple(sorted(entrants, key=lambda each: (each.part, -each.elo))),
            first_move=interval(scale * found.parameters[self.size], covariance[-1, -1], confidence),
            draws=ties / (2 + ties),
            parts=tuple(parts),
            confidence=confidence,
            covariance=covariance[:-1, :-1],
            order=names,
        )

    def _fit(self) -> tuple[DavidsonFit, float]:
        """The fit, and Elo points in a nat. Several anchors tie the two together: then the scale sought is the one
        that the fit made with it confirms."""
        games = with_prior(self.games)

        def fitted(scale: float) -> DavidsonFit:
            held = np.zeros(self.size + 2)
            for place, elo in self.anchors.items():
                held[place] = (elo - self.middle[place]) / scale
            return fit(games, held, self.free)

        found = fitted(ELO_PER_NAT)
        scale = self._scale(found.parameters)[0]
        if any(elo != self.middle[place] for place, elo in self.anchors.items()) and scale < ELO_PER_NAT:
            scale = _agreed(lambda trial: self._scale(fitted(trial).parameters)[0])
            found = fitted(scale)
        return found, scale

    def _scale(self, parameters: Array) -> tuple[float, Array]:
        """Elo points in a nat, and the gradient: the factor that best turns the rating differences of those who met
        into the Elo of the score expected of them."""
        from scipy.special import expit, log_expit

        ratings, half_ties = parameters[: self.size], self._ties(parameters) / 2
        gap = ratings[:, None] - ratings[None, :]
        spread = float((self.games.met * gap * gap).sum())
        gradient = np.zeros(self.size + 2)
        if spread < 1e-12:  # all are equal, and the factor is the slope of the score at 0
            gradient[-1] = -half_ties / (1 + half_ties) ** 2
            return ELO_PER_NAT / (1 + half_ties), ELO_PER_NAT * gradient
        log_half = math.log(half_ties) if half_ties else -math.inf
        won, lost = gap / 2 - log_half, -gap / 2 - log_half
        logit = gap + log_expit(lost) - log_expit(won)
        weight = self.games.met / spread
        scale = float((weight * gap * logit).sum())
        slope = weight * (logit + gap * (expit(won) + expit(lost)) / 2 - 2 * scale * gap)
        gradient[: self.size] = slope.sum(1) - slope.sum(0)
        gradient[-1] = (weight * gap * (expit(lost) - expit(won))).sum()
        return ELO_PER_NAT * scale, ELO_PER_NAT * gradient

    def _covariance(self, found: DavidsonFit, nats: Array, scale: float) -> Array:
        """The covariance of ratings and first-move advantage in Elo; the scale has its error too."""
        way = np.zeros((self.size + 1, self.size + 2))
        way[:-1, :-2] = scale * self.centre
        way[-1, -2] = scale
        way += np.outer([*nats, found.parameters[self.size]], self._scale(found.parameters)[1])
        way[list(self.anchors)] = 0
        covariance: Array = way @ found.covariance @ way.T
        return covariance

    def _ties(self, parameters: Array) -> float:
        """ν; where no game was drawn, draws are not part of the game."""
        return math.exp(parameters[-1]) if self.drawn else 0.0

    def _part_of(self) -> list[int]:
        """The part of each entrant; groups that hold an anchor are on one scale, and so are one part."""
        part_of, anchored, parts = [0] * self.size, -1, 0
        for group in self.groups:
            part = parts
            if self.anchors.keys() & set(group):
                part = anchored = anchored if anchored >= 0 else parts
            parts = max(parts, part + 1)
            for place in group:
                part_of[place] = part
        return part_of


def _agreed(answer: Callable[[float], float]) -> float:
    """The scale that is its own answer, between that of a game without draws and that of one drawn nearly always."""
    from scipy.optimize import brentq

    def surplus(trial: float) -> float:
        return answer(trial) - trial

    least = ELO_PER_NAT * NARROWEST_SCALE
    if surplus(least) <= 0:
        return least
    return float(brentq(surplus, least, ELO_PER_NAT, rtol=1e-9))


def with_prior(games: Tally) -> Tally:
    """The games and the prior's, half of these in each seat."""
    met = games.met
    total = met.sum(1)
    extra = PRIOR_GAMES * met * (1 / total[:, None] + 1 / total[None, :]) / 8
    return Tally(games.names, games.wins + extra, games.draws, games.losses + extra)


def course(
    results: Iterable[Result | tuple[str, str, float] | tuple[str, str, float, float]],
    every: int,
    anchors: Mapping[str, float] | None = None,
    first_move: bool = True,
    confidence: float = 0.95,
) -> list[tuple[int, Ratings]]:
    """The ratings after every `every` results, and after the last: how a tournament went."""
    if every < 1:
        raise InputError(f"ratings are taken after every 1 or more results, not {every!r}")
    everything = list(results)
    stops = sorted({*range(every, len(everything), every), len(everything)} - {0})
    moments = []
    for stop in stops:
        games = tally(everything[:stop])
        known = {name: elo for name, elo in (anchors or {}).items() if name in games.names}
        moments.append((stop, rate(games, known, first_move, confidence)))
    return moments
