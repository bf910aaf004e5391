"""Moves that are made of several steps, clicked and dragged in a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host
from tests.studio.tab import new_game, opened, picture, place, playwright, sit_down, title_of


def opening(roll: str) -> str:
    """The first position of backgammon after a roll, white's die first."""
    game = z.load("backgammon")
    start = game.initial()
    return game.write(game.result(start, game.read_action(start, roll)))


def test_a_play_of_backgammon_is_made_chequer_by_chequer(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "backgammon", "human", "human", position=opening("31"))
        playwright.expect(page.locator(".board .z-able")).to_have_count(4)  # 24, 13, 8 and 6 can move
        place(page, "8").click()
        playwright.expect(page.locator(".board .z-dot")).to_have_count(2)
        place(page, "5").click()
        playwright.expect(page.locator(".board .used")).to_have_count(1)
        playwright.expect(page.get_by_text("Made so far: 8 to 5.")).to_have_count(1)
        page.get_by_role("button", name="Take this step back").click()
        playwright.expect(page.locator(".board .used")).to_have_count(0)
        place(page, "6").drag_to(place(page, "5"))
        playwright.expect(page.locator(".board .used")).to_have_count(1)
        page.get_by_role("button", name="Undo").click()
        playwright.expect(page.locator(".board .used")).to_have_count(0)
        place(page, "6").drag_to(place(page, "5"))
        playwright.expect(page.locator(".board .used")).to_have_count(1)
        picture(page, "play-backgammon")
        place(page, "8").drag_to(place(page, "5"))
        playwright.expect(page.locator(".moves li").first).to_have_text("8/5,6/5")


def test_a_play_is_made_by_keys_and_by_its_button(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "backgammon", "human", "human", position=opening("31"))
        playwright.expect(page.locator(".board .z-able")).to_have_count(4)
        for name in ("8", "5"):
            page.locator(f'.board [data-at="{name}"]').first.focus()
            page.keyboard.press("Enter")
        playwright.expect(page.locator(".board .used")).to_have_count(1)
        page.keyboard.press("Escape")
        playwright.expect(page.locator(".board .used")).to_have_count(0)
        page.get_by_text("All 16 legal moves").click()
        page.get_by_role("button", name="8/5,6/5", exact=True).click()
        playwright.expect(page.locator(".moves li").first).to_have_text("8/5,6/5")


def test_a_chain_of_jumps_is_dragged_on_and_shows_what_is_taken(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "checkers", "human", "human", position="B:W6,14,30:B1")
        place(page, "1").click()
        place(page, "10").click()
        playwright.expect(page.get_by_text("Made so far: 1 to 10.")).to_have_count(1)
        place(page, "10").drag_to(place(page, "17"))
        playwright.expect(page.locator(".moves")).to_have_text("1x10x17")


def test_cube_and_dice_need_no_board(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        position = "sGfwATDgc/ABMA:cAkAAAAAAAAA"
        new_game(page, "backgammon", "human", "human", options="cube=yes,jacoby=yes", position=position)
        page.locator(".legal").get_by_role("button", name="double", exact=True).click()
        page.locator(".legal").get_by_role("button", name="take", exact=True).click()
        playwright.expect(page.locator(".moves li")).to_have_count(3)  # the dice were rolled then


ACCESSIBLE = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_of_all_kinds_are_accessible_and_fit_a_phone(browser: Any, host: Host, scheme: str) -> None:
    size = {"width": 390, "height": 800}
    with opened(browser, host, "play", viewport=size, color_scheme=scheme, has_touch=True) as page:
        page.wait_for_selector(".board svg")
        for game in ("backgammon", "leduc", "battleship", "goofspiel", "checkers", "chicken", "pig", "race"):
            new_game(page, game, "human", "human")
            if game in ("leduc", "battleship", "goofspiel", "chicken"):
                playwright.expect(page.get_by_role("heading", name="Hand over to")).to_be_visible()
                assert page.evaluate(ACCESSIBLE) == [], game
                sit_down(page)
            playwright.expect(page.locator(".board svg")).to_have_attribute("aria-label", title_of(game))
            details = page.locator(".all-moves")
            if details.is_visible() and not details.evaluate("each => each.open"):
                details.locator("summary").click()
            assert page.evaluate(ACCESSIBLE) == [], game
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], game
