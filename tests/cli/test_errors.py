"""Bad input: one line that says what to do, exit code 2, no traceback."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys

import click
import pytest

COMMANDS = ["analyse", "trace", "solve", "play"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("[[3,12", "not a tree"),
        ("[]", "at least one child"),
        ('{"max": 3}', "child"),
        ("tictactoo", "did you mean tictactoe"),
        ("nosuchgame", "zermelo games"),
        ("connect4:width=8", "no option 'width'"),
        ("connect4:columns=x", "columns must be like 7"),
        ("missing.py:Game", "no file"),
    ],
)
def test_a_game_that_cannot_be_had(zermelo, command, game, says):
    assert says in zermelo.fails(command, game)


@pytest.mark.parametrize("command", [*COMMANDS, "perft"])
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--moves", "a1 a1"], "move 2: 'a1' is not a legal action"),
        (["--moves", "z9"], "legal ones are: a1"),
        (["--moves", "a1 b1 a2 b2 a3 c3"], "the game is over after 5 moves"),
        (["--position", "hello"], "not a board"),
        (["--position", "xxx/.../..."], "not a position"),
        (["--nosuchoption"], "--help"),
    ],
)
def test_a_position_that_cannot_be_had(zermelo, command, options, says):
    arguments = ["tictactoe", "1"] if command == "perft" else ["tictactoe"]
    assert says in zermelo.fails(command, *arguments, *options)


@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_are_no_games(zermelo, command, nim, tmp_path):
    broken = tmp_path / "broken.py"
    broken.write_text("x = 1\nraise RuntimeError('no\\nway')\n")
    assert "line 2, cannot be imported: RuntimeError: no way" in zermelo.fails(command, f"{broken}:Game")
    assert "NotAGame is not a game" in zermelo.fails(command, f"{nim}:NotAGame")
    assert "no class Chess" in zermelo.fails(command, f"{nim}:Chess")


@pytest.mark.parametrize(("name", "says"), [("Raising", "ZeroDivisionError"), ("Leaving", "SystemExit: 7")])
def test_rules_that_raise_are_named_with_their_line(zermelo, nim, name, says):
    told = zermelo.fails("solve", f"{nim}:{name}")
    assert says in told
    assert "my_nim.py:" in told


@pytest.mark.filterwarnings("default")
def test_rules_that_do_not_compile_are_one_line_said_once(zermelo, nim):
    done = zermelo("play", f"{nim}:Talking", "--players", "engine:depth=1,engine:depth=1")
    assert done.exit_code == 0
    assert [line.startswith("zermelo: ") for line in done.stderr.splitlines()] == [True]
    assert "It runs interpreted" in done.stderr


def test_debug_shows_the_traceback_before_or_after_the_command(zermelo, nim):
    for arguments in (["--debug", "solve", f"{nim}:Raising"], ["solve", f"{nim}:Raising", "--debug"]):
        done = zermelo(*arguments)
        assert done.exit_code == 2
        assert "Traceback" in done.stderr
        assert done.stderr.splitlines()[-1].startswith("zermelo: ")
    assert "Traceback" in zermelo("--debug", "solve", "nosuchgame").stderr


def test_errors_of_a_json_command_leave_standard_output_empty(zermelo):
    assert "nosuchgame" in zermelo.fails("analyse", "nosuchgame", "--json")


def test_limits_and_algorithms_out_of_range(zermelo):
    assert "--depth" in zermelo.fails("analyse", "nim", "--depth", "-1")
    assert "--depth" in zermelo.fails("analyse", "nim", "--depth", "deep")
    assert "seconds must be" in zermelo.fails("analyse", "nim", "--seconds", "nan")
    assert "did you mean alphabeta" in zermelo.fails("analyse", "nim", "--algorithm", "alphabet")
    assert "use maxn" in zermelo.fails("analyse", "kingmaker", "--algorithm", "pvs")
    assert "no ordering rule" in zermelo.fails("trace", "nim", "--algorithm", "pvs", "--order", "magic")
    assert "DEPTH" in zermelo.fails("perft", "nim", "deep")


def test_a_file_that_cannot_be_written(zermelo, tmp_path):
    nowhere = str(tmp_path / "none" / "run.svg")
    assert "No such file or directory" in zermelo.fails("trace", "[[1,2],[3,4]]", "--svg", nowhere)


@pytest.mark.parametrize("option", ["--html", "--svg", "--save"])
def test_a_full_disk_is_no_fault_of_zermelo(zermelo, option):
    said = zermelo.fails("trace", "[[3,12,8],[2,4,6],[14,5,2]]", option, "/dev/full")
    assert "/dev/full cannot be written: No space left on device" in said


def test_an_unknown_command_suggests_one(zermelo):
    assert "did you mean analyse" in zermelo.fails("analyze", "nim")
    assert "Missing argument 'GAME'" in zermelo.fails("solve")


WORDS = [
    *("analyse", "trace", "solve", "perft", "play", "games", "diff", "--help", "--version", "--json", "--debug", "--"),
    *(
        "nim:heaps=1/2",
        "tictactoe:m=2,n=2,k=2",
        "[[1,2],[3,4]]",
        "[[1,",
        "{}",
        "()",
        "kingmaker",
        "pig:goal=2",
        "x.py:Y",
    ),
    *("--depth", "--nodes", "--seconds", "--moves", "--position", "--algorithm", "--order", "--table", "--no-table"),
    *("--null-move", "--quiescence", "--extensions", "--hard", "--deepen", "--ablate", "--divide", "--players"),
    *("--against", "--second", "--seed", "--limit", "--revealed", "0", "1", "2", "-1", "0.01", "nan", "a1", "a1 b1"),
    *("alphabeta", "minimax", "maxn", "mtdf", "best", "killers", "singular", "random,random", "human", "é", "", "\x00"),
]


def test_no_arguments_ever_make_a_traceback(zermelo):
    dice = random.Random(2)
    games = [word for word in WORDS if word[:1] in ("[", "{") or ":" in word or word == "kingmaker"]
    for sensible in [False, True] * 250:
        arguments = [dice.choice(WORDS) for _ in range(dice.randint(0, 6))]
        if sensible:
            arguments = [dice.choice(COMMANDS), dice.choice(games), *arguments, "--json"]
        if {"solve", "trace", "analyse"} & set(arguments):
            arguments += ["--nodes", "200"]  # so that nothing takes long
        done = zermelo(*arguments, typed="")
        assert done.exit_code in (0, 1, 2), (arguments, done.output)
        assert "Traceback" not in done.stderr or "--debug" in arguments, arguments
        assert "fault of Zermelo" not in done.stderr, (arguments, done.stderr)
        if sensible and done.stdout and not {"--help", "--version", "--"} & set(arguments):
            json.loads(done.stdout)


def run(*arguments, **more):
    environment = {**os.environ, **more.pop("env", {})}
    command = [sys.executable, "-m", "zermelo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False, **more)


def test_the_real_command_keeps_its_streams_apart():
    done = run("analyse", "nosuchgame", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_a_terminal_without_unicode_gets_escapes_and_no_error():
    done = run("trace", "[[1,2],[3,4]]", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr


def test_help_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from zermelo.cli import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "heavy = {'numba', 'numpy', 'scipy', 'rich', 'llvmlite'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("analyse", "check", "games", "perft", "play", "solve", "trace"):
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize(("command", "code"), [("analyse", 0), ("trace", 0), ("solve", 1)])
def test_ctrl_c_keeps_the_best_so_far(nim, command, code):
    done = run(command, f"{nim}:Interrupting", "--json", *([] if command == "solve" else ["--algorithm", "minimax"]))
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout)
    assert (found["stopped"], found["exact"]) == ("interrupt", False)
    assert found["action"] in ("1", "2", "3")


def test_ctrl_c_ends_a_game_quietly(nim):
    done = run("play", f"{nim}:Interrupting", "--players", "minimax,minimax", "--json")
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "")


def test_a_position_in_which_nobody_is_to_move_is_refused(zermelo, tmp_path):
    path = tmp_path / "turns.py"
    path.write_text(
        "import typing, zermelo\n"
        "class Turns(zermelo.Game):\n"
        "    State = typing.NamedTuple('State', [('left', int), ('turn', int)])\n"
        "    def initial(self): return self.State(3, 0)\n"
        "    def player(self, s): return s.turn\n"
        "    def actions(self, s): return [1] if s.left else []\n"
        "    def result(self, s, a): return self.State(s.left - 1, 1 - s.turn)\n"
        "    def is_terminal(self, s): return s.left == 0\n"
        "    def utility(self, s, p): return 0.0\n"
    )
    assert "player 7 is to move" in zermelo.fails("analyse", f"{path}:Turns", "--position", "(1,7)")


def test_an_output_that_is_full_is_named(zermelo, monkeypatch):
    echo = click.echo

    def full(message=None, err=False, **how):
        if not err:
            raise OSError(errno.ENOSPC, "No space left on device")
        echo(message, err=True, **how)

    monkeypatch.setattr(click, "echo", full)
    assert "standard output cannot be written: No space left" in zermelo.fails("analyse", "[[3,12],[2,4]]")
