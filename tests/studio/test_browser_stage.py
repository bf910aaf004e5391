"""Watch as a stage: the search first, from its beginning, and the board of its node beside it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.studio.conftest import PATIENCE, Host, soon
from tests.studio.tab import change_search, choose_game, opened, playwright, run_search

DRAWN = "document.querySelector('.node-board')?.shadowRoot.querySelectorAll('[data-is=x]').length"
"""Crosses on the board of the present node."""


def has_crosses(page: Any, count: int) -> bool:
    """Whether the board of the node comes to have so many."""
    return soon(lambda: page.evaluate(DRAWN) == count, PATIENCE / 1000)


def test_a_search_stands_at_its_beginning_with_its_question_folded(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch", viewport={"width": 1440, "height": 900}) as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        playwright.expect(page.locator(".count")).to_have_text(re.compile("^0 / "))
        playwright.expect(page.locator(".watch-form")).to_be_hidden()
        playwright.expect(page.locator(".question > summary")).to_contain_text(
            "alphabeta on [[[2,3],[5,9]],[[0,1],[7,5]]]"
        )
        leaves = page.locator(".zermelo-tree .leaf .value")
        assert leaves.all_text_contents() == ["2", "3", "5", "9", "0", "1", "7", "5"]  # what was typed in is known
        foot = page.locator(".zermelo-trace footer").bounding_box()
        assert foot["y"] + foot["height"] <= 900  # the player is in sight
        page.keyboard.press("ArrowRight")  # wherever the focus is
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        playwright.expect(page.locator(".count")).to_have_text(re.compile("^1 / "))
        assert leaves.all_text_contents() == ["2", "3", "5", "9", "0", "1", "7", "5"]


def test_the_board_of_the_node_stands_beside_the_tree(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        page.get_by_label("Search", exact=True).select_option("game")
        choose_game(page, "tictactoe")
        page.get_by_label("Algorithm").select_option("minimax")
        page.get_by_label("Depth").fill("2")
        run_search(page)
        playwright.expect(page.locator(".trace-side h1")).to_have_text("TicTacToe")
        playwright.expect(page.locator(".node-board")).to_be_visible()
        assert has_crosses(page, 0)
        page.locator(".zermelo-trace").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")  # into the first move
        assert has_crosses(page, 1)
        page.keyboard.press("Home")
        assert has_crosses(page, 0)
        change_search(page)
        page.get_by_label("Search", exact=True).select_option("tree")
        run_search(page)
        playwright.expect(page.locator(".trace-side h1")).to_have_text(re.compile(r"^\[\[\["))
        playwright.expect(page.locator(".node-board")).to_have_count(0)


def test_a_search_is_kept_as_a_page_of_its_own(browser: Any, host: Host, tmp_path: Path) -> None:
    with opened(browser, host, "watch") as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save page").click()
        download.value.save_as(tmp_path / "search.html")
        kept = page.context.new_page()
        kept.goto("about:blank")
        kept.set_content((tmp_path / "search.html").read_text(encoding="utf-8"))
        playwright.expect(kept.locator(".zermelo-trace .count")).to_have_text("41 / 41")
        kept.close()
