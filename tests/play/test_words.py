"""What the end of a game is called."""

from __future__ import annotations

import pytest

from zermelo.games import load
from zermelo.play.words import say_outcome


@pytest.mark.parametrize(
    ("spec", "utilities", "says"),
    [
        ("tictactoe", (1.0, -1.0), "x wins"),
        ("tictactoe", (0.0, 0.0), "a draw"),
        ("matching-pennies", (1.0, -1.0), "Ann wins"),
        ("prisoners-dilemma", (-4.0, 0.0), "Bob wins (Ann: −4, Bob: 0)"),
        ("prisoners-dilemma", (-3.0, -3.0), "a draw (Ann: −3, Bob: −3)"),
        ("shapley", (0.0, 1.0), "Bob wins (Ann: 0, Bob: 1)"),
        ("shapley", (0.0, 0.0), "a draw (Ann: 0, Bob: 0)"),
    ],
)
def test_what_everybody_gets_is_told_where_one_does_not_win_what_another_loses(
    spec: str, utilities: tuple[float, ...], says: str
) -> None:
    assert say_outcome(load(spec), utilities) == says
