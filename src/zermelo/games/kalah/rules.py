"""The rules of Kalah, and its text and picture: south (player 0) sits below, and sowing goes counterclockwise.

Each side is one integer of equally wide fields: its houses in the order of sowing, then its store. Sowing adds a
number that depends only on the house and on how many seeds lie in it, so a table has all of them. An action is the
number of a house, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import OptionError, PositionError
from zermelo.game import Game

STYLE = (
    ".board{fill:#e8dcc3;stroke:#8a8372}.pit{fill:#f7f4ec;stroke:#8a8372}"
    "text{font:16px ui-monospace,monospace;text-anchor:middle}"
)


class Kalah(Game["Kalah.State", int]):
    """Sow seeds around the board; when one side is empty, the fuller store wins."""

    player_below = 0
    houses: int
    total: int
    width: int

    scale = 1.0
    stage_count = 4

    class State(NamedTuple):
        mine: int  # the houses and the store of the player to move
        theirs: int
        turn: int

    def __init__(self, houses: int = 6, seeds: int = 4, count: bool = False, empty_captures: bool = False):
        self.total = 2 * houses * seeds
        self.width = self.total.bit_length()
        if houses < 1 or seeds < 1 or self.width * (houses + 1) > 62:
            raise OptionError(f"{houses} houses of {seeds} seeds are not possible: try 6 of at most 10, or 4 of more")
        self.houses, self.seeds, self.count, self.empty_captures = houses, seeds, count, empty_captures
        self.field = (1 << self.width) - 1
        self.store = self.width * houses
        self.all_houses = (1 << self.store) - 1
        self.sown = tuple(tuple(self._sow(house, n) for n in range(self.total + 1)) for house in range(houses))
        self.most = self.total // 2 + 1  # seeds that a network tells apart: with so many in the store the game is won
        self.input_count = 2 * (houses + 1) * (self.most + 1)
        if count:
            self.bounds = (float(-self.total), float(self.total))
            self.unit = "seeds"
        else:
            self.scale = float(self.total)

    def _sow(self, house: int, seeds: int) -> tuple[int, int]:
        """What sowing so many seeds, from the house after `house` on, adds to both sides; their store is left out."""
        mine = theirs = 0
        for i in range(house + 1, house + seeds + 1):
            place = i % (2 * self.houses + 1)
            if place <= self.houses:
                mine += 1 << self.width * place
            else:
                theirs += 1 << self.width * (place - self.houses - 1)
        return mine, theirs

    def initial(self) -> State:
        side = sum(self.seeds << self.width * house for house in range(self.houses))
        return self.State(side, side, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for house in range(self.houses):
            if self.at(s.mine, house) != 0:
                yield house

    def result(self, s: State, a: int) -> State:
        seeds = self.at(s.mine, a)
        to_mine, to_theirs = self.sown[a][seeds]
        mine, theirs = s.mine - (seeds << self.width * a) + to_mine, s.theirs + to_theirs
        last = self.last(s, a)
        captured = self.captured(mine, theirs, last)
        if captured >= 0:
            mine += ((captured + 1) << self.store) - (1 << self.width * last)
            theirs -= captured << self.width * (self.houses - 1 - last)
        if mine & self.all_houses == 0 or theirs & self.all_houses == 0:
            mine, theirs = self.gathered(mine), self.gathered(theirs)
        if last == self.houses:
            return self.State(mine, theirs, s.turn)
        return self.State(theirs, mine, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.mine & self.all_houses == 0

    def utility(self, s: State, p: int) -> float:
        ahead = (s.mine >> self.store) - (s.theirs >> self.store)
        if p != s.turn:
            ahead = -ahead
        return float(ahead if self.count else (ahead > 0) - (ahead < 0))

    def at(self, side: int, house: int) -> int:
        """How many seeds lie in a house, or in the store, which is the last."""
        return (side >> self.width * house) & self.field

    def last(self, s: State, a: int) -> int:
        """Where the last seed falls: the mover's houses from 0 on, the store, the other's houses."""
        return (a + self.at(s.mine, a)) % (2 * self.houses + 1)

    def captured(self, mine: int, theirs: int, last: int) -> int:
        """The seeds that are taken after the last one fell there, besides itself; −1 if it captures nothing."""
        if last >= self.houses or self.at(mine, last) != 1:
            return -1
        opposite = self.at(theirs, self.houses - 1 - last)
        return opposite if opposite > 0 or self.empty_captures else -1

    def gathered(self, side: int) -> int:
        """One side with all its seeds in the store."""
        seeds = 0
        for house in range(self.houses + 1):
            seeds += self.at(side, house)
        return seeds << self.store

    # Beyond the rules: what makes a search wiser and faster.

    def evaluate(self, s: State, p: int) -> float:
        """The difference of the stores."""
        ahead = (s.mine >> self.store) - (s.theirs >> self.store)
        return (ahead if p == s.turn else -ahead) / self.scale

    def priority(self, s: State, a: int) -> float:
        """Another turn first, then what goes into the store, then the houses next to it."""
        after = self.result(s, a)
        again = after.turn == s.turn
        side = after.mine if again else after.theirs
        gained = (side >> self.store) - (s.mine >> self.store)
        return float((self.total if again else gained) * self.houses + a)

    def is_noisy(self, s: State, a: int) -> bool:
        """Whether `a` earns another turn, or more than the one seed that passing the store brings."""
        after = self.result(s, a)
        return after.turn == s.turn or (after.theirs >> self.store) - (s.mine >> self.store) > 1

    def target(self, s: State, a: int) -> int:
        return self.last(s, a)

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    def inputs(self, s: State, p: int) -> list[int]:
        """How many seeds lie in each place: the player's own houses and store, then the other's."""
        own, other = (s.mine, s.theirs) if p == s.turn else (s.theirs, s.mine)
        places = self.houses + 1
        return [
            place * (self.most + 1) + min(self.at(own if place < places else other, place % places), self.most)
            for place in range(2 * places)
        ]

    def stage(self, s: State) -> int:
        """How many quarters of the seeds are in the stores."""
        return min(3, 4 * ((s.mine >> self.store) + (s.theirs >> self.store)) // self.total)

    # Text and picture.

    def sides(self, s: State) -> tuple[list[int], list[int]]:
        """South's houses and store, then north's, each in the order of sowing."""
        south, north = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
        places = range(self.houses + 1)
        return [self.at(south, place) for place in places], [self.at(north, place) for place in places]

    def player_name(self, p: int) -> str:
        return "south" if p == 0 else "north"

    def show_action(self, s: State, a: int) -> str:
        return str(a + 1)

    def show(self, s: State) -> str:
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

    def write(self, s: State) -> str:
        south, north = self.sides(s)
        return f"{','.join(map(str, south))}/{','.join(map(str, north))} {'SN'[s.turn]}"

    def read(self, text: str) -> State:
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

    def touched(self, s: State, a: int) -> list[tuple[str, int]]:
        # Only the houses of the player to move are places.
        return [(str(a + 1), -1)] if self.result(s, a).turn == s.turn else []

    def picture(self, s: State) -> str:
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
