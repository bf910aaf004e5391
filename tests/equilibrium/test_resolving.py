"""Continual re-solving: public states, exact exploitability of the player as it plays, and what it remembers."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo as z
from zermelo.equilibrium.horizon import SolvedValues
from zermelo.equilibrium.public_tree import PublicTree
from zermelo.equilibrium.resolving import Resolver, Resolving, resolved
from zermelo.equilibrium.steps import show_way
from zermelo.equilibrium.subgame import Range
from zermelo.errors import MethodError, OptionError


@pytest.fixture(scope="module")
def leduc():
    return PublicTree(z.load("leduc"))


@pytest.fixture(scope="module")
def small():
    return PublicTree(z.load("leduc:ranks=2"))


def test_a_public_state_holds_all_deals_that_look_alike_to_somebody(leduc):
    lines = {}
    for state, nodes in enumerate(leduc.states):
        if leduc.decides(state, 0) or leduc.decides(state, 1):
            seen = {(s.public, s.line) for s in map(leduc.state, nodes.tolist())}
            assert len(seen) == 1
            assert lines.setdefault(seen.pop(), state) == state
            assert len(nodes) in (30, 20)  # two of six cards, or of the five that the public one leaves
    assert all(leduc.before[state] < state for state in range(len(leduc.states)))


def test_safe_re_solving_of_leduc_is_an_equilibrium_as_it_is_played(leduc):
    found = resolved(leduc, Resolving(iterations=1500))
    assert found.exploitability <= 0.002
    assert found.values[0] == pytest.approx(-0.0856, abs=0.002)


def test_unsafe_re_solving_is_not():
    tree = PublicTree(z.load("kuhn:players=2"))
    safe, unsafe = (resolved(tree, Resolving(iterations=2000, safe=safe)).exploitability for safe in (True, False))
    assert safe <= 1e-4
    assert unsafe > 0.05


@pytest.mark.parametrize("name", ["liars-dice:sides=3", "one-card:ranks=5,raises=2"])
def test_other_games_are_re_solved_as_well(name):
    assert resolved(z.load(name), Resolving(iterations=2000)).exploitability <= 0.005


def test_nobody_gets_more_than_promised_but_for_the_error_of_a_solution(small):
    for p in (0, 1):
        resolver = Resolver(small, p, Resolving(iterations=3000))
        for state in range(len(small.states)):
            if small.decides(state, p):
                step = resolver.at(state)
                if step.gadget:
                    assert (step.reached.numbers <= step.situation.promised.numbers + 1e-3).all()


def test_the_own_range_is_the_product_of_the_own_choices(small):
    resolver = Resolver(small, 0, Resolving(iterations=300))
    for state in range(len(small.states)):
        if not small.decides(state, 0):
            continue
        own = resolver.at(state).situation.range
        for hand, number in zip(own.hands.tolist(), own.numbers.tolist(), strict=True):
            node = int(small.states[state][np.flatnonzero(small.hands[0][small.states[state]] == hand)[0]])
            product = 1.0
            while node:
                before = int(small.parent[node])
                if small.movers[before] == 0:
                    shares = resolver.at(int(small.place[before])).strategy[int(small.form.arrays.infoset[before])]
                    product *= shares[node - small.form.arrays.first[before]]
                node = before
            assert number == pytest.approx(product, abs=1e-12)


def test_leaves_may_be_solved_on_or_judged_by_a_function(small):
    asked = []

    def even(tree, states, ranges):
        asked.extend(states)
        return [tuple(Range(own.hands, np.zeros(len(own.hands))) for own in both) for both in ranges]

    blind = resolved(small, Resolving(iterations=20, rounds=1, values=even))
    assert asked
    assert {int(small.before[state]) for state in asked} <= {s for s in range(len(small.states)) if small.deals(s)}
    seeing = resolved(small, Resolving(iterations=40, rounds=1, values=SolvedValues(30)))
    assert seeing.exploitability < 0.5 * blind.exploitability


def test_a_step_shows_hands_ranges_and_values(leduc):
    game, s, history = leduc.game, leduc.game.initial(), []
    for word in ("Q♠", "K♥", "bet", "raise"):
        history.append(s)
        s = game.result(s, game.read_action(s, word))
    steps = show_way(Resolver(leduc, 0, Resolving(iterations=300)), [*history, s])
    assert [step.name for step in steps] == ["the start", "the start", "bet raise"]
    assert {row.name for row in steps[-1].hands} == {f"{card} rr" for card in ("J♠", "J♥", "Q♠", "Q♥", "K♠", "K♥")}
    for row in steps[-1].hands:
        assert sum(row.actions.values()) == pytest.approx(1)
    for step in steps:
        assert sum(row.share for row in step.hands) == pytest.approx(1)


def test_what_cannot_be_re_solved_is_refused():
    with pytest.raises(MethodError, match="two players"):
        PublicTree(z.load("kuhn:players=3"))
    with pytest.raises(OptionError, match="iterations must be"):
        Resolving(iterations=0)


def test_the_player_re_solves_in_either_seat_and_by_its_seed():
    names = ("resolve:iterations=50,seed=1", "resolve:iterations=50,safe=no,seed=2")
    records = [z.play(z.load("kuhn:players=2"), [z.Player(name) for name in names], seed=3).moves for _ in range(2)]
    assert records[0] == records[1]
