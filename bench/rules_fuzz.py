"""Random rules, compiled and in Python: they must agree, or the compiled rule must refuse.

    python bench/rules_fuzz.py --programs 2000

A program is a random function of a state's fields: whole numbers, floats, truth values, tuples of tuples, a NamedTuple,
arrays, and boards of 64 bits in every other batch; with variables, loops, helpers and whatever else compiles. A batch
is one game with one program an action, and each is run in 25 states. A compiled rule may refuse where a number leaves
64 bits; it may not answer otherwise than Python, and has to raise where Python does.
"""

from __future__ import annotations

import importlib.util
import random
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any

from rules_programs import Program, Writer, game_source
from tools import answer, arguments

from zermelo.engine import compile_game
from zermelo.errors import CompileError, RefusedError

BATCH = 40
STATES = 25
NUMBERS = (-9, -2, -1, 0, 1, 2, 3, 7, 63, 64, 1000, 2**31, 2**53, 2**53 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63))
REALS = (0.0, 0.5, -3.25, 1.0, 2.0, 1e9, -1e18, 2.0**53, 2.0**63, 1e300)
WORDS = (0, 1, 3, 255, 2**63, 2**64 - 1, 2**62 + 5, 0x8100000000000081, 0x00FF00FF00FF00FF)


class Tally:
    """What became of the comparisons."""

    def __init__(self) -> None:
        self.tried = self.not_compiled = self.compared = self.refused = 0
        self.reasons: dict[str, str] = {}
        """Why programs were not compiled, with one of them each."""
        self.differences: dict[str, str] = {}
        """The first of each program."""


def load_game(source: str, folder: Path, name: str) -> Any:
    """A game made of `source`."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Fuzz()


def random_state(game: Any, rng: random.Random) -> Any:
    """A state with numbers at the edges and in the middle."""
    import numpy

    def whole() -> int:
        return rng.choice(NUMBERS) if rng.random() < 0.3 else rng.randint(-20, 20)

    def real() -> float:
        return rng.choice(REALS) if rng.random() < 0.4 else rng.randint(-40, 40) / 8

    def word() -> int:
        return rng.choice(WORDS) if rng.random() < 0.5 else rng.getrandbits(64)

    def truth() -> bool:
        return rng.random() < 0.5

    fields = {
        "x": whole(),
        "y": whole(),
        "f": real(),
        "g": real(),
        "b": truth(),
        "c": truth(),
        "pair": (whole(), whole()),
        "nest": ((rng.randint(0, 3), whole()), (rng.randint(0, 3), whole())),
        "inner": game.Inner(whole(), real(), (rng.randint(-3, 3), whole())),
        "row": numpy.array([whole() for _ in range(5)]),
        "grid": numpy.array([[rng.randint(-3, 3) for _ in range(3)] for _ in range(3)]),
        "tiny": numpy.array([rng.randint(-128, 127) for _ in range(4)], "int8"),
        "flags": numpy.array([truth() for _ in range(4)]),
        "reals": numpy.array([real() for _ in range(3)]),
        "mine": word(),
        "theirs": word(),
    }
    own = {name: fields.get(name, value) for name, value in game.initial()._asdict().items()}
    return game.State(**own)


def outcome(function: Any) -> Any:
    """What a rule answers, or the kind of its error."""
    try:
        return function()
    except RefusedError:
        return RefusedError
    except (ArithmeticError, ValueError, IndexError, TypeError, MemoryError) as error:
        return type(error).__name__


def same(native: Any, python: Any) -> bool:
    """Whether two answers are one number; the kinds of numbers may differ, as 1 and True do."""
    if isinstance(native, str) or isinstance(python, str):
        return bool(native == python)
    return bool(native == python or (native != native and python != python))


def try_programs(
    programs: list[Program], words: bool, folder: Path, name: str, rng: random.Random, tally: Tally
) -> None:
    """Compares all of `programs` that compile."""
    left = [program.numbered(number) for number, program in enumerate(programs)]
    while left:
        game = load_game(game_source(left, words), folder, f"{name}_{len(left)}")
        try:
            compiled = compile_game(game)
            break
        except CompileError as error:
            left = without_culprit(left, folder / f"{name}_{len(left)}.py", str(error), tally)
    tally.tried += len(programs)
    for _ in range(STATES if left else 0):
        s = random_state(game, rng)
        for a, program in enumerate(left):
            python = outcome(lambda s=s, a=a: getattr(game.result(s, a), f"o{a}"))
            native = outcome(lambda s=s, a=a: getattr(compiled.step(s, a).state, f"o{a}"))
            if native is RefusedError:
                tally.refused += 1
            elif same(native, python) or isinstance(python, complex):
                tally.compared += 1
            else:
                tally.differences.setdefault(str(program), f"compiled {native!r}, Python {python!r} at {s}")


def without_culprit(programs: list[Program], path: Path, error: str, tally: Tally) -> list[Program]:
    """Those of `programs` without the one at the line that the error names; without all if it names none."""
    tally.not_compiled += 1
    reason = error.partition("cannot be compiled")[2] or error
    place = re.search(rf"{path.name}:(\d+):", error)
    lines = path.read_text(encoding="utf-8").splitlines()[: int(place.group(1)) if place else 0]
    named = re.findall(r"# (?:program (\d+)|the game)", "\n".join(lines))
    answer = re.search(r"for 'o(\d+)\b", error)
    if answer:
        named.append(answer.group(1))
    if not named or not named[-1]:
        tally.not_compiled += len(programs) - 1
        tally.reasons[reason] = "no line"
        return []
    tally.reasons[reason] = str(programs[int(named[-1])])
    kept = [program for number, program in enumerate(programs) if number != int(named[-1])]
    return [program.numbered(number) for number, program in enumerate(kept)]


def main() -> None:
    asked = arguments(__doc__, programs=(2000, "random functions"), seed=(1, "of the generator"))
    rng = random.Random(asked.seed)
    tally = Tally()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        while tally.tried < asked.programs:
            words = rng.random() < 0.5
            programs = [Writer(rng, words).program() for _ in range(BATCH)]
            try_programs(programs, words, Path(folder), f"fuzz{asked.seed}_{tally.tried}", rng, tally)
    result = {
        "programs": tally.tried,
        "not compiled": tally.not_compiled,
        "reasons": tally.reasons,
        "answers compared": tally.compared,
        "answers refused": tally.refused,
        "differences": tally.differences,
    }
    lines = [
        f"{tally.tried} programs, {tally.not_compiled} of them not compiled; {tally.compared} answers compared, "
        f"{tally.refused} refused, {len(tally.differences)} differences",
        *(f"{program}\n    {what}" for program, what in tally.differences.items()),
        *(f"{reason[:300]}\n{program}" for reason, program in tally.reasons.items()),
    ]
    answer(asked, result, "\n".join(lines))


if __name__ == "__main__":
    main()
