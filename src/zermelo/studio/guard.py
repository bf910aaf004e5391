"""Who may talk to the studio: only the browser of the user who started it.

Host     a page of another site cannot reach us under a name of its own (DNS rebinding)
Origin   a socket is opened by our own page only, not by a page of another site
token    other users of the machine do not know it; it is in the address that the terminal prints, after the #
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}


@dataclass(frozen=True)
class Guard:
    """The names under which the studio is reached, and its token."""

    names: frozenset[str]
    """Without a port: the user may reach it through a tunnel on another port."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @classmethod
    def of(cls, host: str, names: tuple[str, ...] = ()) -> Guard:
        """For a studio that listens on `host`."""
        own = f"[{host}]" if ":" in host else host
        local = LOOPBACK if own in LOOPBACK else ()
        return cls(frozenset(name.lower() for name in (own, *local, *names)))

    def knows_host(self, headers: Headers) -> bool:
        """Whether the one Host header is a name of ours."""
        hosts = headers.getlist("host")
        return len(hosts) == 1 and _without_port(hosts[0]) in self.names

    def knows_origin(self, headers: Headers) -> bool:
        """Whether the request comes from a page of ours: same name, same port."""
        origins = headers.getlist("origin")
        if len(origins) != 1:
            return False
        scheme, _, rest = origins[0].partition("://")
        return scheme in ("http", "https") and rest.lower() == headers.get("host", "").lower()

    def knows_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token.encode())


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdecimal() else host.lower()


class Gate:
    """Refuses requests for another host name, and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, guard: Guard):
        self.app = app
        self.guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if not self.guard.knows_host(Headers(scope=scope)):
            await self._refuse(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        await self.app(scope, receive, send_with_headers)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "another host"})
            return
        answer = PlainTextResponse("The studio is not served under this name: see `zermelo studio --name`.", 421)
        await answer(scope, receive, send)
