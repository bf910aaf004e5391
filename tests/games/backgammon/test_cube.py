"""The cube of backgammon, and matches."""

from __future__ import annotations

import random

import pytest
from tests.games.backgammon.boards import after, board_id

import zermelo as z
from zermelo.errors import OptionError
from zermelo.game import CHANCE
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.board import Phase

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


@pytest.mark.parametrize(
    ("own", "other", "roll", "double"),
    [  # as a search to the end finds them
        ({5: 1, 2: 1}, {1: 1}, 2 / 36, 4 / 36),
        ({5: 1, 1: 1}, {1: 1}, 10 / 36, 20 / 36),
        ({4: 1, 2: 1, 1: 1}, {5: 1, 3: 1}, 0.330247, 0.652949),
    ],
)
def test_a_cube_that_comes_too_late_for_the_other_is_offered(money, own, other, roll, double):
    s = money.read(board_id(own, other))
    assert money.evaluate(after(money, s, "roll"), 0) == pytest.approx(roll, abs=1e-6)
    assert money.evaluate(after(money, s, "double"), 0) == pytest.approx(double, abs=1e-6)
    assert money.show_action(s, z.Engine(money).search(s, depth=1).action) == "double"


def few(dice):
    side = {}
    for _ in range(dice.randint(1, 6)):
        point = dice.randint(1, 6)
        side[point] = side.get(point, 0) + 1
    return side


@pytest.mark.parametrize("seed", range(30))
def test_for_money_the_last_chequers_are_worth_what_their_rolls_are(money, seed):
    dice = random.Random(seed)
    s = money.read(board_id(few(dice), few(dice)))
    for words in (["roll"], ["double", "take"]):
        before = after(money, s, *words)
        mean = sum(chance * money.evaluate(money.result(before, a), 0) for a, chance in money.chances(before))
        assert money.evaluate(before, 0) == pytest.approx(mean, abs=1e-5)


def test_a_cube_of_64_is_dead(money):
    s = after(money, money.read(board_id({6: 2, 3: 1}, {5: 2, 1: 2})), "double", "take")
    data = bytearray(s.data)
    data[54] = 6  # two to this power
    plain = Backgammon()
    chance = plain.evaluate(plain.read(board_id({6: 2, 3: 1}, {5: 2, 1: 2})), 0)
    assert money.evaluate(type(s)(bytes(data)), 0) == pytest.approx(64 * chance, abs=1e-4)


@pytest.mark.parametrize("match", [3, 7])
def test_in_a_match_a_cube_that_nobody_will_turn_is_dead(match):
    rules = Backgammon(match=match, cube=True)
    s = _with_board(rules, after(rules, rules.initial(), "31", "8/5 6/5"), {1: 1}, {5: 1, 2: 1}, Phase.DECIDE)
    taken = after(rules, s, "double", "take")
    ahead, behind = rules.match_chance(match - 2, match), rules.match_chance(match, match - 2)
    assert rules.evaluate(taken, 1) == pytest.approx(2 * (19 * ahead + 17 * behind) / 36 - 1, abs=1e-6)


def test_looking_further_never_drops_a_decision_about_the_cube(money):
    s = after(money, money.initial(), "31", "8/5 6/5")
    found = z.Engine(money, width=1, root_width=8, root_margin=0.0, stride=2).search(s, depth=3)
    assert len(found.actions) == 2


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


def _with_board(game, s, own, other, phase=Phase.ROLL):
    """The game of `s` in this phase, on another board."""
    data = bytearray(s.data)
    for player, side in enumerate((own, other)):
        data[25 * player : 25 * player + 25] = bytes(side.get(point, 0) for point in range(1, 26))
    data[50] = phase
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
