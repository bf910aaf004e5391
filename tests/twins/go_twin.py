"""Go as slowly and plainly as it can be written: the twin of the native rules."""

from __future__ import annotations

from typing import NamedTuple


class Board(NamedTuple):
    """Stones by point, `X` and `O`, and the rest of a position."""

    size: int
    stones: dict[int, str]
    turn: str = "X"
    ko: int | None = None
    passes: int = 0

    def beside(self, point: int) -> list[int]:
        row, column = divmod(point, self.size)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [self.size * r + c for r, c in near if 0 <= r < self.size and 0 <= c < self.size]

    def region(self, point: int) -> set[int]:
        """All points of the same kind that hang together with `point`."""
        kind, found, pending = self.stones.get(point), {point}, [point]
        while pending:
            for near in self.beside(pending.pop()):
                if near not in found and self.stones.get(near) == kind:
                    found.add(near)
                    pending.append(near)
        return found

    def liberties(self, point: int) -> set[int]:
        return {near for p in self.region(point) for near in self.beside(p) if near not in self.stones}

    def play(self, point: int | None) -> Board | None:
        """The board after a stone on `point`, or after a pass; `None` if that is not legal."""
        other = "O" if self.turn == "X" else "X"
        if point is None:
            return Board(self.size, self.stones, other, None, self.passes + 1)
        if point in self.stones or point == self.ko:
            return None
        after = Board(self.size, {**self.stones, point: self.turn}, other)
        taken: set[int] = set()
        for near in after.beside(point):
            if after.stones.get(near) == other and not after.liberties(near):
                taken |= after.region(near)
        for stone in taken:
            after.stones.pop(stone, None)
        if not after.liberties(point):
            return None
        alone = after.region(point) == {point} and after.liberties(point) == taken
        return after._replace(ko=min(taken) if len(taken) == 1 and alone else None)

    def legal(self) -> list[int | None]:
        points: list[int | None] = [p for p in range(self.size**2) if self.play(p) is not None]
        return [*points, None]

    def area(self) -> int:
        """Black's points minus white's."""
        margin = 0
        for point in range(self.size**2):
            owners = {self.stones.get(point)}
            if owners == {None}:
                owners = {self.stones[n] for p in self.region(point) for n in self.beside(p) if n in self.stones}
            margin += 1 if owners == {"X"} else -1 if owners == {"O"} else 0
        return margin
