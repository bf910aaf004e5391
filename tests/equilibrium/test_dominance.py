"""Dominated actions, by pure and by mixed strategies, strictly and weakly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.equilibrium.known import DILEMMA_YEARS
from zermelo.equilibrium import NormalForm, dominance, dominated, eliminate, vertex_enumeration


def test_confessing_dominates():
    game = NormalForm(list(DILEMMA_YEARS), costs=True, actions=(("cooperate", "confess"),) * 2)
    struck = eliminate(game)
    assert [(step.player, step.action, step.by_text, step.stage) for step in struck.steps] == [
        (0, "cooperate", "confess", 1),
        (1, "cooperate", "confess", 1),
    ]
    assert struck.game.shape == (1, 1)


def test_a_mixture_dominates_where_no_action_does():
    game = NormalForm([[[3, 0], [0, 3], [1, 1]], np.zeros((3, 2))])
    assert dominated(game, 0, mixed=False) == []
    (one,) = dominated(game, 0)
    assert one.action == "3"
    assert one.by == (("1", Fraction(1, 2)), ("2", Fraction(1, 2)))


def test_weak_dominance_by_a_mixture_that_ties_everywhere_but_once():
    game = NormalForm([[[2, 0, 1], [0, 2, 1], [1, 1, 0]], np.zeros((3, 3))])
    assert dominated(game, 0, strict=True) == []
    assert [one.action for one in dominated(game, 0, strict=False)] == ["3"]
    assert dominated(game, 0, strict=False, mixed=False) == []


def test_equal_actions_do_not_dominate_each_other():
    game = NormalForm([[[1, 2], [1, 2]], [[0, 0], [0, 0]]])
    assert eliminate(game, strict=False).steps == ()


def test_a_best_reply_is_dominated_by_nothing_and_nothing_is_computed(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.dominance.maximise", None)
    game = NormalForm([np.eye(30), np.eye(30)])
    for strict in (True, False):
        assert eliminate(game, strict=strict).steps == ()


@pytest.mark.parametrize("strict", [True, False])
def test_beliefs_save_linear_programs_and_change_no_answer(monkeypatch, strict):
    """Random games of all kinds, some of them with actions that only mixtures dominate, against programs alone."""
    rng = np.random.default_rng(5)
    for size in range(3, 15):
        slope = np.linspace(0, rng.random(), size)
        tables = [rng.random((size, size)) + slope[:, None], rng.integers(0, 4, (size, size)) * 1.0]
        beliefs = [eliminate(tables, strict, exact=False), dominated(tables, 1, strict, exact=False)]
        with monkeypatch.context() as patched:
            patched.setattr(dominance, "_best_replies", lambda table: set())
            alone = [eliminate(tables, strict, exact=False), dominated(tables, 1, strict, exact=False)]
        assert beliefs[0].steps == alone[0].steps
        assert beliefs[1] == alone[1]
        exact = eliminate(tables, strict, exact=True)
        assert [step.action for step in exact.steps] == [step.action for step in beliefs[0].steps]


def test_a_large_game_without_dominated_actions_needs_no_linear_program(monkeypatch):
    rng = np.random.default_rng(1)
    programs = count_calls(monkeypatch, dominance, "maximise")
    assert eliminate((rng.random((100, 100)), rng.random((100, 100)))).steps == ()
    assert len(programs) < 5


def count_calls(monkeypatch, module, name):
    """A list that grows by every call of a function from now on."""
    calls, real = [], getattr(module, name)
    monkeypatch.setattr(module, name, lambda *args, **options: (calls.append(args), real(*args, **options))[1])
    return calls


def test_rounds_follow_each_other():
    # The column player's B goes first; only then does the row player's 2 lose its use.
    game = NormalForm("1,1 0,0; 0,2 2,1")
    assert [(step.stage, step.player, step.action) for step in eliminate(game).steps] == [(1, 1, "B"), (2, 0, "2")]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_strict_elimination_loses_no_equilibrium(seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 5, 2))
    game = NormalForm([random.integers(0, 5, shape), random.integers(0, 5, shape)])
    left = eliminate(game).game
    places = [[own.index(name) for name in kept] for own, kept in zip(game.actions, left.actions, strict=True)]

    def spread(profile):
        whole = [[Fraction(0)] * size for size in game.shape]
        for own, kept, shares in zip(whole, places, profile, strict=True):
            for i, share in zip(kept, shares, strict=True):
                own[i] = share
        return tuple(map(tuple, whole))

    assert {spread(one.strategies) for one in vertex_enumeration(left)} == {
        one.strategies for one in vertex_enumeration(game)
    }
