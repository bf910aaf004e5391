"""What of a tree is drawn, how wide each node is, and where it stands.

A scene serves every step of a run: room is made for the widest text that a node ever carries, so that nothing moves
while one steps through it.
"""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zermelo.search.trace.layout import tidy
from zermelo.search.trace.model import Event, GameTree, Position, Replay, Standing, survey
from zermelo.search.trace.words import RELATIONS, clean, edges, number, shorten

NODE_LIMIT = 500
"""Nodes in a page that scrolls along with the search."""
PICTURE_LIMIT = 250
"""Nodes in a still picture, which has to be readable at a glance: about 1,500 SVG elements."""
SKIPPED_LIMIT = 3
"""Up to this many skipped siblings without known children are drawn one by one; more become one marker."""

REACH = 18.0
"""The distance from a triangle's centre to its edge, and about the width of a name inside it."""
MARGIN = 24.0
LEVEL = 92.0
SLOPE = 0.22
"""Wide families get longer edges: at least this much height for each unit of width."""
LABEL_AT = 0.64
"""The position of an action's label on its edge, from parent (0) to child (1)."""
LABEL_LENGTH = 16
NOTE_LENGTH = 32
SIZES = {"value": 13.0, "window": 11.0, "label": 11.0, "name": 11.5, "note": 10.0}


@dataclass(slots=True)
class Drawn:
    """One node of the drawing."""

    position: Position
    parent: int
    """The parent's place in the drawing; −1 at the root."""
    hidden: int = 0
    """The number of positions folded away below it."""
    bundle: int = 0
    """The number of skipped siblings that this marker stands for; 0 for a node."""
    children: list[int] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    value_width: float = 0.0
    """The widest value that the node ever shows."""
    window_width: float = 0.0
    note_width: float = 0.0
    ever_struck: bool = False


@dataclass(slots=True)
class Look:
    """The texts and classes of one node at one moment."""

    classes: str
    value: str = ""
    alpha: str = ""
    beta: str = ""
    note: str = ""


class Scene:
    """The drawing of one run, for all its steps."""

    def __init__(
        self,
        header: Mapping[str, object],
        events: Sequence[Event],
        limit: int = NODE_LIMIT,
        closed: frozenset[int] = frozenset(),
        sizes: Mapping[int, int] | None = None,
    ):
        """Draws at most `limit` nodes, and nothing below those that the trace calls by a number in `closed`.

        `sizes` says how many nodes there are at and below each one, where `events` do not speak of all of them.
        """
        self.tree: GameTree = survey(header, events)
        self.nodes: list[Drawn] = []
        self.places: list[int] = [-1] * len(self.tree.positions)
        """Where in the drawing each position is shown: itself, its bundle, or the ancestor it is folded into."""
        final = Replay(self.tree)
        for event in events:
            final.apply(event)
        self.closed = {self.tree.indices[number] for number in closed if number in self.tree.indices}
        self._choose(final, limit)
        if sizes:
            self._count_hidden(sizes)
        self.folded = sum(node.hidden for node in self.nodes)
        self._measure(events)
        self._arrange()

    # Which nodes are drawn.

    def _choose(self, final: Replay, limit: int) -> None:
        """Draws families whole, the principal line's first and then level by level, while there is room."""
        if not self.tree.positions:
            return
        self._add(self.tree.positions[0], -1)
        first: deque[int] = deque([0])
        later: deque[int] = deque()
        while first or later:
            place = first.popleft() if first else later.popleft()
            family = self._family(place)
            if len(self.nodes) + len(family) > limit or self.nodes[place].position.index in self.closed:
                self._fold(place)
                continue
            for positions in family:
                child = self._add(positions[0], place, positions)
                on_line = final.standings[positions[0].index].on_line
                (first if on_line else later).append(child)

    def _family(self, place: int) -> list[list[Position]]:
        """The children of a drawn node; many skipped ones without known children share a marker."""
        if self.nodes[place].bundle:
            return []
        children = [self.tree.positions[each] for each in self.nodes[place].position.children]
        unknown = [each for each in children if not (each.entered or each.children or each.kind == "leaf")]
        if len(unknown) <= SKIPPED_LIMIT:
            return [[each] for each in children]
        alone = [[each] for each in children if each not in unknown]
        return [*alone, unknown]

    def _add(self, position: Position, parent: int, bundle: list[Position] | None = None) -> int:
        place = len(self.nodes)
        size = len(bundle) if bundle and len(bundle) > 1 else 0
        self.nodes.append(Drawn(position, parent, bundle=size))
        for each in bundle or [position]:
            self.places[each.index] = place
        if parent >= 0:
            self.nodes[parent].children.append(place)
        return place

    def _fold(self, place: int) -> None:
        for index in self.tree.below(self.nodes[place].position.index):
            self.places[index] = place
            self.nodes[place].hidden += 1

    def _count_hidden(self, sizes: Mapping[int, int]) -> None:
        """Counts as hidden what a search has entered below a node and not below any of its children that are drawn."""
        numbers = {index: number for number, index in self.tree.indices.items()}
        known = [sizes.get(numbers.get(node.position.index, -1), 0) for node in self.nodes]
        for node, size in zip(self.nodes, known, strict=True):
            if size:
                node.hidden = size - 1 - sum(known[child] for child in node.children)

    # How a node looks.

    def look(self, place: int, replay: Replay) -> Look:
        """What the node at `place` shows at the moment of `replay`."""
        node = self.nodes[place]
        standing = replay.standings[node.position.index]
        if node.bundle:
            return Look(" ".join(self._classes(node, standing, replay)), f"{node.bundle} more")
        look = Look(" ".join(self._classes(node, standing, replay)), _value_text(standing))
        look.note = shorten(clean(standing.note), NOTE_LENGTH)
        if self.tree.windows and node.position.kind != "leaf":
            look.alpha, look.beta = edges(standing.alpha, standing.beta)
        return look

    def _classes(self, node: Drawn, standing: Standing, replay: Replay) -> list[str]:
        position = node.position
        classes = [standing.status]
        if position.parent >= 0 and replay.standings[position.parent].best == position.index:
            classes.append("best")
        if standing.struck:
            classes.append("struck")
        if standing.on_line:
            classes.append("line")
        return classes

    # Size and position.

    def _measure(self, events: Sequence[Event]) -> None:
        replay = Replay(self.tree)
        for event in events:
            for index in replay.apply(event):
                place = self.places[index]
                node = self.nodes[place]
                if node.position.index != index:
                    continue
                look = self.look(place, replay)
                bounds = max(measure(look.alpha, "window"), measure(look.beta, "window"))
                node.value_width = max(node.value_width, measure(look.value, "value"))
                node.window_width = max(node.window_width, bounds + 14 if bounds else 0)
                node.note_width = max(node.note_width, measure(look.note, "note"))
                node.ever_struck |= replay.standings[index].struck

    def _arrange(self) -> None:
        """Gives every node its x and y."""
        children = [node.children for node in self.nodes]
        reaches = [self.reach(node) for node in self.nodes]
        xs = tidy(children, [left for left, _ in reaches], [right for _, right in reaches])
        widest: dict[int, float] = {}
        for node, x in zip(self.nodes, xs, strict=True):
            node.x = round(x + MARGIN, 1)
            if node.parent >= 0:
                ply = node.position.ply
                widest[ply] = max(widest.get(ply, 0.0), abs(node.x - self.nodes[node.parent].x))
        heights = {0: MARGIN + REACH}
        for node in self.nodes:
            ply = node.position.ply
            if ply not in heights:
                # No steeper than four levels: a chess root must not send its children off the screen.
                heights[ply] = heights[ply - 1] + min(max(LEVEL, SLOPE * widest[ply]), 3 * LEVEL)
            node.y = round(heights[ply], 1)
        self.width = max((node.x + right for node, (_, right) in zip(self.nodes, reaches, strict=True)), default=0)
        self.width += MARGIN
        feet = [node.y + (2.4 if node.hidden else 1.0) * REACH for node in self.nodes]
        self.height = max(feet, default=0) + MARGIN

    def reach(self, node: Drawn) -> tuple[float, float]:
        """The extent of a node's shape and texts to the left and to the right."""
        label = measure(self.label(node), "label") / 2 / LABEL_AT
        if node.position.kind == "leaf" or node.bundle or not node.position.kind:
            half = self.half_width(node)
            return max(half, label), max(half, label)
        outside = 0.0 if self.name_fits(node.position) else measure(self.name(node.position), "name")
        left = REACH + max(outside, node.note_width) + (8 if outside or node.note_width else 0)
        right = REACH + 10 + max(node.value_width, node.window_width)
        return max(left, label), max(right, label)

    def half_width(self, node: Drawn) -> float:
        """Half the width of a box: of a leaf, or of a marker for what was skipped."""
        return max(14.0, node.value_width / 2 + 6) if node.position.kind or node.bundle else 9.0

    def label(self, node: Drawn) -> str:
        """The action on the edge to a node, with its probability below a chance node."""
        if node.bundle:
            return ""
        chance = "" if node.position.probability is None else number(node.position.probability)
        return " · ".join(filter(None, (shorten(node.position.label, LABEL_LENGTH), chance)))

    def name(self, position: Position) -> str:
        return shorten(position.name, LABEL_LENGTH)

    def name_fits(self, position: Position) -> bool:
        """Whether the name can stand inside the shape; a player's number has the place already."""
        return position.kind != "player" and measure(position.name, "name") <= REACH


def _value_text(standing: Standing) -> str:
    relation = RELATIONS.get(standing.bound, "=") if standing.status in ("done", "stale") else "="
    text = number(standing.value)
    return f"{relation} {text}" if text and relation != "=" else text


def measure(text: str, kind: str) -> float:
    """An upper estimate of the width of `text`; the font depends on the reader's system."""
    wide = sum(1 for each in text if unicodedata.east_asian_width(each) in "WF")
    narrow = sum(1 for each in text if each in " .,·|'il()")
    return SIZES[kind] * (0.62 * (len(text) - wide - narrow) + 1.02 * wide + 0.36 * narrow)
