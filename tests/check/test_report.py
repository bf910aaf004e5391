"""What a report holds, and what the kit does with games that are odd but sound."""

from __future__ import annotations

import functools
import json
import os
import signal
import time
from typing import Any, NamedTuple

import pytest

from zermelo import Game, Tree, adapt
from zermelo.check import Watch, check
from zermelo.errors import OptionError
from zermelo.games import games


@pytest.mark.parametrize("name", games())
def test_the_games_of_the_package_keep_the_contract(name: str) -> None:
    report = check(games()[name](), games=20, seconds=10)
    assert report.problems == ()


def test_written_trees_keep_the_contract() -> None:
    assert check(Tree("[[3,12,8],[2,4,6],[14,5,2]]"), games=20).ok
    assert check(Tree('{"chance": [[0.9, [1, 2]], [0.1, [3, 4]]]}'), games=20).ok


class Countdown(Game):
    """Count down from 9; whoever says 0 wins."""

    class State(NamedTuple):
        number: int
        turn: int

    def initial(self) -> Any:
        return self.State(9, 0)

    def player(self, s: Any) -> int:
        return int(s.turn)

    def actions(self, s: Any) -> Any:
        return [n for n in (1, 2) if n <= s.number]

    def result(self, s: Any, a: int) -> Any:
        return self.State(s.number - a, 1 - s.turn)

    def is_terminal(self, s: Any) -> bool:
        return bool(s.number == 0)

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if p != s.turn else -1.0


def test_a_breach_is_reported_once_with_its_first_example_and_a_count() -> None:
    class Raising(Countdown):
        def result(self, s: Any, a: int) -> Any:
            if s.number == 5:
                raise ValueError("not from five")
            return super().result(s, a)

    (problem,) = check(Raising(), games=30).problems
    assert problem.rule == "result"
    assert problem.message.startswith("raises ValueError at ")
    assert f"test_report.py:{Raising.result.__code__.co_firstlineno + 2}: not from five" in problem.message
    assert problem.state.startswith("(5,")
    assert problem.action in "12"
    assert problem.count > 1


def test_a_state_is_shown_as_it_was_before_a_rule_changed_it() -> None:
    class Mutable(Countdown):
        def initial(self) -> Any:
            return self.State([9], 0)  # type: ignore[arg-type]

        def actions(self, s: Any) -> Any:
            return [1]

        def result(self, s: Any, a: int) -> Any:
            s.number[0] -= a
            return self.State(list(s.number), 1 - s.turn)  # type: ignore[arg-type]

        def is_terminal(self, s: Any) -> bool:
            return bool(s.number[0] == 0)

    problem = check(Mutable(), games=3).problems[0]
    assert (problem.rule, problem.state) == ("result", "((9,),0)")


def test_the_figures_and_the_json() -> None:
    report = check(Countdown(), games=50, seed=3)
    assert (report.ok, report.games, report.longest <= 9, 4 < report.length < 9) == (True, 50, True, True)
    assert 1 < report.branching < 2
    assert report.positions > 250
    assert report.positions_per_second > 0
    told = json.loads(json.dumps(report.to_json()))
    assert told["ok"] is True
    assert told["problems"] == []


def test_the_same_seed_plays_the_same_games() -> None:
    first, again, other = (check(Countdown(), games=20, seed=seed) for seed in (1, 1, 2))
    assert first.positions == again.positions
    assert (first.positions, first.branching) != (other.positions, other.branching)


def test_a_game_that_need_not_end_is_noted_and_no_breach() -> None:
    class Endless(Countdown):
        def actions(self, s: Any) -> Any:
            return [0]

    report = check(Endless(), games=1, seconds=2)
    assert report.ok
    assert any("did not end within 10,000 plies" in note for note in report.notes)


def test_a_value_that_python_keeps_lazily_is_no_change_of_the_game() -> None:
    class Lazy(Countdown):
        @functools.cached_property
        def table(self) -> list[int]:
            return [1, 2]

        def actions(self, s: Any) -> Any:
            return [n for n in self.table if n <= s.number]

    assert check(Lazy(), games=5).ok


def test_states_without_a_text_are_noted_and_no_breach() -> None:
    class Dictionaries(Countdown):
        def initial(self) -> Any:
            return {"number": 9, "turn": 0}

        def player(self, s: Any) -> int:
            return int(s["turn"])

        def actions(self, s: Any) -> Any:
            return [n for n in (1, 2) if n <= s["number"]]

        def result(self, s: Any, a: int) -> Any:
            return {"number": s["number"] - a, "turn": 1 - s["turn"]}

        def is_terminal(self, s: Any) -> bool:
            return bool(s["number"] == 0)

        def utility(self, s: Any, p: int) -> float:
            return 1.0 if p != s["turn"] else -1.0

    report = check(Dictionaries(), games=5)
    assert report.problems == ()
    assert any("read back" in note for note in report.notes)


def test_a_courses_own_class_can_be_checked() -> None:
    class Course:
        initial = (4, "A")

        def actions(self, state: Any) -> Any:
            return [n for n in (1, 2) if n <= state[0]]

        def result(self, state: Any, move: int) -> Any:
            return (state[0] - move, "B" if state[1] == "A" else "A")

        def terminal_test(self, state: Any) -> bool:
            return bool(state[0] == 0)

        def to_move(self, state: Any) -> str:
            return str(state[1])

        def utility(self, state: Any, player: str) -> int:
            return 1 if state[1] != player else -1

    assert check(adapt(Course), games=10).problems == ()


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(OptionError, match="adapt"):
        check("nim")  # type: ignore[arg-type]


def test_a_persons_interrupt_ends_the_check() -> None:
    class Interrupted(Countdown):
        def player(self, s: Any) -> int:
            os.kill(os.getpid(), signal.SIGINT)
            return int(s.turn)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        check(Interrupted(), games=5)
    assert signal.getsignal(signal.SIGINT) is before


def test_the_watch_is_told_of_every_question_and_every_problem() -> None:
    class Listener(Watch):
        def __init__(self) -> None:
            self.rules: set[str] = set()
            self.problems: list[str] = []

        def asks(self, rule: str, s: Any, a: Any) -> None:
            self.rules.add(rule)

        def found(self, problem: Any) -> None:
            self.problems.append(problem.rule)

    class Wrong(Countdown):
        def utility(self, s: Any, p: int) -> float:
            return 1.0

    listener = Listener()
    check(Wrong(), games=3, watch=listener)
    assert {"initial", "player", "actions", "result", "is_terminal", "utility", "key"} <= listener.rules
    assert listener.problems == ["utility"]


def test_rules_that_are_too_slow_end_the_check_with_a_note() -> None:
    class Slow(Countdown):
        def result(self, s: Any, a: int) -> Any:
            time.sleep(0.3)
            return super().result(s, a)

    report = check(Slow(), seconds=0.1)
    assert report.ok
    assert any("slow" in note for note in report.notes)


def test_a_game_that_is_over_at_once_can_be_checked() -> None:
    report = check(Tree("5"), games=3)
    assert (report.ok, report.length, report.branching) == (True, 0.0, 0.0)


class Counted(Game):
    """Walks about four squares for nine plies at most; the count is in the state, and no part of the key."""

    class State(NamedTuple):
        square: int
        plies: int

    def initial(self) -> Any:
        return self.State(0, 0)

    def player(self, s: Any) -> int:
        return s.square % 2

    def actions(self, s: Any) -> Any:
        return [] if s.plies == 9 else [1, 3]

    def result(self, s: Any, a: int) -> Any:
        return self.State((s.square + a) % 4, s.plies + 1)

    def is_terminal(self, s: Any) -> bool:
        return s.plies == 9

    def utility(self, s: Any, p: int) -> float:
        return 0.0

    def key(self, s: Any) -> int:
        return s.square


class CountedOnPurpose(Counted):
    key_omits = "the plies so far"


def test_a_key_may_omit_what_only_ends_a_game_if_the_game_says_so() -> None:
    assert any(problem.rule == "key" for problem in check(Counted(), seconds=0.5).problems)
    report = check(CountedOnPurpose(), seconds=0.5)
    assert not any(problem.rule == "key" for problem in report.problems), report.problems
    assert any("`key` omits the plies so far" in note for note in report.notes)
