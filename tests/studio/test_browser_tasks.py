"""Whole tasks in a real Chromium: a game from the gallery to its review, a link, a rematch, a small screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.studio.conftest import Host
from tests.studio.tab import change_search, new_game, opened, picture, place, playwright, run_search, settle

ACCESSIBLE = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8")
MATE = ("e2 e4", "e7 e5", "d1 h5", "b8 c6", "f1 c4", "g8 f6", "h5 f7")


def play_moves(page: Any, moves: tuple[str, ...]) -> None:
    for number, move in enumerate(moves, 1):
        for square in move.split():
            place(page, square).click()
        playwright.expect(page.locator(".moves li")).to_have_count(number)


def test_chess_is_played_to_mate_and_reviewed(browser: Any, host: Host) -> None:
    with opened(browser, host, "play", viewport={"width": 1280, "height": 720}, color_scheme="dark") as page:
        new_game(page, "chess", "human", "human")
        play_moves(page, MATE)
        ending = page.locator(".ending")
        playwright.expect(ending.get_by_role("heading")).to_have_text("White wins")
        playwright.expect(ending).to_contain_text("Checkmate.")
        playwright.expect(page.locator(".board .z-decisive")).to_have_count(1)
        ending.get_by_role("button", name="Review").click()
        playwright.expect(page.locator(".review h2")).to_have_text("Review")
        page.get_by_role("button", name="Previous mistake").click()
        playwright.expect(page.locator(".review .answer")).to_contain_text("Nf6 is a blunder")
        playwright.expect(page.locator(".moves .is-blunder")).to_have_text("Nf6")
        playwright.expect(page.locator(".board .z-arrow")).to_have_count(2)
        playwright.expect(page.locator(".graph .is-blunder")).to_have_count(1)
        assert page.evaluate(ACCESSIBLE) == []
        picture(page, "review")
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        picture(page, "review-phone")
        page.get_by_role("button", name="Show the better line").click()
        playwright.expect(page.locator(".line-player")).to_contain_text("Better: ")
        page.get_by_role("button", name="Try again from here").click()
        playwright.expect(page.locator(".moves li")).to_have_count(5)
        playwright.expect(ending).to_be_hidden()


def test_a_game_is_begun_and_played_by_keys(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        settle(page)
        page.get_by_role("button", name="New game…").first.focus()
        page.keyboard.press("Enter")
        sheet = page.get_by_role("dialog", name="New game")
        playwright.expect(sheet.locator('.tile[aria-pressed="true"]')).to_be_focused()
        page.get_by_label("Find a game").focus()
        page.keyboard.type("connect f")
        playwright.expect(sheet.locator(".tile:visible")).to_have_count(1)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        playwright.expect(sheet.locator(".game-title")).to_have_text("Connect Four")
        assert page.evaluate(ACCESSIBLE) == []
        settle(page)
        for control in (sheet.get_by_role("radio", name="Both"), sheet.get_by_role("button", name="Start game")):
            control.focus()
            page.keyboard.press("Enter")
        playwright.expect(sheet).to_be_hidden()
        playwright.expect(page.get_by_role("heading", level=1)).to_have_text("Connect Four")
        settle(page)
        page.locator('.board [data-at="4"]').first.focus()
        page.keyboard.press("Enter")
        playwright.expect(page.locator(".moves li")).to_have_text(["4"])


def test_whoever_has_lost_alone_takes_the_other_side_in_the_rematch(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "tictactoe", "human", "random")
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Really resign?").click()
        playwright.expect(page.locator(".ending").get_by_role("heading")).to_have_text("You lose")
        page.get_by_role("button", name="Rematch").click()
        playwright.expect(page.locator(".players.below")).to_contain_text("OYou")


def test_a_position_is_analysed_with_one_click_and_opened_by_its_link(browser: Any, host: Host) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, host, "play", permissions=allowed) as page:
        new_game(page, "tictactoe", "human", "human")
        play_moves(page, ("b2", "a1"))
        page.get_by_role("button", name="Analyse", exact=True).click()
        page.wait_for_selector(".view-analyse .lines li")
        playwright.expect(page.locator(".moves li")).to_have_text(["b2", "a1"])
        page.get_by_role("link", name="Play", exact=True).click()
        playwright.expect(page.locator(".view-play .moves li")).to_have_count(2)
        page.get_by_role("button", name="Copy link").click()
        link = page.evaluate("navigator.clipboard.readText()")
        assert re.search(r"#analyse\?game=tictactoe&position=.+&token=", link)
        other = page.context.new_page()
        other.goto(link)
        playwright.expect(other.locator('.board [data-at="b2"]')).to_have_attribute("data-is", "x")
        playwright.expect(other.locator(".view-analyse h1")).to_have_text("Tic-tac-toe")
        assert "token" not in other.url


def test_a_search_is_presented_by_keys_and_opened_by_its_link(browser: Any, host: Host) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, host, "watch", permissions=allowed) as page:
        change_search(page)
        page.get_by_label("Tree", exact=True).fill("[[3,12],[2,4]]")
        run_search(page)
        playwright.expect(page.locator(".zermelo-trace h1")).to_have_text("[[3,12],[2,4]]")
        page.get_by_role("button", name="Copy link").click()
        link = page.evaluate("navigator.clipboard.readText()")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("p")
        playwright.expect(page.locator(".question")).to_be_hidden()
        playwright.expect(page.locator(".zermelo-trace .count")).to_have_text(re.compile("^0 / "))
        page.keyboard.press("ArrowRight")
        playwright.expect(page.locator(".zermelo-trace .count")).to_have_text(re.compile("^1 / "))
        page.keyboard.press("p")
        playwright.expect(page.locator(".question")).to_be_visible()
        other = page.context.new_page()
        other.goto(link)
        playwright.expect(other.locator(".zermelo-trace h1")).to_have_text("[[3,12],[2,4]]")
