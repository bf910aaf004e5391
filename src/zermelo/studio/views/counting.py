"""The end of a game that people count: what is dead is taken off, and they may say what is."""

from __future__ import annotations

from zermelo.errors import ActionError
from zermelo.game.contract import Count
from zermelo.play.live import LiveGame


class Counting:
    """How the game on the board is counted, once the rules have ended it."""

    def __init__(self) -> None:
        self.found: Count | None = None

    def begin(self, live: LiveGame) -> None:
        """Counts the game, if its rules have just ended it and people count it."""
        self.found = None
        if live.ending is not None and not live.ending.reason and live.game.can("count_end"):
            self._settle(live, live.game.count_end(live.state))

    def turn(self, live: LiveGame, place: str) -> None:
        """What stands at a place is dead if it was alive, and alive if it was dead."""
        if self.found is None or live.ending is None:
            raise ActionError("the game is not over: nothing is counted yet")
        self._settle(live, live.game.count_end(live.state, self.found.dead, place))

    def _settle(self, live: LiveGame, found: Count) -> None:
        assert live.ending is not None
        self.found = found
        live.ending = live.ending._replace(utilities=found.utilities, detail=found.said)

    def show(self, live: LiveGame) -> dict[str, object] | None:
        """What a page marks on the board; nothing while the game goes on."""
        if self.found is None or live.ending is None:
            return None
        return {"dead": sorted(self.found.dead), "owners": dict(self.found.owners)}
