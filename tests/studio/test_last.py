"""What the last action touched on the board, as views tell it to a page."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Page
from tests.studio.views import begin, play, sit
from zermelo.game import Game
from zermelo.studio.views.board import draw
from zermelo.studio.views.last import TOP, find_touched, last_touched, list_elements


def after(game: Game, *moves: str, start: str = "") -> tuple[Any, list[tuple[Any, int, Any]]]:
    """The state after `moves`, and the way there."""
    state, course = game.read(start) if start else game.initial(), []
    for move in moves:
        action = game.read_action(state, move)
        course.append((state, game.player(state), action))
        state = game.result(state, action)
    return state, course


@pytest.mark.parametrize(
    ("name", "start", "moves", "touched"),
    [
        ("tictactoe", "", ["b2"], [("b2", 0)]),  # one place
        ("chess", "", ["e4"], [("e2", 0), ("e4", 0)]),  # from, to
        ("chess", "", ["e4", "e5", "Nf3"], [("g1", 0), ("f3", 0)]),
        ("xiangqi", "", ["h3e3"], [("h3", 0), ("e3", 0)]),
        ("hex:size=3", "", ["b2"], [("b2", 1)]),  # the stone in its cell
        ("checkers", "B:W6,14,30:B1", ["1x10x17"], [("1", 0), ("10", TOP), ("17", 0)]),  # a chain of jumps
        ("go:size=5", "", ["B2", "pass"], []),  # what goes nowhere
        ("connect4", "", ["4", "4"], [("4", 4)]),  # of a column, the stone that fell
        ("kingmaker", "", [], []),  # nothing yet
    ],
)
def test_an_action_touches_the_places_through_which_it_goes(
    name: str, start: str, moves: list[str], touched: list[tuple[str, int]]
) -> None:
    game = z.load(name)
    state, course = after(game, *moves, start=start)
    assert last_touched(game, course, draw(game, state)) == touched


def test_a_play_of_backgammon_touches_its_chequers_though_the_points_are_counted_from_the_other_side() -> None:
    game = z.load("backgammon")
    state, course = after(game, "31", "8/5 6/5")
    picture = draw(game, state)
    found = last_touched(game, course, picture)
    assert [name for name, _ in found] == ["17", "20", "20", "19"]
    elements = list_elements(picture)
    assert [elements["20"][number].get("class") for name, number in found if name == "20"] == ["white", "white"]
    rolled, course = after(game, "31", "8/5 6/5", "52")  # dice touch nothing
    assert last_touched(game, course, draw(game, rolled)) == found


def test_a_place_that_is_elsewhere_now_is_not_taken_for_the_one_that_was_touched() -> None:
    before = '<svg><circle cx="0" cy="0" r="5" data-at="a"/><circle cx="20" cy="0" r="5" data-at="b"/></svg>'
    swapped = '<svg><circle cx="20" cy="0" r="5" data-at="a"/><circle cx="0" cy="1" r="4" data-at="b"/></svg>'
    gone = '<svg><circle cx="20" cy="0" r="5" data-at="a"/></svg>'
    assert find_touched(before, swapped, ["a"]) == [("b", 0)]
    assert find_touched(before, gone, ["a"]) == []
    assert find_touched(before, before, ["a", "b"]) == [("a", TOP), ("b", TOP)]


def test_shapes_of_all_kinds_are_found_again_by_name_or_by_where_they_are() -> None:
    path = '<svg><path d="M0 0" data-at="a"/><polygon points="0,0 4,0 2,4" data-at="b"/><rect data-at="c"/></svg>'
    assert find_touched(path, path, ["a", "b"]) == [("a", TOP), ("b", TOP)]
    moved = '<svg><g transform="translate(9 9)" data-at="b"><polygon points="0,0 4,0 2,4"/></g></svg>'
    assert find_touched(path, moved, ["b"]) == []


def test_a_picture_that_is_no_xml_has_places_but_nothing_new() -> None:
    assert list_elements('<svg><g data-at="a">') == {}


def test_a_page_is_told_what_was_touched_and_what_was_before_it_was_taken_back(page: Page) -> None:
    assert begin(page, "tictactoe", "human", "human", evaluate=False)["last"] == []
    assert play(page, "b2", "a1")["last"] == [["a1", 0]]
    assert page.ask("play.look", ply=1)["last"] == [["b2", 0]]
    assert page.ask("play.look", ply=0)["last"] == []
    page.ask("play.undo")
    assert page.wait("play", lambda data: data["ply"] == 1)["last"] == [["b2", 0]]


def test_an_analysis_tells_what_each_move_of_a_line_touched(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...", load="")
    shown = page.wait("analyse", lambda data: data["analysis"])
    assert shown["last"] == []
    assert page.ask("analyse.line", line=0)["steps"][0]["last"] == [["c3", 0]]
    page.ask("analyse.move", move="c3")
    assert page.wait("analyse", lambda data: data["ply"] == 1)["last"] == [["c3", 0]]


def test_where_something_is_hidden_one_is_told_of_ones_own_action_alone(page: Page) -> None:
    begin(page, "blind-tictactoe", "human", "human")
    sit(page, 0)
    assert play(page, "b2")["last"] == []
    assert sit(page, 1)["last"] == []
    play(page, "a1")
    assert sit(page, 0)["last"] == [["b2", 0]]
