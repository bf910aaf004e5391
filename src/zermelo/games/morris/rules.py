"""The rules of nine men's morris, and its positions and moves as text and picture.

The 24 points are three rings of eight bits, the outer one lowest, clockwise from the top left corner. So the corners
are even and the middles of the sides odd; lines join neighbours in a ring, and odd points across the rings. Bit 24
stands for the hand from which a man comes, and for nobody where nothing is taken.

An action is 625 · from + 25 · to + taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game import Game
from zermelo.games.morris.endings import FEWEST, MOST, POINT_BITS, POINTS, number_of, placements, sides_of
from zermelo.options import flag, takes, whole

HAND = 24
"""Where men come from who are still to be placed; as a man taken, nobody."""
RINGS = ("a7d7g7g4g1d1a1a4", "b6d6f6f4f2d2b2b4", "c5d5e5e4e3d3c3c4")
NAMES = tuple(ring[i : i + 2] for ring in RINGS for i in range(0, 16, 2))
READING = sorted(range(24), key=lambda point: (-int(NAMES[point][1]), NAMES[point]))
"""The points as the board is read: row by row from the top."""
MARKS = ".wb"
TEMPLATE = """\
7  *-----*-----*
   |     |     |
6  | *---*---* |
   | |   |   | |
5  | | *-*-* | |
   | | |   | | |
4  *-*-*   *-*-*
   | | |   | | |
3  | | *-*-* | |
   | |   |   | |
2  | *---*---* |
   |     |     |
1  *-----*-----*
   a b c d e f g
"""
PAINT = {
    ".": 'style="fill:transparent"',
    "w": 'class="man" style="fill:#ffffff"',
    "b": 'class="man" style="fill:#4a4436"',
}
"""How a point without a man, a white man and a black one are drawn."""
STYLE = (
    ".line{fill:none;stroke:#8a8372;stroke-width:2}.man{stroke:#4a4436;stroke-width:2}"
    ".name{font:11px sans-serif;fill:#5c564a;text-anchor:middle;dominant-baseline:central}"
)


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


class Morris(Game["Morris.State", int]):
    """Place your men, then move them; three in a row take one of your opponent's; two men left, or no move, lose."""

    title = "Nine men's morris"
    player_colours = ("#fffdf7", "#2e2a24")
    cover = "w.b/.wb/..w/.bw.b./b.w/.w./b.w b 2 3"

    men: int

    repetition = "draw"
    scale = 2000.0
    tables_ignore = ("men",)

    class State(NamedTuple):
        mine: int  # the men of the player to move on the board, one bit a point
        theirs: int
        hand: int  # how many men the player to move has still to place
        their_hand: int
        turn: int

    @takes(
        men=whole(3, 9, about="men of each player"),
        flying=flag(about="with three men left, one may jump anywhere"),
    )
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

    # Endgame tables: a slice is how many men both sides have, once all are placed; a number is whether the weaker side
    # moves, and where everybody stands.

    def material(self, s: State) -> int:
        mine, theirs = s.mine.bit_count(), s.theirs.bit_count()
        if s.hand > 0 or s.their_hand > 0 or min(mine, theirs) < FEWEST or max(mine, theirs) > MOST:
            return -1
        return 16 * max(mine, theirs) + min(mine, theirs)

    def slices(self, pieces: int) -> Iterable[int]:
        for weak in range(min(pieces // 2, MOST), FEWEST - 1, -1):
            if pieces - weak <= MOST:
                yield 16 * (pieces - weak) + weak

    def slice_name(self, m: int) -> str:
        return f"{m >> 4}-{m & 15}"

    def slice_size(self, m: int) -> int:
        return placements(m >> 4, m & 15) * (1 if m >> 4 == m & 15 else 2)

    def rank(self, s: State) -> int:
        mine, theirs = s.mine.bit_count(), s.theirs.bit_count()
        if mine >= theirs:
            return number_of(s.mine, s.theirs)
        return placements(theirs, mine) + number_of(s.theirs, s.mine)

    def unrank(self, m: int, i: int) -> State:
        """With white to move."""
        half = placements(m >> 4, m & 15)
        sides = sides_of(i % half, m >> 4, m & 15)
        strong, weak = sides >> POINTS, sides & POINT_BITS
        return self.State(strong, weak, 0, 0, 0) if i < half else self.State(weak, strong, 0, 0, 0)

    # Text and picture.

    def player_name(self, p: int) -> str:
        return "white" if p == 0 else "black"

    def marks_of(self, s: State) -> list[str]:
        """What stands on each point, in the order of reading."""
        white, black = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
        return [MARKS[(white >> point & 1) + 2 * (black >> point & 1)] for point in READING]

    def hands(self, s: State) -> tuple[int, int]:
        """How many men white and black have still to place."""
        return (s.hand, s.their_hand) if s.turn == 0 else (s.their_hand, s.hand)

    def show(self, s: State) -> str:
        marks = iter(self.marks_of(s))
        board = re.sub(r"\*", lambda _: next(marks), TEMPLATE)
        white, black = self.hands(s)
        hands = f"; still to place: white {white}, black {black}" if white or black else ""
        return f"{board}{self.player_name(s.turn)} to move{hands}"

    def show_action(self, s: State, a: int) -> str:
        start, to, taken = a // 625, a // 25 % 25, a % 25
        way = NAMES[to] if start == HAND else f"{NAMES[start]}-{NAMES[to]}"
        return way if taken == HAND else f"{way}x{NAMES[taken]}"

    def clicks(self, s: State, a: int) -> list[list[tuple[str, ...]]]:
        """Where a man goes, from where, and whom a mill then takes."""
        way, _, taken = self.show_action(s, a).partition("x")
        return [[tuple(way.split("-")), *([(taken,)] if taken else [])]]

    def halfway(self, s: State, steps: Sequence[Sequence[str]]) -> str:
        """The mill is closed and nobody is taken yet."""
        *start, to = (1 << NAMES.index(name) for name in steps[0])
        return self.picture(s._replace(mine=s.mine & ~sum(start) | to, hand=s.hand - (not start)))

    def write(self, s: State) -> str:
        marks = "".join(self.marks_of(s))
        rows = (marks[i:j] for i, j in ((0, 3), (3, 6), (6, 9), (9, 15), (15, 18), (18, 21), (21, 24)))
        white, black = self.hands(s)
        return f"{'/'.join(rows)} {MARKS[1 + s.turn]} {white} {black}"

    def read(self, text: str) -> State:
        found = re.fullmatch(r"([.wb/]+) ([wb]) (\d) (\d)", " ".join(text.lower().split()))
        marks = found[1].replace("/", "") if found else ""
        if not found or len(marks) != 24:
            raise PositionError(
                f"{text!r} is not a position: write the 24 points row by row from the top, who is to move, "
                f"and how many men white and black have still to place, as in {self.write(self.initial())!r}"
            )
        turn = MARKS.index(found[2]) - 1
        hands = int(found[3]), int(found[4])
        men = [sum(1 << READING[i] for i, mark in enumerate(marks) if mark == side) for side in "wb"]
        if any(bits.bit_count() + hand > self.men for bits, hand in zip(men, hands, strict=True)):
            raise PositionError(f"{text!r} is not a position: each side has at most {self.men} men")
        if hands[1] != hands[0] + turn and hands != (0, 0):
            raise PositionError(f"{text!r} is not a position: men are placed in turn, beginning with white")
        if men[1 - turn].bit_count() + hands[1 - turn] < 3:
            raise PositionError(f"{text!r} is not a position: {self.player_name(turn)} has won already")
        return type(self.initial())(men[turn], men[1 - turn], hands[turn], hands[1 - turn], turn)

    def picture(self, s: State) -> str:
        places = [(40 * (ord(NAMES[point][0]) - 97), 40 * (7 - int(NAMES[point][1]))) for point in READING]
        squares = "".join(
            f'<rect x="{edge}" y="{edge}" width="{240 - 2 * edge}" height="{240 - 2 * edge}" class="line"/>'
            for edge in (0, 40, 80)
        )
        lines = '<path d="M120,0v80m0,80v80M0,120h80m80,0h80" class="line"/>'
        men = "".join(
            f'<circle cx="{x}" cy="{y}" r="14" {PAINT[mark]} data-at="{NAMES[point]}"/>'
            for point, (x, y), mark in zip(READING, places, self.marks_of(s), strict=True)
        )
        names = "".join(
            f'<text x="{40 * i}" y="264" class="name">{"abcdefg"[i]}</text>'
            f'<text x="-24" y="{240 - 40 * i}" class="name">{i + 1}</text>'
            for i in range(7)
        )
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-34 -20 294 294"><style>'
            f'{STYLE}</style>{squares}{lines}<g style="pointer-events:none">{names}</g>{men}</svg>'
        )
