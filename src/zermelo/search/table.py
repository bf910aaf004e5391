"""The transposition table: a position reached by several paths is searched once.

An entry says of a position, searched to some depth, that its score is exactly v, at least v or at most v. It may
stand in for a search of at most that depth if it settles the node's window:

    exact        always
    at least v   if v ≥ beta
    at most v    if v ≤ alpha

A proved score (no estimate below it) serves any depth. A score that depends on the path, by a repetition, is not
stored; and in a game with cycles estimates could circulate in the table forever, so only proofs are used there.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import NamedTuple

from zermelo.errors import OptionError
from zermelo.search.composable import Composable
from zermelo.search.node import Line, SearchNode
from zermelo.search.scores import Score


class TableEntry(NamedTuple):
    """What is known of one position, in its mover's view."""

    score: Score
    bound: str
    """`exact`, `lower` or `upper`."""
    depth: float
    """Plies searched below the position; infinite if the score is proved."""
    line: Line


class TranspositionTable:
    """Entries by position, at most `size` of them; the oldest makes room."""

    def __init__(self, size: int = 1_000_000):
        if size < 1:
            raise OptionError(f"a table needs room for at least one entry, not {size}")
        self.size = size
        self.entries: dict[Hashable, TableEntry] = {}
        self.served: tuple[object, ...] = ()

    def serve(self, search: Composable) -> None:
        """Prepares for a search: what was found for another game, player or evaluation is discarded."""
        recipe, game = search.recipe, search.game
        # Where scores are not simply opposed, they depend on whose utility was searched for.
        side = None if game.utility_sum == 0 and not game.kind.chance else search.maximiser
        served = (game, side, recipe.scores, recipe.evaluate, recipe.cutoff)
        if self.served and not all(a is b or a == b for a, b in zip(served, self.served, strict=True)):
            self.entries.clear()
        self.served = served

    def entry(self, node: SearchNode) -> TableEntry | None:
        return self.entries.get(node.key)

    def action(self, node: SearchNode) -> object:
        """The action that was best, or refuted the position, when it was last searched."""
        entry = self.entries.get(node.key)
        return None if entry is None or entry.line is None else entry.line[0]

    def probe(self, search: Composable, node: SearchNode) -> Score | None:
        """The score of `node`, in MAX's view, if an entry settles it."""
        entry = self.entries.get(node.key)
        if entry is None or node.excluded is not None or node.probing:
            return None
        score = search.scores.nearer(entry.score, -node.ply)
        deep_enough = entry.depth >= (node.depth if search.game.repetition is None else math.inf)
        used = node.parent is not None and deep_enough and self.settles(node, entry.bound, score)
        if search.recorder:
            search.recorder.table(node, score, entry.bound, entry.depth, used)
        if not used:
            return None
        node.estimated = entry.depth < math.inf
        search.cut_short |= node.estimated
        node.line = entry.line
        node.best = node.turned(score)
        return node.best

    @staticmethod
    def settles(node: SearchNode, bound: str, score: Score) -> bool:
        if bound == "exact":
            return True
        alpha, beta = node.window()
        return bool(score >= beta if bound == "lower" else score <= alpha)

    def store(self, search: Composable, node: SearchNode, best: Score, alpha: Score, beta: Score) -> None:
        """Keeps `best`, found with the window (alpha, beta), all in the mover's view."""
        if node.on_path or node.excluded is not None or node.probing:
            return
        bound = "exact"
        if alpha is not None and search.recipe.prune:
            bound = "lower" if best >= beta else "upper" if best <= alpha else "exact"
        depth = node.depth if node.estimated else math.inf
        entry = TableEntry(search.scores.nearer(best, node.ply), bound, depth, node.line)
        known = self.entries.pop(node.key, entry)
        if known.depth > entry.depth:
            entry = known
        if len(self.entries) >= self.size:
            self.entries.pop(next(iter(self.entries)))
        self.entries[node.key] = entry
