"""The command: its JSON, its exit codes, and rules that loop, die, print or fill the memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from zermelo.cli import main
from zermelo.cli.check import Request, after_death, command
from zermelo.errors import GameNotFoundError, InputError

FIELDS = {
    "ok",
    "problems",
    "notes",
    "compiled",
    "compile_message",
    "branching",
    "length",
    "positions_per_second",
    "interpreted_positions_per_second",
    "games",
    "positions",
}

SOUND = """
import ctypes, os, re, sys, time
from typing import NamedTuple
from zermelo import Game

class Nim(Game):
    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 9):
        self.stones = stones

    def initial(self):
        return self.State(self.stones, 0)

    def player(self, s):
        {player}
        return s.turn

    def actions(self, s):
        {actions}
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n

    def result(self, s, a):
        {result}
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.stones == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0

{end}
"""


def write_game(folder: Path, **lines: str) -> str:
    """A file with Nim, some of its rules begun by a line of your own."""
    path = folder / "my_game.py"
    path.write_text(SOUND.format(**{"player": "", "actions": "", "result": "", "end": "", **lines}))
    return f"{path}:Nim"


def run(*arguments: str, patience: float = 60.0) -> Result:
    return CliRunner().invoke(command, [*arguments, "--games=10", f"--patience={patience}"])


def told(result: Result) -> dict[str, Any]:
    """The one JSON object on standard output, and nothing beside it."""
    report: dict[str, Any] = json.loads(result.stdout)
    assert set(report) >= FIELDS
    return report


def test_a_sound_game_passes_and_the_json_has_its_shape(tmp_path: Path) -> None:
    result = run(write_game(tmp_path), "--json")
    report = told(result)
    assert result.exit_code == 0
    assert report["ok"] is True
    assert report["problems"] == []
    assert report["games"] == 10
    assert report["compiled"] in (True, False)
    assert report["compiled"] is (report["compile_message"] == "")
    assert report["positions_per_second"] > 0


def test_options_reach_the_game(tmp_path: Path) -> None:
    assert told(run(f"{write_game(tmp_path)}:stones=1", "--json"))["length"] == 1


def test_people_get_a_readable_report(tmp_path: Path) -> None:
    good = run(write_game(tmp_path)).stdout
    assert "keeps the contract" in good
    assert "10 games" in good
    bad = run(write_game(tmp_path, result="return None"))
    assert bad.exit_code == 1
    assert "breaks the contract" in bad.stdout
    assert "`result` returns None" in bad.stdout
    assert "state   (9,0)" in bad.stdout


def test_a_built_in_game_passes() -> None:
    assert run("tictactoe", "--json").exit_code == 0


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("actions", "while True: pass"),
        ("result", "while s.stones < 5: pass"),
        ("player", "time.sleep(1e6)"),
        # The pattern matcher holds the interpreter's lock and looks at no signal for ages.
        ("result", "re.match(r'(a+)+$', 'a' * 60 + 'b')"),
    ],
)
def test_a_rule_that_loops_is_ended_and_named_with_its_line(tmp_path: Path, rule: str, line: str) -> None:
    result = run(write_game(tmp_path, **{rule: line}), "--json", patience=1.5)
    report = told(result)
    assert (result.exit_code, report["ok"], report["compiled"]) == (1, False, False)
    problem = report["problems"][-1]
    assert problem["rule"] == rule
    number = next(i for i, text in enumerate((tmp_path / "my_game.py").read_text().splitlines(), 1) if line in text)
    assert f"my_game.py:{number}" in problem["message"]
    assert "does not return within 1.5 s" in problem["message"]
    assert problem["state"].startswith("(")


def test_an_import_that_loops_is_ended(tmp_path: Path) -> None:
    game = write_game(tmp_path, end="while True: pass")
    (problem,) = told(CliRunner().invoke(command, [game, "--json", "--patience=0.5"]))["problems"]
    assert problem["rule"] == "import"
    assert "my_game.py" in problem["message"]


def test_what_was_found_before_the_process_died_is_not_lost(tmp_path: Path) -> None:
    report = told(run(write_game(tmp_path, player="s.stones < 5 and os._exit(3)", actions="yield 2**70"), "--json"))
    rules = [problem["rule"] for problem in report["problems"]]
    assert rules[0] == "actions"
    assert rules[-1] == "player"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("os._exit(3)", "exit code 3"),
        ("os._exit(0)", "exit code 0"),
        ("ctypes.string_at(0)", "SIGSEGV"),
        ("os.kill(os.getpid(), 9)", "SIGKILL (most likely for lack of memory)"),
        ("sys.exit(4)", "raises SystemExit"),
        ("raise KeyboardInterrupt", "raises KeyboardInterrupt"),
        ("input()", "raises EOFError"),
    ],
)
def test_a_rule_that_ends_the_process_is_a_problem(tmp_path: Path, line: str, words: str) -> None:
    result = run(write_game(tmp_path, result=line), "--json")
    problem = told(result)["problems"][-1]
    assert result.exit_code == 1
    assert problem["rule"] == "result"
    assert words in problem["message"]
    assert problem["state"] == "(9,0)"
    assert problem["action"] in ("1", "2", "3")


@pytest.mark.parametrize("line", ["held = [0]\n        while True: held += held", "held = bytearray(1 << 60)"])
def test_a_rule_that_fills_the_memory_is_a_problem(tmp_path: Path, line: str) -> None:
    result = run(write_game(tmp_path, actions=line), "--json", "--memory=1")
    problem = told(result)["problems"][0]
    assert (result.exit_code, problem["rule"]) == (1, "actions")
    assert "MemoryError" in problem["message"]


def test_what_rules_print_does_not_reach_the_json(tmp_path: Path) -> None:
    result = run(write_game(tmp_path, actions="print('{' * 100); os.write(1, b'raw')", end="print('import')"), "--json")
    report = told(result)
    assert report["ok"] is True
    assert any("the rules print" in note and "'import'" in note for note in report["notes"])


def test_echo_shows_what_rules_print_on_standard_error(tmp_path: Path) -> None:
    result = run(write_game(tmp_path, end="print('hello')"), "--json", "--echo")
    assert "hello" in result.stderr
    assert told(result)["ok"] is True


def test_processes_and_threads_that_rules_leave_behind_do_not_keep_the_command(tmp_path: Path) -> None:
    end = "import threading; threading.Thread(target=time.sleep, args=(1e6,)).start(); os.fork() or time.sleep(1e6)"
    assert told(run(write_game(tmp_path, end=end), "--json"))["ok"] is True


def test_bad_input_raises_ours_in_one_line(tmp_path: Path) -> None:
    for text in ("no-such-game", str(tmp_path / "missing.py"), write_game(tmp_path).replace(":Nim", ":Chess")):
        assert isinstance(run(text, "--json").exception, GameNotFoundError)
    for end in ("raise ValueError('no')", "sys.exit()", "raise KeyboardInterrupt"):
        error = run(write_game(tmp_path, end=end), "--json").exception
        assert isinstance(error, InputError)
        assert "\n" not in str(error)


def test_the_root_says_it_in_one_line_and_exits_2() -> None:
    result = CliRunner().invoke(main, ["check", "no-such-game", "--json"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_a_rule_that_is_only_slow_is_not_taken_for_one_that_loops(tmp_path: Path) -> None:
    report = told(run(write_game(tmp_path, player="time.sleep(0.4)"), "--json", "--seconds=1"))
    assert report["ok"] is True


def test_a_compiler_that_dies_is_no_breach_of_the_contract(tmp_path: Path) -> None:
    asked = Request("nim", games=1, seconds=1.0, seed=0, patience=1.0, memory=8.0)
    tale = after_death(asked, tmp_path, {"ok": True}, returncode=-11, timed_out=False)
    assert tale["ok"] is True
    assert tale["compiled"] is False
    assert "SIGSEGV" in tale["compile_message"]


@pytest.mark.parametrize("option", ["--games=0", "--seconds=0", "--seconds=nan", "--patience=-1", "--seed=x"])
def test_bad_options_are_usage_errors(option: str) -> None:
    assert CliRunner().invoke(command, ["nim", option]).exit_code == 2
