"""Analyse in a real Chromium: moves that the board has no place for."""

from __future__ import annotations

from typing import Any

from tests.studio.conftest import Host
from tests.studio.tab import choose_game, opened, picture, playwright

BUTTONS = '[aria-label="Moves without a place on the board"] button'


def analyse(page: Any, game: str) -> None:
    page.wait_for_selector(".lines li")
    choose_game(page, game)
    page.get_by_role("button", name="Analyse", exact=True).click()


def test_dice_are_rolled_by_buttons_and_only_players_are_asked_why_not(browser: Any, host: Host) -> None:
    with opened(browser, host, "analyse") as page:
        analyse(page, "backgammon")
        playwright.expect(page.locator(".answer")).to_have_text("Chance decides here: nobody can be asked why not.")
        playwright.expect(page.get_by_role("button", name="Why not?")).to_be_disabled()
        page.locator(BUTTONS).first.click()
        playwright.expect(page.locator(".moves li")).to_have_count(1)
        playwright.expect(page.get_by_role("button", name="Why not?")).to_be_enabled()
        playwright.expect(page.locator(".answer")).to_have_text("")
        picture(page, "analyse-roll")


def test_moves_without_a_place_are_played_and_asked_about_by_buttons(browser: Any, host: Host) -> None:
    with opened(browser, host, "analyse") as page:
        analyse(page, "kingmaker")
        page.locator(BUTTONS).first.click()
        playwright.expect(page.locator(".moves li")).to_have_count(1)
        page.get_by_role("button", name="Back").click()
        playwright.expect(page.locator(".moves li")).to_have_count(0)
        page.get_by_label("ask by clicking on the board").check()
        page.locator(BUTTONS).last.click()
        playwright.expect(page.locator(".answer")).to_contain_text("worth")
        playwright.expect(page.locator(".moves li")).to_have_count(0)
