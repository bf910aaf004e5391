"""The Training view in a real browser: what is learned is seen while it runs, on the board, by keys and on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.engine.test_grid import random_grid
from tests.studio.conftest import Host
from tests.studio.tab import opened, picture, playwright
from tests.studio.test_browser import ACCESSIBLE
from tests.studio.trainings import make_state, write_training

MOST_NODES = 1_500
"""Elements of SVG on a page."""
COUNT_SVG = """() => {
  const count = (root) => root.querySelectorAll("svg, svg *").length;
  const shadows = [...document.querySelectorAll(".board-frame")].map((each) => count(each.shadowRoot));
  return count(document) + shadows.reduce((sum, each) => sum + each, 0);
}"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_training_the_page_says_how_to_start_one_and_finds_it(browser: Any, host: Host, here: Path) -> None:
    with opened(browser, host, "training") as page:
        playwright.expect(page.locator(".empty")).to_contain_text("zermelo train breakthrough --minutes 30")
        picture(page, "training-empty")
        write_training(here / "small.training", make_state(generations=1), network=False)
        playwright.expect(page.locator(".generations tbody tr")).to_have_count(1)
        playwright.expect(page.locator(".empty")).to_be_hidden()
        playwright.expect(page.locator(".opinion")).to_contain_text("No network has been kept yet")


def test_a_training_that_runs_is_followed_to_its_end(browser: Any, host: Host, here: Path) -> None:
    write_training(here / "small.training")
    with opened(browser, host, "training") as page:
        playwright.expect(page.locator(".status")).to_have_text("Generation 4 is tested against the best so far…")
        playwright.expect(page.locator(".generations tbody tr")).to_have_count(4)
        assert page.locator(".generations tbody tr td:nth-child(2)").all_inner_texts() == [
            "…",
            "discarded",
            "kept",
            "kept",
        ]
        curve = page.get_by_role("img", name="Elo of the best network after each generation")
        playwright.expect(curve.locator(".error-bar")).to_have_count(3)
        playwright.expect(curve.locator(".hollow")).to_have_count(1)
        write_training(here / "small.training", make_state(generations=5, phase="over"))
        playwright.expect(page.locator(".status")).to_contain_text("The training is over. +")
        playwright.expect(page.locator(".facts")).to_contain_text("time left0:00")
        playwright.expect(curve.locator(".error-bar")).to_have_count(5)


def test_a_position_and_a_map_are_chosen_by_keys(browser: Any, host: Host, here: Path) -> None:
    write_training(here / "small.training", make_state(phase="over"))
    with opened(browser, host, "training") as page:
        marks = page.locator(".opinion .z-one, .opinion .z-two")
        playwright.expect(marks).to_have_count(16)
        second = page.locator(".position").nth(1)
        second.focus()
        page.keyboard.press("Enter")
        playwright.expect(second).to_have_attribute("aria-pressed", "true")
        playwright.expect(second).to_be_focused()
        mine = page.get_by_role("button", name="mine", exact=True)
        mine.focus()
        page.keyboard.press("Enter")
        playwright.expect(mine).to_have_attribute("aria-pressed", "true")
        playwright.expect(mine).to_be_focused()
        playwright.expect(marks).to_have_count(20)
        playwright.expect(page.locator('.opinion [data-at="a1"]')).to_have_attribute(
            "aria-label", re.compile(r"[+−]\d")
        )
        playwright.expect(page.locator(".map-words")).to_contain_text("Most for the first player: ")
        playwright.expect(page.locator(".inputs")).to_contain_text("turn = 0")
        assert page.evaluate(COUNT_SVG) < MOST_NODES
        picture(page, "training")


def test_a_policy_is_drawn_on_the_board(browser: Any, host: Host, here: Path) -> None:
    folder = write_training(here / "hex.training", make_state("hex:size=5", phase="over"))
    random_grid("hex:size=5", (5, 5), cellwise=True).write(folder.best)
    with opened(browser, host, "training") as page:
        playwright.expect(page.locator(".opinion .z-move")).to_have_count(25)
        playwright.expect(page.locator(".opinion")).to_contain_text("plays each move")
        playwright.expect(page.locator(".opinion .lines li")).to_have_count(16)
        picture(page, "training-policy")


def test_a_path_that_is_typed_is_opened_or_refused_in_one_line(browser: Any, host: Host, here: Path) -> None:
    write_training(here / "deep" / "small.training", make_state(generations=3), network=False)
    with opened(browser, host, "training") as page:
        box = page.get_by_label("or its folder")
        for text, said in (("/etc", "ends in .training"), ("none.training", "no training can be read")):
            box.fill(text)
            box.press("Enter")
            playwright.expect(page.locator(".toast")).to_contain_text(said)
        box.fill("deep/small.training")
        box.press("Enter")
        playwright.expect(page.locator(".generations tbody tr")).to_have_count(3)


def test_a_broken_state_leaves_what_was_shown_and_a_line(browser: Any, host: Host, here: Path) -> None:
    folder = write_training(here / "small.training", network=False)
    with opened(browser, host, "training") as page:
        playwright.expect(page.locator(".generations tbody tr")).to_have_count(4)
        folder.state.write_text('{"half', encoding="utf-8")
        playwright.expect(page.locator(".status")).to_contain_text("no training can be read in 'small.training'")
        playwright.expect(page.locator(".generations tbody tr")).to_have_count(4)


def test_names_are_text_and_never_markup(browser: Any, host: Host, here: Path) -> None:
    evil = "<img src=x onerror=document.title='owned'>"
    write_training(here / f"{evil.replace('/', '')}.training", make_state(evil, phase=evil), network=False)
    with opened(browser, host, "training") as page:
        playwright.expect(page.locator(".facts")).to_contain_text(evil)
        playwright.expect(page.locator(".trouble")).to_contain_text("no game is called")
        assert "owned" not in page.title()
        assert page.locator(".view-training img").count() == 0


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (640, "light"), (375, "dark")])
def test_a_training_is_accessible_in_light_and_dark_and_at_double_size(
    browser: Any, host: Host, here: Path, width: int, scheme: str
) -> None:
    write_training(here / "small.training", make_state(phase="over"))
    with opened(browser, host, "training", viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
        playwright.expect(page.locator(".opinion .z-one, .opinion .z-two")).to_have_count(16)
        assert page.evaluate(ACCESSIBLE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture(page, f"training-{width}-{scheme}")
