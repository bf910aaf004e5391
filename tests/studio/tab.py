"""A tab of a real Chromium, and what tests do in it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import PATIENCE, Host
from zermelo.play.words import name_game

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright's Python package is not installed")

playwright.expect.set_options(timeout=PATIENCE)
SHOTS = os.environ.get("STUDIO_SHOTS")
"""A folder for pictures of the views, for people to look at."""


@contextlib.contextmanager
def opened(browser: Any, host: Host, view: str, **context: Any) -> Iterator[Any]:
    """A page of the studio; whatever its console complains of is a failure, and so is a request to anybody else."""
    complaints: list[str] = []
    tab = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context})
    page = tab.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else 0)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    outside = f"http://127.0.0.1:{host.port}/"
    page.on("request", lambda asked: None if asked.url.startswith((outside, "blob:")) else complaints.append(asked.url))
    page.goto(host.page)
    page.evaluate("view => { location.hash = view }", view)
    page.wait_for_selector(f".view-{view}")
    settle(page)
    yield page
    tab.close()
    assert complaints == []


def picture(page: Any, name: str) -> None:
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


def settle(page: Any) -> None:
    """Waits until nothing is under way: a move, or what there is to choose for a game, which fills in fields."""
    playwright.expect(page.locator("[aria-busy]")).to_have_count(0)


def choose_game(page: Any, game: str) -> None:
    page.get_by_role("combobox", name="Game", exact=True).select_option(game)
    settle(page)


def change_search(page: Any) -> None:
    """Unfolds the question of Watch, once something is shown."""
    page.wait_for_selector(".trace-side .zermelo-tree")
    page.locator(".question").evaluate("each => { each.open = true }")


def run_search(page: Any) -> None:
    """Runs what is asked; the question folds itself."""
    page.get_by_role("button", name="Run", exact=True).click()
    playwright.expect(page.locator(".question:not([open])")).to_have_count(1)


def title_of(game: str) -> re.Pattern[str]:
    """How the label of its board begins."""
    return re.compile(f"^{re.escape(name_game(z.load(game)))}")


def open_sheet(page: Any) -> Any:
    """The sheet for a new game, with all that there is to choose."""
    settle(page)
    page.get_by_role("button", name="New game…").first.click()
    sheet = page.get_by_role("dialog", name="New game")
    sheet.locator(".more").evaluate("each => { each.open = true }")
    return sheet


def new_game(
    page: Any, game: str, *seats: str, options: str = "", position: str = "", clock: str = "", evaluate: bool = True
) -> None:
    """Begins a game by its sheet."""
    sheet = open_sheet(page)
    sheet.locator(f'.tile[data-game="{game}"]').click()
    settle(page)
    for name, _, value in (each.partition("=") for each in options.split(",") if each):
        control = sheet.locator(f'.options [name="{name}"]')
        control.set_checked(value == "yes") if value in ("yes", "no") else control.fill(value)
        control.blur()
        settle(page)
    boxes = sheet.locator(".seat select")
    playwright.expect(boxes).to_have_count(len(seats))
    for number, seat in enumerate(seats):
        listed = boxes.nth(number).locator(f'option[value="{seat}"]').count()
        boxes.nth(number).select_option(seat if listed else "?")
        if not listed:
            sheet.get_by_label("as text").nth(number).fill(seat)
    sheet.get_by_label("Position", exact=True).fill(position)
    sheet.get_by_label("Clock", exact=True).fill(clock)
    if sheet.locator(".more .check").is_visible():
        sheet.locator(".more .check input").set_checked(evaluate)
    sheet.get_by_role("button", name="Start game").click()
    playwright.expect(sheet).to_be_hidden()
    settle(page)


def sit_down(page: Any) -> None:
    """The next person takes over a page that is handed over, by keys."""
    here = page.get_by_role("button", name=re.compile("^I am "))
    here.focus()
    page.keyboard.press("Enter")
    playwright.expect(here).to_be_hidden()


def place(page: Any, name: str) -> Any:
    """What lies on top in a place, once the board is that of the newest position."""
    return page.locator(f'div.board:not([aria-busy]) [data-at="{name}"]').last
