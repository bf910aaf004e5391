from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.games._bridge.cards import random_deal, read_hand
from zermelo.games.bridge.auction import call_name, hear, legal_calls, read_call
from zermelo.games.bridge.meaning import features
from zermelo.games.bridge.system import allowed, choices, explain, likelihood, meanings, situation


def calls_of(text: str):
    return tuple(read_call(word) for word in text.split())


def call(hand: str, heard: str = "") -> str:
    """What the system calls with a hand after the calls that were heard; north deals."""
    return call_name(allowed(calls_of(heard), 0, read_hand(hand))[0])


@pytest.mark.parametrize(
    ("hand", "heard", "expected"),
    [
        # Openings.
        ("AK4.QT9.KJ87.K32", "", "1NT"),
        ("AQJ54.K3.K87.432", "", "1S"),
        ("AQJ54.KQ543.7.43", "", "1S"),
        ("A4.KQ543.7.K8743", "", "1H"),
        ("AQ54.KQ3.987.Q43", "", "1C"),
        ("AQ4.K3.AQT987.43", "", "1D"),
        ("AKQ4.AQ3.AK7.A43", "", "2C"),
        ("AKJ4.AQ3.K76.A43", "", "2NT"),
        ("4.KQJ954.987.432", "", "2H"),
        ("4.93.KQJ9876.432", "", "3D"),
        ("QJ54.K32.Q87.432", "", "P"),
        # One no trump: Stayman, transfers, and what comes of them.
        ("KQ54.A532.Q87.43", "1NT P", "2C"),
        ("AQ4.KQ32.AJ87.43", "1NT P 2C P", "2H"),
        ("AQ4.K32.AJ87.Q43", "1NT P 2C P", "2D"),
        ("KQ54.A532.Q87.43", "1NT P 2C P 2S P", "4S"),
        ("KQ5.A5432.87.432", "1NT P", "2D"),
        ("AQ4.K2.AJ87.Q432", "1NT P 2D P", "2H"),
        ("KQ5.A5432.Q7.432", "1NT P 2D P 2H P", "3NT"),
        ("K95.AQ5432.7.432", "1NT P 2D P 2H P", "4H"),
        ("965.J5432.87.432", "1NT P 2D P 2H P", "P"),
        ("AQ4.K32.AJ8.Q432", "1NT P 2D P 2H P 3NT P", "4H"),
        ("K54.A53.Q876.K43", "1NT P", "3NT"),
        ("K54.A53.Q876.432", "1NT P", "2NT"),
        ("954.A53.8762.432", "1NT P", "P"),
        ("AQ4.AQ3.KJ87.K43", "1NT P", "6NT"),
        # Responses.
        ("K54.A53.8762.432", "1S P", "2S"),
        ("K54.AQ53.Q762.43", "1S P", "3S"),
        ("KQ54.AQ53.8762.A", "1S P", "4S"),
        ("54.AQ53.8762.K43", "1S P", "1NT"),
        ("54.AKJ53.K876.43", "1S P", "2H"),
        ("K954.53.Q8762.43", "1H P", "1S"),
        ("54.53.8762.K9432", "1H P", "P"),
        # Rebids.
        ("AQJ4.K3.QJ873.42", "1D P 1S P", "2S"),
        ("A4.K3.KQJ873.K42", "1D P 1S P", "3D"),
        ("A4.QJ32.KQ87.Q42", "1D P 1S P", "1NT"),
        ("4.A32.KQ873.KQ42", "1D P 1S P", "2C"),
        ("A4.AQ32.KQ873.K4", "1D P 1S P", "2H"),
        ("AQJ654.K3.K87.43", "1S P 1NT P", "2S"),
        # The opponents have opened.
        ("KQ54.A532.K876.4", "1C", "X"),
        ("KQJ54.A53.876.43", "1D", "1S"),
        ("KQ5.AJ5.KQ76.Q43", "1D", "1NT"),
        ("KQJ543.53.876.43", "1D", "2S"),
        ("KQ54.A53.876.432", "1D X P", "2S"),
        ("9754.A53.876.432", "1D X P", "1S"),
        ("KJ54.AK53.K76.43", "1D X P", "4S"),
        # Competing.
        ("95.KQ32.Q765.K43", "1C 1S", "X"),
        ("K54.A532.Q876.43", "1D 1S P P 2D", "P"),
    ],
)
def test_the_system_calls_as_the_books_do(hand, heard, expected):
    assert features(read_hand(hand)).lengths == tuple(map(len, hand.split(".")))
    assert call(hand, heard) == expected


def test_calls_are_explained_in_words():
    calls = calls_of("1NT P 2D P 2H P 3NT")
    assert explain(calls, 0)[0] == "N 1NT  15–17 HCP, balanced"
    assert "transfer to hearts: at most 4 spades, 5+ hearts" in explain(calls, 0)[2]
    assert explain(calls_of("1NT P 5C"), 0)[2] == "S 5C   no call of this system"


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_auctions_by_the_system_are_legal_end_soon_and_mean_what_was_held(seed):
    hands, dealer, calls = random_deal(13, seed), seed % 4, ()
    judge = random.Random(seed)
    while not hear(calls, dealer).is_over:
        auction = hear(calls, dealer)
        hand = hands[auction.turn]
        offered = allowed(calls, dealer, hand)
        made = judge.choice(offered)
        assert made in legal_calls(auction)
        fitting = [c for c in choices(calls, dealer) if c.call == made and c.meaning.fits(features(hand))]
        assert fitting or made == choices(calls, dealer)[-1].call
        assert likelihood(calls, dealer, hand, made) > 0.2
        calls = (*calls, made)
    assert len(calls) < 40
    assert len(meanings(calls, dealer)) == len(calls)


def test_what_was_shown_adds_up():
    shown = situation(calls_of("1H P 2H P 3H P"), 0).shown
    assert shown[2].least("H") == 3
    assert shown[2].strength == (6, 9)
    assert shown[0].least("H") == 5
    assert shown[0].strength[0] >= 16
