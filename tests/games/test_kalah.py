from __future__ import annotations

import random

import pytest

from zermelo.engine import compile_game
from zermelo.errors import OptionError, PositionError
from zermelo.games.kalah import Kalah


@pytest.fixture(scope="module")
def game():
    return Kalah()


def after(game, text, move):
    s = game.read(text)
    return game.write(game.result(s, game.read_action(s, move)))


def test_perft(game):
    compiled = compile_game(game)
    counts = [compiled.perft(game.initial(), depth).leaves for depth in range(1, 10)]
    assert counts == [6, 35, 185, 942, 4690, 23233, 114430, 563055, 2763490]


def test_a_last_seed_in_the_store_earns_another_turn(game, play):
    assert game.write(play(game, "3")) == "4,4,0,5,5,5,1/4,4,4,4,4,4,0 S"
    assert game.write(play(game, "3 1")) == "0,5,1,6,6,5,1/4,4,4,4,4,4,0 N"


def test_the_others_store_is_left_out(game):
    text = "0,1,0,0,0,9,9/1,1,1,1,1,1,23 S"
    assert after(game, text, "6") == "1,2,0,0,0,0,10/2,2,2,2,2,2,23 N"


def test_a_whole_lap_sows_the_house_it_began_in_and_captures(game):
    text = "13,0,0,0,0,1,10/1,1,1,1,1,1,18 S"
    # The thirteenth seed falls where it came from, which was empty: it takes the two opposite.
    assert after(game, text, "1") == "0,1,1,1,1,2,14/2,2,2,2,2,0,18 N"


def test_a_last_seed_in_an_empty_house_captures_the_opposite_ones(game):
    text = "1,0,3,0,0,0,20/2,1,2,3,7,0,9 S"
    assert after(game, text, "1") == "0,0,3,0,0,0,28/2,1,2,3,0,0,9 N"


def test_captures_with_nothing_opposite_are_an_option(game):
    text = "1,0,3,0,0,0,20/2,1,2,3,0,7,9 S"
    assert after(game, text, "1") == "0,1,3,0,0,0,20/2,1,2,3,0,7,9 N"
    assert after(Kalah(empty_captures=True), text, "1") == "0,0,3,0,0,0,21/2,1,2,3,0,7,9 N"


def test_when_one_side_is_empty_the_other_gathers_its_seeds(game):
    s = game.read("0,0,0,0,0,1,20/1,0,2,0,0,0,24 S")
    end = game.result(s, game.read_action(s, "6"))
    assert game.write(end) == "0,0,0,0,0,0,21/0,0,0,0,0,0,27 S"
    assert game.is_terminal(end)
    assert list(game.actions(end)) == []
    assert game.utilities(end) == (-1.0, 1.0)
    counted = Kalah(count=True)
    assert counted.utilities(counted.read(game.write(end))) == (-6.0, 6.0)


def sow(houses, board, turn, house):
    """The same rules on a list of places: south's houses and store, north's houses and store."""
    board, ring = board[:], 2 * houses + 2
    own, other = (houses, ring - 1) if turn == 0 else (ring - 1, houses)
    at = own - houses + house
    seeds, board[at] = board[at], 0
    while seeds:
        at = (at + 1) % ring
        if at != other:
            board[at] += 1
            seeds -= 1
    opposite = 2 * houses - at
    if own - houses <= at < own and board[at] == 1 and board[opposite]:
        board[own] += 1 + board[opposite]
        board[at] = board[opposite] = 0
    sides = board[:houses], board[houses + 1 : -1]
    if not any(sides[0]) or not any(sides[1]):
        board = [0] * houses + [board[houses] + sum(sides[0])] + [0] * houses + [board[-1] + sum(sides[1])]
    return board, turn if at == own else 1 - turn


@pytest.mark.parametrize(("houses", "seeds"), [(6, 4), (6, 10), (1, 9), (3, 12)])
def test_the_table_of_sowings_says_what_sowing_seed_by_seed_says(houses, seeds):
    game, chooser = Kalah(houses, seeds), random.Random(seeds)
    for _ in range(20):
        s, board, turn = game.initial(), ([seeds] * houses + [0]) * 2, 0
        while not game.is_terminal(s):
            house = chooser.choice(list(game.actions(s)))
            s, (board, turn) = game.result(s, house), sow(houses, board, turn, house)
            south, north = game.sides(s)
            assert south + north == board
            assert s.turn == turn


# What the first player wins by, with 1, 2, 3 … seeds a house: brute force, by another program than this one.
SOLVED = {
    1: [0, -2, 6, -2, 2, 0],
    2: [2, -2, -2, -10, 6, 8],
    3: [0, 4, 2],
    4: [2],
}


@pytest.mark.parametrize(("houses", "values"), SOLVED.items())
def test_small_boards_have_their_known_values(houses, values, value_of):
    for seeds, value in enumerate(values, 1):
        game = Kalah(houses, seeds, count=True)
        assert value_of(game)(game.initial()) == value
        plain = Kalah(houses, seeds, empty_captures=True)
        assert value_of(plain)(plain.initial()) == (value > 0) - (value < 0)


def test_captures_and_further_turns_are_noisy_and_come_first(game):
    s = game.read("1,0,1,5,3,0,14/2,1,2,3,7,0,9 S")
    noisy = {game.show_action(s, a): game.is_noisy(s, a) for a in game.actions(s)}
    assert noisy == {"1": True, "3": False, "4": False, "5": False}
    s = game.initial()
    assert [a + 1 for a in game.actions(s) if game.is_noisy(s, a)] == [3]
    assert max(game.actions(s), key=lambda a: game.priority(s, a)) == 2


def test_the_estimate_is_the_difference_of_the_stores(game, play):
    s = play(game, "3")
    assert (game.evaluate(s, 0), game.evaluate(s, 1)) == (1 / 48, -1 / 48)
    counted = Kalah(count=True)
    assert counted.evaluate(s, 0) == 1.0


def test_the_board_is_drawn(game, play):
    assert game.show(play(game, "3")).splitlines() == [
        "       6   5   4   3   2   1  north",
        "       4   4   4   4   4   4",
        "   0                           1",
        "       4   4   0   5   5   5",
        "       1   2   3   4   5   6  south",
        "south to move",
    ]


@pytest.mark.parametrize("options", [(0, 4), (6, 0), (7, 30), (40, 1)])
def test_boards_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        Kalah(*options)


@pytest.mark.parametrize(
    "text", ["4/4 S", "4,4,4,4,4,4,0/4,4,4,4,4,4,0", "4,4,4,4,4,4,1/4,4,4,4,4,4,0 S", "0,0,0,0,0,0,24/4,4,4,4,4,4,0 N"]
)
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
