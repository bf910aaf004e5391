"""Where the nodes of a tree go: the tidy drawing of Reingold and Tilford, in Buchheim's linear time.

It promises, for nodes in the order of their siblings:

    nodes of one level do not overlap:  x[v] + right[v] + gap ≤ x[w] − left[w]   for neighbours v, w
    a parent stands midway between its first and its last child
    equal subtrees are drawn equally

Nothing recurses: trees may be thousands of plies deep.

C. Buchheim, M. Jünger, S. Leipert: Improving Walker's Algorithm to Run in Linear Time (2002). The names of the
contours follow the paper: inside and outside, minus for the left forest and plus for the right subtree.
"""

from __future__ import annotations

from collections.abc import Sequence


def tidy(
    children: Sequence[Sequence[int]], left: Sequence[float], right: Sequence[float], gap: float = 12.0
) -> list[float]:
    """The x of every node, the leftmost reaching to 0. `left` and `right` are how far each reaches from its x."""
    if not children:
        return []
    order = [0]
    for node in order:
        order.extend(children[node])
    forest = _Forest(children, left, right, gap)
    for node in reversed(order):
        forest.place_children(node)
    return forest.settle(order)


class _Forest:
    """The relative positions while the tree is put together from the bottom up."""

    def __init__(
        self, children: Sequence[Sequence[int]], left: Sequence[float], right: Sequence[float], gap: float
    ) -> None:
        count = len(children)
        self.children, self.left, self.right, self.gap = children, left, right, gap
        self.parent = [-1] * count
        self.rank = [0] * count
        for node, below in enumerate(children):
            for place, child in enumerate(below):
                self.parent[child], self.rank[child] = node, place
        self.prelim = [0.0] * count
        self.modifier = [0.0] * count
        self.shift = [0.0] * count
        self.change = [0.0] * count
        self.thread = [-1] * count
        self.ancestor = list(range(count))

    def place_children(self, node: int) -> None:
        """Puts the subtrees of `node`, each already drawn, side by side."""
        below = self.children[node]
        default = below[0] if below else -1
        for place, child in enumerate(below):
            middle = self._middle(child)
            if place:
                previous = below[place - 1]
                self.prelim[child] = self.prelim[previous] + self._distance(previous, child)
                self.modifier[child] = self.prelim[child] - middle
                default = self._apportion(child, below[place - 1], below[0], default)
            else:
                self.prelim[child] = middle
        moved = change = 0.0
        for child in reversed(below):
            self.prelim[child] += moved
            self.modifier[child] += moved
            change += self.change[child]
            moved += self.shift[child] + change

    def settle(self, order: Sequence[int]) -> list[float]:
        """Absolute positions from relative ones."""
        x = [0.0] * len(self.children)
        carried = [0.0] * len(self.children)
        x[order[0]] = self._middle(order[0])
        for node in order:
            for child in self.children[node]:
                x[child] = self.prelim[child] + carried[node]
                carried[child] = carried[node] + self.modifier[child]
        leftmost = min(x[node] - self.left[node] for node in order)
        return [each - leftmost for each in x]

    def _middle(self, node: int) -> float:
        below = self.children[node]
        return (self.prelim[below[0]] + self.prelim[below[-1]]) / 2 if below else 0.0

    def _distance(self, first: int, second: int) -> float:
        return self.right[first] + self.gap + self.left[second]

    def _next_left(self, node: int) -> int:
        below = self.children[node]
        return below[0] if below else self.thread[node]

    def _next_right(self, node: int) -> int:
        below = self.children[node]
        return below[-1] if below else self.thread[node]

    def _apportion(self, node: int, previous: int, first: int, default: int) -> int:
        """Moves the subtree of `node` clear of all those to its left; the new default ancestor."""
        inside_plus = outside_plus = node
        inside_minus, outside_minus = previous, first
        sum_inside_plus = sum_outside_plus = self.modifier[node]
        sum_inside_minus, sum_outside_minus = self.modifier[previous], self.modifier[first]
        while self._next_right(inside_minus) >= 0 and self._next_left(inside_plus) >= 0:
            inside_minus, inside_plus = self._next_right(inside_minus), self._next_left(inside_plus)
            outside_minus, outside_plus = self._next_left(outside_minus), self._next_right(outside_plus)
            self.ancestor[outside_plus] = node
            right_edge = self.prelim[inside_minus] + sum_inside_minus
            left_edge = self.prelim[inside_plus] + sum_inside_plus
            overlap = right_edge - left_edge + self._distance(inside_minus, inside_plus)
            if overlap > 0:
                self._move(self._greatest_left(inside_minus, node, default), node, overlap)
                sum_inside_plus += overlap
                sum_outside_plus += overlap
            sum_inside_minus += self.modifier[inside_minus]
            sum_inside_plus += self.modifier[inside_plus]
            sum_outside_minus += self.modifier[outside_minus]
            sum_outside_plus += self.modifier[outside_plus]
        if self._next_right(inside_minus) >= 0 and self._next_right(outside_plus) < 0:
            self.thread[outside_plus] = self._next_right(inside_minus)
            self.modifier[outside_plus] += sum_inside_minus - sum_outside_plus
        if self._next_left(inside_plus) >= 0 and self._next_left(outside_minus) < 0:
            self.thread[outside_minus] = self._next_left(inside_plus)
            self.modifier[outside_minus] += sum_inside_plus - sum_outside_minus
            return node
        return default

    def _greatest_left(self, inside_minus: int, node: int, default: int) -> int:
        """The sibling of `node` to whose subtree the contour node `inside_minus` belongs."""
        candidate = self.ancestor[inside_minus]
        return candidate if self.parent[candidate] == self.parent[node] else default

    def _move(self, sibling: int, node: int, distance: float) -> None:
        """Moves the subtree of `node` to the right and shares the new room among those in between."""
        share = distance / (self.rank[node] - self.rank[sibling])
        self.change[node] -= share
        self.shift[node] += distance
        self.change[sibling] += share
        self.prelim[node] += distance
        self.modifier[node] += distance
