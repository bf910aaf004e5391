"""The rule of repetition, and perpetual check above all: who has lost by the moves since a position stood there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import ContractError
from zermelo.game import CheckRun, repeatable, repetition_utility

MOVES = st.lists(st.tuples(st.integers(0, 1), st.booleans()), max_size=12)


def stretch(moves: list[tuple[int, bool]]) -> CheckRun:
    found = CheckRun()
    for mover, check in moves:
        found = found.with_move(mover, check)
    return found


@given(MOVES)
def test_the_checker_alone_gave_check_with_every_move(moves: list[tuple[int, bool]]) -> None:
    checking = [p for p in (0, 1) if {check for mover, check in moves if mover == p} == {True}]
    assert stretch(moves).checker == (checking[0] if len(checking) == 1 else None)


@given(MOVES)
def test_a_stretch_does_not_ask_in_which_order_moves_were_made(moves: list[tuple[int, bool]]) -> None:
    assert stretch(moves) == stretch(moves[::-1])


def test_chance_gives_no_check_and_needs_none() -> None:
    assert CheckRun().with_move(z.CHANCE, False) == CheckRun()


@pytest.mark.parametrize(
    ("rule", "utilities"),
    [("draw", (0.0, 0.0)), ("forbidden", (0.0, 0.0)), ("loses", (1.0, -1.0)), ("perpetual", (-1.0, 1.0))],
)
def test_each_rule_has_its_own_loser(rule: str, utilities: tuple[float, float]) -> None:
    game = z.load("nim")
    game.repetition = rule  # type: ignore[assignment]
    since = stretch([(0, True), (1, False)])
    assert tuple(repetition_utility(game, p, 1, since) for p in (0, 1)) == utilities


def line(*moves: str) -> list[object]:
    """The positions of a game of Chinese chess in which a red rook and a black king are all that moves."""
    game = z.load("xiangqi")
    states = [game.read("3k5/9/9/9/9/9/9/9/9/R3K4 w")]
    for move in moves:
        states.append(game.result(states[-1], game.read_action(states[-1], move)))
    return states


def test_only_positions_that_were_there_often_enough_count_and_from_their_last_time_on() -> None:
    game = z.load("xiangqi")
    quiet_first = ["a1a8", "d10d9", "a8a7", "d9d10", "a7a8"]
    states = line(*quiet_first, "d10d9", "a8a9", "d9d10", "a9a10", "d10d9", "a10a9", "d9d10", "a9a8", "d10d9")
    found = repeatable(game, states[:-1], states[-1])
    twice = {game.key(states[2]), game.key(states[8]), game.key(states[9]), game.key(states[7])}
    assert game.key(states[1]) in found
    assert set(found) >= {game.key(s) for s in (states[1], states[7], states[8])}
    assert set(found) <= twice | {game.key(states[1])}
    assert found[game.key(states[1])] == CheckRun(0b10, 0b10)
    assert found[game.key(states[11])] == CheckRun(0b11, 0b11)


def test_a_rule_that_needs_checks_says_that_they_are_missing() -> None:
    game = z.load("nim")
    game.repetition = "perpetual"
    with pytest.raises(ContractError, match="is_check"):
        repeatable(game, (), game.initial())
    with pytest.raises(ContractError, match="is_check"):
        z.search(game, depth=2)
