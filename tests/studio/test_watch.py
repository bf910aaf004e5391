"""Searches that are watched: steps, windows, differences, exercises."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, Page, Refused, soon
from zermelo.errors import InputError, TraceError
from zermelo.search.algorithms import ALGORITHMS
from zermelo.studio.exercise import make_exercise
from zermelo.studio.recordings import subtrace

EIGHT_STEPS = "[[[2,3],[5,9]],[[0,1],[7,5]]]"
CHANCE = '{"max": [{"chance": [[0.9, 2], [0.1, 3]]}, {"chance": [[0.9, 1], [0.1, 4]]}]}'


def watch(page: Page, side: int = 0, **given: Any) -> Any:
    versions = [each["version"] for each in page.news["watch"]["sides"]] if "watch" in page.news else [0, 0]
    page.ask("watch.run", side=side, **given)

    def finished(data: Any) -> bool:
        return data["sides"][side]["version"] > versions[side] and not data["sides"][side]["running"]

    return page.wait("watch", finished)


def test_the_eight_steps_have_their_windows_and_cuts(page: Page) -> None:
    shown = watch(page, game=EIGHT_STEPS, algorithm="alphabeta")["sides"][0]["view"]
    kinds = [step["kind"] for step in shown["steps"]]
    assert (kinds.count("enter"), kinds.count("leaf"), kinds.count("cutoff")) == (11, 5, 2)
    cuts = [step["says"] for step in shown["steps"] if step["kind"] == "cutoff"]
    assert "5" in cuts[0]
    assert "9" in cuts[0]
    assert "G" in cuts[1]
    assert len(shown["nodes"]) == len(shown["numbers"]) == len(shown["hidden"])


def test_imagined_worlds_are_watched_without_open_cards(page: Page) -> None:
    side = watch(page, game="blind_tictactoe", algorithm="pimc", simulations=2, depth=1)["sides"][0]
    assert side["error"] == ""
    said = [step["says"] for step in side["view"]["steps"] if step["kind"] in ("world", "vote")]
    assert said[0].startswith("World 1 is imagined: ")
    assert said[1].startswith("With open cards, best there is ")
    with pytest.raises(Refused, match="simulations must be"):
        watch(page, game="blind_tictactoe", algorithm="pimc", simulations=0)


def test_two_searches_are_compared_to_the_first_difference(page: Page) -> None:
    watch(page, game=EIGHT_STEPS, algorithm="alphabeta")
    shown = watch(page, 1, game=EIGHT_STEPS, algorithm="minimax")
    expected = z.diff(
        z.alphabeta(z.load(EIGHT_STEPS), trace=True).trace, z.minimax(z.load(EIGHT_STEPS), trace=True).trace
    )
    assert shown["difference"]["steps"] == [expected.step_a, expected.step_b]
    assert shown["difference"]["message"].startswith("The searches part ways at step 8 of alphabeta, step 7 of minimax")
    page.ask("watch.close", side=1)
    assert page.wait("watch", lambda data: data["sides"][1]["view"] is None)["difference"] is None


def test_a_large_tree_is_drawn_in_part_and_opened_piece_by_piece(page: Page) -> None:
    shown = watch(page, game="tictactoe", algorithm="alphabeta", depth=5)["sides"][0]["view"]
    assert len(shown["nodes"]) <= 250
    place = max(range(len(shown["hidden"])), key=lambda i: (shown["numbers"][i] is not None, shown["hidden"][i]))
    window = page.ask("watch.window", side=0, node=shown["numbers"][place])["view"]
    assert 0 < len(window["steps"]) < shown["total"]
    assert len(window["nodes"]) > 1


def test_a_window_is_a_run_of_its_own() -> None:
    trace = z.alphabeta(z.load(EIGHT_STEPS), trace=True).trace
    part = subtrace(trace, 1)
    assert part.events[0]["parent"] is None
    assert [event["event"] for event in part.events].count("enter") == 6
    assert part.text()
    assert subtrace(trace, 0) is trace


def test_chance_and_several_players_can_be_watched(page: Page) -> None:
    assert "chance" in watch(page, game=CHANCE, algorithm="expectiminimax")["sides"][0]["view"]["kinds"]
    assert "player" in watch(page, game="kingmaker", algorithm="maxn", depth=3)["sides"][0]["view"]["kinds"]
    assert "use maxn" in watch(page, game="kingmaker", algorithm="minimax", depth=3)["sides"][0]["error"]


def test_a_monte_carlo_search_is_watched_as_it_grows(page: Page) -> None:
    side = watch(page, game="tictactoe", algorithm="mcts")["sides"][0]
    assert side["error"] == ""
    assert side["view"]["total"] > 60
    longer = watch(page, game="tictactoe", algorithm="mcts", simulations=200)["sides"][0]
    assert longer["view"]["total"] > 2 * side["view"]["total"]
    with pytest.raises(Refused, match="simulations must be a whole number"):
        watch(page, game="tictactoe", algorithm="mcts", simulations=0)


def test_an_exercise_has_the_leaves_and_not_the_answer() -> None:
    trace = z.alphabeta(z.load(EIGHT_STEPS), trace=True).trace
    sheet = make_exercise(trace, with_key=False)
    assert all(f">{leaf}</text>" in sheet for leaf in (2, 3, 5, 9, 0, 1, 7))
    assert "; skips" not in sheet
    assert '<tspan class="alpha"></tspan>' in sheet
    assert "; skips" in make_exercise(trace)


@pytest.mark.parametrize(
    ("game", "algorithm", "task", "columns"),
    [
        (EIGHT_STEPS, "alphabeta", "strike out every branch", ["node", "α", "β", "value"]),
        (EIGHT_STEPS, "minimax", "Write the value beside each node.", ["node", "value"]),
        (CHANCE, "expectiminimax", "the expected value", ["node", "value"]),
        ("kingmaker", "maxn", "worth to every player", ["node", "value"]),
    ],
)
def test_an_exercise_asks_for_what_its_search_finds(game: str, algorithm: str, task: str, columns: list[str]) -> None:
    sheet = make_exercise(ALGORITHMS[algorithm](z.load(game), depth=3, trace=True).trace, with_key=False)
    assert task in sheet
    assert re.findall("<th>(.*?)</th>", sheet) == columns
    assert ("cut off" in sheet) == ("α" in columns)


def test_an_exercise_tells_what_is_found_where_the_search_stops() -> None:
    trace = z.minimax(z.load("tictactoe"), depth=1, trace=True).trace
    sheet = make_exercise(trace, with_key=False)
    assert sheet.count('<td class="blank">') == 1  # the root
    assert sheet.count(">0</text>") == 9


def test_simulations_are_no_exercise() -> None:
    with pytest.raises(InputError, match="no exercise"):
        make_exercise(z.mcts(z.load(EIGHT_STEPS), simulations=9, trace=True).trace)


def test_a_comparison_ends_when_something_else_is_asked_for(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(_a: Any, _b: Any, stop: Callable[[], bool]) -> None:
        begun.set()
        ended.wait(30)
        assert soon(stop)
        raise TraceError("the comparison was stopped")

    with host.open() as page:
        page.ask("watch.run", side=0, algorithm="minimax", game="[[3,5],[2,9]]")
        page.wait("watch", lambda data: data["sides"][0]["view"])
        with monkeypatch.context() as patch:
            patch.setattr("zermelo.studio.views.watch.diff", endless)
            page.ask("watch.run", side=1, algorithm="alphabeta", game="[[3,5],[2,9]]")
            assert begun.wait(30)
            patch.undo()
            page.ask("watch.run", side=1, algorithm="minimax", game="[[3,5],[2,9]]")
            ended.set()
            shown = page.wait("watch", lambda data: data["difference"] and not data["sides"][1]["running"])
        assert shown["difference"]["message"] == "The two searches agree in every step."
        assert soon(lambda: not host.studio.searches.running)


def test_a_recording_that_ended_while_its_page_was_away_is_no_longer_said_to_run(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.studio.app.GRACE_SECONDS", 0.0)
    with host.open() as page:
        page.ask("watch.run", game="checkers", algorithm="minimax", depth=30)
        assert page.wait("watch")["sides"][0]["running"]
        session = page.session
        view: Any = host.studio.sessions.known[session].views["watch"]
    assert soon(lambda: view.jobs[0] is None)
    with host.open(session) as page:
        side = page.wait("watch")["sides"][0]
    assert (side["running"], side["view"], side["version"]) == (False, None, 1)


def test_each_node_of_a_search_has_the_board_that_its_moves_lead_to(page: Page) -> None:
    page.ask("watch.run", game="tictactoe", algorithm="alphabeta", depth=2)
    view = page.wait("watch", lambda news: news["sides"][0]["view"])["sides"][0]
    assert view["board"]
    game = z.load("tictactoe")
    first = next(iter(game.actions(game.initial())))
    boards = [page.ask("watch.board", side=0, node=node)["picture"] for node in (0, 1)]
    assert boards == [game.picture(game.initial()), game.picture(game.result(game.initial(), first))]
    with pytest.raises(Refused, match="has no node 99999"):
        page.ask("watch.board", side=0, node=99_999)
    with pytest.raises(Refused):
        page.ask("watch.board", side=1, node=0)
    page.ask("watch.run", game="[[3,12],[2,4]]", algorithm="minimax")
    shown = page.wait("watch", lambda news: (news["sides"][0]["view"] or {}).get("title") == "[[3,12],[2,4]]")
    assert not shown["sides"][0]["board"]
    assert page.ask("watch.board", side=0, node=1) == {"picture": ""}
