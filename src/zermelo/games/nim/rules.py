"""The rules of Nim, solved by Bouton in 1901: the player to move loses exactly if the heaps' XOR is zero."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import OptionError, PositionError
from zermelo.game import Game

MOST_DRAWN = 40
"""Stones of a heap that still can be told apart in a picture."""
STYLE = ".stone{fill:#7d8794;stroke:#39424e;stroke-width:2}.name{font:14px sans-serif;text-anchor:middle}"


class Nim(Game["Nim.State", int]):
    """Take any number of stones from one heap; whoever takes the last one wins (or loses, if `misere`)."""

    shelf = "theory"

    scale = 1.0

    class State(NamedTuple):
        heaps: NDArray[np.int64]  # the stones left in each heap
        turn: int

    def __init__(self, heaps: tuple[int, ...] = (3, 4, 5), misere: bool = False):
        if (
            not 1 <= len(heaps) <= 26
            or not all(isinstance(h, int) and 0 <= h < 10_000 for h in heaps)
            or not any(heaps)
        ):
            raise OptionError(f"heaps must be 1 to 26 numbers below 10,000, not all 0, as in heaps=3/4/5; not {heaps}")
        self.heaps = heaps
        self.misere = misere
        self.most = max(heaps)

    def initial(self) -> State:
        return self.State(np.array(self.heaps), 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for heap in range(len(s.heaps)):
            for stones in range(1, s.heaps[heap] + 1):
                yield heap * self.most + stones - 1

    def result(self, s: State, a: int) -> State:
        heaps = s.heaps.copy()
        heaps[a // self.most] -= a % self.most + 1
        return self.State(heaps, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return not s.heaps.any()

    def utility(self, s: State, p: int) -> float:
        return 1.0 if (p == s.turn) == self.misere else -1.0

    # Text: `b3` takes three stones from the second heap.

    def read(self, text: str) -> State:
        s: Nim.State = super().read(text)
        if min(s.heaps) < 0 or max(s.heaps) > self.most or s.turn not in (0, 1):
            raise PositionError(f"{text!r} is not a position: heaps hold 0 to {self.most} stones, players are 0 and 1")
        return s

    def show(self, s: State) -> str:
        return "\n".join(f"{chr(97 + i)} {'●' * int(h)} {h}" for i, h in enumerate(s.heaps))

    def touched(self, s: State, a: int) -> tuple[tuple[str, int], ...]:
        return ()  # what has been taken is gone, and the stones that are left are called otherwise

    def picture(self, s: State) -> str:
        """Heaps as stacks; a stone is the place of the action that takes it and all above it."""
        most = max(int(h) for h in s.heaps) or 1
        if most > MOST_DRAWN:
            return super().picture(s)
        stones = "".join(
            f'<ellipse cx="{30 + 60 * i}" cy="{20 * (most - k) + 6}" rx="22" ry="9" class="stone" '
            f'data-at="{chr(97 + i)}{int(h) - k}"/>'
            for i, h in enumerate(s.heaps)
            for k in range(int(h))
        )
        foot = 20 * most + 32
        names = "".join(
            f'<text x="{30 + 60 * i}" y="{foot}" class="name">{chr(97 + i)}: {h}</text>' for i, h in enumerate(s.heaps)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -6 {60 * len(s.heaps) + 4} {foot + 14}">'
            f"<style>{STYLE}</style>{stones}{names}</svg>"
        )

    def show_action(self, s: State, a: int) -> str:
        return f"{chr(97 + a // self.most)}{a % self.most + 1}"
