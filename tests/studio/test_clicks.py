"""Actions made of several steps, as a page clicks them together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.studio.conftest import Page, Refused
from zermelo.errors import ActionError
from zermelo.game import CHANCE, Game
from zermelo.studio.views.board import draw, find_moves, legal_moves, next_steps, show, show_halfway


def ways_in(game: Game, state: Any) -> Any:
    return find_moves(game, state, game.actions(state), draw(game, state))


def show_all(game: Game, state: Any) -> dict[str, Any]:
    picture = draw(game, state)
    return show(game, state, picture, legal_moves(game, state, game.actions(state), picture))


def after_roll(roll: str, *plays: str) -> tuple[Game, Any]:
    """Backgammon after the opening roll, white's die first, and what follows it."""
    game = z.load("backgammon")
    state = game.initial()
    for text in (roll, *plays):
        state = game.result(state, game.read_action(state, text))
    return game, state


def completed(steps: list[dict[str, Any]]) -> dict[tuple[str, ...], list[str]]:
    return {step["at"]: step["done"] for step in steps}


def test_a_play_is_accepted_in_either_order_of_the_dice() -> None:
    game, state = after_roll("31")
    ways = ways_in(game, state)
    for first, second in ((("8", "5"), ("6", "5")), (("6", "5"), ("8", "5"))):
        assert not completed(next_steps(ways))[first]
        assert completed(next_steps(ways, [first]))[second] == ["8/5,6/5"]
    # One chequer with both dice comes over either point between.
    assert completed(next_steps(ways, [("8", "7")]))["7", "4"] == ["8/4"]
    assert completed(next_steps(ways, [("8", "5")]))["5", "4"] == ["8/4"]


def test_a_double_is_played_in_four_steps() -> None:
    game, state = after_roll("31", "8/5,6/5", "11")
    made: list[tuple[str, ...]] = [("8", "7"), ("6", "5"), ("8", "7")]
    found = show_halfway(game, state, game.actions(state), made)
    assert completed(found["steps"])["6", "5"] == ["8/7(2),6/5(2)"]
    assert found["picture"].count('class="used"') == 3


def test_a_chequer_on_the_bar_comes_in_first_and_the_tray_takes_those_borne_off() -> None:
    game = z.load("backgammon")
    entering = ways_in(game, game.read("xJ9LACKid8EgUA:cAkHAAAAAAAA"))  # black, with 61
    assert {start for start, _ in completed(next_steps(entering))} == {"bar"}
    assert completed(next_steps(entering, [("bar", "24")]))["7", "1"] == ["bar/24,7/1*"]
    leaving = ways_in(game, game.read("01yiGQC/AAAAAA:MAEHAAAAAAAA"))  # white on 2 and 1, with 61
    assert completed(next_steps(leaving, [("2", "off")])) == {("1", "off"): ["2/off,1/off"]}
    assert completed(next_steps(leaving, [("2", "1")])) == {("1", "off"): ["2/off"]}


def test_steps_that_lead_nowhere_are_refused() -> None:
    game, state = after_roll("31")
    for made in ([], [("8", "6")], [("nowhere",)], [("8", "5"), ("6", "5")]):
        with pytest.raises(ActionError, match="no action goes on"):
            show_halfway(game, state, game.actions(state), made)
    chess = z.load("chess")
    with pytest.raises(ActionError, match="no action goes on"):
        show_halfway(chess, chess.initial(), chess.actions(chess.initial()), [("e2", "e4")])


def test_a_chain_of_jumps_goes_from_square_to_square() -> None:
    game = z.load("checkers")
    state = game.read("B:W6,14,30:B1")
    assert next_steps(ways_in(game, state)) == [{"at": ("1", "10"), "done": [], "more": True}]
    found = show_halfway(game, state, game.actions(state), [("1", "10")])
    assert found["picture"] == game.picture(game.read("B:W14,30:B10"))
    assert found["steps"] == [{"at": ("17",), "done": ["1x10x17"], "more": False}]


def test_a_king_stays_a_king_halfway() -> None:
    game = z.load("checkers")
    state = game.read("B:WK6,14,30:BK1")
    found = show_halfway(game, state, game.actions(state), [("1", "10")])
    assert found["picture"] == game.picture(game.read("B:W14,30:BK10"))


def test_a_mill_is_closed_before_a_man_is_taken() -> None:
    game = z.load("morris")
    state = game.read("ww./.../.../b....b/.../.../... w 7 7")
    ways = ways_in(game, state)
    assert completed(next_steps(ways))["c5",] == ["c5"]
    found = show_halfway(game, state, game.actions(state), [("g7",)])
    assert sorted(step["at"] for step in found["steps"]) == [("a4",), ("g4",)]
    assert found["picture"].count('class="man"') == 5


class Amazon(z.Game):
    """One amazon goes to a free cell of three and shoots at another, or stays and is done."""

    def initial(self) -> Any:
        return 0

    def player(self, s: Any) -> int:
        return 0

    def actions(self, s: Any) -> Any:
        return ["b/a", "b/c", "c/a", "b"] if s == 0 else []

    def result(self, s: Any, a: Any) -> Any:
        return 1

    def is_terminal(self, s: Any) -> bool:
        return bool(s)

    def utility(self, s: Any, p: int) -> float:
        return 0.0

    def picture(self, s: Any) -> str:
        return "<svg>" + "".join(f'<g data-at="{name}"/>' for name in "abc") + "</svg>"

    def clicks(self, s: Any, a: str) -> Any:
        return [[(step,) for step in a.split("/")]]


def test_a_game_of_ones_own_says_how_it_is_clicked_and_may_leave_halfway_out() -> None:
    game = Amazon()
    shown = show_all(game, 0)
    assert shown["legal"][0] == {"notation": "b/a", "at": ["b", "a"]}
    # A step may both complete an action and begin a longer one.
    assert shown["steps"] == [
        {"at": ("b",), "done": ["b"], "more": True},
        {"at": ("c",), "done": [], "more": True},
    ]
    found = show_halfway(game, 0, game.actions(0), [("b",)])
    assert completed(found["steps"]) == {("a",): ["b/a"], ("c",): ["b/c"]}
    assert found["picture"] == game.picture(0)


def test_games_without_steps_send_none() -> None:
    game = z.load("tictactoe")
    assert show_all(game, game.initial())["steps"] is None


@pytest.mark.parametrize("name", ["backgammon", "checkers", "morris"])
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_every_action_is_reached_by_each_of_its_ways(name: str, data: st.DataObject) -> None:
    game = z.load(name)
    state = game.initial()
    for _ in range(data.draw(st.integers(0, 60))):
        legal = list(game.actions(state))
        state = game.result(state, data.draw(st.sampled_from(legal)))
        if game.is_terminal(state):
            return
    if game.player(state) == CHANCE:
        return
    ways = ways_in(game, state)
    assert len({say for _, say, _ in ways}) == len(ways)
    for _, say, made in ways:
        assert made or say == "no-play"
        way = data.draw(st.sampled_from(made)) if made else []
        for count in range(len(way)):
            assert way[count] in completed(next_steps(ways, way[:count]))
            if count:
                assert game.halfway(state, way[:count]).startswith("<svg")
        if way:
            assert completed(next_steps(ways, way[:-1]))[way[-1]] == [say]


# What a page asks.


def test_a_page_asks_for_the_board_after_a_step(page: Page) -> None:
    game, state = after_roll("31")
    page.ask("play.new", game="backgammon", seats=["human", "human"], position=game.write(state))
    shown = page.wait("play", lambda data: data["yours"])
    assert ["8", "5"] in [step["at"] for step in shown["steps"]]
    found = page.ask("play.step", made=[["8", "5"]], ply=shown["ply"])
    assert found["picture"] != shown["picture"]
    assert {"at": ["6", "5"], "done": ["8/5,6/5"], "more": False} in found["steps"]
    assert page.news["play"]["ply"] == shown["ply"]


@pytest.mark.parametrize("made", [None, "8", [["8", 5]], [["x"] * 99], [[]] * 99, [["8", "5"], "6"]])
def test_steps_that_are_no_lists_of_texts_are_refused(page: Page, made: Any) -> None:
    game, state = after_roll("31")
    page.ask("play.new", game="backgammon", seats=["human", "human"], position=game.write(state))
    page.wait("play", lambda data: data["yours"])
    with pytest.raises(Refused, match="made must be a list"):
        page.ask("play.step", made=made)


def test_steps_are_for_whoever_is_to_move_in_the_position_shown(page: Page) -> None:
    page.ask("play.new", game="checkers", seats=["human", "human"], position="B:W6,14,30:B1")
    shown = page.wait("play", lambda data: data["yours"])
    with pytest.raises(Refused, match="has changed meanwhile"):
        page.ask("play.step", made=[["1", "10"]], ply=shown["ply"] + 1)
    page.ask("play.resign")
    with pytest.raises(Refused, match="not your turn"):
        page.ask("play.step", made=[["1", "10"]])


def test_an_analysis_is_gone_on_with_step_by_step(page: Page) -> None:
    page.ask("analyse.open", game="checkers", position="B:W6,14,30:B1")
    assert page.ask("analyse.step", made=[["1", "10"]])["steps"][0]["done"] == ["1x10x17"]
    page.ask("analyse.move", move="1x10x17")
    page.ask("analyse.halt")
