"""The set of all equilibria of two players, from the extreme ones.

Two strategies x, y are exchangeable if (x, y) is an equilibrium. A maximal Nash subset is a set of the row player's
extreme strategies and one of the column player's, all exchangeable and neither to be enlarged: every pair of mixtures
of the two is an equilibrium. Subsets that meet form a connected component (Winkels 1979, Jansen 1981).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.equilibrium.profile import Equilibrium, Strategy
from zermelo.errors import MethodError

MOST_SUBSETS = 100_000


@dataclass(frozen=True, slots=True)
class NashSubset:
    """Every mixture of `rows` with every mixture of `columns` is an equilibrium."""

    rows: tuple[Strategy, ...]
    columns: tuple[Strategy, ...]

    @property
    def is_point(self) -> bool:
        return len(self.rows) == len(self.columns) == 1


def components(equilibria: Sequence[Equilibrium]) -> list[list[NashSubset]]:
    """The connected components of the set of equilibria, each as its maximal Nash subsets.

    `equilibria` are all extreme ones, found exactly.
    """
    if not all(one.exact and len(one.strategies) == 2 for one in equilibria):
        raise MethodError("components are made from all extreme equilibria of two players, found exactly")
    partners: dict[Strategy, set[Strategy]] = {}
    for one in equilibria:
        partners.setdefault(one.strategies[0], set()).add(one.strategies[1])
    subsets = [NashSubset(rows, columns) for rows, columns in maximal_bicliques(partners)]
    return connect(subsets)


def maximal_bicliques(
    partners: dict[Strategy, set[Strategy]],
) -> list[tuple[tuple[Strategy, ...], tuple[Strategy, ...]]]:
    """The closed sets: intersections of partners' sets, each with everybody who has them all."""
    closed: set[frozenset[Strategy]] = set()
    for mine in partners.values():
        fresh = {frozenset(mine)} | {frozenset(mine & other) for other in closed}
        closed |= {each for each in fresh if each}
        if len(closed) > MOST_SUBSETS:
            raise MethodError(f"the equilibria form more than {MOST_SUBSETS:,} maximal subsets: list them instead")
    found = []
    for columns in closed:
        rows = [row for row, mine in partners.items() if columns <= mine]
        found.append((tuple(sorted(rows, reverse=True)), tuple(sorted(columns, reverse=True))))
    return sorted(found, reverse=True)


def connect(subsets: list[NashSubset]) -> list[list[NashSubset]]:
    """Subsets that share an equilibrium, directly or through others, together."""
    groups: list[list[NashSubset]] = []
    for subset in subsets:
        meeting = [group for group in groups if any(_meet(subset, other) for other in group)]
        merged = [other for group in meeting for other in group] + [subset]
        groups = [group for group in groups if group not in meeting] + [merged]
    return groups


def _meet(one: NashSubset, other: NashSubset) -> bool:
    return bool(set(one.rows) & set(other.rows)) and bool(set(one.columns) & set(other.columns))
