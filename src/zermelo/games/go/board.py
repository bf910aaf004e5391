"""The points of a Go board: their names, the stars, and where handicap stones go.

A point is size · row + column; row 0 is the lowest and column 0 the leftmost. Columns have letters without I.
"""

from __future__ import annotations

import re

COLUMNS = "ABCDEFGHJKLMNOPQRST"
LARGEST = 19
MOST_SHARED = 3
"""Liberties that a group in seki shares with the others at most."""


def point_name(point: int, size: int) -> str:
    """As in `D4`; `pass` for the number behind the last point."""
    return "pass" if point == size * size else f"{COLUMNS[point % size]}{point // size + 1}"


def read_point(text: str, size: int) -> int | None:
    """The number of the point, or of the pass, that `text` names; `None` if it names none on this board."""
    word = text.strip().upper()
    if word == "PASS":
        return size * size
    found = re.fullmatch(r"([A-HJ-T])([1-9][0-9]?)", word, re.ASCII)
    if found is None:
        return None
    column, row = COLUMNS.index(found[1]), int(found[2]) - 1
    return size * row + column if column < size and row < size else None


def handicap_points(size: int, stones: int) -> list[int]:
    """Where that many handicap stones stand, in the order of the Go Text Protocol; empty if so many have no place.

    Lower left and upper right, upper left, lower right; then the middles of the sides, left and right first, with the
    centre for an odd number from five on. Boards of an even number of lines, and of seven, have corners only; smaller
    ones have none.
    """
    corners_only = size % 2 == 0 or size == 7
    if not 2 <= stones <= (4 if corners_only else 9) or size < 7:
        return []
    near = 2 if size < 12 else 3
    far, middle = size - 1 - near, size // 2
    places = [(near, near), (far, far), (far, near), (near, far)][: min(stones, 4)]
    if stones >= 6:
        places += [(middle, near), (middle, far)]
    if stones >= 8:
        places += [(near, middle), (far, middle)]
    if stones in (5, 7, 9):
        places.append((middle, middle))
    return [size * row + column for row, column in places]


def beside(point: int, size: int) -> list[int]:
    row, column = divmod(point, size)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [size * r + c for r, c in near if 0 <= r < size and 0 <= c < size]


def regions(colours: str, size: int) -> list[set[int]]:
    """The points of a board, one character each, in sets of the same kind that hang together."""
    found: list[set[int]] = []
    left = set(range(size * size))
    while left:
        pending = [left.pop()]
        region = set(pending)
        while pending:
            point = pending.pop()
            near = {p for p in beside(point, size) if p in left and colours[p] == colours[point]}
            left -= near
            region |= near
            pending += near
        found.append(region)
    return found


def groups(colours: str, size: int) -> list[set[int]]:
    """The regions that are stones."""
    return [region for region in regions(colours, size) if colours[min(region)] != "."]


def surrounded(colours: str, size: int) -> tuple[set[int], set[int]]:
    """The empty points from which only black stones are reached, and those with only white ones."""
    owned: tuple[set[int], set[int]] = (set(), set())
    for region in regions(colours, size):
        if colours[min(region)] == ".":
            reached = {colours[n] for p in region for n in beside(p, size)} - {"."}
            if len(reached) == 1:
                owned["XO".index(reached.pop())].update(region)
    return owned


def shared_groups(colours: str, size: int) -> set[int]:
    """The stones in seki: groups with fewer than two surrounded points, and a few liberties that nobody surrounds."""
    territory = surrounded(colours, size)
    neutral = {p for p, colour in enumerate(colours) if colour == "."} - territory[0] - territory[1]
    found: set[int] = set()
    for mark, own in zip("XO", territory, strict=True):
        # Stones that share surrounded points live together.
        joined = "".join(mark if p in own or colour == mark else "." for p, colour in enumerate(colours))
        for chain in groups(joined, size):
            shared = {near for point in chain for near in beside(point, size)} & neutral
            if 1 <= len(shared) <= MOST_SHARED and len(chain & own) < 2:
                found |= chain - own
    return found


SIDE = 32
"""Between two lines."""
STYLE = (
    ".free{fill:transparent}.wood{fill:#e3c07a}.line{stroke:#5b4a2a;fill:none}.star{fill:#5b4a2a}.black{fill:#1c1c1c}"
    ".white{fill:#fafafa;stroke:#777}.name{font:12px sans-serif;fill:#3d3014}"
    ".name{text-anchor:middle;dominant-baseline:central}.z-over{fill-opacity:.55}"
    ".z-turn-0 .free.z-over{fill:#1c1c1c}.z-turn-1 .free.z-over{fill:#fafafa}"
)

PLAYERS = ("#1c1c1c", "#fafafa")
PAINT = {".": 'class="free"', "X": 'class="black"', "O": 'class="white"'}


def draw(rows: list[str]) -> str:
    """The rows from the top, in `.`, `X` and `O`; a page shows under the pointer a stone of the player to move."""
    size = len(rows)
    end = (size - 1) * SIDE
    lines = "".join(f"M0,{i * SIDE}H{end}M{i * SIDE},0V{end}" for i in range(size))
    stars = "".join(
        f'<circle cx="{p % size * SIDE}" cy="{p // size * SIDE}" r="3" class="star"/>'
        for p in (handicap_points(size, 9) or handicap_points(size, 4))
    )
    names = "".join(
        f'<text x="{i * SIDE}" y="{end + 28}" class="name">{COLUMNS[i]}</text>'
        f'<text x="-28" y="{end - i * SIDE}" class="name">{i + 1}</text>'
        for i in range(size)
    )
    stones = "".join(
        f'<circle cx="{x * SIDE}" cy="{y * SIDE}" r="15" {PAINT[mark]} data-at="{COLUMNS[x]}{size - y}"/>'
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-40 -24 {end + 64} {end + 64}" class="own-ground">'
        f"<style>{STYLE}</style>"
        f'<rect x="-40" y="-24" width="{end + 64}" height="{end + 64}" class="wood"/>'
        f'<path d="{lines}" class="line"/>{stars}{names}{stones}</svg>'
    )
