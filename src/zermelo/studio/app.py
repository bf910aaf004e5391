"""The pages of the studio, and the socket of each page.

A page is a handful of files. Everything else goes through its socket: requests, their answers, and what has changed.
Requests of one page are handled one at a time, on a thread for requests; the event loop only passes texts on.
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
from zermelo.studio.guard import Gate, Guard
from zermelo.studio.messages import PageRequest, RateLimit, read_request, write
from zermelo.studio.session import GRACE_SECONDS, SessionStore, StudioSession
from zermelo.studio.workers import REQUEST_TIMEOUT_SECONDS, WorkerJob, WorkerPool

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
TRACE_FILES = ("view.js", "view.css", "tree.css")
"""The player of recorded searches, which a trace brings with it."""
MAX_CONNECTIONS = 256
SEND_INTERVAL_SECONDS = 0.05
"""Between two updates of a page; of several snapshots within that time only the last one is sent."""
REFUSED, TOO_MUCH, ELSEWHERE, FULL = 1008, 1013, 4001, 4002
"""Codes with which a socket is closed; a page knows the last two."""


def read_static() -> dict[str, tuple[bytes, str]]:
    """Every file of the page by its path, with its media type. There are few, so they stay in memory."""
    found: dict[str, tuple[bytes, str]] = {}
    pending = [("", files("zermelo.studio") / "static")]
    while pending:
        path, folder = pending.pop()
        for entry in folder.iterdir():
            if entry.is_dir():
                pending.append((f"{path}/{entry.name}", entry))
            elif (media_type := MEDIA_TYPES.get(f".{entry.name.rpartition('.')[2]}")) is not None:
                found[f"{path}/{entry.name}"] = entry.read_bytes(), media_type
    for name in TRACE_FILES:
        content = (files("zermelo.search.trace") / name).read_bytes()
        found[f"/trace/{name}"] = content, MEDIA_TYPES[f".{name.rpartition('.')[2]}"]
    return found


class Studio:
    """The application: its pages, its sessions and its threads."""

    def __init__(self, guard: Guard, sessions: SessionStore, requests: WorkerPool, searches: WorkerPool):
        self.guard = guard
        self.sessions = sessions
        self.requests = requests
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
        await asyncio.to_thread(self.requests.close)

    async def page(self, request: HttpRequest) -> Response:
        path = request.url.path
        found = self.static.get("/index.html" if path == "/" else path)
        if found is None:
            return PlainTextResponse("There is no such page.", 404)
        return Response(found[0], media_type=found[1])

    async def socket(self, socket: WebSocket) -> None:
        """Serves one connection of one page until it is closed."""
        given = socket.query_params.get("token", "")
        if not self.guard.knows_origin(socket.headers) or not self.guard.knows_token(given):
            await socket.close(REFUSED, "the address of the page has the token: open it as the terminal printed it")
            return
        await socket.accept()
        if self.connections >= MAX_CONNECTIONS:  # a browser learns the code only of a socket that was open
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

    def __init__(self, studio: Studio, socket: WebSocket, session: StudioSession):
        self.studio = studio
        self.socket = socket
        self.session = session
        self.loop = asyncio.get_running_loop()
        self.wake = asyncio.Event()
        self.sending = asyncio.Lock()
        """Held from when messages are taken until they are sent, or an answer could overtake them."""

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
            # The peer may be gone at any message; one whose rules do not return is disconnected.
            with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
                await self.socket.send_text(write({"event": "hello", "data": {"session": session.key}}))
                await self.run(session.refresh)
                sender = asyncio.create_task(self.send_updates())
                await self.receive()
        finally:
            if sender is not None:
                sender.cancel()
            if session.notify is notify:  # a page that came back may have a newer connection already
                session.notify = session.connection = None
                session.left = time.monotonic()
                self.loop.call_later(GRACE_SECONDS, self.stop_if_away)

    def stop_if_away(self) -> None:
        """Stops the searches of a page that has not come back."""
        if self.session.notify is None:
            self.session.stop()

    async def send_updates(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self.wake.wait()
                self.wake.clear()
                await self.send_messages()
                await asyncio.sleep(SEND_INTERVAL_SECONDS)

    async def send_messages(self) -> None:
        async with self.sending:
            if self.session.connection is not self:  # the page has a newer one, which needs to be sent everything
                return
            for message in self.session.take_messages():
                await self.socket.send_text(await asyncio.to_thread(write, message))

    async def receive(self) -> None:
        limit = RateLimit()
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not limit.take():
                await self.socket.close(TOO_MUCH, "too many messages")
                return
            try:
                request = read_request(message.get("text"))
            except InputError as error:
                await self.socket.close(REFUSED, str(error)[:100])
                return
            answer = await self.answer(request)
            await self.send_messages()  # before the answer, so that a page that has it shows the result
            await self.socket.send_text(await asyncio.to_thread(write, answer))

    async def answer(self, request: PageRequest) -> dict[str, object]:
        try:
            found = await self.run(lambda: self.session.handle(request))
        except TimeoutError:
            waited = f"the rules have not answered for {REQUEST_TIMEOUT_SECONDS:g} seconds"
            return {"id": request.number, "error": f"{waited}: reload the page, and mend the game"}
        assert isinstance(found, dict)
        return found

    async def run(self, work: Callable[[], Any]) -> Any:
        """The result of `work`, run on a thread for requests; one at a time, or the connections of one page could keep
        all threads waiting for its rules."""
        async with self.session.turn:
            if self.session.lost:
                raise TimeoutError
            return await self.run_on_thread(work)

    async def run_on_thread(self, work: Callable[[], Any]) -> Any:
        done: asyncio.Future[Any] = self.loop.create_future()

        def settle(end: Callable[[Any], None], value: Any) -> None:
            if not done.done():
                end(value)

        def call(_job: WorkerJob) -> bool:
            end, value = done.set_result, None
            try:
                value = work()
            except Exception as error:
                end, value = done.set_exception, error
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(settle, end, value)
            return True

        job = self.studio.requests.submit(WorkerJob(call))
        try:
            return await asyncio.wait_for(done, REQUEST_TIMEOUT_SECONDS)
        except TimeoutError:
            # Its thread holds the session for as long as the rules run, so the page continues with another one.
            self.session.lost = True
            self.studio.sessions.known.pop(self.session.key, None)
            job.cancel()
            self.studio.requests.abandon(job)
            raise
