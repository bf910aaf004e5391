from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.backgammon.chequers import board, side

from zermelo.engine.tensors import read_tensors
from zermelo.errors import InputError
from zermelo.games.backgammon.networks import DEFAULT, MOST_ROLLS, NAMES, Networks, plays_of, race_inputs_of

ROLLS = np.arange(MOST_ROLLS)
PIPS = np.arange(1, 26)
NOBODY = [0] * 25


@pytest.fixture(scope="module")
def package():
    return Networks.read(DEFAULT)


def random_side(dice, chequers=15, last=12):
    row = [0] * 25
    row[dice.randrange(6, last)] += 1
    for _ in range(chequers - 1):
        row[dice.randrange(last)] += 1
    return row


def random_races(seed, count):
    """Boards with a side outside its home, or both."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        own = random_side(dice, dice.choice([15, dice.randint(1, 15)]), dice.randint(7, 12))
        other = random_side(dice, dice.choice([15, dice.randint(1, 15)]), dice.randint(7, 12))
        home = [0, 2, 3, *[0] * 22]
        far = [4, *[0] * 16, *[dice.randint(0, 3) for _ in range(3)], 1, *[0] * 4]
        found.append(dice.choice([own + other, own + home, home + other, home + far, far + home]))
    return np.array(found, np.uint8)


def sums_before(winner, loser, fewer):
    """The chance that one is done while the other, with so many fewer rolls, is not."""
    late = 1 - np.concatenate([np.zeros(fewer), np.cumsum(loser)])[:MOST_ROLLS]
    return float((winner * late).sum())


# Twins.


def test_what_a_side_needs_is_what_numpy_makes_of_the_network(networks, tensors):
    dice = random.Random(1)
    sides = np.array([random_side(dice, 15, dice.randint(7, 20)) for _ in range(200)], np.uint8)
    a, a_bias, b, b_bias, c, c_bias = (tensors[name].astype(np.float64) for name in NAMES["race"])
    inputs = race_inputs_of(sides)
    numbers = (np.maximum(np.maximum(inputs @ a + a_bias, 0) @ b + b_bias, 0) @ c + c_bias).reshape(-1, 2, MOST_ROLLS)
    pips = np.stack([(sides * PIPS).sum(1), (sides[:, 6:] * PIPS[:19]).sum(1)], 1)[:, :, None]
    np.testing.assert_allclose(inputs[:, -2:], pips[:, :, 0] / 100, atol=1e-6)
    numbers += -((ROLLS - pips * 6 / 49 - 1) ** 2) / (2 * (0.3 + 0.034 * pips))
    powers = np.exp(numbers - numbers.max(2, keepdims=True)) * (ROLLS > 0)
    np.testing.assert_allclose(networks.needs(sides), powers / powers.sum(2, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_a_roll_ahead_is_the_mean_behind_the_best_plays(networks, seed):
    own = random_side(random.Random(seed), 15, 9)
    mean = np.zeros((2, MOST_ROLLS))
    for first in range(1, 7):
        for second in range(1, 7):
            after = networks.needs(plays_of(board(own, NOBODY)[0], first, second)[:, 25:])
            for goal in (0, 1):
                best = after[int((after[:, goal] @ ROLLS).argmin()), goal]
                mean[goal, 1:] += best[:-1] / 36
                mean[goal, -1] += best[-1] / 36
    np.testing.assert_allclose(networks.needs(np.array([own], np.uint8), 1)[0], mean, atol=1e-5)


def test_chances_of_a_race_follow_from_what_both_sides_need(networks):
    boards = random_races(2, 200)
    found = networks.chances(boards)
    for row, chances in zip(boards, found, strict=True):
        own, other = networks.needs(row.reshape(2, 25))
        assert chances[0] == pytest.approx(sums_before(own[0], other[0], 1), abs=1e-5)
        won, lost = sums_before(own[0], other[1], 1), sums_before(other[0], own[1], 0)
        assert chances[1] == pytest.approx(min(won, chances[0]), abs=1e-5)
        assert chances[3] == pytest.approx(min(lost, 1 - chances[0]), abs=1e-5)


# Laws.


def test_at_home_a_side_needs_what_the_tables_say(networks):
    found = networks.needs(np.array([side(p6=1, p1=1), side(p5=1, p2=1), side(p1=15), NOBODY], np.uint8))
    assert found[0, 0, 1] == pytest.approx(15 / 36)
    assert found[1, 0, 1] == pytest.approx(19 / 36)
    assert found[2, 1, 1] == 1
    assert found[3, 0, 0] == 1
    dice = random.Random(3)
    for _ in range(50):
        own, other = ([dice.randint(0, 2) for _ in range(5)] + [5] + [0] * 19 for _ in range(2))
        needs = networks.needs(np.array([own, other], np.uint8))
        assert networks.chances(board(own, other))[0][0] == pytest.approx(
            sums_before(needs[0, 0], needs[1, 0], 1), abs=1e-5
        )


@given(st.integers(0, 10**9))
@settings(max_examples=50, deadline=None)
def test_either_side_wins_and_the_one_on_roll_at_a_tie(package, seed):
    boards = random_races(seed, 4)
    turned = np.concatenate([boards[:, 25:], boards[:, :25]], axis=1)
    own, other = package.needs(boards[:, :25])[:, 0], package.needs(boards[:, 25:])[:, 0]
    both = package.chances(boards)[:, 0] + package.chances(turned)[:, 0]
    np.testing.assert_allclose(both, 1 + (own * other).sum(1), atol=1e-4)


@given(st.integers(0, 10**9))
@settings(max_examples=50, deadline=None)
def test_chances_are_chances_and_greater_wins_are_smaller_ones_too(package, seed):
    boards = random_races(seed, 10)
    found = package.chances(boards)
    assert (found >= 0).all()
    assert (found[:, 0] <= 1).all()
    assert (found[:, 2] <= found[:, 1]).all()
    assert (found[:, 1] <= found[:, 0]).all()
    assert (found[:, 4] <= found[:, 3]).all()
    assert (found[:, 3] <= 1 - found[:, 0]).all()
    needs = package.needs(boards[:, :25])
    np.testing.assert_allclose(needs.sum(2), 1, atol=1e-5)


def test_pips_more_are_rolls_more(package):
    dice = random.Random(4)
    near, far = [], []
    for _ in range(300):
        row = random_side(dice, 15, 14)
        point = dice.choice([at for at in range(14) if row[at]])
        near.append(row)
        far.append(row.copy())
        far[-1][point] -= 1
        far[-1][point + 3] += 1
    rolls = [package.needs(np.array(rows, np.uint8)) @ ROLLS for rows in (near, far)]
    assert (rolls[1][:, 0] > rolls[0][:, 0]).all()


# Known numbers.


def one_sided_twin(rolls_left, row):
    """The chance to have all off in so many rolls, by all plays."""
    if not any(row):
        return 1.0
    if rolls_left == 0:
        return 0.0
    total = 0.0
    for first in range(1, 7):
        for second in range(1, first + 1):
            after = plays_of(board(list(row), NOBODY)[0], first, second)[:, 25:]
            best = max(one_sided_twin(rolls_left - 1, tuple(after_row)) for after_row in after.tolist())
            total += best * (1 if first == second else 2) / 36
    return total


@pytest.mark.parametrize("own", [side(p12=1), side(p8=1), side(p7=1, p1=1), side(p9=1, p2=1), side(p10=2)])
def test_the_network_knows_how_soon_the_last_chequers_come_off(package, own):
    needs = package.needs(np.array([own], np.uint8))[0, 0]
    for rolls in (1, 2):
        assert needs[: rolls + 1].sum() == pytest.approx(one_sided_twin(rolls, tuple(own)), abs=0.03)


def test_the_package_agrees_with_gnu_backgammon_on_a_race(package):
    own, other = side(p4=3, p5=3, p6=4, p7=2, p8=2, p9=1), side(p4=2, p5=3, p6=4, p7=3, p8=2, p9=1)
    # 90 against 93 pips; what GNU Backgammon says a ply ahead.
    assert package.chances(board(own, other))[0][0] == pytest.approx(0.648, abs=0.012)


def test_the_package_s_network_agrees_with_what_follows_it(package):
    dice = random.Random(6)
    sides = np.array([random_side(dice, 15, dice.randint(8, 13)) for _ in range(150)], np.uint8)
    off = (package.needs(sides) - package.needs(sides, 1)) @ ROLLS
    assert np.abs(off[:, 0]).mean() < 0.03
    assert abs(off[:, 0].mean()) < 0.01
    assert np.abs(off[:, 1]).mean() < 0.05


def test_backgammons_in_a_race(networks):
    caught = [0, 5, 5, *[0] * 15, 3, 0, 2, *[0] * 4]
    last = side(p1=1)
    np.testing.assert_allclose(networks.chances(board(last, caught))[0], [1, 1, 1, 0, 0], atol=1e-6)
    # Five chequers do not leave in a roll; one on the 20 point does unless it is held back by 11.
    np.testing.assert_allclose(networks.chances(board(caught, last))[0], [0, 0, 0, 1, 1], atol=1e-6)
    one = [5, 5, 4, *[0] * 16, 1, *[0] * 5]
    stays = np.mean(
        [plays_of(board(one, last)[0], a, b)[:, 25 + 18 :].any(1).all() for a in range(1, 7) for b in range(1, 7)]
    )
    assert networks.chances(board(one, last))[0][4] == pytest.approx(stays)


# Bad input.


def test_sides_that_are_none_are_refused(networks):
    bar = side(p25=1)
    for wrong in (
        [[9] * 25],
        [[0] * 24],
        [bar],
        [[256] + [0] * 24],
        [0] * 25,
        [[0.0] * 25],
        [["x"] * 25],
        [[0], [0, 0]],
    ):
        with pytest.raises(InputError, match=r"fifteen|rows of 25|bar"):
            networks.needs(wrong)
        with pytest.raises(InputError, match=r"fifteen|rows of 25|bar"):
            race_inputs_of(wrong)
    for plies in (2, -1, 0.5, None):
        with pytest.raises(InputError, match="plies"):
            networks.needs([side(p8=1)], plies)


def test_a_race_network_of_boards_is_refused_in_one_line(tensors):
    contact = {name: tensors[name.replace("race", "contact")] for name in NAMES["race"]}
    with pytest.raises(InputError, match="cannot be used"):
        Networks(tensors | contact)
    assert set(read_tensors(DEFAULT)[0]) == set(tensors)
