"""What a page shows again, in a real Chromium: after another view, after it was loaded anew, after a restart."""

from __future__ import annotations

from typing import Any

from tests.studio.conftest import Host, hosting
from tests.studio.tab import choose_game, new_game, open_sheet, opened, playwright, settle


def switch(page: Any, title: str) -> None:
    """Goes to another view by its link."""
    page.get_by_role("link", name=title).click()
    playwright.expect(page.get_by_role("link", name=title)).to_have_attribute("aria-current", "page")
    playwright.expect(page.locator("main h1")).to_be_visible()
    settle(page)


def test_a_matrix_comes_back_with_its_answer_which_goes_when_a_cell_changes(browser: Any, host: Host) -> None:
    with opened(browser, host, "theory") as page:
        playwright.expect(page.locator(".value-line")).to_be_visible()
        page.get_by_label("Example").select_option("Chicken")
        playwright.expect(page.locator(".equilibrium")).to_have_count(3)
        switch(page, "Play")
        for come_back in (lambda: switch(page, "Theory"), page.reload):
            come_back()
            playwright.expect(page.locator(".equilibrium")).to_have_count(3)
            playwright.expect(page.get_by_label("Name of row 2")).to_have_value("straight")
            playwright.expect(page.get_by_label("Example")).to_have_value("Chicken")
        playwright.expect(page.locator("td.best-0")).to_have_count(2)
        cell = page.get_by_label("Payoff of straight, swerve")
        cell.fill("2, -1")
        playwright.expect(page.locator(".equilibrium, td.best-0, td.best-1, .paper")).to_have_count(0)
        playwright.expect(cell).to_be_focused()
        page.get_by_role("button", name="Solve").click()
        playwright.expect(page.locator(".equilibrium")).to_have_count(3)
        playwright.expect(cell).to_have_value("2, -1")


def test_a_tournament_that_is_stopped_before_its_first_game_ends_says_so(browser: Any, host: Host) -> None:
    with opened(browser, host, "arena") as page:
        choose_game(page, "chess")
        page.get_by_label("Players, one a line").fill("engine:seconds=50\nengine:seconds=51")
        page.get_by_role("button", name="Start").click()
        playwright.expect(page.locator(".status")).to_have_text("Games are being played…")
        page.get_by_role("button", name="Stop").click()
        playwright.expect(page.locator(".status")).to_have_text("The tournament was stopped.")
        playwright.expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def test_forms_know_what_goes_on(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "hex", "human", "alphabeta:depth=1", options="size=4", clock="600", evaluate=False)
        playwright.expect(page.locator(".clock").first).to_be_visible()
        switch(page, "Analyse")
        for come_back in (lambda: switch(page, "Play"), page.reload):
            come_back()
            sheet = open_sheet(page)
            playwright.expect(sheet.locator('.tile[aria-pressed="true"]')).to_have_text("Hex")
            playwright.expect(sheet.locator('[name="size"]')).to_have_value("4")
            playwright.expect(sheet.locator(".seat select").nth(1)).to_have_value("?")
            playwright.expect(sheet.get_by_label("as text").last).to_have_value("alphabeta:depth=1")
            playwright.expect(sheet.get_by_label("Clock", exact=True)).to_have_value("600")
            playwright.expect(sheet.locator(".more .check input")).not_to_be_checked()
            page.keyboard.press("Escape")
        switch(page, "Tournaments")
        choose_game(page, "nim")
        page.get_by_label("Players, one a line").fill("random\nrandom:seed=1")
        page.get_by_label("Games per pairing").fill("2")
        page.get_by_role("button", name="Start").click()
        playwright.expect(page.locator(".status")).to_have_text("The tournament is over.")
        page.reload()
        playwright.expect(page.get_by_role("combobox", name="Game", exact=True)).to_have_value("nim")
        playwright.expect(page.get_by_label("Players, one a line")).to_have_value("random\nrandom:seed=1")
        playwright.expect(page.get_by_label("Games per pairing")).to_have_value("2")


def test_a_page_of_a_studio_that_was_started_anew_asks_for_its_address(browser: Any) -> None:
    page = browser.new_page()
    state = page.locator(".link-state")
    with hosting() as before:
        page.goto(before.page)
        page.wait_for_selector(".board svg")
    playwright.expect(state).to_contain_text("Connection lost")
    with hosting(port=before.port) as host:
        playwright.expect(state).to_contain_text("The studio was started anew")
        page.goto(host.page)
        page.wait_for_selector(".board svg")
        playwright.expect(state).to_have_text("")
        page.close()
