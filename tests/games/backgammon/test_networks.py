from __future__ import annotations

import contextlib
import random

import numpy as np
import pytest
from tests.games.backgammon.chequers import board, random_tensors, side

from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.errors import InputError, OptionError
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.networks import (
    CHANCES,
    DEFAULT,
    INPUTS,
    NAMES,
    Networks,
    equities,
    inputs_of,
    plays_of,
)

START = np.array(([0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5] + [0] * 10 + [2, 0]) * 2, np.uint8)


def in_contact(boards):
    rear = 24 - (boards.reshape(-1, 2, 25)[:, :, ::-1] > 0).argmax(axis=2)
    return rear.sum(axis=1) >= 24


def boards_of_games(count, seed):
    dice, found, at = random.Random(seed), [], START
    while len(found) < count:
        after = plays_of(at, dice.randint(1, 6), dice.randint(1, 6))
        at = after[dice.randrange(len(after))]
        if not at[25:].any():
            at = START
        found.append(at)
    return np.array(found)


# Networks.


def test_a_network_is_what_numpy_makes_of_it(networks, tensors):
    boards = boards_of_games(300, 2)
    boards = boards[in_contact(boards)]
    a, a_bias, b, b_bias, c, c_bias = (tensors[name].astype(np.float64) for name in NAMES["contact"])
    inner = np.maximum(np.maximum(inputs_of(boards) @ a + a_bias, 0) @ b + b_bias, 0)
    raw = 1 / (1 + np.exp(-(inner @ c + c_bias)))
    found = networks.chances(boards)
    np.testing.assert_allclose(found[:, 0], raw[:, 0], atol=1e-5)
    untouched = (raw[:, 1] < raw[:, 0]) & (boards[:, 25:].sum(1) == 15)
    np.testing.assert_allclose(found[untouched, 1], raw[untouched, 1], atol=1e-5)


def test_greater_wins_are_smaller_ones_too(networks):
    found = networks.chances(boards_of_games(500, 3))
    assert (found >= 0).all()
    assert (found[:, 0] <= 1).all()
    assert (found[:, 1] <= found[:, 0] + 1e-6).all()
    assert (found[:, 2] <= found[:, 1] + 1e-6).all()
    assert (found[:, 3] <= 1 - found[:, 0] + 1e-6).all()
    assert (found[:, 4] <= found[:, 3] + 1e-6).all()


def test_the_inputs_of_the_other_are_those_of_oneself_after_turning():
    boards = boards_of_games(200, 4)
    turned = np.concatenate([boards[:, 25:], boards[:, :25]], axis=1)
    half = INPUTS // 2
    rows, others = inputs_of(boards), inputs_of(turned)
    np.testing.assert_array_equal(rows[:, :half], others[:, half:])
    np.testing.assert_array_equal(rows[:, half:], others[:, :half])


def test_looking_ahead_is_the_mean_over_rolls_of_the_best_plays(networks):
    mean = np.zeros(CHANCES)
    for first in range(1, 7):
        for second in range(1, 7):
            after = plays_of(START, first, second)
            left = networks.chances(after)
            win, gammon, backgammon, lost_gammon, lost_backgammon = left[int(equities(left).argmin())]
            mean += np.array([1 - win, lost_gammon, lost_backgammon, gammon, backgammon]) / 36
    np.testing.assert_allclose(networks.chances(START[None], plies=1)[0], mean, atol=1e-5)


def test_the_package_s_networks_know_how_to_open():
    networks = Networks.read(DEFAULT)
    best = networks.best_play(START, (3, 1))
    assert best[25 + 4] == 2  # 8/5 6/5 makes the five point
    assert networks.best_play(START, (3, 1), plies=1)[25 + 4] == 2
    assert 0.45 < networks.chances(START[None])[0][0] < 0.6


# Bearing off.


@pytest.mark.parametrize(
    ("points", "rolls"), [({"p6": 1, "p1": 1}, 15), ({"p5": 1, "p2": 1}, 19), ({"p4": 1, "p3": 1}, 17)]
)
def test_the_last_two_chequers_come_off_as_often_as_books_say(networks, points, rolls):
    lost_next = side(p1=1)
    found = networks.chances(board(side(**points), lost_next))[0]
    assert found[0] == pytest.approx(rolls / 36)


def test_one_side_alone_agrees_with_both_together(networks):
    # Seven chequers against one are beyond the small table, six are not.
    for own in (side(p1=7), side(p2=3, p1=4)):
        found = networks.chances(board(own, side(p1=1, p2=1, p3=1, p4=1, p5=1, p6=1)))[0][0]
        by_rolls = networks.chances(board(own, side(p1=1, p2=1, p3=1, p4=1, p5=1, p6=1)), plies=1)[0][0]
        assert found == pytest.approx(by_rolls, abs=2e-3)


def test_gammons_in_the_bear_off(networks):
    found = networks.chances(board(side(p1=2), side(p6=15)))[0]
    assert found[1] == pytest.approx(1.0)
    # Four chequers take two rolls, or a double. Sixes, 51, 42, 33 and 22 bear one off.
    found = networks.chances(board(side(p1=4), side(p6=15)))[0]
    assert found[1] == pytest.approx(6 / 36 + 30 / 36 * 19 / 36)


@pytest.mark.parametrize(
    ("own", "other", "equity"),
    [  # as a search to the end finds them
        (side(p6=15), side(p1=1), -1.527778),
        (side(p6=10, p5=5), side(p1=1), -1.222222),
        (side(p6=8, p4=7), side(p1=2), -1.25),
        (side(p6=15), side(p1=3), -1.152906),
    ],
)
def test_the_loser_of_a_bear_off_plays_to_save_the_gammon(networks, own, other, equity):
    assert equities(networks.chances(board(own, other)))[0] == pytest.approx(equity, abs=1e-6)


def random_home(dice, count):
    row = [0] * 25
    for _ in range(count):
        row[dice.randrange(6)] += 1
    return row


@pytest.mark.parametrize("seed", range(10))
def test_with_one_roll_left_the_gammon_is_saved_by_all_rolls_that_bear_a_chequer_off(networks, seed):
    dice = random.Random(seed)
    own = side(p6=dice.randint(5, 10), p5=dice.randint(0, 2), p3=dice.randint(0, 3))
    own[3] = 15 - sum(own)
    position = board(own, side(p1=2))
    rolls = [(first, second) for first in range(1, 7) for second in range(1, 7)]
    unsaved = sum(plays_of(position[0], *roll)[:, 25:].sum(axis=1).min() == 15 for roll in rolls)
    assert networks.chances(position)[0][3] == pytest.approx(unsaved / 36)


def test_no_gammon_of_a_bear_off_is_likelier_than_its_win(networks):
    dice = random.Random(1)
    boards = [random_home(dice, 15) + random_home(dice, dice.randint(1, 15)) for _ in range(500)]
    for rows in (np.array(boards, np.uint8), np.array([row[25:] + row[:25] for row in boards], np.uint8)):
        found = networks.chances(rows)
        assert (found[:, 1] <= found[:, 0]).all()
        assert (found[:, 3] <= 1 - found[:, 0]).all()
        assert (found[:, [2, 4]] == 0).all()


# Self-play.


def test_lessons_do_not_depend_on_the_threads(networks):
    one = networks.lessons(40, seed=5, threads=1, trace=0.7, strange=0.5)
    three = networks.lessons(40, seed=5, threads=3, trace=0.7, strange=0.5)
    np.testing.assert_array_equal(one.boards, three.boards)
    np.testing.assert_array_equal(one.targets, three.targets)
    assert not np.array_equal(one.boards, networks.lessons(40, seed=6, trace=0.7, strange=0.5).boards)


def test_targets_without_trace_are_the_next_estimates(networks):
    lessons = networks.lessons(3, seed=1, trace=0.0)
    # Positions come from the last to the first of a game: the estimate of the one before is the target.
    estimates = networks.chances(lessons.boards)
    win = 1 - estimates[:-1, 0]
    same = np.isclose(lessons.targets[1:, 0], win, atol=1e-5)
    assert same.mean() > 0.95  # all but where a game ends


def test_lessons_by_lookahead_are_means_over_all_rolls(networks):
    lessons = networks.lessons(2, seed=1, lookahead=0.1)
    np.testing.assert_allclose(lessons.targets, networks.chances(lessons.boards, plies=1), atol=1e-6)


def test_a_network_is_as_strong_as_itself(networks):
    assert networks.duel(networks, 10, seed=3).points == 0


def test_a_duel_tells_the_stronger(networks):
    duel = Networks.read(DEFAULT).duel(networks, 30)
    assert duel.games == 60
    assert duel.points > 0.5


def test_self_play_can_be_stopped(networks):
    with pytest.raises(Exception, match="was stopped"):
        networks.lessons(10**6, stop=lambda: True)


# Files.


def test_tensors_come_back_as_they_were(tmp_path, tensors):
    write_tensors(tmp_path / "x.safetensors", tensors, {"made": "by hand"})
    again, notes = read_tensors(tmp_path / "x.safetensors")
    assert notes == {"made": "by hand"}
    assert set(again) == set(tensors)
    for name, tensor in tensors.items():
        np.testing.assert_array_equal(again[name], tensor)


def test_files_that_are_no_weights_are_refused_in_one_line(tmp_path, tensors):
    path = tmp_path / "bad.safetensors"
    write_tensors(path, tensors, {})
    whole = path.read_bytes()
    missing = {name: tensor for name, tensor in tensors.items() if name != "race.inner.bias"}
    write_tensors(tmp_path / "missing", missing, {})
    write_tensors(tmp_path / "shape", tensors | {"race.inner.bias": np.zeros(3, np.float32)}, {})
    write_tensors(tmp_path / "nan", tensors | {"race.inner.bias": np.full(8, np.nan, np.float32)}, {})
    changed = [
        b"",
        b"x",
        b"\xff" * 16,
        whole[:100],
        whole[:-4],
        whole.replace(b"F32", b"F16"),
        b"\x02" + b"\0" * 7 + b"[]",
    ]
    for i, data in enumerate(changed):
        (tmp_path / str(i)).write_bytes(data)
    for name in ("missing", "shape", "nan", *map(str, range(len(changed)))):
        with pytest.raises(InputError) as caught:
            Networks.read(tmp_path / name)
        assert "\n" not in str(caught.value)
        with pytest.raises(OptionError):
            Backgammon(weights=str(tmp_path / name))


@pytest.mark.parametrize("seed", range(60))
def test_no_file_breaks_the_reader(tmp_path, seed):
    write_tensors(tmp_path / "x", random_tensors(0, 4, 4), {})
    data, dice = bytearray((tmp_path / "x").read_bytes()), random.Random(seed)
    for _ in range(dice.randint(1, 8)):
        data[dice.randrange(min(len(data), 1500))] = dice.randrange(256)
    (tmp_path / "x").write_bytes(data)
    with contextlib.suppress(InputError):
        Networks.read(tmp_path / "x")


def test_boards_that_are_none_are_refused(networks):
    for wrong in (np.full((1, 50), 9, np.uint8), np.zeros((1, 49), np.uint8), START, [[256, *[0] * 49]], [[0.5] * 50]):
        with pytest.raises(InputError, match=r"fifteen|rows of 50"):
            networks.chances(wrong)
        with pytest.raises(InputError, match=r"fifteen|rows of 50"):
            inputs_of(wrong)
    for dice in ((7, 1), (0, 1), (1.5, 1)):
        with pytest.raises(InputError, match=r"a die shows|dice"):
            plays_of(START, *dice)
