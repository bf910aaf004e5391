"""Where the last action went: the places of the board that it touched, and what is new in them.

An action names places as they are called where it is made. After it they may be called otherwise, as the points of a
backgammon board, which each player counts from its own side: what counts is where they are in the picture.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from zermelo.game import CHANCE, Game
from zermelo.studio.views.board import draw, list_places, ways_of

Touched = list[tuple[str, int]]
"""Places by name, each with the number of the element there that is meant: of several, as in a column, one is new."""
TOP = -1
"""The element that lies on top."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Spot(NamedTuple):
    """Where an element is: around a point, after its transformations."""

    moved: str
    x: float
    y: float
    reach: float

    def is_at(self, other: Spot) -> bool:
        apart = math.hypot(self.x - other.x, self.y - other.y)
        return self.moved == other.moved and apart <= min(self.reach, other.reach)


def last_touched(
    game: Game, course: Sequence[tuple[Any, int, Any]], picture: str, viewer: int | None = None
) -> Touched:
    """What the last action of `course` (states, who acted there, and how) touched on the board that `picture` shows.

    Dice that go nowhere leave the board as the action before them did; an action of a player that goes nowhere, such as
    a pass, touches nothing.
    """
    if not list_places(picture):
        return []
    for state, mover, action in reversed(course):
        before = draw(game, state, viewer)
        ways = ways_of(game, state, action, list_places(before))
        if ways or mover != CHANCE:
            return find_touched(before, picture, chain(*ways[0]) if ways else ())
    return []


def find_touched(before: str, after: str, places: Iterable[str]) -> Touched:
    """The `places` of the picture `before`, as they are called in the picture `after`, each with what is new there."""
    old, new = list_elements(before), list_elements(after)
    found: Touched = []
    for name, count in Counter(places).items():
        called = find_again(name, old, new)
        if called is not None:
            looks = [write_look(each) for each in old.get(name, ())]
            fresh = [number for number, each in enumerate(new[called]) if write_look(each) not in looks]
            found += [(called, number) for number in fresh[:count]] or [(called, TOP)]
    return found


def find_again(name: str, old: dict[str, list[Element]], new: dict[str, list[Element]]) -> str | None:
    """What the place `name` of the `old` picture is called in the `new` one, if it is there."""
    here = find_spot(old[name][0]) if name in old else None
    if here is None:  # drawn in a way of its own: the name has to do
        return name if name in new else None
    called = [each for each in (name, *new) if each in new]
    return next((each for each in called if (there := find_spot(new[each][0])) and there.is_at(here)), None)


def list_elements(picture: str) -> dict[str, list[Element]]:
    """The elements of each place; none if `picture` is no XML."""
    found: dict[str, list[Element]] = {}
    try:
        root = ElementTree.fromstring(picture)
    except ElementTree.ParseError:
        return found
    for each in root.iter():
        if (name := each.get("data-at")) is not None:
            found.setdefault(name, []).append(each)
    return found


def write_look(element: Element) -> tuple[Any, ...]:
    """All that is drawn by an element, whatever the place is called."""
    own = sorted((key, value) for key, value in element.attrib.items() if not key.startswith("data-"))
    return (element.tag, own, element.text, [write_look(each) for each in element])


def find_spot(element: Element) -> Spot | None:
    """Where the first thing is that an element draws: in a group, the ground on which its piece stands."""
    moved = ""
    for each in element.iter():
        moved += each.get("transform", "")
        found = find_box(each)
        if found is not None:
            left, top, right, bottom = found
            return Spot(moved, (left + right) / 2, (top + bottom) / 2, min(right - left, bottom - top) / 2)
    return None


def find_box(element: Element) -> tuple[float, float, float, float] | None:
    """Left, top, right and bottom of a simple shape."""
    kind = element.tag.rpartition("}")[2]

    def number(name: str) -> float:
        found = NUMBER.match(element.get(name, ""))
        return float(found[0]) if found else 0.0

    if kind in ("circle", "ellipse"):
        x, y = number("cx"), number("cy")
        wide, high = (number("r"),) * 2 if kind == "circle" else (number("rx"), number("ry"))
        return x - wide, y - high, x + wide, y + high
    if kind == "rect":
        return number("x"), number("y"), number("x") + number("width"), number("y") + number("height")
    points = [float(each) for each in NUMBER.findall(element.get("points", ""))]
    if kind == "polygon" and len(points) > 1:
        across, down = points[::2], points[1::2]
        return min(across), min(down), max(across), max(down)
    return None
