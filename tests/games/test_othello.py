from __future__ import annotations

import random

import pytest

from zermelo.engine import compile_game
from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.games.othello import Othello, patterns

PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


@pytest.fixture(scope="module")
def game():
    return Othello()


def legal(game, s):
    return [game.show_action(s, a) for a in game.actions(s)]


def test_perft(game):
    compiled = compile_game(game)
    counts = [compiled.perft(game.initial(), depth) for depth in range(1, 10)]
    assert [count.leaves for count in counts] == PERFT
    # Published tables count games that have ended at their last position: 24,571,284 at depth 10 are 228 more.
    assert counts[-1].ended == 228


@pytest.mark.parametrize("size", [4, 6, 8])
def test_patterns_are_the_same_wherever_they_lie(size):
    game = Othello(size)
    compiled, chance = compile_game(game), random.Random(size)
    for _ in range(5):
        s = game.initial()
        while not game.is_terminal(s):
            for p in (0, 1):
                on = compiled.inputs(s, p)
                assert on == list(game.inputs(s, p))
                assert max(on) < game.input_count
                turned = game.symmetric(s, chance.randrange(8))
                assert sorted(compiled.inputs(turned, p)) == sorted(on)
            assert 0 <= game.stage(s) < game.stage_count
            swapped = s._replace(mine=s.theirs, theirs=s.mine, turn=1 - s.turn)
            assert compiled.inputs(swapped, s.turn) == compiled.inputs(s, s.turn)
            s = game.result(s, chance.choice(list(game.actions(s))))
    assert len(on) == {4: 17, 6: 37, 8: 49}[size]


def test_patterns_tell_what_lies_on_them(game):
    s = game.read("XO------" + "-X------" + "-" * 48 + " X")
    on = set(compile_game(game).inputs(s, 0))
    edge = 1 + 2 * 3 + 3**8
    assert patterns.EDGES + edge in on
    assert patterns.LINES + 3 in on  # the second row, or the second column backward
    assert patterns.BLOCKS + 1 + 2 * 3 + 3 ** (5 + 1) in on
    assert patterns.CORNERS + 1 + 2 * 3 + 3**4 in on
    assert patterns.CORNERS + 1 + 2 * 3**3 + 3**4 not in on  # the same with rows and columns exchanged
    assert patterns.EMPTY + 61 in on


def test_the_beginning(game, play):
    assert legal(game, game.initial()) == ["d3", "c4", "f5", "e6"]
    assert legal(game, play(game, "f5")) == ["f4", "d6", "f6"]


def by_rays(game, s, a):
    """The discs that `a` turns over, found by walking from cell to cell."""
    size, turned = game.columns, 0
    for dx, dy in ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)):
        x, y, run = a % size + dx, a // size + dy, 0
        while 0 <= x < size and 0 <= y < size and (s.theirs >> (y * size + x)) & 1:
            run |= 1 << (y * size + x)
            x, y = x + dx, y + dy
        if 0 <= x < size and 0 <= y < size and (s.mine >> (y * size + x)) & 1:
            turned |= run
    return turned


@pytest.mark.parametrize("size", [4, 6, 8])
def test_fills_find_what_walking_along_rays_finds(size):
    game, chooser = Othello(size), random.Random(size)
    for _ in range(10):
        s = game.initial()
        while not game.is_terminal(s):
            empty = [a for a in range(game.cells) if not ((s.mine | s.theirs) >> a) & 1]
            turned = {a: by_rays(game, s, a) for a in empty}
            expected = [a for a in empty if turned[a]] or [game.cells]
            assert list(game.actions(s)) == expected
            for a in expected:
                if a != game.cells:
                    assert game.turned(s.mine, s.theirs, a) == turned[a]
            s = game.result(s, chooser.choice(expected))


def test_a_pass_is_legal_only_without_a_move(game):
    s = game.read("OX------" + "-" * 56 + " O")
    assert legal(game, s) == ["c1"]
    s = game.read("OX------" + "-" * 56 + " X")
    assert legal(game, s) == ["pass"]
    with pytest.raises(ActionError):
        game.read_action(s, "c1")
    assert game.result(s, game.read_action(s, "pass")) == game.read("OX------" + "-" * 56 + " O")


def test_the_shortest_game_takes_nine_moves(game, play):
    s = play(game, "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert game.is_terminal(s)
    assert legal(game, s) == []
    assert game.utilities(s) == (1.0, -1.0)


def test_empty_cells_count_for_the_winner():
    discs = Othello(discs=True)
    lone = discs.read("XX" + "-" * 62 + " O")
    assert discs.utilities(lone) == (64.0, -64.0)
    assert discs.utilities(discs.read("X" * 40 + "O" * 24 + " X")) == (16.0, -16.0)
    assert discs.utilities(discs.read("XO" * 32 + " X")) == (0.0, 0.0)


def test_four_by_four_is_lost_for_the_first_player(value_of):
    discs = Othello(4, discs=True)
    # 3 discs to 11; the two empty cells count for the winner.
    assert value_of(discs)(discs.initial()) == -10.0


def test_corners_are_tried_first_and_the_cells_beside_them_last(game):
    s = game.read("--OX----" + "-O------" + "--X-----" + "-" * 40 + " X")
    first = sorted(game.actions(s), key=lambda a: -game.priority(s, a))
    assert game.show_action(s, first[0]) == "a1"
    assert game.show_action(s, first[-1]) == "b1"


def test_the_estimate_likes_corners(game):
    with_corner = game.read("X-------" + "-" * 20 + "OX------XO" + "-" * 26 + " X")
    assert game.evaluate(with_corner, 0) > 0 > game.evaluate(with_corner, 1)
    assert game.evaluate(game.initial(), 0) == 0.0


def test_stable_discs_stand_in_corners_beside_stable_ones_and_where_all_lines_are_full():
    game = Othello()
    s = game.read("XXX-----" + "XX------" + "X-------" + "-" * 38 + "O-" + " X")
    assert game.stable(s.mine, s.mine | s.theirs).bit_count() == 6
    assert game.stable(s.theirs, s.mine | s.theirs).bit_count() == 0
    full = game.read("XO" * 31 + "X-" + " X")
    assert full.mine.bit_count() > game.stable(full.mine, full.mine | full.theirs).bit_count() > 20
    assert game.upper_bound(game.initial(), 0) == 1.0


@pytest.mark.parametrize("size", [4, 6, 8])
def test_nobody_gets_more_than_the_bound_at_any_time_before(size):
    game = Othello(size, discs=True)
    dice = random.Random(size)
    for _ in range(40):
        states = [game.initial()]
        while not game.is_terminal(states[-1]):
            states.append(game.result(states[-1], dice.choice(list(game.actions(states[-1])))))
        for p in (0, 1):
            got = game.utility(states[-1], p)
            assert all(game.upper_bound(s, p) >= got for s in states[:-1])


def test_an_ending_likes_corners_and_quarters_with_an_odd_number_of_empty_cells():
    game = Othello()
    s = game.read("--OX----" + "-O------" + "--X-----" + "-" * 40 + " X")
    assert game.remaining_plies(s) == 60
    # In the quarter of a1 twelve cells are empty; a full quarter but for one cell is odd.
    assert game.ending_priority(s, 0) == 2.0
    assert game.ending_priority(game.read("-" + "X" * 3 + ("O" * 4 + "X" * 4) * 7 + "----" + " O"), 0) == 3.0


def test_the_board_is_drawn(game, play, board):
    s = play(game, "f5")
    assert game.show(s) == board("""
           a b c d e f g h
        1  - - - - - - - -
        2  - - - - - - - -
        3  - - - - - - - -
        4  - - - O X - - -
        5  - - - X X X - -
        6  - - - - - - - -
        7  - - - - - - - -
        8  - - - - - - - -
        white (O) to move
    """)
    assert game.write(s) == "-" * 27 + "OX------XXX" + "-" * 26 + " O"
    rows = "......../......../......../...ox.../...xxx../......../......../........ o"
    assert game.read(rows) == s


@pytest.mark.parametrize("size", [2, 5, 7, 10])
def test_boards_that_cannot_be_are_refused(size):
    with pytest.raises(OptionError):
        Othello(size)


@pytest.mark.parametrize("text", ["XO X", "-" * 64, "-" * 64 + " -", "-" * 63 + "Z X", "-" * 65 + " X"])
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
