"""What stands around the board, in a real Chromium: hints, clocks, positions, files, and a finger on a phone."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from tests.studio.conftest import Host, soon
from tests.studio.tab import choose_game, new_game, open_sheet, opened, place, playwright


def details(page: Any, name: str) -> None:
    page.get_by_text(name, exact=True).click()


def test_a_hint_is_ringed_and_the_bar_and_the_graph_follow_the_game(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "tictactoe", "human", "human")
        for cell in ("a1", "b1", "a2", "b2"):
            place(page, cell).click()
        playwright.expect(page.locator(".moves li")).to_have_count(4)
        page.get_by_role("button", name="Hint").click()
        playwright.expect(page.locator(".status")).to_contain_text("Hint: a3. x wins in 1 ply")
        playwright.expect(page.locator(".board .z-hint")).to_have_count(1)
        place(page, "a3").click()
        playwright.expect(page.locator(".bar-eval")).to_have_attribute("aria-valuenow", "1.00")
        playwright.expect(page.locator(".graph .curve")).to_have_count(1)
        page.get_by_role("button", name="Undo").click()
        playwright.expect(page.locator(".moves li")).to_have_count(4)
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Really resign?").click()
        playwright.expect(page.locator(".status")).to_have_text("The game is over: x resigns; o wins.")


def test_while_a_move_is_under_way_the_board_takes_no_other(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "connect4", "human", "human")
        place(page, "4").evaluate(
            "top => { for (let i = 0; i < 3; i++) top.dispatchEvent(new Event('click', { bubbles: true })) }"
        )
        playwright.expect(page.locator("[aria-busy]")).to_have_count(0)
        place(page, "3").click()
        playwright.expect(page.locator(".moves li")).to_have_text(["4", "3"])
        playwright.expect(page.locator(".toast")).to_have_text("")


def test_clocks_run_and_time_that_is_up_loses(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        running = page.locator(".player", has=page.locator(".is-running"))
        new_game(page, "tictactoe", "human", "human", clock="90+1")
        playwright.expect(running).to_contain_text("X1:")
        place(page, "b2").click()
        playwright.expect(running).to_contain_text("O1:")
        new_game(page, "tictactoe", "human", "human", clock="0.2")
        playwright.expect(page.locator(".status")).to_contain_text("o wins")
        new_game(page, "tictactoe", "human", "human", clock="60")
        playwright.expect(running).to_have_text("X0:57")
        page.get_by_role("link", name="Theory").click()
        page.wait_for_selector(".view-theory")
        page.get_by_role("link", name="Play").click()
        assert running.text_content() < "X0:58"


def test_a_position_is_copied_and_pasted(browser: Any, host: Host) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, host, "play", permissions=allowed) as page:
        new_game(page, "tictactoe", "human", "human")
        place(page, "b2").click()
        playwright.expect(page.locator(".moves li")).to_have_count(1)
        details(page, "Save, load, copy")
        page.get_by_role("button", name="Copy position").click()
        playwright.expect(page.locator(".toast")).to_have_text("Copied.")
        open_sheet(page)
        page.get_by_label("Position", exact=True).focus()
        page.keyboard.press("Control+V")
        playwright.expect(page.get_by_label("Position", exact=True)).to_have_value(".../.x./...")
        page.get_by_role("button", name="Start game").click()
        playwright.expect(page.locator(".moves li")).to_have_count(0)
        playwright.expect(page.locator(".status")).to_have_text("O to move.")


def test_a_game_is_saved_as_a_file_and_files_that_are_none_say_so(browser: Any, host: Host, tmp_path: Path) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "checkers", "human", "human")
        place(page, "11").click()
        place(page, "15").click()
        playwright.expect(page.locator(".moves")).to_have_text("11-15")
        details(page, "Save, load, copy")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as").click()
        assert saved.value.suggested_filename == "checkers.pdn"
        file = tmp_path / "game.pdn"
        saved.value.save_as(file)
        new_game(page, "checkers", "human", "human")
        playwright.expect(page.locator(".moves li")).to_have_count(0)
        page.get_by_label("A file to load").set_input_files(file)
        page.get_by_role("button", name="Load this").click()
        playwright.expect(page.locator(".moves")).to_have_text("11-15")
        (tmp_path / "large.pdn").write_bytes(b"x" * 200_000)
        page.get_by_label("A file to load").set_input_files(tmp_path / "large.pdn")
        playwright.expect(page.locator(".toast")).to_contain_text("large.pdn is too large")
        (tmp_path / "picture.png").write_bytes(b"\x89PNG\x00\xff")
        page.get_by_label("A file to load").set_input_files(tmp_path / "picture.png")
        playwright.expect(page.get_by_label("Load", exact=True)).not_to_have_value("")
        page.get_by_role("button", name="Load this").click()
        playwright.expect(page.locator(".toast")).to_contain_text("this is no text")


def test_a_finger_drags_a_piece(browser: Any, host: Host) -> None:
    with opened(browser, host, "play", viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True) as page:
        new_game(page, "chess", "human", "human")
        playwright.expect(place(page, "e8")).to_be_in_viewport()
        playwright.expect(place(page, "e2")).to_be_in_viewport()
        points = [[dict(zip("xy", middle(page, name), strict=True))] for name in ("e2", "e3", "e4")]
        session = page.context.new_cdp_session(page)
        kinds = ("touchStart", "touchMove", "touchMove", "touchEnd")
        for kind, touches in zip(kinds, [*points, []], strict=True):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        playwright.expect(page.locator(".moves")).to_have_text("e4")


def test_nobody_can_resign_where_nobody_at_the_page_plays(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "tictactoe", "human", "random")
        playwright.expect(page.get_by_role("button", name="Resign")).to_be_enabled()
        new_game(page, "chess", "random", "random")
        playwright.expect(page.get_by_role("button", name="Resign")).to_be_disabled()


def test_the_players_that_a_tournament_suggests_are_as_many_as_the_game_needs(browser: Any, host: Host) -> None:
    with opened(browser, host, "arena") as page:
        choose_game(page, "kingmaker")
        entrants = page.get_by_label("Players, one a line")
        playwright.expect(entrants).to_have_value("mcts:simulations=200\nrandom\nrandom:seed=1")
        page.get_by_label("Games per pairing").fill("1")
        page.get_by_role("button", name="Start").click()
        playwright.expect(page.locator(".status")).to_have_text("The tournament is over.")
        playwright.expect(page.locator(".crosstable tbody tr")).to_have_count(3)


def middle_of(shown: Any) -> tuple[float, float]:
    box = shown.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def middle(page: Any, name: str) -> tuple[float, float]:
    return middle_of(place(page, name))


def test_a_piece_shows_where_it_can_go_when_pressed_and_follows_the_pointer(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        playwright.expect(place(page, "e2")).to_be_visible()
        ghost, dots = page.locator(".board .z-ghost"), page.locator(".board .z-dot")
        page.mouse.move(*middle(page, "e2"))
        page.mouse.down()
        playwright.expect(dots).to_have_count(2)
        page.mouse.move(*middle(page, "e4"), steps=4)
        playwright.expect(ghost).to_have_count(1)
        assert soon(lambda: math.dist(middle_of(ghost), middle(page, "e4")) < 3)
        page.mouse.up()
        playwright.expect(page.locator(".moves")).to_have_text("e4")
        playwright.expect(ghost).to_have_count(0)


def test_the_board_does_not_move_away_when_the_evaluation_comes(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        before = middle(page, "e2")
        playwright.expect(page.locator(".bar-eval")).to_be_visible()
        assert middle(page, "e2") == before


def test_a_piece_let_go_beside_the_board_or_at_home_stays_chosen(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        playwright.expect(place(page, "e2")).to_be_visible()
        dots = page.locator(".board .z-dot")
        for target in ((2.0, 2.0), middle(page, "e2")):
            page.mouse.move(*middle(page, "e2"))
            page.mouse.down()
            page.mouse.move(*middle(page, "e3"), steps=3)
            page.mouse.move(*target, steps=3)
            page.mouse.up()
            playwright.expect(page.locator(".board .z-ghost, .board .z-lifted")).to_have_count(0)
            playwright.expect(dots).to_have_count(2)
            place(page, "e2").click()
            playwright.expect(dots).to_have_count(0)
        page.mouse.move(*middle(page, "e2"))
        page.mouse.down()
        page.mouse.move(*middle(page, "e4"), steps=3)
        page.keyboard.press("Escape")
        page.mouse.up()
        playwright.expect(dots).to_have_count(0)
        playwright.expect(page.locator(".moves li")).to_have_count(0)


def test_a_tap_chooses_a_piece_and_another_tap_lets_go_of_it(browser: Any, host: Host) -> None:
    with opened(browser, host, "play", viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True) as page:
        new_game(page, "chess", "human", "human")
        dots = page.locator(".board .z-dot")
        for count in (2, 0, 2):
            place(page, "g1").tap()
            playwright.expect(dots).to_have_count(count)
        place(page, "d2").tap()
        place(page, "d4").tap()
        playwright.expect(page.locator(".moves")).to_have_text("d4")


SOUNDS = """() => {
  window.sounds = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...all) {
    window.sounds += 1;
    return start.apply(this, all);
  };
}"""


def test_moves_are_heard_by_who_wants_to_hear_them(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "tictactoe", "human", "human")
        page.evaluate(SOUNDS)
        place(page, "b2").click()
        playwright.expect(page.locator(".moves li")).to_have_count(1)
        assert page.evaluate("window.sounds") == 0
        page.get_by_label("Sound").check()
        assert page.evaluate("window.sounds") == 1
        place(page, "a1").click()
        playwright.expect(page.locator(".moves li")).to_have_count(2)
        assert soon(lambda: page.evaluate("window.sounds") == 2)
        for count, cell in enumerate(("a3", "a2", "c1"), 3):
            place(page, cell).click()
            playwright.expect(page.locator(".moves li")).to_have_count(count)
        assert soon(lambda: page.evaluate("window.sounds") == 7)  # three knocks, and two notes at the end
        page.reload()
        playwright.expect(page.get_by_label("Sound")).to_be_checked()
