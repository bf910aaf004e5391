"""What goes on at a table, in a real Chromium: the last move, pauses, a page that is handed over, and what is wrong."""

from __future__ import annotations

import re
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, soon
from tests.studio.tab import new_game, opened, picture, place, playwright

LIE_THERE = """names => {
  const { shadowRoot } = document.querySelector('.board-frame');
  const middle = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x + width / 2, y + height / 2, width / 2];
  };
  const places = names.map((name) => middle(shadowRoot.querySelector(`[data-at="${name}"]`)));
  const marks = [...shadowRoot.querySelectorAll('.z-last')].map(middle);
  return marks.every(([x, y, reach]) => places.some(([left, top]) => Math.hypot(x - left, y - top) < reach));
}"""
"""Whether each mark lies around the middle of a place."""


def expect_last(page: Any, *names: str) -> None:
    """The last move is marked, and said, in these places and nowhere else."""
    playwright.expect(page.locator(".board .z-last")).to_have_count(len(names))
    playwright.expect(page.locator('.board [aria-label*="last move"]')).to_have_count(len(set(names)))
    for name in names:
        first = page.locator(f'.board [data-at="{name}"]').first
        playwright.expect(first).to_have_attribute("aria-label", re.compile("last move"))


def test_the_last_move_is_marked_where_it_went_and_when_it_is_taken_back(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        expect_last(page)
        place(page, "e2").click()
        place(page, "e4").click()
        expect_last(page, "e2", "e4")
        place(page, "d7").click()
        place(page, "d5").click()
        expect_last(page, "d7", "d5")
        page.get_by_role("button", name="Flip board").click()
        expect_last(page, "d7", "d5")
        assert soon(lambda: page.evaluate(LIE_THERE, ["d7", "d5"]))
        place(page, "e4").click()
        playwright.expect(page.locator(".board .z-chosen")).to_have_count(1)
        expect_last(page, "d7", "d5")
        picture(page, "last-move")
        page.get_by_role("button", name="e4", exact=True).click()
        expect_last(page, "e2", "e4")
        page.get_by_role("button", name="Back to the game").click()
        expect_last(page, "d7", "d5")
        page.get_by_role("button", name="Undo").click()
        expect_last(page, "e2", "e4")
        page.reload()
        expect_last(page, "e2", "e4")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_last_move_of_other_boards_is_marked_too(browser: Any, host: Host, scheme: str) -> None:
    with opened(browser, host, "play", color_scheme=scheme) as page:
        new_game(page, "connect4", "human", "human")
        for count in (1, 2):
            place(page, "4").click()
            playwright.expect(page.locator(".moves li")).to_have_count(count)
        expect_last(page, "4")  # the stone, not the column
        picture(page, f"last-connect4-{scheme}")
        new_game(page, "go", "human", "human", options="size=5")
        place(page, "B2").click()
        expect_last(page, "B2")
        picture(page, f"last-go-{scheme}")
        page.get_by_role("button", name="pass", exact=True).click()
        playwright.expect(page.locator(".moves li")).to_have_count(2)
        expect_last(page)
        game = z.load("backgammon")
        start = game.initial()
        position = game.write(game.result(start, game.read_action(start, "31")))
        new_game(page, "backgammon", "human", "human", position=position)
        for point in ("8", "5", "6", "5"):
            place(page, point).click()
        playwright.expect(page.locator(".moves li").first).to_have_text("8/5,6/5")
        expect_last(page, "17", "20", "20", "19")
        picture(page, f"last-backgammon-{scheme}")


def test_an_analysis_marks_the_last_move_of_its_game_and_of_its_lines(browser: Any, host: Host) -> None:
    with opened(browser, host, "analyse") as page:
        page.get_by_role("combobox", name="Game", exact=True).select_option("tictactoe")
        page.get_by_label("Position or moves").fill("xx./oo./...")
        page.get_by_role("button", name="Analyse", exact=True).click()
        playwright.expect(page.locator(".status")).to_contain_text("x wins in 1 ply")
        expect_last(page)
        page.get_by_role("button", name="Play line 1").click()
        expect_last(page, "c3")
        page.get_by_role("button", name="Close").click()
        expect_last(page)
        place(page, "a1").click()
        expect_last(page, "a1")
        page.get_by_role("button", name="Back", exact=True).click()
        expect_last(page)


def test_a_game_that_is_only_watched_is_paused_and_goes_on_move_by_move(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        pause, once = (page.get_by_role("button", name=name, exact=True) for name in ("Pause", "One move"))
        new_game(page, "tictactoe", "human", "human")
        playwright.expect(pause).to_be_hidden()
        new_game(page, "chess", "random", "random")
        pause.click()
        playwright.expect(page.locator(".status")).to_contain_text("Paused: ")
        count = page.locator(".moves li").count()
        once.click()
        playwright.expect(page.locator(".moves li")).to_have_count(count + 1)
        playwright.expect(page.locator(".status")).to_contain_text("Paused: ")
        picture(page, "paused")
        page.reload()
        playwright.expect(page.locator(".status")).to_contain_text("Paused: ")
        playwright.expect(page.locator(".moves li")).to_have_count(count + 1)
        page.get_by_role("button", name="Go on", exact=True).click()
        playwright.expect(pause).to_be_visible()
        playwright.expect(once).to_be_hidden()
        playwright.expect(page.locator(".moves li").nth(count + 6)).to_be_visible()


def test_two_people_hand_the_page_over_and_see_no_others_cards(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "kuhn", "human", "human")
        board, cover = page.locator("div.board"), page.locator(".handover")
        legal = page.get_by_role("group", name="Legal moves")
        for name, move in (("player 0", "pass"), ("player 1", "bet")):
            playwright.expect(cover.get_by_role("heading")).to_have_text(f"Hand over to {name}")
            playwright.expect(board).to_be_hidden()
            playwright.expect(page.locator(".board .card, .board .back")).to_have_count(0)
            playwright.expect(page.locator(".moves li, .legal button")).to_have_count(0)
            playwright.expect(page.get_by_role("button", name="Resign")).to_be_disabled()
            picture(page, f"handover-{name[-1]}")
            page.get_by_role("button", name=f"I am {name}").click()
            playwright.expect(cover).to_be_hidden()
            playwright.expect(page.locator(".board .back").first).to_be_visible()
            legal.get_by_role("button", name=move, exact=True).click()
        playwright.expect(cover.get_by_role("heading")).to_have_text("Hand over to player 0")
        page.get_by_role("button", name="I am player 0").click()
        legal.get_by_role("button").first.click()
        playwright.expect(page.locator(".status")).to_contain_text("The game is over")
        playwright.expect(board).to_be_visible()
        new_game(page, "kuhn", "human", "random")
        playwright.expect(board).to_be_visible()
        playwright.expect(cover).to_be_hidden()


def test_the_page_is_handed_over_by_keys(browser: Any, host: Host) -> None:
    with opened(browser, host, "play", color_scheme="dark") as page:
        new_game(page, "blind-tictactoe", "human", "human")
        page.get_by_role("button", name="I am x").press("Enter")
        playwright.expect(page.locator(".board [data-at]:focus")).to_have_count(1)
        page.locator('.board [data-at="b2"]').first.press("Enter")
        heading = page.get_by_role("heading", name="Hand over to o")
        playwright.expect(heading).to_be_focused()  # and not its button, which a key held down would press
        playwright.expect(page.locator(".board [data-at]")).to_have_count(0)
        picture(page, "handover-dark")
        page.keyboard.press("Tab")
        playwright.expect(page.get_by_role("button", name="I am o")).to_be_focused()


def test_where_there_is_no_evaluation_the_page_says_why(
    browser: Any, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise KeyError("stones")

    with opened(browser, host, "play") as page:
        trouble = page.locator(".trouble")
        new_game(page, "kingmaker", "human", "random", "random")
        playwright.expect(trouble).to_have_text("There is no evaluation: one number cannot say how 3 players stand.")
        with monkeypatch.context() as patch:
            patch.setattr("zermelo.engine.searcher.Searcher.search", fail)
            new_game(page, "tictactoe", "human", "human")
            playwright.expect(trouble).to_contain_text("There is no evaluation: the rules raised KeyError: 'stones'")
            playwright.expect(page.locator(".toast")).not_to_be_visible()
            picture(page, "trouble")
        place(page, "b2").click()
        playwright.expect(page.locator(".bar-eval")).to_be_visible()
        playwright.expect(trouble).to_be_hidden()


def test_a_page_for_which_there_is_no_room_says_so_and_comes_in_later(
    browser: Any, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = browser.new_page()
    state = page.locator(".link-state")
    with monkeypatch.context() as patch:
        patch.setattr("zermelo.studio.app.MAX_CONNECTIONS", 0)
        page.goto(host.page)
        playwright.expect(state).to_contain_text("Too many pages of this studio are open: close some")
        picture(page, "full")
    playwright.expect(state).to_have_text("")
    page.wait_for_selector(".board svg")
    page.close()
