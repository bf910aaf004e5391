"""Singular extension: the one good action of a position is searched a ply deeper.

The table's action is singular if every other action, searched to about half the depth, stays below the table's score
by more than a margin. A line that hangs on a single action is where a mistake costs most.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Generator
from dataclasses import dataclass

from zermelo.search.composable import Composable
from zermelo.search.node import SearchNode
from zermelo.search.scores import Score
from zermelo.search.table import TranspositionTable


@dataclass(frozen=True, slots=True)
class Singular:
    """The test for singular actions, with its margin in units of utility and the least depth at which it pays."""

    table: TranspositionTable
    margin: float = 0.1
    least_depth: int = 4

    def __call__(self, search: Composable, node: SearchNode) -> Generator[SearchNode, Score, Collection[object]]:
        """The actions of `node` to be searched deeper: the table's, if it is singular, or none."""
        entry = self.table.entry(node)
        if entry is None or entry.line is None or node.excluded is not None or node.parent is None:
            return ()
        if node.depth < self.least_depth or entry.depth < node.depth - 3 or entry.bound == "upper":
            return ()
        if node.ply >= 2 * search.depth or node.depth == math.inf:
            return ()
        bar = search.scores.less(search.scores.nearer(entry.score, -node.ply), self.margin)
        rival = search.settle(SearchNode(node.state, node.action, node.parent, (node.depth - 1) // 2, "verification"))
        singular = (entry.line[0],)
        rival.excluded = singular
        above = search.scores.above(bar)
        rival.alpha, rival.beta = (-above, -bar) if node.flip else (bar, above)
        score = yield rival
        node.estimated |= rival.estimated
        if node.turned(score) > bar:
            return ()
        if search.recorder:
            search.recorder.extend(node, "singular")
        return singular
