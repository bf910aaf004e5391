"""What may stand in rules that are to be compiled."""

import math
from typing import Any, NamedTuple

import numpy
import pytest

import zermelo
from zermelo.engine import CompiledGame
from zermelo.engine.compiled import TERMINAL

LIMIT = 3
SQUARES = tuple(i * i for i in range(100))


def double(n: int) -> int:
    return triple(n) - n


def triple(n: int) -> int:
    return 3 * n


def factorial(n: int) -> int:
    return 1 if n <= 1 else n * factorial(n - 1)


class Count(zermelo.Game):
    """Adds up to a goal; the games of these tests change one rule each."""

    class State(NamedTuple):
        sum: int
        turn: int

    def __init__(self, goal: int = 10, steps: tuple[int, ...] = (1, 2)):
        self.goal = goal
        self.steps = steps

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for step in self.steps:
            yield step

    def result(self, s, a):
        return self.State(s.sum + a, 1 - s.turn)

    def is_terminal(self, s):
        return s.sum >= self.goal

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0


def test_two_objects_of_one_class_keep_to_their_own_attributes() -> None:
    short, long = CompiledGame(Count(goal=3)), CompiledGame(Count(goal=5, steps=(1, 2, 3)))
    start = short.game.initial()
    assert short.actions(start) == [1, 2]
    assert long.actions(start) == [1, 2, 3]
    assert short.step((2, 0), 1).mover == TERMINAL
    assert long.step((2, 0), 1).mover == 1


def test_equal_objects_share_their_code_and_a_changed_one_is_compiled_anew() -> None:
    game = Count(goal=4)
    first = CompiledGame(game)
    assert CompiledGame(Count(goal=4)).code is first.code
    game.goal = 6
    assert CompiledGame(game).code is not first.code


@pytest.mark.parametrize(
    "actions",
    [
        lambda self, s: [step for step in self.steps],  # noqa: C416
        lambda self, s: list(self.steps),
        lambda self, s: (1, 2),
        lambda self, s: self.steps,
        lambda self, s: range(1, 3),
        lambda self, s: numpy.array([1, 2]),
    ],
)
def test_actions_may_be_any_sequence(actions) -> None:
    class Listed(Count):
        pass

    Listed.actions = actions
    compiled = CompiledGame(Listed())
    assert compiled.actions(compiled.game.initial()) == [1, 2]
    assert compiled.perft(compiled.game.initial(), 3).leaves == 8


class Rich(Count):
    """One method of every kind."""

    half = 0.5

    def __init__(self, offset: int = 1):
        super().__init__()
        self.offset = offset
        self.table = numpy.arange(50, dtype=numpy.int16)
        self.pairs = ((1, 2), (3, 4))
        self.long = tuple((i, i + 1, i * i) for i in range(30))
        self.ragged = tuple(tuple(range(i)) for i in range(12))
        self.flags = [True, False] * 10
        self.weights = tuple(i / 7 for i in range(20))

    @staticmethod
    def capped(n, limit=40):
        return min(n, limit)

    @property
    def shift(self):
        return self.offset + 1

    def add(self, a, b, c, d=4):
        return a + b + c + d

    def result(self, s, a):
        total = s.sum + double(a) + factorial(3) + SQUARES[a] + LIMIT + self.shift
        total += self.capped(a) + self.capped(100, 41) + self.capped(100, limit=42) + self.add(1, 2, 3)
        total += self.table[a] + int(self.half * 4) + len(self.flags) + int(math.sqrt(16.0))
        for x, y in self.pairs:
            total += x * y
        for x, y, z in self.long:
            if x == a:
                total += y + z
        total += self.long[a + 1][2]
        for row in self.ragged:
            for cell in row:
                total += cell
        total += len(self.ragged[a + 3]) + self.ragged[a + 3][1]
        if self.flags[a] and self.weights[a + 7] > 1.0:
            total -= 1
        return self.State(total + self.add(1, b=2, c=3), 1 - s.turn)

    def show(self, s):
        return f"text is never compiled: {s!r}"


def test_methods_helpers_and_constants_of_every_kind_mean_what_they_mean_in_python() -> None:
    game = Rich()
    compiled = CompiledGame(game)
    for a in (1, 2):
        assert compiled.step((5, 0), a).state == game.result(game.State(5, 0), a)


class Board(zermelo.Game):
    """Arrays of several types and shapes; fills the board cell by cell."""

    class State(NamedTuple):
        cells: Any
        sums: Any
        last: tuple[int, int]
        heat: float
        over: bool

    def initial(self):
        return self.State(numpy.zeros((3, 3), numpy.int8), numpy.zeros(3, numpy.float32), (0, 0), 0.0, False)

    def player(self, s):
        return int((s.cells != 0).sum()) % 2

    def actions(self, s):
        for row in range(3):
            for column in range(3):
                if s.cells[row, column] == 0:
                    yield 3 * row + column

    def result(self, s, a):
        cells = s.cells.copy()
        cells[a // 3][a % 3] = 1 + self.player(s)
        sums = s.sums + cells[:, 0]
        return self.State(cells, sums, (s.last[1], a), s.heat / 2 + a, bool((cells != 0).all()))

    def is_terminal(self, s):
        return s.over

    def utility(self, s, p):
        return s.heat / 100 if p == 0 else -s.heat / 100


def test_states_may_hold_arrays_tuples_floats_and_bools() -> None:
    game = Board()
    compiled = CompiledGame(game)
    s = game.initial()
    for a in (4, 0, 8, 3, 1, 2, 5, 7, 6):
        assert compiled.actions(s) == list(game.actions(s))
        step, s = compiled.step(s, a), game.result(s, a)
        assert numpy.array_equal(step.state.cells, s.cells)
        assert numpy.array_equal(step.state.sums, s.sums)
        assert step.state[2:] == s[2:]
    assert step.mover == TERMINAL
    assert step.utilities == game.utilities(s)


def test_memory_of_arrays_is_given_back() -> None:
    resource = pytest.importorskip("resource")
    compiled = CompiledGame(Board())
    compiled.playouts(compiled.game.initial(), 1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    compiled.playouts(compiled.game.initial(), 200_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # 1.8 million boards take 100 MB


class Far(Count):
    """Shifts beyond 64, bits and powers."""

    def result(self, s, a):
        far = (s.sum >> (60 + 5 * a)) + (-1 - s.sum >> 64 * a)
        return self.State(s.sum + far + (s.sum + 77).bit_count() + (-s.sum).bit_length() + 2**a, 1 - s.turn)


def test_shifts_beyond_64_bits_and_bit_counts_are_pythons() -> None:
    game = Far()
    compiled = CompiledGame(game)
    for total in (0, 1, 5, 2**40, 2**62):
        for a in (1, 2):
            assert compiled.step((total, 0), a).state == game.result(game.State(total, 0), a)


class Pile(NamedTuple):
    stones: int


class OutsideState(zermelo.Game):
    """A state class outside the game's, and a function as an attribute."""

    def __init__(self, take=triple):
        self.take = take

    def initial(self):
        return Pile(0)

    def player(self, s):
        return s.stones % 2

    def actions(self, s):
        return [1, 2]

    def result(self, s, a):
        return Pile(s.stones + self.take(a))

    def is_terminal(self, s):
        return s.stones > 12

    def utility(self, s, p):
        return 1 if p == s.stones % 2 else -1


class BareState(OutsideState):
    """A state that is a number."""

    def initial(self):
        return 0

    def player(self, s):
        return s % 2

    def result(self, s, a):
        return s + self.take(a)

    def is_terminal(self, s):
        return s > 12

    def utility(self, s, p):
        return 1 if p == s % 2 else -1


@pytest.mark.parametrize("kind", [OutsideState, BareState])
@pytest.mark.parametrize("take", [triple, double])
def test_the_state_may_be_any_named_tuple_or_a_number(kind, take) -> None:
    game = kind(take)
    found = CompiledGame(game).minimax(game.initial())
    expected = zermelo.minimax(game)
    assert (found.value, found.nodes, found.line) == (expected.value, expected.nodes, expected.line)


def test_an_action_list_longer_than_the_buffer_makes_the_buffer_grow() -> None:
    compiled = CompiledGame(Count(steps=tuple(range(1, 1001))))
    assert compiled.actions((0, 0)) == list(range(1, 1001))
    assert compiled.perft((0, 0), 2).positions == 1 + 1000 + 9 * 1000
