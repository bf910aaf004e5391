"""The rules of nine men's morris; its text and picture come with `MorrisBoard`.

The 24 points are three rings of eight bits, the outer one lowest, clockwise from the top left corner. So the corners
are even and the middles of the sides odd; lines join neighbours in a ring, and odd points across the rings. Bit 24
stands for the hand from which a man comes, and for nobody where nothing is taken.

An action is 625 · from + 25 · to + taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.games.morris.board import HAND, MorrisBoard
from zermelo.options import flag, takes, whole

BOARD, CORNERS, SIDES = 0xFFFFFF, 0x555555, 0xAAAAAA


def onward(points: int) -> int:
    """`points`, each one further clockwise in its ring."""
    return ((points << 1) & 0xFEFEFE) | ((points >> 7) & 0x010101)


def back(points: int) -> int:
    """`points`, each one further against the clock in its ring."""
    return ((points >> 1) & 0x7F7F7F) | ((points << 7) & 0x808080)


def beside(points: int) -> int:
    """All points that a line joins to one of `points`."""
    across = points & SIDES
    return onward(points) | back(points) | (across << 8) & BOARD | across >> 8


def completing(men: int) -> int:
    """All points that have two of `men` as the other two of a row of three."""
    before, after = onward(men), back(men)
    corners = ((before & onward(before)) | (after & back(after))) & CORNERS
    inward, outward = (men << 8 | men >> 16) & BOARD, (men >> 8 | men << 16) & BOARD
    return corners | (((before & after) | (inward & outward)) & SIDES)


class Morris(MorrisBoard):
    """Place men, then move them; three in a row take one of the other's; with two men, or no move, one loses."""

    repetition = "draw"
    scale = 2000.0

    class State(NamedTuple):
        mine: int  # the men of the player to move on the board, one bit a point
        theirs: int
        hand: int  # how many men the player to move has still to place
        their_hand: int
        turn: int

    @takes(men=whole(3, 9), flying=flag())
    def __init__(self, men: int = 9, flying: bool = True):
        self.men = men
        self.flying = flying

    def initial(self) -> State:
        return self.State(0, 0, self.men, self.men, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        movers = 0 if self.is_terminal(s) else (1 << HAND) if s.hand > 0 else s.mine
        unsafe = s.theirs & ~completing(s.theirs)
        prey = unsafe if unsafe else s.theirs if s.theirs else 1 << HAND
        while movers:
            start = movers & -movers
            movers ^= start
            mills = completing(s.mine & ~start)
            targets = self.targets(s, start)
            while targets:
                to = targets & -targets
                targets ^= to
                move = 625 * (start.bit_length() - 1) + 25 * (to.bit_length() - 1)
                taken = prey if to & mills else 1 << HAND
                while taken:
                    yield move + (taken & -taken).bit_length() - 1
                    taken &= taken - 1

    def result(self, s: State, a: int) -> State:
        start, to, taken = 1 << a // 625, 1 << a // 25 % 25, 1 << a % 25
        hand = s.hand - 1 if a // 625 == HAND else s.hand
        return self.State(s.theirs & ~taken, s.mine & ~start | to, s.their_hand, hand, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        if s.mine.bit_count() + s.hand < 3:
            return True
        return s.hand == 0 and not self.flies(s) and beside(s.mine) & ~(s.mine | s.theirs) == 0

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def flies(self, s: State) -> bool:
        """Whether the player to move, having placed all men, may move them anywhere."""
        return self.flying and s.mine.bit_count() == 3

    def targets(self, s: State, start: int) -> int:
        """The points to which the player to move may bring the man on `start`, or from the hand."""
        reach = BOARD if s.hand > 0 or self.flies(s) else beside(start)
        return reach & ~(s.mine | s.theirs)

    # Beyond the rules: what makes a search wiser and faster.

    def evaluate(self, s: State, p: int) -> float:
        points = self.points(s.mine, s.theirs, s.hand) - self.points(s.theirs, s.mine, s.their_hand)
        return (points if p == s.turn else -points) / self.scale

    def points(self, mine: int, theirs: int, hand: int) -> int:
        """100 a man, 10 a point that would complete a mill, 3 a free point beside a man."""
        free = BOARD & ~(mine | theirs)
        points = 100 * (mine.bit_count() + hand) + 10 * (completing(mine) & free).bit_count()
        return points + 3 * (beside(mine) & free).bit_count()

    def priority(self, s: State, a: int) -> float:
        """Mills first, then what keeps the other from one, then points with many neighbours."""
        to = 1 << a // 25 % 25
        value = beside(to).bit_count()
        if a % 25 != HAND:
            value += 20
        if completing(s.theirs) & to:
            value += 10
        return float(value)

    def is_noisy(self, s: State, a: int) -> bool:
        return a % 25 != HAND

    def target(self, s: State, a: int) -> int:
        return a // 25 % 25

    def is_irreversible(self, s: State, a: int) -> bool:
        return a % 25 != HAND or a // 625 == HAND
