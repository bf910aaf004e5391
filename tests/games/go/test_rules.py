"""Go: what is known about it, its famous shapes, how it is counted and searched."""

from __future__ import annotations

import itertools
import random

import pytest
from tests.games.go.boards import board, play

from zermelo import mcts, search
from zermelo.arena import make_player
from zermelo.engine.mcts import Mcts
from zermelo.errors import ActionError, PositionError
from zermelo.games.go import Go
from zermelo.games.go.board import point_name, read_point
from zermelo.play.notation import legal_actions

# Numbers that Tromp and Farnebäck published.


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12675)])
def test_as_many_boards_are_positions_as_are_known_to_be(size, legal):
    game, found = Go(size=size), 0
    for points in itertools.product(".XO", repeat=size * size):
        rows = ("".join(points[size * i : size * (i + 1)]) for i in range(size))
        try:
            game.read(f"{'/'.join(rows)} b - 0 0 0")
            found += 1
        except PositionError:
            pass
    assert found == legal


# Shapes.

SNAPBACK = """
    . . . .
    O O O .
    X X O .
    . . X .
"""


def test_a_snapback_takes_more_than_it_gave():
    game = Go(size=4)
    *_, after_throw, after_capture, end = play(game, game.read(board(SNAPBACK, "w")), "B1", "A1", "B1")
    assert game.prisoners(after_throw) == (0, 0)
    assert game.prisoners(after_capture) == (1, 0)
    assert game.prisoners(end) == (1, 3)
    assert game.stones(end) == ["....", "OOO.", "..O.", ".OX."]


def test_a_ladder_ends_at_the_edge():
    game = Go(size=9)
    start = game.read(
        board("""
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . X O . . . .
            . . . . X X . . .
            . . . . . . . . .
            . . . . . . . . .
        """)
    )
    path = play(
        game, start, *["E5", "F4", "G4", "F5", "F6", "G5", "H5", "G6", "G7", "H6", "J6", "H7", "H8", "J7", "J8"]
    )
    assert game.prisoners(path[-2]) == (0, 0)
    assert game.prisoners(path[-1]) == (8, 0)


def test_suicide_is_not_legal_unless_it_takes_something():
    game = Go(size=3)
    corner = game.read(board(". X . \n X . . \n . . ."))
    white = game.read(board(". X . \n X . . \n . . .", "w"))
    assert game.read_action(corner, "A3") == 6
    with pytest.raises(ActionError, match="suicide"):
        game.read_action(white, "A3")
    taking = game.read(board(". X O \n X O . \n O . .", "w"))
    assert game.prisoners(game.result(taking, game.read_action(taking, "A3"))) == (0, 2)


KO = """
    . X O .
    X O . O
    . X O .
    . . . .
"""


def test_a_ko_is_not_taken_back_at_once():
    game = Go(size=4)
    taken = play(game, game.read(board(KO)), "C3")[-1]
    assert game.write(taken).split()[2] == "b3"
    with pytest.raises(ActionError, match="ko"):
        game.read_action(taken, "B3")
    back = play(game, taken, "A1", "D1", "B3")[-1]
    assert game.stones(back)[1] == "XO.O"


TRIPLE_KO = """
    . X O . . . X O .
    X O . O . X . X O
    . X O . . . X O .
    . . . . . . . . .
    . . . . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . . . . . . . . .
"""


def test_superko_ends_a_triple_ko():
    game = Go(size=9)
    path = play(game, game.read(board(TRIPLE_KO)), "C8", "G8", "C3", "B8", "H8")
    last = game.read_action(path[-1], "B3")
    assert game.recurrence(game.result(path[-1], last)) == game.recurrence(path[0])
    assert last not in legal_actions(game, path[-1], path[:-1])
    assert last in game.actions(path[-1])


SEND_TWO = """
    X . X .
    . . O X
    . . O .
    . . . O
"""


def test_two_stones_sent_do_not_return_as_one():
    game = Go(size=4)
    path = play(game, game.read(board(SEND_TWO)), "D2", "D4")
    assert game.prisoners(path[-1]) == (0, 2)
    back = game.read_action(path[-1], "D3")
    assert game.stones(game.result(path[-1], back)) == game.stones(path[0])
    assert back not in legal_actions(game, path[-1], path[:-1])
    assert back in legal_actions(game, path[-1], ())


SEKI = """
    X X X O O
    X X X O O
    . X . O .
    X X O O O
    X X O O O
"""


def test_playouts_leave_a_seki_alone():
    game = Go(size=5)
    owned = game.ownership(game.read(board(SEKI)))
    for share, colour in zip(owned, game.colours(game.read(board(SEKI))), strict=True):
        if colour != ".":
            assert share > 0.7 if colour == "X" else share < -0.7
    assert game.dead(game.read(board(SEKI))) == set()


# Counting.

SPLIT = """
    . . X . O . .
    . . X . O . .
    . . X . O . .
    O . X . O . .
    . . X . O . .
    . . X . O . .
    . . X . O . .
"""


def test_dead_stones_count_for_whoever_surrounds_them():
    game = Go(size=7, komi=0, scoring="territory")
    split = game.read(board(SPLIT))
    assert game.dead(split) == {21}
    over = play(game, split, "pass", "pass")[-1]
    assert game.margin(over, game.dead(over)) == 1
    assert game.utilities(over) == (1.0, -1.0)


def test_area_counts_what_stands():
    game = Go(size=7, komi=0)
    over = play(game, game.read(board(SPLIT)), "pass", "pass")[-1]
    assert game.margin(over) == 7 - 8 - 14
    assert game.utilities(over) == (-1.0, 1.0)
    assert game.margin(over, {21}) == 0


@pytest.mark.parametrize(("komi", "value"), [(0, 1), (24.5, 1), (25, 0), (25.5, -1)])
def test_komi_decides_a_close_game(komi, value):
    game = Go(size=5, komi=komi)
    over = play(game, game.initial(), "C3", "pass", "pass")[-1]
    assert game.utility(over, 0) == value


def test_a_playout_of_territory_knows_what_was_taken_before():
    """Black has a prisoner more than the area shows."""
    ahead = Go(size=5, komi=0.5, scoring="territory")
    rows = SEKI.strip().splitlines()
    text = "/".join("".join(row.split()) for row in rows)
    plain, taken = (ahead.read(f"{text} b - 0 {n} 0") for n in (0, 1))
    assert ahead.native.own_playouts(taken, 200)[0] > ahead.native.own_playouts(plain, 200)[0]


def test_a_stone_that_cannot_be_saved_is_dead_and_a_living_group_is_not():
    game = Go(size=9)
    state = game.read(
        board("""
            . X O . . . . . .
            X . X O . . . . .
            X X X O . . . . .
            O O O O . . . . .
            . . . . . . X . .
            . . . . O O . . .
            . . . O . . . . .
            . . . . . . . . .
            . . . . . . . . .
        """)
    )
    dead = {point_name(p, 9) for p in game.dead(state)}
    assert "A8" not in dead
    assert "D8" not in dead


# What the rules think of moves before they are tried.


def test_captures_are_liked_and_eyes_are_not_filled():
    game = Go(size=4)
    state = game.read(board(". X O . \n X X . . \n O O X X \n . . . ."))
    actions = game.actions(state)
    values = {point_name(a, 4): v for a, (v, _) in zip(actions, game.native.priors(state, actions), strict=True)}
    assert values["A4"] < 0
    assert all(-1 <= value <= 1 for value in values.values())
    taking = game.read(board(". X . . \n X O . . \n . X . . \n . . . ."))
    values = dict(zip(game.actions(taking), game.native.priors(taking, game.actions(taking)), strict=True))
    assert max(values, key=lambda a: values[a][0]) == read_point("C3", 4)


def test_what_must_not_come_back_is_the_board_whoever_moves():
    game, chance = Go(size=3), random.Random(4)
    state = game.initial()
    for _ in range(30):
        if game.is_terminal(state):
            break
        passed = game.result(state, 9)
        assert game.recurrence(passed) != game.recurrence(state)
        state = game.result(state, chance.choice(game.actions(state)))
        stones = game.stones(state)
        turned = game.read(f"{'/'.join(stones)} {'wb'[game.player(state)]} - 0 0 0")
        if game.passes(state) == 0:
            assert game.recurrence(turned) == game.recurrence(state)
            assert game.key(turned) != game.key(state)


# Searched.


def test_a_search_is_by_monte_carlo_with_the_settings_of_the_game():
    game = Go(size=3, komi=8.5)
    found = search(game, nodes=200_000)
    assert found.method.startswith("mcts+uct+rave")
    assert point_name(found.action, 3) == "B2"
    assert found.value > 0


def test_a_player_takes_the_settings_of_the_game_unless_it_is_told_others():
    game = Go(size=3)
    for text, rave in (("mcts:simulations=10", 1000.0), ("mcts:simulations=10,rave=5", 5.0)):
        player = make_player(text)
        player.begin(game, 0)
        assert player.searcher.method.searcher.settings.rave == rave


def test_a_search_knows_that_superko_forbids_a_capture():
    game = Go(size=4)
    path = play(game, game.read(board(SEND_TWO)), "D2", "D4")
    back = game.read_action(path[-1], "D3")
    found = mcts(game, path[-1], history=path[:-1], simulations=400)
    assert back not in found.visits
    assert back in mcts(game, path[-1], simulations=400).visits


@pytest.mark.parametrize("threads", [1, 2])
def test_the_one_move_that_lives_is_found(threads):
    """The middle of a straight three decides between one eye and two, and so about the game."""
    game = Go(size=5, komi=-10)
    state = game.read(board(". . . X O \n X X X X O \n O O O O O \n . O . O . \n . . O . . "))
    found = Mcts(game, threads=threads).search(state, simulations=3000)
    assert point_name(found.action, 5) == "B5"
