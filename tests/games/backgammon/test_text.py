"""Positions of backgammon as text, and the game as an object."""

from __future__ import annotations

import base64
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.backgammon.boards import after

from zermelo.errors import OptionError, PositionError
from zermelo.games import load
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.board import CENTRED


def test_ids_are_those_of_gnu_backgammon():
    match = Backgammon(match=7, cube=True)
    s = match.initial()
    for word, text in {
        "31": "4HPwATDgc/ABMA:MIHlAAAAAAAA",
        "8/5 6/5": "sGfwATDgc/ABMA:cAngAAAAAAAA",
        "roll": "sGfwATDgc/ABMA:cAngAAAAAAAA:rolling",
        "65": "sGfwATDgc/ABMA:cAn3AAAAAAAA",
        "24/13": "4HPwAyCwZ/ABMA:MAHgAAAAAAAA",
        "double": "4HPwAyCwZ/ABMA:MBngAAAAAAAA",
        "take": "4HPwAyCwZ/ABMA:EQHgAAAAAAAA",
    }.items():
        s = after(match, s, word)
        assert match.write(s) == text
        assert match.read(text) == s
    # GNU Backgammon tells in one more bit that its own games for money are played by Jacoby's rule.
    assert match.read("4HPwAyCwZ/ABMA:EQHgAAAAAAAE") == s


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4HPwATDgc/ABM", "IDs"),
        ("4HPwATDgc/AB!A", "14 letters"),
        ("/////////////w", "fifteen"),
        ("AAAAAAAAAAAAAA", "no chequers"),
        ("4HPwATDgc/ABMA:cAngAAAAAAA", "IDs"),
        ("4HPwATDgc/ABMA:cAngAAAAAAAA", "match=7"),
        ("4HPwATDgc/ABMA:EQEAAAAAAAAA", "cube=yes"),
        ("4HPwATDgc/ABMA:cAkBAAAAAAAA", "dice"),
        ("4HPwATDgc/ABMA:cAEAAAAAAAAA", "nobody's turn"),
        ("4HPwATDgc/ABMA:cAoAAAAAAAAA", "goes on"),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA:rolling", "doubled"),
        ("é" * 14, "IDs"),
    ],
)
def test_a_position_that_is_none_is_refused_with_the_reason(game, text, why):
    with pytest.raises(PositionError, match=why):
        game.read(text)


@settings(max_examples=200, deadline=None)
@given(
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", min_size=14, max_size=14),
    st.binary(min_size=9, max_size=9),
)
def test_whatever_is_read_can_be_played_on(board, match):
    for rules in (Backgammon(weights="none"), Backgammon(match=3, cube=True, weights="none")):
        for text in (
            board,
            f"{board}:{base64.b64encode(match).decode()}",
            f"4HPwATDgc/ABMA:{base64.b64encode(match).decode()}",
        ):
            try:
                s = rules.read(text)
            except PositionError:
                continue
            assert rules.read(rules.write(s)) == s
            if not rules.is_terminal(s):
                low, high = rules.bounds
                assert low < rules.evaluate(s, 0) < high
                assert [rules.result(s, a) for a in rules.actions(s)]


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_ends_of_matches_can_be_written_and_read(length):
    rules = Backgammon(match=length, cube=True, weights="none")
    for seed in range(12):
        s, dice = rules.initial(), random.Random(seed)
        while not rules.is_terminal(s):
            s = rules.result(s, dice.choice(rules.actions(s)))
        assert rules.read(rules.write(s)) == s
        assert "has won the match" in rules.show(s)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_matches_with_a_cube_keep_the_contract(seed):
    rules, dice = Backgammon(match=5, cube=True, weights="none"), random.Random(seed)
    s = rules.initial()
    for _ in range(300):
        if rules.is_terminal(s):
            break
        a = dice.choice(rules.actions(s))
        assert rules.read_action(s, rules.show_action(s, a)) == a
        assert rules.read(rules.write(s)) == s
        assert rules.evaluate(s, 0) == pytest.approx(-rules.evaluate(s, 1))
        assert sum(part for _, part in rules.explain(s)) == pytest.approx(rules.evaluate(s, 0))
        assert rules.show(s).count("\n") >= 13
        assert rules.picture(s).startswith("<svg")
        s = rules.result(s, a)


def test_a_board_is_shown_with_what_is_to_do(money):
    text = money.show(after(money, money.initial(), "31", "8/5 6/5"))
    assert "white (X): 163 pips" in text
    assert text.endswith("cube 1, in the middle\nblack to roll or to double")
    assert money.position(money.initial()).owner == CENTRED


def test_options_that_make_no_sense_are_refused():
    for text in ("match=65", "match=-1", "jacoby=yes", "match=3,cube=yes,jacoby=yes", "weights=nowhere.safetensors"):
        with pytest.raises(OptionError):
            load(f"backgammon:{text}")


def test_a_game_travels_to_another_process():
    rules = pickle.loads(pickle.dumps(load("backgammon:match=3,cube=yes,weights=none")))
    assert (rules.match, rules.cube, rules.bounds) == (3, True, (-1.0, 1.0))


@pytest.mark.parametrize("name", ["backgammon", "go:size=5", "chess"])
def test_half_a_character_is_no_position(name):
    game = load(name)
    with pytest.raises(PositionError):
        game.read(f"{game.write(game.initial())}\ud800")
