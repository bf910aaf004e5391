"""Pictures, the places in them, and what may be played where."""

from __future__ import annotations

import pytest

import zermelo as z
from zermelo.games import games
from zermelo.studio.views.board import PLACE, find_moves, find_places, list_moves, share


def test_an_action_goes_through_the_places_that_its_text_names() -> None:
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    assert find_places("e7e8q", squares) == ["e7", "e8"]
    assert find_places("9x18x27", [str(n) for n in range(1, 33)]) == ["9", "18", "27"]
    assert find_places("pass", squares) == []


PICTURED = ["tictactoe", "connect4", "hex", "othello", "checkers", "morris", "kalah", "breakthrough", "hexapawn"]


@pytest.mark.parametrize("name", [*PICTURED, "chess", "xiangqi", "nim", "red-blue", "rock-paper-scissors"])
def test_every_move_of_a_board_game_can_be_clicked(name: str) -> None:
    game = z.load(name)
    state = game.initial()
    for _ in range(6):
        legal = list_moves(find_moves(game, state, game.actions(state), game.picture(state)))
        assert all(each["at"] for each in legal), legal
        assert len({tuple(each["at"]) for each in legal}) == len(legal)
        state = game.result(state, list(game.actions(state))[len(legal) // 2])
        if game.is_terminal(state):
            break


@pytest.mark.parametrize("name", games())
def test_every_game_can_be_shown(name: str) -> None:
    game = z.load(name)
    picture = game.picture(game.initial())
    assert len(picture) < 100_000
    assert all(len(place) <= 12 for place in PLACE.findall(picture))


def test_prospects_are_measured_from_the_neutral_value() -> None:
    game = z.load("tictactoe")
    assert [share(game, value) for value in (-1.0, 0.0, 0.5, 1.0)] == [-1.0, 0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("game", "place", "named"),
    [
        ("chess", "e2", "white pawn"),
        ("chess", "d8", "black queen"),
        ("xiangqi", "e1", "red general"),
        ("xiangqi", "b10", "black horse"),
        ("checkers", "1", "black man"),
        ("checkers", "32", "white man"),
    ],
)
def test_a_picture_says_what_stands_in_a_place(game: str, place: str, named: str) -> None:
    rules = z.load(game)
    assert f'data-at="{place}" data-is="{named}"' in rules.picture(rules.initial())


def test_a_crowned_man_is_a_king() -> None:
    rules = z.load("checkers")
    assert 'data-at="6" data-is="white king"' in rules.picture(rules.read("B:WK6:B1"))
