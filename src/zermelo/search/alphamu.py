"""αμ: one strategy for all worlds, by vectors with a value for each of them (Cazenave and Ventos, 2019).

    F(states, m) = { (value of each state with open cards) }                       if m = 0 or the game is over
    F(states, m) = the union over a of F(RESULT(states, a), m − 1)                 where MAX moves
    F(states, m) = { min over their replies, state by state }                      where the others move
    play the a whose front has the vector of the greatest mean

The states look alike to MAX, one for each world that is left, so MAX takes one action in all of them: no strategy
fusion. The others are taken to know the world, and reply in each as suits them. What they do and MAX sees tells
worlds apart: the states fall into groups that MAX can tell apart, and each vector of one group may go with each of
another. A front keeps the vectors that no other equals or beats in every world, so that the choice between them is
left to whom it concerns, further up, where all worlds are in view. m counts MAX's own moves: with m = 1 this is PIMC,
and greater m find out sooner what MAX will have to guess. Where chance moves, values are added up by their
probabilities. A partner, who sees other cards, is taken to see all, as everybody is in PIMC.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeAlias

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.game.text import freeze
from zermelo.game.validation import fair_chances, legal_actions, unlike_actions, who_moves
from zermelo.search.imagined import LOOK_AHEAD, WORLD_OPTIONS, Judge, WorldSearch
from zermelo.search.open_cards import Halted, OpenCards
from zermelo.search.recorder import plain
from zermelo.search.trace.words import plural

Vector: TypeAlias = tuple[float, ...]
"""A value for each of some states."""
Front: TypeAlias = list[Vector]
"""Vectors of which none is at least as good as another everywhere."""
NOTHING: Front = []
Merge: TypeAlias = Callable[[float, float], float]
"""How the value of one more reply changes that of a state."""
Branches: TypeAlias = list[list[tuple[Any, Any, float]]]
"""For each state the actions there, what comes after each, and the share that it counts."""
Group: TypeAlias = list[tuple[int, Any, Any, float]]
"""States that look alike to MAX: the place of the state before, the action there, the state, the share."""


def alphamu(game: Game[S, A], state: S | None = None, *, judge: Judge = OpenCards, **options: Any) -> Analysis:
    """The action of the best strategy of a few moves that is one for all worlds imagined.

    It takes `worlds`, `moves`, `depth`, `seconds`, `seed`, `stop`, `only` and `trace`; `judge` solves the worlds.
    """
    return WorldSearch(game, state, "alphamu", options, WORLD_OPTIONS | LOOK_AHEAD, judge).run(look_ahead)


def look_ahead(search: WorldSearch) -> tuple[dict[Any, float], dict[Any, int]]:
    """The value of each action: with one move of MAX's own, with two, … as far as time allows."""
    worlds = search.draw_all()
    states, weights = tuple(w.state for w in worlds), [w.weight for w in worlds]
    if search.recorder:
        for world in worlds:
            search.recorder.world(world)
    values: dict[Any, float] = {}
    for moves in range(1, search.moves + 1):
        if search.recorder:
            search.recorder.note("iteration", 0, depth=moves, moves=moves)
        try:
            values = AlphaMu(search, weights).choose(states, moves)
        except Halted as reason:
            search.stopped = search.stopped or str(reason)
            break
        search.solved = len(worlds)
    return values, {}


class AlphaMu:
    """One iteration: fronts of positions that look alike to MAX."""

    def __init__(self, search: WorldSearch, weights: Sequence[int]):
        self.search, self.game, self.max = search, search.game, search.mover
        self.weights = weights
        self.value = search.open.value
        self.partners = {p for p in range(self.game.players) if self.game.side_of[p] == self.game.side_of[self.max]}
        self.known: dict[tuple[Hashable, int], Front] = {}
        self.watch = Watched(search)

    def choose(self, states: tuple[Any, ...], moves: int) -> dict[Any, float]:
        """For each action of the root the greatest mean of a vector in its front."""
        root = self.watch.enter(None, (), states)
        found: dict[Any, float] = {}
        for a in self.search.actions:
            front = self.after(states, a, moves, NOTHING, root)
            found[a] = max(self.mean(vector) for vector in front)
            self.watch.value(root, found[a], max(found.values()))
        self.watch.leave(root, [], max(found.values()))
        return found

    def mean(self, vector: Vector) -> float:
        """The value of a vector of the root: the mean over the worlds, each as often as it was drawn."""
        total = math.fsum(weight * value for weight, value in zip(self.weights, vector, strict=True))
        return total / sum(self.weights)

    def front(self, states: tuple[Any, ...], moves: int, alpha: Front, node: int | None = None) -> Front:
        """F(states, moves); less than that, or nothing, if a vector of `alpha` is as good as any."""
        key = tuple(self.game.key(s) for s in states), moves
        if key in self.known:
            return self.watch.leave(node, self.known[key])
        s = states[0]
        whole = True
        if moves == 0 or self.game.is_terminal(s):
            found = [tuple(self.value(s, self.max) for s in states)]
        elif self.game.player(s) == self.max:
            found = []
            for a in self.common_actions(states):
                found = undominated(found + self.after(states, a, moves, found, node))
        else:
            found, whole = self.reply(states, moves, alpha, node)
        if whole:
            self.known[key] = found
        return self.watch.leave(node, found)

    def after(self, states: tuple[Any, ...], a: Any, moves: int, alpha: Front, node: int | None) -> Front:
        """The front after MAX's action `a` in all states."""
        branches: Branches = [[(a, self.game.result(s, a), 1.0)] for s in states]
        return self.combine(states, branches, [only_one] * len(states), moves - 1, node, below=alpha)[0]

    def reply(self, states: tuple[Any, ...], moves: int, alpha: Front, node: int | None) -> tuple[Front, bool]:
        """The front where others move, each knowing the world."""
        branches: Branches = []
        merges: list[Merge] = []
        for s in states:
            p = who_moves(self.game, s)
            if p == CHANCE:
                possible = [(a, share) for a, share in fair_chances(self.game, s) if share > 0]
            else:
                possible = [(a, 1.0) for a in legal_actions(self.game, s)]
            branches.append([(a, self.game.result(s, a), share) for a, share in possible])
            merges.append(add if p == CHANCE else max if p in self.partners else min)
        cut = alpha if all(merge is min for merge in merges) else []  # more replies can only lower what is known
        return self.combine(states, branches, merges, moves, node, cut=cut)

    def combine(
        self,
        above: tuple[Any, ...],
        branches: Branches,
        merges: list[Merge],
        moves: int,
        node: int | None,
        below: Front = NOTHING,
        cut: Front = NOTHING,
    ) -> tuple[Front, bool]:
        """A vector of each group that MAX can tell apart, with every vector of the others; and whether that is all.

        It ends as soon as a vector of `cut` is as good as any that is left; `below` does so one ply further down.
        """
        groups = self.tell_apart(branches)
        found: list[tuple[float | None, ...]] = [(None,) * len(branches)]
        for group in groups:
            states = tuple(s for _, _, s, _ in group)
            ways = ((above[place], a) for place, a, _, _ in group)
            entered = self.watch.enter(node, ways, states)
            # What MAX has already counts in the same worlds only.
            front = self.front(states, moves, below if len(groups) == 1 else NOTHING, entered)
            joined = [joined_with(vector, group, merges, other) for vector in found for other in front]
            found = undominated_parts(joined)
            if cut and all(is_beaten(vector, cut) for vector in found):
                return [], False
        return [tuple(value for value in vector if value is not None) for vector in found], True

    def tell_apart(self, branches: Branches) -> list[Group]:
        """What may come, in groups that look different to MAX."""
        groups: dict[Hashable, Group] = {}
        for place, after in enumerate(branches):
            for a, s, share in after:
                over = bool(self.game.is_terminal(s))
                turn = not over and self.game.player(s) == self.max
                groups.setdefault((over, turn, freeze(self.game.view(s, self.max))), []).append((place, a, s, share))
        return list(groups.values())

    def common_actions(self, states: tuple[Any, ...]) -> list[Any]:
        """MAX's actions, which are the same in states that look alike."""
        actions = legal_actions(self.game, states[0])
        for s in states[1:]:
            if legal_actions(self.game, s) != actions:
                raise unlike_actions(self.game, self.max, s)
        return actions


# Fronts.


def only_one(_: float, value: float) -> float:
    """Of an action of MAX's own there is one result."""
    return value


def add(total: float, value: float) -> float:
    return total + value


def joined_with(
    vector: tuple[float | None, ...], group: Group, merges: list[Merge], other: Vector
) -> tuple[float | None, ...]:
    """`vector` with the values that `other` has for a group of what may come; `None` is not known yet."""
    values = list(vector)
    for (place, _, _, share), value in zip(group, other, strict=True):
        before, counted = values[place], share * value
        values[place] = counted if before is None else merges[place](before, counted)
    return tuple(values)


def undominated(vectors: Iterable[Vector]) -> Front:
    """The vectors that no other one equals or beats everywhere, the first of equal ones kept."""
    kept: Front = []
    for vector in vectors:
        if not any(dominates(other, vector) for other in kept):
            kept = [other for other in kept if not dominates(vector, other)]
            kept.append(vector)
    return kept


def dominates(vector: Vector, other: Vector) -> bool:
    """Whether `vector` is at least as good as `other` in every world."""
    return all(a >= b for a, b in zip(vector, other, strict=True))


def undominated_parts(vectors: list[tuple[float | None, ...]]) -> list[tuple[float | None, ...]]:
    """The same of vectors of which the same values are not known yet."""
    by_known = {tuple(value for value in vector if value is not None): vector for vector in vectors}
    return [by_known[each] for each in undominated(by_known)]


def is_beaten(vector: tuple[float | None, ...], alpha: Front) -> bool:
    """Whether a vector of `alpha` is at least as good, whatever the values are that are not known yet."""
    return None not in vector and any(dominates(other, vector) for other in alpha)  # type: ignore[arg-type]


class Watched:
    """Writes down what happens: a node for each group of worlds that MAX cannot tell apart, and its front."""

    def __init__(self, search: WorldSearch):
        self.recorder = search.recorder
        self.plies: dict[int, int] = {}
        self.labels: Counter[tuple[int | None, str]] = Counter()
        self.child = 0
        """The node below the root that was entered last."""

    def enter(self, parent: int | None, ways: Iterable[tuple[Any, Any]], states: tuple[Any, ...]) -> int | None:
        """A group of worlds, called by the actions that lead to it, and numbered where these are not enough."""
        recorder = self.recorder
        if recorder is None:
            return None
        label = " or ".join(dict.fromkeys(recorder.game.show_action(s, a) for s, a in ways))
        self.labels[parent, label] += 1
        if self.labels[parent, label] > 1:
            label += f" ({self.labels[parent, label]})"
        ply = 0 if parent is None else self.plies[parent] + 1
        s, mode = states[0], plural(len(states), "world", "worlds")
        player = None if recorder.game.is_terminal(s) else recorder.game.player(s)
        node = recorder.enter(recorder.kind(s), ply, parent, label, player=player, mode=mode)
        self.plies[node] = ply
        if ply == 1:
            self.child = node
        return node

    def leave(self, node: int | None, front: Front, value: float | None = None) -> Front:
        recorder = self.recorder
        if recorder is not None and node is not None:
            if front or value is None:
                recorder.note("front", node, vectors=plain(front))
            if value is not None:
                recorder.note("leave", node, value=value, bound="exact")
        return front

    def value(self, node: int | None, value: float, best: float) -> None:
        recorder = self.recorder
        if recorder is not None and node is not None:
            recorder.note("value", node, child=self.child, value=value, best=best, improved=value == best)
