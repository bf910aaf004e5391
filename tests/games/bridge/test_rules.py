from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import ActionError, InputError, OptionError, PositionError
from zermelo.games._bridge.cards import Board, random_deal
from zermelo.games.bridge.auction import Contract, hear, hear_checked, read_call, read_contract

DEAL = "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"
SEEDS = st.integers(0, 2**32 - 1)


def auction(text: str, dealer: int = 0):
    return hear_checked([read_call(word) for word in text.split()], dealer)


def after(game, *texts: str):
    s = game.initial()
    for text in texts:
        s = game.result(s, game.read_action(s, text))
    return s


def test_who_first_named_the_strain_for_the_side_declares():
    assert auction("1H P 2H P 4H P P P").contract == Contract(4, "H", 0, 0)
    assert auction("1C P 1NT P 3NT P P P").contract == Contract(3, "NT", 0, 2)
    assert auction("1NT X XX P P P", 2).contract == Contract(1, "NT", 2, 2)
    assert auction("1H X 1S X P P P", 1).contract == Contract(1, "S", 1, 3)


def test_four_passes_end_it_and_three_after_a_bid():
    assert not auction("P P P").is_over
    assert auction("P P P P").is_over
    assert auction("P P P P").contract is None
    assert not auction("1C P P").is_over
    assert not auction("1C P P X P P").is_over
    assert auction("1C P P X P P P").is_over


@pytest.mark.parametrize(
    ("calls", "says"),
    [
        ("1H 1C", "east bids 1C, which is not above 1H"),
        ("X", "north doubles, and there is no undoubled bid of the other side"),
        ("1H P X", "south doubles"),
        ("1H X X", "south doubles"),
        ("1H XX", "east redoubles, and the other side has not doubled"),
        ("1H X P XX", "west redoubles"),
        ("P P P P 1C", "after the end"),
        ("8H", "not a call"),
    ],
)
def test_illegal_calls_are_refused_in_one_line(calls, says):
    with pytest.raises(InputError, match=says):
        auction(calls)


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_what_is_offered_is_legal_and_nothing_else(seed):
    game, chance = z.load(f"bridge:deal={DEAL}"), random.Random(seed)
    everything = [*game.deck, *range(64, 102)]
    s = game.initial()
    while not game.is_terminal(s):
        legal = set(game.actions(s))
        assert legal == {a for a in everything if game.fault(s, a) is None}
        s = game.result(s, chance.choice(sorted(legal)))


def test_the_declarer_plays_the_dummy_which_others_see_after_the_lead():
    game = z.load(f"bridge:deal={DEAL}")
    s = after(game, "1NT", "P", "3NT", "P", "P", "P")
    assert game.player(s) == 1
    assert [game.view(s, p).dummy for p in range(4)] == [0, 0, 0, 0]
    s = after(game, "1NT", "P", "3NT", "P", "P", "P", "SQ")
    assert game.player(s) == 0
    assert game.turn(s) == 2
    assert all(game.view(s, p).dummy == s.hands[2] for p in range(4))
    assert "T87" in game.show_view(game.view(s, 3), 3)
    assert game.seen_hands(game.view(after(game, "1NT"), 1), 1)[0] is None


def test_a_revoke_is_refused():
    game = z.load(f"bridge:deal={DEAL},contract=3NT-N")
    s = after(game, "SQ")
    with pytest.raises(ActionError, match=r"south plays HJ and still has spades.*revoke"):
        game.read_action(s, "HJ")
    with pytest.raises(ActionError, match="does not hold it"):
        game.read_action(s, "SA")


def test_no_result_is_worse_than_the_bounds():
    game = z.load("bridge:contract=7NTXX-N,vulnerable=both")
    assert game.points(game.contract, 0) == game.bounds[0]
    assert z.load("bridge:contract=1NTXX-N,vulnerable=both").points(read_contract("1NTXX-N"), 13) == 3160


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_partners_win_the_same_and_all_together_nothing(seed):
    game, chance = z.load("bridge:ranks=3,vulnerable=both"), random.Random(seed)
    s = game.initial()
    while not game.is_terminal(s):
        s = game.result(s, chance.choice(list(game.actions(s))))
    assert [game.team(p) for p in range(4)] == [0, 1, 0, 1]
    assert game.utility(s, 0) == game.utility(s, 2) == -game.utility(s, 1) == -game.utility(s, 3)


@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_sampled_deals_look_as_what_was_seen(seed):
    game, chance = z.load("bridge:ranks=6"), random.Random(seed)
    s = game.initial()
    while not game.is_terminal(s):
        p = game.player(s)
        if p != z.CHANCE and chance.random() < 0.3:
            view = game.view(s, p)
            drawn = game.sample(view, p, chance)
            assert game.view(drawn, p) == view
            assert list(game.actions(drawn)) == list(game.actions(s))
        s = game.result(s, chance.choice(list(game.actions(s))))


def test_cards_are_as_likely_as_places_are_left():
    game, places = z.load("bridge:ranks=1"), []
    s = game.initial()
    for hand in (0, 2):
        places.append(dict(game.chances(s)))
        s = game.result(s, hand)
    assert places == [dict.fromkeys(range(4), 0.25), dict.fromkeys((1, 2, 3), 1 / 3)]


def test_small_decks_have_contracts_up_to_all_their_tricks():
    game = z.load("bridge:ranks=4,contract=4S-N")
    assert game.points(game.contract, 4) == 420
    assert game.points(game.contract, 3) == -50
    with pytest.raises(InputError, match="highest level is 4"):
        z.load("bridge:ranks=4,contract=5S-N")


def test_a_position_says_what_is_wrong_with_it():
    game = z.load(f"bridge:deal={DEAL}")
    s = after(game, "1NT", "P", "P", "P", "SQ", "S8")
    text = game.write(s)
    assert game.read(text) == s
    for old, new, says in (
        ("SQS8", "SQHJ", "card 2: south plays HJ and still has spades"),
        ("SQS8", "SQSQ", "does not hold it"),
        ("1NT-P-P-P", "1NT-P-P-XX", "call 4: west redoubles"),
        ("AK4.", "AK4Q.", "both have the card SQ"),
        ("AK4.", "AK.", "the cards are dealt in order"),
    ):
        with pytest.raises(PositionError, match=says):
            game.read(text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["4SX-N", "4sx N", "4SXN"])
def test_a_contract_is_read_as_people_write_it(text):
    assert read_contract(text) == Contract(4, "S", 1, 0)


def test_options_that_are_no_contract_or_deal_are_refused():
    for options, error in (("contract=8NT-S", InputError), ("deal=N:A", OptionError), ("dealer=X", OptionError)):
        with pytest.raises(error):
            z.load(f"bridge:{options}")


def test_a_deal_of_a_file_brings_dealer_and_vulnerability(tmp_path):
    from zermelo.games._bridge.pbn import write_pbn

    path = tmp_path / "deals.pbn"
    path.write_text(write_pbn([Board(random_deal(13, 1), 2, "EW", "1")]), encoding="utf-8")
    game = z.load(f"bridge:deal={path}")
    assert (game.dealer, game.vulnerable) == (2, "EW")
    assert hear((), game.dealer).turn == game.player(game.initial()) == 2
