"""The rules of checkers, and its positions and moves as text: numbered squares, as in PDN.

The 32 dark squares are bits 0 … 34, without 8, 17 and 26: with a gap after every second row a man steps 4 or 5
bits on wherever it stands, and off the board it falls into a gap (Samuel's layout). Black (player 0) goes up in
bits, down the board. Directions are 0: 4 on, 1: 5 on, 2: 4 back, 3: 5 back.

An action is a whole move: square + 64 · jumps + 1024 · directions, two bits a jump, the first lowest. A step has
0 jumps and one direction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game.combinations import subset_at, subset_count, subset_rank
from zermelo.games._grid import SIDE, Grid
from zermelo.games.checkers.squares import packed, spread, turned
from zermelo.options import takes, whole
from zermelo.search.trace.words import plural

BITS = tuple(n + n // 8 for n in range(32))
"""The bit of each square, from square 1 on."""
BOARD = sum(1 << bit for bit in BITS)
ROWS = tuple(sum(1 << bit for bit in BITS[4 * row : 4 * row + 4]) for row in range(8))
"""The squares of each row, from the top."""
SIDES = "BW"
MOST_IN_TABLES = 8
"""Pieces; positions with more are in no slice, which a search sees at once."""


def moved(bits: int, direction: int, steps: int) -> int:
    """`bits` so many steps away; those that leave the board fall into gaps, or beyond."""
    width = steps * (4 + (direction & 1))
    return bits << width if direction < 2 else bits >> width


class Checkers(Grid["Checkers.State"]):
    """Move diagonally and jump over your opponent's pieces, which is compulsory; whoever cannot move loses."""

    player_colours = ("#4a4436", "#ffffff")

    player_below = 1
    record_format = "pdn"
    marks = ".bwBW"
    columns = rows = 8
    first_row_on_top = True
    turn_in_text = True
    middle = sum(1 << BITS[square - 1] for square in (10, 11, 14, 15, 18, 19, 22, 23))
    draw_after: int

    repetition = "draw"
    scale = 3000.0
    tables_ignore = ("draw_after",)

    class State(NamedTuple):
        mine: int  # the pieces of the player to move, one bit a square
        theirs: int
        kings: int  # of both
        turn: int
        quiet: int  # plies since a man moved or was taken, if the game counts them

    @takes(draw_after=whole(0, 1000, about="moves without a capture, 0 for no such rule"))
    def __init__(self, draw_after: int = 0):
        self.draw_after = draw_after

    def initial(self) -> State:
        return self.State(ROWS[0] | ROWS[1] | ROWS[2], ROWS[5] | ROWS[6] | ROWS[7], 0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        jumpers = 0 if self.is_drawn(s) else self.jumpers(s)
        if jumpers == 0 and not self.is_drawn(s):
            for direction in range(4):
                movers = self.steppers(s, direction)
                while movers:
                    yield (movers & -movers).bit_length() - 1 + (direction << 10)
                    movers &= movers - 1
        while jumpers:
            start = jumpers & -jumpers
            jumpers ^= start
            first, last = self.directions(s, start)
            # Walks through all jumps of one piece: forth as long as it goes, back one jump and on from there.
            at, left, free = start, s.theirs, BOARD & ~(s.mine | s.theirs) | start
            jumps, way, direction, is_end = 0, 0, first, False
            while jumps > 0 or direction < last:
                if direction < last:
                    over, to = moved(at, direction, 1) & left, moved(at, direction, 2) & free
                    if over and to:
                        way |= direction << (2 * jumps)
                        jumps, at, left, is_end = jumps + 1, to, left ^ over, True
                        direction = last if self.is_crowned(s, start, to) else first
                    else:
                        direction += 1
                else:
                    if is_end:
                        yield start.bit_length() - 1 + (jumps << 6) + (way << 10)
                    jumps -= 1
                    direction = (way >> (2 * jumps)) & 3
                    way ^= direction << (2 * jumps)
                    left |= moved(at, direction ^ 2, 1)
                    at = moved(at, direction ^ 2, 2)
                    direction, is_end = direction + 1, False

    def result(self, s: State, a: int) -> State:
        start, to, taken = self.travelled(a)
        kings = s.kings & ~(start | taken)
        is_quiet = taken == 0 and s.kings & start != 0
        if s.kings & start or self.is_crowned(s, start, to):
            kings |= to
        quiet = s.quiet + 1 if is_quiet and self.draw_after > 0 else 0
        return self.State(s.theirs & ~taken, s.mine & ~start | to, kings, 1 - s.turn, quiet)

    def is_terminal(self, s: State) -> bool:
        return self.is_drawn(s) or not self.can_move(s)

    def utility(self, s: State, p: int) -> float:
        if self.can_move(s):
            return 0.0
        return -1.0 if p == s.turn else 1.0

    def is_drawn(self, s: State) -> bool:
        """Whether both have made `draw_after` moves with kings and taken nothing."""
        return self.draw_after > 0 and s.quiet >= 2 * self.draw_after

    def can_move(self, s: State) -> bool:
        for direction in range(4):
            if self.steppers(s, direction):
                return True
        return self.jumpers(s) != 0

    def steppers(self, s: State, direction: int) -> int:
        """The pieces of the player to move that can step so."""
        able = s.mine if direction // 2 == s.turn else s.mine & s.kings
        return able & moved(BOARD & ~(s.mine | s.theirs), direction ^ 2, 1)

    def jumpers(self, s: State) -> int:
        """The pieces of the player to move that can jump."""
        empty, found = BOARD & ~(s.mine | s.theirs), 0
        for direction in range(4):
            able = s.mine if direction // 2 == s.turn else s.mine & s.kings
            found |= able & moved(s.theirs, direction ^ 2, 1) & moved(empty, direction ^ 2, 2)
        return found

    def directions(self, s: State, piece: int) -> tuple[int, int]:
        """The directions in which a piece of the player to move may go: from the first to before the second."""
        if piece & s.kings:
            return 0, 4
        return 2 * s.turn, 2 * s.turn + 2

    def is_crowned(self, s: State, start: int, to: int) -> bool:
        """Whether the piece that began on `start` is a man and becomes a king on `to`."""
        return not start & s.kings and to & (ROWS[7] if s.turn == 0 else ROWS[0]) != 0

    def travelled(self, a: int) -> tuple[int, int, int]:
        """Where an action begins, where it ends, and what it takes."""
        start, jumps, way = 1 << (a & 63), (a >> 6) & 15, a >> 10
        if jumps == 0:
            return start, moved(start, way, 1), 0
        to, taken = start, 0
        for _ in range(jumps):
            taken |= moved(to, way & 3, 1)
            to = moved(to, way & 3, 2)
            way >>= 2
        return start, to, taken

    # Beyond the rules: what makes a search wiser and faster.

    def evaluate(self, s: State, p: int) -> float:
        points = self.points(s.mine, s.kings, s.turn) - self.points(s.theirs, s.kings, 1 - s.turn)
        return (points if p == s.turn else -points) / self.scale

    def points(self, pieces: int, kings: int, p: int) -> int:
        """100 a man, 4 more for each row it has gone and 10 on its first; 150 a king, 10 more in the middle."""
        men, kings = pieces & ~kings, pieces & kings
        points = 100 * men.bit_count() + 150 * kings.bit_count() + 10 * (kings & self.middle).bit_count()
        points += 10 * (men & (ROWS[0] if p == 0 else ROWS[7])).bit_count()
        for row in range(8):
            points += 4 * (row if p == 0 else 7 - row) * (men & ROWS[row]).bit_count()
        return points

    def priority(self, s: State, a: int) -> float:
        """What is taken, then crowning, then going to the middle."""
        start, to, taken = self.travelled(a)
        crowned = 1.0 if self.is_crowned(s, start, to) else 0.0
        middle = 0.5 if to & self.middle else 0.0
        return 2.0 * (taken.bit_count() + (taken & s.kings).bit_count()) + crowned + middle

    def is_noisy(self, s: State, a: int) -> bool:
        return (a >> 6) & 15 > 0

    def target(self, s: State, a: int) -> int:
        _, to, _ = self.travelled(a)
        return to.bit_length() - 1

    def is_irreversible(self, s: State, a: int) -> bool:
        return (a >> 6) & 15 > 0 or not (s.kings >> (a & 63)) & 1

    # Endgame tables: a slice is what both sides have, the side with more kings first; a number is which side moves, and
    # where everything stands as that side sees it.

    def material(self, s: State) -> int:
        if (s.mine | s.theirs).bit_count() > MOST_IN_TABLES:
            return -1
        mine, theirs = self.pieces(s.mine, s.kings), self.pieces(s.theirs, s.kings)
        return 256 * max(mine, theirs) + min(mine, theirs)

    def pieces(self, pieces: int, kings: int) -> int:
        """16 a king, 1 a man."""
        return 16 * (pieces & kings).bit_count() + (pieces & ~kings).bit_count()

    def slices(self, pieces: int) -> Iterable[int]:
        """Those with the fewest men first, as men become kings."""
        for men in range(pieces + 1):
            sides = ((left, one) for left in range(men + 1) for one in range(1, pieces))
            found = {
                (16 * (one - left) + left, 16 * (pieces - one - men + left) + men - left)
                for left, one in sides
                if left <= one and men - left <= pieces - one
            }
            yield from sorted({256 * max(pair) + min(pair) for pair in found})

    def slice_name(self, m: int) -> str:
        return "-".join("K" * (side >> 4) + "M" * (side & 15) for side in (m >> 8, m & 255))

    def slice_size(self, m: int) -> int:
        return self.placements(m >> 8, m & 255) * (1 if m >> 8 == m & 255 else 2)

    def placements(self, mine: int, theirs: int) -> int:
        """In how many ways the pieces of both sides may stand; no man stands on its last row."""
        men = subset_count(28, mine & 15) * subset_count(28, theirs & 15)
        return men * subset_count(32, mine >> 4) * subset_count(32, theirs >> 4)

    def rank(self, s: State) -> int:
        mine, theirs = self.pieces(s.mine, s.kings), self.pieces(s.theirs, s.kings)
        own, other, kings = s.mine, s.theirs, s.kings
        if s.turn == 1:
            own, other, kings = turned(own), turned(other), turned(kings)
        number = subset_rank(packed(own & ~kings))
        number = number * subset_count(32, mine >> 4) + subset_rank(packed(own & kings))
        number = number * subset_count(28, theirs & 15) + subset_rank(packed(other & ~kings) >> 4)
        number = number * subset_count(32, theirs >> 4) + subset_rank(packed(other & kings))
        return number + (self.placements(mine, theirs) if mine < theirs else 0)

    def unrank(self, m: int, i: int) -> State:
        """With black to move."""
        mine, theirs = m >> 8, m & 255
        half = self.placements(mine, theirs)
        if i >= half:
            i, mine, theirs = i - half, theirs, mine
        choices = subset_count(32, theirs >> 4)
        their_kings, i = subset_at(i % choices, theirs >> 4), i // choices
        choices = subset_count(28, theirs & 15)
        their_men, i = subset_at(i % choices, theirs & 15) << 4, i // choices
        choices = subset_count(32, mine >> 4)
        kings, men = subset_at(i % choices, mine >> 4), subset_at(i // choices, mine & 15)
        if (kings | men) & (their_kings | their_men) or kings & men or their_kings & their_men:
            return self.initial()
        return self.State(spread(kings | men), spread(their_kings | their_men), spread(kings | their_kings), 0, 0)

    def plies_left(self, s: State) -> int:
        return max(2 * self.draw_after - s.quiet, 0) if self.draw_after > 0 else 1 << 30

    # Text and picture.

    def stone(self, s: State, cell: int) -> int:
        row, column = divmod(cell, 8)
        if (row + column) % 2 == 0:
            return 0
        bit = BITS[4 * row + column // 2]
        if not ((s.mine | s.theirs) >> bit) & 1:
            return 0
        owner = s.turn if (s.mine >> bit) & 1 else 1 - s.turn
        return int(1 + owner + 2 * ((s.kings >> bit) & 1))

    def show(self, s: State) -> str:
        lines = []
        for row, stones in enumerate(self._stones(s)):
            marks = (self.marks[c] if (row + column) % 2 else " " for column, c in enumerate(stones))
            lines.append(f"{' '.join(marks)}   {4 * row + 1:>2} to {4 * row + 4}")
        return "\n".join([*lines, f"{self.player_name(s.turn)} to move"])

    def count_pieces(self, s: State, p: int) -> dict[str, int]:
        own = s.mine if p == s.turn else s.theirs
        return {"king": int(own & s.kings).bit_count(), "man": int(own & ~s.kings).bit_count()}

    def player_name(self, p: int) -> str:
        return "black" if p == 0 else "white"

    def stone_name(self, stone: int) -> str:
        return f"{super().stone_name(stone)} {'king' if stone > 2 else 'man'}"

    # Moves: 11-15 steps, 22x15x8 jumps twice.

    def show_action(self, s: State, a: int) -> str:
        at, jumps, way = a & 63, (a >> 6) & 15, a >> 10
        squares = [at]
        for jump in range(max(jumps, 1)):
            direction = (way >> (2 * jump)) & 3
            width = (2 if jumps else 1) * (4 + direction % 2)
            squares.append(squares[-1] + (width if direction < 2 else -width))
        return ("x" if jumps else "-").join(str(BITS.index(square) + 1) for square in squares)

    def read_action(self, s: State, text: str) -> int:
        """As usual; the first and the last square will do where only one move leads from one to the other."""
        ends = re.split("[-x]", text.strip().lower())
        names = {a: re.split("[-x]", self.show_action(s, a)) for a in self.actions(s)}
        found = [a for a, squares in names.items() if [squares[0], squares[-1]] == ends]
        return found[0] if len(found) == 1 else super().read_action(s, text)

    def clicks(self, s: State, a: int) -> list[list[tuple[str, ...]]]:
        """The piece and its square; after a jump, the square of the next one."""
        start, *onward = re.split("[-x]", self.show_action(s, a))
        return [[(start, onward[0]), *((square,) for square in onward[1:])]]

    def halfway(self, s: State, steps: Sequence[Sequence[str]]) -> str:
        """The piece where its jumps have brought it, without those it has taken."""
        squares = [BITS[int(square) - 1] for step in steps for square in step]
        start, to = 1 << squares[0], 1 << squares[-1]
        taken = sum(1 << (a + b) // 2 for a, b in pairwise(squares))
        kings = s.kings & ~(taken | start) | (to if s.kings & start else 0)
        return self.picture(s._replace(mine=s.mine & ~start | to, theirs=s.theirs & ~taken, kings=kings))

    # Positions: B:W21,22,K30:B1,2,K5 has black to move.

    def write(self, s: State) -> str:
        pieces = ((1 - s.turn, s.theirs), (s.turn, s.mine))
        parts = [SIDES[s.turn]]
        for side, bits in sorted(pieces, reverse=True):
            squares = (f"{'K' * ((s.kings >> bit) & 1)}{n + 1}" for n, bit in enumerate(BITS) if (bits >> bit) & 1)
            parts.append(SIDES[side] + ",".join(squares))
        return ":".join(parts + [f"H{s.quiet}"] * (self.draw_after > 0))

    def read(self, text: str) -> State:
        found = re.fullmatch(r"([BW]):([BW])([K\d,]*):([BW])([K\d,]*)(?::H(\d+))?\.?", text.strip().upper())
        if not found or found[2] == found[4]:
            raise PositionError(
                f"{text!r} is not a position: write who is to move and the squares of both sides, K before a king's, "
                f"as in {self.write(self.initial())!r}"
            )
        men = {found[2]: self._squares(found[3], text), found[4]: self._squares(found[5], text)}
        (black, black_kings), (white, white_kings) = men["B"], men["W"]
        quiet = int(found[6] or 0)
        if black & white:
            raise PositionError(f"{text!r} is not a position: two pieces stand on one square")
        if black & ~black_kings & ROWS[7] or white & ~white_kings & ROWS[0]:
            raise PositionError(f"{text!r} is not a position: a man on its last row would be a king")
        if quiet > 2 * self.draw_after:
            raise PositionError(
                f"{text!r} is not a position: no more than {2 * self.draw_after} quiet plies are counted"
            )
        turn = SIDES.index(found[1])
        mine, theirs = (black, white) if turn == 0 else (white, black)
        return type(self.initial())(mine, theirs, black_kings | white_kings, turn, quiet)

    def _squares(self, text: str, position: str) -> tuple[int, int]:
        """The pieces and the kings of one side."""
        pieces = kings = 0
        for word in text.split(",") if text else []:
            number = word.removeprefix("K")
            if not number.isdecimal() or not 1 <= int(number) <= 32 or pieces & 1 << BITS[int(number) - 1]:
                raise PositionError(
                    f"{position!r} is not a position: {word!r} is no square from 1 to 32, or there twice"
                )
            bit = 1 << BITS[int(number) - 1]
            pieces |= bit
            kings |= bit if word != number else 0
        return pieces, kings

    def place_name(self, line: int, column: int) -> str:
        return str(4 * line + column // 2 + 1) if (line + column) % 2 else ""

    def is_dark(self, line: int, column: int) -> bool:
        return (line + column) % 2 == 1

    style = ".number{font:9px sans-serif;fill:#5c564a}.dark{fill:#b9a67c}"

    def draw_names(self) -> str:
        """The number of every square on which pieces stand."""
        squares = ((row, column) for row in range(8) for column in range(8) if self.is_dark(row, column))
        names = "".join(
            f'<text x="{SIDE * column + 3}" y="{SIDE * row + 9}" class="number">{self.place_name(row, column)}</text>'
            for row, column in squares
        )
        return f'<g style="pointer-events:none">{names}</g>'

    def tally(self, s: State, p: int) -> str:
        stones = [stone for row in self._stones(s) for stone in row if stone and (stone - 1) % 2 == p]
        return plural(len(stones), "piece", "pieces")

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        paint = "#4a4436" if stone % 2 else "#ffffff"
        crown = (
            f'<circle cx="{x}" cy="{y}" r="8" style="fill:none;stroke:#c8a13d;stroke-width:4"/>' if stone > 2 else ""
        )
        return f'<circle cx="{x}" cy="{y}" r="16" style="fill:{paint};stroke:#4a4436;stroke-width:2"/>{crown}'
