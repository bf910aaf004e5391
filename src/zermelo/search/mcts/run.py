"""From a caller's options to an `Analysis`: the frame around the simulations, and their trace."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import MethodError
from zermelo.game import CHANCE, Game, Tree
from zermelo.game.contract import A, S
from zermelo.game.sides import for_players, searched
from zermelo.game.validation import legal_only, validate
from zermelo.search.interrupt import Interrupt
from zermelo.search.mcts.answer import find, over, to_analysis
from zermelo.search.mcts.hidden import HiddenSimulator
from zermelo.search.mcts.puct import PlainPuct, is_plain_puct
from zermelo.search.mcts.settings import Budget, MctsSettings, read_options
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.mcts.tree import MctsNode
from zermelo.search.mcts.uct import PlainUct, is_plain
from zermelo.search.recorder import container, is_wanted, plain
from zermelo.search.trace import Packed, Trace
from zermelo.search.worlds import check_fit

MOST_COMPARED = 12
"""The children whose scores a trace tells at each choice."""


class MctsRecorder:
    """Fills a `Trace` while simulations run. A position is entered once, when the tree gets it."""

    def __init__(self, simulator: Simulator, trace: bool | int | Packed = True):
        game = simulator.game
        self.simulator = simulator
        self.game = game
        self.entered = 0
        self.maximiser = max(game.player(simulator.state), 0)
        self.opposed = game.kind.scalar
        header = {
            "trace": 1,
            "game": game.name,
            "algorithm": simulator.settings.method(game),
            "position": game.write(simulator.state),
            "view": "max",
        }
        self.events = container(trace)
        self.trace = Trace(header, self.events)
        self.enter(simulator.root, None, simulator.state, simulator.state)

    def note(self, event: str, node: int, **fields: object) -> None:
        """Records one event while there is room; the result is always recorded."""
        if len(self.events) < self.events.most or event == "result":
            self.events.append({"event": event, "node": node, **fields})
        else:
            self.trace.header["truncated"] = True

    def enter(
        self, node: MctsNode, parent: MctsNode | None, before: object, state: Any, **reasons: list[dict[str, object]]
    ) -> None:
        """Records that `node`, with the position `state`, is added to the tree."""
        node.number = self.entered
        self.entered += 1
        game = self.game
        fields: dict[str, object] = {
            "parent": None if parent is None else parent.number,
            "action": plain(node.action),
            "label": "" if parent is None else game.show_action(before, node.action),
            "kind": self.kind(node),
            "player": None if node.settled is not None else node.mover,
            "name": game.node_name(state) if isinstance(game, Tree) else "",
        }
        if parent is not None and parent.mover == CHANCE:
            fields["probability"] = node.prior
        self.note("enter", node.number, **fields, **reasons)

    def kind(self, node: MctsNode) -> str:
        if node.settled is not None:
            return "leaf"
        if node.mover == CHANCE:
            return "chance"
        if not self.opposed:
            return "player"
        return "max" if node.mover == self.maximiser else "min"

    def select(self, node: MctsNode, child: MctsNode, state: object, below: object) -> None:
        """The simulation goes from `node` to `child`, which may be new."""
        if node is self.simulator.root:
            self.note("simulation", 0, count=self.simulator.simulations + 1)
        reasons = {} if node.mover == CHANCE else {"compared": self.compare(node, child, state)}
        if child.number < 0:
            self.enter(child, node, state, below, **reasons)
            return
        score = None
        if node.mover != CHANCE:
            score = self.simulator.selector.score(node)(child)
        self.note("select", node.number, child=child.number, visits=child.visits, score=plain(score), **reasons)

    def compare(self, node: MctsNode, chosen: MctsNode, state: object) -> list[dict[str, object]]:
        """The scores of the children of `node`, taken apart: those of the greatest, in the order of the game."""
        terms = self.simulator.selector.terms(node)
        found = {child: terms(child) for child in node.children or () if not child.is_closed}
        ranked = sorted(found, key=lambda child: (child is chosen, found[child].score), reverse=True)
        return [
            {
                "label": self.game.show_action(state, child.action),
                "chosen": child is chosen,
                **{name: plain(value) for name, value in found[child]._asdict().items() if value is not None},
            }
            for child in found
            if child in ranked[:MOST_COMPARED]
        ]

    def playout(self, node: MctsNode, utilities: list[float], reason: str, plies: int) -> None:
        """The simulation ends below `node`."""
        self.note("playout", node.number, value=self.shown(utilities), reason=reason, plies=plies)

    def back_up(self, node: MctsNode) -> None:
        """`node` has taken in the value of a simulation."""
        means = [total / node.visits for total in node.sums]
        fields: dict[str, object] = {"value": self.shown(means), "visits": node.visits, "proved": False}
        if self.simulator.selector.solver and node.is_proved:
            fields.update(proved=True, worth=self.shown(self.simulator.shares(node.lower)))
        self.note("backup", node.number, **fields)

    def result(self, analysis: Analysis) -> None:
        state, labels = self.simulator.state, []
        for action in analysis.line:
            labels.append(self.game.show_action(state, action))
            state = self.game.result(state, action)
        self.note(
            "result",
            0,
            value=plain(analysis.value if self.opposed else analysis.values),
            action=plain(analysis.action),
            label=labels[0] if labels else "",
            line=labels,
            nodes=analysis.nodes,
            leaves=analysis.leaves,
            simulations=self.simulator.simulations,
            exact=analysis.exact,
            stopped=analysis.stopped,
        )

    def shown(self, utilities: list[float]) -> float | list[float]:
        """Utilities in MAX's view; every player's where nobody's gain is another's loss."""
        return utilities[self.maximiser] if self.opposed else list(utilities)


def mcts(
    game: Game[S, A],
    state: S | None = None,
    *,
    history: Sequence[object] = (),
    trace: bool | int | Packed = False,
    **options: Any,
) -> Analysis:
    """The action that most simulations chose, with the visits of each; for a second if there is no limit.

    It takes the fields of `MctsSettings` and of `Budget`; `trace=True` keeps every step.
    """
    settings, budget = read_options(options)
    return search(game, state, settings, budget, history, trace)


def search(
    game: Game[S, A],
    state: S | None,
    settings: MctsSettings,
    budget: Budget,
    history: Sequence[object] = (),
    trace: bool | int | Packed = False,
) -> Analysis:
    """The same for options already read."""
    validate(game)
    check_fit(game)
    settings.check_game(game)
    seated = game
    if settings.evaluator is None:  # one that judges does so for every player
        game = searched(game)
    state = game.initial() if state is None else state
    started = time.perf_counter()
    if game.is_terminal(state):
        return for_players(seated, over(game, state, settings))
    if is_wanted(trace) and game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information: its search has no one tree to trace; trace zermelo.revealed(game)"
        )
    simulator = simulator_for(game, settings, budget)(game, state, settings, history)
    if not is_wanted(trace):
        return for_players(seated, simulate(simulator, budget, started))
    recorder = simulator.recorder = MctsRecorder(simulator, trace)
    found = simulate(simulator, budget, started)
    recorder.result(found)
    return for_players(seated, replace(found, trace=recorder.trace))


def simulator_for(game: Game, settings: MctsSettings, budget: Budget) -> type[Simulator]:
    """The plainest simulator that does what is asked for."""
    if game.kind.hidden:
        return HiddenSimulator
    if budget.only is None and is_plain(game, settings):
        return PlainUct
    return PlainPuct if budget.only is None and is_plain_puct(game, settings) else Simulator


def simulate(simulator: Simulator, budget: Budget, started: float) -> Analysis:
    """Simulates until the search ends, and returns the analysis; time counts from `started`."""
    simulator.restrict(legal_only(simulator.game, simulator.state, budget.only))
    with Interrupt() as interrupt:
        end = ""
        while not end:
            simulator.simulate()
            end = reached(simulator, budget, time.perf_counter() - started, interrupt)
    found, seconds = find(simulator, end), time.perf_counter() - started
    return to_analysis(simulator.game, simulator.state, found, simulator.settings, seconds, simulator.number)


def reached(simulator: Simulator, budget: Budget, seconds: float, interrupt: Interrupt) -> str:
    """What ends the search now; empty if nothing does."""
    if simulator.selector.solver and simulator.root.is_proved:
        return "proved"
    if budget.simulations is not None and simulator.simulations >= budget.simulations:
        return "simulations"
    if budget.nodes is not None and simulator.nodes >= budget.nodes:
        return "nodes"
    if budget.time is not None and seconds >= budget.time:
        return "seconds"
    if interrupt.asked:
        return "interrupt"
    if budget.stop is not None and budget.stop():
        return "stop"
    return "settled" if budget.early and is_settled(simulator, budget, seconds) else ""


def is_settled(simulator: Simulator, budget: Budget, seconds: float) -> bool:
    """Whether the time that is left is too short for another action to become the most visited one."""
    if budget.time is None or seconds < 0.02 * budget.time or not simulator.root.children or simulator.root.mover == -1:
        return False
    visits = sorted((child.visits for child in simulator.root.children if not child.is_closed), reverse=True)
    return visits[0] - sum(visits[1:2]) > simulator.simulations * (budget.time - seconds) / seconds
