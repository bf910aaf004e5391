"""All equilibria of two players, and one by Lemke–Howson: known games, random games, degenerate games."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.equilibrium.known import BATTLE, CHICKEN, COUNTS, DILEMMA_YEARS, SHAPLEY, VALUES
from zermelo.equilibrium import (
    NormalForm,
    best_responses,
    components,
    equilibria,
    equilibrium,
    is_equilibrium,
    lemke_howson,
    lemke_howson_all,
    pure_equilibria,
    regrets,
    support_enumeration,
    vertex_enumeration,
)
from zermelo.errors import InputError, MethodError, OptionError, UnsolvedError


def random_game(random, sizes, most):
    rows, columns = (int(random.integers(*sizes)) for _ in range(2))
    return NormalForm([random.integers(0, most, (rows, columns)) for _ in range(2)])


@pytest.mark.parametrize("name", COUNTS)
def test_known_games_have_as_many_equilibria_as_is_known(name):
    tables, count = COUNTS[name]
    game = NormalForm(list(tables))
    found = vertex_enumeration(game)
    assert len({one.strategies for one in found}) == len(found) == count
    assert all(is_equilibrium(game, one.strategies) for one in found)
    assert len(vertex_enumeration(game, exact=False)) == count


def test_battle_of_the_sexes_exactly():
    found = [one.strategies for one in vertex_enumeration(list(BATTLE))]
    assert found == [
        ((1, 0), (1, 0)),
        ((Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))),
        ((0, 1), (0, 1)),
    ]


def test_shapleys_game_has_one_equilibrium_in_thirds():
    (one,) = vertex_enumeration(list(SHAPLEY))
    assert one.strategies == ((Fraction(1, 3),) * 3,) * 2


def test_the_prisoners_dilemma_has_one_equilibrium_that_both_regret_together():
    game = NormalForm(list(DILEMMA_YEARS), costs=True)
    (one,) = vertex_enumeration(game)
    assert one.strategies == ((0, 1), (0, 1))
    assert one.payoffs == (3, 3)


def test_vertices_and_supports_agree_on_random_and_degenerate_games():
    random = np.random.default_rng(3)
    for k in range(120):
        game = random_game(random, (1, 5), (2, 3, 100)[k % 3])
        by_vertices, by_supports = vertex_enumeration(game), support_enumeration(game)
        assert [one.strategies for one in by_vertices] == [one.strategies for one in by_supports]
        assert [one.payoffs for one in by_vertices] == [one.payoffs for one in by_supports]


def test_one_side_with_many_actions_is_listed_as_the_textbook_does():
    random = np.random.default_rng(8)
    for k in range(60):
        shape = [(1, 6), (2, 9), (3, 7), (2, 5), (6, 2), (4, 5)][k % 6]
        game = NormalForm([random.integers(0, (2, 3, 100)[k % 3], shape) for _ in range(2)])
        found = [one.strategies for one in vertex_enumeration(game)]
        assert found == [one.strategies for one in support_enumeration(game)]
        turned = NormalForm([table.T for table in reversed(game.payoffs)])
        assert {(y, x) for x, y in (one.strategies for one in vertex_enumeration(turned))} == set(found)


def test_three_actions_against_sixty_in_doubles_and_in_fractions():
    random = np.random.default_rng(12)
    for _ in range(5):
        game = NormalForm([random.integers(0, 100, (3, 60)) for _ in range(2)])
        found, rough = vertex_enumeration(game), vertex_enumeration(game, exact=False)
        assert found
        assert all(is_equilibrium(game, one.strategies) for one in found)
        assert [one.supports for one in found] == [one.supports for one in rough]


@pytest.mark.parametrize("most", [100, 3])
def test_every_equilibrium_of_games_of_size_3_to_8_is_one_and_none_comes_twice(most):
    random = np.random.default_rng(most)
    for _ in range(60):
        game = random_game(random, (3, 9), most)
        found = vertex_enumeration(game)
        assert found
        assert len({one.strategies for one in found}) == len(found)
        assert all(is_equilibrium(game, one.strategies) for one in found)
        pure = {
            tuple(own.index(1) for own in one.strategies)
            for one in found
            if max(map(max, one.strategies)) == 1 and all(max(own) == 1 for own in one.strategies)
        }
        assert pure == set(pure_equilibria(game))


def test_doubles_find_what_fractions_find():
    random = np.random.default_rng(5)
    for _ in range(40):
        game = random_game(random, (3, 9), 100)
        exact, rough = vertex_enumeration(game), vertex_enumeration(game, exact=False)
        assert len(exact) == len(rough)
        for one, other in zip(exact, rough, strict=True):
            for mine, theirs in zip(one.strategies, other.strategies, strict=True):
                assert np.allclose(np.array(mine, dtype=float), theirs, atol=1e-9)


def test_a_game_without_ties_has_an_odd_number_of_equilibria():
    random = np.random.default_rng(6)
    for _ in range(40):
        shape = tuple(random.integers(1, 8, 2))
        game = NormalForm([random.permutation(np.prod(shape)).reshape(shape) ** 3 for _ in range(2)])
        assert len(vertex_enumeration(game)) % 2 == 1


def test_long_numbers_are_no_matter():
    random = np.random.default_rng(9)
    tables = [
        [
            [Fraction(int(a), int(b)) for a, b in zip(row, down, strict=True)]
            for row, down in zip(random.integers(1, 10**15, (4, 4)), random.integers(1, 10**15, (4, 4)), strict=True)
        ]
        for _ in range(2)
    ]
    game = NormalForm(tables)
    found = vertex_enumeration(game)
    assert [one.strategies for one in found] == [one.strategies for one in support_enumeration(game)]
    assert all(is_equilibrium(game, one.strategies) for one in found)


def test_powers_of_two_are_no_matter_to_exact_division():
    tables = [
        [[2**40, 0, 2**20], [0, 2**40, 0], [2**30, 2**10, 2**41]],
        [[0, 2**40, 0], [2**40, 0, 2**20], [0, 2**33, 1]],
    ]
    game = NormalForm(tables)
    assert [one.strategies for one in vertex_enumeration(game)] == [one.strategies for one in support_enumeration(game)]


def test_lemke_howson_from_every_label_ends_at_an_equilibrium():
    random = np.random.default_rng(4)
    for k in range(60):
        game = random_game(random, (1, 7), (2, 4, 100)[k % 3])
        everywhere = {one.strategies for one in vertex_enumeration(game)}
        for one in lemke_howson_all(game):
            assert one.strategies in everywhere
        for label in range(sum(game.shape)):
            rough = lemke_howson(game, label)
            assert is_equilibrium(game, rough.strategies, 1e-7)


def test_lemke_howson_reaches_every_equilibrium_of_chicken_that_it_can():
    found = {one.strategies for one in lemke_howson_all(list(CHICKEN))}
    assert found == {((1, 0), (0, 1)), ((0, 1), (1, 0))}


def test_lemke_howson_of_a_large_game():
    random = np.random.default_rng(2)
    game = NormalForm([random.random((60, 50)), random.random((60, 50))])
    one = lemke_howson(game)
    assert max(regrets(game, one.strategies, exact=False)) < 1e-9


def test_components_of_a_game_in_which_everything_is_an_equilibrium():
    game = NormalForm([[[1, 1], [1, 1]], [[2, 2], [2, 2]]])
    ((subset,),) = components(vertex_enumeration(game))
    assert (len(subset.rows), len(subset.columns)) == (2, 2)


def test_components_are_connected_and_every_mixture_in_a_subset_is_an_equilibrium():
    # The column player is indifferent when the row player plays the first action: a segment, and a point apart.
    game = NormalForm([[[3, 3], [2, 5], [0, 6]], [[3, 3], [2, 6], [3, 1]]])
    found = vertex_enumeration(game)
    groups = components(found)
    assert sorted(len(group) for group in groups) == [1, 1]
    (segment,) = [s for group in groups for s in group if not s.is_point]
    middle = [tuple(sum(c) / len(side) for c in zip(*side, strict=True)) for side in (segment.rows, segment.columns)]
    assert is_equilibrium(game, middle)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_every_mixture_within_a_maximal_nash_subset_is_an_equilibrium(seed):
    game = random_game(np.random.default_rng(seed), (1, 5), 2)
    for group in components(vertex_enumeration(game)):
        for subset in group:
            sides = [
                tuple(sum(c) / len(side) for c in zip(*side, strict=True)) for side in (subset.rows, subset.columns)
            ]
            assert is_equilibrium(game, sides)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_equilibria_do_not_depend_on_the_order_of_actions(seed):
    random = np.random.default_rng(seed)
    game = random_game(random, (1, 5), 3)
    order = [random.permutation(size) for size in game.shape]
    moved = NormalForm([table[np.ix_(*order)] for table in game.payoffs])
    back = [np.argsort(own) for own in order]
    found = {one.strategies for one in vertex_enumeration(game)}
    assert found == {
        tuple(tuple(own[i] for i in back[p]) for p, own in enumerate(one.strategies))
        for one in vertex_enumeration(moved)
    }


@pytest.mark.parametrize("name", VALUES)
def test_equilibrium_chooses_the_linear_program_for_zero_sum_games(name):
    matrix, value = VALUES[name]
    assert equilibrium(matrix, exact=True).value == value


def test_equilibrium_takes_text_and_costs():
    one = equilibrium("1,1 4,0; 0,4 3,3", exact=True, costs=True)
    assert one.strategies == ((0, 1), (0, 1))


def test_best_responses_and_regret():
    profile = ((1, 0), (1, 0))
    assert best_responses(list(CHICKEN), profile, 0) == (1,)
    assert regrets(list(CHICKEN), profile) == (2, 2)
    assert not is_equilibrium(list(CHICKEN), profile)
    assert is_equilibrium(list(CHICKEN), profile, tolerance=2)


def test_bad_profiles_are_refused():
    with pytest.raises(InputError, match="sum to 1"):
        is_equilibrium(list(CHICKEN), ((0.5, 0.4), (1, 0)))
    with pytest.raises(InputError, match="sum to 1"):
        is_equilibrium(list(CHICKEN), ((-1, 2), (1, 0)))
    with pytest.raises(InputError, match="2 actions"):
        regrets(list(CHICKEN), ((1,), (1, 0)))
    with pytest.raises(InputError, match="2 players"):
        regrets(list(CHICKEN), ((1, 0),))
    with pytest.raises(InputError, match="not a finite number"):
        regrets(list(CHICKEN), ((float("nan"), 1), (1, 0)))


def test_what_a_method_cannot_do_it_refuses_by_name():
    three = np.zeros((3, 2, 2, 2))
    with pytest.raises(MethodError, match="vertex enumeration is for two players"):
        equilibria(three, method="vertices")
    with pytest.raises(MethodError, match="Lemke–Howson is for two players"):
        equilibrium(three, method="lemke-howson")
    with pytest.raises(MethodError, match="finds all equilibria"):
        equilibrium(list(CHICKEN), method="vertices")
    with pytest.raises(MethodError, match="finds one equilibrium"):
        equilibria(list(CHICKEN), method="logit")
    with pytest.raises(MethodError, match="no method is called"):
        equilibrium(list(CHICKEN), method="magic")
    with pytest.raises(MethodError, match="floating point"):
        equilibrium(list(CHICKEN), exact=True, method="logit")
    with pytest.raises(OptionError, match="labels of this game"):
        lemke_howson(list(CHICKEN), label=4)
    with pytest.raises(MethodError, match="too many supports"):
        support_enumeration(np.zeros((2, 20, 20)))
    with pytest.raises(UnsolvedError, match="limit"):
        vertex_enumeration(list(COUNTS["von Stengel's 6 × 6"][0]), limit=5)
    with pytest.raises(MethodError, match="bits"):
        vertex_enumeration([[[Fraction(1, 10**2000), 1], [1, 2]], [[1, 0], [0, 1]]])
    with pytest.raises(MethodError, match="found exactly"):
        components(vertex_enumeration(list(CHICKEN), exact=False))
