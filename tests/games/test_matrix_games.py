"""The games of one simultaneous choice: what is known about each."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zermelo.check import check
from zermelo.equilibrium import eliminate, equilibria, equilibrium, normal_form
from zermelo.errors import OptionError, PositionError
from zermelo.games import load

THIRDS = (Fraction(1, 3),) * 3

EQUILIBRIA = {
    "rock-paper-scissors": [(THIRDS, THIRDS)],
    "matching-pennies": [((Fraction(1, 2),) * 2,) * 2],
    "red-blue": [((Fraction(4, 7), Fraction(3, 7)), (0, Fraction(4, 7), Fraction(3, 7)))],
    "prisoners-dilemma": [((0, 1), (0, 1))],
    "battle-of-the-sexes": [
        ((1, 0), (1, 0)),
        ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
        ((0, 1), (0, 1)),
    ],
    "chicken": [((1, 0), (0, 1)), ((Fraction(1, 3), Fraction(2, 3)),) * 2, ((0, 1), (1, 0))],
    "shapley": [(THIRDS, THIRDS)],
}


@pytest.mark.parametrize("name", EQUILIBRIA)
def test_the_equilibria_are_the_known_ones(name):
    assert [one.strategies for one in equilibria(load(name))] == EQUILIBRIA[name]


@pytest.mark.parametrize("name", [*EQUILIBRIA, "blotto"])
def test_choices_are_simultaneous(name):
    game = load(name)
    assert game.simultaneous
    assert check(game).ok
    children = [game.result(game.initial(), a) for a in game.actions(game.initial())]
    assert len({game.view(s, 1) for s in children}) == 1
    assert len({game.view(s, 0) for s in children}) == len(children)


def test_confessing_dominates_in_years():
    game = load("prisoners-dilemma")
    s = game.result(game.result(game.initial(), 0), 1)
    assert game.utilities(s) == (-4.0, 0.0)
    assert eliminate(normal_form(game)).game.actions == (("confess",), ("confess",))
    with pytest.raises(OptionError, match="dilemma"):
        load("prisoners-dilemma:sucker=0")


@pytest.mark.parametrize("count", ["yes", "no"])
def test_blotto_with_equal_forces_is_worth_nothing(count):
    assert equilibrium(load(f"blotto:soldiers=4,enemies=4,count={count}"), exact=True).value == 0


def test_blotto_with_one_soldier_more_on_two_fields():
    # 1-0 against 1 soldier: whoever has two may put one on each, and loses no field.
    assert equilibrium(load("blotto:soldiers=2,enemies=1,fields=2,count=yes"), exact=True).value == Fraction(1, 1)
    assert equilibrium(load("blotto:soldiers=4,enemies=3,fields=2,count=yes"), exact=True).value == Fraction(1, 2)


@pytest.mark.parametrize("options", ["soldiers=0", "fields=1", "fields=11", "soldiers=50"])
def test_blotto_refuses_what_is_no_battle(options):
    with pytest.raises(OptionError):
        load(f"blotto:{options}")


@pytest.mark.parametrize("text", ["(-1,0)", "(3,0)", "(0,-2)", "(0,0,0)"])
def test_positions_that_cannot_be_are_refused(text):
    with pytest.raises(PositionError):
        load("rock-paper-scissors").read(text)
