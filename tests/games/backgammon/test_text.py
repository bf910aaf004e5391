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
        "31": "4HPwATDgc/ABMA:MIHlAAAAAAAE",
        "8/5 6/5": "sGfwATDgc/ABMA:cAngAAAAAAAE",
        "roll": "sGfwATDgc/ABMA:cAngAAAAAAAE:rolling",
        "65": "sGfwATDgc/ABMA:cAn3AAAAAAAE",
        "24/13": "4HPwAyCwZ/ABMA:MAHgAAAAAAAE",
        "double": "4HPwAyCwZ/ABMA:MBngAAAAAAAE",
        "take": "4HPwAyCwZ/ABMA:EQHgAAAAAAAE",
    }.items():
        s = after(match, s, word)
        assert match.write(s) == text
        assert match.read(text) == s
    # Programs older than the last bit leave it out, and no match is played by Jacoby's rule.
    assert match.read("4HPwAyCwZ/ABMA:EQHgAAAAAAAA") == s


# GNU Backgammon 1.07 has printed these after `set jacoby on` and `set jacoby off` in a session for money.
JACOBY = {
    "31": "4HPwATDgc/ABMA:MIEFAAAAAAAA",
    "8/5 6/5": "sGfwATDgc/ABMA:cAkAAAAAAAAA",
    "double": "sGfwATDgc/ABMA:cBEAAAAAAAAA",
    "take": "sGfwATDgc/ABMA:QQkAAAAAAAAA",
    "43": "sGfwATDgc/ABMA:QQkOAAAAAAAA",
}
PLAIN = "4HPwATDgc/ABMA:MAELAAAAAAAE"


def test_the_last_bit_is_set_where_jacobys_rule_is_not_played():
    rules, plain = load("backgammon:cube=yes,jacoby=yes,weights=none"), load("backgammon:cube=yes,weights=none")
    s = rules.initial()
    for word, text in JACOBY.items():
        s = after(rules, s, word)
        assert rules.write(s) == text
        assert rules.read(text) == s
        with pytest.raises(PositionError, match="jacoby=yes"):
            plain.read(text)
    assert plain.write(plain.read(PLAIN)) == PLAIN
    with pytest.raises(PositionError, match="jacoby=no"):
        rules.read(PLAIN)
    for each in (rules, plain):  # a position ID alone says nothing about it
        assert each.read("sGfwATDgc/ABMA") == each.read(each.write(each.read("sGfwATDgc/ABMA")))


def test_without_a_cube_there_is_no_rule_of_jacobys_to_disagree_about(game):
    assert game.read("sGfwATDgc/ABMA:cAkAAAAAAAAA") == game.read("sGfwATDgc/ABMA:cAkAAAAAAAAE")


@pytest.mark.parametrize(
    ("options", "scored", "text"),
    [
        ("cube=yes,jacoby=yes", "sGfwATDgc/ABMA:QQkOACAAAAAA", JACOBY["43"]),
        ("cube=yes", "4HPwATDgc/ABMA:MAELAFAAYAkE", PLAIN),
        ("cube=no", "4HPwATDgc/ABMA:MAELAFAAYAkE", PLAIN),
    ],
)
def test_the_score_of_a_session_for_money_is_passed_over(options, scored, text):
    rules = load(f"backgammon:{options},weights=none")
    assert rules.write(rules.read(scored)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Position ID: sGfwATDgc/ABMA Match ID: cAkAAAAAAAAE",
        " GNU Backgammon  Position ID: sGfwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAE\n +13-14-15",
        "match id: cAkAAAAAAAAE, position id: sGfwATDgc/ABMA",
    ],
)
def test_ids_are_read_as_gnu_backgammon_prints_them(game, text):
    assert game.write(game.read(text)) == "sGfwATDgc/ABMA:cAkAAAAAAAAE"
    assert game.read("Position ID: sGfwATDgc/ABMA") == game.read("sGfwATDgc/ABMA")


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
        ("Match ID: cAkAAAAAAAAE", "IDs"),
        ("Position ID: nonsense", "IDs"),
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
