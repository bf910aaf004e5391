"""Equilibria of three and more players by supports: indifference is a system of multilinear equations.

For every combination of supports the box of all mixtures is divided again and again. A part in which some equation
cannot be 0, or some action outside the support is surely better, is thrown away: the range of a multilinear function
over a box is that of its corners. Krawczyk's operator, an interval form of Newton's method, shows a root to be the only
one of its part. So no isolated equilibrium is missed, but for rounding; a continuum of them is refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

import numpy as np

from zermelo.equilibrium.dominance import eliminate
from zermelo.equilibrium.form import Array, NormalForm
from zermelo.equilibrium.profile import Equilibrium, make_equilibrium, pure, pure_equilibria
from zermelo.errors import MethodError, UnsolvedError

MOST_SUPPORTS = 20_000
MOST_BOXES = 20_000
TOLERANCE = 1e-9
NARROWEST = 1e-5
"""The width of a box in which a root, if it were alone, would have been told from others."""
CONTINUUM = (
    "the game seems to have a continuum of equilibria, or too many near each other, "
    "for supports of three or more players: use logit, or a dynamic"
)

Box = tuple[Array, Array]
"""The least and the greatest probability of each free action."""


def support_enumeration_of_many(form: NormalForm) -> list[Equilibrium]:
    """Every isolated equilibrium of a small game of three or more players."""
    reduced = eliminate(form, strict=True, mixed=False).game
    places = [[own.index(name) for name in kept] for own, kept in zip(form.actions, reduced.actions, strict=True)]
    count = int(np.prod([2**size - 1 for size in reduced.shape]))
    if count > MOST_SUPPORTS:
        raise MethodError(f"the game has {count:,} combinations of supports, too many to try: use logit or a dynamic")
    found = [make_equilibrium(form, pure(form.shape, profile), "supports", False) for profile in pure_equilibria(form)]
    spans = [float(table.max() - table.min()) or 1.0 for table in reduced.floats]
    scaled = [(table - table.min()) / span for table, span in zip(reduced.floats, spans, strict=True)]
    for supports in product(*(list(subsets(size)) for size in reduced.shape)):
        if all(len(support) == 1 for support in supports):
            continue
        for profile in _System(scaled, supports).solutions():
            whole = [np.zeros(size) for size in form.shape]
            for own, kept, strategy in zip(whole, places, profile, strict=True):
                own[kept] = strategy
            found.append(make_equilibrium(form, [own.tolist() for own in whole], "supports", False))
    return found


def subsets(size: int) -> Iterator[tuple[int, ...]]:
    for count in range(1, size + 1):
        yield from combinations(range(size), count)


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

    def solutions(self) -> list[list[Array]]:
        """All profiles on exactly these supports from which nobody gains by deviating."""
        boxes: list[Box] = [(np.zeros(self.size), np.ones(self.size))]
        found: list[Array] = []
        for _ in range(MOST_BOXES):
            if not boxes:
                return [profile for profile in map(self.profile, found) if self.holds(profile)]
            low, high = boxes.pop()
            if self.possible(low, high):
                boxes += self.narrow(low, high, found)
        raise UnsolvedError(CONTINUUM)

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
        if high[axis] - low[axis] < NARROWEST:
            raise UnsolvedError(CONTINUUM)
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
