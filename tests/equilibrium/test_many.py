"""Three and more players: supports, the logit branch; and learning, for any number."""

from __future__ import annotations

import numpy as np
import pytest

from tests.equilibrium.known import BATTLE, DILEMMA_YEARS, RED_BLUE, ROCK_PAPER_SCISSORS, SHAPLEY
from zermelo.equilibrium import (
    NormalForm,
    components,
    equilibria,
    equilibrium,
    fictitious_play,
    is_equilibrium,
    logit,
    regret_matching,
    regrets,
    replicator,
    support_enumeration,
    vertex_enumeration,
    zero_sum,
)
from zermelo.errors import MethodError, OptionError


def test_random_games_of_three_have_an_odd_number_of_equilibria_all_of_them_so():
    random = np.random.default_rng(0)
    for _ in range(8):
        game = NormalForm(list(random.random((3, 2, 2, 2))))
        found = support_enumeration(game)
        assert len(found) % 2 == 1
        assert all(is_equilibrium(game, one.strategies, 1e-8) for one in found)


def test_a_third_player_who_does_nothing_changes_nothing():
    first, second = (np.array(table, dtype=float)[:, :, None] for table in BATTLE)
    found = equilibria([first, second, np.zeros((2, 2, 1))])
    shares = sorted(one.strategies[0][0] for one in found)
    assert shares == pytest.approx([0, 2 / 3, 1])


def test_the_mixed_equilibrium_of_three_is_found():
    # Each wants to be the only one at A; the symmetric mixed equilibrium has probability √2 − 1 … of the others.
    tables = np.zeros((3, 2, 2, 2))
    for place in np.ndindex(2, 2, 2):
        for p in range(3):
            alone = sum(place) - place[p] == 2 if place[p] == 0 else True
            tables[(p, *place)] = (2 if place[p] == 0 else 1) * alone
    game = NormalForm(list(tables))
    shares = [one.strategies for one in support_enumeration(game)]
    inner = [own for own in shares if all(0 < own[p][0] < 1 for p in range(3))]
    assert any(own[0][0] == pytest.approx(1 - 0.5**0.5) for own in inner)


def idle_third(tables):
    """Two players' tables with a third player who looks on."""
    first, second = (np.array(table, dtype=float)[:, :, None] for table in tables)
    return NormalForm([first, second, np.zeros(first.shape)])


def test_where_nothing_matters_every_support_has_a_continuum_and_pure_equilibria_are_listed():
    found = support_enumeration(np.zeros((3, 2, 2, 2)))
    assert (len(found), len(found.continua), found.complete) == (8, 19, False)
    assert all(is_equilibrium(np.zeros((3, 2, 2, 2)), one.example.strategies, 1e-9) for one in found.continua)


def test_one_continuum_does_not_take_the_isolated_equilibria_away():
    # The third player's choice is all the same while the first plays B; battle of the sexes goes on beside that.
    base = [np.repeat(np.array(table, dtype=float)[:, :, None], 2, axis=2) for table in BATTLE]
    third = np.zeros((2, 2, 2))
    third[0, :, 0] = 1  # where the first plays the first action, the third is best off with its own
    game = NormalForm([*base, third])
    found = support_enumeration(game)
    assert not found.complete
    assert [each.supports for each in found.continua] == [((1,), (1,), (0, 1))]
    strategies = [one.strategies for one in found]
    assert ((1, 0), (1, 0), (1, 0)) in strategies
    assert any(own[0][0] == pytest.approx(2 / 3) and own[2] == (1, 0) for own in strategies)
    profiles = [*strategies, *(each.example.strategies for each in found.continua)]
    assert all(is_equilibrium(game, own, 1e-8) for own in profiles)
    assert 0 < found.continua[0].example.strategies[2][0] < 1


def test_degenerate_games_keep_what_is_isolated_and_own_up_to_the_rest():
    random = np.random.default_rng(77)
    for _ in range(12):
        tables = random.integers(0, 3, (2, *random.integers(2, 4, 2)))
        found = support_enumeration(idle_third(tables))
        assert all(is_equilibrium(idle_third(tables), one.strategies, 1e-8) for one in found)
        groups = components(vertex_enumeration(list(tables)))
        for group in groups:
            (subset, *others) = group
            if subset.is_point and not others:
                wanted = [np.array(side[0], dtype=float) for side in (subset.rows, subset.columns)]
                assert any(
                    all(np.allclose(own, mine, atol=1e-7) for own, mine in zip(one.strategies, wanted, strict=False))
                    for one in found
                )
        if any(not subset.is_point for group in groups for subset in group):
            assert not found.complete


def test_games_without_ties_are_listed_completely():
    random = np.random.default_rng(78)
    for _ in range(10):
        assert support_enumeration(NormalForm(list(random.random((3, 2, 3, 2))))).complete


def test_equilibria_say_whether_they_are_all():
    assert equilibria(list(BATTLE)).complete
    assert not equilibria(list(BATTLE), method="lemke-howson").complete
    assert equilibria(list(BATTLE)).continua == ()


def test_too_many_supports_are_refused():
    with pytest.raises(MethodError, match="too many"):
        support_enumeration(np.random.default_rng(0).random((3, 6, 6, 6)))


@pytest.mark.parametrize("shape", [(2, 2), (3, 4), (2, 2, 2), (3, 2, 3)])
def test_the_logit_branch_ends_at_an_equilibrium(shape):
    random = np.random.default_rng(len(shape))
    game = NormalForm([random.random(shape) for _ in shape])
    branch = logit(game)
    assert branch.regret <= 1e-8
    assert is_equilibrium(game, branch.equilibrium.strategies, 1e-7)
    assert branch.points[0][0] == 0
    assert all(len(own) == size for own, size in zip(branch.points[0][1], shape, strict=True))


def test_the_logit_branch_chooses_the_risk_dominant_equilibrium():
    stag = NormalForm("9,9 0,8; 8,0 7,7")
    assert logit(stag).equilibrium.strategies[0][1] == pytest.approx(1)


def test_equilibrium_follows_the_logit_branch_for_three():
    game = NormalForm(list(np.random.default_rng(3).random((3, 2, 2, 2))))
    assert equilibrium(game).method == "logit"


def test_fictitious_play_converges_in_zero_sum_games():
    course = fictitious_play(RED_BLUE, steps=3000)
    assert max(course.regrets) < 1
    assert course.strategies[0][0] == pytest.approx(4 / 7, abs=0.05)


def test_fictitious_play_never_settles_in_shapleys_game():
    assert max(fictitious_play(list(SHAPLEY), steps=3000).regrets) > 0.1


def test_regret_matching_converges_in_zero_sum_games():
    course = regret_matching(RED_BLUE, steps=2000)
    value = float(zero_sum(RED_BLUE).value)
    assert max(regrets(RED_BLUE, course.strategies, exact=False)) < 0.05
    assert value == pytest.approx(20 / 7)
    assert max(regret_matching(RED_BLUE, steps=2000, plus=False).regrets) < 2


def test_replicators_find_the_dominant_action_and_circle_in_rock_paper_scissors():
    course = replicator(NormalForm(list(DILEMMA_YEARS), costs=True), steps=2000, step=0.05)
    assert course.strategies[0][1] > 0.99
    round_and_round = replicator(ROCK_PAPER_SCISSORS, steps=500)
    product = [np.prod(own[0]) for own in round_and_round.path]
    assert len(round_and_round.path) > 50
    assert max(product) / min(product) < 2  # neither into the middle nor to the edge
    assert max(round_and_round.regrets) > 0.01


def test_dynamics_take_three_players():
    game = NormalForm(list(np.random.default_rng(5).random((3, 2, 3, 2))))
    for dynamic in (replicator, fictitious_play, regret_matching):
        course = dynamic(game, steps=50)
        assert [len(own) for own in course.strategies] == [2, 3, 2]
        assert all(sum(own) == pytest.approx(1) for own in course.strategies)


def test_bad_options_are_refused():
    for dynamic in (replicator, fictitious_play, regret_matching):
        with pytest.raises(OptionError, match="steps"):
            dynamic(RED_BLUE, steps=0)
    with pytest.raises(OptionError, match="step must"):
        replicator(RED_BLUE, step=0)
    with pytest.raises(OptionError, match="no action"):
        fictitious_play(RED_BLUE, start=(5, 0))
    with pytest.raises(OptionError, match="tolerance"):
        logit(RED_BLUE, tolerance=0)
