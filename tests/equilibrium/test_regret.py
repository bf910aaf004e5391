"""Regret minimisation: it converges, repeats, resumes, and refuses what it cannot use."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.equilibrium.trees import RandomGame
from zermelo.engine.regret import Arrays, Form, passes
from zermelo.engine.whole_file import DIGEST
from zermelo.equilibrium import cfr, extensive_form, sequence_form
from zermelo.equilibrium.regret import METHODS, RULES, SAMPLED
from zermelo.errors import ContractError, InputError, MethodError, OptionError


@pytest.fixture(scope="module")
def kuhn():
    return extensive_form(z.load("kuhn"))


@pytest.fixture(scope="module")
def leduc():
    return extensive_form(z.load("leduc"))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_value_of_kuhn(kuhn, method):
    found = cfr(kuhn, method, exploitability=0.005, iterations=300_000)
    assert found.stopped == ""
    assert found.exploitability <= 0.005
    assert found.value == pytest.approx(-1 / 18, abs=0.01)
    assert found.curve[-1].iterations == found.iterations


@pytest.mark.parametrize("method", RULES)
def test_every_rule_finds_the_value_of_leduc(leduc, method):
    found = cfr(leduc, method, exploitability=0.01)
    assert found.exploitability <= 0.01
    assert found.value == pytest.approx(-0.0856064, abs=0.01)


def test_leduc_is_solved_to_a_millionth(leduc):
    found = cfr(leduc, exploitability=1e-6)
    assert found.exploitability <= 1.001e-6
    assert found.value == pytest.approx(-0.085606424078, abs=1e-6)


def test_single_precision_gets_far_enough(leduc):
    found = cfr(leduc, "dcfr", exploitability=1e-3, precision="single")
    assert found.exploitability <= 1.01e-3


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(list(RULES)))
def test_regret_minimisation_converges_to_the_program_s_value(seed, method):
    form = extensive_form(RandomGame(seed, plies=4))
    found = cfr(form, method, exploitability=0.02, iterations=20_000)
    assert found.exploitability <= 0.02
    assert abs(found.value - sequence_form(form).value) <= 0.04 + 1e-9


def test_three_players_learn_kuhn():
    found = cfr(z.load("kuhn:players=3"), exploitability=1e-4)
    assert sum(found.values) == pytest.approx(0)
    assert found.exploitability <= 1e-4


@pytest.mark.parametrize("method", SAMPLED)
def test_a_seed_repeats_a_sampled_run(leduc, method):
    runs = [cfr(leduc, method, iterations=300, exploitability=None, seed=seed).strategy.shares for seed in (5, 5, 6)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] != runs[2]).any()


def test_sampling_on_two_threads_converges(kuhn):
    assert cfr(kuhn, "external", exploitability=0.01, iterations=500_000, threads=2).exploitability <= 0.011


def wide_form(sets: int) -> Form:
    """Both players choose once, after a private card out of many: enough work for two threads."""
    dice = np.random.default_rng(1)
    arrays = Arrays(*([] for _ in Arrays._fields))
    pairs = [(i, (i * 7 + j) % sets) for i in range(sets) for j in range(64)]
    first, ends = 1 + len(pairs), 0

    def add(kind, child, count, chance):
        for column, value in zip(arrays[:4], (kind, child, count, chance), strict=True):
            column.append(value)

    add(-1, 1, len(pairs), 1.0)
    for k, (i, _) in enumerate(pairs):
        add(i, first + 2 * k, 2, 1 / len(pairs))
    base = first + 2 * len(pairs)
    for k, (_, j) in enumerate(pairs):
        for a in range(2):
            add(sets + j, base + 4 * k + 2 * a, 2, 1.0)
    for _ in range(4 * len(pairs)):
        add(-2, ends, 0, 1.0)
        ends += 1
    worth = dice.integers(-9, 10, ends)
    arrays.payoffs.extend(np.column_stack([worth, -worth]).ravel())
    arrays.owner.extend([0] * sets + [1] * sets)
    arrays.width.extend([2] * (2 * sets))
    return Form(2, Arrays(*(np.array(column) for column in arrays)))


def test_the_number_of_threads_changes_nothing():
    form = wide_form(2200)
    assert sum(len(form.side(p).payoff) for p in (0, 1)) > 2 * (1 << 18)
    states = []
    for threads in (1, 2, 3):
        run = passes(form, RULES["dcfr"], merged=False)
        run.run(4, threads)
        states.append(run.save())
    assert states[0] == states[1] == states[2]


@pytest.mark.parametrize("method", ["pdcfr+", "dcfr", "external", "outcome"])
def test_a_run_goes_on_from_its_checkpoint_exactly(kuhn, method, tmp_path):
    file = tmp_path / "kuhn.regrets"
    cfr(kuhn, method, iterations=70, exploitability=None, checkpoint=file)
    resumed = cfr(kuhn, method, iterations=200, exploitability=None, checkpoint=file)
    whole = cfr(kuhn, method, iterations=200, exploitability=None)
    assert resumed.iterations == whole.iterations == 200
    assert (resumed.strategy.shares == whole.strategy.shares).all()
    assert [point.iterations for point in resumed.curve][:3] == [0, 10, 20]


KILLED = """
import sys
from zermelo.equilibrium import cfr
import zermelo as z
cfr(z.load("leduc"), "dcfr", exploitability=None, seconds=60, checkpoint=sys.argv[1], every=0.01)
"""


def test_a_process_that_is_killed_leaves_a_whole_checkpoint(leduc, tmp_path):
    file = tmp_path / "leduc.regrets"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(file)]) as process:
        until = time.monotonic() + 50
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.01)
        process.kill()
    resumed = cfr(leduc, "dcfr", iterations=0, exploitability=None, checkpoint=file)
    assert resumed.iterations > 0
    whole = cfr(leduc, "dcfr", iterations=resumed.iterations, exploitability=None)
    assert (resumed.strategy.shares == whole.strategy.shares).all()


def test_a_checkpoint_of_something_else_is_refused(kuhn, tmp_path):
    file = tmp_path / "kuhn.regrets"
    cfr(kuhn, iterations=20, exploitability=None, checkpoint=file)
    with pytest.raises(InputError, match="another method"):
        cfr(kuhn, "cfr", iterations=30, exploitability=None, checkpoint=file)
    with pytest.raises(InputError, match="another game"):
        cfr(z.load("kuhn:cards=4"), iterations=30, exploitability=None, checkpoint=file)
    data = file.read_bytes()
    for place in (0, 30, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(InputError, match="damaged"):
            cfr(kuhn, iterations=30, exploitability=None, checkpoint=file)
    file.write_bytes(data[:50])
    with pytest.raises(InputError, match="damaged"):
        cfr(kuhn, iterations=30, exploitability=None, checkpoint=file)


@pytest.mark.parametrize(
    "header",
    [
        b"[" * 100_000,
        b"[]",
        b"null",
        b"{}",
        b"\xff",
        b'{"seconds": "x", "curve": []}',
        b'{"seconds": 1' + b"0" * 400 + b', "curve": []}',
        b'{"seconds": 1, "curve": [[1, 2]]}',
        b'{"seconds": 1, "curve": 7}',
    ],
)
def test_a_checkpoint_that_is_forged_is_refused(kuhn, tmp_path, header):
    file = tmp_path / "kuhn.regrets"
    cfr(kuhn, iterations=20, exploitability=None, checkpoint=file)
    magic, facts, state = file.read_bytes()[:-DIGEST].split(b"\n", 2)
    if header.startswith(b'{"'):
        header = json.dumps(json.loads(facts) | json.loads(header)).encode()
    body = b"\n".join([magic, header, state])
    file.write_bytes(body + hashlib.sha256(body).digest())
    with pytest.raises(InputError, match=r"kuhn\.regrets"):
        cfr(kuhn, iterations=30, exploitability=None, checkpoint=file)


def test_a_foreign_file_of_any_size_is_refused_unread(kuhn, tmp_path):
    file = tmp_path / "huge"
    with file.open("wb") as sparse:
        sparse.truncate(1 << 40)
    with pytest.raises(InputError, match="not a checkpoint"):
        cfr(kuhn, iterations=30, exploitability=None, checkpoint=file)


def test_a_state_of_another_length_is_refused(kuhn):
    run = passes(kuhn.form, RULES["cfr"])
    state = run.save()
    lost = state[:8] + b"\xff" * 8 + state[16:]
    for wrong in (b"", state[:-1], state + b"x", state[:-8] + b"\xff" * 8, lost):
        with pytest.raises(InputError):
            run.restore(wrong)


def test_progress_is_told_and_stop_heeded(leduc):
    points = []
    found = cfr(leduc, "cfr", exploitability=None, progress=points.append, stop=lambda: len(points) > 3)
    assert found.stopped == "stop"
    assert found.iterations >= 30
    assert [point.iterations for point in points] == sorted(point.iterations for point in points)
    assert cfr(leduc, "cfr", exploitability=None, seconds=0.02).stopped == "seconds"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "magic"}, "no method is called"),
        ({"exploitability": -1}, "exploitability must be"),
        ({"exploitability": float("nan")}, "exploitability must be"),
        ({"iterations": 1.5}, "iterations must be"),
        ({"threads": 0}, "threads must be"),
        ({"precision": "half"}, "precision is"),
        ({"precision": "single", "method": "external"}, "double precision"),
        ({"exploration": 0}, "exploration is"),
        ({"exploitability": None}, "say when to end"),
        ({"colour": "blue"}, "not all of colour"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, words):
    with pytest.raises((OptionError, MethodError), match=words):
        cfr(z.load("kuhn"), **options)


def test_the_name_of_a_game_is_no_game():
    with pytest.raises(ContractError, match=r"use zermelo\.load"):
        cfr("kuhn")


GOOD = {
    "infoset": [0, -2, -2],
    "first": [1, 0, 1],
    "count": [2, 0, 0],
    "chance": [1.0, 1.0, 1.0],
    "payoffs": [1.0, -1.0, 0.0, 0.0],
    "owner": [0],
    "width": [2],
}


@pytest.mark.parametrize(
    "wrong",
    [
        {"infoset": [7, -2, -2]},
        {"infoset": [-3, -2, -2]},
        {"first": [0, 0, 1]},
        {"first": [2, 0, 1]},
        {"first": [1, 0, 2]},
        {"first": [1, -1, 1]},
        {"first": [2**31 - 1, 0, 1]},
        {"count": [1, 0, 0]},
        {"count": [-1, 0, 0]},
        {"count": [2**31 - 1, 0, 0]},
        {"count": [2, 1, 0]},
        {"chance": [1.0, float("nan"), 1.0]},
        {"chance": [1.0, 1.0]},
        {"payoffs": [1.0, -1.0, 0.0, float("inf")]},
        {"payoffs": [1.0, -1.0, 0.0]},
        {"owner": [2]},
        {"owner": [-1]},
        {"width": [0]},
        {"width": [3]},
        {"infoset": [], "first": [], "count": [], "chance": []},
    ],
)
def test_arrays_that_are_no_tree_are_refused(wrong):
    assert Form(2, Arrays(**{name: np.array(column) for name, column in GOOD.items()})).players == 2
    with pytest.raises(InputError, match="not a tree"):
        Form(2, Arrays(**{name: np.array(column) for name, column in (GOOD | wrong).items()}))
