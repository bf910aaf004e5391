"""Watch in a real Chromium, with runs of tens of thousands of steps."""

from __future__ import annotations

import re
from typing import Any

from tests.studio.conftest import Host
from tests.studio.tab import change_search, choose_game, opened, picture, playwright, run_search

SLIDE = """([side, step]) => {
  const slider = document.querySelectorAll('.trace-side')[side].querySelector('input[type=range]');
  slider.value = step;
  slider.dispatchEvent(new Event('input'));
}"""


def record(page: Any, first: str, second: str = "", depth: int = 5) -> None:
    change_search(page)
    page.get_by_label("Search", exact=True).select_option("game")
    choose_game(page, "connect4")
    page.get_by_label("Algorithm").select_option(first)
    page.get_by_label("Compare with").select_option(second)
    page.get_by_label("Depth").fill(str(depth))
    run_search(page)
    playwright.expect(page.locator(".trace-side h1").first).to_have_text("ConnectFour")


def count(page: Any, side: int = 0) -> Any:
    return page.locator(".trace-side").nth(side).locator(".count")


def slide(page: Any, step: int, side: int = 0) -> None:
    page.evaluate(SLIDE, [side, step])
    playwright.expect(count(page, side)).to_have_text(re.compile(rf"^{step:,} / "))


def test_a_long_run_is_moved_through_by_slider_keys_and_play(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        record(page, "minimax")
        counts = page.locator(".counts").first
        playwright.expect(count(page)).to_have_text("0 / 58,824")
        page.locator(".zermelo-trace").focus()
        page.keyboard.press("End")
        playwright.expect(counts).to_have_text("19,608 nodes · 16,807 leaves · 0 cut-offs")
        playwright.expect(count(page)).to_have_text("58,824 / 58,824")
        slide(page, 30_000)
        assert page.locator(".zermelo-tree [data-node]").count() <= 1_500
        picture(page, "watch-long")
        page.locator(".zermelo-trace").focus()
        for key, step in (("ArrowRight", 30_001), ("ArrowRight", 30_002), ("ArrowLeft", 30_001), ("ArrowLeft", 30_000)):
            page.keyboard.press(key)
            playwright.expect(count(page)).to_have_text(f"{step:,} / 58,824")
            playwright.expect(page.locator(".events .is-current")).to_have_count(1)
            assert page.locator(".says").text_content()
        page.keyboard.press("Home")
        playwright.expect(count(page)).to_have_text("0 / 58,824")
        playwright.expect(counts).to_have_text("0 nodes · 0 leaves · 0 cut-offs")
        slide(page, 497)
        page.get_by_label("Speed").select_option("30")
        page.get_by_role("button", name="Play or pause").click()
        playwright.expect(count(page)).to_have_text(re.compile(r"^(5[1-9]\d|[6-9]\d\d|\d,\d{3}) / "))
        page.get_by_role("button", name="Play or pause").click()
        page.locator(".zermelo-trace").focus()
        page.keyboard.press("End")
        playwright.expect(counts).to_have_text("19,608 nodes · 16,807 leaves · 0 cut-offs")
        page.get_by_role("button", name="Play or pause").click()  # from the beginning
        playwright.expect(count(page)).to_have_text(re.compile(r"^\d{1,3} / "))


def test_a_slider_that_is_dragged_fast_ends_where_it_was_let_go(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        record(page, "minimax")
        playwright.expect(count(page)).to_have_text("0 / 58,824")
        for step in range(58_000, 20_000, -500):  # more in a moment than a page may ask for
            page.evaluate(SLIDE, [0, step])
        slide(page, 12_345)
        page.wait_for_timeout(200)
        playwright.expect(count(page)).to_have_text("12,345 / 58,824")


def test_nodes_are_folded_unfolded_and_opened_as_parts(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        record(page, "minimax")
        slide(page, 300)
        nodes = page.locator(".zermelo-tree [data-node]")
        before = nodes.count()
        nodes.nth(1).dispatch_event("click")
        playwright.expect(nodes).not_to_have_count(before)
        assert nodes.count() < before
        playwright.expect(count(page)).to_have_text("300 / 58,824")
        nodes.nth(1).dispatch_event("click")
        playwright.expect(nodes).to_have_count(before)
        nodes.nth(1).dispatch_event("click", {"shiftKey": True})
        playwright.expect(page.locator(".path").first).to_contain_text("The part below 1.")
        playwright.expect(count(page)).to_have_text("8,402 / 8,402")
        page.locator(".zermelo-trace").focus()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("o")
        playwright.expect(page.locator(".path").first).to_contain_text("The part below 1 › 7.")
        page.get_by_role("button", name="Back to the larger tree").click()
        playwright.expect(page.locator(".path").first).to_contain_text("The part below 1.")
        page.get_by_role("button", name="Back to the larger tree").click()
        playwright.expect(count(page)).to_have_text("300 / 58,824")
        playwright.expect(page.locator(".path").first).to_be_empty()


def test_two_long_runs_step_together_over_the_borders(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        record(page, "minimax", "alphabeta")
        playwright.expect(page.locator(".trace-side svg.zermelo-tree")).to_have_count(2)
        playwright.expect(page.locator(".difference")).to_contain_text("part ways at step")
        slide(page, 2_000)
        playwright.expect(count(page, 1)).to_have_text(re.compile(r"^2,000 / "))
        page.locator(".zermelo-trace").first.focus()
        page.keyboard.press("ArrowRight")
        playwright.expect(count(page, 1)).to_have_text(re.compile(r"^2,001 / "))
        slide(page, 50_000)  # where the other one has long been over
        last = page.locator("input[type=range]").nth(1).get_attribute("max")
        playwright.expect(count(page, 1)).to_have_text(f"{int(last):,} / {int(last):,}")
        playwright.expect(count(page)).to_have_text("50,000 / 58,824")
        page.get_by_role("button", name="Go to the first difference").click()
        for side in (0, 1):
            marked = page.locator(".trace-side").nth(side).locator("[data-difference]")
            playwright.expect(marked).to_have_count(1)


def test_predictions_are_scored_over_the_borders(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        record(page, "alphabeta")
        slide(page, 600)
        page.get_by_label("predict what is pruned").check()
        playwright.expect(count(page)).to_have_text(re.compile(r"^501 / "))
        score = page.locator(".score")
        playwright.expect(score).to_have_text(re.compile(r"^0 right, 0 missed, 0 wrong, of [1-9]"))
        slide(page, 1_000)
        playwright.expect(score).to_have_text(re.compile(r"^0 right, [1-9]\d* missed, 0 wrong"))
        missed, cuts = re.findall(r"(\d+) (?:missed|branch)", score.text_content())
        assert missed == cuts
        slide(page, 1_001)
        playwright.expect(score).to_have_text(re.compile(rf"^0 right, {missed} missed, 0 wrong, of (?!{missed} )\d+"))
        slide(page, 1_000)
        playwright.expect(score).to_have_text(f"0 right, {missed} missed, 0 wrong, of {missed} branches cut off")


def test_a_recording_that_takes_too_long_is_stopped_by_hand(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        page.get_by_label("Search", exact=True).select_option("game")
        choose_game(page, "connect4")
        page.get_by_label("Depth").fill("30")
        run_search(page)
        playwright.expect(page.locator(".counts").first).to_contain_text(re.compile(r"Recorded [1-9][\d,]* steps"))
        page.get_by_role("button", name="Stop and show").click()
        playwright.expect(page.locator(".notices")).to_contain_text("The search was stopped by hand")


def test_a_monte_carlo_tree_opens_whole_with_its_line_to_be_read(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        page.get_by_label("Search", exact=True).select_option("game")
        choose_game(page, "tictactoe")
        page.get_by_label("Algorithm").select_option("mcts")
        run_search(page)
        playwright.expect(page.locator(".subtitle")).to_contain_text("mcts")
        page.locator(".zermelo-trace").focus()
        page.keyboard.press("End")
        playwright.expect(page.locator(".counts").first).to_contain_text("60 simulations")
        scroll = page.locator(".zermelo-trace .scroll")
        assert scroll.evaluate("each => each.scrollWidth <= each.clientWidth")
        line = scroll.locator("[data-node].line > .value:visible")
        assert line.count() >= 2
        for box in (each.bounding_box() for each in line.all()):
            assert box["height"] >= 10
        assert scroll.locator("[data-node]:not(.line) > .value:visible").count() == 0
        page.get_by_title("One step back (←)").click()
        playwright.expect(scroll.locator("[data-now] > .value:visible")).to_have_count(1)
        for _ in range(7):
            page.get_by_role("button", name="Larger").click()
        playwright.expect(scroll).not_to_have_class(re.compile("far"))
        picture(page, "watch-mcts")
