"""Games in normal form: how they are given, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.equilibrium import NormalForm
from zermelo.equilibrium.numbers import rational, read_number, simplest
from zermelo.errors import InputError


def test_one_matrix_is_a_zero_sum_game():
    game = NormalForm([[1, 2], [3, 4]])
    assert game.is_zero_sum
    assert (game.exact[0] + game.exact[1] == 0).all()
    assert game.actions == (("1", "2"), ("A", "B"))


def test_a_table_a_player_is_a_general_game_with_names():
    game = NormalForm([np.eye(2), np.eye(2)], players=("Ann", "Bob"), actions=(("up", "down"), ("left", "right")))
    assert not game.is_zero_sum
    assert game.name_profile((1, 0)) == ("down", "left")
    assert game.restrict(([1], [0, 1])).actions == (("down",), ("left", "right"))


def test_three_players_have_three_tables():
    game = NormalForm(np.arange(24).reshape(3, 2, 2, 2))
    assert game.shape == (2, 2, 2)
    assert game.players == ("player 0", "player 1", "player 2")


def test_text_is_read_exactly():
    game = NormalForm("1/3 0.1; −2 3e2")
    assert game.exact[0].tolist() == [[Fraction(1, 3), Fraction(1, 10)], [-2, 300]]
    pair = NormalForm("3,3 0,5; 5,0 1,1")
    assert pair.exact[1].tolist() == [[3, 5], [0, 1]]


def test_floats_are_the_simple_fractions_that_round_to_them():
    assert NormalForm([[0.1, 1 / 3]]).exact[0].tolist() == [[Fraction(1, 10), Fraction(1, 3)]]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_simplest_rounds_to_the_float(value):
    assert float(simplest(value)) == value


@given(st.fractions(max_denominator=10**6, min_value=-1000, max_value=1000))
def test_simple_fractions_survive_being_floats(value):
    assert simplest(float(value)) == value


@pytest.mark.parametrize(
    "payoffs",
    [
        [[1, 2], [3]],
        [[1, [2]], [3, 4]],
        [],
        [[]],
        [[float("nan"), 1]],
        [[float("inf"), 1]],
        [[10**400, 1]],
        [[1.5e305, 1]],
        [["1e999", 1]],
        "1e999 1",
        [["a", 1]],
        [[None, 1]],
        [1, 2],
        7,
        np.array([["a"]]),
        np.zeros((2, 2, 0)),
        np.zeros((3, 2, 2)),
        [np.zeros((2, 2)), np.zeros((2, 3))],
        "1 2; 3",
        "",
        "1 2; 3 x",
        "1,2 3; 4 5",
        "1,2,3 4,5,6; 1,2,3 4,5,6",
        "1/0 2; 3 4",
        "9" * 500 + " 1",
    ],
)
def test_what_is_no_game_is_refused(payoffs):
    with pytest.raises(InputError):
        NormalForm(payoffs)


def test_names_must_fit():
    with pytest.raises(InputError, match="names"):
        NormalForm([[1, 2]], players=("one",))
    with pytest.raises(InputError, match="names"):
        NormalForm([[1, 2]], actions=(("a",), ("b",)))
    with pytest.raises(InputError, match="same name"):
        NormalForm([[1, 2]], actions=(("a",), ("b", "b")))


@pytest.mark.parametrize("text", ["", "1//2", "--1", "1e9999", "0x10", "1_000", "٣"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(InputError, match="not a number"):
        read_number(text)


def test_numpy_numbers_are_numbers():
    assert rational(np.int64(3)) == 3
    assert rational(Decimal("0.1")) == Fraction(1, 10)
    assert rational(np.float64(0.25)) == Fraction(1, 4)


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "1e999999", "1e-999999"])
def test_a_decimal_that_is_no_payoff_is_refused(odd: str) -> None:
    with pytest.raises(InputError):
        rational(Decimal(odd))


def test_one_number_is_no_table() -> None:
    with pytest.raises(InputError, match="is not a payoff table"):
        z.equilibrium(np.array(3.0))


def test_a_table_of_decimals_is_exact() -> None:
    found = z.equilibrium([[Decimal("0.1"), Decimal("0.3")], [Decimal("0.2"), Decimal("0.2")]])
    assert found.value == pytest.approx(0.2)
    assert NormalForm([[Decimal("0.1")]]).exact[0][0, 0] == Fraction(1, 10)
