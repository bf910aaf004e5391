"""A game of Go is finished and counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import Host, Page, Refused
from tests.studio.tab import new_game, opened, picture, place, playwright

ROWS = "........./........./XXXXXXXXX/........./...O...../OOOOOOOOO/...X...../........./......... b - 0 0 0"
ACCESSIBLE = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8")


def test_two_passes_end_the_game_and_the_dead_are_corrected(page: Page) -> None:
    page.ask("play.new", game="go", seats=["human", "human"], position=ROWS, evaluate=False)
    with pytest.raises(Refused, match="nothing is counted yet"):
        page.ask("play.count", turned="D3")
    for ply in (0, 1):
        page.ask("play.move", move="pass", ply=ply)
    shown = page.wait("play", lambda news: news["result"] is not None)
    assert shown["count"]["dead"] == ["D3"]
    assert shown["result"]["winners"] == [1]
    assert shown["result"]["why"].endswith("white wins by 17.5")
    page.ask("play.count", turned="D3")
    shown = page.wait("play", lambda news: news["count"]["dead"] == [])
    assert shown["result"]["winners"] == [0]
    page.ask("play.undo")
    shown = page.wait("play", lambda news: news["result"] is None)
    assert shown["count"] is None


def test_a_game_that_was_given_up_is_not_counted(page: Page) -> None:
    page.ask("play.new", game="go", seats=["human", "human"], position=ROWS, evaluate=False)
    page.ask("play.resign")
    assert page.wait("play", lambda news: news["result"] is not None)["count"] is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_dead_group_is_corrected_on_the_board(browser: Any, host: Host, scheme: str) -> None:
    with opened(browser, host, "play", color_scheme=scheme) as page:
        new_game(page, "go", "human", "human", position=ROWS)
        passes = page.get_by_role("group", name="Legal moves").get_by_role("button", name="pass")
        for count in (1, 2):
            passes.click()
            playwright.expect(page.locator(".moves li")).to_have_count(count)
        ending = page.locator(".ending")
        playwright.expect(ending).to_contain_text("White wins")
        playwright.expect(ending).to_contain_text("Black has 27, white 37 and 7.5 of komi: white wins by 17.5.")
        playwright.expect(page.locator(".board .z-spot")).to_have_count(18 + 27)
        playwright.expect(place(page, "D3")).to_have_attribute("aria-label", "D3, dead, white’s")
        assert page.evaluate(ACCESSIBLE) == []
        picture(page, f"count-{scheme}")
        place(page, "D3").click()
        playwright.expect(ending).to_contain_text("Black wins")
        place(page, "D3").focus()
        page.keyboard.press("Enter")
        playwright.expect(ending).to_contain_text("White wins")
        page.get_by_role("button", name="Back", exact=True).click()
        playwright.expect(page.locator(".board .z-spot")).to_have_count(0)
        page.get_by_role("button", name="Forward", exact=True).click()
        playwright.expect(page.locator(".board .z-spot")).to_have_count(18 + 27)
