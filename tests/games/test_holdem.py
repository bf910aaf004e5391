"""Hold'em endgames: the strength of hands, ranges as text, the rules of betting, and what is refused."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.engine import compile_or_none
from zermelo.engine.regret import flatten
from zermelo.equilibrium import extensive_form
from zermelo.errors import InputError, OptionError
from zermelo.games.holdem import Holdem
from zermelo.games.holdem.cards import CLASS_UNIT, CLASSES, card_name, evaluate, kind_of, read_cards, read_range

FREQUENCIES = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pairs": 123_552,
    "pair": 1_098_240,
    "high card": 1_302_540,
}
cards = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


def by_hand(five):
    """A key that orders hands of five cards, by counting ranks."""
    ranks = sorted((card // 4 for card in five), reverse=True)
    counts = sorted(((n, rank) for rank, n in Counter(ranks).items()), reverse=True)
    shape = tuple(n for n, _ in counts)
    order = tuple(rank for _, rank in counts)
    if ranks == [12, 3, 2, 1, 0]:
        order = (3,)  # the ace is below the two
    run = shape == (1,) * 5 and (len(order) == 1 or ranks[0] - ranks[4] == 4)
    suited = len({card % 4 for card in five}) == 1
    place = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0)
    return (8 if run and suited else 5 if suited else 4 if run else place, order)


def test_five_cards_have_the_known_frequencies_and_7462_strengths():
    hands = np.fromiter((card for five in combinations(range(52), 5) for card in five), dtype=np.uint8)
    strengths = evaluate(hands.reshape(-1, 5))
    classes = np.bincount(strengths // CLASS_UNIT)
    assert dict(zip(CLASSES, classes.tolist(), strict=True)) == FREQUENCIES
    assert len(np.unique(strengths)) == 7462


@settings(max_examples=200, deadline=None)
@given(cards, cards)
def test_seven_cards_are_worth_their_best_five(first, second):
    hands = [list(hand) for hand in (first, second)]
    strengths = evaluate(np.array(hands))
    for hand, strength in zip(hands, strengths, strict=True):
        assert strength == evaluate(np.array(list(combinations(hand, 5)))).max()
    best = [max(by_hand(five) for five in combinations(hand, 5)) for hand in hands]
    assert (strengths[0] > strengths[1]) == (best[0] > best[1])
    assert (strengths[0] == strengths[1]) == (best[0] == best[1])


@pytest.mark.parametrize("hand", [[1, 1, 2, 3, 4], [52, 1, 2, 3, 4], [1, 2, 3, 4], list(range(8))])
def test_what_is_no_hand_is_refused(hand):
    with pytest.raises(InputError):
        evaluate(np.array([hand]))


def kinds(text, board=()):
    return Counter(kind_of(hand) for hand in read_range(text, board))


def test_ranges_are_read():
    assert len(read_range("all", ())) == 1326
    assert len(read_range("all", read_cards("Ks7h2d5c9s"))) == 1081
    assert kinds("AA,KQs,JTo") == {"AA": 6, "KQs": 4, "JTo": 12}
    assert kinds("AK") == {"AKs": 4, "AKo": 12}
    assert set(kinds("QQ+ ATs+ 54o+")) == {"QQ", "KK", "AA", "ATs", "AJs", "AQs", "AKs", "54o"}
    assert set(kinds("99-66/A9s-A7s")) == {"99", "88", "77", "66", "A9s", "A8s", "A7s"}
    assert read_range("AhKd:0.25", ()) == {(50, 45): 0.25}
    assert read_range("(AA, AhAd:0)", ()) == {hand: 1.0 for hand in read_range("AA", ()) if hand != (50, 49)}
    assert kinds("KK", read_cards("Ks7h2d5c9s")) == {"KK": 3}


def test_options_of_the_command_line_are_texts():
    game = z.load("holdem:board=Ks7h2d5c9s,first=22/33,second=(AA,76s:0.5),bets=50,pot=10,stack=30")
    assert {hand.kind for hand in game.hands(0)} == {"22", "33"}
    assert {(hand.kind, hand.weight) for hand in game.hands(1)} == {("AA", 1.0), ("76s", 0.5)}
    assert game.sizes == (50.0,)


BAD = [
    ({"board": "Ks7h2d"}, "five cards on the river"),
    ({"board": "Ks7h2d5c9sAh"}, "five cards on the river"),
    ({"board": "Ks7h2d5cKs"}, "twice"),
    ({"board": "Xs7h2d5cKs"}, "not a card"),
    ({"board": "Ks7h2d5c9"}, "not a card"),
    ({"first": ""}, "no hand left"),
    ({"first": "KsKh"}, "card of the board"),
    ({"first": "AA:-1"}, "weight"),
    ({"first": "AA:nan"}, "weight"),
    ({"first": "AA:x"}, "weight"),
    ({"first": "AA:0"}, "no hand left"),
    ({"first": "ZZ"}, "not a hand"),
    ({"first": "AAs"}, "not a hand"),
    ({"first": "A9s-K5s"}, "no run"),
    ({"first": "AhAd", "second": "AhAd"}, "share cards"),
    ({"pot": 0}, "pot and stack"),
    ({"stack": -5}, "pot and stack"),
    ({"stack": 10**12}, "pot and stack"),
    ({"bets": (400,)}, "above the stack"),
    ({"bets": (-50,)}, "percentages"),
    ({"bets": ("much",)}, "percentages"),
    ({"bets": tuple(range(1, 20))}, "percentages"),
    ({"raises": 7}, "raises"),
    ({"raises": -1}, "raises"),
]


@pytest.mark.parametrize(("options", "says"), BAD)
def test_bad_options_are_refused_in_one_line(options, says):
    with pytest.raises(OptionError, match=says) as refused:
        Holdem(**options)
    assert "\n" not in str(refused.value)


def play(game, *words):
    s = game.initial()
    for word in words:
        s = game.result(s, game.read_action(s, word))
    return s


def names(game, s):
    return [game.show_action(s, a) for a in game.actions(s)]


def test_bets_are_shares_of_the_pot_and_raises_of_the_pot_after_calling():
    game = Holdem(first="AhAd", second="QhQd", pot=100, stack=1000, raises=3)
    s = play(game, "AhAd", "QhQd")
    assert names(game, s) == ["check", "bet50", "bet100", "all-in"]
    s = play(game, "AhAd", "QhQd", "bet50")
    assert names(game, s) == ["fold", "call", "raise150", "raise250", "all-in"]
    s = play(game, "AhAd", "QhQd", "bet50", "raise150", "all-in")
    assert names(game, s) == ["fold", "call"]
    assert game.show(s).startswith("AhAd QhQd b50 r150 a")


def test_a_raise_is_not_less_than_the_one_before_it():
    game = Holdem(first="AhAd", second="QhQd", pot=100, stack=1000, bets=(10, 200))
    assert names(game, play(game, "AhAd", "QhQd", "bet200")) == ["fold", "call", "raise400", "all-in"]


def test_the_best_hand_wins_half_the_pot_and_what_was_called():
    game = Holdem(first="AhAd,9h8h", second="QhQd", pot=100, stack=300)
    assert game.utilities(play(game, "AhAd", "QhQd", "bet100", "call")) == (150, -150)
    assert game.utilities(play(game, "AhAd", "QhQd", "check", "bet50", "fold")) == (-50, 50)
    assert game.utilities(play(game, "9h8h", "QhQd", "check", "check")) == (-50, 50)
    board = Holdem("AsKsQsJsTs", first="2h2d", second="3h3d")
    assert board.utilities(play(board, "2h2d", "3h3d", "all-in", "call")) == (0, 0)


def test_after_the_turn_a_card_is_dealt_that_nobody_holds():
    game = Holdem("Ks7h2d5c", first="AhAd", second="QhQd", pot=100, stack=300)
    s = play(game, "AhAd", "QhQd", "check", "check")
    assert len(names(game, s)) == 44
    assert sum(share for _, share in game.chances(s)) == pytest.approx(1)
    assert not {"Ah", "Ad", "Qh", "Qd", "Ks"} & set(names(game, s))
    assert game.utilities(play(game, "AhAd", "QhQd", "all-in", "call", "Qs")) == (-350, 350)
    assert names(game, play(game, "AhAd", "QhQd", "bet50", "call", "2s")) == ["check", "bet100", "bet200", "all-in"]


def test_the_deal_follows_weights_and_blocked_cards():
    game = Holdem(first="AhAd:3,KhKd", second="AhKh,QhQd:2")
    deals = {}
    for first, chance in game.chances(game.initial()):
        for second, then in game.chances(game.result(game.initial(), first)):
            deals[game.hands(0)[first].name, game.hands(1)[second].name] = chance * then
    assert deals == pytest.approx({("AhAd", "QhQd"): 0.75, ("KhKd", "QhQd"): 0.25})


@pytest.mark.parametrize("board", ["Ks7h2d5c", "Ks7h2d5c9d"])
def test_compiled_rules_flatten_the_same_tree(board):
    game = Holdem(board, "KhKd,9s8s", "7s7d,AcKc", pot=10, stack=12, raises=1, bets=())
    compiled = compile_or_none(game)
    assert compiled is not None
    arrays, _ = flatten(compiled, game.initial(), 10**6)
    walked = extensive_form(game).arrays
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(arrays, walked, strict=True))


def test_every_card_has_its_name():
    assert [read_cards(card_name(card)) for card in range(52)] == [(card,) for card in range(52)]
