"""What a review says of the moves of a game, and the sheet, tiles and levels from which games begin."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.conftest import Page, Refused
from tests.studio.views import begin, play
from zermelo.games import games, load
from zermelo.options import read_options
from zermelo.play.words import name_game, say_score
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.controls import list_controls, make_control
from zermelo.studio.opponents import levels
from zermelo.studio.views.review import chances

MATE = ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#")


def review(page: Page) -> Any:
    page.ask("play.review")
    return page.wait("play", lambda data: data["review"] and len(data["review"]["moves"]) == data["review"]["of"])


def test_a_review_names_the_blunder_the_reason_and_what_was_better(page: Page) -> None:
    begin(page, "chess", "human", "human", evaluate=False)
    play(page, *MATE)
    data = review(page)
    blunder = data["review"]["moves"][5]
    assert blunder["grade"] == "blunder"
    assert blunder["message"].startswith("Nf6 is a blunder (")
    assert "a loss after). After this, white wins in 1 ply: Qxf7#, checkmate. Better was " in blunder["message"]
    assert blunder["played"] == ["g8", "f6"]
    assert data["review"]["moves"][6]["grade"] == "best"
    assert data["decisive"] == [["e8", -1]]
    assert data["result"]["why"] == "checkmate"
    steps = page.ask("play.better", ply=5)["steps"]
    assert [step["notation"] for step in steps] == blunder["better"]
    with pytest.raises(Refused, match="nothing is known of that move"):
        page.ask("play.better", ply=99)


def test_a_game_goes_on_from_where_it_went_wrong(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", clock="60")
    play(page, "b2", "a2", "a1", "c3")
    page.ask("play.retry", ply=1)
    data = page.wait("play", lambda data: data["ply"] == 1)
    assert [move["notation"] for move in data["moves"]] == ["b2"]
    assert data["control"] == "60"
    assert data["review"] is None


def test_a_review_that_nothing_can_judge_says_why(page: Page) -> None:
    begin(page, "kuhn", "human", "random")
    with pytest.raises(Refused, match="look through what is hidden"):
        page.ask("play.review")
    with pytest.raises(Refused, match="look through what is hidden"):
        page.ask("analyse.adopt")


def test_the_game_on_the_board_is_analysed_with_the_way_there(page: Page) -> None:
    begin(page, "tictactoe", "human", "human")
    play(page, "b2", "a1", "c1")
    page.ask("analyse.adopt", ply=2)
    data = page.wait("analyse")
    assert [move["notation"] for move in data["moves"]] == ["b2", "a1"]
    page.ask("analyse.halt")


def test_chances_rise_with_values_and_end_at_certainty() -> None:
    for text in ("chess", "checkers", "tictactoe", "backgammon", "go"):
        game = load(text)
        low, high = game.bounds
        values = [low, 0.3 * low, 0.01 * low, 0.0, 0.01 * high, 0.3 * high, high]
        found = [chances(game, value) for value in values]
        assert found == sorted(found)
        assert found[0] == -1
        assert found[3] == pytest.approx(0)
        assert found[-1] == 1


@pytest.mark.parametrize(
    ("text", "value", "said"),
    [
        *(("chess", 0.0093, "+0.93"), ("chess", 0.0, "0.00"), ("chess", -1.0, "loses"), ("connect4", 0.01, "+10")),
        *(("backgammon", -0.25, "−0.250"), ("tictactoe", 0.5, "75% to win"), ("tictactoe", 0.0, "even")),
    ],
)
def test_a_score_is_told_in_what_the_players_count_in(text: str, value: float, said: str) -> None:
    assert say_score(load(text), value) == said


@pytest.mark.parametrize("text", games())
def test_a_game_has_a_name_a_cover_controls_and_levels(text: str) -> None:
    game = load(text)
    assert name_game(game)[0].isupper()
    if game.cover:
        assert game.write(game.read(game.cover))
    catalogue = Catalogue()
    for control in list_controls(type(game)):
        given = read_options(f"{control['name']}={control['value']}")
        assert catalogue.load(f"{text}:{control['name']}={control['value']}").name == game.name, given
    for level in levels(game):
        catalogue.player(level["text"])


@pytest.mark.parametrize(
    ("text", "position", "said"),
    [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
        ("chess", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "too little material to mate"),
        ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate"),
        ("chess", "7k/8/6K1/8/8/8/8/R7 b - - 100 90", "fifty moves without a capture or a pawn's move"),
        ("connect4", "......./......./......./......./ooo..../xxxx...", "four in a row"),
        ("go:size=3,komi=0.5", "XXX/X.X/XXX w - 2 0 0", "black is ahead by 8.5 points"),
    ],
)
def test_a_game_says_why_it_is_over(text: str, position: str, said: str) -> None:
    game = load(text)
    assert game.say_end(game.read(position)) == said


def test_a_choice_of_words_is_open_to_a_page_and_other_texts_are_not(page: Page) -> None:
    assert page.ask("home.game", game="go:scoring=territory")["title"] == "Go"
    for options in ("scoring=secret", "playouts=/etc/passwd"):
        with pytest.raises(Refused):
            page.ask("home.game", game=f"go:{options}")


def test_an_option_that_nothing_declares_is_a_control_of_its_type() -> None:
    assert make_control("heaps", (3, 4, 5), None)["value"] == "3/4/5"
    assert make_control("misere", False, None)["kind"] == "flag"
    assert make_control("size", 5, None)["kind"] == "number"
