"""A tab of a real Chromium, and what tests do in it."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import PATIENCE, Host

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


def new_game(page: Any, game: str, *seats: str, options: str = "") -> None:
    choose_game(page, game)
    if options:
        page.get_by_label("Options").fill(options)
        page.get_by_label("Options").press("Tab")
        settle(page)
    boxes = page.locator(".seat select")
    playwright.expect(boxes).to_have_count(len(seats))
    for number, seat in enumerate(seats):
        boxes.nth(number).select_option(seat)
    page.get_by_role("button", name="New game").click()
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
