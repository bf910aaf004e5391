"""Whole hands of hold'em: blinds, betting, all-in, showdown, what each is shown, and files of hands."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import InputError, OptionError, PositionError
from zermelo.games.holdem.cards import CLASS_UNIT, evaluate
from zermelo.games.poker import Poker, history

FREE = Poker(stacks=(100,), free=True)
DEEP = Poker(stacks=(300, 120), blinds=(5, 10), free=True, raises=20)


def names(game, s):
    return [game.show_action(s, a) for a in game.actions(s)]


def test_the_button_acts_first_before_the_flop_and_last_after_it():
    game = Poker()
    s = game.read("AhKdQcJs")
    assert (game.player(s), names(game, s)) == (0, ["fold", "call", "raise4", "raise6", "all-in"])
    s = game.read("AhKdQcJs c")
    assert (game.player(s), names(game, s)) == (1, ["check", "raise4", "raise6", "all-in"])
    s = game.read("AhKdQcJsKs7h2d c c")
    assert (game.player(s), names(game, s)) == (1, ["check", "bet2", "bet4", "all-in"])


def test_a_raise_is_not_less_than_the_one_before_it():
    s = FREE.read("AhKdQcJs r10")
    assert "raise18" in names(FREE, s)
    assert "raise17" not in names(FREE, s)


def test_all_in_and_called_the_board_is_dealt_without_bets():
    s = FREE.read("AhAdQcJs r100 c")
    while not FREE.is_terminal(s):
        assert FREE.player(s) == z.CHANCE
        s = FREE.result(s, next(iter(FREE.actions(s))))
    assert s.dealt == 9
    assert FREE.utilities(s) in ((100, -100), (-100, 100), (0, 0))


def test_nobody_loses_more_than_the_smaller_stack():
    s = DEEP.read("AhAdQcJs r120 c")
    assert DEEP.utilities(DEEP.read("AhAdQcJsTs7h2d3c4c r120 c")) == (120, -120)
    assert DEEP.most == 120
    assert s.paid == s.others == 120


def test_each_sees_its_own_hand_until_the_showdown():
    s = FREE.read("AhKdQcJsKs7h2d r6 c c")
    for p, (own, other) in enumerate((("Ah Kd", "Qc Js"), ("Qc Js", "Ah Kd"))):
        view = FREE.view(s, p)
        for text in (FREE.show_seat(view, p), FREE.show_view(view, p), FREE.view_picture(view, p)):
            assert not any(card in text for card in other.split())
        assert own in FREE.show_seat(view, p)
        assert "pot 12" in FREE.show_seat(view, p)
    end = FREE.read("AhKdQcJsKs7h2d3c4c r6 c c c c c c c")
    assert FREE.is_terminal(end)
    for p in (0, 1):
        assert "button wins 6" in FREE.show_seat(FREE.view(end, p), p)


def test_players_are_told_bets_in_words_and_no_hidden_card():
    s = FREE.read("AhKdQcJs")
    assert FREE.told(s, 6, 1) == "button raises to 6"
    assert FREE.told(FREE.read("AhKdQcJs r6"), 1, 0) == "big blind calls 4"
    start = FREE.initial()
    assert FREE.told(start, 51, 0) == "you are dealt As"
    assert FREE.told(start, 51, 1) == ""


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([FREE, DEEP, Poker()]))
def test_a_hand_survives_its_files(seed, game):
    dice, s, actions = random.Random(seed), game.initial(), []
    while not game.is_terminal(s):
        legal = list(game.actions(s))
        a = dice.choice(legal if game.is_dealing(s) else (*legal[:3], legal[-1]))
        actions.append(a)
        s = game.result(s, a)
    assert sum(game.utilities(s)) == 0
    assert game.key(game.read(game.write(s))) == game.key(s)
    wanted = [a for _, a in history.steps(game, s)]
    assert wanted == actions
    for text in (game.write_record(game.initial(), actions, ("A", "A"), None), history.write_text(game, s, ("A", "A"))):
        start, read = game.read_record(text)
        assert (game.key(start), read) == (game.key(game.initial()), actions)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=9, max_size=9, unique=True))
def test_hands_are_as_strong_as_the_core_says(cards):
    end = FREE.replay(cards, [1] * 8)
    ours = [FREE.strength(end, p) for p in (0, 1)]
    core = evaluate([[*cards[2 * p : 2 * p + 2], *cards[4:]] for p in (0, 1)])
    assert (ours[0] > ours[1], ours[0] == ours[1]) == (core[0] > core[1], core[0] == core[1])
    assert [strength // CLASS_UNIT for strength in ours] == [int(strength) // CLASS_UNIT for strength in core]


PHH = """variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AhKd", "d dh p2 QcJs", "p2 cbr 6", "p1 cc", "d db Ks7h2d", "p1 cc", "p2 cbr 10", "p1 f"]
"""


def test_a_hand_history_of_others_is_read():
    start, actions = FREE.read_record(PHH)
    states = [start]
    for a in actions:
        states.append(FREE.result(states[-1], a))
    assert FREE.write(states[-1]) == "QcJsAhKdKs7h2d r6 c c r16 f"
    assert FREE.read_record("1. e4 e5") is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"NT"', '"PO"', "variant NT"),
        ("antes = [0, 0]", "antes = [1, 1]", "antes"),
        ("[100, 100]", "[90, 100]", "stacks=100/90,blinds=1/2"),
        ("AhKd", "????", "nobody knows"),
        ("AhKd", "AhZd", "not a card"),
        ("p2 cbr 6", "p2 cbr 3", "against the rules"),
        ("p2 cbr 6", "p2 jumps", "no action"),
        ("d dh p1", "d dh p3", "p1 and p2"),
        ("actions = [", "actions = [[", "no PHH"),
    ],
)
def test_bad_files_are_refused_in_one_line(old, new, says):
    with pytest.raises(InputError, match=says) as refused:
        FREE.read_record(PHH.replace(old, new))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"stacks": (1, 2, 3)}, "two players"),
        ({"stacks": (0, 5)}, "whole chips"),
        ({"stacks": (2, 2)}, "below both stacks"),
        ({"blinds": (2, 1)}, "below"),
        ({"bets": ("much",)}, "percentages"),
        ({"free": True, "stacks": (10**6,)}, "free is for"),
        ({"raises": 99}, "raises"),
    ],
)
def test_bad_options_are_refused_in_one_line(options, says):
    with pytest.raises(OptionError, match=says) as refused:
        Poker(**options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["AhKdQcJs x", "AhAh", "AhKdQcJs f f", "AhKdQcJs r3", "AhKdQcJs r99999999999"])
def test_what_is_no_position_is_refused(text):
    with pytest.raises(PositionError):
        FREE.read(text)


def test_options_of_the_command_line_are_texts():
    game = z.load("poker:stacks=1000,blinds=5/10,free=yes")
    assert (game.stacks, game.blinds, game.free, game.big_blind) == ((1000, 1000), (5, 10), True, 10.0)
    assert z.load("poker:bets=75,stacks=50/60").sizes == (75.0,)
