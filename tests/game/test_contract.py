"""The contract's defaults, the text of states, and games of other people's making."""

from collections import namedtuple
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import ActionError, ContractError, PositionError
from zermelo.game.text import freeze, read_fields, text_picture, write_fields
from zermelo.games import load


def test_a_class_without_rules_says_what_to_write() -> None:
    with pytest.raises(ContractError, match=r"def initial\(self\)"):
        z.minimax(z.Game())


def test_optional_methods_are_known_by_being_written() -> None:
    assert load("hexapawn").can("evaluate")
    assert not load("tictactoe").can("evaluate")
    assert load("tictactoe").can("pass_turn")
    assert not load("nim").can("view")


def test_actions_are_read_in_any_case_and_illegal_ones_name_the_legal_ones() -> None:
    game = load("tictactoe")
    assert game.read_action(game.initial(), " A1 ") == 0
    with pytest.raises(ActionError, match="a1, b1, c1"):
        game.read_action(game.initial(), "d4")


def test_an_action_that_reads_two_ways_is_refused() -> None:
    class Twins(z.Tree):
        def show_action(self, s: Any, a: int) -> str:
            return "same"

    with pytest.raises(ActionError, match="names 2 actions"):
        Twins([1, 2]).read_action(Twins([1, 2]).initial(), "same")


class Inner(NamedTuple):
    flag: bool
    weight: float


class Everything(NamedTuple):
    number: int
    row: tuple[int, ...]
    board: Any
    inner: Inner


def everything(board: list[list[int]]) -> Everything:
    return Everything(3, (1, 2), np.array(board, dtype=np.int8), Inner(True, 0.5))


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2, max_size=2))
def test_states_are_written_and_read_back(board: list[list[int]]) -> None:
    s = everything(board)
    again = read_fields(write_fields(s), everything([[0] * 3] * 2))
    assert freeze(again) == freeze(s)
    assert type(again.inner) is Inner
    assert not again.board.flags.writeable


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        "3",
        "(1,2)",
        "(3,(1,2),((0,0,0),(0,0,0)),(1,0.5))",
        "(3.5,(1,2),((0,0,0),(0,0,0)),(True,0.5))",
        "(3,(1,2),((0,0),(0,0)),(True,0.5))",
        "(3,(1,2),'board',(True,0.5))",
        "__import__('os')",
        "(" * 4000,
    ],
)
def test_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        read_fields(text, everything([[0] * 3] * 2))


def test_equal_boards_have_equal_keys_and_others_do_not() -> None:
    one, same, other = everything([[1, 2, 3]] * 2), everything([[1, 2, 3]] * 2), everything([[1, 2, 4]] * 2)
    assert freeze(one) == freeze(same) != freeze(other)
    assert freeze({"a": [1, {2}]}) == freeze({"a": [1, {2}]})
    with pytest.raises(TypeError, match="define `key"):
        freeze([slice(0, 1)])


def test_a_picture_of_text_escapes_it() -> None:
    assert "&lt;b&gt;" in text_picture("<b>")


GameState = namedtuple("GameState", "to_move, utility, board, moves")


class CourseTicTacToe:
    """A course's own tic-tac-toe, in the textbook's manner: dicts for boards, letters for players."""

    def __init__(self) -> None:
        moves = [(x, y) for x in range(1, 4) for y in range(1, 4)]
        self.initial = GameState(to_move="X", utility=0, board={}, moves=moves)

    def actions(self, state: Any) -> Any:
        return state.moves

    def result(self, state: Any, move: Any) -> Any:
        board = {**state.board, move: state.to_move}
        moves = [m for m in state.moves if m != move]
        won = any(
            all(board.get(cell) == state.to_move for cell in line)
            for line in [[(x, y) for y in range(1, 4)] for x in range(1, 4)]
            + [[(x, y) for x in range(1, 4)] for y in range(1, 4)]
            + [[(i, i) for i in range(1, 4)], [(i, 4 - i) for i in range(1, 4)]]
        )
        utility = (1 if state.to_move == "X" else -1) if won else 0
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state: Any, player: str) -> float:
        return float(state.utility if player == "X" else -state.utility)

    def terminal_test(self, state: Any) -> bool:
        return state.utility != 0 or not state.moves

    def to_move(self, state: Any) -> str:
        return str(state.to_move)


def test_a_courses_own_game_runs_unchanged() -> None:
    game = z.adapt(CourseTicTacToe)
    found = z.alphabeta(game, table=True)
    assert (found.value, found.exact) == (0, True)
    assert game.name == "CourseTicTacToe"


def test_a_courses_own_tree_with_named_players() -> None:
    class Figure:
        successors: ClassVar = {
            "A": {"a1": "B", "a2": "C"},
            "B": {"b1": "B1", "b2": "B2"},
            "C": {"c1": "C1", "c2": "C2"},
        }
        utilities: ClassVar = {"B1": 3, "B2": 12, "C1": 2, "C2": 4}
        initial = "A"

        def actions(self, state: str) -> list[str]:
            return list(self.successors.get(state, {}))

        def result(self, state: str, move: str) -> str:
            return self.successors[state][move]

        def utility(self, state: str, player: str) -> float:
            return self.utilities[state] if player == "MAX" else -self.utilities[state]

        def terminal_test(self, state: str) -> bool:
            return state not in self.successors

        def to_move(self, state: str) -> str:
            return "MIN" if state in ("B", "C") else "MAX"

    found = z.alphabeta(z.adapt(Figure()), trace=True)
    assert (found.value, found.action, found.line) == (3, "a1", ("a1", "b1"))


def test_a_class_that_is_no_game_says_what_it_lacks() -> None:
    with pytest.raises(ContractError, match="lacks"):
        z.adapt(object())
