"""The pages of the studio, and the socket of each page.

A page is a handful of files. All else goes through its socket: it asks, is answered, and is told what changes. Requests
of one page are done in turn, on a thread for errands; the event loop only passes texts on.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from zermelo.errors import InputError
from zermelo.studio.desk import LONGEST_ERRAND, Desk, Job
from zermelo.studio.guard import Gate, Guard
from zermelo.studio.session import GRACE, Session, Sessions
from zermelo.studio.wire import Bucket, Request, read_request, write

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
TRACE_FILES = ("view.js", "view.css", "tree.css")
"""What the textbook shows its traces with, and so do we."""
MOST_CONNECTIONS = 256
BREATH = 0.05
"""Seconds between news to a page: of pictures that follow faster, the last one is enough."""
REFUSED, TOO_MUCH, ELSEWHERE, FULL = 1008, 1013, 4001, 4002
"""Why a socket is closed; a page knows the last two."""


def read_static() -> dict[str, tuple[bytes, str]]:
    """Every file of the page by its path, with its kind. There are few, so they are kept."""
    found: dict[str, tuple[bytes, str]] = {}
    pending = [("", files("zermelo.studio") / "static")]
    while pending:
        path, folder = pending.pop()
        for entry in folder.iterdir():
            if entry.is_dir():
                pending.append((f"{path}/{entry.name}", entry))
            elif (kind := KINDS.get(f".{entry.name.rpartition('.')[2]}")) is not None:
                found[f"{path}/{entry.name}"] = entry.read_bytes(), kind
    for name in TRACE_FILES:
        content = (files("zermelo.search.trace") / name).read_bytes()
        found[f"/trace/{name}"] = content, KINDS[f".{name.rpartition('.')[2]}"]
    return found


class Studio:
    """The application: its pages, its sessions and its threads."""

    def __init__(self, guard: Guard, sessions: Sessions, errands: Desk, searches: Desk):
        self.guard = guard
        self.sessions = sessions
        self.errands = errands
        self.searches = searches
        self.static = read_static()
        self.connections = 0
        routes = [
            WebSocketRoute("/socket", self.socket),
            Route("/{path:path}", self.page, methods=["GET"]),
        ]
        self.app = Starlette(routes=routes, middleware=[Middleware(Gate, guard=guard)], lifespan=self.lifespan)

    @contextlib.asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        yield
        self.sessions.close()
        await asyncio.to_thread(self.searches.close)
        await asyncio.to_thread(self.errands.close)

    async def page(self, request: HttpRequest) -> Response:
        path = request.url.path
        found = self.static.get("/index.html" if path == "/" else path)
        if found is None:
            return PlainTextResponse("There is no such page.", 404)
        return Response(found[0], media_type=found[1])

    async def socket(self, socket: WebSocket) -> None:
        """One connection of one page, from its first word to its last."""
        given = socket.query_params.get("token", "")
        if not self.guard.knows_origin(socket.headers) or not self.guard.knows_token(given):
            await socket.close(REFUSED, "the address of the page has the token: open it as the terminal printed it")
            return
        await socket.accept()
        if self.connections >= MOST_CONNECTIONS:  # only a socket that was open tells a browser why it is closed
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await socket.close(FULL, "too many pages are open")
            return
        session = self.sessions.join(socket.query_params.get("session", ""))
        self.connections += 1
        try:
            await Connection(self, socket, session).serve()
        finally:
            self.connections -= 1


class Connection:
    """A socket and the session that it serves."""

    def __init__(self, studio: Studio, socket: WebSocket, session: Session):
        self.studio = studio
        self.socket = socket
        self.session = session
        self.loop = asyncio.get_running_loop()
        self.wake = asyncio.Event()
        self.sending = asyncio.Lock()
        """Held from when news are taken until they are sent, or an answer could get there before them."""

    async def serve(self) -> None:
        session = self.session

        def notify() -> None:
            with contextlib.suppress(RuntimeError):  # the loop may be closed while a search ends
                self.loop.call_soon_threadsafe(self.wake.set)

        before, session.notify, session.connection = session.connection, notify, self
        if isinstance(before, Connection):  # a tab that was duplicated, or a connection whose loss went unnoticed
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await before.socket.close(ELSEWHERE)
        sender: asyncio.Task[None] | None = None
        try:
            # A peer may be gone at any word, ours or its own; one whose rules do not come back is sent away.
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                await self.socket.send_text(write({"event": "hello", "data": {"session": session.key}}))
                await self.errand(session.refresh)
                sender = asyncio.create_task(self.keep_told())
                await self.receive()
        finally:
            if sender is not None:
                sender.cancel()
            if session.notify is notify:  # a page that came back may have a newer connection already
                session.notify = session.connection = None
                session.left = time.monotonic()
                self.loop.call_later(GRACE, self.stop_if_away)

    def stop_if_away(self) -> None:
        """Ends the searches of a page that has not come back."""
        if self.session.notify is None:
            self.session.stop()

    async def keep_told(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self.wake.wait()
                self.wake.clear()
                await self.send_news()
                await asyncio.sleep(BREATH)

    async def send_news(self) -> None:
        async with self.sending:
            for message in self.session.take_news():
                await self.socket.send_text(await asyncio.to_thread(write, message))

    async def receive(self) -> None:
        bucket = Bucket()
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not bucket.take():
                await self.socket.close(TOO_MUCH, "too many messages")
                return
            try:
                request = read_request(message.get("text"))
            except InputError as error:
                await self.socket.close(REFUSED, str(error)[:100])
                return
            answer = await self.answer(request)
            await self.send_news()  # whoever is answered sees what has come of the question
            await self.socket.send_text(await asyncio.to_thread(write, answer))

    async def answer(self, request: Request) -> dict[str, Any]:
        try:
            found = await self.errand(lambda: self.session.handle(request))
        except TimeoutError:
            said = f"the rules have not answered for {LONGEST_ERRAND:g} seconds: reload the page, and mend the game"
            return {"id": request.number, "error": said}
        assert isinstance(found, dict)
        return found

    async def errand(self, work: Any) -> Any:
        """What `work` gives, done on a thread for errands; one at a time, or the connections of one page could keep all
        threads waiting for its rules."""
        async with self.session.turn:
            if self.session.lost:
                raise TimeoutError
            return await self.run_errand(work)

    async def run_errand(self, work: Any) -> Any:
        done: asyncio.Future[Any] = self.loop.create_future()

        def settle(end: Callable[[Any], None], value: Any) -> None:
            if not done.done():
                end(value)

        def run(_job: Job) -> bool:
            end, value = done.set_result, None
            try:
                value = work()
            except Exception as error:
                end, value = done.set_exception, error
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(settle, end, value)
            return True

        job = self.studio.errands.submit(Job(run))
        try:
            return await asyncio.wait_for(done, LONGEST_ERRAND)
        except TimeoutError:
            # Its thread holds the session for as long as the rules run, so the page goes on with another one.
            self.session.lost = True
            self.studio.sessions.known.pop(self.session.key, None)
            job.cancel()
            self.studio.errands.give_up(job)
            raise
