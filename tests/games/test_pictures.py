"""What is written on boards and tables, beside the pieces."""

from __future__ import annotations

import re

import pytest

from zermelo.games import load


def texts(picture: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture)


@pytest.mark.parametrize("spec", ["hex", "hex:size=7", "xiangqi", "morris", "go:size=9", "chess", "othello"])
def test_a_board_names_every_place_that_moves_name(spec: str) -> None:
    game = load(spec)
    picture = game.picture(game.initial())
    places = set(re.findall(r'data-at="([A-Za-z])(\d+)"', picture))
    written = texts(picture)
    assert places
    assert {each for place in places for each in place} <= set(written)


@pytest.mark.parametrize("spec", ["hex", "xiangqi", "morris"])
def test_coordinates_take_no_click(spec: str) -> None:
    game = load(spec)
    assert re.search(r'<g style="pointer-events:none">(<text.*?</text>)+</g>', game.picture(game.initial()))


def test_players_are_called_by_the_colours_of_their_stones() -> None:
    othello, hexes = load("othello"), load("hex")
    assert [othello.player_name(p) for p in (0, 1)] == ["black", "white"]
    assert [hexes.player_name(p) for p in (0, 1)] == ["blue", "red"]
    assert othello.show(othello.initial()).endswith("black (X) to move")
    assert hexes.write(hexes.initial()).endswith(" x")


@pytest.mark.parametrize(
    ("lead", "says"), [(0, "nobody leads"), (3, "player 0 leads by 3"), (-1, "player 1 leads by 1")]
)
def test_goofspiel_says_who_leads(lead: int, says: str) -> None:
    game = load("goofspiel")
    picture = game.picture(game.initial()._replace(lead=lead))
    assert " ".join(texts(picture)).endswith(f"; {says}")
