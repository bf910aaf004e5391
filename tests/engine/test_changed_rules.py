"""Rules that change after they were compiled, and rules that are not plain methods: right, or in Python and said so."""

from __future__ import annotations

import functools
import subprocess
import sys
import warnings
from enum import IntEnum
from fractions import Fraction
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numpy import float32, int64

import zermelo
from zermelo import engine
from zermelo.engine import InterpretedWarning, Searcher, compile_game
from zermelo.errors import CompileError, ContractError
from zermelo.games import load

LIMIT = 12
TABLE = [1, 2, 3]
NESTED = ((1, 2), [1, 2])
ARRAY = np.array([1, 2, 3])
BONUS = {0}
config = ModuleType("config")
config.bonus = 1  # type: ignore[attr-defined]


def gain(n, by=1):
    return n + by


def own_step(n):
    return gain(n) + TABLE[0]


class Counting(zermelo.Game):
    """One player counts to a limit and is paid what it has; `expected` computes it by brute force."""

    players = 1
    utility_sum = None
    bounds = (-2000.0, 2000.0)

    class State(NamedTuple):
        n: int
        left: int

    def initial(self):
        return self.State(0, 4)

    def player(self, s):
        return 0

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, a):
        return self.State(s.n + a * self.step(s.n), s.left - 1)

    def step(self, n):
        return 1

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return float(s.n)


def expected(game: zermelo.Game):
    """The value of the game by Python's rules as they are now, as fine as the engine has it within such bounds."""

    def value(s):
        return game.utility(s, 0) if game.is_terminal(s) else max(value(game.result(s, a)) for a in game.actions(s))

    return pytest.approx(value(game.initial()), abs=0.01)


def found(game: zermelo.Game) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InterpretedWarning)
        return float(engine.search(game, depth=8).value)


class UsesGlobal(Counting):
    def step(self, n):
        return LIMIT


class UsesHelper(Counting):
    def step(self, n):
        return gain(n)


class UsesHelpersHelper(Counting):
    def step(self, n):
        return own_step(n)


class UsesModule(Counting):
    def step(self, n):
        return config.bonus


def enclosing():
    inner = 3

    class Captures(Counting):
        def step(self, n):
            return inner

    def change(to):
        nonlocal inner
        inner = to

    return Captures(), change


class UsesList(Counting):
    def step(self, n):
        return TABLE[0]


class UsesListWithin(Counting):
    def step(self, n):
        return NESTED[1][0]


class UsesArray(Counting):
    def step(self, n):
        return int(ARRAY[0])


class UsesSet(Counting):
    def step(self, n):
        return 3 if n in BONUS else 1


class UsesOwnSet(Counting):
    def __init__(self):
        self.bonus = {0}

    def step(self, n):
        return 3 if n in self.bonus else 1


class UsesLargeArray(Counting):
    def __init__(self):
        self.weights = np.ones(100_000, np.int64)

    def step(self, n):
        return int(self.weights[0])


class UsesSlot(Counting):
    __slots__ = ("gain",)

    def __init__(self):
        self.gain = 1

    def step(self, n):
        return self.gain


def add_to_first(values):
    values[0] += 4


CHANGES = {
    "a global": (UsesGlobal, lambda _game, patch: patch.setattr(sys.modules[__name__], "LIMIT", 3)),
    "a helper": (UsesHelper, lambda _game, patch: patch.setattr(sys.modules[__name__], "gain", lambda n: n + 9)),
    "a helper's helper": (
        UsesHelpersHelper,
        lambda _game, patch: patch.setattr(sys.modules[__name__], "gain", lambda n: n + 9),
    ),
    "a default": (UsesHelper, lambda _game, patch: patch.setattr(gain, "__defaults__", (5,))),
    "a module's constant": (UsesModule, lambda _game, patch: patch.setattr(config, "bonus", 4)),
    "an element of a global list": (UsesList, lambda _game, _patch: add_to_first(TABLE)),
    "an element of a list in a tuple": (UsesListWithin, lambda _game, _patch: add_to_first(NESTED[1])),
    "an element of a global array": (UsesArray, lambda _game, _patch: add_to_first(ARRAY)),
    "a global set": (UsesSet, lambda _game, _patch: BONUS.clear()),
    "a set of the object": (UsesOwnSet, lambda game, _patch: game.bonus.clear()),
    "an element of a large array": (UsesLargeArray, lambda game, _patch: add_to_first(game.weights)),
    "a slot": (UsesSlot, lambda game, _patch: setattr(game, "gain", 5)),
    "a method of the class": (Counting, lambda _game, patch: patch.setattr(Counting, "step", lambda self, n: 6)),
    "a method of the object": (Counting, lambda game, patch: patch.setattr(game, "step", lambda n: 6, raising=False)),
    "a rule of the class": (
        Counting,
        lambda _game, patch: patch.setattr(Counting, "utility", lambda self, s, p: -float(s.n)),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_after_compiling_is_noticed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, change = CHANGES[what]
    game = kind()
    searcher, old = Searcher(game), engine.Engine(game)
    first = searcher.search(limits=zermelo.Limits(depth=8)).value
    assert first == expected(game)
    change(game, monkeypatch)
    assert expected(game) != first
    assert found(game) == expected(game)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InterpretedWarning)
        assert searcher.search(limits=zermelo.Limits(depth=8)).value == expected(game)
    with pytest.raises(ContractError, match="has changed since its rules were compiled"):
        old.search(depth=8)


def test_a_variable_of_an_enclosing_function_that_changes_is_noticed() -> None:
    game, change = enclosing()
    searcher = Searcher(game)
    assert searcher.search(limits=zermelo.Limits(depth=8)).value == expected(game)
    change(5)
    assert searcher.search(limits=zermelo.Limits(depth=8)).value == expected(game)


def test_nothing_has_changed_as_long_as_nothing_changes() -> None:
    for name in ("connect4", "kalah", "othello", "pig"):
        game = load(name)
        compiled = compile_game(game)
        assert compiled.changed() == ""
        engine.search(game, nodes=500)
        assert compiled.changed() == ""


def test_what_no_rule_reaches_may_change() -> None:
    game = Counting()
    game.notes, game.seen = {}, set()  # type: ignore[attr-defined]
    compiled = compile_game(game)
    game.notes["a"] = 1  # type: ignore[attr-defined]
    game.seen.add(1)  # type: ignore[attr-defined]
    assert compiled.changed() == ""


# Rules that are not plain methods: each is right, compiled or not.


class Overrides(UsesHelper):
    def step(self, n):
        return 3


def doubled(function):
    @functools.wraps(function)
    def wrapper(self, n):
        return 2 * function(self, n)

    return wrapper


class Decorated(Counting):
    @doubled
    def step(self, n):
        return n + 1


class WithProperty(Counting):
    @property
    def width(self):
        return LIMIT // 5

    def step(self, n):
        return self.width


class WithStatic(Counting):
    @staticmethod
    def step(n):
        return n + 2


class WithClassMethod(Counting):
    size = 4

    @classmethod
    def sized(cls):
        return cls.size

    def step(self, n):
        return self.sized()


@functools.lru_cache
def cached(n):
    return n + 2


class WithCache(Counting):
    def step(self, n):
        return cached(n)


partial = functools.partial(gain, by=4)


class WithPartial(Counting):
    def step(self, n):
        return partial(n)


class WithLambda(Counting):
    step = lambda self, n: n + 2  # noqa: E731


class WithCallable(Counting):
    class Adding:
        def __call__(self, n):
            return n + 3

    adding = Adding()

    def step(self, n):
        return self.adding(n)


class Level(IntEnum):
    LOW = 2
    HIGH = 5


class WithEnum(Counting):
    def step(self, n):
        return Level.HIGH if n < 3 else Level.LOW


class WithFraction(Counting):
    share = Fraction(1, 2)

    def utility(self, s, p):
        return float(s.n * self.share)


class WithNamespace(Counting):
    options = SimpleNamespace(gain=3)

    def step(self, n):
        return self.options.gain


class WithMethodsOfState(Counting):
    class State(NamedTuple):
        n: int
        left: int

        def later(self, by):
            return type(self)(self.n + by, self.left - 1)

    def result(self, s, a):
        return s.later(a)


class WithClassOfNumpy(Counting):
    def utility(self, s, p):
        return int64(s.n)


def with_number_of_numpy():
    half = float32(0.5)

    class Captures(Counting):
        def utility(self, s, p):
            return float(s.n * half)

    return Captures


class Dynamic(Counting):
    def __getattr__(self, name):
        if name == "gain":
            return 4
        raise AttributeError(name)

    def step(self, n):
        return self.gain


KINDS = [
    *(Overrides, Decorated, WithProperty, WithStatic, WithClassMethod, WithCache, WithPartial, WithLambda),
    *(WithClassOfNumpy, with_number_of_numpy()),
    *(WithCallable, WithEnum, WithFraction, WithNamespace, WithMethodsOfState, Dynamic),
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_plain_method_is_right_or_runs_in_python_and_is_named(kind) -> None:
    game = kind()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert engine.search(game, depth=8).value == expected(game)
    if not said:
        compile_game(game)
        return
    with pytest.raises(CompileError, match=r"test_changed_rules\.py:\d+") as caught:
        compile_game(game)
    assert len(said) == 1
    assert str(caught.value) in str(said[0].message)


# Fields that change their type.


class FieldBase(Counting):
    first: object = 0

    def initial(self):
        return self.State(self.first, 4)  # type: ignore[arg-type]


def field(name, first, later):
    kind = type(name, (FieldBase,), {"first": first})
    kind.result = later  # type: ignore[attr-defined]
    return kind


class Untyped(NamedTuple):
    n: object
    left: int


FIELDS = [
    field("IntThenFloat", 0, lambda self, s, a: Untyped(s.n + a / 2, s.left - 1)),
    field("IntThenFloatLate", 0, lambda self, s, a: Untyped(s.n + a if s.left > 2 else s.n / 2, s.left - 1)),
    field("FloatThenInt", 0.0, lambda self, s, a: Untyped(a, s.left - 1)),
    field("BoolThenInt", False, lambda self, s, a: Untyped(s.n + a, s.left - 1)),
    field("BoolThenFloat", False, lambda self, s, a: Untyped(s.n + a / 2, s.left - 1)),
    field("IntThenBool", 0, lambda self, s, a: Untyped(a > 1, s.left - 1)),
]


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_a_field_that_changes_its_type_is_right_or_runs_in_python(kind) -> None:
    kind.State = Untyped
    game = kind()
    assert found(game) == expected(game)


class NoneLater(FieldBase):
    State = Untyped

    def result(self, s, a):
        return Untyped(None if s.left == 1 else a, s.left - 1)

    def utility(self, s, p):
        return 1.0


class LongerLater(FieldBase):
    State = Untyped
    first = ()

    def result(self, s, a):
        return Untyped((*s.n, a), s.left - 1)

    def utility(self, s, p):
        return float(sum(s.n))


class PlainLater(FieldBase):
    def result(self, s, a):
        return (s.n + a, s.left - 1)


class Renamed(NamedTuple):
    n: int
    rest: int


class OtherLater(FieldBase):
    def result(self, s, a):
        return Renamed(s.n + a, s.left - 1)


@pytest.mark.parametrize("kind", [PlainLater, OtherLater])
def test_a_state_of_another_class_raises_what_python_raises(kind) -> None:
    said = r"State is a State in the initial state, but a rule stores a \w+"
    with pytest.warns(InterpretedWarning, match=said), pytest.raises(AttributeError, match="left"):
        engine.search(kind(), depth=8)


@pytest.mark.parametrize("kind", [NoneLater, LongerLater])
def test_a_field_that_changes_its_shape_runs_in_python_and_is_named(kind) -> None:
    game = kind()
    with pytest.warns(InterpretedWarning, match=r"test_changed_rules\.py:\d+: .*(initial state|cannot be compiled)"):
        assert engine.search(game, depth=8).value == expected(game)


# Whom a message blames.


def test_a_tree_written_down_blames_no_file_of_the_package() -> None:
    text = '{"chance": [[0.5, {"max": [1, 2]}], [0.5, {"min": [3, 4]}]]}'
    run = [sys.executable, "-m", "zermelo", "analyse", text]
    done = subprocess.run(run, capture_output=True, text=True)
    assert "tree.py" not in done.stdout + done.stderr
