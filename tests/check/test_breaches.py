"""One broken game for each kind of breach: each is found and blamed on the right rule; the sound game passes."""

from __future__ import annotations

import random

import pytest

from tests.check import broken_extras, broken_rules
from tests.check.sound import BROKEN, Dice, Sound
from zermelo import Game
from zermelo.check import check

# The games enter themselves into `BROKEN` when their files are read.
assert broken_extras
assert broken_rules


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_found_and_the_rule_is_named(name: str) -> None:
    game, rule, words = BROKEN[name]
    random.seed(1)
    report = check(game(), games=20, seconds=20)
    assert not report.ok
    said = [problem.message for problem in report.problems if problem.rule == rule]
    assert any(words in message for message in said), report.problems


@pytest.mark.parametrize("game", [Sound, Dice])
def test_the_sound_version_passes(game: type[Game]) -> None:
    report = check(game(), games=20, seconds=20)
    assert report.problems == ()
    assert report.games == 20


def test_an_answer_that_is_not_equal_to_itself_is_no_other_answer() -> None:
    class Undefined(Sound):
        def utility(self, s, p):
            return float("nan")

    (message,) = [problem.message for problem in check(Undefined()).problems if problem.rule == "utility"]
    assert "returns nan" in message
