from __future__ import annotations

import pytest

from zermelo.engine import compile_game
from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.games.checkers import Checkers


@pytest.fixture(scope="module")
def game():
    return Checkers()


def legal(game, text):
    s = game.read(text)
    return sorted(game.show_action(s, a) for a in game.actions(s))


def after(game, text, move):
    s = game.read(text)
    return game.write(game.result(s, game.read_action(s, move)))


def test_perft(game):
    compiled = compile_game(game)
    counts = [compiled.perft(game.initial(), depth).leaves for depth in range(1, 10)]
    assert counts == [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]


def test_the_beginning(game):
    s = game.initial()
    assert [game.show_action(s, a) for a in game.actions(s)] == [
        "9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16",
    ]  # fmt: skip


def test_men_go_ahead_and_kings_both_ways(game):
    assert legal(game, "B:W32:B14") == ["14-17", "14-18"]
    assert legal(game, "W:W18:B1") == ["18-14", "18-15"]
    assert legal(game, "B:W32:BK14") == ["14-10", "14-17", "14-18", "14-9"]


def test_nothing_steps_over_the_edge(game):
    assert legal(game, "B:W32:BK4") == ["4-8"]
    assert legal(game, "B:W32:BK5") == ["5-1", "5-9"]
    assert legal(game, "B:WK1:BK28") == ["28-24", "28-32"]
    assert legal(game, "B:W13,12:B9,8") == ["8-11", "9-14"]
    assert legal(game, "B:W9,8:B5,4") == ["4x11", "5x14"]


def test_jumps_are_forced_and_go_on(game):
    assert legal(game, "W:W22,21:B18,11,3") == ["22x15x8"]
    assert after(game, "W:W22,21:B18,11,3", "22x15x8") == "B:W8,21:B3"
    assert after(game, "W:W22,21:B18,11,3", "22x8") == "B:W8,21:B3"


def test_one_may_choose_the_shorter_jump(game):
    assert legal(game, "W:W22:B17,18,11") == ["22x13", "22x15x8"]


def test_a_man_stops_where_it_is_crowned(game):
    text = "W:W11:B7,6"
    assert legal(game, text) == ["11x2"]
    assert after(game, text, "11x2") == "B:WK2:B6"
    assert legal(game, "W:WK11:B7,6") == ["11x2x9"]


def test_a_king_may_come_back_to_where_it_began(game):
    text = "W:WK22:B18,10,9,17"
    assert legal(game, text) == ["22x13x6x15x22", "22x15x6x13x22"]
    assert after(game, text, "22x15x6x13x22") == "B:WK22:B"
    with pytest.raises(ActionError):
        game.read_action(game.read(text), "22x22")


def test_whoever_cannot_move_loses(game):
    for text in ("B:W9,14:B5", "B:W21:B"):
        s = game.read(text)
        assert game.is_terminal(s)
        assert legal(game, text) == []
        assert game.utilities(s) == (-1.0, 1.0)


def test_quiet_moves_are_counted_if_asked():
    game = Checkers(draw_after=2)
    s = game.read("B:WK32:BK1")
    for word in ("1-6", "32-28", "6-1"):
        s = game.result(s, game.read_action(s, word))
        assert not game.is_terminal(s)
    assert game.write(s) == "W:WK28:BK1:H3"
    s = game.result(s, game.read_action(s, "28-32"))
    assert game.is_terminal(s)
    assert list(game.actions(s)) == []
    assert game.utilities(s) == (0.0, 0.0)
    man = game.read("B:WK32:B5:H3")
    assert game.result(man, next(iter(game.actions(man)))).quiet == 0


def test_captures_are_noisy_and_only_king_moves_can_be_undone(game):
    s = game.read("W:W22,21:B18,11,3")
    (a,) = game.actions(s)
    assert game.is_noisy(s, a)
    assert game.is_irreversible(s, a)
    kings = game.read("W:WK22,21:B3")
    undone = {game.show_action(kings, a): game.is_irreversible(kings, a) for a in game.actions(kings)}
    assert undone == {"22-17": False, "22-18": False, "22-25": False, "22-26": False, "21-17": True}
    assert not any(game.is_noisy(kings, a) for a in game.actions(kings))


def test_the_estimate_counts_men_and_kings(game):
    assert game.evaluate(game.initial(), 0) == 0.0
    s = game.read("B:WK19:B14")
    # A king in the middle, worth 160, against a man that has gone three rows.
    assert game.evaluate(s, 0) == (112 - 160) / game.scale


def test_the_board_is_drawn(game, play):
    s = play(game, "11-15")
    assert game.show(s).splitlines() == [
        "  b   b   b   b    1 to 4",
        "b   b   b   b      5 to 8",
        "  b   b   .   b    9 to 12",
        ".   .   b   .     13 to 16",
        "  .   .   .   .   17 to 20",
        "w   w   w   w     21 to 24",
        "  w   w   w   w   25 to 28",
        "w   w   w   w     29 to 32",
        "white to move",
    ]


@pytest.mark.parametrize(
    "text",
    ["B", "B:W1:W2", "X:W1:B2", "B:W33:B1", "B:W1:B1", "B:W1,1:B2", "B:W21:B32", "B:W2:B5", "B:WK:B1", "B:W21:B1:H3"],
)
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)


def test_options_that_cannot_be_are_refused():
    with pytest.raises(OptionError):
        Checkers(draw_after=-1)
