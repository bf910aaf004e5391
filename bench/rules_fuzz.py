"""Random rules, compiled and in Python: they must agree, or the compiled rule must refuse.

    python bench/rules_fuzz.py --programs 2000
    python bench/rules_fuzz.py --programs 100000 --seed 7 --jobs 8 --log fuzz.log
    python bench/rules_fuzz.py --programs 20000 --pairs    short programs: two kinds of numbers meet a third

A program is a random function of a state's fields: whole numbers, floats, truth values, tuples of tuples, a NamedTuple,
and in some games arrays, and boards of 64 bits; with variables, loops, helpers and whatever else compiles. A batch is
one game, with programs that are compiled one by one, and in some batches as one rule of the game as well; each is run
in many states. A compiled rule may refuse where a number leaves 64 bits; it may not answer otherwise than Python, and
has to raise where Python does. What the compiler claims of the answer, as that it is surely Python's own, is held to
Python's answer, too (`rules_claims.py`): so a fault shows before a third number meets it.

A log has one line of JSON per batch, and one per difference, with the program and the state. A batch depends on the
seed and on its number alone: what the log has already is not run again, and `--batch` runs one of them once more.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import json
import multiprocessing
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rules_pairs import PairWriter
from rules_programs import Fields, Program, game_source, methods_source
from rules_writer import Writer
from tools import answer, arguments

os.environ.setdefault("ZERMELO_CACHE", "")  # nobody compiles these games again

from zermelo.engine import compile_game
from zermelo.errors import CompileError, RefusedError

BATCH = 200
STATES = 40
WHOLE = 25
"""One batch in as many is compiled as a whole, too."""
ACTIONS = 40
"""The programs of such a game."""
TASKS = 8
"""The batches of a process on average, which then gives back its memory."""
MEMORY = 12 << 30
"""The bytes of a process: Python's rules make numbers that no machine holds, and have to raise a `MemoryError`."""
SECONDS = 1.0
"""For one answer of Python's."""
NUMBERS = (-9, -2, -1, 0, 1, 2, 3, 7, 63, 64, 1000, 2**31, 2**53, 2**53 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63))
REALS = (0.0, 0.5, -3.25, 1.0, 2.0, 1e9, -1e18, 2.0**53, 2.0**63, 1e300)
WORDS = (0, 1, 3, 255, 2**63, 2**64 - 1, 2**62 + 5, 0x8100000000000081, 0x00FF00FF00FF00FF)


@dataclass
class Tally:
    """What became of the comparisons."""

    tried: int = 0
    not_compiled: int = 0
    compared: int = 0
    refused: int = 0
    seconds: float = 0.0
    """Of the processor."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why programs were not compiled, with one of them each."""
    differences: dict[str, str] = field(default_factory=dict)
    """The first of each program."""

    def add(self, other: Tally) -> None:
        """Counts the comparisons of another tally, too."""
        for name in ("tried", "not_compiled", "compared", "refused", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.reasons |= other.reasons
        self.differences |= other.differences

    def compare(self, program: Program, native: Any, python: Any, state: Any) -> None:
        """Counts two answers; `native` is `RefusedError` if compiled rules leave it to Python."""
        if python == TimeoutError.__name__:
            return  # nobody knows what it would answer
        if native is RefusedError:
            self.refused += 1
        elif same(native, python) or isinstance(python, complex):
            self.compared += 1
        else:
            self.differences.setdefault(str(program), f"compiled {native!r}, Python {python!r} at {state}")


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
        "short": numpy.array([rng.choice((-(2**31), 2**31 - 1, rng.randint(-20, 20))) for _ in range(4)], "int32"),
        "flags": numpy.array([truth() for _ in range(4)]),
        "reals": numpy.array([real() for _ in range(3)]),
        "halves": numpy.array([rng.randint(-40, 40) / 8 for _ in range(3)], "float32"),
        "mine": word(),
        "theirs": word(),
        "boards": numpy.array([word() for _ in range(3)], "uint64"),
    }
    own = {name: fields.get(name, value) for name, value in game.initial()._asdict().items()}
    return game.State(**own)


def outcome(function: Any, seconds: float = 0.0) -> Any:
    """What a rule answers, or the kind of its error: a `TimeoutError` after so many `seconds`, if there is a limit."""
    try:
        with patience(seconds):
            return function()
    except RefusedError:
        return RefusedError
    except (ArithmeticError, AttributeError, ValueError, IndexError, TypeError, MemoryError, TimeoutError) as error:
        return type(error).__name__


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raises a `TimeoutError` in what takes longer, as Python does for a power of 2^60; 0 for no limit."""

    def give_up(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def same(native: Any, python: Any) -> bool:
    """Whether two answers are one number; the kinds of numbers may differ, as 1 and True do."""
    if isinstance(native, str) or isinstance(python, str):
        return bool(native == python)
    return bool(native == python or (native != native and python != python))


def try_methods(
    programs: list[Program], fields: Fields, folder: Path, name: str, rng: random.Random, tally: Tally
) -> list[Program]:
    """Compares all of `programs` that compile, each by itself, and returns them."""
    from rules_methods import Methods

    game = load_game(methods_source(programs, fields), folder, name)
    methods = Methods(game, programs)
    tally.tried += len(programs)
    tally.not_compiled += len(methods.refused)
    tally.reasons |= {_reason(why): str(programs[i]) for i, why in methods.refused.items()}
    for _ in range(STATES):
        s = random_state(game, rng)
        packed = methods.pack(s)
        for i in methods.compiled:
            python = outcome(lambda s=s, i=i: getattr(game, f"program_{i}")(s), SECONDS)
            native = methods.run(i, packed)
            if native is None:  # it raises: what, is Python's to say
                native = python if isinstance(python, str) else RefusedError
            tally.compare(programs[i], native, python, s)
            answered = native is not RefusedError and not isinstance(native, str)
            wrong = methods.contradiction(i, python) if answered else ""
            if wrong:
                tally.differences.setdefault(str(programs[i]), f"{python!r} is taken for {wrong} at {s}")
    return [programs[i] for i in methods.compiled]


def try_programs(
    programs: list[Program], fields: Fields, folder: Path, name: str, rng: random.Random, tally: Tally
) -> None:
    """Compares all of `programs` that compile, as one rule."""
    left = [program.numbered(number) for number, program in enumerate(programs)]
    while left:
        game = load_game(game_source(left, fields), folder, f"{name}_{len(left)}")
        try:
            compiled = compile_game(game)
            break
        except CompileError as error:
            left = without_culprit(left, folder / f"{name}_{len(left)}.py", str(error), tally)
    for _ in range(STATES if left else 0):
        s = random_state(game, rng)
        for a, program in enumerate(left):
            python = outcome(lambda s=s, a=a: getattr(game.result(s, a), f"o{a}"), SECONDS)
            native = outcome(lambda s=s, a=a: getattr(compiled.step(s, a).state, f"o{a}"))
            tally.compare(program, native, python, s)


def without_culprit(programs: list[Program], path: Path, error: str, tally: Tally) -> list[Program]:
    """Those of `programs` without the one at the line that the error names; without all if it names none."""
    reason = _reason(error)
    place = re.search(rf"{path.name}:(\d+):", error)
    lines = path.read_text(encoding="utf-8").splitlines()[: int(place.group(1)) if place else 0]
    named = re.findall(r"# (?:program (\d+)|the game)", "\n".join(lines))
    answer = re.search(r"for 'o(\d+)\b", error)
    if answer:
        named.append(answer.group(1))
    if not named or not named[-1]:
        tally.not_compiled += len(programs)
        tally.reasons[reason] = "no line"
        return []
    tally.not_compiled += 1
    tally.reasons[reason] = str(programs[int(named[-1])])
    kept = [program for number, program in enumerate(programs) if number != int(named[-1])]
    return [program.numbered(number) for number, program in enumerate(kept)]


def _reason(error: str) -> str:
    return (error.partition("cannot be compiled")[2] or error)[:300]


def run_batch(seed: int, number: int, pairs: bool) -> Tally:
    """The batch with this number."""
    warnings.simplefilter("ignore")
    began = time.process_time()
    rng, tally = random.Random(f"{seed} {number}"), Tally()
    fields = Fields(words=rng.random() < 0.5, arrays=rng.random() < 0.7)
    writer = PairWriter if pairs else Writer
    programs = [writer(rng, fields).program() for _ in range(BATCH)]
    name = f"fuzz{seed}_{number}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            compiled = try_methods(programs, fields, Path(folder), name, rng, tally)
            if not compiled:
                raise CompileError(f"not one program compiles: {next(iter(tally.reasons), '')}")
            if number % WHOLE == 0:
                try_programs(compiled[:ACTIONS], fields, Path(folder), name, rng, tally)
        except Exception as error:  # whatever it is, the other batches go on
            tally.differences[f"batch {number}"] = f"neither an answer nor a refusal: {error!r}"
    tally.seconds = time.process_time() - began
    return tally


def limit_memory() -> None:
    """Lets this process have `MEMORY` and no more."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def run_batches(seed: int, numbers: Iterator[int], jobs: int, pairs: bool) -> Iterator[tuple[int, Tally]]:
    """Each batch and what became of it, in the order in which they end."""
    spawn = multiprocessing.get_context("spawn")
    while some := list(itertools.islice(numbers, jobs * TASKS)):
        with ProcessPoolExecutor(jobs, spawn, limit_memory) as pool:
            running = {pool.submit(run_batch, seed, number, pairs): number for number in some}
            for done in as_completed(running):
                number = running[done]
                try:
                    yield number, done.result()
                except BrokenProcessPool:
                    yield number, Tally(BATCH, differences={f"batch {number}": "a process ended in one of these"})


class Log:
    """A file of one JSON object a line; `None` for no file."""

    def __init__(self, path: str, seed: int):
        self.path = Path(path) if path else None
        self.seed = seed

    def done(self) -> dict[int, Tally]:
        """The batches of this seed that are in the file."""
        if self.path is None or not self.path.exists():
            return {}
        found: dict[int, Tally] = {}
        for line in self.path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["seed"] == self.seed and "program" in entry:
                found[entry["batch"]].differences[entry["program"]] = entry["what"]
            elif entry["seed"] == self.seed:
                found[entry["batch"]] = Tally(**{k: v for k, v in entry.items() if k not in ("seed", "batch")})
        return found

    def write(self, number: int, tally: Tally) -> None:
        entry = {"seed": self.seed, "batch": number}
        facts = asdict(tally)
        differences = facts.pop("differences")
        lines = [entry | facts, *(entry | {"program": each, "what": what} for each, what in differences.items())]
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps(line) + "\n" for line in lines))


def main() -> None:
    asked = arguments(
        __doc__,
        programs=(2000, "random functions"),
        seed=(1, "of the generator"),
        jobs=(1, "processes"),
        pairs=(False, "write short programs, in which two kinds of numbers meet a third"),
        log=("", "a file to which batches and differences are appended"),
        batch=(-1, "the one batch to run"),
    )
    log, tally = Log(asked.log, asked.seed), Tally()
    done = log.done()
    for before in done.values():
        tally.add(before)
    wanted = range(-(-asked.programs // BATCH)) if asked.batch < 0 else [asked.batch]
    numbers = iter([number for number in wanted if number not in done])
    for number, made in run_batches(asked.seed, numbers, asked.jobs, asked.pairs):
        tally.add(made)
        log.write(number, made)
        for program, what in made.differences.items():
            print(f"batch {number}\n{program}\n    {what}", file=sys.stderr, flush=True)
    result = asdict(tally)
    counts = (
        f"{tally.tried} programs, {tally.not_compiled} of them not compiled; {tally.compared} answers compared, "
        f"{tally.refused} refused, {len(tally.differences)} differences; "
        f"{tally.seconds / max(1, tally.tried):.3f} s of the processor per program"
    )
    lines = [
        counts,
        *(f"{program}\n    {what}" for program, what in tally.differences.items()),
        *(f"{reason}\n{program}" for reason, program in tally.reasons.items()),
    ]
    answer(asked, result, "\n".join(lines))


if __name__ == "__main__":
    main()
