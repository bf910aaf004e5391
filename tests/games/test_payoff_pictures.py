"""Payoff tables, dice and tracks, drawn: what can be clicked, and what a player must not see."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import zermelo as z
from zermelo.games._matrix import MatrixGame

PLACE = re.compile(r'data-at="([^"]+)"')


def texts(picture: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def test_whoever_chooses_clicks_a_row_or_a_column() -> None:
    game = z.load("red-blue")
    start = game.initial()
    assert set(PLACE.findall(game.picture(start))) == {"1", "2"}
    second = game.result(start, 0)
    assert set(PLACE.findall(game.picture(second))) == {"A", "B", "C"}
    over = game.result(second, 1)
    assert PLACE.findall(game.picture(over)) == []
    assert game.picture(over).count("cell met") == 1


def test_a_zero_sum_table_shows_one_number_and_another_both() -> None:
    assert "−10" in texts(z.load("red-blue").picture(z.load("red-blue").initial()))
    assert "7, 2" in texts(z.load("chicken").picture(z.load("chicken").initial()))


def test_the_first_choice_is_not_drawn_for_the_second_player() -> None:
    game = z.load("rock-paper-scissors")
    assert isinstance(game, MatrixGame)
    seen = {game.view_picture(game.view(game.result(game.initial(), a), 1), 1) for a in range(3)}
    assert len(seen) == 1
    assert " on" not in seen.pop()
    own = game.view_picture(game.view(game.result(game.initial(), 2), 0), 0)
    assert own.count("head on") == 1
    assert PLACE.findall(own) == []


def test_a_table_too_large_to_read_is_text() -> None:
    game = z.load("blotto")
    assert "monospace" in game.picture(game.initial())


def test_pig_is_played_by_its_die() -> None:
    game = z.load("pig")
    start = game.initial()
    assert PLACE.findall(game.picture(start)) == ["roll"]
    thrown = game.result(start, game.read_action(start, "roll"))
    assert PLACE.findall(game.picture(thrown)) == []
    kept = game.result(thrown, 5)
    assert PLACE.findall(game.picture(kept)) == ["roll", "hold"]
    assert "0 + 5" in texts(game.picture(kept))
    assert PLACE.findall(game.picture(game.read("(45,0,5,0,False)"))) == []  # it is over


@pytest.mark.parametrize(("sides", "dots", "numbers"), [(6, 3, []), (20, 0, ["12", "17"])])
def test_the_dice_of_the_race_show_what_was_rolled(sides: int, dots: int, numbers: list[str]) -> None:
    game = z.load(f"race:steps=30,sides={sides}")
    low, high = (1, 2) if not numbers else (12, 17)
    rolled = game.read(f"(0,0,0,0,1,{low},{high})")
    picture = game.picture(rolled)
    assert picture.count('class="pip"') == dots
    assert [each for each in texts(picture) if each.isdigit()] == numbers
    assert "player 1" in texts(picture)
