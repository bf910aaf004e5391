"""A page that is lost and comes back, and news that comes in order."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from tests.studio.conftest import Host, Page, soon
from tests.studio.views import begin, play
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.session import StudioSession, View
from zermelo.studio.workers import WorkerPool


def test_a_page_that_comes_back_finds_its_game(host: Host) -> None:
    with host.open() as page:
        begin(page, "tictactoe", "human", "human", evaluate=False)
        play(page, "a1")
        session = page.session
    with host.open(session) as page:
        assert page.session == session
        assert page.wait("play")["ply"] == 1
        page.number = 100
        page.ask("play.move", move="b2")
    with host.open("unknown") as page:
        assert page.session not in ("unknown", session)
        assert "play" not in page.news


def test_a_player_whose_page_went_away_thinks_again_when_it_is_back(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.studio.app.GRACE_SECONDS", 0.05)
    with host.open() as page:
        begin(page, "connect4", "engine:seconds=2", "human", evaluate=False)
        session = page.session
        known = host.studio.sessions.known[session]
        assert soon(lambda: bool(host.studio.searches.running))
    assert soon(lambda: known.views["play"].thinking is None)
    with host.open(session) as page:
        assert page.wait("play")["thinking"]
        assert page.wait("play", lambda data: data["ply"] == 1)["yours"]


def test_a_request_that_is_sent_twice_is_done_once(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", evaluate=False)
    page.ask("play.move", move="a1")
    page.number -= 1
    assert page.ask("play.move", move="a1") == {}
    assert page.wait("play", lambda data: data["ply"] >= 1)["ply"] == 1


class SlowMail:
    """A lock whose first taker is held up on the way."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.asked = threading.Event()

    def __enter__(self) -> None:
        if not self.asked.is_set():
            self.asked.set()
            time.sleep(0.1)
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


class Counter(View):
    """A view whose every picture is new."""

    def __init__(self) -> None:
        self.verbs: dict[str, Any] = {}
        self.pictures = 0

    def snapshot(self) -> dict[str, Any]:
        self.pictures += 1
        return {"picture": self.pictures}

    def stop(self) -> None: ...


def test_an_older_picture_never_overtakes_a_newer_one() -> None:
    session = StudioSession(Catalogue(), WorkerPool(0, "none"), lambda _: {"counter": Counter()})
    mail = SlowMail()
    session.outbox_lock = mail  # type: ignore[assignment]
    first = threading.Thread(target=session.push, args=("counter",))
    first.start()
    mail.asked.wait()
    session.push("counter")
    first.join()
    assert session.take_messages() == [{"event": "counter", "data": {"picture": 2}}]


def test_an_answer_comes_after_the_news_of_what_has_been_done(page: Page) -> None:
    begin(page, "connect4", "human", "human", evaluate=False)
    for ply in range(1, 8):  # quicker than news of searches are passed on
        page.ask("play.move", move=str(ply))
        assert page.news["play"]["ply"] == ply
