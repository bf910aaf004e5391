"""What simulations do, written down as the events of a trace."""

from __future__ import annotations

from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Tree
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.mcts.tree import MctsNode
from zermelo.search.recorder import container, plain
from zermelo.search.trace import Packed, Trace


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

    def note(self, event: str, node: int, **fields: Any) -> None:
        """Keeps one event, as long as there is room; the result is always kept."""
        if len(self.events) < self.events.most or event == "result":
            self.events.append({"event": event, "node": node, **fields})
        else:
            self.trace.header["truncated"] = True

    def enter(self, node: MctsNode, parent: MctsNode | None, before: Any, state: Any) -> None:
        """The tree gets `node`, whose position is `state`."""
        node.number = self.entered
        self.entered += 1
        game = self.game
        fields: dict[str, Any] = {
            "parent": None if parent is None else parent.number,
            "action": plain(node.action),
            "label": "" if parent is None else game.show_action(before, node.action),
            "kind": self.kind(node),
            "player": None if node.settled is not None else node.mover,
            "name": game.node_name(state) if isinstance(game, Tree) else "",
        }
        if parent is not None and parent.mover == CHANCE:
            fields["probability"] = node.prior
        self.note("enter", node.number, **fields)

    def kind(self, node: MctsNode) -> str:
        if node.settled is not None:
            return "leaf"
        if node.mover == CHANCE:
            return "chance"
        if not self.opposed:
            return "player"
        return "max" if node.mover == self.maximiser else "min"

    def select(self, node: MctsNode, child: MctsNode, state: Any, below: Any) -> None:
        """The simulation goes from `node` to `child`, which may be new."""
        if node is self.simulator.root:
            self.note("simulation", 0, count=self.simulator.simulations + 1)
        if child.number < 0:
            self.enter(child, node, state, below)
            return
        score = None
        if node.mover != CHANCE:
            choose = self.simulator.selector
            score = (choose.puct if self.simulator.settings.puct else choose.uct)(node)(child)
        self.note("select", node.number, child=child.number, visits=child.visits, score=plain(score))

    def playout(self, node: MctsNode, utilities: list[float], reason: str, plies: int) -> None:
        """The simulation ends below `node`."""
        self.note("playout", node.number, value=self.shown(utilities), reason=reason, plies=plies)

    def back_up(self, node: MctsNode) -> None:
        """`node` has taken in the value of a simulation."""
        means = [total / node.visits for total in node.sums]
        fields: dict[str, Any] = {"value": self.shown(means), "visits": node.visits, "proved": False}
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

    def shown(self, utilities: list[float]) -> Any:
        """Utilities in MAX's view; every player's where nobody's gain is another's loss."""
        return utilities[self.maximiser] if self.opposed else list(utilities)
