from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import ActionError, InputError, PositionError
from zermelo.games._bridge.solver import solve_position
from zermelo.games.bridge import lin, pbn
from zermelo.games.bridge.players import BridgePlayer

FINESSE = "N:AQ2... .A32.. 543... K76..."  # a finesse against the king, which is in front of the ace and the queen
SEEDS = st.integers(0, 2**32 - 1)


def after(game, *texts: str):
    s = game.initial()
    for text in texts:
        s = game.result(s, game.read_action(s, text))
    return s


def random_end(game, chance):
    """The states of a game by chance, and its actions."""
    s, actions, states = game.initial(), [], []
    while not game.is_terminal(s):
        states.append(s)
        actions.append(chance.choice(list(game.actions(s))))
        s = game.result(s, actions[-1])
    return [*states, s], actions


def test_a_claim_that_nothing_prevents_stands_at_once():
    game = z.load(f"bridge:deal={FINESSE},contract=2NT-S,claims=yes")
    s = after(game, "S6", "S2", "H2", "S5", "claim 0")
    assert game.is_terminal(s)
    s = after(game, "S6", "SQ", "H2", "S3", "claim 1")
    assert game.is_terminal(s)
    assert game.taken(s) == (2, 1)
    assert "nothing prevents" in game.show(s)
    assert game.utilities(s) == tuple(game.points(game.contract, 2) * sign for sign in (1, -1, 1, -1))


def test_a_claim_that_can_be_prevented_is_put_to_the_defenders_and_stands_if_both_agree():
    game = z.load(f"bridge:deal={FINESSE},contract=2NT-S,claims=yes")
    s = after(game, "S6", "SQ", "H2", "S3", "claim 2")
    assert not game.is_terminal(s)
    assert game.player(s) == 3
    assert [game.show_action(s, a) for a in game.actions(s)] == ["agree", "refuse"]
    once = game.result(s, game.read_action(s, "agree"))
    assert game.player(once) == 1
    agreed = game.result(once, game.read_action(once, "agree"))
    assert game.is_terminal(agreed)
    assert game.taken(agreed) == (3, 0)
    refused = game.result(once, game.read_action(once, "refuse"))
    assert game.player(refused) == 2
    assert game.turn(refused) == 0


def test_after_a_refusal_the_play_goes_on_and_the_side_claims_again_in_the_next_trick_only():
    game = z.load(f"bridge:deal={FINESSE},contract=2NT-S,claims=yes")
    refused = after(game, "S6", "SQ", "H2", "S3", "claim 2", "refuse")
    with pytest.raises(ActionError, match="a side claims once in a trick"):
        game.read_action(refused, "claim 1")
    s = refused
    for card in ("SA", "H3", "S4", "S7"):
        s = game.result(s, game.read_action(s, card))
    assert game.read_action(s, "claim 1") in list(game.actions(s))


def test_who_claims_lays_the_cards_on_the_table():
    game = z.load(f"bridge:deal={FINESSE},contract=2NT-S,claims=yes")
    before, s = after(game, "S6", "SQ", "H2", "S3"), after(game, "S6", "SQ", "H2", "S3", "claim 2")
    assert game.seen_hands(game.view(before, 3), 3)[2] is None
    assert game.seen_hands(game.view(s, 3), 3)[2] == s.hands[2]
    assert BridgePlayer(1).choose(game, s) == game.read_action(s, "refuse")


@pytest.mark.parametrize(
    ("texts", "text", "says"),
    [
        ((), "claim 1", "not before the dummy is seen"),
        (("S6",), "claim 4", "there are 3 tricks left to claim, not 4"),
        (("S6",), "agree", "there is no claim to answer"),
        (("S6", "SQ", "H2", "S3", "claim 2"), "SA", "does not answer the claim: agree or refuse"),
        (("S6",), "claim x", "not a legal action"),
    ],
)
def test_a_claim_out_of_place_is_refused_in_one_line(texts, text, says):
    game = z.load(f"bridge:deal={FINESSE},contract=2NT-S,claims=yes")
    with pytest.raises(ActionError, match=says) as caught:
        game.read_action(after(game, *texts), text)
    assert "\n" not in str(caught.value)


def test_without_the_option_nobody_claims():
    game = z.load(f"bridge:deal={FINESSE},contract=2NT-S")
    with pytest.raises(ActionError):
        game.read_action(after(game, "S6"), "claim 1")
    with pytest.raises(PositionError, match="claims=yes"):
        game.read(f"{FINESSE} . S6=1")


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_claims_hold_what_the_solver_says(seed):
    game, chance = z.load("bridge:ranks=4,claims=yes,contract=2H-E"), random.Random(seed)
    states, actions = random_end(game, chance)
    for s, a, after_it in zip(states, actions, states[1:], strict=False):
        if len(after_it.claims) == len(s.claims):
            continue
        claim, play = after_it.claims[-1], game.play(s)
        found = solve_position(s.hands, game.contract.trumps, play.leader, play.trick).tricks.values()
        best = max(found) if play.turn % 2 == 0 else game.left(s) - min(found)
        assert claim.sure == (claim.tricks <= best), a
    end = states[-1]
    assert sum(game.taken(end)) == game.tricks
    assert sum(game.utilities(end)) == 0


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_positions_with_claims_are_read_as_they_are_written_and_sampled_ones_look_alike(seed):
    game, chance = z.load("bridge:ranks=4,claims=yes"), random.Random(seed)
    for s in random_end(game, chance)[0]:
        assert game.read(game.write(s)) == s
        if not game.is_terminal(s) and game.player(s) != z.CHANCE:
            view = game.view(s, game.player(s))
            drawn = game.sample(view, game.player(s), chance)
            assert game.view(drawn, game.player(s)) == view
            assert list(game.actions(drawn)) == list(game.actions(s))


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS)
def test_what_is_offered_is_legal_and_nothing_else(seed):
    game, chance = z.load(f"bridge:deal={FINESSE},claims=yes"), random.Random(seed)
    for s in random_end(game, chance)[0]:
        assert set(game.actions(s)) == {a for a in [*game.deck, *range(64, 120)] if game.fault(s, a) is None}


def test_files_keep_what_was_claimed():
    game = z.load("bridge:claims=yes,dealer=S")
    chance, player = random.Random(4), BridgePlayer(1)
    s, actions = game.initial(), []
    while len(s.cards) < 21:
        a = chance.choice(list(game.actions(s))) if game.player(s) == z.CHANCE else player.choose(game, s)
        actions.append(a)
        s = game.result(s, a)
    for tricks, answers in ((0, ()), (game.left(s), ("agree",) * 2)):
        claim = game.read_action(s, f"claim {tricks}")
        end, line = game.result(s, claim), [*actions, claim]
        for answer in answers if not game.is_terminal(end) else ():
            if not game.is_terminal(end):
                line.append(game.read_action(end, answer))
                end = game.result(end, line[-1])
        text = game.write_record(game.initial(), line, "abcd", game.utilities(end))
        assert game.read_record(text) == (game.initial(), line)
        boards = pbn.read_played(text)
        assert boards[0].tricks == game.taken(end)[game.contract_of(end).declarer % 2]
        assert lin.read_played(lin.write_played(boards))[0].tricks == boards[0].tricks
        with pytest.raises(InputError, match="the declarer is said to get"):
            pbn.read_played(text.replace(f'[Result "{boards[0].tricks}"]', '[Result "13"]').replace('"0"', '"13"'))
