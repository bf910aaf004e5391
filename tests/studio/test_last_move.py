"""Where the last move went, as a page marks it on the board."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Page
from tests.studio.views import begin, play, sit
from zermelo.game import AnyGame
from zermelo.games import games
from zermelo.studio.views.board import PLACE, TOP, draw, find_touched, list_places


def after(game: AnyGame, *moves: str, start: str = "") -> tuple[Any, list[tuple[Any, int, Any]]]:
    """The state after `moves`, and the plies that led there, the last one first."""
    state, plies = game.read(start) if start else game.initial(), []
    for move in moves:
        action = game.read_action(state, move)
        plies.append((state, game.player(state), action))
        state = game.result(state, action)
    return state, plies[::-1]


@pytest.mark.parametrize(
    ("name", "start", "moves", "touched"),
    [
        ("tictactoe", "", ["b2"], [("b2", TOP)]),  # one place
        ("chess", "", ["e4"], [("e2", TOP), ("e4", TOP)]),  # from, to
        ("chess", "", ["e4", "e5", "Nf3"], [("g1", TOP), ("f3", TOP)]),
        ("xiangqi", "", ["h3e3"], [("h3", TOP), ("e3", TOP)]),
        ("hex:size=3", "", ["b2"], [("b2", TOP)]),  # the stone in its cell
        ("checkers", "B:W6,14,30:B1", ["1x10x17"], [("1", TOP), ("10", TOP), ("17", TOP)]),  # a chain of jumps
        ("go:size=5", "", ["B2", "pass"], []),  # what goes nowhere
        ("connect4", "", ["4", "4"], [("4", 4)]),  # of a column, the stone that fell
        ("kalah", "", ["3"], [("3", TOP)]),  # whose last seed is in the store: the same player moves again
        ("kalah", "", ["4"], []),  # the houses of the other player are called 1, 2, 3, … now
        ("nim", "", ["b2"], []),
        ("rock-paper-scissors", "", ["rock"], []),
        ("kingmaker", "", [], []),  # nothing yet
    ],
)
def test_an_action_touches_the_places_through_which_it_goes(
    name: str, start: str, moves: list[str], touched: list[tuple[str, int]]
) -> None:
    game = z.load(name)
    state, plies = after(game, *moves, start=start)
    assert find_touched(game, plies, draw(game, state)) == touched


def test_a_play_of_backgammon_touches_its_chequers_though_the_points_are_counted_from_the_other_side() -> None:
    game = z.load("backgammon")
    state, plies = after(game, "31", "8/5 6/5")
    picture = draw(game, state)
    found = find_touched(game, plies, picture)
    assert found == [("17", TOP), ("20", TOP), ("20", TOP - 1), ("19", TOP)]
    chequers = [part for part in picture.split("<circle ") if 'data-at="20"' in part]
    assert ['class="white"' in chequers[number] for name, number in found if name == "20"] == [True, True]
    rolled, plies = after(game, "31", "8/5 6/5", "52")  # dice touch nothing
    assert find_touched(game, plies, draw(game, rolled)) == found


@pytest.mark.parametrize("name", games())
def test_what_was_touched_is_on_the_board(name: str) -> None:
    game = z.load(name)
    for seed in range(3):
        dice = random.Random(seed)
        state, plies = game.initial(), []
        for _ in range(30):
            if game.is_terminal(state):
                break
            action = dice.choice(list(game.actions(state)))
            plies.insert(0, (state, game.player(state), action))
            state = game.result(state, action)
            picture = draw(game, state)
            drawn = PLACE.findall(picture)
            for place, number in find_touched(game, plies, picture):
                assert -drawn.count(place) <= number < drawn.count(place)


class Columns(type(z.load("tictactoe"))):  # type: ignore[misc]
    """A game of one's own that says what its moves touch, a place that is not on the board included."""

    def touched(self, s: Any, a: Any) -> list[tuple[str, int]]:
        return [("c3", 0), ("nowhere", 0)]


def test_a_game_of_ones_own_says_what_its_moves_touch() -> None:
    game = Columns()
    state, plies = after(game, "a1")
    assert find_touched(game, plies, draw(game, state)) == [("c3", 0)]
    assert find_touched(game, plies, "<svg/>") == []
    assert "c3" in list_places(draw(game, state))


def test_a_page_marks_the_last_move_and_the_one_before_when_it_is_taken_back(page: Page) -> None:
    assert begin(page, "tictactoe", "human", "human", evaluate=False)["last"] == []
    assert play(page, "b2", "a1")["last"] == [["a1", TOP]]
    assert page.ask("play.look", ply=1)["last"] == [["b2", TOP]]
    assert page.ask("play.look", ply=0)["last"] == []
    page.ask("play.undo")
    assert page.wait("play", lambda data: data["ply"] == 1)["last"] == [["b2", TOP]]


def test_an_analysis_tells_what_each_move_of_a_line_touched(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...", load="")
    shown = page.wait("analyse", lambda data: data["analysis"])
    assert shown["last"] == []
    assert page.ask("analyse.line", line=0)["steps"][0]["last"] == [["c3", TOP]]
    page.ask("analyse.move", move="c3")
    assert page.wait("analyse", lambda data: data["ply"] == 1)["last"] == [["c3", TOP]]


def test_where_something_is_hidden_one_is_told_of_ones_own_action_alone(page: Page) -> None:
    begin(page, "blind-tictactoe", "human", "human")
    sit(page, 0)
    assert play(page, "b2")["last"] == []
    assert sit(page, 1)["last"] == []
    play(page, "a1")
    assert sit(page, 0)["last"] == [["b2", TOP]]
