"""A game of the tests, with slices: from a row of matches both take one, two or three; who takes the last one wins."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zermelo import Game

SLICE = 8
"""Rows of a slice."""


class Takeaway(Game):
    """Take one, two or three matches; the last one wins."""

    class State(NamedTuple):
        matches: int
        turn: int

    def __init__(self, matches: int = 30):
        self.matches = matches

    def initial(self) -> State:
        return self.State(self.matches, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for taken in range(1, min(3, s.matches) + 1):
            yield taken

    def result(self, s: State, a: int) -> State:
        return self.State(s.matches - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.matches == 0

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def slices(self, pieces: int) -> Iterable[int]:
        return [pieces - 1]

    def slice_name(self, m: int) -> str:
        return f"from-{SLICE * m}"

    def material(self, s: State) -> int:
        return s.matches // SLICE

    def slice_size(self, m: int) -> int:
        return SLICE

    def rank(self, s: State) -> int:
        return s.matches % SLICE

    def unrank(self, m: int, i: int) -> State:
        return self.State(SLICE * m + i, 0)


class Half(Takeaway):
    """Numbers positions, and does not say which position has a number."""

    unrank = Game.unrank


class Long(Takeaway):
    """One slice, with more distances than a byte can tell apart."""

    def slice_size(self, m: int) -> int:
        return 2000

    def material(self, s: Takeaway.State) -> int:
        return s.matches // 2000

    def rank(self, s: Takeaway.State) -> int:
        return s.matches % 2000

    def unrank(self, m: int, i: int) -> Takeaway.State:
        return self.State(2000 * m + i, 0)


class Backwards(Takeaway):
    """Its slices are built in the wrong order unless the builder looks where they lead."""

    def slices(self, pieces: int) -> Iterable[int]:
        return range(pieces - 1, -1, -1)


class Circular(Takeaway):
    """Says of two slices that each leads to the other."""

    def material(self, s: Takeaway.State) -> int:
        return s.matches % 2

    def rank(self, s: Takeaway.State) -> int:
        return s.matches // 2

    def unrank(self, m: int, i: int) -> Takeaway.State:
        return self.State(2 * i + m, 0)


class Unlike(Takeaway):
    """Gives one number to positions that are not worth the same."""

    def slice_size(self, m: int) -> int:
        return SLICE // 2

    def rank(self, s: Takeaway.State) -> int:
        return s.matches % SLICE // 2

    def unrank(self, m: int, i: int) -> Takeaway.State:
        return self.State(SLICE * m + 2 * i, 0)


class TooFar(Takeaway):
    """Gives numbers beyond the size of its slices."""

    def slice_size(self, m: int) -> int:
        return SLICE // 2


class Halves(Takeaway):
    """Ends with half a win."""

    def utility(self, s: Takeaway.State, p: int) -> float:
        return -0.5 if p == s.turn else 0.5


class Nameless(Takeaway):
    """Calls all slices the same."""

    def slice_name(self, m: int) -> str:
        return "rows"


class Sparse(Takeaway):
    """One slice with many more numbers than positions, and positions of no slice between them."""

    def slices(self, pieces: int) -> Iterable[int]:
        return [0]

    def slice_size(self, m: int) -> int:
        return 150_000

    def material(self, s: Takeaway.State) -> int:
        return -1 if s.matches % 11 in (5, 6) else 0

    def rank(self, s: Takeaway.State) -> int:
        return s.matches * 37

    def unrank(self, m: int, i: int) -> Takeaway.State:
        return self.State(min(i // 37, 400), 0)
