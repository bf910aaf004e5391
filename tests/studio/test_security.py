"""Who may talk to the studio, and what becomes of those who talk nonsense."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
import time
from typing import Any

import pytest
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.studio.conftest import OWN_GAME, Host, Page, Refused, hosting, soon
from zermelo.errors import InputError
from zermelo.studio.guard import Guard
from zermelo.studio.messages import (
    BURST_MESSAGES,
    MAX_MESSAGE_CHARS,
    MESSAGES_PER_SECOND,
    RateLimit,
    plain,
    read_request,
)
from zermelo.studio.server import REQUEST_THREADS


def get(host: Host, path: str, name: str) -> http.client.HTTPResponse:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", host.port, timeout=10)) as connection:
        connection.putrequest("GET", path, skip_host=True)
        connection.putheader("Host", name)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        return answer


def test_the_page_is_served_under_its_own_names_only(host: Host) -> None:
    for name, status in (("127.0.0.1", 200), ("localhost", 200), ("evil.example", 421), ("127.0.0.1.evil", 421)):
        assert get(host, "/", f"{name}:{host.port}").status == status, name


def test_every_answer_forbids_the_page_to_reach_beyond_itself(host: Host) -> None:
    answer = get(host, "/app.js", f"127.0.0.1:{host.port}")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["/../pyproject.toml", "/%2e%2e/serve.py", "//etc/passwd", "/static/app.js", "/app.py"]
)
def test_only_the_files_of_the_page_are_served(host: Host, path: str) -> None:
    assert get(host, path, f"127.0.0.1:{host.port}").status == 404


def test_the_whole_page_is_small_and_names_no_other_host(host: Host) -> None:
    files = host.studio.static
    assert sum(len(content) for content, _ in files.values()) < 300_000
    for name, (content, _) in files.items():
        text = content.decode().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, name
        assert "https://" not in text, name


def test_a_socket_without_the_token_is_refused(host: Host) -> None:
    for token in ("", "wrong", host.token[:-1], host.token + "x", "é"):
        with pytest.raises(InvalidStatus):
            host.connect(token=token)


def test_a_socket_of_another_site_is_refused(host: Host) -> None:
    for origin in ("http://evil.example", f"http://127.0.0.1:{host.port + 1}", "null", f"file://127.0.0.1:{host.port}"):
        with pytest.raises(InvalidStatus):
            host.connect(origin=origin)


def test_a_request_may_not_name_two_hosts() -> None:
    guard = Guard.of("127.0.0.1")
    twice = [(b"host", b"127.0.0.1"), (b"host", b"evil.example")]
    assert not guard.knows_host(Headers(raw=twice))
    assert guard.knows_host(Headers({"host": "[::1]:8642"}))
    assert not Guard.of("192.0.2.7").knows_host(Headers({"host": "localhost:8642"}))
    assert Guard.of("192.0.2.7", ("Board.example",)).knows_host(Headers({"host": "board.EXAMPLE:8642"}))


GARBAGE = ["", "nonsense", "[]", "7", '{"id": true, "do": "play.new"}', '{"id": 1}']
GARBAGE += ["[" * 100_000, "x" * MAX_MESSAGE_CHARS, '{"id": 1, "do": "play.__init__"}']
GARBAGE += ['{"id": 1, "do": "play.new", "with": []}', '{"id": NaN, "do": "play.new"}']


@pytest.mark.parametrize("text", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_ends_the_connection_and_nothing_else(host: Host, text: str) -> None:
    with host.open() as page:
        page.socket.send(text)
        assert is_closed(page)
    with host.open() as page:
        assert page.ask("home.games")["games"]


def is_closed(page: Page) -> bool:
    """Whether the studio has ended the connection, after what was under way."""
    try:
        for _ in range(100 * BURST_MESSAGES):
            page.receive()
    except ConnectionClosed:
        return True
    return False


def test_a_flood_is_cut_off(host: Host) -> None:
    with host.open() as page:
        with contextlib.suppress(ConnectionClosed):
            for number in range(3 * BURST_MESSAGES):
                page.socket.send(json.dumps({"id": number, "do": "home.nothing"}))
        assert is_closed(page)
    with host.open() as page:
        assert page.ask("home.games")["games"]


def test_messages_are_rationed_by_the_second() -> None:
    moment = 0.0
    bucket = RateLimit(lambda: moment)
    assert [bucket.take() for _ in range(BURST_MESSAGES + 1)] == [True] * BURST_MESSAGES + [False]
    moment = 2.5 / MESSAGES_PER_SECOND
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_a_page_whose_rules_are_slow_keeps_nobody_else_waiting(host: Host) -> None:
    with host.open() as slow, host.open() as other, contextlib.ExitStack() as stack:
        session, lost = host.studio.sessions.known[slow.session], host.studio.requests.lost
        with session.lock:  # as if its rules were at work
            for _ in range(2 * REQUEST_THREADS):
                stack.enter_context(host.open(slow.session))
            assert other.ask("home.games")["games"]
            assert host.studio.requests.lost == lost  # nobody's thread had to be given up for that


def test_half_a_character_is_answered_and_the_page_goes_on(page: Page) -> None:
    with pytest.raises(Refused, match="no game is called"):
        page.ask("home.game", game="\ud800")
    for game, text in (("kalah", "(;GM[0\ud800])"), ("go:size=5", "(;GM[1]SZ[5]PB[\ud800];B[aa])")):
        with contextlib.suppress(Refused):
            page.ask("play.load", game=game, seats=["human", "human"], text=text)
        assert page.ask("home.games")["games"]


@pytest.mark.parametrize(
    "game",
    ["/etc/passwd", "os.py", "nim:x.py", "tests/studio/conftest.py:Host", "chess:weights=/etc/passwd", "lib.so:f", ""],
)
def test_a_page_cannot_name_files(page: Page, game: str) -> None:
    with pytest.raises(Refused, match=r"no game is called|must be a number|not an option"):
        page.ask("home.game", game=game)


OUTSIDE = ["uci:/bin/sh", "gtp:sh", "xboard:sh", "python:bot.py:Bot", "solution:/etc/passwd", "human:name=Ada"]
OUTSIDE += ["engine:threads=1000", "engine:table_mb=100000", "nobody", "rated:800,ladder=/etc/passwd"]


@pytest.mark.parametrize("player", OUTSIDE)
def test_a_page_cannot_name_programs_files_or_the_whole_machine(page: Page, player: str) -> None:
    with pytest.raises(Refused):
        page.ask("play.new", game="tictactoe", seats=["human", player])


BAD: list[tuple[str, dict[str, Any]]] = [
    ("play.new", {}),
    ("play.new", {"game": 7, "seats": []}),
    ("play.new", {"game": "tictactoe", "seats": ["human"]}),
    ("play.new", {"game": "tictactoe", "seats": ["human", "random"], "clock": "soon"}),
    ("play.new", {"game": "tictactoe", "seats": ["human", "random"], "position": "zz"}),
    ("play.move", {"move": "a1"}),
    ("play.look", {"ply": 3}),
    ("watch.run", {"game": "[[1,2],[3", "algorithm": "alphabeta"}),
    ("watch.run", {"game": "[[1,2],[3,4]]", "algorithm": "magic"}),
    ("watch.run", {"game": "[[1,2],[3,4]]", "algorithm": "alphabeta", "depth": -1}),
    ("watch.window", {"side": 0, "node": 5}),
    ("watch.exercise", {"side": 7}),
    ("analyse.whynot", {"move": "a1"}),
    ("analyse.open", {"game": "blind-tictactoe"}),
    ("theory.solve", {"cells": [["1"], ["2", "3"]], "rows": ["a", "b"], "columns": ["c"], "players": ["x", "y"]}),
    ("theory.solve", {"cells": [["x"]], "rows": ["a"], "columns": ["c"], "players": ["x", "y"]}),
    ("arena.start", {"game": "tictactoe", "entrants": ["random"]}),
    ("arena.start", {"game": "tictactoe", "entrants": ["random", "uci:sh"]}),
    ("arena.show", {"file": "/etc/passwd"}),
    ("home.nothing", {}),
    ("nowhere.games", {}),
]


@pytest.mark.parametrize(("verb", "given"), BAD, ids=[f"{verb}-{number}" for number, (verb, _) in enumerate(BAD)])
def test_bad_requests_are_refused_in_one_line(page: Page, verb: str, given: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refusal:
        page.ask(verb, **given)
    assert refusal.value.args[0]
    assert "\n" not in refusal.value.args[0]
    assert page.ask("home.games")["games"]


def test_a_request_is_read_strictly() -> None:
    assert read_request('{"id": 3, "do": "play.move", "with": {"move": "a1"}}').given == {"move": "a1"}
    with pytest.raises(InputError):
        read_request('{"id": 3, "do": "play.move", "with": {"value": Infinity}}')


def test_what_is_sent_is_always_json() -> None:
    assert plain({"a": float("inf"), 3: (1, None, True), "b": object}) == {
        "a": "inf",
        "3": [1, None, True],
        "b": str(object),
    }


def test_a_page_that_vanishes_mid_search_leaves_no_search_behind(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.app.GRACE_SECONDS", 0.1)
    with host.open() as page:
        page.ask("analyse.open", game="chess")
        page.ask("watch.run", game="connect4", algorithm="minimax", depth=30)
        page.ask("play.new", game="connect4", seats=["alphabeta:depth=40", "random"])
        assert soon(lambda: len(host.studio.searches.running) >= 3)
    assert soon(lambda: not host.studio.searches.running)
    with host.open() as page:
        assert page.ask("home.games")["games"]


@pytest.mark.parametrize("frame", [b"", b"\x00\xff", b'{"id": 1, "do": "home.games"}'], ids=["empty", "bytes", "json"])
def test_a_frame_of_bytes_ends_the_connection_and_its_searches(
    host: Host, frame: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.studio.app.GRACE_SECONDS", 0.1)
    with host.open() as page:
        page.ask("analyse.open", game="chess")
        assert soon(lambda: host.studio.searches.running)
        page.socket.send(frame)
        assert is_closed(page)
        session = host.studio.sessions.known[page.session]
    assert soon(lambda: session.notify is None and not host.studio.searches.running)


def test_a_frame_beyond_all_limits_is_not_even_read(host: Host) -> None:
    with host.open() as page:
        with contextlib.suppress(ConnectionClosed):
            page.socket.send("x" * 5_000_000)
        assert is_closed(page)
    with host.open() as page:
        assert page.ask("home.games")["games"]


@pytest.mark.parametrize("deep", ["[" * 50_000, "[" * 900 + "1" + "]" * 900, '{"max":' * 20_000, "((((" * 20_000])
def test_trees_of_any_depth_are_answered(page: Page, deep: str) -> None:
    page.news.pop("watch", None)
    with contextlib.suppress(Refused):
        page.ask("watch.run", game=deep, algorithm="alphabeta")
        page.wait("watch", lambda data: not data["sides"][0]["running"])
    assert page.ask("home.games")["games"]


def test_values_of_any_depth_are_refused(page: Page) -> None:
    nested: Any = "x"
    for _ in range(400):
        nested = [nested]
    for verb in ("theory.solve", "play.new", "arena.start", "learn.run"):
        with pytest.raises(Refused):
            page.ask(verb, game=nested, cells=nested, seats=nested, entrants=nested)


def test_a_page_that_never_reads_keeps_nobody_waiting(host: Host) -> None:
    with host.open() as page:
        page.ask("analyse.open", game="chess")
        session = host.studio.sessions.known[page.session]
        for number in range(1_000, 1_000 + BURST_MESSAGES - 5):
            page.socket.send(json.dumps({"id": number, "do": "home.games"}))
        with host.open() as other:
            for _ in range(20):
                assert other.ask("home.game", game="tictactoe")
    assert soon(lambda: session.notify is None)


def test_all_threads_end_with_the_studio() -> None:
    before = set(threading.enumerate())
    with hosting() as host:
        with host.open() as page:
            page.ask("analyse.open", game="chess")
            page.ask("play.new", game="connect4", seats=["alphabeta:depth=40", "random"])
            assert soon(lambda: len(host.studio.searches.running) >= 2)
        mine = [*host.studio.searches.threads, *host.studio.requests.threads]
        assert all(thread.is_alive() for thread in mine)
    assert soon(lambda: not any(thread.is_alive() for thread in mine))
    left = {each.name for each in set(threading.enumerate()) - before if each.is_alive()}
    assert not any(name.startswith("studio-") for name in left)


def test_a_rule_that_never_ends_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    file = tmp_path / "endless.py"
    rule = "def result(self, s, a):   return self.State(s.stones - a, 1 - s.turn)"
    assert rule in OWN_GAME
    wait = "def result(self, s, a):\n        import time\n        while not self.over: time.sleep(0.01)"
    text = OWN_GAME.replace(rule, wait).replace("self.stones = stones", "self.stones = stones; self.over = False")
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr("zermelo.studio.app.REQUEST_TIMEOUT_SECONDS", 0.3)
    with hosting((f"{file}:Countdown",)) as host:
        with host.open() as page, host.open() as other:
            page.ask("play.new", game=f"{file}:Countdown", seats=["human", "human"], evaluate=False)
            with pytest.raises(Refused, match="have not answered"):
                page.ask("play.move", move="1")
            started = time.monotonic()
            other.ask("play.new", game="tictactoe", seats=["human", "random"])
            assert time.monotonic() - started < 20
        host.studio.sessions.make().catalogue.own[f"{file}:Countdown"].over = True  # type: ignore[attr-defined]


def open_halfway(host: Host) -> socket.socket:
    """A connection whose request is never finished."""
    connection = socket.create_connection(("127.0.0.1", host.port), timeout=10)
    connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
    return connection


def test_connections_without_a_request_keep_no_page_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.connections.MAX_WAITING_CONNECTIONS", 20)
    with hosting() as host, contextlib.ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(open_halfway(host))
        assert get(host, "/", f"127.0.0.1:{host.port}").status == 200
        with host.open() as page:
            assert page.ask("home.game", game="tictactoe")


def test_a_request_that_is_not_finished_in_time_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.connections.REQUEST_DEADLINE_SECONDS", 0.2)
    with hosting() as host:
        for sent in (b"", b"GET / HTTP/1.1\r\n"):
            with socket.create_connection(("127.0.0.1", host.port), timeout=60) as connection:
                connection.sendall(sent)
                with contextlib.suppress(ConnectionResetError):
                    assert connection.recv(1) == b""
        with host.open() as page:  # a socket that was opened has no deadline
            time.sleep(0.5)
            assert page.ask("home.game", game="tictactoe")
