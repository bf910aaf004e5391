"""Boards that are turned round, in a real Chromium: places and texts are where a person at the far side sees them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, Page
from tests.studio.tab import choose_game, new_game, opened, picture, place, playwright

UPRIGHT = """svg => [...svg.querySelectorAll('text, .upright')].every((each) => {
  const { a, b, c, d } = each.getScreenCTM();
  return a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < 1e-6;
})"""
"""Whether nothing that people read stands on its head; a transform of CSS is part of the matrix."""


def height(page: Any, name: str) -> float:
    """How far down the page a place is."""
    box = place(page, name).bounding_box()
    return float(box["y"] + box["height"] / 2)


def upright(page: Any) -> bool:
    return bool(page.locator(".board svg").evaluate(UPRIGHT))


@pytest.mark.parametrize("game", ["chess", "xiangqi", "breakthrough", "hexapawn", "kalah", "backgammon", "checkers"])
def test_a_single_person_sits_below(page: Page, game: str) -> None:
    below = z.load(game).player_below
    assert below is not None
    for seat in (0, 1):
        page.ask("play.new", game=game, seats=["human", "random"][:: 1 - 2 * seat], evaluate=False)
        shown = page.wait("play", lambda data, seat=seat: data["seats"][seat] == "human" and data["game"] == game)
        assert shown["turned"] == (seat != below)
        assert shown["faces"]


def test_where_nobody_has_a_side_there_is_nothing_to_turn(page: Page) -> None:
    page.ask("play.new", game="connect4", seats=["random", "human"], evaluate=False)
    shown = page.wait("play", lambda data: data["game"] == "connect4")
    assert not shown["faces"]
    assert not shown["turned"]


def test_a_turned_board_is_clicked_dragged_and_walked_as_it_is_seen(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        playwright.expect(page.locator(".board svg")).to_have_attribute("aria-label", re.compile("^Chess"))
        assert height(page, "e2") > height(page, "e7")
        flip = page.get_by_role("button", name="Flip board")
        flip.click()
        playwright.expect(flip).to_have_attribute("aria-pressed", "true")
        assert height(page, "e2") < height(page, "e7")
        assert upright(page)
        place(page, "e2").click()
        dots = page.locator(".board .z-dot")
        playwright.expect(dots).to_have_count(2)
        assert abs(dots.first.bounding_box()["x"] - place(page, "e3").bounding_box()["x"]) < 60
        place(page, "e4").click()
        place(page, "d7").drag_to(place(page, "d5"))
        playwright.expect(page.locator(".moves li")).to_have_text(["e4", "d5"])
        assert height(page, "e2") < height(page, "e7")  # it stays as it was turned
        picture(page, "play-flipped")
        page.locator('.board [data-at="e4"]').first.focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.querySelector('.board-frame').shadowRoot.activeElement.dataset.at") == "e5"
        page.keyboard.press("f")
        playwright.expect(flip).to_have_attribute("aria-pressed", "false")
        assert height(page, "e2") > height(page, "e7")


def test_a_person_on_the_far_side_begins_with_a_turned_board(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "breakthrough", "random", "human")
        playwright.expect(page.get_by_role("button", name="Flip board")).to_have_attribute("aria-pressed", "true")
        playwright.expect(page.locator(".moves li")).to_have_count(1)
        assert height(page, "a8") > height(page, "a1")
        assert upright(page)
        new_game(page, "connect4", "random", "human")
        playwright.expect(page.get_by_role("button", name="Flip board")).to_be_hidden()
        playwright.expect(page.locator(".board svg")).not_to_have_class(re.compile("z-turned"))


def test_a_line_of_an_analysis_is_played_on_the_turned_board(browser: Any, host: Host) -> None:
    with opened(browser, host, "analyse") as page:
        choose_game(page, "chess")
        page.get_by_role("button", name="Analyse", exact=True).click()
        page.get_by_role("button", name="Flip board").click()
        page.get_by_role("button", name="Play line 1").click()
        playwright.expect(page.locator(".line-player")).to_be_visible()
        assert height(page, "a1") < height(page, "a8")
        assert upright(page)
