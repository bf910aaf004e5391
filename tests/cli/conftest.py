"""What the tests of the command line share: a runner, and files with games that go wrong."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from zermelo.cli import main

NIM = '''
import os
import signal
from typing import NamedTuple
import zermelo

class Nim(zermelo.Game):
    """Take one, two or three stones."""
    class State(NamedTuple):
        stones: int
        turn: int
    def __init__(self, stones: int = 5):
        self.stones = stones
    def initial(self): return self.State(self.stones, 0)
    def player(self, s): return s.turn
    def actions(self, s):
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n
    def result(self, s, a): return self.State(s.stones - a, 1 - s.turn)
    def is_terminal(self, s): return s.stones == 0
    def utility(self, s, p): return 1.0 if p != s.turn else -1.0

class Raising(Nim):
    def utility(self, s, p):
        return 1 / 0  # here

class Leaving(Nim):
    def utility(self, s, p):
        raise SystemExit(7)

class Talking(Nim):
    def utility(self, s, p):
        print("hello")
        return super().utility(s, p)

class Interrupting(Nim):
    """Presses Ctrl-C in the middle of a search, which no clock could do as surely."""
    calls = 0
    def __init__(self, stones: int = 40):
        self.stones = stones
    def result(self, s, a):
        Interrupting.calls += 1
        if Interrupting.calls == 2000:
            os.kill(os.getpid(), signal.SIGINT)
        return super().result(s, a)

class NotAGame:
    pass
'''


class Shell:
    """Runs `zermelo` in this process."""

    def __call__(self, *arguments, typed=None):
        return CliRunner().invoke(main, list(arguments), input=typed, prog_name="zermelo")

    def json(self, *arguments, code=0):
        done = self(*arguments, "--json")
        assert done.exit_code == code, done.output
        return json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    def fails(self, *arguments, code=2):
        """The one line on standard error with which a command ends."""
        done = self(*arguments)
        assert done.exit_code == code, done.output
        assert done.stdout == ""
        assert done.stderr.startswith("zermelo: ")
        assert done.stderr.count("\n") == 1
        assert "Traceback" not in done.stderr
        return done.stderr


@pytest.fixture(scope="session")
def zermelo():
    return Shell()


@pytest.fixture
def nim(tmp_path):
    path = tmp_path / "my_nim.py"
    path.write_text(NIM)
    return str(path)
