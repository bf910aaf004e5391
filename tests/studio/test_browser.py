"""The studio in a real Chromium, by mouse, by keys and on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import Host, hosting
from tests.studio.tab import (
    SHOTS,
    change_search,
    choose_game,
    new_game,
    opened,
    picture,
    place,
    playwright,
    run_search,
)


def test_tictactoe_is_played_to_a_draw_by_clicking(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "tictactoe", "human", "human")
        for number, cell in enumerate(["b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1", "c3"], 1):
            place(page, cell).click()
            playwright.expect(page.locator(".moves li")).to_have_count(number)
        playwright.expect(page.locator(".status")).to_have_text("The game is over: the board is full; a draw.")
        picture(page, "play-draw")
        page.locator(".moves button").first.click()
        playwright.expect(page.locator(".status")).to_contain_text("After 1 of 9 moves.")
        page.get_by_role("button", name="Undo").click()
        playwright.expect(page.locator(".moves li")).to_have_count(8)


def test_chess_is_played_by_clicks_by_dragging_and_by_keys(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        place(page, "e2").click()
        playwright.expect(page.locator(".board .z-dot")).to_have_count(2)
        place(page, "e4").click()
        playwright.expect(page.locator(".moves")).to_have_text("e4")
        place(page, "e7").drag_to(place(page, "e5"))
        playwright.expect(page.locator(".moves")).to_have_text("e4e5")
        place(page, "d2").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        playwright.expect(page.locator(".moves")).to_have_text("e4e5d4")
        page.get_by_label("Your move, typed").fill("exd4")
        page.keyboard.press("Enter")
        playwright.expect(page.locator(".moves")).to_have_text("e4e5d4exd4")
        picture(page, "play-chess")


def test_a_game_of_ones_own_is_played_against_an_opponent(browser: Any, host: Host, own_game: Path) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, f"{own_game}:Countdown", "human", "random")
        page.locator(".legal").get_by_role("button", name="1", exact=True).click()
        playwright.expect(page.locator(".moves li")).to_have_count(2)
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Really resign?").click()
        playwright.expect(page.locator(".status")).to_contain_text("resigns")


WINDOWS = """() => Object.fromEntries([...document.querySelectorAll('.trace-side .zermelo-tree [data-node]')]
  .filter(node => node.querySelector('.name')).map(node => [node.querySelector('.name').textContent,
    ['.alpha', '.beta', '.value'].map(part => node.querySelector(part)?.textContent ?? '')]))"""


def test_the_eight_steps_of_alphabeta_show_their_windows(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        playwright.expect(page.locator(".count").first).to_have_text("0 / 41")
        page.locator(".zermelo-trace").focus()
        seen: dict[str, list[tuple[str, str]]] = {}
        for _ in range(41):
            page.keyboard.press("ArrowRight")
            for name, (alpha, beta, _value) in page.evaluate(WINDOWS).items():
                history = seen.setdefault(name, [])
                if (alpha or beta) and (not history or history[-1] != (alpha, beta)):
                    history.append((alpha, beta))
        assert seen["D"] == [("−∞", "∞"), ("2", "∞"), ("3", "∞")]
        assert seen["B"] == [("−∞", "∞"), ("−∞", "3")]
        assert seen["E"] == [("−∞", "3"), ("5", "3")]
        assert seen["A"] == [("−∞", "∞"), ("3", "∞")]
        assert seen["F"] == [("3", "∞")]
        assert seen["C"] == [("3", "∞"), ("3", "1")]
        assert seen["G"] == []
        assert page.evaluate(WINDOWS)["A"][2] == "3"
        playwright.expect(page.locator(".counts").first).to_have_text("11 nodes · 5 leaves · 2 cut-offs")
        assert page.locator(".zermelo-tree .nodes .struck").count() == 2
        page.keyboard.press("ArrowLeft")
        playwright.expect(page.locator(".count").first).to_have_text("40 / 41")
        page.wait_for_timeout(1000 if SHOTS else 0)  # for what moves to come to rest
        picture(page, "watch")


def test_two_searches_stand_side_by_side_with_their_first_difference(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        page.get_by_label("Compare with").select_option("minimax")
        run_search(page)
        playwright.expect(page.locator(".trace-side svg.zermelo-tree")).to_have_count(2)
        playwright.expect(page.locator(".difference")).to_contain_text("part ways at step")
        for side in (0, 1):  # alpha-beta cuts where minimax goes on: both mark the node at which that happens
            marked = page.locator(".trace-side").nth(side).locator("[data-difference]")
            playwright.expect(marked).to_have_count(1)
        page.get_by_role("button", name="Go to the first difference").click()
        playwright.expect(page.locator(".count").first).not_to_have_text("0 / 41")
        picture(page, "watch-two")


@pytest.mark.parametrize(("left", "right"), [("alphabeta", "minimax"), ("minimax", "alphabeta"), ("minimax", "mcts")])
def test_two_searches_begin_at_their_beginnings_and_end_at_their_results(
    browser: Any, host: Host, left: str, right: str
) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        page.get_by_label("Algorithm").select_option(left)
        page.get_by_label("Compare with").select_option(right)
        run_search(page)
        playwright.expect(page.locator(".subtitle")).to_contain_text([left, right])
        for side in (0, 1):
            count = page.locator(".trace-side").nth(side).locator(".count")
            playwright.expect(count).to_have_text(re.compile(r"^0 / "))
            page.locator(".zermelo-trace").nth(side).focus()
            page.keyboard.press("End")
            playwright.expect(count).to_have_text(re.compile(r"^(\d+) / \1$"))
            page.keyboard.press("Home")


def test_what_is_no_tree_is_said_beside_it_and_the_tree_before_turns_pale(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        record, complaint = page.get_by_role("button", name="Run", exact=True), page.locator(".complaint")
        for typed, told in (
            ("3", "in brackets"),
            ("chess", "in brackets"),
            ("[[3,5],[2", "tree"),
            ("[[3],[]]", "at least one child"),
        ):
            page.get_by_label("Tree", exact=True).fill(typed)
            record.click()
            playwright.expect(complaint).to_contain_text(told)
            playwright.expect(page.locator(".traces")).to_have_class(re.compile("is-outdated"))
        page.get_by_label("Tree", exact=True).fill("[[3,5],[2,9]]")
        record.click()
        playwright.expect(complaint).to_be_empty()
        playwright.expect(page.locator(".traces")).not_to_have_class(re.compile("is-outdated"))


def test_an_exercise_is_printed_with_its_tree_in_sight(browser: Any, host: Host, tmp_path: Path) -> None:
    with opened(browser, host, "watch") as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Exercise to print").click()
        file = tmp_path / saved.value.suggested_filename
        saved.value.save_as(file)
    sheet = browser.new_page()
    sheet.goto(file.as_uri())
    seen = "nodes => nodes.map(node => getComputedStyle(node).opacity)"
    assert set(sheet.locator(".sheet .nodes > g, .sheet .edges > g").evaluate_all(seen)) == {"1"}
    assert sheet.locator(".sheet .leaf .value").all_text_contents() == ["2", "3", "5", "9", "0", "1", "7", "5"]
    assert sheet.locator(".sheet .struck").count() == 0
    assert sheet.locator(".key .nodes .struck").count() == 2
    picture(sheet, "exercise")
    sheet.close()


def test_the_tree_fills_its_stage_at_every_step(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        page.locator(".zermelo-trace").focus()
        for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
            page.keyboard.press(key)
            heights = page.locator(".stage, .stage > .scroll").evaluate_all("all => all.map(each => each.clientHeight)")
            assert heights[0] == heights[1] > 100, key


@pytest.mark.parametrize("size", [(640, 450), (390, 800)])
def test_a_small_screen_shows_the_whole_tree_at_a_legible_size(browser: Any, host: Host, size: tuple[int, int]) -> None:
    with opened(browser, host, "watch", viewport={"width": size[0], "height": size[1]}) as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        scroll = page.locator(".stage > .scroll")
        assert scroll.evaluate("each => each.clientHeight") >= 320
        fits = "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight"
        assert scroll.evaluate(fits)
        assert page.locator(".zermelo-trace").evaluate("each => each.scrollHeight <= each.clientHeight + 1")


def record_anew(page: Any) -> None:
    """Presses Run, and waits until another tree stands in place of the one that is shown."""
    trees = page.locator(".stage svg.zermelo-tree")
    trees.first.evaluate("each => (each.dataset.old = '')")
    run_search(page)
    playwright.expect(page.locator(".stage svg.zermelo-tree[data-old]")).to_have_count(0)
    playwright.expect(trees.first).to_be_visible()


def record_to_predict(page: Any) -> Any:
    """Ticks the box, records, and gives the score once the search stands at its beginning."""
    page.wait_for_selector(".trace-side .zermelo-tree")
    page.get_by_label("predict what is pruned").check()
    change_search(page)
    record_anew(page)
    score = page.locator(".score")
    playwright.expect(score).to_contain_text("0 right, 0 missed, 0 wrong, of ")
    return score


def go_to_the_end(page: Any) -> None:
    page.locator(".zermelo-trace").focus()
    page.keyboard.press("End")


def test_predictions_are_scored(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        score = record_to_predict(page)
        leaves = page.locator(".zermelo-tree .leaf")
        leaves.filter(has_text="9").first.click()
        leaves.filter(has_text="2").first.click()
        picture(page, "watch-predict")
        go_to_the_end(page)
        playwright.expect(score).to_have_text("1 right, 1 missed, 1 wrong, of 2 branches cut off")


def test_to_mark_everything_below_a_branch_is_to_mark_it(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        score = record_to_predict(page)
        for leaf in ("g1", "g2"):
            page.get_by_role("button", name=f"the leaf after {leaf}: will it be pruned?").click()
        go_to_the_end(page)
        playwright.expect(score).to_have_text("1 right, 1 missed, 0 wrong, of 2 branches cut off")


def test_what_is_recorded_to_be_predicted_begins_at_the_beginning_each_time(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        record_to_predict(page)
        count = page.locator(".zermelo-trace .count")
        change_search(page)
        page.get_by_label("Tree", exact=True).fill("[[3,12,8],[2,4,6],[14,5,2]]")
        run_search(page)
        playwright.expect(page.locator(".zermelo-trace h1")).to_have_text("[[3,12,8],[2,4,6],[14,5,2]]")
        playwright.expect(page.get_by_label("predict what is pruned")).to_be_checked()
        playwright.expect(count).to_have_text(re.compile("^0 / "))
        playwright.expect(page.locator(".stage :is(.struck, .line, [data-now])")).to_have_count(0)
        playwright.expect(page.locator(".counts").first).to_have_text("0 nodes · 0 leaves · 0 cut-offs")
        change_search(page)
        page.get_by_label("Compare with").select_option("minimax")
        run_search(page)
        playwright.expect(count).to_have_count(2)
        playwright.expect(count.nth(1)).to_have_text(re.compile("^0 / "))
        playwright.expect(page.locator(".difference")).to_have_text("Step together")
        playwright.expect(page.locator("[data-difference]")).to_have_count(0)


def test_the_order_of_the_nodes_does_not_tell_the_principal_line(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        page.get_by_label("Tree", exact=True).fill("[[[2,3],[5,9]],[[6,8],[7,5]]]")  # whose line is on the right
        record_to_predict(page)
        titles = "all => all.map(each => each.querySelector('title').textContent.split(' ').at(-1))"
        order = ["A", *"BC", *"DEFG", "d1", "d2", "e1", "e2", "f1", "f2", "g1", "g2"]
        nodes = page.locator(".zermelo-tree [data-node]")
        assert nodes.evaluate_all(titles) == order
        go_to_the_end(page)
        page.keyboard.press("Home")
        assert nodes.evaluate_all(titles) == order


def test_what_is_predicted_is_not_given_away_by_the_list_of_steps(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        page.wait_for_selector(".trace-side .zermelo-tree")
        playwright.expect(page.locator(".events .is-cutoff").first).to_be_visible()
        predict = page.get_by_label("predict what is pruned")
        predict.check()
        playwright.expect(page.locator(".events li:visible")).to_have_count(0)
        page.locator(".zermelo-trace").focus()
        page.keyboard.press("c")
        playwright.expect(page.locator(".events .is-cutoff:visible")).to_have_count(1)
        page.keyboard.press("End")
        predict.uncheck()
        left = ".zermelo-tree :is([tabindex], [role], [aria-label], [aria-pressed])"
        playwright.expect(page.locator(left)).to_have_count(0)


def test_only_what_prunes_is_predicted_and_only_what_can_be_worked_out_is_printed(browser: Any, host: Host) -> None:
    with opened(browser, host, "watch") as page:
        change_search(page)
        score, print_it = page.locator(".score"), page.get_by_text("Exercise to print")
        page.get_by_label("predict what is pruned").check()
        for algorithm, pruned, printed in (("minimax", 0, 1), ("mcts", 0, 0), ("alphabeta", 1, 1)):
            change_search(page)
            page.get_by_label("Algorithm").select_option(algorithm)
            run_search(page)
            playwright.expect(page.locator(".subtitle").first).to_contain_text(algorithm)
            playwright.expect(score).to_have_count(pruned)
            playwright.expect(page.get_by_text("there is nothing to predict")).to_have_count(1 - pruned)
            playwright.expect(print_it).to_have_count(printed)


def test_why_not_is_answered_on_the_board(browser: Any, host: Host) -> None:
    with opened(browser, host, "analyse") as page:
        page.wait_for_selector(".lines li")
        choose_game(page, "tictactoe")
        page.get_by_label("Position or moves").fill("xx./oo./...")
        page.get_by_role("button", name="Analyse", exact=True).click()
        playwright.expect(page.locator(".status")).to_contain_text("x wins in 1 ply")
        page.get_by_label("A move to ask about").select_option("a1")
        page.get_by_role("button", name="Why not?").click()
        playwright.expect(page.locator(".answer")).to_contain_text("After this, o wins in 1 ply: c2, 3 in a row.")
        playwright.expect(page.locator(".line-player")).to_contain_text("a1c2")
        picture(page, "analyse-why-not")


def test_red_and_blue_is_solved(browser: Any, host: Host) -> None:
    with opened(browser, host, "theory") as page:
        page.get_by_role("button", name="Solve").click()
        playwright.expect(page.locator(".value-line")).to_have_text("The value of the game for Red is 20/7.")
        playwright.expect(page.locator(".equilibrium")).to_contain_text("1: 4/7")
        picture(page, "theory")


def test_a_square_says_what_stands_there_and_whether_it_can_be_played(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "chess", "human", "human")
        for square, told in (("e2", "white pawn, can be played"), ("e8", "black king")):
            playwright.expect(place(page, square)).to_have_attribute("aria-label", f"{square}, {told}")
        playwright.expect(place(page, "e4")).to_have_attribute("aria-label", "e4")


def test_a_curve_that_is_nought_everywhere_says_so(browser: Any, host: Host) -> None:
    drawn = """async () => {
      const { fallChart } = await import("/chart.js");
      return fallChart([[1, 0], [10, 0]], "Regret", "steps").textContent;
    }"""
    with opened(browser, host, "theory") as page:
        assert page.evaluate(drawn) == "0 at every step"


def test_a_run_of_regret_minimisation_draws_its_curve(browser: Any, host: Host) -> None:
    with opened(browser, host, "theory") as page:
        learning = page.locator(".learning")
        learning.get_by_label("Iterations").fill("300")
        learning.get_by_role("button", name="Learn").click()
        playwright.expect(learning.locator(".status")).to_contain_text("Kuhn by pdcfr+: 300 iterations")
        playwright.expect(learning.locator(".chart .curve")).to_have_count(1)
        playwright.expect(learning.locator(".strategy tbody tr")).to_have_count(12)
        picture(page, "theory-learning")


def test_a_tournament_shows_its_crosstable(browser: Any, host: Host) -> None:
    with opened(browser, host, "arena") as page:
        page.get_by_label("Players, one a line").fill("random\nrandom:seed=1")
        page.get_by_label("Games per pairing").fill("4")
        page.get_by_role("button", name="Start").click()
        playwright.expect(page.locator(".status")).to_have_text("The tournament is over.")
        playwright.expect(page.locator("caption")).to_contain_text("4 of 4 games")
        picture(page, "arena")


ACCESSIBLE = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("view", ["play", "watch", "analyse", "theory", "arena", "training"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (375, "dark")])
def test_views_are_accessible_in_light_and_dark_and_fit_a_phone(
    browser: Any, host: Host, view: str, width: int, scheme: str
) -> None:
    size = {"width": width, "height": 800}
    with opened(browser, host, view, viewport=size, color_scheme=scheme, has_touch=width < 500) as page:
        waits = {"play": ".board svg", "watch": ".zermelo-tree", "analyse": ".lines li", "theory": ".equilibrium"}
        page.wait_for_selector(waits.get(view, ".setup"))
        assert page.evaluate(ACCESSIBLE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture(page, f"{view}-{scheme}")


def test_a_phone_plays_by_touch(browser: Any, host: Host) -> None:
    with opened(browser, host, "play", viewport={"width": 375, "height": 740}, has_touch=True) as page:
        new_game(page, "connect4", "human", "human")
        place(page, "4").tap()
        playwright.expect(page.locator(".moves")).to_have_text("4")


def test_a_page_without_the_token_says_what_to_do(browser: Any) -> None:
    with hosting() as host:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{host.port}/")
        playwright.expect(page.locator(".link-state")).to_contain_text("Open the address that the terminal printed")
        page.close()


def test_a_page_that_is_loaded_again_goes_on_with_its_game(browser: Any, host: Host) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, "tictactoe", "human", "human")
        place(page, "b2").click()
        playwright.expect(page.locator(".moves li")).to_have_count(1)
        page.reload()
        playwright.expect(page.locator(".moves")).to_have_text("b2")


def test_a_tree_is_drawn_with_its_information_sets(browser: Any, host: Host) -> None:
    with opened(browser, host, "theory") as page:
        tree = page.get_by_role("region", name="A game as a tree")
        tree.get_by_role("button", name="Show the tree").click()
        playwright.expect(tree.locator("caption")).to_contain_text("player 0 gets -1/18, player 1 gets 1/18")
        playwright.expect(tree.locator(".tree-picture circle")).to_have_count(24)
        tree.get_by_label("Game as a tree").select_option("efg")
        tree.get_by_role("button", name="Show the tree").click()
        playwright.expect(tree.locator("caption")).to_contain_text("Entrant gets 2, Incumbent gets 1")
        assert page.evaluate(ACCESSIBLE) == []
        picture(page, "theory-tree")
