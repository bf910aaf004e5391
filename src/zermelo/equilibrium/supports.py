"""All equilibria by supports: guess which actions are used, and solve for how often.

For two players this is the textbook's twin of the native vertex enumeration, in fractions throughout. Each set I of own
actions and equally large set J of the other's determine at most one strategy on I that makes all of J equally good: if
it is one, and J is best against it, it is a vertex. Vertices whose labels complete each other are the extreme
equilibria, in degenerate games too.

Equilibria of three and more players by supports: indifference is a system of multilinear equations.

For every combination of supports the box of all mixtures is divided again and again. A part in which some equation
cannot be 0, or some action outside the support is surely better, is thrown away: the range of a multilinear function
over a box is that of its corners. Krawczyk's operator, an interval form of Newton's method, shows a root to be the only
one of its part. So no isolated equilibrium is missed, but for rounding. On supports where roots are not isolated the
division has no end; it stops at a root at which the equations are singular, and such supports are listed apart.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np

from zermelo.equilibrium.dominance import eliminate
from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.profile import (
    Continuum,
    Equilibria,
    Equilibrium,
    Strategy,
    make_equilibrium,
    pure,
    pure_equilibria,
)
from zermelo.errors import MethodError

MOST_SUPPORTS = 200_000


def support_enumeration(game: object) -> Equilibria:
    """Every extreme equilibrium of two players, exactly; for more, every isolated one, in floating point.

    `continua` of the result has the supports on which there are others that are not isolated.
    """
    form = as_game(game)
    if len(form.players) > 2:
        return support_enumeration_of_many(form)
    m, n = form.shape
    if math.comb(m + n, n) > MOST_SUPPORTS:
        raise MethodError(f"a {m} × {n} game has too many supports to try one by one: use vertices or lemke-howson")
    first = dict(vertices(form.exact[1].T))
    second = dict(vertices(form.exact[0]))
    every = frozenset(range(m + n))
    pairs = []
    for x, mine in first.items():
        missing = every - mine
        for y, theirs in second.items():
            if missing <= {label + m if label < n else label - n for label in theirs}:
                pairs.append((x, y))
    return Equilibria(make_equilibrium(form, pair, "supports", True) for pair in sorted(pairs, reverse=True))


def vertices(against: Array) -> Iterator[tuple[Strategy, frozenset[int]]]:
    """Each extreme strategy, with its labels: own actions left out, and (after those) the other's best replies.

    `against` has what the other gets: a row for each of the other's actions, a column for each of one's own.
    """
    replies, own = against.shape
    seen = set()
    for size in range(1, min(replies, own) + 1):
        for support in combinations(range(own), size):
            for best in combinations(range(replies), size):
                strategy = indifferent(against, support, best)
                if strategy is None or strategy in seen:
                    continue
                worth = against @ np.array(strategy, dtype=object)
                labels = _labels(strategy, worth)
                if {own + j for j in best} <= labels:
                    seen.add(strategy)
                    yield strategy, labels


def _labels(strategy: Strategy, worth: Array) -> frozenset[int]:
    unused = {i for i, share in enumerate(strategy) if share == 0}
    best = {len(strategy) + int(j) for j in np.flatnonzero(worth == worth.max())}
    return frozenset(unused | best)


def indifferent(against: Array, support: Sequence[int], best: Sequence[int]) -> Strategy | None:
    """The one strategy on `support` that makes all of `best` equally good; `None` if there is not exactly one."""
    rows = [[against[j, i] for i in support] + [Fraction(-1), Fraction(0)] for j in best]
    rows.append([Fraction(1)] * len(support) + [Fraction(0), Fraction(1)])
    solved = solve(rows)
    if solved is None or any(share <= 0 for share in solved[:-1]):
        return None
    strategy = [Fraction(0)] * against.shape[1]
    for i, share in zip(support, solved, strict=False):
        strategy[i] = share
    return tuple(strategy)


def solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of a square system whose last column is the right-hand side; `None` if it is singular."""
    size = len(rows)
    rows = [list(row) for row in rows]
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column] != 0), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [entry / lead for entry in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor != 0:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[-1] for row in rows]


def count_supports(form: NormalForm) -> int:
    """The number of combinations of supports of a game."""
    return math.prod(2**size - 1 for size in form.shape)


MAX_SUPPORT_PAIRS = 20_000
MOST_BOXES = 20_000
TOLERANCE = 1e-9
NARROWEST = 1e-5
"""The width of a box below which an isolated root would have been separated from others."""
FIRST_LOOK = 64
"""Boxes of one dimension, and twice as many for each other one, before a continuum is suspected."""
MOST_LOOKED_AT = 16
"""Boxes that are searched for a singular root at one look."""
FINE = 1 / 16
"""The width of boxes from which on a look at some of them says what the others have in them."""
SINGULAR = 1e-6
"""The least singular value, in units of the greatest, of equations that single out a root."""

Box = tuple[Array, Array]
"""The least and the greatest probability of each free action."""


def support_enumeration_of_many(form: NormalForm) -> Equilibria:
    """Every isolated equilibrium of a small game of three or more players, and the supports of others."""
    reduced = eliminate(form, strict=True, mixed=False).game
    places = [[own.index(name) for name in kept] for own, kept in zip(form.actions, reduced.actions, strict=True)]
    count = int(np.prod([2**size - 1 for size in reduced.shape]))
    if count > MAX_SUPPORT_PAIRS:
        raise MethodError(f"the game has {count:,} combinations of supports, too many to try: use logit or a dynamic")
    found = [make_equilibrium(form, pure(form.shape, profile), "supports", False) for profile in pure_equilibria(form)]
    continua = []
    spans = [float(table.max() - table.min()) or 1.0 for table in reduced.floats]
    scaled = [(table - table.min()) / span for table, span in zip(reduced.floats, spans, strict=True)]

    def equilibrium(profile: Sequence[Array]) -> Equilibrium:
        whole = [np.zeros(size) for size in form.shape]
        for own, kept, strategy in zip(whole, places, profile, strict=True):
            own[kept] = strategy
        return make_equilibrium(form, [own.tolist() for own in whole], "supports", False)

    for supports in product(*(list(subsets(size)) for size in reduced.shape)):
        if all(len(support) == 1 for support in supports):
            continue
        solved = _System(scaled, supports).solve()
        found += map(equilibrium, solved.isolated)
        if solved.open:
            used = tuple(tuple(kept[i] for i in own) for kept, own in zip(places, supports, strict=True))
            continua.append(Continuum(used, None if solved.example is None else equilibrium(solved.example)))
    return Equilibria(found, continua=continua)


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    for count in range(1, size + 1):
        yield from combinations(range(size), count)


class _Solved(NamedTuple):
    """What is known about one combination of supports."""

    isolated: list[list[Array]]
    open: bool
    """Whether parts are left in which there may be other equilibria."""
    example: list[Array] | None
    """One that is not isolated."""


class _Look(NamedTuple):
    example: list[Array] | None
    settled: bool
    """Whether dividing further would show nothing new."""


class _System:
    """Indifference on one combination of supports; each player's last action of the support takes what is left.

    `gaps[p]` is what each action of p brings more than the last one of p's support, over the others' supports.
    """

    def __init__(self, tables: Sequence[Array], supports: Sequence[tuple[int, ...]]):
        self.supports = supports
        self.sizes = tables[0].shape
        ends = np.cumsum([0, *(len(support) - 1 for support in supports)])
        self.parts = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.size = int(ends[-1])
        self.gaps = []
        for p, table in enumerate(tables):
            grid = np.ix_(*(range(self.sizes[q]) if q == p else supports[q] for q in range(len(supports))))
            small = table[grid]
            self.gaps.append(small - np.take(small, [supports[p][-1]], axis=p))

    def solve(self) -> _Solved:
        """All isolated profiles on exactly these supports from which nobody gains by deviating, and a sign of others.

        Large boxes come first, so that isolated roots are found before the division follows a continuum.
        """
        boxes: deque[Box] = deque([(np.zeros(self.size), np.ones(self.size))])
        tiny: list[Box] = []
        roots: list[Array] = []
        look = FIRST_LOOK << self.size
        for count in range(1, MOST_BOXES + 1):
            if not boxes:
                break
            low, high = boxes.popleft()
            if self.possible(low, high):
                for box in self.narrow(low, high, roots):
                    (boxes if (box[1] - box[0]).max() >= NARROWEST else tiny).append(box)
            if count == look:
                look *= 2
                if self.look(list(boxes)).settled:
                    break
        isolated = [profile for profile in map(self.profile, roots) if self.holds(profile)]
        seen = self.look([*boxes, *tiny])
        return _Solved(isolated, seen.example is not None or not seen.settled, seen.example)

    def look(self, boxes: list[Box]) -> _Look:
        """What some of the boxes that are left have in them.

        Either an equilibrium at which the equations do not single out a root; or nothing but roots that belong to
        smaller supports, or from which somebody gains by deviating.
        """
        settled = True
        for low, high in boxes[:: len(boxes) // MOST_LOOKED_AT + 1]:
            width = float((high - low).max())
            middle = (low + high) / 2
            point = self.newton(middle)
            profile = self.profile(point)
            if self.holds(profile):
                sizes = np.linalg.svd(self.slopes(point, point)[0], compute_uv=False)
                if sizes[-1] <= SINGULAR * sizes[0]:
                    return _Look(profile, True)
                settled = False
            near = np.abs(point - middle).max() <= 4 * width and np.abs(self.errors(point)).max() < TOLERANCE
            settled = settled and width <= FINE and bool(near)
        return _Look(None, settled)

    def narrow(self, low: Array, high: Array, found: list[Array]) -> list[Box]:
        """What is left of a box by Krawczyk's operator, in two halves if that is much; a sole root goes to `found`."""
        middle, half = (low + high) / 2, (high - low) / 2
        least, greatest = self.slopes(low, high)
        try:
            inverse = np.linalg.inv((least + greatest) / 2)
        except np.linalg.LinAlgError:
            return self.halves(low, high)
        spread = np.abs(inverse) @ ((greatest - least) / 2) @ half
        centre = middle - inverse @ self.errors(middle)
        if (np.abs(centre - middle) > spread + half + 1e-12).any():
            return []
        if (np.abs(centre - middle) + spread < half).all() or half.max() < 1e-13:
            root = self.newton(centre)
            if not any(np.abs(root - other).max() < 1e-9 for other in found):
                found.append(root)
            return []
        new_low, new_high = np.maximum(low, centre - spread), np.minimum(high, centre + spread)
        if (new_high - new_low).max() < 0.7 * 2 * half.max():
            return [(new_low, new_high)]
        return self.halves(new_low, new_high)

    def halves(self, low: Array, high: Array) -> list[Box]:
        axis = int(np.argmax(high - low))
        left, right = high.copy(), low.copy()
        left[axis] = right[axis] = (low[axis] + high[axis]) / 2
        return [(low, left), (right, high)]

    def newton(self, point: Array) -> Array:
        for _ in range(5):
            slopes, _ = self.slopes(point, point)
            point = point - np.linalg.lstsq(slopes, self.errors(point), rcond=None)[0]
        return point

    def possible(self, low: Array, high: Array) -> bool:
        """Whether neither a sum above 1, nor an equation, nor an action left out rules the box out."""
        corners = self.corners(low, high)
        for p, part in enumerate(self.parts):
            if low[part].sum() > 1 + 1e-12:
                return False
            worth = self.contract(self.gaps[p], corners, {p}).reshape(self.sizes[p], -1)
            least, greatest = worth.min(axis=1), worth.max(axis=1)
            inside = list(self.supports[p])
            if (greatest[inside] < -1e-12).any() or (least > 1e-12).any():
                return False
        return True

    def corners(self, low: Array, high: Array) -> list[Array]:
        """For each player the corners of the own box, a row each: probabilities on the support."""
        found = []
        for part in self.parts:
            free = np.array(list(product(*zip(low[part], high[part], strict=True))))
            found.append(np.hstack([free, 1 - free.sum(axis=1, keepdims=True)]))
        return found

    def contract(self, table: Array, corners: list[Array], kept: set[int]) -> Array:
        """A table at every combination of the others' corners; the axes of `kept` come first, in order."""
        for q in reversed(range(len(corners))):
            if q not in kept:
                table = np.moveaxis(np.tensordot(table, corners[q], axes=([q], [1])), -1, q)
        return np.moveaxis(table, sorted(kept), range(len(kept)))

    def errors(self, point: Array) -> Array:
        """Payoff of each free action less that of the last one of its support."""
        corners = self.corners(point, point)
        out = np.empty(self.size)
        for p, part in enumerate(self.parts):
            worth = self.contract(self.gaps[p], [corner[:1] for corner in corners], {p}).ravel()
            out[part] = worth[list(self.supports[p][:-1])]
        return out

    def slopes(self, low: Array, high: Array) -> tuple[Array, Array]:
        """The least and the greatest derivatives of `errors` over a box: they are multilinear as well."""
        corners = self.corners(low, high)
        least, greatest = np.zeros((self.size, self.size)), np.zeros((self.size, self.size))
        for p, part in enumerate(self.parts):
            gaps = np.take(self.gaps[p], self.supports[p][:-1], axis=p)
            for q, other in enumerate(self.parts):
                if q == p or part.start == part.stop or other.start == other.stop:
                    continue
                table = self.contract(gaps, corners, {p, q})
                table = table.reshape(*table.shape[:2], -1)
                table = table if p < q else table.transpose(1, 0, 2)
                change = table[:, :-1] - table[:, -1:]
                least[part, other], greatest[part, other] = change.min(axis=2), change.max(axis=2)
        return least, greatest

    def profile(self, point: Array) -> list[Array]:
        found = []
        for support, part, size in zip(self.supports, self.parts, self.sizes, strict=True):
            own = np.zeros(size)
            own[list(support)] = [*point[part], 1 - point[part].sum()]
            found.append(own)
        return found

    def holds(self, profile: list[Array]) -> bool:
        """Whether all of the supports is used, and nothing outside them is better."""
        if any(own[list(support)].min() <= 1e-9 for own, support in zip(profile, self.supports, strict=True)):
            return False
        inside = [own[list(support)][None] for own, support in zip(profile, self.supports, strict=True)]
        gaps = [self.contract(table, inside, {p}).ravel() for p, table in enumerate(self.gaps)]
        equal = all(
            np.abs(gap[list(support)]).max() < TOLERANCE for gap, support in zip(gaps, self.supports, strict=True)
        )
        return equal and max(gap.max() for gap in gaps) < TOLERANCE
