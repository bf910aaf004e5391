"""EFG files: read, written, and refused."""

from __future__ import annotations

import contextlib
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.equilibrium.trees import HORSE, RandomGame
from zermelo.equilibrium import (
    NormalForm,
    extensive_form,
    lemke,
    load_efg,
    normal_form,
    read_efg,
    read_nfg,
    sequence_form,
    solve_extensive,
    uniform,
    write_efg,
    write_nfg,
)
from zermelo.equilibrium.extensive import ExtensiveGame, Node
from zermelo.equilibrium.nfg import Reader, quote
from zermelo.errors import InputError, MethodError


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


LONG = 'EFG 2 R "t" { "a" "b" }\nc "" 1 "" { "x" 1/3 "y" 0.1 "z" 17/30 } 0\n' + "".join(
    f't "" {i + 1} "" {{ {u}, {v} }}\n'
    for i, (u, v) in enumerate(
        [("9007199254740993", "1/3"), ("-0.1", "1e-30"), ("123456789012345678901234567890/7", "9007199254740992")]
    )
)


def numbers_of(game):
    return [(node.chances, node.payoffs, len(node.children)) for node in game.nodes]


def test_numbers_beyond_doubles_come_through_exactly():
    game = read_efg(LONG)
    assert numbers_of(read_efg(write_efg(game))) == numbers_of(game)
    assert game.nodes[0].chances == [Fraction(1, 3), Fraction(1, 10), Fraction(17, 30)]
    expected = Fraction(2**53 + 1, 3) - Fraction(1, 100) + Fraction(17 * 123456789012345678901234567890, 210)
    assert uniform(extensive_form(game)).values[0] == expected


def test_a_payoff_that_is_greater_by_1_beyond_doubles_is_chosen():
    game = read_efg(
        f'EFG 2 R "" {{ "a" "b" }} p "" 1 1 "" {{ "x" "y" }} 0 t "" 1 "" {{ {2**53} 0 }} t "" 2 "" {{ {2**53 + 1} 0 }}'
    )
    for found in (solve_extensive(game), lemke(extensive_form(game), exact=True)):
        assert found.values == (2**53 + 1, 0)
        assert found.strategy[0, "set 1"] == {"x": 0, "y": 1}
    assert normal_form(game).exact[0].tolist() == [[2**53], [2**53 + 1]]


def test_zero_sum_but_for_a_rounding_is_not_zero_sum_exactly():
    large = 2**60
    near = read_efg(
        'EFG 2 R "" { "a" "b" } p "" 1 1 "" { "x" "y" } 0 p "" 2 1 "" { "x" "y" } 0 '
        f't "" 1 "" {{ {large} {-large} }} t "" 2 "" {{ 0 0 }} p "" 2 1 0 t "" 2 t "" 3 "" {{ {large + 1} {-large} }}'
    )
    form = extensive_form(near)
    assert form.is_zero_sum
    assert not form.is_exactly_zero_sum
    assert solve_extensive(near, exact=True).method == "lemke"
    with pytest.raises(MethodError, match="use lemke"):
        sequence_form(form, exact=True)


def test_odds_that_miss_one_by_a_rounding_are_written_as_they_are_and_count_as_shares():
    game = read_efg('EFG 2 R "" { "a" "b" } c "" 1 "" { "x" 0.3333333333 "y" 0.6666666666 } 0 t "" 1 "" { 3 0 } t "" 0')
    assert numbers_of(read_efg(write_efg(game))) == numbers_of(game)
    assert uniform(extensive_form(game)).values == (1, 0)


fractions = st.fractions(-(10**20), 10**20, max_denominator=10**20)
labels = st.text(min_size=1, max_size=8).filter(str.strip)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_tree_comes_through_with_its_numbers_and_names(data):
    names = data.draw(st.lists(labels, min_size=2, max_size=2, unique=True))
    actions = data.draw(st.lists(labels, min_size=2, max_size=3, unique=True))
    weights = data.draw(st.lists(st.integers(0, 10**18), min_size=2, max_size=3).filter(any))
    nodes = [Node(z.CHANCE, -1, [str(i) for i in range(len(weights))], [Fraction(w, sum(weights)) for w in weights])]
    for _ in weights:
        nodes[0].children.append(len(nodes))
        nodes.append(Node(1, 0, actions, [], list(range(len(nodes) + 1, len(nodes) + 1 + len(actions)))))
        nodes += [Node(payoffs=(data.draw(fractions), data.draw(fractions))) for _ in actions]
    game = ExtensiveGame(data.draw(labels), names, nodes, [data.draw(labels)])
    text = write_efg(game)
    again = read_efg(text)
    assert numbers_of(again) == numbers_of(game)
    assert (again.title, again.names) == (game.title, game.names)
    assert extensive_form(again).sets == extensive_form(game).sets
    assert [node.actions for node in again.nodes] == [node.actions for node in game.nodes]
    assert write_efg(again) == text


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_table_comes_through_as_nfg_and_as_a_tree(data):
    shape = data.draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    size = math.prod(shape)
    tables = []
    for _ in shape:
        table = np.empty(size, dtype=object)
        table[:] = data.draw(st.lists(fractions, min_size=size, max_size=size))
        tables.append(table.reshape(shape))
    names = [data.draw(st.lists(labels, min_size=n, max_size=n, unique=True)) for n in shape]
    players = data.draw(st.lists(labels, min_size=len(shape), max_size=len(shape), unique=True))
    game = NormalForm(tables, players, names, data.draw(labels))
    for again in (read_nfg(write_nfg(game)), normal_form(read_efg(write_efg(game)))):
        assert all((one == other).all() for one, other in zip(again.exact, game.exact, strict=True))
        assert (again.title, again.players, again.actions) == (game.title, game.players, game.actions)


def test_names_are_written_in_ascii_as_every_gambit_takes_them():
    strange = [
        "K♠",
        " a",
        "a ",
        "a  b",
        "tab\there",
        "two\nlines",
        'a "quoted" one',
        "back\\slash",
        "\\u2660",
        "🂡",
        "é",
    ]
    for name in strange:
        text = quote(name)
        assert text.isascii()
        assert text.isprintable()
        assert "  " not in text
        assert text[1:-1].strip() == text[1:-1]
        assert Reader(text, "EFG").string("a name") == name


def test_a_table_as_a_tree_hides_what_the_others_do():
    form = extensive_form(read_efg(write_efg(NormalForm("2,1 0,0; 0,0 1,2"))))
    assert (form.nodes, len(form.sets)) == (7, 2)
    assert solve_extensive(form).method == "lemke"
    with pytest.raises(MethodError, match="save it as"):
        write_efg(NormalForm(np.zeros((2, 2000, 2000))))


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
