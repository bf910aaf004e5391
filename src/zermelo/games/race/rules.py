"""The rules of the race: a game of chance and skill that always ends, because runners only go forward.

Two runners of a side are alike, so a state names them by their order: the one behind and the one ahead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._table import GAP, STYLE, WIDTH, draw_die
from zermelo.options import takes, whole

LEFT, LENGTH, HIGH = 96, 280, 56
"""Where the tracks begin, how long they are, and how high with what is around them."""
MOST_MARKED = 28
"""Steps of a track whose places are all drawn."""
TRACK = (
    ".track{stroke:#8a8372;stroke-width:4}.step{fill:#ffffff;stroke:#8a8372}.goal{fill:#e8b64c;stroke:#8a8372}"
    ".one{fill:#23588f;stroke:#ffffff;stroke-width:1.5}.two{fill:#a83f26;stroke:#ffffff;stroke-width:1.5}"
)


def draw(runners: Sequence[tuple[int, int]], steps: int, turn: int, dice: Sequence[int]) -> str:
    """Both sides' runners, the one behind and the one ahead, and the `dice` of whoever has the `turn`, if rolled."""
    tracks = "".join(_track(p, runners[p], steps) for p in (0, 1))
    y = 2 * HIGH + WIDTH / 2 + GAP
    says = f"player {turn}" + ("" if dice else " rolls")
    rolled = "".join(draw_die(LEFT + i * (WIDTH + GAP), y, face) for i, face in enumerate(dice or (0, 0)))
    width, height = LEFT + LENGTH + 30, y + WIDTH / 2 + 2 * GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {width + 8} {height + 8}">'
        f'<style>{STYLE}{TRACK}</style><rect width="{width}" height="{height}" rx="12" class="cloth"/>'
        f'{tracks}<text x="12" y="{y}" class="label">{says}</text>{rolled}</svg>'
    )


def _track(p: int, runners: tuple[int, int], steps: int) -> str:
    y = HIGH * (p + 0.5) + GAP / 2
    places = range(steps + 1) if steps <= MOST_MARKED else (0, steps)
    marks = "".join(
        f'<circle cx="{_along(step, steps):g}" cy="{y}" r="4" class="{"goal" if step == steps else "step"}"/>'
        for step in places
    )
    kind = ("one", "two")[p]
    men = "".join(
        f'<circle cx="{_along(step, steps):g}" cy="{y + side * 11}" r="8" class="{kind}"/>'
        for step, side in zip(runners, (-1, 1), strict=True)
    )
    return (
        f'<text x="12" y="{y}" class="label">player {p}</text>'
        f'<path d="M{LEFT},{y}h{LENGTH}" class="track"/>{marks}{men}'
    )


def _along(step: int, steps: int) -> float:
    return LEFT + LENGTH * step / steps


LOW_BEHIND, HIGH_BEHIND, BOTH_BEHIND, BOTH_AHEAD = 0, 1, 2, 3
"""Which dice the runner behind gets; the other runner gets the rest."""


class Race(Game["Race.State", int]):
    """Give one die to each of your two runners; the first to have both at the end of the track wins."""

    shelf = "dice"

    class State(NamedTuple):
        behind: int  # how far the two runners of the player to move have come
        ahead: int
        their_behind: int
        their_ahead: int
        turn: int
        low: int  # the dice, or 0 and 0 before the roll
        high: int

    @takes(steps=whole(1, 100, about="steps of the track"), sides=whole(1, 20, about="sides of a die"))
    def __init__(self, steps: int = 4, sides: int = 6):
        self.steps = steps
        self.sides = sides
        self.scale = 2.0 * steps

    def initial(self) -> State:
        return self.State(0, 0, 0, 0, 0, 0, 0)

    def player(self, s: State) -> int:
        return CHANCE if s.low == 0 else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.low == 0:
            if not self.is_terminal(s):
                for low in range(1, self.sides + 1):
                    for high in range(low, self.sides + 1):
                        yield low * (self.sides + 1) + high
        elif s.ahead == self.steps:  # a runner who is home takes no more dice
            yield BOTH_BEHIND
        else:
            yield LOW_BEHIND
            if s.behind != s.ahead and s.low != s.high:
                yield HIGH_BEHIND
            yield BOTH_BEHIND
            if s.behind != s.ahead:
                yield BOTH_AHEAD

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if s.low == 0 and not self.is_terminal(s):
            for low in range(1, self.sides + 1):
                for high in range(low, self.sides + 1):
                    ways = 1.0 if low == high else 2.0
                    yield low * (self.sides + 1) + high, ways / (self.sides * self.sides)

    def result(self, s: State, a: int) -> State:
        if s.low == 0:
            low, high = a // (self.sides + 1), a % (self.sides + 1)
            return self.State(s.behind, s.ahead, s.their_behind, s.their_ahead, s.turn, low, high)
        gain = self.gain(s, a)
        one = min(s.behind + gain, self.steps)  # steps beyond the end are lost
        other = min(s.ahead + s.low + s.high - gain, self.steps)
        return self.State(s.their_behind, s.their_ahead, min(one, other), max(one, other), 1 - s.turn, 0, 0)

    def gain(self, s: State, a: int) -> int:
        """How many steps the runner behind gets."""
        if a == LOW_BEHIND:
            return s.low
        if a == HIGH_BEHIND:
            return s.high
        return s.low + s.high if a == BOTH_BEHIND else 0

    def is_terminal(self, s: State) -> bool:
        return s.their_behind == self.steps

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    # An estimate: how many steps a player is ahead.

    def evaluate(self, s: State, p: int) -> float:
        lead = s.behind + s.ahead - s.their_behind - s.their_ahead
        return (lead if p == s.turn else -lead) / (2 * self.steps)

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    # Text: the dice as `2-5`; `5/2` gives five to the runner behind and two to the one ahead.

    def read(self, text: str) -> State:
        s: Race.State = super().read(text)
        placed = 0 <= s.behind <= s.ahead <= self.steps and 0 <= s.their_behind <= s.their_ahead <= self.steps
        rolled = s.low == s.high == 0 or (1 <= s.low <= s.high <= self.sides and s.their_behind < self.steps)
        if not placed or not rolled or s.behind == self.steps or s.turn not in (0, 1):
            raise PositionError(
                f"{text!r} is not a position: write both runners of the player to move and of the other (0 to "
                f"{self.steps}, the one behind first), the player (0 or 1) and the dice (smaller first, or 0,0)"
            )
        return s

    def show(self, s: State) -> str:
        sides = ((s.behind, s.ahead), (s.their_behind, s.their_ahead))
        tracks = [
            f"player {p}  " + " ".join(".12"[sides[p == 1 - s.turn].count(step)] for step in range(self.steps + 1))
            for p in (0, 1)
        ]
        dice = f"has rolled {s.low}-{s.high}" if s.low else "to roll"
        return "\n".join([*tracks, f"player {s.turn} {dice}"])

    def picture(self, s: State) -> str:
        runners = [(s.behind, s.ahead), (s.their_behind, s.their_ahead)]
        return draw(runners if s.turn == 0 else runners[::-1], self.steps, s.turn, (s.low, s.high) if s.low else ())

    def show_action(self, s: State, a: int) -> str:
        if s.low == 0:
            return f"{a // (self.sides + 1)}-{a % (self.sides + 1)}"
        return f"{self.gain(s, a)}/{s.low + s.high - self.gain(s, a)}"
