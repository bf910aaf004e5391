"""The rules of backgammon: plays, dice, ends."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from tests.games.backgammon.boards import after, names, rolled

from zermelo.errors import ActionError, ContractError
from zermelo.game import CHANCE
from zermelo.games.backgammon.networks import plays_of

RECORDED = json.loads(Path(__file__).with_name("plays.json").read_text(encoding="utf-8"))
"""Boards, rolls, and how many plays GNU Backgammon has for them, with a digest of the boards that they lead to."""


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
