"""Random rule expressions, compiled and in Python: they must agree, or the compiled rule must refuse.

    python bench/rules_fuzz.py --programs 2000

Each batch is one game with many actions, one expression an action, over whole numbers, floats and truth values of the
state. A compiled rule may raise where a number leaves 64 bits; it may not give another number than Python, and has to
raise where Python does.
"""

from __future__ import annotations

import importlib.util
import random
import tempfile
import warnings
from pathlib import Path
from typing import Any

from tools import answer, arguments

from zermelo.engine import compile_game
from zermelo.errors import CompileError, ContractError

BATCH = 40
STATES = 30
NUMBERS = (-9, -2, -1, 0, 1, 2, 3, 7, 63, 1000, 2**31, 2**53, 2**62, -(2**62), 2**63 - 1)
HEADER = """
from typing import NamedTuple
import zermelo

class Fuzz(zermelo.Game):
    players = 1
    utility_sum = None
    bounds = (-1e300, 1e300)

    class State(NamedTuple):
        x: int
        y: int
        f: float
        b: bool
        out: float

    def initial(self): return self.State(0, 0, 0.0, False, 0.0)
    def player(self, s): return 0
    def actions(self, s):
        for a in range({count}):
            yield a
    def is_terminal(self, s): return False
    def utility(self, s, p): return 0.0
    def result(self, s, a):
        x, y, f, b = s.x, s.y, s.f, s.b
        out = 0.0
"""


def whole(rng: random.Random, depth: int) -> str:
    """An expression that is a whole number."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(["x", "y", "b", str(rng.randint(-5, 9)), f"({truth(rng, 0)})"])
    a, b = whole(rng, depth - 1), whole(rng, depth - 1)
    kind = rng.randrange(9)
    if kind < 4:
        return f"({a} {rng.choice(['+', '-', '*', '//', '%', '&', '|', '^'])} {b})"
    if kind == 4:
        return f"(({a} << {rng.randint(0, 70)}) & {2 ** rng.randint(1, 62) - 1})"
    if kind == 5:
        return f"({a} >> {rng.randint(0, 70)})"
    if kind == 6:
        return f"{rng.choice(['abs', 'int', '-', '~'])}({a})"
    if kind == 7:
        return f"{rng.choice(['min', 'max'])}({a}, {b})"
    return f"({a} if {truth(rng, depth - 1)} else {b})"


def truth(rng: random.Random, depth: int) -> str:
    """An expression that is true or false."""
    if depth == 0:
        return rng.choice(["b", "x > y", "x == 0", "not b", "y >= 2"])
    a, b = whole(rng, depth - 1), whole(rng, depth - 1)
    return f"({a} {rng.choice(['<', '<=', '==', '!=', '>'])} {b})"


def number(rng: random.Random, depth: int) -> str:
    """An expression that is a float."""
    if depth == 0:
        return rng.choice(["f", "0.5", "-1.25", "2.0"])
    a, b = number(rng, depth - 1), number(rng, depth - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return f"({whole(rng, depth - 1)} / {whole(rng, depth - 1)})"
    return f"({a} {rng.choice(['+', '-', '*', '/'])} {b})"


def batch(rng: random.Random, folder: Path, name: str) -> tuple[Any, list[str]]:
    """A game with one expression an action."""
    expressions = [(whole if rng.random() < 0.75 else number)(rng, rng.randint(1, 4)) for _ in range(BATCH)]
    rules = "".join(f"        if a == {i}:\n            out = ({e}) + 0.0\n" for i, e in enumerate(expressions))
    path = folder / f"{name}.py"
    text = HEADER.replace("{count}", str(BATCH)) + rules + "        return self.State(x, y, f, b, out)\n"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Fuzz(), expressions


def outcome(function: Any) -> Any:
    """A number, or the name of the error: overflow apart, as Python has none of whole numbers."""
    try:
        return function()
    except ContractError:
        return "refused"
    except (ArithmeticError, ValueError) as error:
        return type(error).__name__


def differences(game: Any, expressions: list[str], rng: random.Random) -> list[str]:
    """Where compiled and interpreted rules disagree."""
    compiled = compile_game(game)
    found = []
    for _ in range(STATES):
        pick = lambda: rng.choice(NUMBERS) if rng.random() < 0.5 else rng.randint(-20, 20)  # noqa: E731
        s = game.State(pick(), pick(), rng.choice((0.0, 0.5, -3.25, 1e9)), rng.random() < 0.5, 0.0)
        for a, expression in enumerate(expressions):
            python = outcome(lambda s=s, a=a: game.result(s, a).out)
            native = outcome(lambda s=s, a=a: compiled.step(s, a).state.out)
            if native != python and native != "refused":
                found.append(f"{expression} at {s}: compiled {native}, Python {python}")
    return found


def main() -> None:
    asked = arguments(__doc__, programs=(2000, "expressions"), seed=(1, "of the generator"))
    rng = random.Random(asked.seed)
    tried, refused, found = 0, 0, []
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        while tried < asked.programs:
            game, expressions = batch(rng, Path(folder), f"fuzz{asked.seed}_{tried}")
            try:
                found += differences(game, expressions, rng)
            except CompileError:
                refused += len(expressions)
            tried += len(expressions)
    result = {"programs": tried, "not compiled": refused, "differences": found}
    lines = [f"{tried} programs, {refused} of them not compiled, {len(found)} differences", *found[:20]]
    answer(asked, result, "\n".join(lines))


if __name__ == "__main__":
    main()
