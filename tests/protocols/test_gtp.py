"""GTP: what is answered to commands, right and wrong, for Go and for other games."""

from __future__ import annotations

import io
import os
import random
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.protocols.gtp_engine import SPLIT, Engine

from zermelo.errors import MethodError
from zermelo.protocols.gtp.game import GtpClock


def test_a_transcript():
    engine = Engine("go:size=5,komi=0.5")
    assert engine.ask("1 protocol_version", "2 name", "known_command play", "known_command dance") == [
        "=1 2",
        "=2 Zermelo",
        "= true",
        "= false",
    ]
    assert engine.ask("play black C3", "play w D3", "10 play white C3", "play w pass") == [
        "=",
        "=",
        *engine_error(10),
        "=",
    ]
    assert engine.told("move_history").splitlines() == ["white pass", "white D3", "black C3"]
    assert engine.ask("undo", "undo", "undo", "undo") == ["=", "=", "=", "? cannot undo"]
    assert "5  . . . . ." in engine.told("showboard")


def engine_error(number: int) -> list[str]:
    return [f"?{number} illegal move: C3 is not legal here: it is taken, suicide or a ko"]


def test_every_answer_ends_with_one_empty_line():
    engine = Engine()
    for line in ("name", "foo", "showboard", "list_commands", "genmove b", "final_status_list dead"):
        del engine.said[:]
        engine.server.handle(line)
        assert engine.said[-1] == ""
        assert "" not in engine.said[:-1]
        assert engine.said[0][0] in "=?"


def test_all_required_commands_are_known():
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    more = "undo time_settings time_left fixed_handicap place_free_handicap set_free_handicap final_score showboard"
    extra = "final_status_list kgs-genmove_cleanup kgs-time_settings loadsgf reg_genmove lz-analyze"
    known = set(Engine().told("list_commands").split())
    assert known >= {*required.split(), *more.split(), *extra.split()}


def test_one_may_always_pass():
    engine = Engine("go:size=5,komi=0.5")
    assert engine.ask("play b C3", *["play w pass", "play b pass"] * 4) == ["="] * 9
    engine = Engine("go:size=2,komi=0.5")
    engine.ask("play b A1", "play w B1", "play b B2", "play w pass", "play b pass")  # white has nowhere to play
    assert engine.told("is_legal w pass") == "1"
    assert engine.told("genmove w") == "pass"
    dice = random.Random(1)
    for _ in range(30):
        colour = dice.choice("bw")
        assert engine.told(f"is_legal {colour} pass") == "1"
        engine.told(f"play {colour} {dice.choice(engine.told(f'all_legal {colour}').split())}")


def test_a_move_of_its_own_is_legal_and_played():
    engine = Engine()
    for number in range(6):
        colour = ("b", "w")[number % 2]
        legal = engine.told(f"all_legal {colour}").split()
        kept = engine.told(f"reg_genmove {colour}")
        assert kept in legal
        assert len(engine.told("move_history").splitlines()) == number
        assert engine.told(f"genmove {colour}") in {*legal, "resign"}


def test_two_moves_of_one_colour_are_no_trouble_in_go():
    engine = Engine()
    assert engine.ask("play b A1", "play b B2", "genmove b", "genmove b") != []
    assert all(answer.startswith("=") for answer in engine.ask("play w pass", "undo", "genmove w"))


def test_superko_makes_a_move_illegal():
    engine = Engine("go:size=4")
    moves = ["b A4", "w C3", "b C4", "w C2", "b D3", "w D1", "b D2", "w D4"]
    assert set(engine.ask(*(f"play {move}" for move in moves))) == {"="}
    assert engine.told("is_legal b D3") == "0"
    (answer,) = engine.ask("play b D3")
    assert answer.startswith("? illegal move")


def test_komi_and_size_are_set_for_the_game():
    engine = Engine()
    assert engine.told("boardsize 9") == ""
    assert engine.told("query_boardsize") == "9"
    engine.told("play b E5")
    engine.told("komi 5.5")
    assert engine.told("get_komi") == "5.5"
    assert len(engine.told("move_history").splitlines()) == 1
    assert engine.told("final_score") == "B+75.5"
    assert engine.ask("boardsize 99", "boardsize 1", "boardsize x", "boardsize") == ["? unacceptable size"] * 4
    assert engine.ask("komi x", "komi nan", "komi 0.3")[0] == "? syntax error: komi is a number"


def test_handicap_stones_are_placed_once_on_an_empty_board():
    engine = Engine("go:size=9")
    assert set(engine.told("fixed_handicap 3").split()) == {"C3", "G7", "C7"}
    engine.told("clear_board")
    assert set(engine.told("fixed_handicap 4").split()) == {"C3", "G7", "G3", "C7"}
    assert engine.ask("fixed_handicap 2") == ["? board not empty"]
    engine.told("clear_board")
    assert len(engine.told("place_free_handicap 12").split()) == 9
    engine.told("clear_board")
    assert engine.told("set_free_handicap A1 B2 C3") == ""
    assert engine.told("genmove white")
    engine.told("clear_board")
    for bad in (
        "set_free_handicap A1",
        "set_free_handicap A1 A1",
        "set_free_handicap A1 Z9",
        "set_free_handicap A1 pass",
    ):
        assert engine.ask(bad) == ["? bad vertex list"]
    for bad in ("fixed_handicap", "fixed_handicap 1", "fixed_handicap x", "fixed_handicap 99999999999999"):
        assert engine.ask(bad) == ["? invalid number of stones"]


def test_the_score_knows_dead_stones():
    engine = Engine("go:size=7,komi=0.5")
    engine.ask(*SPLIT)
    assert engine.told("final_status_list dead") == "A4"
    assert "C1" in engine.told("final_status_list alive").split()
    assert engine.told("final_status_list seki") == ""
    assert engine.told("final_score") == "W+0.5"
    assert engine.ask("final_status_list", "final_status_list what")[0].startswith("? syntax error")


def test_dead_stones_are_cleaned_up_before_a_pass():
    engine = Engine("go:size=7,komi=0.5", seconds=0.1)
    engine.ask(*SPLIT)
    for _ in range(20):
        move = engine.told("kgs-genmove_cleanup b")
        if move == "pass":
            break
        engine.told("play w pass")
    assert "A4" not in engine.told("final_status_list dead").split()
    assert int(engine.told("captures b")) >= 1


def test_whoever_has_won_passes_after_a_pass():
    engine = Engine("go:size=5,komi=0.5")
    engine.ask("play b C3", "play w pass")
    assert engine.told("genmove b") == "pass"


def test_games_come_from_files_and_go_to_answers(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[9]KM[3.5];B[ee];W[ec];B[gd])")
    engine = Engine()
    assert engine.told(f"loadsgf {file}") == "white"
    assert len(engine.told("move_history").splitlines()) == 3
    assert engine.told(f"loadsgf {file} 2") == "white"
    assert all(a.startswith("? syntax error") for a in engine.ask(f"loadsgf {file} abc", f"loadsgf {file} -1"))
    assert engine.told("move_history") == "black E5"
    assert engine.told("get_komi") == "3.5"
    assert ";B[ee]" in engine.told("printsgf")
    bad = tmp_path / "bad.sgf"
    bad.write_text("(;B[")
    assert all(a.startswith("? cannot load file") for a in engine.ask(f"loadsgf {bad}", "loadsgf /nowhere/at/all"))
    endless = tmp_path / "pipe.sgf"
    os.mkfifo(endless)
    assert all(a == "? cannot load file" for a in engine.ask(f"loadsgf {endless}", "loadsgf /dev/zero"))
    assert engine.told("get_komi") == "3.5"


def test_a_file_is_loaded_up_to_the_move_that_is_asked_for(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9];B[ee];W[ec];B[ee])")
    engine = Engine()
    assert engine.ask(f"loadsgf {file}")[0].startswith("? cannot load file: node 3")
    assert engine.told(f"loadsgf {file} 3") == "black"
    assert len(engine.told("move_history").splitlines()) == 2


def test_stones_set_up_between_moves_are_on_the_board_and_in_the_file(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9];W[ee];AB[aa];B[ff];AW[bb])")
    engine = Engine()
    engine.told(f"loadsgf {file}")
    board, told = engine.told("showboard"), engine.told("printsgf")
    assert "9  X . . . . . . . .\n8  . O . . . . . . ." in board
    assert [line for line in told.splitlines() if line[:2] == ";A"] == [";AB[aa]PL[B]", ";AW[bb]PL[W]"]
    file.write_text(told)
    engine.told(f"loadsgf {file}")
    assert engine.told("showboard") == board
    engine.told("undo")
    assert "9  X . . . . . . . .\n8  . . . . . . . . ." in engine.told("showboard")


def test_analysis_goes_on_until_the_next_command():
    engine = Engine("go:size=5", seconds=0.2)
    del engine.said[:]
    engine.server.handle("5 lz-analyze b 1")
    engine.server.board.session.search.join(0.5)
    engine.server.handle("6 name")
    assert engine.said[0] == "=5"
    end = engine.said.index("")
    pattern = r"info move \S+ visits \d+ winrate \d+ lcb \d+ order 0 pv \S+.*"
    assert end > 1
    assert all(re.fullmatch(pattern, line) for line in engine.said[1:end])
    assert engine.said[end + 1 :] == ["=6 Zermelo", ""]
    del engine.said[:]
    engine.server.handle("lz-genmove_analyze b 5")
    assert re.fullmatch(r"play \S+", engine.said[-2])
    assert len(engine.told("move_history").splitlines()) == 1


def test_clocks_leave_time_for_the_rest_of_the_game():
    clock = GtpClock(5.0)
    assert clock.clock(0, 30).move_seconds == 5.0
    clock.set(0, 30, 10)
    assert clock.clock(1, 30).move_seconds == pytest.approx(2.7)
    clock.set(100, 10, 1)
    assert clock.clock(0, 20).move_seconds == pytest.approx(13.5)
    clock.set(100, 0, 0)
    assert clock.clock(0, 30).left(0) == 100
    clock.set(100, 10, 1)
    clock.tell(0, 3, 0)
    assert 8 < clock.clock(0, 30).move_seconds < 13
    clock.spend(0, 5)
    assert clock.left[0] == (10, 1)
    clock.set(None)
    assert clock.clock(0, 30).move_seconds == 5.0


@pytest.mark.parametrize(
    "line",
    [
        "time_settings 0 1 1",
        "time_left b 1 0",
        "time_left w 0 0",
        "kgs-time_settings byoyomi 0 1 5",
        "kgs-time_settings none",
    ],
)
def test_moves_come_whatever_the_clock_says(line):
    engine = Engine("go:size=3")
    engine.told("time_settings 1 0 0")
    engine.told(line)
    assert engine.told("genmove b")


@pytest.mark.parametrize(
    "line", ["time_settings", "time_settings a b c", "time_left", "time_left b x 0", "kgs-time_settings x"]
)
def test_times_that_make_no_sense_are_refused(line):
    assert Engine().ask(line)[0].startswith("? syntax error")


@pytest.mark.parametrize("game", ["hex:size=4", "othello", "tictactoe", "connect4:columns=5,rows=4"])
def test_other_games_speak_it_too(game):
    engine = Engine(game)
    assert engine.told("name").startswith("Zermelo ")
    move = engine.told("genmove b")
    assert move
    assert engine.ask("genmove b")[0] == "? illegal move: not its turn"
    assert engine.told("genmove w")
    assert engine.told("undo") == ""
    assert engine.told("lz-genmove_analyze w 1").endswith(engine.told("move_history").splitlines()[0].split()[1])
    assert "komi" not in engine.told("list_commands").split()


def test_a_finished_game_is_over():
    engine = Engine("tictactoe")
    engine.ask(*(f"play {move}" for move in ("b a1", "w a2", "b b1", "w b2", "b c1")))
    assert engine.ask("genmove w", "play w c3", "lz-analyze") == [
        "? illegal move: the game is over",
        "? illegal move: the game is over",
        "? the game is over",
    ]


def test_dice_and_hidden_cards_do_not_fit():
    for game in ("pig", "blind_tictactoe", "kingmaker"):
        with pytest.raises(MethodError):
            Engine(game)


MALFORMED = """
17
play
play b
play x A1
play b A1 B1
genmove
genmove x
-1 name
99999999999999999999 name
play b ￿
undo undo
komi 1e309
is_legal
all_legal
quit now please
"""


@pytest.mark.parametrize("line", ["", "   ", "# only a comment", "\x00\x01", "loadsgf \x00", *MALFORMED.split("\n")])
def test_malformed_lines_are_survived(line):
    engine = Engine()
    engine.server.handle(line)
    assert engine.told("protocol_version") == "2"


WORDS = """
    play b w A1 C3 pass komi undo boardsize 3 5 final_score captures is_legal fixed_handicap time_left showboard
    clear_board é -1 1e5 all_legal printsgf set_free_handicap
"""
words = st.sampled_from(["\x07", *WORDS.split()])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.lists(words, max_size=4).map(" ".join), st.text(max_size=20)), max_size=12))
def test_any_lines_are_survived_and_answered_once(lines):
    engine = Engine("go:size=4")
    for line in lines:
        if "quit" in line:
            continue
        del engine.said[:]
        engine.server.handle(line)
        assert engine.said == [] or engine.said[-1] == ""
    assert engine.told("protocol_version") == "2"


def test_a_whole_stream_is_served_and_quit_ends_it():
    engine = Engine()
    engine.server.serve(io.BytesIO(b"name\n\xff\xfe\n" + b"x" * (1 << 21) + b"\nquit\nname\n"))
    assert engine.said == ["= Zermelo", "", "? unknown command", "", "? unknown command", "", "=", ""]
