from __future__ import annotations

import contextlib
import random

import pytest

from zermelo.errors import InputError
from zermelo.games import load
from zermelo.games.backgammon.board import Phase, read_position
from zermelo.games.backgammon.mat import MatGame, MatMatch, read_match, rules_of, start_of, write_match

TEXT = """\
; [EventDate "2026.01.01"]

 3 point match

 Game 1
 Ann Lee : 0                    Bob : 0
  1)                             31: 8/5 6/5
  2) 65: 24/18 18/13             42: 8/4 6/4
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann Lee : 1                    Bob : 0
  1) 21: 24/23 13/11             44: 24/20(2) 13/9(2)
  2) 66: 24/18 13/7 13/7 8/2      Doubles => 2
  3)  Takes                      11: 6/5(2) 9/8(2)
                                  Wins 2 points
"""


def test_a_match_is_read():
    match = read_match(TEXT)
    assert (match.length, match.players) == (3, ("Ann Lee", "Bob"))
    first, second = match.games
    assert (first.score, first.winner, first.points) == ((0, 0), 0, 1)
    assert (second.score, second.winner, second.points, second.crawford) == ((1, 0), 1, 2, False)
    rules = rules_of(match.length)
    s = start_of(rules, second)
    for action in second.actions:
        s = rules.result(s, action)
    position = read_position(s.data)
    assert (position.cube, position.owner, position.turn, position.phase) == (2, 0, 0, Phase.DECIDE)


def test_who_begins_is_told_by_the_column():
    match = read_match(TEXT)
    rules = rules_of(3)
    turns = [read_position(rules.result(start_of(rules, game), game.actions[0]).data).turn for game in match.games]
    assert turns == [1, 0]


def test_what_is_written_is_read_again():
    match = read_match(TEXT)
    assert read_match(write_match(match)) == match


@pytest.mark.parametrize("names", [("A" * 30, "Bob"), ("A" * 40, "B" * 40), ("", ""), ("Ann", ""), ("", "Bob")])
def test_any_length_of_names_is_written_and_read_again(names):
    match = read_match(TEXT)._replace(players=names)
    assert read_match(write_match(match)) == match


@pytest.mark.parametrize("game", ["Game 1 ", "Game 1\t", "\tGame  1"])
def test_blanks_around_the_number_of_a_game_do_no_harm(game):
    assert read_match(TEXT.replace(" Game 1", game)) == read_match(TEXT)


@pytest.mark.parametrize("names", ["A" * 36 + " : 0 Bob : 0", "Ann Lee : 0\t\t\tBob : 0", "Ann : 0    Bob : 0"])
@pytest.mark.parametrize("gap", [" " * 29, "\t\t\t\t"])
def test_the_right_column_is_found_beside_long_names_and_behind_tabs(names, gap):
    text = f" 3 point match\n\n Game 1\n {names}\n  1){gap}31: 8/5 6/5\n  2) 65: 24/18 18/13\n{gap}Wins 1 point\n"
    (game,) = read_match(text).games
    assert game.actions[0] == 1 << 3 | 3
    assert game.winner == 1


def test_the_crawford_game_is_the_first_at_its_score():
    match = read_match(TEXT + "\n Game 3\n Ann Lee : 1    Bob : 2\n  1) 31: 8/5 6/5    65: 24/13\n      Wins 1 point\n")
    assert [game.crawford for game in match.games] == [False, False, True]


@pytest.mark.parametrize("length", [0, 1, 5])
@pytest.mark.parametrize("seed", range(3))
def test_random_matches_survive(length, seed):
    dice, rules = random.Random(seed), rules_of(length)
    games, score, crawford = [], [0, 0], False
    while len(games) < 4 and max(score) < (length or 1000):
        start = MatGame((score[0], score[1]), crawford, ())
        s, actions = start_of(rules, start if length else start._replace(score=(0, 0))), []
        while True:
            actions.append(dice.choice(rules.actions(s)))
            s = rules.result(s, actions[-1])
            position = read_position(s.data)
            if position.phase in (Phase.OPENING, Phase.OVER):
                break
        now = position.score
        winner = position.turn if position.phase == Phase.OVER else int(now[1] > score[1])
        points = position.points or now[winner] - score[winner]
        games.append(start._replace(actions=tuple(actions), winner=winner, points=points))
        score[winner] += points
        crawford = bool(length) and position.crawford
    match = MatMatch(length, ("white", "black"), tuple(games))
    assert read_match(write_match(match)) == match


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("3 point match", "no match", "no match file"),
        ("3 point match", "99 point match", "up to 64"),
        ("31: 8/5 6/5", "31: 8/5 6/4", "line 7"),
        ("31: 8/5 6/5", "31: x/y", "line 7"),
        ("65: 24/18 18/13", "66: 24/18 18/13", "line 8"),
        ("Takes", "Drops                      Takes", "line 16"),
        ("Ann Lee : 1", "Ann Lee : 3", "over at this score"),
        ("11: 6/5(2) 9/8(2)", "11: 6/5(2) 9/8(2)  11: 6/5", "line 16"),
        ("65: 24/18 18/13", "77: 24/18 18/13", "77 is no roll of two dice"),
        ("  2) 65:", "  3) 65:", "after number 1 is number 2"),
        (" Takes", " Beavers => 4", "beavers are not played here"),
        ("Wins 1 point", "Wins 2 points", "left column has won 1"),
        ("      Wins 1 point\n", " " * 34 + "Wins 1 point\n", "left column has won 1"),
        ("Wins 2 points", "Wins 7 points", "with the cube on 2, nobody wins 7"),
        ("Ann Lee : 0                    Bob : 0", "Ann Lee 0   Bob 0", "line 6 .* names and scores"),
        ("Game", "Play", "no games"),
        ("Ann Lee : 1                    Bob : 0", "Ann Lee : 0                    Bob : 2", "the score is 1 to 0"),
    ],
)
def test_what_cannot_be_played_is_refused_with_its_line(old, new, why):
    with pytest.raises(InputError, match=why):
        read_match(TEXT.replace(old, new))


@pytest.mark.parametrize("seed", range(200))
def test_no_text_breaks_the_reader(seed):
    dice = random.Random(seed)
    letters = list(TEXT)
    for _ in range(dice.randint(1, 40)):
        letters[dice.randrange(len(letters))] = dice.choice(' \n:/()*0123456789)DTWé"')
    with contextlib.suppress(InputError):
        match = read_match("".join(letters))
        assert write_match(match)


def test_a_file_in_which_the_crawford_game_is_named_twice_is_read_up_to_there():
    rules = load("backgammon:match=3,cube=yes")
    again = " Game 3\n Ann : 2        Bob : 0\n  1) 31: 8/5 6/5   65: 24/13\n  2)  Doubles => 2  Drops\n"
    text = f" 3 point match\n\n Game 1\n Ann : 2        Bob : 0\n\n{again}"
    start, actions = rules.read_record(text)
    assert read_position(start.data).crawford
    assert actions == []
