"""The game in the terminal, driven by scripted input."""

from __future__ import annotations

import json


def lines(*typed):
    return "".join(f"{line}\n" for line in typed)


def test_a_game_against_a_player_with_everything_one_can_type(zermelo):
    typed = lines("undo", "a1", "garbage", "moves", "hint", "help", "undo", "b2", "", "resign")
    done = zermelo("play", "tictactoe", "--against", "random", "--seed", "1", typed=typed)
    assert done.exit_code == 0, done.output
    for part in ("nothing to take back", "o plays", "'garbage' is not a legal", "Taken back", "x resigns: o wins."):
        assert part in done.output


def test_the_end_of_input_ends_the_game_politely(zermelo):
    done = zermelo("play", "tictactoe", typed="")
    assert done.exit_code == 0
    assert "left unfinished" in done.output


def test_the_opponent_may_begin(zermelo):
    done = zermelo("play", "tictactoe", "--against", "random", "--second", "--seed", "1", typed=lines("quit"))
    assert "x plays" in done.output
    assert "o is you" in done.output


def test_two_bots_play_each_other(zermelo):
    done = zermelo("play", "nim", "--players", "search:depth=20,random", "--seed", "1")
    assert done.exit_code == 0
    assert "player 0 wins, that is search:depth=20." in done.output


def test_a_record_is_one_json_object(zermelo):
    found = zermelo.json("play", "pig", "--players", "random,random", "--seed", "3")
    assert found["players"] == ["random:seed=3", "random:seed=4"]
    assert sorted(found["utilities"]) == [-1.0, 1.0]
    again = zermelo.json("play", "pig", "--players", "random,random", "--seed", "3")
    assert {**found, "seconds": None} == {**again, "seconds": None}


def test_a_human_can_play_for_a_record(zermelo):
    done = zermelo("play", "tictactoe", "--against", "random", "--json", typed=lines("a1", "resign"))
    assert json.loads(done.stdout)["reason"] == "resignation"
    assert "x to move" in done.stderr


def test_hidden_information_stays_hidden_until_the_end(zermelo):
    done = zermelo("play", "blind-tictactoe", "--seed", "3", typed=lines("a1", "hint", "undo", "quit"))
    assert done.exit_code == 0
    assert "o has moved" in done.output
    assert "o plays" not in done.output


def test_who_chooses_second_is_not_told_what_the_first_has_chosen(zermelo):
    done = zermelo("play", "prisoners-dilemma", "--players", "human,human", typed=lines("confess", "quit"))
    assert "Ann has moved." in done.output
    assert "plays confess" not in done.output


def test_a_game_may_begin_anywhere(zermelo):
    done = zermelo("play", "tictactoe", "--position", "oo./xx./...", "--against", "random", typed=lines("c2"))
    assert "x wins, that is you." in done.output


def test_three_players_with_one_human(zermelo):
    done = zermelo("play", "kingmaker", "--against", "maxn:depth=3", typed=lines("1", "1", "1", "1", "1", "1", "1"))
    assert done.exit_code == 0
    assert "wins" in done.output


def test_bad_players_are_bad_input(zermelo):
    assert "no player is called" in zermelo.fails("play", "nim", "--players", "human,deepblue")
    assert "for 3 players, not 2" in zermelo.fails("play", "kingmaker", "--players", "random,random", "--json")
    assert "leave out" in zermelo.fails("play", "nim", "--players", "random,random", "--second")
    assert "no option 'dept'" in zermelo.fails("play", "nim", "--against", "alphabeta:dept=3")
    assert "cannot play" in zermelo.fails("play", "kingmaker", "--players", "pvs,pvs,pvs", "--json")
