from __future__ import annotations

import random

import pytest

from zermelo.engine import compile_game
from zermelo.errors import OptionError, PositionError
from zermelo.games.morris import Morris
from zermelo.games.morris.rules import HAND, NAMES

LINES = [
    "a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
]  # fmt: skip
MILLS = [frozenset(NAMES.index(name) for name in line.split()) for line in LINES]


@pytest.fixture(scope="module")
def game():
    return Morris()


def legal(game, text):
    s = game.read(text)
    return sorted(game.show_action(s, a) for a in game.actions(s))


def after(game, text, move):
    s = game.read(text)
    return game.result(s, game.read_action(s, move))


def test_perft(game):
    compiled = compile_game(game)
    counts = [compiled.perft(game.initial(), depth).leaves for depth in range(1, 6)]
    # The fifth man may be the third of a mill (16 lines, 3! orders, 21 · 20 replies), which has two men to choose from.
    assert counts == [24, 552, 12144, 255024, 24 * 23 * 22 * 21 * 20 + 16 * 6 * 21 * 20]


def by_lines(game, s):
    """The legal actions, found from the list of lines: neighbours are next to each other in one."""
    mine = {i for i in range(24) if (s.mine >> i) & 1}
    theirs = {i for i in range(24) if (s.theirs >> i) & 1}
    free = set(range(24)) - mine - theirs
    orders = [[NAMES.index(name) for name in line.split()] for line in LINES]
    joined = {frozenset(pair) for order in orders for pair in (order[:2], order[1:])}
    prey = {i for i in theirs if not any(i in mill and mill <= theirs for mill in MILLS)} or theirs
    anywhere = s.hand > 0 or (game.flying and len(mine) == 3)
    found = set()
    for start in [HAND] if s.hand else mine:
        for to in free:
            if anywhere or {start, to} in joined:
                closes = any(to in mill and mill <= (mine - {start}) | {to} for mill in MILLS)
                found |= {625 * start + 25 * to + taken for taken in (prey if closes else [HAND])}
    return found


@pytest.mark.parametrize(("men", "flying"), [(9, True), (9, False), (5, True), (3, True)])
def test_rings_of_bits_find_what_the_list_of_lines_finds(men, flying):
    game, chooser = Morris(men, flying), random.Random(men)
    for _ in range(10):
        s = game.initial()
        for _ply in range(100):
            expected = by_lines(game, s) if s.mine.bit_count() + s.hand >= 3 else set()
            actions = list(game.actions(s))
            assert set(actions) == expected
            assert game.is_terminal(s) == (not expected)
            if not expected:
                break
            noisy = [a for a in actions if game.is_noisy(s, a)]
            s = game.result(s, chooser.choice(noisy or actions))


def test_a_mill_takes_a_man_that_is_in_none(game):
    text = "w.b/..b/.../w..bbb/.../.../... w 3 3"
    noisy = [move for move in legal(game, text) if "x" in move]
    assert noisy == ["a1xf6", "a1xg7"]
    assert game.write(after(game, text, "a1xg7")) == "w../..b/.../w..bbb/.../.../w.. b 2 3"


def test_a_man_in_a_mill_is_taken_if_all_are(game):
    text = "w../.../.../w..bbb/.../.../... w 6 6"
    assert [move for move in legal(game, text) if "x" in move] == ["a1xe4", "a1xf4", "a1xg4"]


def test_a_side_with_three_men_flies(game):
    text = "w.w/.../.../...bbb/.../w../... w 0 0"
    assert "b2-d7xe4" in legal(game, text)
    assert legal(Morris(flying=False), text) == [
        "a7-a4", "a7-d7", "b2-b4", "b2-d2", "g7-d7",
    ]  # fmt: skip


def test_whoever_has_two_men_left_loses(game):
    s = after(game, "ww./.../.../.....w/..b/b.b/... w 0 0", "g4-g7xe3")
    assert game.is_terminal(s)
    assert list(game.actions(s)) == []
    assert game.utilities(s) == (1.0, -1.0)


def test_whoever_cannot_move_loses(game):
    s = game.read("www/.b./.../b...bw/.../.../..b w 0 0")
    assert game.is_terminal(s)
    assert list(game.actions(s)) == []
    assert game.utilities(s) == (-1.0, 1.0)


def test_only_moves_that_take_nothing_can_be_undone(game):
    placing = game.initial()
    assert all(game.is_irreversible(placing, a) for a in game.actions(placing))
    moving = game.read("ww./.../.../.....w/..b/b.b/..b w 0 0")
    for a in game.actions(moving):
        assert game.is_irreversible(moving, a) == game.is_noisy(moving, a) == ("x" in game.show_action(moving, a))


def test_mills_come_first_and_then_what_stops_one(game):
    s = game.read("ww./bb./.../....../.../.../... w 7 7")
    order = sorted(game.actions(s), key=lambda a: -game.priority(s, a))
    assert [game.show_action(s, a) for a in order[:3]] == ["g7xb6", "g7xd6", "f6"]


def test_the_estimate_counts_men_and_chances(game, play):
    assert game.evaluate(game.initial(), 0) == 0.0
    # A point with four neighbours against one with two.
    assert game.evaluate(play(game, "d6 a1"), 0) == 3 * (4 - 2) / game.scale


def test_the_board_is_drawn(game, play):
    s = play(game, "a7 d6 a4 e4")
    assert game.write(s) == "w../.b./.../w..b../.../.../... w 7 7"
    assert game.show(s).splitlines() == [
        "7  w-----.-----.",
        "   |     |     |",
        "6  | .---b---. |",
        "   | |   |   | |",
        "5  | | .-.-. | |",
        "   | | |   | | |",
        "4  w-.-.   b-.-.",
        "   | | |   | | |",
        "3  | | .-.-. | |",
        "   | |   |   | |",
        "2  | .---.---. |",
        "   |     |     |",
        "1  .-----.-----.",
        "   a b c d e f g",
        "white to move; still to place: white 7, black 7",
    ]


@pytest.mark.parametrize("men", [2, 10])
def test_numbers_of_men_that_cannot_be_are_refused(men):
    with pytest.raises(OptionError):
        Morris(men)


@pytest.mark.parametrize(
    "text",
    [
        "w../.../.../....../.../.../... w 9 9",
        "w../.../.../....../.../.../... w 8 9",
        ".../.../.../....../.../.../... w 9",
        "w.../.../.../....../.../.../... b 8 9",
        "www/.../.../bb..../.../.../... w 0 0",
    ],
)
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
