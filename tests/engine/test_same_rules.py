"""Compiled rules are Python's rules, or are refused."""

from __future__ import annotations

from collections import namedtuple
from enum import Enum
from types import ModuleType
from typing import NamedTuple

import pytest

import zermelo
from zermelo.engine import compile_game
from zermelo.errors import CompileError, RefusedError


class Counting(zermelo.Game):
    """One player counts; each test changes a rule."""

    players = 1
    utility_sum = None
    bounds = (-1e6, 1e6)

    class State(NamedTuple):
        n: int

    def initial(self):
        return self.State(0)

    def player(self, s):
        return 0

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, a):
        return self.State(s.n + a)

    def is_terminal(self, s):
        return s.n > 20

    def utility(self, s, p):
        return float(s.n)


Plain = Counting.State


def fingerprint(game: zermelo.Game) -> str:
    return compile_game(game).code.fingerprint


# What the fingerprint knows.

config = ModuleType("config")


class Limit(Enum):
    MOST = 3


class ByModule(Counting):
    def is_terminal(self, s):
        return s.n >= config.MOST


class ByEnum(Counting):
    def is_terminal(self, s):
        return s.n >= Limit.MOST.value


def test_a_constant_of_a_module_that_changes_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "MOST", 3, raising=False)
    first = compile_game(ByModule())
    monkeypatch.setattr(config, "MOST", 1)
    second = compile_game(ByModule())
    assert first.code.fingerprint != second.code.fingerprint
    assert second.step(ByModule().initial(), 2).mover == -2


def test_a_member_of_an_enumeration_that_changes_is_noticed() -> None:
    before = fingerprint(ByEnum())
    try:
        globals()["Limit"] = Enum("Limit", {"MOST": 5})
        assert fingerprint(ByEnum()) != before
    finally:
        globals()["Limit"] = Enum("Limit", {"MOST": 3})


def inner_game(*names: str) -> zermelo.Game:
    inner = namedtuple("Inner", names)  # type: ignore[misc]

    class Nested(Counting):
        class State(NamedTuple):
            n: int
            inner: tuple[int, int]

        def initial(self):
            return self.State(0, inner(1, 2))

        def result(self, s, a):
            return self.State(s.n + s.inner.a, s.inner)

    return Nested()


def test_fields_that_change_places_are_noticed() -> None:
    one, other = inner_game("a", "b"), inner_game("b", "a")
    assert fingerprint(one) != fingerprint(other)
    for game in (one, other):
        assert compile_game(game).step(game.initial(), 1).state.n == game.result(game.initial(), 1).n


# Numbers.


class Flagged(Counting):
    """Its count begins as False."""

    State = namedtuple("State", "n count")

    def initial(self):
        return self.State(0, False)

    def result(self, s, a):
        return self.State(s.n + a, s.count + 1)

    def utility(self, s, p):
        return float(s.count)


def test_a_field_that_begins_as_false_can_be_counted_up() -> None:
    game = Flagged()
    compiled, state = compile_game(game), game.initial()
    for _ in range(3):
        state = compiled.step(state, 1).state
    assert tuple(state) == (3, 3)


class Overflowing(Counting):
    def result(self, s, a):
        return self.State((s.n * 6364136223846793005 + a) % 1000003)

    def is_terminal(self, s):
        return False


def test_a_number_that_leaves_64_bits_is_an_error() -> None:
    game = Overflowing()
    with pytest.raises(RefusedError, match="64 bits"):
        compile_game(game).perft(game.initial(), 4)


class Halving(Counting):
    def utility(self, s, p):
        return float(2 ** (1 - s.n))


def test_a_whole_number_to_a_negative_power_is_an_error() -> None:
    game = Halving()
    with pytest.raises(RefusedError):
        compile_game(game).info(game.State(30))


class Modulo(int):
    def __add__(self, other):
        return Modulo(int.__add__(self, other) % 7)


class Strange(Counting):
    def initial(self):
        return self.State(Modulo(0))


def test_a_number_with_operators_of_its_own_is_refused() -> None:
    with pytest.raises(CompileError, match="Modulo, a class with operators of its own"):
        compile_game(Strange())


def test_a_method_that_is_replaced_is_compiled_as_it_is() -> None:
    game = Counting()
    before = compile_game(game).step(game.initial(), 1).state.n
    game.result = lambda s, a: Plain(s.n + 5 * a)  # type: ignore[method-assign]
    assert (before, compile_game(game).step(game.initial(), 1).state.n) == (1, 5)


# Recursion.


def climb(n: int) -> int:
    return n if n == 7 else climb(n + 2)


class Endless(Counting):
    def utility(self, s, p):
        return float(climb(s.n))


def test_an_endless_recursion_is_an_error_and_no_crash() -> None:
    game = Endless()
    with pytest.raises(RecursionError):
        compile_game(game).info(game.State(22))
