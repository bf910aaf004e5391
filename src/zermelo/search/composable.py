"""The composable search: all techniques of the textbook, switched on together.

A `SearchRecipe` names the techniques, one field each; `Composable.visit` enters a position, asks the recipe what to do
there and backs up what the children bring. It promises, for the window (alpha, beta) it is given and the value V that
plain minimax would find under the same cut-offs,

    result ≤ alpha  if and only if  V ≤ alpha        (the result is then an upper bound on V)
    result ≥ beta   if and only if  V ≥ beta         (the result is then a lower bound on V)
    result = V      otherwise

as long as the recipe holds sound techniques only. Between nodes, scores and windows are in the view of MAX, who
is the player to move at the root; inside a node they are in the view of its mover, so that one routine serves both.

A visit is a generator that yields the child it wants to know about and is sent the child's score. `Composable.search`
keeps the generators on a list of its own, so that the depth of a game does not depend on Python's stack. With no
technique switched on it visits the same nodes as the literal searches, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from zermelo.analysis import Limits
from zermelo.errors import ContractError
from zermelo.game import CHANCE, AnyGame, CheckRun, repeatable, repetition_utility
from zermelo.game.validation import check_key, missing_chances, who_moves
from zermelo.search.node import SearchNode
from zermelo.search.scores import Score
from zermelo.search.visit import Method, Search

Subsearch: TypeAlias = Generator[SearchNode, Score, Score]
"""Yields children to be searched, is sent their scores, returns a score."""


class OrderingRules(Protocol):
    """What sorts actions, and learns from cut-offs (`ordering.py`)."""

    def sort(self, search: Composable, node: SearchNode, actions: list[object]) -> list[object]: ...
    def learn(self, search: Composable, node: SearchNode, action: object) -> None: ...


class Memory(Protocol):
    """What remembers positions (`table.py`)."""

    def serve(self, search: Composable) -> None: ...
    def action(self, node: SearchNode) -> object: ...
    def probe(self, search: Composable, node: SearchNode) -> Score | None: ...
    def store(self, search: Composable, node: SearchNode, best: Score, alpha: Score, beta: Score) -> None: ...


def full_window(
    search: Composable,  # noqa: ARG001
    node: SearchNode,
    child: SearchNode,
    alpha: Score,
    beta: Score,
    first: bool,  # noqa: ARG001
) -> Subsearch:
    """The score of `child` for the mover of `node`, searched with the whole window: alpha-beta's way of looking."""
    if node.flip:
        child.alpha, child.beta = -beta, -alpha
        return -(yield child)
    child.alpha, child.beta = alpha, beta
    return (yield child)


def decide(search: Composable, node: SearchNode) -> Subsearch:
    """The score of a position in which a player moves: the greatest, in the mover's view, of its children's."""
    recipe = search.recipe
    if recipe.table is not None:
        known = recipe.table.probe(search, node)
        if known is not None:
            return known
    if recipe.null_move is not None:
        refuted = yield from recipe.null_move(search, node)
        if refuted is not None:
            return refuted
    if recipe.probcut is not None:
        foretold = yield from recipe.probcut(search, node)
        if foretold is not None:
            return foretold
    actions = search.candidates(node)
    deeper = (yield from recipe.singular(search, node)) if recipe.singular is not None else ()
    return (yield from search.try_actions(node, actions, search.scores.lowest, deeper))


def once(search: Composable, depth: float) -> SearchNode:
    """The plainest way to search the root: once, with the window that the recipe names."""
    root = search.root(depth, *search.root_window())
    search.search(root)
    return root


@dataclass(slots=True)
class SearchRecipe(Method):
    """What a search decides at each step: one field per technique, at its default if the technique is off."""

    order: OrderingRules | None = None
    narrow: Callable[[Composable, SearchNode, list[object]], list[object]] | None = None
    """Leaves out actions that look bad below the root (`ordering.Width`)."""
    samples: int = 0
    """The number of outcomes sampled at a chance node; 0 for all."""
    seed: int = 0
    """The seed of the samples."""
    table: Memory | None = None
    null_move: Callable[[Composable, SearchNode], Subsearch] | None = None
    probcut: Callable[[Composable, SearchNode], Subsearch] | None = None
    quiescence: Callable[[Composable, SearchNode], Subsearch] | None = None
    extend: Callable[[Composable, SearchNode], None] | None = None
    singular: Callable[[Composable, SearchNode], Generator[SearchNode, Score, Collection[object]]] | None = None
    look: Callable[[Composable, SearchNode, SearchNode, Score, Score, bool], Subsearch] = full_window
    """How a child is looked at: with the full window, or first with a zero window (PVS)."""
    decide: Callable[[Composable, SearchNode], Subsearch] = decide
    """How a player's node gets its score from its children."""
    expect: Callable[[Composable, SearchNode], Subsearch] | None = None
    """How a chance node gets its score."""
    drive: Callable[[Composable, float], SearchNode] = once
    """How a root is searched to one depth."""

    @property
    def is_risky(self) -> bool:
        return any(each is not None for each in (self.null_move, self.probcut, self.narrow)) or self.samples > 0

    @property
    def raises_root(self) -> bool:
        return self.window == (None, None) and self.drive is once

    @property
    def is_plain(self) -> bool:
        """Whether no technique is on that the literal searches do not know."""
        cuts = (self.narrow, self.table, self.null_move, self.probcut)
        techniques = (self.order, *cuts, self.quiescence, self.extend, self.singular)
        return all(each is None for each in techniques) and self.samples == 0


class Composable(Search):
    """One running search by a recipe."""

    def __init__(
        self, game: AnyGame, recipe: SearchRecipe, limits: Limits, state: object, history: Sequence[object] = ()
    ):
        super().__init__(game, recipe, limits, state)
        self.recipe = recipe
        if recipe.table is not None:
            recipe.table.serve(self)
        if recipe.table is not None or game.repetition is not None:
            check_key(game, state)
        self.history = repeatable(game, history, state)

    def search_to(self, depth: float) -> SearchNode:
        self.begin(depth)
        return self.recipe.drive(self, depth)

    def search(self, root: SearchNode) -> Score:
        """The score of `root`, in MAX's view."""
        self.root_values = {}
        pending = [self.visit(root)]
        answer = None
        while pending:
            try:
                child = pending[-1].send(answer)
            except StopIteration as finished:
                pending.pop()
                answer = finished.value
            else:
                pending.append(self.visit(child))
                answer = None
        return answer

    # Nodes.

    def root(self, depth: float, alpha: Score, beta: Score) -> SearchNode:
        """The node to begin with."""
        node = self.current = self.settle(SearchNode(self.state, None, None, depth))
        node.previous = self.expected
        node.alpha, node.beta = alpha, beta
        return node

    def child(self, node: SearchNode, action: object, depth: float, mode: str = "") -> SearchNode:
        """The node that `action` leads to; its window is still to be set."""
        state = self.game.result(node.state, action)
        child = self.settle(SearchNode(state, action, node, depth, mode or node.mode))
        if node.previous is not None and node.previous[0] == action:
            child.previous = node.previous[1]
        return child

    def settle(self, node: SearchNode) -> SearchNode:
        """`node` with what the rules say of its position."""
        game = self.game
        if game.is_terminal(node.state):
            node.over = True
        else:
            node.player = who_moves(game, node.state)
            node.flip = self.scores.opposed and node.player not in (self.maximiser, CHANCE)
        if game.repetition is not None or self.recipe.table is not None:
            node.key = game.key(node.state)
        if game.repetition is not None:
            node.recurrence = game.recurrence(node.state)
        return node

    # A visit.

    def visit(self, node: SearchNode) -> Subsearch:
        """Enters `node` and finds its score, in MAX's view."""
        self.count()
        if self.recorder:
            self.recorder.enter(node)
        if node.over:
            return self.leaf(node, self.scores.end(lambda p: self.game.utility(node.state, p), node.ply), "terminal")
        since = self.repeated(node)
        if since is not None:
            node.on_path = True
            return self.leaf(node, self.repetition(node, since), "repetition")
        recipe = self.recipe
        if node.player == CHANCE:
            return self.estimate(node) if self.is_cut(node) else (yield from self.average(node))
        if recipe.extend is not None:
            recipe.extend(self, node)
        if not self.is_cut(node):
            return (yield from recipe.decide(self, node))
        if recipe.quiescence is not None:
            return (yield from recipe.quiescence(self, node))
        return self.estimate(node)

    def is_cut(self, node: SearchNode) -> bool:
        """CUTOFF: whether the search stops at `node` and takes an estimate."""
        own = self.recipe.cutoff
        return node.depth <= 0 or (own is not None and bool(own(node.state, node.ply)))

    def leaf(self, node: SearchNode, score: Score, reason: str) -> Score:
        self.leaves += 1
        node.best = score
        if self.recorder:
            self.recorder.leaf(node, score, reason)
        return score

    def estimate(self, node: SearchNode, reason: str = "cutoff") -> Score:
        """The score of a position that is not searched further."""
        node.estimated = True
        self.cut_short |= node.depth <= 0
        return self.leaf(node, self.scores.estimate(lambda p: self.evaluate(node.state, p)), reason)

    def average(self, node: SearchNode) -> Subsearch:
        """The score of a chance node, from the table or by the recipe's way to find it."""
        recipe = self.recipe
        if recipe.expect is None:
            raise missing_chances(self.game, node.state)
        if recipe.table is not None:
            known = recipe.table.probe(self, node)
            if known is not None:
                return known
        score = yield from recipe.expect(self, node)
        if recipe.table is not None:
            recipe.table.store(self, node, score, node.alpha, node.beta)
        return score

    def try_actions(
        self, node: SearchNode, actions: list[object], best: Score, deeper: Collection[object] = ()
    ) -> Subsearch:
        """The best of `best`, which the mover has without moving, and what `actions` bring; in MAX's view.

        The actions in `deeper` are searched one ply deeper than the others.
        """
        recipe = self.recipe
        start, beta = node.window()
        alpha = max(start, best) if recipe.prune else start
        for i, action in enumerate(actions):
            child = self.child(node, action, node.depth - 1 + (action in deeper))
            score = yield from recipe.look(self, node, child, alpha, beta, i == 0)
            best = self.back_up(node, child, score, best)
            if recipe.prune and best > alpha:
                alpha = best
                if self.recorder:
                    self.recorder.window(node, alpha, beta)
            if alpha >= beta:
                self.cut(node, action, actions[i + 1 :], best, beta)
                break
        return self.leave(node, best, start, beta)

    def back_up(self, node: SearchNode, child: SearchNode, score: Score, best: Score) -> Score:
        """The better of `score`, which `child` brings, and `best`, both in the mover's view."""
        improved = bool(score > best or node.best is None)
        node.estimated |= child.estimated
        node.on_path |= child.on_path
        if improved:
            best = score
            node.best, node.line = node.turned(score), (child.action, child.line)
        if node.parent is None:
            self.root_values[child.action] = node.turned(score)
        if self.recorder:
            self.recorder.value(node, child, score, best, improved)
        return best

    def cut(self, node: SearchNode, action: object, skipped: list[object], best: Score, beta: Score) -> None:
        """Notes that `action` (or standing pat, `None`) refutes `node`: nothing that is `skipped` can matter."""
        if action is not None and self.recipe.order is not None:
            self.recipe.order.learn(self, node, action)
        if skipped:
            self.cutoffs += 1
            if self.recorder:
                self.recorder.cutoff(node, "alpha" if node.flip else "beta", best, beta, skipped)

    def leave(self, node: SearchNode, best: Score, alpha: Score, beta: Score) -> Score:
        """Hands `best` on to MAX's view, after clipping it (fail-hard), storing it and recording it."""
        recipe = self.recipe
        if recipe.hard:
            best = min(max(best, alpha), beta)
            node.best = node.turned(best)
        if recipe.table is not None:
            recipe.table.store(self, node, best, alpha, beta)
        if self.recorder:
            self.recorder.leave(node, best, alpha, beta)
        return node.turned(best)

    # Actions and repetition.

    def candidates(self, node: SearchNode) -> list[object]:
        """The legal actions, in the order in which the recipe wants them tried."""
        actions = list(self.game.actions(node.state))
        if self.game.repetition == "forbidden":
            allowed = [a for a in actions if self.repeated(self.child(node, a, 0)) is None]
            node.on_path |= len(allowed) < len(actions)
            if actions and not allowed:
                raise ContractError(
                    f"every action in {self.game.write(node.state)} repeats a position: a game with "
                    f'`repetition = "forbidden"` must always leave one that does not, such as a pass'
                )
            actions = allowed
        if not actions:
            raise self.no_actions(node.state)
        if node.excluded is not None:
            actions = [a for a in actions if a not in node.excluded]
        if self.recipe.order is not None:
            actions = self.recipe.order.sort(self, node, actions)
        if self.recipe.narrow is not None:
            actions = self.recipe.narrow(self, node, actions)
        return actions[:1] if node.probing else actions

    def repeated(self, node: SearchNode) -> CheckRun | None:
        """What was played since the position last stood on the board, on the path or before; `None` if it never has.

        A null move is no move, so that nothing before it counts.
        """
        if self.game.repetition is None or node.parent is None:
            return None
        reversible = self.game.can("is_irreversible")
        earlier = node
        while earlier.parent is not None:
            if earlier.action is None or (
                reversible and self.game.is_irreversible(earlier.parent.state, earlier.action)
            ):
                return None
            earlier = earlier.parent
            if earlier.recurrence == node.recurrence:
                return self.played(node, earlier, CheckRun())
        known = self.history.get(node.recurrence)
        return None if known is None else self.played(node, earlier, known)

    def played(self, node: SearchNode, earlier: SearchNode, since: CheckRun) -> CheckRun:
        """`since`, and what the path from `earlier` to `node` adds to it, where the rule of repetition asks."""
        while self.game.repetition == "perpetual" and node is not earlier:
            assert node.parent is not None
            since = since.with_move(node.parent.player, self.game.is_check(node.state))
            node = node.parent
        return since

    def repetition(self, node: SearchNode, since: CheckRun) -> Score:
        """The score of a repeated position by the game's rule."""
        assert node.parent is not None
        mover = node.parent.player
        return self.scores.end(lambda p: repetition_utility(self.game, p, mover, since), node.ply)
