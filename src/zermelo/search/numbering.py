"""The numbers of a trace's nodes: each position that is reached in a new way gets the next one.

A position that is searched again, by a deeper iteration or after a zero window, keeps its number. What is known of
every node is three small whole numbers; only the children of nodes on the path stand in dictionaries.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable

NOBODY = -1


class Numbering:
    """Numbers nodes by their parent and the way that leads from it: the action, and what sets the search apart."""

    def __init__(self) -> None:
        self._youngest = array("i")
        """Of each node, its child that was numbered last; from there the chain leads back to the first."""
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
