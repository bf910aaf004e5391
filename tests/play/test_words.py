"""What the end of a game is called."""

from __future__ import annotations

import pytest

from zermelo.analysis import Analysis
from zermelo.games import load
from zermelo.play.words import say_outcome, say_value


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


@pytest.mark.parametrize(
    ("method", "repetition", "said"),
    [
        ("engine", None, "x wins"),
        ("engine+exact", None, "x wins in 3 plies"),
        ("engine+exact", "draw", "x wins"),
        ("engine+exact-quick", None, "x wins"),
        ("alphabeta", None, "x wins in 3 plies"),
    ],
)
def test_the_length_of_a_win_is_said_only_where_it_is_proved(
    method: str, repetition: str | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("tictactoe")
    monkeypatch.setattr(type(game), "repetition", repetition)
    state = game.initial()
    for action in (0, 1, 3, 2):
        state = game.result(state, action)
    found = Analysis(6, 1.0, (1.0, -1.0), (4, 5, 6), 3, 9, 3, 0, 0.0, True, (1.0, 1.0), method)
    assert say_value(game, state, found) == said
