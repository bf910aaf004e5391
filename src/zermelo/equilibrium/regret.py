"""Counterfactual regret minimisation: everybody learns to regret nothing, and the average of it is an equilibrium.

At each information set the next strategy plays each action in proportion to its positive regret (regret matching). In
zero-sum games of two players  exploitability of the average ≤ Σ regrets / iterations → 0. With more players, or other
sums, there is no guarantee; `exploitability` shows the result.

    cfr       all regrets, all strategies alike (Zinkevich et al. 2007)
    cfr+      no negative regrets; strategy t has weight t (Tammelin 2014)
    lcfr      regrets and strategies of iteration t have weight t (Brown and Sandholm 2019)
    dcfr      old regrets fade, negative ones faster; weight t² (the same)
    pcfr+     cfr+ that expects the last regrets again; weight t² (Farina, Kroer and Sandholm 2021)
    pdcfr+    pcfr+ whose old regrets fade; weight t⁵ (Xu et al. 2024)
    external  samples chance and the others' actions (Lanctot et al. 2009)
    outcome   samples one game per player

A game that declares its public and private parts (`RangeGame`) is solved by all but the sampling methods with whole
vectors of hands at each public choice; any other, or its extensive form, set by set.

A run of regret minimisation on disk: a line that says what it is, a line of JSON, the numbers, and a digest of all.

The file is replaced whole, so a process killed at any time leaves the last one. Nothing is used before the digest
is checked, and a file of another game or method is refused.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.engine import Stopped
from zermelo.engine.regret import Rule, Run, passes, samples
from zermelo.engine.whole_file import DIGEST, write_whole
from zermelo.equilibrium import regret as files
from zermelo.equilibrium.extensive import ExtensiveForm, extensive_form
from zermelo.equilibrium.public_form import PublicForm
from zermelo.equilibrium.range_strategy import RangeStrategy
from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Point, Strategy
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game.contract import AnyGame, Game
from zermelo.game.ranges import RangeGame
from zermelo.game.validation import check_is_game
from zermelo.options import check_fields, number, whole

RULES = {
    "cfr": Rule(math.inf, math.inf, 0.0, floor=False, predictive=False),
    "cfr+": Rule(math.inf, math.inf, 1.0, floor=True, predictive=False),
    "lcfr": Rule(1.0, 1.0, 1.0, floor=False, predictive=False),
    "dcfr": Rule(1.5, 0.0, 2.0, floor=False, predictive=False),
    "pcfr+": Rule(math.inf, math.inf, 2.0, floor=True, predictive=True),
    "pdcfr+": Rule(2.3, math.inf, 5.0, floor=True, predictive=True),
}
SAMPLED = ("external", "outcome")
METHODS = (*RULES, *SAMPLED)
FIRST_CHUNK = 10
"""Iterations before exploitability is first computed; later again whenever they have grown by a tenth."""
WORTH_THREADS = 200_000
"""The number of nodes from which more threads help."""
IN_TREES, OVER_RANGES = "pdcfr+", "dcfr"
"""The methods if none is named."""
UNPROMISED_SECONDS = 60.0
"""The limit if none is given where nothing promises an end: more than two players, or other sums."""
OF_THE_POT = "0.3%"
"""The default target in a game with a pot."""


LIMITS = {
    "exploitability": number(0, optional=True),
    "seconds": number(0, optional=True),
    "iterations": whole(0, optional=True),
    "threads": whole(1, optional=True),
}


@dataclass(slots=True)
class Settings:
    """How to run, and when to end."""

    method: str
    exploitability: float | str | None = 1e-3
    iterations: int | None = None
    seconds: float | None = None
    threads: int | None = None
    precision: str | None = None
    merge: bool = True
    exploration: float = 0.6
    seed: int = 0
    checkpoint: str | Path | None = None
    every: float = 30.0
    progress: Callable[[Point], None] | None = None
    stop: Callable[[], bool] | None = field(default=None)

    def check(self) -> None:
        if self.method not in METHODS:
            raise MethodError(f"no method is called {self.method!r}; there are {', '.join(METHODS)}")
        if self.precision not in (None, "double", "single"):
            raise OptionError(f"precision is double or single, not {self.precision!r}")
        if self.precision == "single" and self.method in SAMPLED:
            raise OptionError(f"{self.method} sampling works in double precision: leave out precision")
        if not 0 < self.exploration <= 1:
            raise OptionError(f"exploration is a share above 0, at most 1, not {self.exploration!r}")
        check_fields(self, LIMITS)
        if self.exploitability is None and self.iterations is None and self.seconds is None and self.stop is None:
            raise OptionError("say when to end: exploitability=, iterations= or seconds=")


def cfr(game: Game | ExtensiveForm | PublicForm, method: str | None = None, **options: Any) -> ExtensiveEquilibrium:
    """A strategy of `game` (or of its form) with at most this `exploitability`, 0.001 by default.

    Without a method it is `dcfr` over ranges, and `pdcfr+` elsewhere. Where a game declares its pot,
    `exploitability="0.3%"` is a share of it, and the default over ranges.
    `iterations`, `seconds` and `stop()` end it earlier, and a minute where no end is promised: with more than two
    players, or other sums. `exploitability=None` leaves only these. `threads` share the
    work in large games, `precision` is double in trees and single over ranges by default, `merge=False` keeps
    equivalent information sets apart; `seed` and `exploration` are for sampling. `checkpoint=FILE` saves the run
    there every `every` seconds and at its end, and continues from that file if it exists. `progress` is called with
    each point of the curve.
    """
    if not isinstance(game, (ExtensiveForm, PublicForm)):
        check_is_game(game)
    over_ranges = isinstance(game, PublicForm) or (isinstance(game, RangeGame) and method not in SAMPLED)
    method = method or (OVER_RANGES if over_ranges else IN_TREES)
    if over_ranges:
        options = {"exploitability": OF_THE_POT} | options
    try:
        settings = Settings(method, **options)
    except TypeError:
        known = ", ".join(name for name in Settings.__slots__ if name != "method")
        raise OptionError(f"cfr takes the options {known}; not all of {', '.join(options)}") from None
    if isinstance(settings.exploitability, str):
        settings.exploitability = _share(game, settings.exploitability)
    settings.check()
    began = time.perf_counter()
    form = _build(game, method, settings)
    unlimited = settings.iterations is None and settings.seconds is None and settings.stop is None
    if unlimited and isinstance(form, ExtensiveForm) and not form.is_zero_sum:
        settings.seconds = UNPROMISED_SECONDS
    return _Course(form, settings, began).run()


def _build(game: Game | ExtensiveForm | PublicForm, method: str, settings: Settings) -> ExtensiveForm | PublicForm:
    """What the method works on; `MethodError` if the time is over before it is there."""
    end = math.inf if settings.seconds is None else time.perf_counter() + settings.seconds

    def is_due() -> bool:
        return time.perf_counter() >= end or (settings.stop is not None and settings.stop())

    try:
        return form_of(game, method, is_due)
    except Stopped:
        name = game.name if isinstance(game, Game) else game.game.name
        limit = "time" if settings.seconds is None else f"{settings.seconds:g} seconds"
        raise MethodError(f"{name} is larger than can be walked in {limit}: there is no strategy yet") from None


def form_of(
    game: Game | ExtensiveForm | PublicForm, method: str | None, stop: Callable[[], bool] | None = None
) -> ExtensiveForm | PublicForm:
    """What a method works on: the public form if the game has one and the method can use it, else the tree."""
    if isinstance(game, PublicForm) and method is not None and method not in RULES:
        raise MethodError(f"{method} needs the tree of the game: give it extensive_form(game)")
    if isinstance(game, RangeGame) and (method is None or method in RULES):
        return PublicForm(game, stop)
    return game if isinstance(game, PublicForm) else extensive_form(game, stop=stop)


def _share(game: AnyGame | ExtensiveForm | PublicForm, text: str) -> float:
    """`0.3%` of the pot."""
    rules = game if isinstance(game, Game) else game.game
    try:
        share = float(text.removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not text.endswith("%") or not 0 <= share < math.inf:
        raise OptionError(f"exploitability is a number, or a share of the pot as in 0.3%, not {text!r}")
    if not isinstance(rules, RangeGame):
        raise OptionError(f"{rules.name} declares no pot to take {text} of: give exploitability as a number")
    return share * rules.pot


class _Course:
    """A run from its beginning, or its checkpoint, to its end."""

    def __init__(self, form: ExtensiveForm | PublicForm, settings: Settings, called: float):
        """`called` is when the run was asked for: building the form counts against its time, and only there."""
        self.form, self.settings = form, settings
        self.precision = settings.precision or ("single" if isinstance(form, PublicForm) else "double")
        self.native = self._start()
        self.curve: list[Point] = []
        self.before = 0.0
        """Seconds of earlier processes."""
        self.facts = (
            {
                "game": files.identify(form) if isinstance(form, ExtensiveForm) else form.identify(),
                "method": settings.method,
                "precision": self.precision,
                "merge": settings.merge,
                "seed": settings.seed if settings.method in SAMPLED else 0,
                "exploration": settings.exploration if settings.method == "outcome" else 0.0,
            }
            if settings.checkpoint
            else {}
        )
        if settings.checkpoint and Path(settings.checkpoint).is_file():
            self._resume()
        self.began = self.saved = time.perf_counter()
        self.building = self.began - called
        large = len(form.boards) > 1 if isinstance(form, PublicForm) else form.nodes >= WORTH_THREADS
        threads = (os.cpu_count() or 1) if large else 1
        self.threads = settings.threads or (1 if settings.method in SAMPLED else threads)

    def _start(self) -> Run:
        settings, single = self.settings, self.precision == "single"
        if isinstance(self.form, PublicForm):
            return self.form.form.passes(RULES[settings.method], self.form.game.utility_sum or 0.0, single)
        if settings.method in SAMPLED:
            return samples(self.form.form, settings.method == "outcome", settings.exploration, settings.seed)
        return passes(self.form.form, RULES[settings.method], single, settings.merge)

    @property
    def elapsed(self) -> float:
        return self.before + time.perf_counter() - self.began

    def run(self) -> ExtensiveEquilibrium:
        stopped = ""
        try:
            while not self._is_done():
                stopped = self._advance()
                if stopped:
                    break
        except KeyboardInterrupt:
            stopped = "interrupt"
        seconds = self.elapsed
        if self.settings.checkpoint:
            self._save()
        found, numbers = self.form, self.native.strategy()
        strategy = RangeStrategy(found, numbers) if isinstance(found, PublicForm) else Strategy(found, numbers)
        return ExtensiveEquilibrium(
            strategy, self.settings.method, False, self.native.iterations, seconds, stopped, tuple(self.curve)
        )

    def _is_done(self) -> bool:
        """Adds a point to the curve; returns whether the target is reached."""
        if self.curve and self.curve[-1].iterations == self.native.iterations:
            point = self.curve[-1]
        else:
            gap = self.native.gap(self.threads)
            point = Point(self.native.iterations, self.elapsed, gap)
            self.curve.append(point)
        if self.settings.progress:
            self.settings.progress(point)
        target = self.settings.exploitability
        assert not isinstance(target, str)  # made a number before
        return target is not None and point.exploitability <= target

    def _advance(self) -> str:
        """Continues to the next point of the curve; returns what ended the run, if something did."""
        settings = self.settings
        done = self.native.iterations
        goal = done + max(FIRST_CHUNK, done // 10)
        if settings.iterations is not None:
            if done >= settings.iterations:
                return "iterations"
            goal = min(goal, settings.iterations)
        while self.native.iterations < goal:
            self.native.run(goal - self.native.iterations, self.threads, self._is_due)
            if settings.checkpoint and time.perf_counter() - self.saved >= settings.every:
                self._save()
            if self._is_late():
                return "seconds"
            if settings.stop is not None and settings.stop():
                return "stop"
        return ""

    def _is_due(self) -> bool:
        """Whether to interrupt the iterations."""
        settings = self.settings
        late = self._is_late()
        keep = settings.checkpoint is not None and time.perf_counter() - self.saved >= settings.every
        return late or keep or (settings.stop is not None and settings.stop())

    def _is_late(self) -> bool:
        return self.settings.seconds is not None and self.elapsed + self.building >= self.settings.seconds

    def _save(self) -> None:
        assert self.settings.checkpoint is not None
        facts = self.facts | {"seconds": self.elapsed, "curve": self.curve}
        files.write(self.settings.checkpoint, facts, self.native.save())
        self.saved = time.perf_counter()

    def _resume(self) -> None:
        assert self.settings.checkpoint is not None
        facts, state = files.read(self.settings.checkpoint, self.facts)
        try:
            self.native.restore(state)
            self.before = float(facts["seconds"])
            self.curve = [Point(int(n), float(seconds), float(gap)) for n, seconds, gap in facts["curve"]]
        except (InputError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(f"{self.settings.checkpoint} does not hold a run of this game: {error}") from None


MAGIC = b"zermelo regrets 1\n"


def identify(form: ExtensiveForm) -> str:
    """What distinguishes the tree from others."""
    digest = hashlib.sha256(f"{form.players} {sys.byteorder}".encode())
    for column in form.arrays:
        digest.update(column.tobytes())
    return digest.hexdigest()


def write(path: str | Path, facts: Mapping[str, object], state: bytes) -> None:
    """Writes a run to a file, atomically."""
    write_whole(path, [MAGIC, json.dumps(facts).encode() + b"\n", state])


def read(path: str | Path, expected: Mapping[str, object]) -> tuple[dict[str, Any], bytes]:
    """The facts and the state in a file; each of the `expected` facts must be as given."""
    with Path(path).open("rb") as file:
        data = file.read(len(MAGIC))
        data += file.read() if data == MAGIC else b""  # another file may be of any size
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        raise InputError(f"{path} is not a checkpoint, or is damaged: delete it, or name another file")
    header, _, state = body[len(MAGIC) :].partition(b"\n")
    try:
        facts = json.loads(header)
        wrong = [name for name, value in expected.items() if facts.get(name) != value]
    except (ValueError, AttributeError, RecursionError):
        raise InputError(f"{path} is not a checkpoint, or is damaged: delete it, or name another file") from None
    if wrong:
        raise InputError(f"{path} is a checkpoint of another {wrong[0]}: name another file")
    return facts, state
