"""Numbers below and above 2^63 in one rule: they become words together, or the message says how to make them so."""

from pathlib import Path
from typing import NamedTuple

import numpy
import pytest

import zermelo
from zermelo import U64
from zermelo.engine import CompiledGame
from zermelo.errors import CompileError

LOW, HIGH = 5, (1 << 63) + 5


class Base(zermelo.Game):
    class State(NamedTuple):
        bits: U64
        turn: int

    def __init__(self):
        self.low, self.high = LOW, HIGH
        self.signed, self.unsigned = numpy.int64(3), numpy.uint64(HIGH)
        self.mixed = (-1, HIGH)

    def initial(self):
        return self.State(U64(0), 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield 0
        yield 1

    def is_terminal(self, s):
        return s.bits > HIGH

    def utility(self, s, p):
        return 1.0 if p == s.turn else -1.0


class Conditional(Base):
    def result(self, s, a):
        return self.State(s.bits + (self.low if a == 0 else self.high), 1 - s.turn)


class Statement(Base):
    def result(self, s, a):
        bits = self.low
        if a:
            bits = self.high
        return self.State(s.bits ^ bits, 1 - s.turn)


class Returned(Base):
    def chosen(self, a):
        if a:
            return self.low
        return self.high

    def result(self, s, a):
        return self.State(s.bits ^ self.chosen(a), 1 - s.turn)


class Globals(Base):
    def result(self, s, a):
        return self.State(LOW if a else HIGH, 1 - s.turn)


class Listed(Base):
    def result(self, s, a):
        return self.State([self.low, self.high][a], 1 - s.turn)


class NumPys(Base):
    def result(self, s, a):
        return self.State(self.signed if a else self.unsigned, 1 - s.turn)


class Unpacked(Base):
    def result(self, s, a):
        first, second = self.mixed
        return self.State((first if a else second) & 255, 1 - s.turn)


class AsFloat(Base):
    def result(self, s, a):
        return self.State(self.high, a)

    def evaluate(self, s, p):
        return float(self.low if p else self.high) / 2.0**66


@pytest.mark.parametrize("kind", [Conditional, Statement, Returned, Globals, Listed, NumPys, Unpacked, AsFloat])
def test_numbers_below_and_above_the_sign_bit_become_words_together(kind) -> None:
    game = kind()
    compiled = CompiledGame(game)
    s = game.initial()
    for a in (0, 1):
        assert compiled.step(s, a).state == tuple(map(int, game.result(s, a)))
    if game.can("evaluate"):
        assert [compiled.ask("evaluate", s, p) for p in (0, 1)] == [game.evaluate(s, p) for p in (0, 1)]


class IndexedTuple(Base):
    def result(self, s, a):
        return self.State((self.low, self.high)[a], 1 - s.turn)  # this line


class LoopedTuple(Base):
    def result(self, s, a):
        bits = 0
        for number in self.mixed:  # this line
            bits ^= number
        return self.State(bits, 1 - s.turn)


class MadeByNumPy(Base):
    def result(self, s, a):  # this line
        return self.State(numpy.uint64(3) if a else a, 1 - s.turn)


class FloatBits(Base):
    def result(self, s, a):
        return self.State(s.bits ^ (numpy.uint64(3) if a else a), 1 - s.turn)  # this line


@pytest.mark.parametrize("kind", [IndexedTuple, LoopedTuple, MadeByNumPy, FloatBits])
def test_what_stays_apart_is_reported_with_its_line_and_the_remedy(kind) -> None:
    before, _, body = Path(__file__).read_text(encoding="utf-8").partition(f"class {kind.__name__}(")
    line = before.count("\n") + body.partition("# this line")[0].count("\n") + 1
    with pytest.raises(CompileError, match=rf"test_mixed_words\.py:{line}: .*`U64\(…\)` around each"):
        CompiledGame(kind())


class Remedied(Base):
    def result(self, s, a):
        bits = U64(numpy.uint64(3)) if a else U64(a)
        for number in (U64(self.low), self.high):
            bits ^= number
        return self.State(bits ^ (U64(self.low), self.high)[a], 1 - s.turn)


def test_the_remedy_helps() -> None:
    game = Remedied()
    compiled = CompiledGame(game)
    for a in (0, 1):
        assert compiled.step(game.initial(), a).state == tuple(map(int, game.result(game.initial(), a)))
