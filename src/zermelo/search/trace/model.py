"""The tree of a run, and how each of its nodes stands after some steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo.game.tree import read_branch
from zermelo.search.trace.schema import encode_action
from zermelo.search.trace.words import clean, number

Event = dict[str, Any]


@dataclass(slots=True)
class Position:
    """One position of the game tree: entered by the search, or only known because it was skipped."""

    index: int
    parent: int
    """The parent's index; −1 at the root."""
    ply: int
    action: object = None
    label: str = ""
    kind: str = ""
    player: int | None = None
    name: str = ""
    probability: float | None = None
    entered: bool = False
    payoff: object = None
    """The utility of a skipped end, known only if the game is an explicit tree."""
    children: list[int] = field(default_factory=list)


class GameTree:
    """All positions of a trace. `indices` maps the trace's node numbers, which skipped positions lack."""

    def __init__(self, header: Mapping[str, Any]):
        self.positions: list[Position] = []
        self.indices: dict[int, int] = {}
        self.view: str = header.get("view") or "max"
        self.windows = False
        """Whether any bound is finite: in plain minimax all windows are open and not worth showing."""
        self.maximiser = 0
        """Who is MAX: the player to move at the root."""
        self._by_action: dict[tuple[int, object], int] = {}
        self._by_label: dict[tuple[int, str], int] = {}

    def at(self, number: int) -> Position:
        """The position that the trace calls `number`."""
        return self.positions[self.indices[number]]

    def find(self, parent: int, action: object, label: str = "") -> int:
        """The child of `parent` by an action, known by itself or by its label; −1 if there is none."""
        action = encode_action(action)
        index = -1 if action is None else self._by_action.get((parent, action), -1)
        if index < 0 and label:
            index = self._by_label.get((parent, label), -1)
            # Two actions may have one label; only where one of the two is not known does the label decide.
            if index >= 0 and action is not None and self.positions[index].action is not None:
                return -1
        return index

    def place(self, parent: int, action: object, label: str) -> int:
        """The child of `parent` by an action, made if it is new: it may be entered, skipped, or both in turn."""
        action = encode_action(action)
        index = self.find(parent, action, label)
        if index < 0:
            index = len(self.positions)
            shown = clean(label if label or action is None else action)
            ply = self.positions[parent].ply + 1 if parent >= 0 else 0
            self.positions.append(Position(index, parent, ply, action, shown))
            if parent >= 0:
                self.positions[parent].children.append(index)
            if action is not None:
                self._by_action[parent, action] = index
            if label:
                self._by_label.setdefault((parent, label), index)
        return index

    def skipped(self, event: Event) -> list[int]:
        """The indices of the positions that a cut-off skips."""
        parent = self.indices[event["node"]]
        return [self.place(parent, each.get("action"), each.get("label") or "") for each in event.get("skipped") or ()]

    def below(self, index: int) -> Iterable[int]:
        """Every position below `index`, excluding itself."""
        pending = list(self.positions[index].children)
        while pending:
            each = pending.pop()
            yield each
            pending.extend(self.positions[each].children)


def survey(header: Mapping[str, object], events: Iterable[Event]) -> GameTree:
    """The whole tree that `events` describe."""
    tree = GameTree(header)
    for event in events:
        kind = event["event"]
        if kind == "enter":
            _note_entered(tree, event)
        elif kind == "cutoff":
            for index, skip in zip(tree.skipped(event), event.get("skipped") or (), strict=True):
                if "tree" in skip and not tree.positions[index].children:
                    _note_subtree(tree, index, skip["tree"])
        bounds = [event.get(name) for name in ("alpha", "beta")]
        tree.windows |= any(bound is not None and abs(bound) < float("inf") for bound in bounds)
    _guess_kinds(tree)
    return tree


def _note_entered(tree: GameTree, event: Event) -> None:
    number = event["node"]
    if number in tree.indices:
        return
    parent = event.get("parent")
    index = tree.place(-1 if parent is None else tree.indices[parent], event.get("action"), event.get("label") or "")
    position = tree.positions[index]
    position.entered = True
    position.label = position.label or clean(event.get("label") or "")
    position.kind = event.get("kind") or ""
    position.player = event.get("player")
    position.name = clean(event.get("name") or "")
    position.probability = event.get("probability")
    tree.indices[number] = index
    if index == 0 and position.player in (0, 1):
        # A part of a run may begin where MIN moves.
        tree.maximiser = 1 - position.player if position.kind == "min" else position.player


def _note_subtree(tree: GameTree, top: int, data: object) -> None:
    """Adds the skipped subtree `data`, written as `zermelo.game.Tree` writes trees, at the position `top`."""
    above = tree.positions[tree.positions[top].parent]
    other = 1 - tree.maximiser
    pending = [(top, data, other if above.kind == "max" else tree.maximiser)]
    while pending:
        index, written, turn = pending.pop()
        branch = read_branch(written, turn)
        position = tree.positions[index]
        position.name = position.name or clean(branch.name)
        if branch.mover is None:
            position.kind = "leaf"
            position.payoff = _payoff(tree, branch.payoffs)
            continue
        position.player = branch.mover
        if above.kind == "player" and branch.mover >= 0:
            position.kind = "player"
        else:
            position.kind = {tree.maximiser: "max", other: "min", -1: "chance"}.get(branch.mover, "player")
        following = 1 - branch.mover if branch.mover in (0, 1) else turn
        for action, child in enumerate(branch.children):
            below = tree.positions[tree.place(index, action, branch.labels[action] if branch.labels else "")]
            below.label = clean(branch.labels[action]) if branch.labels else ""
            below.probability = branch.probabilities[action] if branch.probabilities else None
            pending.append((below.index, child, following))


def _payoff(tree: GameTree, payoffs: tuple[float, ...]) -> Any:
    """What an end is worth: to MAX, or to every player where there are more than two."""
    if len(payoffs) == 1:
        return -payoffs[0] if tree.maximiser == 1 else payoffs[0]
    return payoffs[tree.maximiser] if len(payoffs) == 2 else list(payoffs)


def _guess_kinds(tree: GameTree) -> None:
    """Fills in what a student's file leaves out: MAX and MIN take turns, and what has no children is a leaf."""
    for position in tree.positions:
        if position.kind or not (position.entered or position.children):
            continue
        above = tree.positions[position.parent].kind if position.parent >= 0 else "min"
        position.kind = ("min" if above == "max" else "max") if position.children else "leaf"


@dataclass(slots=True)
class Standing:
    """What is known of one position at one moment."""

    status: str = "unseen"
    """`unseen`, `open` (on the path), `done`, `pruned`, or `stale`: known from an earlier search of an ancestor."""
    alpha: object = None
    beta: object = None
    value: object = None
    bound: str = "exact"
    best: int = -1
    """The child whose value counts, or −1."""
    struck: bool = False
    """Whether the branch to it is cut off."""
    on_line: bool = False
    """Whether it lies on the principal line, once the search is over."""
    note: str = ""
    visited: bool = False
    """Whether the search has entered it yet."""


class Replay:
    """The tree at one moment of a trace."""

    def __init__(self, tree: GameTree):
        self.tree = tree
        self.standings = [Standing() for _ in tree.positions]
        self.current = -1
        """The index of the position that the last event was about."""

    def apply(self, event: Event) -> set[int]:
        """Takes one step; returns the indices of the positions whose look changes."""
        if event["node"] not in self.tree.indices:
            return set()
        index = self.tree.indices[event["node"]]
        self.current = index
        step = getattr(self, f"_{event['event']}", None)
        changed: set[int] = step(index, self.standings[index], event) if step else set()
        return changed

    def _enter(self, index: int, standing: Standing, event: Event) -> set[int]:
        changed = {index, *self._make_stale(index)}
        note = event.get("mode") or ""
        fresh = Standing("open", event.get("alpha"), event.get("beta"), note=note, visited=True)
        self.standings[index] = fresh
        if standing.best >= 0:
            changed.add(standing.best)
        return changed

    def _make_stale(self, index: int) -> set[int]:
        """Marks what an earlier search left below `index` as stale. Below a stale position everything already is."""
        changed = set()
        pending = list(self.tree.positions[index].children)
        while pending:
            each = pending.pop()
            standing = self.standings[each]
            if standing.status in ("unseen", "stale"):
                continue
            standing.status = "stale" if standing.visited else "unseen"
            standing.struck = standing.on_line = False
            changed.add(each)
            pending.extend(self.tree.positions[each].children)
        return changed

    def _leaf(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.value = event["value"]
        reason = event.get("reason") or ""
        if reason == "stand pat":
            standing.note = reason
        else:
            standing.status = "done"
            standing.note = reason if reason == "repetition" else standing.note
        return {index}

    def _value(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.value = event["best"] if event.get("best") is not None else event["value"]
        changed = {index}
        if event.get("improved") is not False and self.tree.positions[index].kind != "chance":
            changed.update({standing.best} - {-1})
            standing.best = self.tree.indices[event["child"]]
            changed.add(standing.best)
        return changed

    def _window(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.alpha, standing.beta = event["alpha"], event["beta"]
        return {index}

    def _cutoff(self, index: int, standing: Standing, event: Event) -> set[int]:
        changed = {index}
        if event.get("value") is not None:
            standing.value = event["value"]
        for top in self.tree.skipped(event):
            self._prune(top)
            self.standings[top].struck = True
            changed.add(top)
            if not self.standings[top].visited:
                for each in self.tree.below(top):
                    self._prune(each)
                    changed.add(each)
        return changed

    def _prune(self, index: int) -> None:
        standing = self.standings[index]
        standing.status = "pruned"
        if not standing.visited:
            standing.value = self.tree.positions[index].payoff

    def _table(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.note = "table"
        if event.get("used"):
            standing.value = event.get("value")
            standing.bound = event.get("bound") or "exact"
            standing.status = "done"
        return {index}

    def _extend(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.note = "+1 ply"
        return {index}

    def _research(self, index: int, standing: Standing, event: Event) -> set[int]:
        child = self.tree.indices[event["child"]]
        self.standings[child].note = "again"
        return {child}

    def _leave(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.value = event["value"]
        standing.bound = event.get("bound") or "exact"
        standing.status = "done"
        return {index}

    def _front(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.status = "done"
        standing.note = " or ".join(number(each) for each in event["vectors"][:2])
        standing.note += " or more" if len(event["vectors"]) > 2 else ""
        return {index}

    def _select(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.status = "open"
        return {index}

    def _playout(self, index: int, standing: Standing, event: Event) -> set[int]:
        standing.note = event.get("reason") or "playout"
        return {index}

    def _backup(self, index: int, standing: Standing, event: Event) -> set[int]:
        visits = "" if event.get("visits") is None else f"×{event['visits']}"
        standing.status = "done"
        standing.value, standing.note = event["value"], visits
        if event.get("worth") is not None:  # a proof counts for more than the mean of what was tried on the way to it
            standing.value = event["worth"]
            standing.note = f"proved, mean {number(event['value'])} {visits}".rstrip()
        return {index}

    def _result(self, index: int, standing: Standing, event: Event) -> set[int]:
        line = [index, *self._find_line(index, event)]
        for each in line:
            self.standings[each].on_line = True
        return set(line)

    def _find_line(self, index: int, event: Event) -> Iterable[int]:
        """The principal line from the root on: from the result event, else by the best children."""
        if event.get("line") is None:
            while (index := self.standings[index].best) >= 0:
                yield index
            return
        for told in event["line"]:
            by_label = self.tree.find(index, None, told) if isinstance(told, str) else -1
            index = by_label if by_label >= 0 else self.tree.find(index, told)
            if index < 0:
                return
            yield index
