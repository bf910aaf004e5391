"""The recorder: what a search does, written down as the events of a trace.

A search calls it at each step. Scores arrive in the mover's view of the node they belong to, windows too; the
recorder shows them in MAX's view, or in the mover's if the search says so.

Each position that is reached in a new way gets the next number. One that is searched again, by a deeper iteration or
after a zero window, keeps its number.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable
from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, AnyGame, Tree
from zermelo.search.node import SearchNode
from zermelo.search.scores import Plain, Score
from zermelo.search.trace import Event, Packed, Trace

BESIDE = ("verification", "shallow search")
"""Why a position is searched another time, beside the search that it belongs to: these have numbers of their own."""
NOBODY = -1
"""The parent of the root."""


class Recorder:
    """Fills a `Trace` while a search runs."""

    def __init__(
        self,
        game: AnyGame,
        state: object,
        scores: Plain,
        name: str,
        *,
        view: str = "max",
        prune: bool = True,
        trace: bool | int | Packed = True,
    ):
        self.game = game
        self.state = state
        self.numbering = Numbering()
        header = {"trace": 1, "game": game.name, "algorithm": name, "position": game.write(state), "view": view}
        events = container(trace)
        self.trace = Trace(header, events)
        self.keep = events.append
        self.noted, self.most = 0, events.most
        self.repeats = 0
        """The number of events about to be repeated, which are recorded already."""
        self.prune = prune
        self.opposed = scores.opposed
        self.turns = view != "mover"
        """Whether what is in the mover's view has to be turned into MAX's."""
        self.value_of = scores.value

    def note(self, event: Event) -> None:
        """Records one event while there is room; the result is always recorded."""
        if self.repeats > 0:
            self.repeats -= 1
            return
        if self.noted < self.most or event["event"] == "result":
            self.keep(event)
        else:
            self.trace.header["truncated"] = True
        self.noted += 1

    def enter(self, node: SearchNode) -> None:
        parent = None if node.parent is None else node.parent.number
        kept_apart = node.mode if node.mode in ("null move", *BESIDE) else ""
        way = (node.action, kept_apart if node.action is None or kept_apart in BESIDE else "")
        node.number = self.numbering.number(node.ply, NOBODY if parent is None else parent, way)
        game = self.game
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

    def kind(self, node: SearchNode) -> str:
        if node.over:
            return "leaf"
        if node.player == CHANCE:
            return "chance"
        if not self.opposed:
            return "player"
        return "min" if node.flip else "max"

    def leaf(self, node: SearchNode, score: Score, reason: str) -> None:
        """`score` in MAX's view."""
        value = self.shown(node, -score if node.flip else score)
        self.note({"event": "leaf", "node": node.number, "value": value, "reason": reason})

    def value(self, node: SearchNode, child: SearchNode, score: Score, best: Score, improved: bool) -> None:
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

    def window(self, node: SearchNode, alpha: Score, beta: Score) -> None:
        alpha, beta = self.turned(node, alpha, beta)
        self.note({"event": "window", "node": node.number, "alpha": alpha, "beta": beta})

    def cutoff(self, node: SearchNode, reason: str, best: Score, bound: Score, skipped: list[object]) -> None:
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

    def outline(self, node: SearchNode, action: Any) -> dict[str, Any]:
        """An action that is not tried and, where the game is written down, what would have come after it."""
        game = self.game
        fields = {"action": plain(action), "label": game.show_action(node.state, action)}
        tree = game.subtree(game.result(node.state, action)) if isinstance(game, Tree) else None
        if tree is not None:  # one that is large is not written down
            fields["tree"] = tree
        return fields

    def origin(self, node: SearchNode, bound: Score) -> int | None:
        """The node whose best score is the bound that was met: the parent, or one further up (a deep cut-off)."""
        wanted = -bound if node.flip else bound
        above = node.parent
        while above is not None:
            if above.flip != node.flip and above.best == wanted:
                return above.number
            above = above.parent
        return None

    def table(self, node: SearchNode, score: Score, bound: str, depth: float, used: bool) -> None:
        """An entry of the transposition table, searched to `depth`, for `node`."""
        known = {"value": self.shown(node, score), "bound": self.bound_name(node, bound)}
        deep = None if depth == math.inf else depth
        self.note({"event": "table", "node": node.number, **known, "depth": deep, "used": used})

    def extend(self, node: SearchNode, reason: str) -> None:
        self.note({"event": "extend", "node": node.number, "reason": reason})

    def research(self, node: SearchNode, child: SearchNode, reason: str, alpha: Score, beta: Score) -> None:
        alpha, beta = self.turned(node, alpha, beta)
        told = {"child": child.number, "reason": reason, "alpha": alpha, "beta": beta}
        self.note({"event": "research", "node": node.number, **told})

    def leave(self, node: SearchNode, best: Score, alpha: Score, beta: Score) -> None:
        bound = "exact"
        if alpha is not None and self.prune:
            inside = "lower" if node.probing else "exact"
            bound = self.bound_name(node, "lower" if best >= beta else "upper" if best <= alpha else inside)
        self.note({"event": "leave", "node": node.number, "value": self.shown(node, best), "bound": bound})

    def iteration(self, depth: float) -> None:
        self.note({"event": "iteration", "node": 0, "depth": depth})

    def result(self, analysis: Analysis) -> None:
        game, state = self.game, self.state
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

    def shown(self, node: SearchNode, score: Score) -> Any:
        if score is None:
            return None
        if not self.opposed:
            return list(score)
        return self.value_of(-score if node.flip and self.turns else score)

    def turned(self, node: SearchNode, alpha: Score, beta: Score) -> tuple[Any, Any]:
        """A window in the mover's view, as the trace shows it."""
        if node.flip and self.turns:
            alpha, beta = beta, alpha
        return self.shown(node, alpha), self.shown(node, beta)

    def window_of(self, node: SearchNode) -> tuple[Any, Any]:
        """The window with which `node` is entered, which the node keeps in MAX's view."""
        if node.alpha is None:
            return None, None
        return self.turned(node, *node.window())

    def bound_name(self, node: SearchNode, bound: str) -> str:
        """A bound in the mover's view, named in the view of the trace."""
        if node.flip and self.turns:
            return {"lower": "upper", "upper": "lower"}.get(bound, bound)
        return bound


def is_wanted(trace: bool | int | Packed) -> bool:
    """Whether `trace` asks for a recording; an empty container does, too."""
    return isinstance(trace, Packed) or bool(trace)


def container(trace: bool | int | Packed) -> Packed:
    """The container for events: one limited to `trace` events, or `trace` itself, which others may read as it grows."""
    if isinstance(trace, Packed):
        return trace
    return Packed() if trace is True else Packed(most=trace)


def plain(value: object) -> Any:
    """`value` as JSON can hold it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "item"):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return str(value)


class Numbering:
    """Numbers nodes by their parent and the way that leads from it: the action, and what sets the search apart."""

    def __init__(self) -> None:
        self._youngest = array("i")
        """For each node, its child numbered last; a chain leads from there back to the first."""
        self._sibling = array("i")
        self._way = array("i")
        self._ways: dict[Hashable, int] = {}
        self._names: list[Hashable] = []
        self._families: list[tuple[int, dict[Hashable, int]]] = []
        """By ply: the parent that was asked about last, and its children."""

    def __len__(self) -> int:
        return len(self._way)

    def number(self, ply: int, parent: int, way: Hashable) -> int:
        """The number of the node at `ply` that `way` leads to from `parent`, which is `NOBODY` at the root."""
        families = self._families
        while len(families) <= ply:
            families.append((NOBODY - 1, {}))
        owner, family = families[ply]
        if owner != parent:
            family = self._recall(parent)
            families[ply] = parent, family
        number = family.get(way)
        if number is None:
            number = family[way] = self._add(parent, way)
        return number

    def _add(self, parent: int, way: Hashable) -> int:
        number = len(self._way)
        code = self._ways.get(way)
        if code is None:
            code = self._ways[way] = len(self._names)
            self._names.append(way)
        self._way.append(code)
        self._youngest.append(NOBODY)
        self._sibling.append(NOBODY if parent == NOBODY else self._youngest[parent])
        if parent != NOBODY:
            self._youngest[parent] = number
        return number

    def _recall(self, parent: int) -> dict[Hashable, int]:
        """The children that `parent` has already."""
        family = {}
        child = self._youngest[parent] if parent != NOBODY else NOBODY
        while child != NOBODY:
            family[self._names[self._way[child]]] = child
            child = self._sibling[child]
        return family
