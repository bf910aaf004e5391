"""An engine by GTP that is asked directly."""

from __future__ import annotations

from zermelo.games import load
from zermelo.protocols.gtp import GtpServer

SPLIT = [f"play b C{row}" for row in range(1, 8)] + [f"play w E{row}" for row in range(1, 8)] + ["play w A4"]
"""A wall of each player, and a white stone that is dead behind black's; on seven lines."""


class Engine:
    """A server and what it has said."""

    def __init__(self, game: str = "go:size=5", seconds: float = 0.02):
        self.said: list[str] = []
        self.server = GtpServer(load(game), self.said.append, seconds=seconds)

    def ask(self, *lines: str) -> list[str]:
        """The answers to commands, one text each."""
        del self.said[:]
        for line in lines:
            self.server.handle(line)
        return [answer.rstrip() for answer in "\n".join(self.said).split("\n\n")][: len(lines)]

    def told(self, line: str) -> str:
        """The text of an answer that must be right."""
        (answer,) = self.ask(line)
        assert answer.startswith("="), answer
        return answer.removeprefix("=").strip()
