"""`zermelo engine` speaks UCI on standard input and output, and nothing else."""

from __future__ import annotations

import subprocess
import sys


def test_a_built_in_game_is_an_engine(zermelo):
    done = zermelo("engine", "tictactoe", typed="uci\nposition fen oo./xx./...\ngo depth 2\nstop\nquit\n")
    assert done.exit_code == 0
    assert "uciok" in done.stdout.splitlines()
    assert done.stdout.splitlines()[-1] == "bestmove c2"


def test_a_game_of_ones_own_is_an_engine(zermelo, nim):
    done = zermelo("engine", f"{nim}:Nim:stones=6", typed="d\ngo depth 9\nstop\n")
    assert done.stdout.splitlines()[0] == "(6,0)"
    assert "bestmove " in done.stdout


def test_what_the_rules_print_does_not_disturb_the_protocol(zermelo, nim):
    done = zermelo("engine", f"{nim}:Talking", typed="isready\nposition startpos moves 3\ngo depth 4\nstop\n")
    assert "hello" not in done.stdout
    assert "readyok" in done.stdout.splitlines()


def test_options_can_be_set_from_the_start(zermelo):
    done = zermelo("engine", "tictactoe", "--option", "MultiPV=2", "--option", "Hash=16", typed="go depth 1\nstop\n")
    assert " multipv 2 " in done.stdout
    assert "no option is called 'hush'" in zermelo.fails("engine", "tictactoe", "--option", "hush=1")
    assert "NAME=VALUE" in zermelo.fails("engine", "tictactoe", "--option", "hash")
    assert "NAME=VALUE" in zermelo.fails("engine", "tictactoe", "--option", "=5")
    assert "from 1 to" in zermelo.fails("engine", "tictactoe", "--option", "Hash=many")
    assert "option of UCI" in zermelo.fails("engine", "go:size=5", "--option", "Hash=16")


def test_hidden_information_and_bad_games_are_refused_at_the_start(zermelo):
    assert "hides information" in zermelo.fails("engine", "blind-tictactoe")
    assert "did you mean nim" in zermelo.fails("engine", "nimm")


def test_a_peer_that_is_gone_ends_the_engine_in_silence():
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "engine", "tictactoe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        process.stdin.write(b"uci\nisready\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
