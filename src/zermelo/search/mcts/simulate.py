"""The four steps of a simulation: selection, expansion, playout, backing up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from zermelo.errors import ContractError
from zermelo.game import CHANCE, CheckRun, Game, repeatable, repetition_utility
from zermelo.game.contract import A, S
from zermelo.game.kind import no_number, real
from zermelo.game.validation import end_utilities, fair_chances, who_moves
from zermelo.search.mcts.dice import GOLDEN, Dice, dirichlet
from zermelo.search.mcts.settings import MctsSettings, judge
from zermelo.search.mcts.tree import UNJUDGED, MctsNode, Observer, Selector

Played = list[tuple[int, object]]
"""Who played what, in order."""


def worth(game: Game[S, A], state: S, p: int) -> float:
    """What `state` is worth to player `p` at a glance: the utility of an end, else the game's estimate."""
    if game.is_terminal(state):
        return game.utilities(state)[p]
    if not game.can("evaluate"):
        return game.neutral
    value = game.evaluate(state, p)
    estimate = real(value)
    if estimate is None:
        raise no_number(game.name, "evaluate", value, game.write(state))
    return estimate


class Simulator:
    """One tree, and the simulations that make it grow; `number` counts the searches of one searcher, for its dice."""

    def __init__(
        self, game: Game, state: object, settings: MctsSettings, history: Sequence[object] = (), number: int = 0
    ):
        self.game = game
        self.state = state
        self.settings = settings
        self.selector = Selector(game, settings)
        self.lazy = settings.evaluator is not None and settings.judged_from > 0
        """Whether positions are judged when they have been visited often, and not when they are new."""
        self.number = number
        self.dice = Dice(settings.seed + number * GOLDEN)
        self.nodes = 1
        """Positions entered so far."""
        self.simulations = 0
        self.banned = False
        """Whether the simulation under way has found an action to be forbidden."""
        self.recorder: Observer | None = None
        self.history = repeatable(game, history, state)
        self.priors: list[float] = []
        """The priors of the root's actions, without noise."""
        self.root = self.plant()
        if settings.noise is not None and game.player(state) >= 0:
            self.add_noise(*settings.noise)

    def plant(self) -> MctsNode:
        """The root, with its children."""
        game, state, evaluator = self.game, self.state, self.settings.evaluator
        root = self.make(None, 1.0)
        root.mover = who_moves(game, state)
        priors = judge(game, evaluator, state)[0] if evaluator and root.mover >= 0 else None
        self.expand(root, state, priors)
        self.priors = [child.prior for child in root.children or ()]
        return root

    def make(self, action: object, prior: float) -> MctsNode:
        return MctsNode(action, prior, self.game.players, self.game.bounds)

    def simulate(self) -> None:
        """From the root to the root, once."""
        path, played, state = self.descend()
        leaf = path[-1]
        if leaf.settled is not None:
            utilities, why = list(leaf.settled), "terminal"
        elif self.selector.solver and leaf.is_proved:
            utilities, why = self.shares(leaf.lower), "proved"
        elif self.settings.evaluator is not None and not self.lazy:
            priors, utilities = judge(self.game, self.settings.evaluator, state)
            self.expand(leaf, state, priors)
            if mix := self.settings.mix:
                results = self.play_out(state, played)
                utilities = [(1 - mix) * one + mix * other for one, other in zip(utilities, results, strict=True)]
            why = "evaluator"
        else:
            utilities, why = self.play_out(state, played), "playout"
        if self.recorder:
            self.recorder.playout(leaf, utilities, why, len(played) - len(path) + 1)
        self.back_up(path, utilities, played)
        self.simulations += 1

    def judge_visited(self, path: list[MctsNode], state: object) -> None:
        """Judges the position at the end of `path` once it has been visited often enough: its actions get priors, and
        the mean of its simulations, there and above, is mixed with the judgement."""
        node, settings = path[-1], self.settings
        assert node.children is not None
        if node.visits < settings.judged_from or node.children[0].prior != UNJUDGED:
            return
        assert settings.evaluator is not None
        priors, judged = judge(self.game, settings.evaluator, state)
        for child, prior in zip(node.children, priors, strict=True):
            child.prior = prior
        if self.game.kind.scalar and self.game.players == 2 and len(path) > 1:
            mover = path[-2].mover or 0
            lacking = (1 - settings.mix) * (node.visits * judged[mover] - node.sums[mover])
            for above in path[1:]:
                above.sums[mover] += lacking
                above.sums[1 - mover] -= lacking

    # Selection and expansion.

    def descend(self) -> tuple[list[MctsNode], Played, Any]:
        """The path to a position that is new to the tree, or whose value is known; what was played; the position."""
        node, state = self.root, self.state
        path: list[MctsNode] = [node]
        played: Played = []
        states = [state]
        self.banned = False
        while True:
            if self.lazy:
                self.judge_visited(path, state)
            child = self.outcome(node) if node.mover == CHANCE else self.selector.choose(node)
            if child is None:
                self.tighten(node)
                if not (self.selector.solver and node.is_proved):
                    raise ContractError(
                        f"every action in {self.game.write(state)} repeats a position: a game with "
                        f'`repetition = "forbidden"` must always leave one that does not, such as a pass'
                    )
                return path, played, state
            below = self.game.result(state, child.action)
            self.nodes += 1
            if child.mover is None and not self.look(child, node, below, path, states):
                continue
            if self.recorder:
                self.recorder.select(node, child, state, below)
            assert node.mover is not None
            played.append((node.mover, child.action))
            path.append(child)
            states.append(below)
            node, state = child, below
            if node.settled is not None or (self.selector.solver and node.is_proved):
                return path, played, state
            if node.children is None:
                judged = self.settings.evaluator is not None and not self.lazy
                if (judged and node.mover != CHANCE) or (not judged and node.visits == 0):
                    return path, played, state
                self.expand(node, state, None)

    def look(
        self, child: MctsNode, parent: MctsNode, state: object, path: list[MctsNode], states: list[object]
    ) -> bool:
        """Notes what the rules say about a position entered for the first time; false if entering it is forbidden."""
        game = self.game
        if game.is_terminal(state):
            child.mover = CHANCE
            child.settled = end_utilities(game, state)
        else:
            since = self.repeated(state, child.action, path, states)
            if since is not None:
                if game.repetition == "forbidden" and parent.mover != CHANCE:
                    child.banned = self.banned = True
                    return False
                assert parent.mover is not None
                mover = parent.mover
                child.settled = tuple(repetition_utility(game, p, mover, since) for p in range(game.players))
            child.mover = who_moves(game, state)
        if child.settled is not None and self.selector.solver:
            child.lower = child.upper = child.settled[0]
        return True

    def repeated(self, state: object, action: object, path: list[MctsNode], states: list[object]) -> CheckRun | None:
        """What was played since the position last stood on the board, on the path or before; `None` if it never has."""
        game = self.game
        if game.repetition is None:
            return None
        key, since, after = game.recurrence(state), CheckRun(), state
        for place in range(len(path) - 1, -1, -1):
            if game.can("is_irreversible") and game.is_irreversible(states[place], action):
                return None
            if game.repetition == "perpetual":
                since = since.with_move(game.player(states[place]), game.is_check(after))
            if game.recurrence(states[place]) == key:
                return since
            action, after = path[place].action, states[place]
        known = self.history.get(key)
        return None if known is None else CheckRun(since.moved | known.moved, since.quiet | known.quiet)

    def outcome(self, node: MctsNode) -> MctsNode:
        """What chance does in `node`."""
        assert node.children is not None
        return node.children[self.dice.draw([child.prior for child in node.children])]

    def expand(self, node: MctsNode, state: object, priors: Sequence[float] | None) -> None:
        """Makes the children of `node`: all of them, to be visited one by one."""
        game = self.game
        if node.mover == CHANCE:
            node.children = [self.make(a, p) for a, p in fair_chances(game, state)]
        else:
            actions = list(game.actions(state))
            unknown = UNJUDGED if self.lazy else 1.0 / len(actions)
            shares = [unknown] * len(actions) if priors is None else priors
            node.children = [self.make(a, share) for a, share in zip(actions, shares, strict=True)]
            if self.settings.widening > 0 and (priors is not None or game.can("priority")):
                ranks = [game.priority(state, a) for a in actions] if priors is None else priors
                order = sorted(range(len(actions)), key=lambda place: -ranks[place])
                node.children = [node.children[place] for place in order]
        if not node.children:
            raise ContractError(
                f"{game.name} offers no action in {game.write(state)}, which is not terminal: "
                f"run `zermelo check` on the game"
            )

    def add_noise(self, alpha: float, share: float) -> None:
        assert self.root.children is not None
        noise = dirichlet(len(self.root.children), alpha, self.settings.seed + self.number)
        for child, prior, part in zip(self.root.children, self.priors, noise, strict=True):
            child.prior = (1 - share) * prior + share * part

    def restrict(self, only: Sequence[object]) -> None:
        """Leaves out the actions of the root that are not in `only`, if that names any."""
        asked = set(only)
        for child in self.root.children or ():
            child.left_out = bool(asked) and child.action not in asked

    # The playout.

    def play_out(self, state: object, played: Played) -> list[float]:
        """The utilities of a game from `state` on, by random actions or by those with the best estimates."""
        game = self.game
        greedy = self.settings.playout == "evaluate"
        for _ in range(self.settings.plies):
            if game.is_terminal(state):
                break
            mover = who_moves(game, state)
            if greedy and mover != CHANCE:
                actions = list(game.actions(state))
                action = max(actions, key=lambda a: worth(game, game.result(state, a), mover))
                self.nodes += len(actions) - 1
            else:
                action = self.random_action(state)
            played.append((mover, action))
            state = game.result(state, action)
            self.nodes += 1
        return self.utilities(state)

    def random_action(self, state: object) -> Any:
        """An action drawn at random; by its probability where chance moves."""
        if self.game.player(state) == CHANCE:
            chances = fair_chances(self.game, state)
            return chances[self.dice.draw([p for _, p in chances])][0]
        actions = list(self.game.actions(state))
        return actions[self.dice.below(len(actions))]

    def utilities(self, state: object) -> list[float]:
        """What every player gets where a playout ends: its utility, or an estimate if the playout was cut short."""
        if self.game.is_terminal(state):
            return list(end_utilities(self.game, state))
        return [worth(self.game, state, p) for p in range(self.game.players)]

    # Backing up.

    def back_up(self, path: list[MctsNode], utilities: list[float], played: Played) -> None:
        """Adds `utilities` to every position on the path, clipped to the bounds proved for it.

        In games with chance, clipping single results would bias their mean, so they are not clipped.
        """
        self.selector.note_range(utilities)
        if self.settings.rave > 0:
            self.credit(path, utilities, played)
        news = self.selector.solver and path[-1].is_proved
        for node in reversed(path):
            if self.selector.solver:
                if (news or self.banned) and node is not path[-1]:
                    news = self.tighten(node)
                if not self.selector.chances:
                    utilities = self.shares(max(min(utilities[0], node.upper), node.lower))
            node.visits += 1
            for p, utility in enumerate(utilities):
                node.sums[p] += utility
            if self.recorder:
                self.recorder.back_up(node)

    def credit(self, path: list[MctsNode], utilities: list[float], played: Played) -> None:
        """All moves as first: what a player did later counts for the same action of the positions before."""
        latest = {pair: moment for moment, pair in enumerate(played)}
        for moment, node in enumerate(path[:-1]):
            if node.mover == CHANCE or node.mover is None:
                continue
            for child in node.children or ():
                if latest.get((node.mover, child.action), -1) >= moment:
                    child.amaf += utilities[node.mover]
                    child.weight += 1

    def tighten(self, node: MctsNode) -> bool:
        """Takes the bounds of `node` from those of its children; whether they are closer than before."""
        children = [child for child in node.children or () if not child.is_closed]
        if not self.selector.solver or not children:
            return False
        if node.mover == CHANCE:
            lower = upper = 0.0
            for child in children:
                lower += child.prior * child.lower
                upper += child.prior * child.upper
        else:
            best = max if node.mover == 0 else min
            lower = best(child.lower for child in children)
            upper = best(child.upper for child in children)
        if math.isnan(lower) or math.isnan(upper):  # an infinite bound of an outcome that never happens
            return False
        before = node.lower, node.upper
        node.lower, node.upper = max(node.lower, lower), min(node.upper, upper)
        return before != (node.lower, node.upper)

    def shares(self, value: float) -> list[float]:
        """Every player's utility where player 0 gets `value`."""
        return [value, 2 * self.game.neutral - value][: self.game.players]
