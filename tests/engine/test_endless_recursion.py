"""Recursion without an end, in any rule, compiled or interpreted: one error of Python's, and never a crash."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo as z
from zermelo.engine.interpreted import InterpretedWarning

pytestmark = pytest.mark.filterwarnings("ignore::zermelo.engine.interpreted.InterpretedWarning")


def even(n: int) -> int:
    return 1 if n == 0 else odd(n - 1)


def odd(n: int) -> int:
    return 0 if n == 0 else even(n - 1)


def climb(n: int) -> int:
    return n if n == 7 else climb(n + 2)


def run_away(n: int) -> int:
    return run_away(n + 1) + 1


class Take(z.Game):
    """Take one or two; the state in which something goes wrong is not the first."""

    class State(NamedTuple):
        heap: int
        turn: int

    def initial(self):
        return self.State(9, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for a in range(1, 3):
            if a <= s.heap:
                yield a

    def result(self, s, a):
        return self.State(s.heap - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.heap == 0

    def utility(self, s, p):
        return 1.0 if s.turn != p else -1.0


class InResult(Take):
    def result(self, s, a):
        return self.State(s.heap - a + 0 * climb(1 if s.heap > 3 else 8), 1 - s.turn)


class InTurns(Take):
    def result(self, s, a):
        return self.State(s.heap - a + 0 * even(4 if s.heap > 3 else -1), 1 - s.turn)


class InMethods(Take):
    def even(self, n):
        return 1 if n == 0 else self.odd(n - 1)

    def odd(self, n):
        return 0 if n == 0 else self.even(n - 1)

    def utility(self, s, p):
        return float(self.even(-1))


class InItself(Take):
    def is_terminal(self, s):
        return self.is_terminal(s) if s.heap == 5 else s.heap == 0


class InInitial(Take):
    def initial(self):
        return self.State(run_away(1), 0)


class InEstimate(Take):
    def evaluate(self, s, p):
        return float(run_away(s.heap))


class InPriority(Take):
    def priority(self, s, a):
        return float(climb(1 if s.heap > 3 else 8))


class Interpreted(Take):
    def result(self, s, a):
        return self.State(s.heap - a + 0 * climb(1 if s.heap > 3 else 8), eval("1 - s.turn"))


@pytest.mark.parametrize("rules", [InResult, InTurns, InMethods, InItself, InInitial, Interpreted])
@pytest.mark.parametrize("method", [z.search, z.solve, z.mcts, z.alphabeta, z.cfr])
def test_every_method_ends_with_the_error_of_python(rules, method) -> None:
    with pytest.raises(RecursionError):
        method(rules())


@pytest.mark.parametrize("rules", [InEstimate, InPriority])
def test_advice_that_never_comes_is_an_error_where_it_is_asked_for(rules) -> None:
    with pytest.raises(RecursionError):
        z.search(rules(), depth=6)


def test_functions_that_call_each_other_are_interpreted_and_the_author_is_told() -> None:
    class Fine(Take):
        def result(self, s, a):
            return self.State(s.heap - a + 0 * even(40), 1 - s.turn)

    with pytest.warns(InterpretedWarning, match="calls itself"):
        found = z.solve(Fine())
    assert found.value == z.solve(Take()).value


def test_the_command_line_says_in_one_line_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "endless.py"
    path.write_text(
        textwrap.dedent(
            """
            from typing import NamedTuple
            import zermelo as z

            def climb(n):
                return n if n == 7 else climb(n + 2)

            class Climb(z.Game):
                class State(NamedTuple):
                    heap: int
                    turn: int
                def initial(self): return self.State(9, 0)
                def player(self, s): return s.turn
                def actions(self, s): yield 1
                def result(self, s, a): return self.State(s.heap - a, 1 - s.turn)
                def is_terminal(self, s): return s.heap == 0
                def utility(self, s, p): return float(climb(8))
            """
        )
    )
    command = [sys.executable, "-m", "zermelo", "analyse", f"{path}:Climb", "--depth", "12"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "RecursionError" in done.stderr
    assert f"{path}:6" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
