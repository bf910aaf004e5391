"""The rules of Pig.

Both players may throw ones for ever, so positions come back and no full-depth search of Pig ends: search it
to a depth, or solve it by value iteration. `race` is the dice game that always ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game import CHANCE, Game
from zermelo.games._table import STYLE, WIDTH, draw_die
from zermelo.options import takes, whole

LEFT, LENGTH, HIGH = 96, 260, 26
"""Where the bars begin, how long they are, and how high."""
BARS = ".way{fill:#ffffff;stroke:#8a8372}.kept{fill:#23588f}.open{fill:#8fb4da}.hold{fill:#f6dfae;stroke:#8a8372}"


def draw(points: tuple[int, int], total: int, turn: int, goal: int, rolling: bool, can_hold: bool) -> str:
    """What both have kept, what whoever has the `turn` has won in it, and the places `roll` and `hold`."""
    bars = "".join(_bar(p, points[p], total if p == turn else 0, goal) for p in (0, 1))
    die = draw_die(LEFT, 130, 0)
    shapes = die if rolling else f'<g data-at="roll">{die}{_word(LEFT + WIDTH / 2, "roll", "light")}</g>'
    if can_hold:
        x = LEFT + 2 * WIDTH
        box = f'<rect x="{x}" y="{130 - WIDTH / 2}" width="{2 * WIDTH}" height="{WIDTH}" rx="8" class="hold"/>'
        shapes += f'<g data-at="hold">{box}{_word(x + WIDTH, f"hold {total}")}</g>'
    width, height = LEFT + LENGTH + 70, 168
    light = ".light{fill:#ffffff}.word{text-anchor:middle}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {width + 8} {height + 8}">'
        f'<style>{STYLE}{BARS}{light}</style><rect width="{width}" height="{height}" rx="12" class="cloth"/>'
        f"{bars}{shapes}</svg>"
    )


def _bar(p: int, kept: int, total: int, goal: int) -> str:
    y = 16 + 42 * p
    unit = LENGTH / goal
    said = f"{kept} + {total}" if total else f"{kept}"
    return (
        f'<text x="12" y="{y + HIGH / 2}" class="label">player {p}</text>'
        f'<rect x="{LEFT}" y="{y}" width="{LENGTH}" height="{HIGH}" class="way"/>'
        f'<rect x="{LEFT}" y="{y}" width="{unit * kept:g}" height="{HIGH}" class="kept"/>'
        f'<rect x="{LEFT + unit * kept:g}" y="{y}" width="{unit * total:g}" height="{HIGH}" class="open"/>'
        f'<text x="{LEFT + LENGTH + 8}" y="{y + HIGH / 2}" class="words">{said}</text>'
    )


def _word(x: float, said: str, kind: str = "") -> str:
    return f'<text x="{x}" y="130" class="words word {kind}">{said}</text>'


HOLD, ROLL = 0, 1


class Pig(Game["Pig.State", int]):
    """Roll as often as you like to add up points, or hold to keep them; a 1 loses what the turn has brought."""

    shelf = "dice"

    class State(NamedTuple):
        mine: int  # the points that the player to move has kept
        theirs: int
        total: int  # the points of this turn, not kept yet
        turn: int
        rolling: bool  # whether the die is in the air

    @takes(goal=whole(2, 100, about="points that win"), sides=whole(2, 100, about="sides of the die"))
    def __init__(self, goal: int = 50, sides: int = 6):
        self.goal = goal
        self.sides = sides
        self.scale = float(goal)

    def initial(self) -> State:
        return self.State(0, 0, 0, 0, False)

    def player(self, s: State) -> int:
        return CHANCE if s.rolling else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.rolling:
            for face in range(1, self.sides + 1):
                yield face
        elif not self.is_terminal(s):
            yield ROLL
            if s.total > 0:
                yield HOLD

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        if s.rolling:
            for face in range(1, self.sides + 1):
                yield face, 1.0 / self.sides

    def result(self, s: State, a: int) -> State:
        if not s.rolling:
            if a == HOLD:
                return self.State(s.theirs, s.mine + s.total, 0, 1 - s.turn, False)
            return self.State(s.mine, s.theirs, s.total, s.turn, True)
        if a == 1:
            return self.State(s.theirs, s.mine, 0, 1 - s.turn, False)
        # Points beyond the goal count for nothing, so that they make no further positions.
        return self.State(s.mine, s.theirs, min(s.total + a, self.goal - s.mine), s.turn, False)

    def is_terminal(self, s: State) -> bool:
        return s.mine + s.total >= self.goal

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p == s.turn else -1.0

    # An estimate: how far ahead a player is, this turn's points included.

    def evaluate(self, s: State, p: int) -> float:
        ahead = s.mine + s.total - s.theirs
        return (ahead if p == s.turn else -ahead) / self.goal

    # Text.

    def read(self, text: str) -> State:
        s: Pig.State = super().read(text)
        kept = 0 <= s.mine < self.goal and 0 <= s.theirs < self.goal and s.turn in (0, 1)
        if not kept or not 0 <= s.total <= self.goal - s.mine - s.rolling:
            raise PositionError(
                f"{text!r} is not a position: points lie between 0 and {self.goal}, players are 0 and 1"
            )
        return s

    def show(self, s: State) -> str:
        points = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
        doing = "rolls" if s.rolling else "to move"
        return "\n".join(
            f"player {p}: {points[p]:>3} of {self.goal}" + (f", {s.total} this turn, {doing}" if p == s.turn else "")
            for p in (0, 1)
        )

    def picture(self, s: State) -> str:
        points = (s.mine, s.theirs) if s.turn == 0 else (s.theirs, s.mine)
        can_hold = HOLD in self.actions(s) and not s.rolling
        return draw(points, s.total, s.turn, self.goal, s.rolling or self.is_terminal(s), can_hold)

    def show_action(self, s: State, a: int) -> str:
        if s.rolling:
            return str(a)
        return "hold" if a == HOLD else "roll"
