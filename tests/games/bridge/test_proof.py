from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.engine.searcher import Searcher
from zermelo.errors import MethodError
from zermelo.games._bridge.cards import random_deal
from zermelo.games._bridge.solver import Budget, StrainTables, solve_worlds
from zermelo.games.bridge.judging import card_verdicts

FINESSE = "bridge:deal=N:AQ2... .A32.. 543... K76...,contract=2NT-S"
DEAL = "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"


def after(game, *texts: str):
    s = game.initial()
    for text in texts:
        s = game.result(s, game.read_action(s, text))
    return s


def best_by_hand(game, s) -> float:
    """What the side to move gets, by minimax over the rules."""
    values = [value_by_hand(game, game.result(s, a), game.player(s)) for a in game.actions(s)]
    return max(values)


def value_by_hand(game, s, p: int) -> float:
    if game.is_terminal(s):
        return game.utility(s, p)
    best = best_by_hand(game, s)
    return best if game.player(s) % 2 == p % 2 else -best


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), claims=st.booleans())
def test_every_card_and_claim_is_worth_what_minimax_says(seed, claims):
    chance = random.Random(seed)
    game = z.load(f"bridge:ranks=3,contract=1S-E,claims={'yes' if claims else 'no'}")
    s = game.initial()
    while game.player(s) == z.CHANCE or (len(s.cards) < 5 and not game.is_terminal(s)):
        s = game.result(s, chance.choice([a for a in game.actions(s) if a < 64]))
    proof = game.prove(s)
    assert set(proof.values) == set(game.actions(s))
    for a, value in proof.values.items():
        assert value == value_by_hand(game, game.result(s, a), game.player(s))


def test_a_search_with_open_cards_asks_the_solver_and_imagined_worlds_do_too():
    game = z.load(FINESSE)
    s = after(game, "S6")
    found = Searcher(z.revealed(game)).search(s)
    assert found.exact
    assert found.method == "solver"
    imagined, one_move = z.pimc(game, s, worlds=20), z.alphamu(game, s, worlds=20, moves=1)
    assert imagined.actions == pytest.approx(one_move.actions)
    assert set(imagined.actions) == set(game.actions(s))


def test_worth_is_said_in_tricks_of_the_declarer():
    game = z.load(f"bridge:deal={DEAL},contract=1NT-S")
    led, followed = {"DA": None, "D2": "7 tricks, made"}, {"D8": "7 tricks, made", "DJ": "6 tricks, 1 down"}
    for lead, says in (((), led), (("D2",), followed)):
        s = after(game, *lead)
        worths = {game.show_action(s, a): game.say_worth(s, value) for a, value in game.prove(s).values.items()}
        assert {card: worths.get(card) for card in says} == says
    assert game.say_worth(s, 120.0) == "8 tricks, made with 1 over"
    assert game.say_worth(s, 17.0) == "+17"


def test_nobody_proves_an_auction():
    game = z.load(f"bridge:deal={DEAL}")
    with pytest.raises(MethodError, match="nobody is to play a card here"):
        game.prove(game.initial())


def test_a_budget_of_nodes_leaves_out_the_last_deals_and_changes_no_answer():
    deals = [random_deal(9, seed) for seed in range(12)]
    whole = solve_worlds(deals, StrainTables(), 4, 0, [], (0, 9))
    budget = Budget(20_000)
    some = solve_worlds(deals, StrainTables(), 4, 0, [], (0, 9), budget=budget)
    assert 0 < len(some) < len(deals)
    assert some == whole[: len(some)]
    assert budget.nodes == 0
    assert solve_worlds(deals, StrainTables(), 4, 0, [], (0, 9), budget=budget) == []


def test_a_card_is_chosen_by_the_deals_that_were_solved():
    game = z.load("bridge:ranks=10,contract=2NT-S")
    chance = random.Random(2)
    s = game.initial()
    while game.player(s) == z.CHANCE:
        s = game.result(s, chance.choice(list(game.actions(s))))
    s = game.result(s, next(iter(game.actions(s))))
    view = game.view(s, 2)
    worlds = [game.sample(view, 2, chance).hands for _ in range(10)]
    assert card_verdicts(game, view, worlds, StrainTables(), nodes=0) == {}
    few = card_verdicts(game, view, worlds, StrainTables(), nodes=3_000)
    assert set(few) <= set(game.actions(s))
