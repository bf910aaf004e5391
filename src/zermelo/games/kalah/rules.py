"""The rules of Kalah; its text and picture come with `KalahBoard`.

Each side is one integer of equally wide fields: its houses in the order of sowing, then its store. Sowing adds a
number that depends only on the house and on how many seeds lie in it, so a table has all of them. An action is the
number of a house, from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import OptionError
from zermelo.games.kalah.board import KalahBoard


class Kalah(KalahBoard):
    """Sow seeds around the board; whoever has more in the store when one side is empty wins."""

    scale = 1.0

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
        if count:
            self.bounds = (float(-self.total), float(self.total))
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
