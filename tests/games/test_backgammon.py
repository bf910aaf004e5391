from __future__ import annotations

import base64
import hashlib
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.engine.backgammon import plays_of
from zermelo.errors import ActionError, ContractError, OptionError, PositionError
from zermelo.game import CHANCE
from zermelo.games import load
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.board import CENTRED, Phase

RECORDED = json.loads(Path(__file__).with_name("backgammon_plays.json").read_text(encoding="utf-8"))
"""Boards, rolls, and how many plays GNU Backgammon has for them, with a digest of the boards that they lead to."""


@pytest.fixture(scope="module")
def game():
    return Backgammon()


@pytest.fixture(scope="module")
def money():
    return Backgammon(cube=True)


def board_id(own, other):
    """The position ID of a board given as {point: chequers}, the bar being 25."""
    bits = ""
    for side in (other, own):
        for point in range(1, 26):
            bits += "1" * side.get(point, 0) + "0"
    data = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(data).decode().rstrip("=")


def rolled(game, own, other, dice):
    """The state of white with these chequers and this roll."""
    return game.result(game.read(board_id(own, other)), game.read_action(game.read(board_id(own, other)), dice))


def names(game, own, other, dice):
    s = rolled(game, own, other, dice)
    return sorted(game.show_action(s, a) for a in game.actions(s))


def after(game, s, *words):
    for word in words:
        s = game.result(s, game.read_action(s, word))
    return s


# Plays.


@pytest.mark.parametrize("part", range(4))
def test_plays_are_those_of_gnu_backgammon(part):
    for row, dice, count, digest in RECORDED[part::4]:
        found = plays_of(np.frombuffer(bytes.fromhex(row), np.uint8), *dice).tolist()
        assert len(found) == count
        assert hashlib.sha256(b"".join(sorted(bytes(board) for board in found))).hexdigest()[:16] == digest


def test_the_start_has_447_plays_over_all_rolls(game):
    s = game.read("4HPwATDgc/ABMA")
    counts = {game.show_action(s, roll): len(game.actions(game.result(s, roll))) for roll in game.actions(s)}
    assert len(counts) == 21
    assert sum(counts.values()) == 447
    assert sum(count for roll, count in counts.items() if roll[0] != roll[1]) == 190
    assert counts["31"] == 16


def test_both_dice_are_played_if_they_can_be(game):
    # 3/2 by the one would leave no way for the five, which 13/12 opens.
    assert names(game, {13: 1, 3: 1}, {17: 2}, "51") == ["13/7"]


def test_the_higher_die_is_played_if_only_one_can_be(game):
    # Either die can be played, neither behind the other.
    assert names(game, {20: 1}, {15: 2}, "64") == ["20/14"]
    # The six cannot.
    assert names(game, {20: 1}, {15: 2, 11: 2}, "64") == ["20/16"]


def test_a_chequer_on_the_bar_enters_first(game):
    assert all(name.startswith("bar/") for name in names(game, {25: 1, 13: 2}, {6: 2}, "31"))
    assert names(game, {25: 2, 13: 2}, {6: 2, 3: 2}, "63") == ["no-play"]


def test_no_play_is_an_action(game):
    s = rolled(game, {25: 1, 6: 2}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}, "66")
    assert game.actions(s) == [0]
    assert game.read_action(s, "(no play)") == 0
    assert game.player(game.result(s, 0)) == CHANCE


def test_a_chequer_is_borne_off_by_a_higher_die_only_from_the_rear(game):
    assert names(game, {5: 1, 2: 1}, {12: 2}, "61") == ["5/off", "5/off,2/1"]
    assert names(game, {7: 1, 6: 1}, {12: 2}, "66") == ["7/off,6/off"]
    assert names(game, {6: 1, 3: 2}, {12: 2}, "54") == ["6/1,3/off", "6/2,3/off"]


def test_nobody_bears_off_before_all_are_home(game):
    assert names(game, {8: 1, 5: 1}, {12: 2}, "51") == ["8/2", "8/3,5/4"]


def test_a_hit_sends_a_blot_to_the_bar(game):
    s = after(game, rolled(game, {6: 1, 24: 1}, {20: 1, 2: 1}, "21"), "6/5*/3")
    position = game.position(s)
    assert position.sides[1][24] == 1
    assert position.turn == 1


def test_doubles_are_played_four_times(game):
    s = rolled(game, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, "11")
    assert game.show_action(s, game.read_action(s, "8/7(2) 6/5(2)")) == "8/7(2),6/5(2)"
    with pytest.raises(ActionError, match="the legal ones are"):
        game.read_action(s, "8/7(2) 6/5")


def test_plays_are_read_in_any_usual_way(game):
    s = rolled(game, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, "31")
    wanted = game.read_action(s, "8/5,6/5")
    for text in ("8/5 6/5", "6/5 8/5", "8/5, 6/5", " 8/5  6/5 "):
        assert game.read_action(s, text) == wanted
    assert game.read_action(s, "24/20") == game.read_action(s, "24/23/20") == game.read_action(s, "24/21 21/20")
    assert game.notation(s, wanted) == "8/5 6/5"


@pytest.mark.parametrize(
    "text", ["", "8/5", "8/5 6/4", "bar/24", "26/20", "0/5", "off/3", "8/5/", "8//5", "x/y", "8/5(9)"]
)
def test_what_is_no_play_is_refused(game, text):
    s = rolled(game, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, "31")
    with pytest.raises(ActionError):
        game.read_action(s, text)


@pytest.mark.parametrize("action", [-1, 1, 10**12, 7 | 6 << 5, (1 << 62) - 1, 25 | 1 << 5])
def test_an_action_that_is_none_breaks_nothing(game, action):
    s = rolled(game, {24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, "31")
    with pytest.raises(ContractError):
        game.result(s, action)


# Dice and ends.


def test_the_opening_roll_has_no_doubles_and_says_who_begins(game):
    s = game.initial()
    assert len(game.chances(s)) == 30
    assert {game.position(game.result(s, a)).turn for a, _ in game.chances(s) if a >> 3 > (a & 7)} == {0}
    assert game.position(after(game, s, "26")).turn == 1
    assert game.position(after(game, s, "26")).dice == (6, 2)


@pytest.mark.parametrize(
    ("other", "points"),
    [
        ({24: 1, 1: 13}, 1),
        ({1: 14}, 1),
        ({6: 15}, 2),
        ({12: 15}, 2),
        ({18: 15}, 2),
        ({19: 1, 6: 14}, 3),
        ({25: 1, 6: 14}, 3),
    ],
)
def test_gammons_and_backgammons_count_double_and_treble(game, other, points):
    free = 2 if 24 in other or 25 in other else 1
    s = after(game, rolled(game, {free: 1}, other, "65"), f"{free}/off")
    assert game.is_terminal(s)
    assert game.utilities(s) == (points, -points)
    assert game.read(game.write(s)) == s


# The cube.


def test_a_double_is_taken_or_dropped(money):
    s = after(money, money.initial(), "31", "8/5 6/5")
    assert [money.show_action(s, a) for a in money.actions(s)] == ["roll", "double"]
    s = after(money, s, "double")
    assert money.player(s) == 0
    dropped, taken = after(money, s, "drop"), after(money, s, "take")
    assert money.utilities(dropped) == (-1.0, 1.0)
    position = money.position(taken)
    assert (position.cube, position.owner, position.phase) == (2, 0, Phase.ROLL)
    s = after(money, taken, "65", "24/13")
    assert [money.show_action(s, a) for a in money.actions(s)] == ["roll", "double"]
    s = after(money, s, "roll", "21", "24/21")
    assert money.player(s) == CHANCE  # the cube is the other's


def test_the_cube_stops_at_64(money):
    s = money.read("4HPwATDgc/ABMA")
    sizes = []
    for _ in range(40):
        position = money.position(s)
        if position.phase == Phase.DECIDE:
            s = after(money, s, "double", "take")
            sizes.append(money.position(s).cube)
        else:
            s = money.result(s, money.actions(s)[0])
    assert sizes == [2, 4, 8, 16, 32, 64]
    assert money.bounds == (-192.0, 192.0)


def test_jacoby_counts_gammons_only_after_a_double():
    jacoby = Backgammon(cube=True, jacoby=True)
    roll = after(jacoby, jacoby.read(board_id({1: 1}, {6: 15})), "roll")
    assert jacoby.utilities(after(jacoby, roll, "65", "1/off")) == (1.0, -1.0)
    doubled = after(jacoby, jacoby.read(board_id({1: 1}, {6: 15})), "double", "take")
    assert jacoby.utilities(after(jacoby, doubled, "65", "1/off")) == (4.0, -4.0)


def test_a_hopeless_double_is_dropped_and_a_good_one_offered(money):
    def value(s, word):
        return money.evaluate(after(money, s, word), 0) if word != "drop" else money.utility(after(money, s, word), 0)

    won = money.read(board_id({1: 2, 2: 2}, {6: 5, 5: 5}))
    assert money.evaluate(won, 0) == pytest.approx(1.0)
    offered = after(money, won, "double")
    assert value(offered, "take") > value(offered, "drop")  # so the other drops
    even = money.read(board_id({6: 5, 5: 5}, {6: 5, 5: 5}))
    assert value(after(money, even, "double"), "take") < 1


# Matches.


def test_a_match_goes_on_until_somebody_has_its_points():
    match = Backgammon(match=3, cube=True)
    s = after(match, match.initial(), "31", "8/5 6/5", "double", "drop")
    assert match.position(s).score == (0, 1)
    assert match.position(s).phase == Phase.OPENING
    s = after(match, s, "31", "8/5 6/5", "double", "drop")
    assert match.position(s).crawford
    s = after(match, s, "31", "8/5 6/5")
    assert match.player(s) == CHANCE  # no cube in the Crawford game
    dice = random.Random(1)
    for _ in range(5000):
        if match.is_terminal(s):
            break
        s = match.result(s, dice.choice(match.actions(s)))
    assert match.is_terminal(s)
    assert sorted(match.utilities(s)) == [-1.0, 1.0]
    assert max(match.position(s).score) == 3


def test_after_the_crawford_game_the_cube_is_back():
    match = Backgammon(match=2, cube=True)
    s = after(match, match.initial(), "31", "8/5 6/5", "double", "drop")
    assert match.position(s).crawford
    lost = _with_board(match, s, {1: 1}, {1: 3})
    s = after(match, lost, "65", "1/off")
    assert match.position(s).score == (1, 1)
    assert not match.position(s).crawford


def _with_board(game, s, own, other):
    """The roll of white in the game of `s`, on another board."""
    data = bytearray(s.data)
    for player, side in enumerate((own, other)):
        data[25 * player : 25 * player + 25] = bytes(side.get(point, 0) for point in range(1, 26))
    data[50] = Phase.ROLL
    return type(s)(bytes(data))


def test_chances_of_a_match_are_sensible():
    match = Backgammon(match=7, cube=True)
    for own in range(1, 8):
        assert match.match_chance(own, own) == pytest.approx(0.5)
        for other in range(1, 8):
            assert match.match_chance(own, other) + match.match_chance(other, own) == pytest.approx(1)
            if own > 1:
                assert match.match_chance(own - 1, other) > match.match_chance(own, other)
    assert match.match_chance(2, 1) == pytest.approx(0.25 * 0.5 + 0.75 * 0.25)  # the Crawford game
    assert match.match_chance(2, 1, after_crawford=True) == pytest.approx(0.5)
    assert match.match_chance(1, 2) == pytest.approx(0.6875)
    with pytest.raises(OptionError):
        match.match_chance(8, 1)


# Text.


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
