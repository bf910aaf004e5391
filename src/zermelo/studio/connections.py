"""HTTP connections that cannot be held open without a request.

uvicorn waits forever for the first request of a connection, or for the rest of it, and refuses pages when too many
connections are open. Here each has a deadline for its request, and the number of waiting connections is
limited: one more closes the oldest, so that a page always gets through.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_DEADLINE_SECONDS = 10.0
"""From a connection, or the first byte of a further request, to the end of the request's headers."""
MAX_WAITING_CONNECTIONS = 200
"""Connections without a complete request: far below the number of files that a process may have open."""


class DeadlineProtocol(H11Protocol):
    """uvicorn's protocol, which closes connections that do not send their request in time."""

    waiting: OrderedDict[DeadlineProtocol, asyncio.TimerHandle]
    """All connections of a server that have sent no complete request, the oldest one first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # it belongs to a WebSocket now
            return
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def _wait(self) -> None:
        if self in self.waiting or self.transport.is_closing():
            return
        self.waiting[self] = self.loop.call_later(REQUEST_DEADLINE_SECONDS, self._drop)
        if len(self.waiting) > MAX_WAITING_CONNECTIONS:
            next(iter(self.waiting))._drop()

    def _stop_waiting(self) -> None:
        timer = self.waiting.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _drop(self) -> None:
        self._stop_waiting()
        self.transport.abort()


def make_protocol() -> type[DeadlineProtocol]:
    """The protocol of one server, whose connections are counted together."""
    return type("ServerProtocol", (DeadlineProtocol,), {"waiting": OrderedDict()})
