"""Starts a studio: makes its parts, binds a port and serves until Ctrl-C."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from zermelo.errors import InputError
from zermelo.studio.app import Studio
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.guard import Guard
from zermelo.studio.messages import MAX_MESSAGE_CHARS
from zermelo.studio.recordings import RecordingCache
from zermelo.studio.session import SessionStore, StudioSession
from zermelo.studio.views import make_views
from zermelo.studio.workers import WorkerJob, WorkerPool, search_threads

if TYPE_CHECKING:
    import uvicorn

REQUEST_THREADS = 8
SWITCH_INTERVAL_SECONDS = 0.001
"""After which Python switches to another thread: the event loop must not wait for a search."""
MAX_BYTES_PER_CHAR = 4
SHUTDOWN_SECONDS = 2
"""How long open connections may take to close when the studio ends."""


def make_studio(
    guard: Guard, games: Sequence[str] = (), tournaments: Sequence[str] = (), bots: Sequence[str] = ()
) -> Studio:
    """A studio for the games of the package and `games` of the user's own, with the user's `bots` among the players."""
    catalogue = Catalogue(games, tournaments, bots)
    searches = WorkerPool(search_threads(), "search", background=True)
    requests = WorkerPool(REQUEST_THREADS, "request")
    requests.submit(WorkerJob(lambda _job: bool(catalogue.entries())))  # imports every game before the first page asks
    recordings = RecordingCache()
    sessions = SessionStore(lambda: StudioSession(catalogue, searches, make_views, recordings))
    return Studio(guard, sessions, requests, searches)


def serve(
    games: Sequence[str] = (),
    *,
    host: str = "127.0.0.1",
    port: int = 8642,
    names: Sequence[str] = (),
    tournaments: Sequence[str] = (),
    bots: Sequence[str] = (),
    ready: Callable[[str], None] = print,
) -> None:
    """Serves until Ctrl-C; `ready` is called with the address once pages can be opened."""
    guard = Guard.of(host, tuple(names))
    studio = make_studio(guard, games, tournaments, bots)
    listener = listen(host, port)
    listener.listen()  # a page that is opened before the loop runs waits for it
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    ready(address(listener, host, guard))
    make_server(studio).run([listener])


def make_server(studio: Studio) -> uvicorn.Server:
    """The HTTP and WebSocket server of `studio`."""
    import uvicorn

    from zermelo.studio.connections import make_protocol

    config = uvicorn.Config(
        studio.app,
        http=make_protocol(),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=MAX_BYTES_PER_CHAR * MAX_MESSAGE_CHARS,
        limit_concurrency=1_000,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    return uvicorn.Server(config)


def listen(host: str, port: int) -> socket.socket:
    """The bound socket of the studio; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}:{port}: {why}; give another --port, or 0 for any") from None
    return listener


def address(listener: socket.socket, host: str, guard: Guard) -> str:
    """The address of the page; the token follows the #, so it is never sent with the request for it."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}/#token={guard.token}"
