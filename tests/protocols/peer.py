"""A UCI server for tests to talk to."""

from __future__ import annotations

from zermelo.protocols.session import Session
from zermelo.protocols.uci import UciServer


class Peer:
    """A server, and everything it has said."""

    def __init__(self, game, weakened=None):
        self.said = []
        self.server = UciServer(Session(game, weakened), self.said.append)

    def tell(self, *lines):
        """What is said to `lines`; searches with limits are waited for."""
        before = len(self.said)
        for line in lines:
            assert self.server.handle(line)
            search = self.server.session.search
            if line.startswith("go") and not (search.request.infinite or search.request.ponder):
                search.join()
        return self.said[before:]

    def best(self, *lines):
        (found,) = [line.split()[1] for line in self.tell(*lines) if line.startswith("bestmove")]
        return found


def infos(lines):
    return [line for line in lines if line.startswith("info ") and " pv " in line]
