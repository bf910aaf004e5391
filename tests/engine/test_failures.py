"""Rules that cannot be compiled, and compiled rules that fail, say where and why."""

import warnings
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

import numpy
import pytest

import zermelo
from zermelo import engine
from zermelo.engine import CompiledGame
from zermelo.errors import CompileError, ContractError, MethodError, OptionError


class Base(zermelo.Game):
    class State(NamedTuple):
        n: int
        turn: int

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, a):
        return self.State(s.n + 1 + a, 1 - s.turn)

    def is_terminal(self, s):
        return s.n >= 6

    def utility(self, s, p):
        return 1.0 if p == s.turn else -1.0


class Replaces(Base):
    def result(self, s, a):
        return s._replace(m=a)  # this line


class ListAsDefault(Base):
    def utility(self, s, p, worth=[1.0, -1.0]):  # noqa: B006
        return worth[0 if p == s.turn else 1]


class KeywordOnly(Base):
    def utility(self, s, p, *, worth=1.0):
        return worth if p == s.turn else -worth


class Side(IntEnum):
    BLACK = 0
    WHITE = 1


class StoresEnum(Base):
    def result(self, s, a):
        return self.State(s.n + 1 + a, Side.WHITE if s.turn == 0 else Side.BLACK)


class UsesWith(Base):
    def utility(self, s, p):
        with numpy.errstate(all="ignore"):
            return 1.0 if p == s.turn else -1.0


class YieldsFrom(Base):
    def actions(self, s):
        _ = yield from (0, 1)  # this line


class WritesInPlace(Base):
    class State(NamedTuple):
        n: numpy.ndarray
        turn: int

    def initial(self):
        return self.State(numpy.zeros(2, int), 0)

    def result(self, s, a):
        s.n[a] = 1  # this line
        return self.State(s.n, 1 - s.turn)

    def is_terminal(self, s):
        return s.n[0] > 0


def with_limits(limits):
    class Generator(Base):
        def is_terminal(self, s):
            return any(s.n >= limit for limit in limits)  # this line

    return Generator


Generator = with_limits((6, 7))


class Super(Base):
    def is_terminal(self, s):
        return super().is_terminal(s)  # this line


class OtherType(Base):
    def result(self, s, a):
        return self.State(s.n + 0.5 + a, 1 - s.turn)


class EmptyList(Base):
    def actions(self, s):
        none = []  # this line
        return none if self.is_terminal(s) else [0, 1]


class HasDict(Base):
    def __init__(self):
        self.names = {1: 2}

    def is_terminal(self, s):
        return s.n in self.names  # this line


@pytest.mark.parametrize("kind", [Replaces, YieldsFrom, WritesInPlace, Generator, Super, EmptyList, HasDict])
def test_a_rule_that_does_not_compile_is_reported_with_its_file_and_line(kind) -> None:
    lines = Path(__file__).read_text(encoding="utf-8").split(f"class {kind.__name__}(")
    number = lines[0].count("\n") + lines[1].split("# this line")[0].count("\n") + 1
    with pytest.raises(CompileError) as caught:
        CompiledGame(kind())
    message = str(caught.value)
    assert f"test_failures.py:{number}: " in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [
        (Replaces, r"`self.State\(…\)`"),
        (YieldsFrom, "write `for x in …: yield x`"),
        (WritesInPlace, r"`.copy\(\)` first"),
        (Generator, "write the loop out"),
        (Super, "another name"),
        (OtherType, "State.n is int in the initial state, but a rule stores float64"),
        (EmptyList, r"`\[\]` alone has no type"),
        (HasDict, "self.names is a dict"),
        (ListAsDefault, "Cannot use a list as a default argument .* write it as a tuple"),
        (KeywordOnly, r"Cannot call a function with keyword-only arguments\): let functions .* by position"),
        (StoresEnum, r"write `int\(…\)` around it"),
        (UsesWith, "a rule uses `with`.*: leave it out"),
    ],
)
def test_the_message_says_what_to_do(kind, remedy) -> None:
    with pytest.raises(CompileError, match=remedy):
        CompiledGame(kind())


class TupleActions(Base):
    def actions(self, s):
        yield (0, 0)


def test_actions_that_are_no_ints_are_refused_before_anything_is_compiled() -> None:
    with pytest.raises(CompileError, match=r"test_failures\.py:\d+: the actions of TupleActions are tuples"):
        CompiledGame(TupleActions())


def test_a_game_that_does_not_compile_is_counted_interpreted_after_one_warning() -> None:
    with pytest.warns(engine.InterpretedWarning, match="write the loop out") as caught:
        counted = engine.perft(Generator(), depth=3)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert counted[:3] == engine.perft(Base(), depth=3)[:3]
    with pytest.warns(engine.InterpretedWarning) as caught:
        assert engine.compile_or_none(Generator()) is None
    assert caught[0].filename == __file__


def test_a_game_that_compiles_causes_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert engine.compile_or_none(Base()) is not None


class Failing(Base):
    def __init__(self):
        self.table = numpy.arange(4)

    def evaluate(self, s, p):
        return 1 / (s.n - 3) / 100 if p == 0 else 0.0

    def result(self, s, a):
        return self.State(s.n + 1 + a + 0 * self.table[s.n], 1 - s.turn)


class Refusing(Base):
    def result(self, s, a):
        if s.n == 3:
            raise LookupError("there is no way on")
        return self.State(s.n + 1 + a, 1 - s.turn)


class Nobody(Base):
    def player(self, s):
        return 7 if s.n == 2 else s.turn


class Stuck(Base):
    def actions(self, s):
        for a in range(2 if s.n < 2 else 0):
            yield a


def test_an_exception_in_a_compiled_rule_comes_out_as_the_rule_raised_it() -> None:
    with pytest.raises(IndexError):
        CompiledGame(Failing()).perft((0, 0), 8)
    with pytest.raises(LookupError, match="there is no way on"):
        CompiledGame(Refusing()).perft((0, 0), 8)
    with pytest.raises(LookupError, match="there is no way on"):
        CompiledGame(Refusing()).perft((0, 0), 8, threads=2)
    with pytest.raises(LookupError, match="there is no way on"):
        CompiledGame(Refusing()).playouts((0, 0), 100)
    with pytest.raises(ZeroDivisionError):
        CompiledGame(Failing()).minimax((0, 0), 3)


def test_a_breach_of_the_contract_is_named() -> None:
    with pytest.raises(ContractError, match=r"is 7, which is no player"):
        CompiledGame(Nobody()).perft((0, 0), 8)
    with pytest.raises(ContractError, match="offers no action"):
        CompiledGame(Stuck()).alphabeta((0, 0), 8)
    with pytest.raises(ContractError, match="offers no action"):
        CompiledGame(Stuck()).playouts((0, 0), 8)


def test_arguments_out_of_range_are_refused() -> None:
    compiled = CompiledGame(Base())
    with pytest.raises(OptionError, match="depth"):
        compiled.perft((0, 0), -1)
    with pytest.raises(OptionError, match="threads"):
        compiled.perft((0, 0), 1, threads=0)
    with pytest.raises(ContractError, match="16 bytes"):
        compiled.unpack(b"123")


class Three(Base):
    players = 3


def test_minimax_refuses_three_players() -> None:
    with pytest.raises(MethodError, match="maxn"):
        CompiledGame(Three()).minimax((0, 0), 2)


class CountsBits(Base):
    def is_terminal(self, s):
        return s.n.bit_count() >= 2


class CountsBitsWrongly(CountsBits):
    def utility(self, s, p):
        return float(s.n.bit_count()) if str(s.n) else 0.0


def test_a_failure_that_is_remembered_disturbs_no_other_game() -> None:
    with pytest.raises(CompileError) as caught:
        CompiledGame(CountsBitsWrongly())
    assert CompiledGame(CountsBits()).perft((0, 0), 4).leaves > 0
    assert caught.value.__cause__ is not None
