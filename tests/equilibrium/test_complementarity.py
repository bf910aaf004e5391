"""Trees of two players and any sum: Lemke's method on the sequence form, held to the normal form."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.equilibrium.trees import FORGETFUL, RandomGame
from zermelo.equilibrium import (
    extensive_form,
    is_equilibrium,
    lemke,
    normal_form,
    pure_equilibria,
    read_efg,
    sequence_form,
    solve_extensive,
    vertex_enumeration,
)
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.errors import MethodError, OptionError

seeds = st.integers(0, 10**6)

BATTLE = """EFG 2 R "both at once" { "Ann" "Bob" }
p "" 1 1 "" { "up" "down" } 0
p "" 2 1 "" { "left" "right" } 0
t "" 1 "" { 2, 1 }
t "" 2 "" { 0, 0 }
p "" 2 1 0
t "" 3 "" { 0, 0 }
t "" 4 "" { 1, 2 }
"""

FORGETFUL_PAIR = """EFG 2 R "" { "Ann" "Bob" }
p "" 1 1 "" { "x" "y" } 0
p "" 1 2 "" { "x" "y" } 0
t "" 1 "" { 1, 2 }
t "" 2 "" { 2, 1 }
p "" 1 2 0
p "" 2 1 "" { "x" "y" } 0
t "" 3 "" { 5, 2 }
t "" 1
t "" 2
"""


def with_payoffs(spec: str, change) -> ExtensiveForm:
    """The tree of a game with payoffs of other sums."""
    form = extensive_form(z.load(spec))
    payoffs = change(form.arrays.payoffs.reshape(-1, 2))
    return ExtensiveForm(form.game, form.root, form.arrays._replace(payoffs=payoffs.ravel()), form.example)


def simultaneous(cells: list[list[list[int]]]):
    """The tree of a square table of both players' payoffs."""
    names = " ".join(f'"{i}"' for i in range(len(cells)))
    lines = ['EFG 2 R "" { "a" "b" }', f'p "" 1 1 "" {{ {names} }} 0']
    for i, row in enumerate(cells):
        lines.append(f'p "" 2 1 "" {{ {names} }} 0')
        lines += [f't "" {len(row) * i + j + 1} "" {{ {a} {b} }}' for j, (a, b) in enumerate(row)]
    return read_efg("\n".join(lines))


def raked(payoffs):
    """The winner pays a tenth to the house."""
    return np.where(payoffs > 0, 0.9 * payoffs, payoffs)


@settings(max_examples=150, deadline=None)
@given(seeds, st.integers(1, 6), st.booleans())
def test_what_is_found_is_an_equilibrium_exactly_and_in_doubles(seed, plies, zero_sum):
    form = extensive_form(RandomGame(seed, plies=plies, widest=3, zero_sum=zero_sum))
    assert lemke(form).exploitability <= 1e-9
    if plies <= 4:
        found = lemke(form, exact=True)
        assert found.exact
        assert found.exploitability == 0
        assert all(isinstance(share, Fraction) for share in found.strategy.shares)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_it_is_an_equilibrium_of_the_reduced_normal_form(seed):
    game = RandomGame(seed, plies=4, widest=2, zero_sum=False)
    table = normal_form(game)
    assume(sum(table.shape) <= 12)
    found = lemke(extensive_form(game), exact=True)
    profile = [[found.strategy.mixed(p).get(name, 0) for name in table.actions[p]] for p in (0, 1)]
    assert is_equilibrium(table, profile)
    every = vertex_enumeration(table)
    for p in (0, 1):
        payoffs = [one.payoffs[p] for one in every]
        assert min(payoffs) <= found.values[p] <= max(payoffs)
    if len(every) == 1:
        assert found.values == every[0].payoffs


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_in_a_zero_sum_game_it_finds_the_value_of_the_linear_program(seed):
    form = extensive_form(RandomGame(seed, plies=4, widest=2))
    assert lemke(form, exact=True).value == sequence_form(form, exact=True).value


def test_60_simultaneous_games_of_four_actions_are_all_solved():
    random = np.random.default_rng(60)
    for _ in range(60):
        game = simultaneous(random.integers(-9, 10, (4, 4, 2)).tolist())
        found = solve_extensive(game)
        assert found.method == "lemke"
        assert found.exploitability <= 1e-9
        assert lemke(extensive_form(game), exact=True).exploitability == 0


def test_battle_of_the_sexes_and_its_three_equilibria():
    found = solve_extensive(read_efg(BATTLE), exact=True)
    assert found.method == "lemke"
    assert found.values in [one.payoffs for one in vertex_enumeration("2,1 0,0; 0,0 1,2")]
    assert len(pure_equilibria(normal_form(read_efg(BATTLE)))) == 2


@pytest.mark.parametrize("spec", ["kuhn", "leduc:ranks=2", "leduc", "goofspiel:cards=3"])
def test_poker_with_a_rake_is_solved_to_rounding(spec):
    form = with_payoffs(spec, raked)
    found = solve_extensive(form)
    assert found.method == "lemke"
    assert found.exploitability <= 1e-12


def test_games_full_of_ties_are_no_matter():
    for seed in range(40):
        random = np.random.default_rng(seed)
        form = extensive_form(RandomGame(seed, plies=5, zero_sum=False))
        ties = random.integers(0, 2, len(form.arrays.payoffs)).astype(float)
        form = ExtensiveForm(form.game, form.root, form.arrays._replace(payoffs=ties), form.example)
        assert lemke(form).exploitability <= 1e-9


def test_magnitudes_are_no_matter():
    for seed in range(40):
        random = np.random.default_rng(seed)
        form = extensive_form(RandomGame(seed, plies=4, zero_sum=False, widest=2))
        size = len(form.arrays.payoffs)
        payoffs = random.random(size) * 10.0 ** random.integers(-12, 13, size)
        form = ExtensiveForm(form.game, form.root, form.arrays._replace(payoffs=payoffs), form.example)
        found = lemke(form).strategy
        gains = [best - value for value, best in zip(found.values, found.best_values, strict=True)]
        spans = np.ptp(payoffs.reshape(-1, 2), axis=0)
        assert all(gain <= 1e-9 * span for gain, span in zip(gains, spans, strict=True))


def test_computed_floats_are_solved_also_where_fractions_would_be_too_long():
    for seed in range(30):
        random = np.random.default_rng(seed)
        form = extensive_form(RandomGame(seed, plies=6, zero_sum=False, widest=3))
        size = len(form.arrays.payoffs)
        payoffs = random.normal(size=size) * 10.0 ** random.integers(-3, 4, size)
        form = ExtensiveForm(form.game, form.root, form.arrays._replace(payoffs=payoffs), form.example)
        assert lemke(form).exploitability <= 1e-9 * np.ptp(payoffs)


def test_random_floats_are_exact_binary_fractions_and_small_trees_of_them_are_solved_exactly():
    for seed in range(10):
        form = extensive_form(RandomGame(seed, plies=3, zero_sum=False, widest=2))
        payoffs = np.random.default_rng(seed).random(len(form.arrays.payoffs))
        form = ExtensiveForm(form.game, form.root, form.arrays._replace(payoffs=payoffs), form.example)
        assert lemke(form, exact=True).exploitability == 0


def test_a_player_without_choices_and_a_game_without_any():
    one = read_efg('EFG 2 R "" { "a" "b" } p "" 1 1 "" { "x" "y" } 0 t "" 1 "" { 1 5 } t "" 2 "" { 2 0 }')
    assert lemke(extensive_form(one), exact=True).values == (2, 0)
    assert lemke(extensive_form(one)).values == (2, 0)
    over = read_efg('EFG 2 R "" { "a" "b" } t "" 1 "" { 3 4 }')
    assert lemke(extensive_form(over), exact=True).values == (3, 4)
    assert lemke(extensive_form(over)).values == (3, 4)


def test_what_it_cannot_do_is_refused():
    with pytest.raises(MethodError, match="two players"):
        lemke(extensive_form(z.load("kuhn:players=3")))
    for exact in (False, True):
        with pytest.raises(MethodError, match="forgets its own choices"):
            lemke(extensive_form(read_efg(FORGETFUL_PAIR)), exact)
    with pytest.raises(MethodError, match="two players"):
        lemke(extensive_form(read_efg(FORGETFUL)))
    with pytest.raises(MethodError, match="leave out exact"):
        lemke(with_payoffs("leduc", raked), exact=True)
    with pytest.raises(MethodError, match=r"leave out exact$"):
        solve_extensive(z.load("kuhn:players=3"), exact=True)
    with pytest.raises(MethodError, match="leave out exact, or take sequence or lemke"):
        solve_extensive(z.load("kuhn"), "cfr", exact=True)
    with pytest.raises(OptionError, match="that is for cfr"):
        solve_extensive(read_efg(BATTLE), method="lemke", iterations=3)


def test_where_it_would_take_too_long_regret_minimisation_is_for_the_caller_to_ask_for(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.complementarity.MOST_SEQUENCES", 20)
    form = with_payoffs("kuhn", raked)
    with pytest.raises(MethodError, match="method: ask for cfr"):
        solve_extensive(form)
    with pytest.raises(MethodError, match="use cfr"):
        lemke(form)
    assert solve_extensive(form, "cfr", iterations=20).iterations == 20


def test_regret_minimisation_that_nothing_promises_to_end_has_a_limit(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.regret.UNPROMISED_SECONDS", 0.05)
    lopsided = [[[0, 0], [1, 2], [3, 1]], [[2, 1], [0, 0], [1, 2]], [[1, 3], [2, 1], [0, 0]]]
    curve = []
    found = solve_extensive(simultaneous(lopsided), "cfr", progress=curve.append, exploitability=0)
    assert found.stopped == "seconds"
    assert len(curve) > 1


def test_a_zero_sum_game_needs_no_limit():
    assert solve_extensive(z.load("kuhn"), "cfr").stopped == ""
