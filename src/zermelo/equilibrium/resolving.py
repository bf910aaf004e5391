"""Continual re-solving: a player that keeps no strategy, and solves anew at each of its choices what can still follow.

It remembers two things: its own range, i.e. how likely it would have come here with each of its hands, and for each of
the opponent's hands what it has been held to so far, its counterfactual value v. At a choice it solves the subgame in
which the opponent may first stop and take v (the gadget of Burch, Johanson and Bowling 2014). So

    best answer to the new strategy  ≤  v + the error of this solution    for each hand of the opponent,

and errors add up from choice to choice, but nothing else is lost. The unsafe form believes in the opponent's range as
solved before instead; it may be exploited by an opponent who plays otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.engine.regret import Array
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.equilibrium.horizon import HorizonSolver, SolvedValues, Values, solve_whole
from zermelo.equilibrium.public_tree import PublicTree
from zermelo.equilibrium.strategies import Strategy
from zermelo.equilibrium.subgame import Range, Subgame
from zermelo.game.contract import AnyGame
from zermelo.options import check_fields, whole

if TYPE_CHECKING:
    from random import Random

ITERATIONS = 1000
LEAF_ITERATIONS = 100
"""Of solving on below a leaf, where nothing else says what it is worth."""
CHECKS = {"iterations": whole(1), "depth": whole(1, optional=True), "rounds": whole(1, optional=True)}


@dataclass(slots=True)
class Resolving:
    """How to re-solve."""

    iterations: int = ITERATIONS
    """Of regret minimisation, at each choice."""
    safe: bool = True
    """Whether the opponent may stop with what it has been held to; else it is believed to have played as solved."""
    depth: int | None = None
    """Choices ahead, and everything if not said; beyond them `values` are asked."""
    rounds: int | None = None
    """Deals ahead, in the same way."""
    values: Values = field(default_factory=lambda: SolvedValues(LEAF_ITERATIONS))

    def __post_init__(self) -> None:
        check_fields(self, CHECKS)


class Situation(NamedTuple):
    """What the player knows when it comes to a public state."""

    range: Range
    """Its own: how likely it would have come here with each hand."""
    promised: Range
    """Of each hand of the opponent: the counterfactual value that it has been held to."""
    believed: Range
    """The opponent's range by the last solution: what the unsafe form goes by."""


class Step(NamedTuple):
    """One subgame solved."""

    state: int
    situation: Situation
    gadget: bool
    """Whether the opponent was free to stop."""
    strategy: dict[int, Array]
    """Of each own information set in this public state: the probability of each action."""
    worth: Range
    """Of each own hand: its counterfactual value."""
    reached: Range
    """Of each hand of the opponent: what it gets now by its best answer; at most `promised`, up to the error."""
    ahead: dict[int, Situation]
    """The public states at which to solve next."""


class Resolver:
    """Player `p` of a game; what it finds in a public state depends on its settings only."""

    def __init__(self, tree: PublicTree, p: int, settings: Resolving | None = None):
        self.tree, self.p = tree, p
        self.settings = settings or Resolving()
        self.steps: dict[int, Step] = {}
        self.children: dict[int, list[int]] = {}
        for state, before in enumerate(tree.before.tolist()):
            self.children.setdefault(before, []).append(state)
        self._count()

    def _count(self) -> None:
        """Of each public state: the choices and the deals on the way to it."""
        tree = self.tree
        size = len(tree.states)
        self.choices, self.deals = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        for state in range(1, size):  # each after the one before it
            before = int(tree.before[state])
            self.choices[state] = self.choices[before] + (tree.decides(before, 0) or tree.decides(before, 1))
            self.deals[state] = self.deals[before] + tree.deals(before)
        self.start = next((state for state in range(size) if not tree.deals(state)), 0)

    # The way through a game.

    def at(self, state: int) -> Step:
        """The solution at a public state in which the player chooses, or at a leaf."""
        if state not in self.steps:
            path = self.tree.path(state)
            step = self._begin(path[0])
            for here in path[1:]:
                if here in step.ahead:
                    step = self.steps.get(here) or self._solve(here, step.ahead[here], self.settings.safe)
        return self.steps[state]

    def way(self, state: int) -> list[Step]:
        """The solutions on the way to a public state, and there, if the player chooses there."""
        path = self.tree.path(state)
        self.at(next((here for here in reversed(path) if self.tree.decides(here, self.p)), path[0]))
        return [self.steps[here] for here in path if here in self.steps]

    def _begin(self, state: int) -> Step:
        """At the start everybody has every hand, and the opponent is held to nothing yet."""
        if state in self.steps:
            return self.steps[state]
        tree, nodes = self.tree, self.tree.states[state]
        hands = [np.unique(tree.hands[q][nodes]) for q in (0, 1)]
        everything = [Range(own, np.ones(len(own))) for own in hands]
        mine, theirs = everything[self.p], everything[1 - self.p]
        return self._solve(state, Situation(mine, Range(theirs.hands, np.zeros(len(theirs.hands))), theirs), False)

    def _leaves(self, state: int) -> Array | None:
        settings = self.settings
        if settings.depth is None and settings.rounds is None:
            return None
        found = np.zeros(len(self.tree.states), dtype=bool)
        begin = state if state != 0 else self.start  # the deal of hands is no round
        if settings.depth is not None:
            found |= self.choices - self.choices[begin] >= settings.depth
        if settings.rounds is not None:
            found |= self.deals - self.deals[begin] >= settings.rounds
        return found

    def _solve(self, state: int, situation: Situation, gadget: bool) -> Step:
        tree, p = self.tree, self.p
        leaves = self._leaves(state)
        sub = Subgame(tree, state, leaves)
        hands = [tree.hands[q][sub.nodes[: sub.roots]] for q in (0, 1)]
        mine = situation.range.at(hands[p])
        theirs = situation.believed.at(hands[1 - p])
        if not (tree.chance[tree.states[state]] * mine * theirs).sum() > 0:
            theirs = np.ones(sub.roots)  # the opponent has done what was not expected: it may have anything
        shares, leaves_worth = self._find(sub, situation, theirs, gadget)
        reach = {p: sub.reach(p, mine, shares), 1 - p: sub.reach(1 - p, theirs, shares)}
        worth = {q: tree.chance[sub.nodes] * reach[1 - q] * sub.payoffs(q) + leaves_worth[q] for q in (0, 1)}
        own, _ = sub.values(p, worth[p], shares)
        held, _ = sub.values(1 - p, worth[1 - p], None)
        top = np.arange(sub.roots)
        step = Step(
            state,
            situation,
            gadget,
            self._strategy(sub, shares),
            sub.collect(p, top, own[: sub.roots]),
            sub.collect(1 - p, top, held[: sub.roots]),
            self._ahead(sub, leaves, reach, held),
        )
        self.steps[state] = step
        return step

    def _find(self, sub: Subgame, situation: Situation, theirs: Array, gadget: bool) -> tuple[Array, Sequence[Array]]:
        """A strategy of the subgame, and what its leaves are worth to each player."""
        tree, p, settings = self.tree, self.p, self.settings
        if sub.is_leaf.any():
            believed = sub.collect(1 - p, np.arange(sub.roots), theirs)
            count = sub.collect(1 - p, np.arange(sub.roots), np.ones(sub.roots))
            both = [situation.range, Range(believed.hands, believed.numbers / count.numbers)]
            ranges = (both[p], both[1 - p])
            solver = HorizonSolver(sub, p, ranges, situation.promised if gadget else None, settings.values)
            found = solver.run(settings.iterations)
            return found.shares, found.leaves
        weights = tree.chance[tree.states[sub.state]] * situation.range.at(tree.hands[p][tree.states[sub.state]])
        stop = None
        if gadget:
            hands = tree.hands[1 - p][tree.states[sub.state]]
            mass = sub.collect(1 - p, np.arange(sub.roots), weights).at(hands)
            stop = (1 - p, situation.promised.at(hands) / np.where(mass > 0, mass, 1.0))
        else:
            weights = weights * theirs
        nothing = np.zeros(len(sub.nodes))
        return solve_whole(sub, weights, stop, settings.iterations), (nothing, nothing)

    def _strategy(self, sub: Subgame, shares: Array) -> dict[int, Array]:
        here = sub.infoset[: sub.roots][sub.movers[: sub.roots] == self.p]
        return {
            int(sub.sets[local]): shares[int(sub.offsets[local]) : int(sub.offsets[local + 1])]
            for local in np.unique(here)
        }

    def _ahead(self, sub: Subgame, leaves: Array | None, reach: dict[int, Array], held: Array) -> dict[int, Situation]:
        """The next public states in which the player chooses, and leaves before them."""
        tree, p = self.tree, self.p
        wanted, pending = [], list(self.children.get(sub.state, ()))
        for state in pending:  # grows as it goes
            if tree.decides(state, p) or (leaves is not None and leaves[state]):
                wanted.append(state)
            else:
                pending += self.children.get(state, ())
        places = tree.place[sub.nodes]
        order = np.argsort(places, kind="stable")
        begin, end = (np.searchsorted(places[order], wanted, side=side) for side in ("left", "right"))
        found = {}
        for state, first, last in zip(wanted, begin, end, strict=True):
            at = order[first:last]
            found[state] = Situation(
                self._range(sub, p, at, reach[p]),
                sub.collect(1 - p, at, held[at]),
                self._range(sub, 1 - p, at, reach[1 - p]),
            )
        return found

    def _range(self, sub: Subgame, q: int, at: Array, reach: Array) -> Range:
        """Nodes of one hand are reached alike."""
        hands, first = np.unique(self.tree.hands[q][sub.nodes[at]], return_index=True)
        return Range(hands, reach[at][first])

    # As a player.

    def policy(self, state: Any, history: Sequence[Any]) -> list[float]:
        """The probability of each action in `state`, after the states of `history`."""
        node = self.tree.form.node([*history, state])
        number = int(self.tree.form.arrays.infoset[node])
        shares: list[float] = self.at(int(self.tree.place[node])).strategy[number].tolist()
        return shares

    def choose(self, state: Any, history: Sequence[Any], random: Random) -> Any:
        return random.choices(list(self.tree.game.actions(state)), self.policy(state, history))[0]


def resolved(
    game: AnyGame | ExtensiveForm | PublicTree,
    settings: Resolving | None = None,
    progress: Callable[[float], None] | None = None,
) -> Strategy:
    """What both players do who re-solve at every choice: all public states are walked, and each is solved.

    `exploitability` of the result is that of the players as they play, exactly.
    """
    tree = game if isinstance(game, PublicTree) else PublicTree(game)
    offsets = tree.form.offsets
    shares = np.empty(int(offsets[-1]))
    for p in (0, 1):
        resolver = Resolver(tree, p, settings)
        for state in range(len(tree.states)):
            if tree.decides(state, p):
                for number, own in resolver.at(state).strategy.items():
                    shares[int(offsets[number]) : int(offsets[number + 1])] = own
            if progress:
                progress((p + (state + 1) / len(tree.states)) / 2)
    return Strategy(tree.form, shares)
