"""Kalah's positions as text and as a picture; south (player 0) sits below, and sowing goes against the clock."""

from __future__ import annotations

import re
from typing import Any

from zermelo.errors import PositionError
from zermelo.game import Game

STYLE = (
    ".board{fill:#e8dcc3;stroke:#8a8372}.pit{fill:#f7f4ec;stroke:#8a8372}"
    "text{font:16px ui-monospace,monospace;text-anchor:middle}"
)


class KalahBoard(Game):
    """What people read and write of Kalah."""

    player_below = 0
    houses: int
    total: int
    width: int

    def at(self, side: int, house: int) -> int:
        raise self._missing("at(self, side, house)")

    def sides(self, s: Any) -> tuple[list[int], list[int]]:
        """South's houses and store, then north's, each in the order of sowing."""
        south, north = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
        places = range(self.houses + 1)
        return [self.at(south, place) for place in places], [self.at(north, place) for place in places]

    def player_name(self, p: int) -> str:
        return "south" if p == 0 else "north"

    def show_action(self, s: Any, a: int) -> str:
        return str(a + 1)

    def show(self, s: Any) -> str:
        south, north = self.sides(s)
        numbers = "".join(f"{house + 1:>4}" for house in range(self.houses))
        backward = "".join(f"{self.houses - house:>4}" for house in range(self.houses))
        return "\n".join(
            [
                f"    {backward}  north",
                f"    {''.join(f'{n:>4}' for n in north[-2::-1])}",
                f"{north[-1]:>4}{' ' * 4 * self.houses}{south[-1]:>4}",
                f"    {''.join(f'{n:>4}' for n in south[:-1])}",
                f"    {numbers}  south",
                f"{self.player_name(s.turn)} to move",
            ]
        )

    def write(self, s: Any) -> str:
        south, north = self.sides(s)
        return f"{','.join(map(str, south))}/{','.join(map(str, north))} {'SN'[s.turn]}"

    def read(self, text: str) -> Any:
        found = re.fullmatch(r"(\d+(?:,\d+)*)/(\d+(?:,\d+)*)\s+([SN])", text.strip().upper())
        south, north = ([int(n) for n in side.split(",")] for side in found.groups()[:2]) if found else ([], [])
        if not found or len(south) != self.houses + 1 or len(north) != self.houses + 1:
            raise PositionError(
                f"{text!r} is not a position: write south's {self.houses} houses and its store, north's after a slash, "
                f"then S or N for who is to move, as in {self.write(self.initial())!r}"
            )
        if sum(south) + sum(north) != self.total:
            raise PositionError(f"{text!r} is not a position: there must be {self.total} seeds in all")
        if any(south[:-1]) != any(north[:-1]):
            raise PositionError(f"{text!r} is not a position: where one side is empty, all seeds are in the stores")
        sides = [sum(n << self.width * i for i, n in enumerate(side)) for side in (south, north)]
        turn = "SN".index(found[3])
        return type(self.initial())(sides[turn], sides[1 - turn], turn)

    def picture(self, s: Any) -> str:
        south, north = self.sides(s)
        right = 40 * self.houses + 60
        stores = [(30, 70, 22, north[-1], ""), (right, 70, 22, south[-1], "")]
        # Only the houses of whoever is to move have a name now: both sides call theirs 1, 2, 3, …
        mine = [f' data-at="{house + 1}"' for house in range(self.houses)]
        names = (mine, [""] * self.houses) if s.turn == 0 else ([""] * self.houses, mine)
        below = [(70 + 40 * i, 110, 17, n, names[0][i]) for i, n in enumerate(south[:-1])]
        above = [(70 + 40 * (self.houses - 1 - i), 30, 17, n, names[1][i]) for i, n in enumerate(north[:-1])]
        shapes = "".join(
            f'<g{at}><circle cx="{x}" cy="{y}" r="{r}" class="pit"/><text x="{x}" y="{y + 6}">{n}</text></g>'
            for x, y, r, n, at in stores + below + above
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {right + 34} 144"><style>{STYLE}</style>'
            f'<rect width="{right + 30}" height="140" rx="20" class="board"/>{shapes}</svg>'
        )
