"""A studio that really listens, for tests that talk to it as a page does."""

from __future__ import annotations

import contextlib
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from zermelo.studio.app import Studio
from zermelo.studio.guard import Guard
from zermelo.studio.server import listen, make_server, make_studio

TIMEOUT_SECONDS = 300
"""For a message: searches run in the background, and the machine may be busy."""
OWN_GAME = '''
from typing import NamedTuple
import zermelo

class Countdown(zermelo.Game):
    """Take one or two; whoever takes the last one wins."""

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 7):
        self.stones = stones

    def initial(self):        return self.State(self.stones, 0)
    def player(self, s):      return s.turn
    def actions(self, s):
        for n in (1, 2):
            if n <= s.stones:
                yield n
    def result(self, s, a):   return self.State(s.stones - a, 1 - s.turn)
    def is_terminal(self, s): return s.stones == 0
    def utility(self, s, p):  return 1.0 if p != s.turn else -1.0
'''


class Host:
    """A studio and where it listens."""

    def __init__(self, studio: Studio, port: int):
        self.studio = studio
        self.port = port
        self.token = studio.guard.token

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.port}/#token={self.token}"

    def connect(self, session: str = "", token: str | None = None, origin: str | None = None) -> ClientConnection:
        token = self.token if token is None else token
        return connect(
            f"ws://127.0.0.1:{self.port}/socket?token={token}&session={session}",
            origin=origin or f"http://127.0.0.1:{self.port}",  # type: ignore[arg-type]
            max_size=None,
            close_timeout=1,
        )

    @contextlib.contextmanager
    def open(self, session: str = "") -> Iterator[Page]:
        with self.connect(session) as socket:
            yield Page(socket)


def whole(before: Any, message: dict[str, Any]) -> Any:
    """What a view shows after `message`, as a page works it out."""
    if "data" in message:
        return message["data"]
    shown = dict(before)
    for name, (first, *rest) in message["changes"].items():
        old = before[name]
        if not rest:
            shown[name] = first
        elif len(rest) == 1:
            shown[name] = old[:first] + rest[0]
        else:
            shown[name] = old[:first] + rest[0] + old[len(old) - rest[1] :]
    return shown


class Page:
    """Talks to the studio as the script of a page does."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.number = 0
        self.received = 0
        """Characters of all messages."""
        self.shown: dict[str, Any] = {}
        self.news: dict[str, Any] = {}
        self.session = self.wait("hello")["session"]

    def receive(self) -> dict[str, Any]:
        text = str(self.socket.recv(timeout=TIMEOUT_SECONDS))
        self.received += len(text)
        message: dict[str, Any] = json.loads(text)
        if "event" in message:
            name = message["event"]
            self.news[name] = self.shown[name] = whole(self.shown.get(name), message)
        return message

    def ask(self, verb: str, **given: Any) -> dict[str, Any]:
        """The answer; an error is raised as `Refused`."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "do": verb, "with": given}))
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                if "error" in message:
                    raise Refused(message["error"])
                answer: dict[str, Any] = message["ok"]
                return answer

    def wait(self, event: str, until: Callable[[Any], bool] = lambda _: True) -> Any:
        """The first news of `event` for which `until` holds, which may have come already."""
        while event not in self.news or not until(self.news[event]):
            self.receive()
        return self.news[event]


class Refused(Exception):  # noqa: N818 - an answer, not a fault
    """The studio says no."""


@contextlib.contextmanager
def hosting(
    games: tuple[str, ...] = (), tournaments: tuple[str, ...] = (), port: int = 0, bots: tuple[str, ...] = ()
) -> Iterator[Host]:
    studio = make_studio(Guard.of("127.0.0.1"), games, tournaments, bots)
    listener = listen("127.0.0.1", port)
    listener.listen()
    server = make_server(studio)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield Host(studio, listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()


@pytest.fixture(scope="module")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("own") / "countdown.py"
    file.write_text(OWN_GAME, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def host(own_game: Path) -> Iterator[Host]:
    with hosting((f"{own_game}:Countdown",)) as found:
        yield found


PATIENCE = 180_000
"""Milliseconds for what a browser waits for: the first search compiles rules, and the machine may be busy."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, or Playwright's own."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright's Python package is not installed")
    system = next(filter(None, map(shutil.which, BROWSERS)), None)
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium can be started here: {str(error).splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def page(host: Host) -> Iterator[Page]:
    with host.open() as found:
        yield found


def soon(holds: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Whether `holds` comes true in time; how soon decides nothing."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
