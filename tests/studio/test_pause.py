"""Games that nobody at the page plays: they are paused, go on, or go on by one move."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.conftest import Host, Page, Refused, soon
from tests.studio.views import begin
from zermelo.play.clock import TimeControl
from zermelo.studio.views.clocks import StudioClock
from zermelo.studio.workers import WorkerJob

SLOW = "alphabeta:depth=60"
"""Somebody who thinks until told to stop."""


def pause(page: Page) -> Any:
    page.ask("play.pause")
    return page.wait("play", lambda data: data["paused"])


def test_a_pause_holds_the_game_and_one_move_is_made_in_spite_of_it(page: Page) -> None:
    assert begin(page, "chess", "random", "random", evaluate=False)["watched"]
    ply = pause(page)["ply"]
    assert not page.news["play"]["thinking"]
    for count in (1, 2):
        page.ask("play.once")
        shown = page.wait("play", lambda data, count=count: data["ply"] == ply + count)
        assert (shown["paused"], shown["thinking"]) == (True, False)
    page.ask("play.go")
    assert not page.wait("play", lambda data: data["ply"] > ply + 4)["paused"]


def test_a_pause_stops_the_search_and_the_clock_and_costs_no_time(host: Host, page: Page) -> None:
    begin(page, "connect4", SLOW, "random", evaluate=False, clock="3600+5")
    view: Any = host.studio.sessions.known[page.session].views["play"]
    assert soon(lambda: view.clock().job is not None)
    thinking = view.thinking
    shown = pause(page)
    assert thinking.cancelled
    assert soon(lambda: thinking not in host.studio.searches.running)
    assert shown["clock"] == {"remaining": [3600.0, 3600.0], "spent": 0.0, "running": False}
    page.ask("play.show")
    assert page.news["play"]["clock"] == shown["clock"]
    assert page.news["play"]["ply"] == 0
    page.ask("play.go")
    assert page.wait("play", lambda data: data["thinking"])["clock"]["running"]


def test_a_pause_survives_a_lost_connection(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.app.GRACE_SECONDS", 0.0)
    with host.open() as page:
        begin(page, "connect4", SLOW, "random", evaluate=False)
        pause(page)
        session = host.studio.sessions.known[page.session]
    assert soon(lambda: session.notify is None)
    with host.open(session.key) as page:
        shown = page.wait("play")
        assert (shown["paused"], shown["thinking"], shown["ply"]) == (True, False, 0)


def test_a_new_game_is_not_paused(page: Page) -> None:
    begin(page, "connect4", SLOW, "random", evaluate=False)
    pause(page)
    shown = begin(page, "connect4", SLOW, "random", evaluate=False)
    assert (shown["paused"], shown["thinking"]) == (False, True)


def test_what_cannot_be_paused_says_so(page: Page) -> None:
    begin(page, "tictactoe", "human", "random", evaluate=False)
    for verb in ("pause", "go", "once"):
        with pytest.raises(Refused, match="nobody at this page plays"):
            page.ask(f"play.{verb}")
    begin(page, "connect4", SLOW, "random", evaluate=False)
    with pytest.raises(Refused, match="a game that is paused"):
        page.ask("play.once")
    begin(page, "tictactoe", "random", "random", evaluate=False)
    page.wait("play", lambda data: data["result"])
    with pytest.raises(Refused, match="the game is over"):
        page.ask("play.pause")


def test_a_player_does_not_think_twice_at_once() -> None:
    clock = StudioClock(2, TimeControl())
    first, second = WorkerJob(lambda _job: True), WorkerJob(lambda _job: True)
    assert clock.acquire(first)
    second.cancel()
    assert not clock.acquire(second)
    clock.release()
    assert clock.acquire(WorkerJob(lambda _job: True, 1e9))
