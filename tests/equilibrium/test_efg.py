"""EFG files: read, written, and refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.equilibrium.trees import HORSE, RandomGame
from zermelo.equilibrium import extensive_form, load_efg, read_efg, sequence_form, uniform, write_efg
from zermelo.errors import InputError


def test_kuhn_survives_the_way_through_a_file(tmp_path):
    text = write_efg(z.load("kuhn"))
    path = tmp_path / "kuhn.efg"
    path.write_text(text, encoding="utf-8")
    again = load_efg(path)
    assert write_efg(again) == text
    assert (
        sequence_form(extensive_form(again), exact=True).value
        == sequence_form(extensive_form(z.load("kuhn")), True).value
    )
    assert z.load(str(path)).players == 2


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_a_written_tree_is_read_again(seed, players):
    form = extensive_form(RandomGame(seed, players=players, zero_sum=False))
    again = extensive_form(read_efg(write_efg(form)))
    assert uniform(again).values == uniform(form).values
    assert uniform(again).best_values == uniform(form).best_values


def test_sets_and_outcomes_need_not_be_said_twice_and_inner_outcomes_add_up():
    game = read_efg(
        'EFG 2 R "t" { "a" "b" } "a comment"\n'
        'c "" 1 "coin" { "h" 1/3 "t" 2/3 } 1 "ante" { 1 -1 }\n'
        'p "" 1 1 "me" { "x y" "z" } 0 t "" 2 "" { 1/2, 1 } t "" 0 p "" 1 1 0 t "" 2 t "" 1'
    )
    assert game.names == ["a", "b"]
    assert [tuple(map(str, node.payoffs)) for node in game.nodes if not node.actions] == [
        ("3/2", "0"),
        ("1", "-1"),
        ("3/2", "0"),
        ("2", "-2"),
    ]
    assert extensive_form(game).sets[0].actions == ("x y", "z")


HEAD = 'EFG 2 R "t" { "a" "b" } '


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NFG 1 R",
        'EFG 1 R "t" { "a" }',
        'EFG 2 R "t" { }',
        HEAD,
        HEAD + 'x "" 1',
        HEAD + 't "" 1',
        HEAD + 't "" 1 "" { 1 }',
        HEAD + 't "" 1 "" { 1 2 3 }',
        HEAD + 't "" 1 "" { 1 nan }',
        HEAD + 't "" 1 "" { 1e999 1 }',
        HEAD + 't "" 0 "" { 1 1 }',
        HEAD + 't "" 1 "" { 1 1 } t "" 1',
        HEAD + 'p "" 3 1 "" { "x" } 0 t "" 0',
        HEAD + 'p "" 0 1 "" { "x" } 0 t "" 0',
        HEAD + 'p "" 1 1 "" { } 0',
        HEAD + 'p "" 1 1 0 t "" 0',
        HEAD + 'p "" 1 1 "" { "x" "y" } 0 t "" 0',
        HEAD + 'p "" 1 1 "" { "x" } 0 p "" 1 1 "" { "y" } 0 t "" 0',
        HEAD + 'c "" 1 "" { "x" 1/2 "y" 1/3 } 0 t "" 0 t "" 0',
        HEAD + 'c "" 1 "" { "x" 2 "y" -1 } 0 t "" 0 t "" 0',
        HEAD + 'p "" 99999999999 1 "" { "x" } 0 t "" 0',
        HEAD + 't "unclosed',
        "{ { { {",
    ],
)
def test_files_that_are_no_games_are_refused(text):
    with pytest.raises(InputError):
        read_efg(text)


def test_a_negative_probability_is_named():
    with pytest.raises(InputError, match=r"negative probability, -0\.5"):
        read_efg(HEAD + 'c "" 1 "" { "x" 3/2 "y" -1/2 } 0 t "" 0 t "" 0')


def test_a_deep_file_is_no_danger():
    text = HEAD + 'p "" 1 1 "" { "x" } 0 ' + "".join(f'p "" 1 {i} "" {{ "x" }} 0 ' for i in range(2, 20_000)) + 't "" 0'
    assert extensive_form(read_efg(text)).nodes == 20_000


def test_fractions_that_grow_without_end_are_refused():
    primes = [n for n in range(10_000, 14_000) if all(n % k for k in range(2, 120))]
    inner = "".join(f'p "" 1 {i} "" {{ "x" }} {i} "" {{ 1/{n} 0 }} ' for i, n in enumerate(primes, 1))
    with pytest.raises(InputError, match="endless fractions"):
        read_efg(HEAD + inner + 't "" 0')


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    place = data.draw(st.integers(0, len(HORSE)))
    other = (
        HORSE[:place]
        + data.draw(st.text('{}" 0123/.,-\\ecptEFG', max_size=4))
        + HORSE[place + data.draw(st.integers(0, 5)) :]
    )
    with contextlib.suppress(InputError):
        extensive_form(read_efg(other))
