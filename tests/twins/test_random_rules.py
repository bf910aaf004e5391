"""Rules made at random: whatever they say, compiled they say the same."""

import random
from typing import Any, NamedTuple

import numpy
import pytest

import zermelo
from zermelo.engine import CompiledGame

ARITHMETIC = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "({} & {})",
    "({} | {})",
    "({} ^ {})",
    "min({}, {})",
    "max({}, {})",
)
GUARDED = ("({} // ({} | 1))", "({} % ({} | 1))", "({} >> ({} & 127))", "({} << ({} & 7))")
CHOICES = ("({} if {} < {} else {})", "({} if {} == {} or not {} else 3)")
OTHERS = (
    "abs({})",
    "(-{})",
    "(~{})",
    "self.helper({}, {})",
    "self.table[{} % 20]",
    "self.ragged[{} % 5][0]",
    "int({} / 4)",
)


def expression(chooser: random.Random, depth: int) -> str:
    """An expression over a state `s` and an action `a`; its value stays far within 64 bits."""
    if depth == 0:
        return chooser.choice(("s.x", "s.y", "a", "s.cells[a % 4]", "int(s.flag)", str(chooser.randrange(-9, 10))))
    form = chooser.choice(chooser.choice((ARITHMETIC, GUARDED, CHOICES, OTHERS)))
    filled = form.format(*(expression(chooser, depth - 1) for _ in range(form.count("{}"))))
    return f"({filled} % 10007 - 5000)"


def rules(seed: int) -> type[zermelo.Game]:
    """A class of games with random rules. Numbers of arrays become ints at once, as NumPy's own would overflow."""
    chooser = random.Random(seed)
    made = [expression(chooser, 3).replace("s.cells[a % 4]", "int(s.cells[a % 4])") for _ in range(7)]
    source = f"""
class Rules(zermelo.Game):
    class State(NamedTuple):
        x: int
        y: int
        flag: bool
        cells: Any
        plies: int

    def __init__(self):
        self.table = tuple(i * i - 40 for i in range(20))
        self.ragged = tuple(tuple(range(i, 2 * i + 1)) for i in range(5))

    def helper(self, m, n):
        total = 0
        for i in range(m % 5):
            if n % 3 == i:
                continue
            total += i * n
        return total % 1000

    def initial(self):
        return self.State(3, -4, False, numpy.array([1, -2, 3, -4], numpy.int16), 0)

    def player(self, s):
        a = 1
        return {made[0]} % 2

    def actions(self, s):
        yield 0
        for a in range(1, 6):
            if {made[1]} > 0:
                yield a

    def result(self, s, a):
        cells = s.cells.copy()
        cells[{made[2]} % 4] = {made[3]}
        return self.State({made[4]}, {made[5]}, {made[6]} > 0, cells, s.plies + 1)

    def is_terminal(self, s):
        return s.plies >= 12 or s.x == s.y

    def utility(self, s, p):
        a = p
        return ({made[0]}) / 8192 if p == 0 else -({made[1]}) / 8192
"""
    scope: dict[str, Any] = {"zermelo": zermelo, "NamedTuple": NamedTuple, "Any": Any, "numpy": numpy}
    exec(source, scope)
    return scope["Rules"]


@pytest.mark.parametrize("seed", range(8))
def test_random_rules_say_the_same_compiled_and_interpreted(seed: int) -> None:
    game = rules(seed)()
    compiled = CompiledGame(game)
    chooser = random.Random(seed)
    for _ in range(15):
        s = game.initial()
        while not game.is_terminal(s):
            mover, _utilities = compiled.info(s)
            actions = list(game.actions(s))
            assert mover == game.player(s)
            assert compiled.actions(s) == actions
            for a in actions:
                step, child = compiled.step(s, a), game.result(s, a)
                assert step.state[:3] == child[:3]
                assert numpy.array_equal(step.state.cells, child.cells)
                assert step.utilities == (game.utilities(child) if game.is_terminal(child) else ())
            s = game.result(s, chooser.choice(actions))
