"""The one loop that every search of the textbook is made of.

`Loop.visit` enters a position, asks the recipe what to do there and backs up what the children say. It promises, for
the window (alpha, beta) it is given and the value V that plain minimax would find under the same cut-offs,

    result ≤ alpha  if and only if  V ≤ alpha        (the result is then an upper bound on V)
    result ≥ beta   if and only if  V ≥ beta         (the result is then a lower bound on V)
    result = V      otherwise

as long as the recipe holds sound techniques only. Between nodes, scores and windows are in the view of MAX, who
is the player to move at the root; inside a node they are in the view of its mover, so that one routine serves both.

A visit is a generator that yields the child it wants to know about and is sent the child's score. `Loop.search` keeps
the generators on a list of its own: the depth of a game is no matter of Python's stack.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Hashable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from zermelo.analysis import Limits
from zermelo.errors import ContractError
from zermelo.game import CHANCE, Game, Stretch, repeatable, repetition_utility
from zermelo.search.chance import average
from zermelo.search.extensions import extend
from zermelo.search.interrupt import Interrupt
from zermelo.search.scores import Score
from zermelo.search.width import narrow

if TYPE_CHECKING:
    from zermelo.search.recipe import Recipe
    from zermelo.search.recorder import Recorder

Visit: TypeAlias = Generator["Node", Score, Score]
Line: TypeAlias = Any
"""A line of play as a chain of pairs: (action, rest), and `None` for nothing."""


class Stopped(Exception):  # noqa: N818 - not an error: a limit did its work
    """Raised inside a search by a limit; the argument says which."""


class Node:
    """One position on the path that is being searched."""

    __slots__ = (
        "action",
        "alpha",
        "best",
        "beta",
        "depth",
        "estimated",
        "excluded",
        "flip",
        "key",
        "line",
        "mode",
        "number",
        "on_path",
        "over",
        "parent",
        "player",
        "ply",
        "previous",
        "probability",
        "probing",
        "recurrence",
        "refuted",
        "state",
    )

    def __init__(self, state: Any, action: Any, parent: Node | None, depth: float, mode: str = ""):
        self.state = state
        self.action = action
        self.parent = parent
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.depth = depth
        """Plies left to search; infinite without a limit."""
        self.mode = mode
        """Why the node is searched, if not as part of the main search."""
        self.alpha: Score
        self.beta: Score
        """The window, in MAX's view."""
        self.over = False
        self.player = CHANCE
        self.flip = False
        """Whether the mover's view is the opposite of MAX's."""
        self.best: Score = None
        """The best score so far, in MAX's view; `None` before the first child is back."""
        self.line: Line = None
        self.estimated = False
        """Whether the score rests on an estimate or a risky technique."""
        self.on_path = False
        """Whether the score depends on how the position was reached (repetition), so that no table may keep it."""
        self.previous: Line = None
        """What the previous iteration expects from here on."""
        self.excluded: Any = None
        """An action to leave out, as a set of one, when another one is tested for being singular."""
        self.probing = False
        """Whether only the first action is tried, for a bound (Star2)."""
        self.refuted = False
        """Whether the mover above will not choose this node, whatever its untried actions bring (max^n)."""
        self.key: Hashable = None
        self.recurrence: Hashable = None
        self.number = 0
        self.probability: float | None = None


class Loop:
    """One search under way: the game, the recipe, what it has counted and learnt."""

    def __init__(self, game: Game, recipe: Recipe, limits: Limits, state: Any, history: Sequence[Any] = ()):
        self.game = game
        self.recipe = recipe
        self.limits = limits
        self.recorder: Recorder | None = None
        self.interrupt = Interrupt()
        self.nodes = 0
        self.leaves = 0
        self.cutoffs = 0
        self.started = time.perf_counter()
        self.state = state
        mover = CHANCE if game.is_terminal(state) else game.player(state)
        self.maximiser = 0 if mover == CHANCE else mover
        self.scores = recipe.scores(game, self.maximiser)
        if recipe.table is not None:
            recipe.table.serve(self)
        self.history = repeatable(game, history, state)
        self.depth: float = 0
        """The depth of the iteration under way."""
        self.cut_short = False
        """Whether the iteration met its depth limit: if not, a deeper one would find nothing else."""
        self.bold = False
        """Whether an estimate was as good as a win or as bad as a loss, so that these prove nothing."""
        self.current: Node | None = None
        """The root that is being searched."""
        self.expected: Line = None
        """The line of the previous iteration."""
        self.root_values: dict[Any, Score] = {}
        """What the iteration under way has learnt of each root action, in MAX's view."""

    def search(self, root: Node) -> Score:
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

    def root(self, state: Any, depth: float, alpha: Score = None, beta: Score = None) -> Node:
        """The node to begin with; without a window, with all scores in it."""
        node = self.current = self.settle(Node(state, None, None, depth))
        node.previous = self.expected
        node.alpha = self.scores.lowest if alpha is None else alpha
        node.beta = self.scores.highest if beta is None else beta
        return node

    def child(self, node: Node, action: Any, depth: float, mode: str = "") -> Node:
        """The node that `action` leads to; its window is still to be set."""
        child = self.settle(Node(self.game.result(node.state, action), action, node, depth, mode or node.mode))
        if node.previous is not None and node.previous[0] == action:
            child.previous = node.previous[1]
        return child

    def settle(self, node: Node) -> Node:
        """`node` with what the rules say of its position."""
        game = self.game
        if game.is_terminal(node.state):
            node.over = True
        else:
            node.player = game.player(node.state)
            node.flip = self.scores.opposed and node.player not in (self.maximiser, CHANCE)
        if game.repetition is not None or self.recipe.table is not None:
            node.key = game.key(node.state)
        if game.repetition is not None:
            node.recurrence = game.recurrence(node.state)
        return node

    def visit(self, node: Node) -> Visit:
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
            return self.estimate(node) if recipe.is_cut(node) else (yield from average(self, node))
        if recipe.extensions:
            extend(self, node)
        if not recipe.is_cut(node):
            return (yield from recipe.decide(self, node))
        if recipe.quiescence is not None:
            return (yield from recipe.quiescence(self, node))
        return self.estimate(node)

    def count(self) -> None:
        """Counts a node, or stops the search where a limit is reached."""
        limits = self.limits
        if limits.nodes is not None and self.nodes >= limits.nodes:
            raise Stopped("nodes")
        if limits.seconds is not None and time.perf_counter() - self.started >= limits.seconds:
            raise Stopped("seconds")
        if limits.stop is not None and limits.stop():
            raise Stopped("stop")
        if self.interrupt.asked:
            raise Stopped("interrupt")
        self.nodes += 1

    def leaf(self, node: Node, score: Score, reason: str) -> Score:
        self.leaves += 1
        node.best = score
        if self.recorder:
            self.recorder.leaf(node, score, reason)
        return score

    def estimate(self, node: Node, reason: str = "cutoff") -> Score:
        """The score of a position that is not looked into any further."""
        node.estimated = True
        self.cut_short |= node.depth <= 0
        return self.leaf(node, self.scores.estimate(lambda p: self.worth(node.state, p)), reason)

    def worth(self, s: Any, p: int) -> float:
        """EVAL: the caller's estimate, else the game's, else that of a draw."""
        game, own = self.game, self.recipe.evaluate
        value = own(s, p) if own is not None else game.evaluate(s, p) if game.can("evaluate") else game.neutral
        low, high = game.bounds
        self.bold |= not low < value < high
        return value

    def repeated(self, node: Node) -> Stretch | None:
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
                return self.played(node, earlier, Stretch())
        known = self.history.get(node.recurrence)
        return None if known is None else self.played(node, earlier, known)

    def played(self, node: Node, earlier: Node, since: Stretch) -> Stretch:
        """`since`, and what the path from `earlier` to `node` adds to it, where the rule of repetition asks."""
        while self.game.repetition == "perpetual" and node is not earlier:
            assert node.parent is not None
            since = since.with_move(node.parent.player, self.game.is_check(node.state))
            node = node.parent
        return since

    def repetition(self, node: Node, since: Stretch) -> Score:
        """The score of a repeated position by the game's rule."""
        assert node.parent is not None
        mover = node.parent.player
        return self.scores.end(lambda p: repetition_utility(self.game, p, mover, since), node.ply)

    def candidates(self, node: Node) -> list[Any]:
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
            raise ContractError(
                f"{self.game.name} offers no action in {self.game.write(node.state)}, which is not terminal: "
                f"run `zermelo check` on the game"
            )
        if node.excluded is not None:
            actions = [a for a in actions if a not in node.excluded]
        actions = narrow(self, node, self.recipe.order.sort(self, node, actions))
        return actions[:1] if node.probing else actions


def full_window(loop: Loop, node: Node, child: Node, alpha: Score, beta: Score, first: bool) -> Visit:  # noqa: ARG001
    """The score of `child` for the mover of `node`, searched with the whole window: alpha-beta's way of looking."""
    if node.flip:
        child.alpha, child.beta = -beta, -alpha
        return -(yield child)
    child.alpha, child.beta = alpha, beta
    return (yield child)


def decide(loop: Loop, node: Node) -> Visit:
    """The score of a position in which a player moves: the greatest, in the mover's view, of its children's."""
    recipe = loop.recipe
    if recipe.table is not None:
        known = recipe.table.probe(loop, node)
        if known is not None:
            return known
    if recipe.null_move is not None:
        refuted = yield from recipe.null_move(loop, node)
        if refuted is not None:
            return refuted
    actions = loop.candidates(node)
    deeper = (yield from recipe.singular(loop, node)) if recipe.singular is not None else ()
    return (yield from try_actions(loop, node, actions, loop.scores.lowest, deeper))


def try_actions(loop: Loop, node: Node, actions: list[Any], best: Score, deeper: Any = ()) -> Visit:
    """The best of `best`, which the mover has without moving, and what `actions` bring; in MAX's view.

    The actions in `deeper` are searched one ply deeper than the others.
    """
    recipe = loop.recipe
    start, beta = (-node.beta, -node.alpha) if node.flip else (node.alpha, node.beta)
    alpha = max(start, best) if recipe.prune else start
    for i, action in enumerate(actions):
        child = loop.child(node, action, node.depth - 1 + (action in deeper))
        score = yield from recipe.look(loop, node, child, alpha, beta, i == 0)
        best = back_up(loop, node, child, score, best)
        if recipe.prune and best > alpha:
            alpha = best
            if loop.recorder:
                loop.recorder.window(node, alpha, beta)
        if alpha >= beta:
            cut(loop, node, action, actions[i + 1 :], best, beta)
            break
    return settle_score(loop, node, best, start, beta)


def settle_score(loop: Loop, node: Node, best: Score, alpha: Score, beta: Score) -> Score:
    """Hands `best` on to MAX's view, after clipping it (fail-hard), storing it and recording it."""
    recipe = loop.recipe
    if recipe.hard:
        best = min(max(best, alpha), beta)
        node.best = -best if node.flip else best
    if recipe.table is not None:
        recipe.table.store(loop, node, best, alpha, beta)
    if loop.recorder:
        loop.recorder.leave(node, best, alpha, beta)
    return -best if node.flip else best


def back_up(loop: Loop, node: Node, child: Node, score: Score, best: Score) -> Score:
    """The better of `score`, which `child` brings, and `best`, both in the mover's view."""
    improved = bool(score > best or node.best is None)
    node.estimated |= child.estimated
    node.on_path |= child.on_path
    if improved:
        best = score
        node.best, node.line = (-score if node.flip else score), (child.action, child.line)
    if node.parent is None:
        loop.root_values[child.action] = -score if node.flip else score
    if loop.recorder:
        loop.recorder.value(node, child, score, best, improved)
    return best


def cut(loop: Loop, node: Node, action: Any, skipped: list[Any], best: Score, beta: Score) -> None:
    """Notes that `action` (or standing pat, `None`) refutes `node`: nothing that is `skipped` can matter any more."""
    if action is not None:
        loop.recipe.order.learn(loop, node, action)
    if skipped:
        loop.cutoffs += 1
        if loop.recorder:
            loop.recorder.cutoff(node, "alpha" if node.flip else "beta", best, beta, skipped)
