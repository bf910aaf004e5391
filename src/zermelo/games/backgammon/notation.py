"""Plays of backgammon as people write them: `8/5 6/5`, `bar/24*`, `6/off(2)`, `13/8*/5`.

Steps of one chequer are drawn together where it hits nothing on the way, and equal ones are counted. Where a play must
be one word, a comma stands for the blank.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from zermelo.games.backgammon.board import BAR, POINTS, ChequerStep, steps_of

NO_PLAY = "no-play"
_NAMES = {BAR: "bar", -1: "off"}
_POINT = r"(?:bar|off|\d{1,2})"
_WAY = re.compile(rf"({_POINT}(?:\*?/{_POINT})+\*?)(?:\((\d)\))?", re.IGNORECASE)
_NO_PLAY = re.compile(r"\(?(?:no|cannot|can't)[ _-]?(?:play|move)s?\)?", re.IGNORECASE)


class Way(NamedTuple):
    """What one chequer does in a play: the points it touches, and on which of them it hits."""

    points: tuple[int, ...]
    hits: tuple[bool, ...]
    """For all but the first."""


def ways_of(action: int, other: tuple[int, ...]) -> list[Way]:
    """The ways of the chequers of a play; `other` is where the opponent stands, in its own count."""
    blots = {POINTS - 1 - point for point in range(POINTS) if other[point] == 1}
    ways: list[Way] = []
    for step in sorted(steps_of(action), key=lambda step: -step.start) if _is_double(action) else steps_of(action):
        hit = step.to in blots
        blots.discard(step.to)
        longer = next((way for way in ways if way.points[-1] == step.start), None)
        if longer is None:
            ways.append(Way((step.start, step.to), (hit,)))
        else:
            ways[ways.index(longer)] = Way((*longer.points, step.to), (*longer.hits, hit))
    return [_shortened(way) for way in ways]


def _is_double(action: int) -> bool:
    dice = [action >> 8 * i + 5 & 7 for i in range(4)]
    return dice[1] == dice[0]


def _shortened(way: Way) -> Way:
    """Without the points on which nothing happens."""
    kept = [i for i in range(1, len(way.points)) if way.hits[i - 1] or i == len(way.points) - 1]
    return Way((way.points[0], *(way.points[i] for i in kept)), tuple(way.hits[i - 1] for i in kept))


def write_play(action: int, other: tuple[int, ...]) -> str:
    """The play, its parts from the highest point on, with blanks between them."""
    counted = Counter(ways_of(action, other))
    parts = []
    for way, count in sorted(counted.items(), key=lambda item: item[0].points, reverse=True):
        names = [_name(way.points[0])]
        names += [_name(point) + "*" * hit for point, hit in zip(way.points[1:], way.hits, strict=True)]
        parts.append("/".join(names) + (f"({count})" if count > 1 else ""))
    return " ".join(parts)


def _name(point: int) -> str:
    return _NAMES.get(point, str(point + 1))


def find_plays(text: str, legal: Iterable[int], own: tuple[int, ...], other: tuple[int, ...]) -> list[int]:
    """Those of the legal plays that `text` may mean: one, if it is a play."""
    actions = list(legal)
    words = text.replace(",", " ").split()
    if _NO_PLAY.fullmatch(" ".join(words)):
        return [a for a in actions if a == 0]
    found = [_WAY.fullmatch(word) for word in words]
    if not words or not all(found):
        return []
    after, marks = list(own), set()
    for way in found:
        assert way is not None
        points = [_read_point(name.rstrip("*")) for name in way[1].split("/")]
        if None in points or points[0] == -1:
            return []
        marks |= {point for point, name in zip(points, way[1].split("/"), strict=True) if name.endswith("*")}
        _move(after, points, int(way[2] or 1))
    same = [a for a in actions if _after(a, own) == after]
    told = [a for a in same if _hits(a, other) == marks]
    return told or ([] if marks else same)


def _read_point(name: str) -> int | None:
    word = name.lower()
    if word in ("bar", "off"):
        return BAR if word == "bar" else -1
    number = int(word)
    return BAR if number == POINTS + 1 else number - 1 if number <= POINTS else None


def _move(side: list[int], points: list[int | None], count: int) -> None:
    start, end = points[0], points[-1]
    assert start is not None
    assert end is not None
    side[start] -= count
    if end >= 0:
        side[end] += count


def _after(action: int, own: tuple[int, ...]) -> list[int]:
    side = list(own)
    for step in steps_of(action):
        _move(side, [*step], 1)
    return side


def _hits(action: int, other: tuple[int, ...]) -> set[int]:
    return {point for way in ways_of(action, other) for point, hit in zip(way.points[1:], way.hits, strict=True) if hit}


__all__ = ["NO_PLAY", "ChequerStep", "Way", "find_plays", "write_play"]
