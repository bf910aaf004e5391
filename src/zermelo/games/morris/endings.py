"""Numbers of positions for endgame tables: where the men stand, whichever way the board is turned.

The board looks the same from its four sides, in a mirror, and with its inner and outer square exchanged: 16 images.
They share one number, that of the least image: of the stronger side's men on the middle square count most, and there
are 51 least ways for these to stand. Sides are two sets of points in one number, the stronger side's above the other's.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.game.combinations import subset_at, subset_count, subset_rank

FEWEST, MOST = 3, 5
"""Men of a side in positions that have a number."""
POINTS, RING = 24, 8
POINT_BITS, RING_BITS = (1 << POINTS) - 1, (1 << RING) - 1


def arranged(points: int) -> int:
    """Points with those of the middle square highest, then the outer and the inner one's."""
    return (points & RING_BITS << RING) << RING | (points & RING_BITS) << RING | points >> 2 * RING


def restored(points: int) -> int:
    return points >> RING & RING_BITS << RING | points >> RING & RING_BITS | (points & RING_BITS) << 2 * RING


def turned(sides: int) -> int:
    """Both sides after a quarter turn."""
    return sides << 2 & 0xFCFCFCFCFCFC | sides >> 6 & 0x030303030303


def mirrored(sides: int) -> int:
    """Both sides in a mirror through the first corner."""
    sides = (sides & 0x555555555555) << 1 | sides >> 1 & 0x555555555555
    sides = (sides & 0x333333333333) << 2 | sides >> 2 & 0x333333333333
    sides = (sides & 0x0F0F0F0F0F0F) << 4 | sides >> 4 & 0x0F0F0F0F0F0F
    return sides << 1 & 0xFEFEFEFEFEFE | sides >> 7 & 0x010101010101


def exchanged(sides: int) -> int:
    """Both sides, as `arranged`, with the inner and the outer square exchanged."""
    return sides & 0xFF0000FF0000 | sides << RING & 0x00FF0000FF00 | sides >> RING & 0x0000FF0000FF


def images(sides: int) -> Iterator[int]:
    for _ in range(2):
        for _ in range(2):
            for _ in range(4):
                sides = turned(sides)
                yield sides
            sides = mirrored(sides)
        sides = exchanged(sides)


def least_image(sides: int) -> int:
    least = sides
    for image in images(sides):
        least = min(least, image)
    return least


MIDDLES = tuple(ring for ring in range(RING_BITS + 1) if least_image(ring << 2 * RING) == ring << 2 * RING)
"""The least ways for men to stand on the middle square."""


def ways(middle: int, men: int) -> int:
    """In how many ways the others of so many men may stand on the other squares."""
    left = men - middle.bit_count()
    return subset_count(2 * RING, left) if left >= 0 else 0


STARTS = tuple(
    tuple(sum(ways(middle, men) for middle in MIDDLES[:i]) for i in range(len(MIDDLES) + 1))
    for men in range(FEWEST, MOST + 1)
)
"""For so many men, the first number with each of these ways; the last of all is how many numbers there are."""


def placements(strong: int, weak: int) -> int:
    """How many numbers there are for so many men of each side."""
    return STARTS[strong - FEWEST][len(MIDDLES)] * subset_count(POINTS - strong, weak)


def number_of(strong: int, weak: int) -> int:
    """The number of two sets of points, the stronger side's first."""
    sides = least_image(arranged(strong) << POINTS | arranged(weak))
    strong, weak = sides >> POINTS, sides & POINT_BITS
    men, middle, place = strong.bit_count(), strong >> 2 * RING, 0
    while MIDDLES[place] < middle:
        place += 1
    number = STARTS[men - FEWEST][place] + subset_rank(strong & (1 << 2 * RING) - 1)
    free, left = 0, weak
    while left:
        point = left & -left
        left ^= point
        free |= point >> (strong & (point - 1)).bit_count()
    return number * subset_count(POINTS - men, weak.bit_count()) + subset_rank(free)


def sides_of(number: int, strong: int, weak: int) -> int:
    """Both sides of a position with that number, of so many men each."""
    choices = subset_count(POINTS - strong, weak)
    starts, of_strong, place = STARTS[strong - FEWEST], number // choices, 0
    while starts[place + 1] <= of_strong:
        place += 1
    middle = MIDDLES[place]
    men = middle << 2 * RING | subset_at(of_strong - starts[place], strong - middle.bit_count())
    free, placed, skipped = subset_at(number % choices, weak), 0, 0
    for point in range(POINTS):
        if men >> point & 1:
            skipped += 1
        else:
            placed |= (free >> point - skipped & 1) << point
    return restored(men) << POINTS | restored(placed)
