"""States become bytes and come back as they were."""

from typing import Any, NamedTuple

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import U64
from zermelo.engine.rules.layout import infer, pack
from zermelo.errors import CompileError, ContractError, RefusedError


class Corner(NamedTuple):
    x: int
    y: float


class Everything(NamedTuple):
    count: int
    bits: U64
    share: float
    done: bool
    corner: Corner
    pair: tuple[int, bool]
    board: Any
    grid: Any


def make(count=0, bits=0, share=0.0, done=False, x=0, y=0.0, pair=(0, False), board=b"\0" * 5, grid=(0.0,) * 6):
    return Everything(
        count,
        U64(bits),
        share,
        done,
        Corner(x, y),
        pair,
        numpy.frombuffer(board, numpy.int8),
        numpy.array(grid).reshape(2, 3),
    )


INT64 = st.integers(-(2**63), 2**63 - 1)
FLOAT = st.floats(allow_nan=False)


VALUES = st.tuples(
    INT64,
    st.integers(0, 2**64 - 1),
    FLOAT,
    st.booleans(),
    INT64,
    FLOAT,
    st.tuples(INT64, st.booleans()),
    st.binary(min_size=5, max_size=5),
    st.lists(FLOAT, min_size=6, max_size=6),
)


@given(VALUES)
def test_unpacking_gives_back_what_was_packed(values) -> None:
    layout = infer(make())
    state = make(*values)
    data = pack(layout, state)
    again = layout.unpack(data)
    assert len(data) % 8 == 0
    assert isinstance(again, Everything)
    assert isinstance(again.corner, Corner)
    assert again[:6] == state[:6]
    assert numpy.array_equal(again.board, state.board)
    assert numpy.array_equal(again.grid, state.grid)
    assert isinstance(again.done, bool)
    assert pack(layout, again) == data


def test_unpacked_arrays_are_read_only() -> None:
    layout = infer(make())
    board = layout.unpack(pack(layout, make())).board
    with pytest.raises(ValueError, match="read-only"):
        board[0] = 1


def test_equal_states_have_equal_bytes_though_zero_has_two_signs() -> None:
    layout = infer(make())
    assert pack(layout, make(share=-0.0, y=0.0)) == pack(layout, make(share=0.0, y=-0.0))


def test_a_number_beyond_64_bits_is_refused_by_name() -> None:
    layout = infer(make())
    with pytest.raises(RefusedError, match=r"Everything\.count"):
        pack(layout, make(count=2**63))
    with pytest.raises(RefusedError, match=r"Everything\.bits"):
        pack(layout, make(bits=-1))


def test_another_shape_than_the_initial_one_is_refused_by_name() -> None:
    layout = infer(make())
    with pytest.raises(ContractError, match=r"Everything\.board has shape \(6,\)"):
        pack(layout, make(board=b"123456"))
    with pytest.raises(ContractError, match=r"Everything\.pair"):
        pack(layout, make(pair=(1, True, 2)))


class Spelled(NamedTuple):
    bits: "U64"
    other: "NoSuchName"  # noqa: F821


def test_u64_is_known_by_its_spelling_where_annotations_cannot_be_resolved() -> None:
    layout = infer(Spelled(U64(1), 2))
    assert layout.unpack(pack(layout, Spelled(U64(2**64 - 1), -2))) == (2**64 - 1, -2)


@pytest.mark.parametrize(
    ("state", "named"),
    [
        (Corner("text", 0.0), r"Corner\.x holds a str"),
        (Corner(0, {1: 2}), r"Corner\.y holds a dict"),
        (Corner(0, tuple(range(100))), r"Corner\.y is a tuple of 100: use a NumPy array"),
        (Corner(0, numpy.array(["a"])), r"Corner\.y is an array of <U1"),
        (Corner(0, None), r"Corner\.y holds a NoneType"),
        ((), "no fields"),
    ],
)
def test_a_state_that_cannot_be_flat_is_refused_with_the_field_and_a_remedy(state, named) -> None:
    with pytest.raises(CompileError, match=named):
        infer(state)


def test_a_plain_number_is_a_state_too() -> None:
    assert infer(7).unpack(pack(infer(7), -3)) == -3
