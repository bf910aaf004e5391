"""What stands at the nodes of a tree at each step of a trace: status, window, value, best child, what is cut off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.search.trace.positions import Event, GameTree
from zermelo.search.trace.words import number


@dataclass(slots=True)
class Standing:
    """What is known of one position at one moment."""

    status: str = "unseen"
    """`unseen`, `open` (on the path), `done`, `pruned`, or `stale`: known from an earlier search of an ancestor."""
    alpha: Any = None
    beta: Any = None
    value: Any = None
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
        """Takes one step; the indices of the positions that look different after it."""
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
        """Pales what an earlier search left below `index`. Below a stale position everything is stale already."""
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
        """The principal line from the root on: as the result tells it, else by the best children."""
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
