"""The recorder: what a search does, written down as the events of a trace.

The loop calls it at each step. Scores arrive in the mover's view of the node they belong to, windows too; the
recorder shows them in MAX's view, or in the mover's if the recipe says so.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Tree
from zermelo.search.numbering import NOBODY, Numbering
from zermelo.search.scores import Score
from zermelo.search.trace import Event, Packed, Trace

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node
    from zermelo.search.table import Entry


class Recorder:
    """Fills a `Trace` while a search runs."""

    def __init__(self, loop: Loop, state: Any, trace: bool | int | Packed = True):
        self.loop = loop
        self.numbering = Numbering()
        header = {
            "trace": 1,
            "game": loop.game.name,
            "algorithm": loop.recipe.name,
            "position": loop.game.write(state),
            "view": loop.recipe.view,
        }
        events = container(trace)
        self.trace = Trace(header, events)
        self.keep = events.append
        self.kept, self.most = 0, events.most
        self.opposed = loop.scores.opposed
        self.turns = loop.recipe.view != "mover"
        """Whether what is in the mover's view has to be turned into MAX's."""
        self.value_of = loop.scores.value

    def note(self, event: Event) -> None:
        """Keeps one event, as long as there is room; the result is always kept."""
        if self.kept < self.most or event["event"] == "result":
            self.kept += 1
            self.keep(event)
        else:
            self.trace.header["truncated"] = True

    def enter(self, node: Node) -> None:
        parent = None if node.parent is None else node.parent.number
        kept_apart = node.mode if node.mode in ("null move", "verification") else ""
        way = (node.action, kept_apart if node.action is None or kept_apart == "verification" else "")
        node.number = self.numbering.number(node.ply, NOBODY if parent is None else parent, way)
        game = self.loop.game
        alpha, beta = self.window_of(node)
        label = ""
        if node.parent is not None:
            label = "pass" if node.action is None else game.show_action(node.parent.state, node.action)
        event: Event = {
            "event": "enter",
            "node": node.number,
            "parent": parent,
            "action": plain(node.action),
            "label": label,
            "kind": self.kind(node),
            "player": None if node.over else node.player,
            "name": game.node_name(node.state) if isinstance(game, Tree) else "",
            "ply": node.ply,
            "depth": None if node.depth == math.inf else node.depth,
            "alpha": alpha,
            "beta": beta,
            "mode": node.mode,
        }
        if node.probability is not None:
            event["probability"] = node.probability
        self.note(event)

    def kind(self, node: Node) -> str:
        if node.over:
            return "leaf"
        if node.player == CHANCE:
            return "chance"
        if not self.opposed:
            return "player"
        return "min" if node.flip else "max"

    def leaf(self, node: Node, score: Score, reason: str) -> None:
        """`score` in MAX's view."""
        value = self.shown(node, -score if node.flip else score)
        self.note({"event": "leaf", "node": node.number, "value": value, "reason": reason})

    def value(self, node: Node, child: Node, score: Score, best: Score, improved: bool) -> None:
        self.note(
            {
                "event": "value",
                "node": node.number,
                "child": child.number,
                "value": self.shown(node, score),
                "best": self.shown(node, best),
                "improved": improved,
            }
        )

    def window(self, node: Node, alpha: Score, beta: Score) -> None:
        alpha, beta = self.turned(node, alpha, beta)
        self.note({"event": "window", "node": node.number, "alpha": alpha, "beta": beta})

    def cutoff(self, node: Node, reason: str, best: Score, bound: Score, skipped: list[Any]) -> None:
        self.note(
            {
                "event": "cutoff",
                "node": node.number,
                "reason": reason,
                "value": self.shown(node, best),
                "bound": self.shown(node, bound),
                "bound_from": self.origin(node, bound),
                "skipped": [self.outline(node, a) for a in skipped],
            }
        )

    def outline(self, node: Node, action: Any) -> dict[str, Any]:
        """An action that is not tried and, where the game is written down, what would have come after it."""
        game = self.loop.game
        fields = {"action": plain(action), "label": game.show_action(node.state, action)}
        tree = game.subtree(game.result(node.state, action)) if isinstance(game, Tree) else None
        if tree is not None:  # one that is large is not written down
            fields["tree"] = tree
        return fields

    def origin(self, node: Node, bound: Score) -> int | None:
        """The node whose best score is the bound that was met: the parent, or one further up (a deep cut-off)."""
        wanted = -bound if node.flip else bound
        above = node.parent
        while above is not None:
            if above.flip != node.flip and above.best == wanted:
                return above.number
            above = above.parent
        return None

    def table(self, node: Node, score: Score, entry: Entry, used: bool) -> None:
        depth = None if entry.depth == math.inf else entry.depth
        bound = self.bound_name(node, entry.bound)
        value = self.shown(node, score)
        self.note({"event": "table", "node": node.number, "value": value, "bound": bound, "depth": depth, "used": used})

    def extend(self, node: Node, reason: str) -> None:
        self.note({"event": "extend", "node": node.number, "reason": reason})

    def research(self, node: Node, child: Node, reason: str, alpha: Score, beta: Score) -> None:
        alpha, beta = self.turned(node, alpha, beta)
        told = {"child": child.number, "reason": reason, "alpha": alpha, "beta": beta}
        self.note({"event": "research", "node": node.number, **told})

    def leave(self, node: Node, best: Score, alpha: Score, beta: Score) -> None:
        bound = "exact"
        if alpha is not None and self.loop.recipe.prune:
            inside = "lower" if node.probing else "exact"
            bound = self.bound_name(node, "lower" if best >= beta else "upper" if best <= alpha else inside)
        self.note({"event": "leave", "node": node.number, "value": self.shown(node, best), "bound": bound})

    def iteration(self, depth: float) -> None:
        self.note({"event": "iteration", "node": 0, "depth": depth})

    def result(self, analysis: Analysis) -> None:
        game, state = self.loop.game, self.loop.state
        labels = []
        for action in analysis.line:
            labels.append(game.show_action(state, action))
            state = game.result(state, action)
        value = analysis.value if self.opposed else analysis.values
        self.note(
            {
                "event": "result",
                "node": 0,
                "value": plain(value),
                "action": plain(analysis.action),
                "label": labels[0] if labels else "",
                "line": labels,
                "nodes": analysis.nodes,
                "leaves": analysis.leaves,
                "cutoffs": analysis.cutoffs,
                "exact": analysis.exact,
                "stopped": analysis.stopped,
            }
        )

    # From a mover's view to the view of the trace.

    def shown(self, node: Node, score: Score) -> Any:
        if score is None:
            return None
        if not self.opposed:
            return list(score)
        return self.value_of(-score if node.flip and self.turns else score)

    def turned(self, node: Node, alpha: Score, beta: Score) -> tuple[Any, Any]:
        """A window in the mover's view, as the trace shows it."""
        if node.flip and self.turns:
            alpha, beta = beta, alpha
        return self.shown(node, alpha), self.shown(node, beta)

    def window_of(self, node: Node) -> tuple[Any, Any]:
        """The window with which `node` is entered, which the node keeps in MAX's view."""
        if node.alpha is None:
            return None, None
        alpha, beta = (-node.beta, -node.alpha) if node.flip else (node.alpha, node.beta)
        return self.turned(node, alpha, beta)

    def bound_name(self, node: Node, bound: str) -> str:
        """A bound in the mover's view, named in the view of the trace."""
        if node.flip and self.turns:
            return {"lower": "upper", "upper": "lower"}.get(bound, bound)
        return bound


def is_wanted(trace: bool | int | Packed) -> bool:
    """Whether `trace` asks for a recording; a container does, empty as it is."""
    return isinstance(trace, Packed) or bool(trace)


def container(trace: bool | int | Packed) -> Packed:
    """What takes the events: as many as `trace` says, or `trace` itself, which somebody may look at while it grows."""
    if isinstance(trace, Packed):
        return trace
    return Packed() if trace is True else Packed(most=trace)


def plain(value: Any) -> Any:
    """`value` as JSON can hold it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return str(value)
