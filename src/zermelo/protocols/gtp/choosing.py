"""Moves of its own: one way to come to them, whichever command asks for one.

A pass that wins at once needs no search, every search is taken from the clock, and a game of Go that is lost beyond
hope is given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.analysis import Analysis
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.protocols.gtp.stone_game import is_stone_game
from zermelo.protocols.session import SearchRequest, SearchThread

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import GtpServer

Tell = Callable[[SearchThread, Analysis], None]

RESIGN = "resign"
RESIGN_BELOW = -0.9
"""The value at which a game is given up: one win in twenty."""
ENOUGH_NODES = 1000
"""Fewer positions than these are not enough to despair."""
MOVES_LEFT = 25
"""Moves that a player is expected to make in games of which nothing is known."""


class Wish(NamedTuple):
    """What is asked of a move, and of the search for it."""

    only: tuple[Any, ...] | None = None
    """The actions to choose from."""
    interval: float | None = None
    """Seconds between two answers of the search."""
    resigning: bool = True
    """Whether giving up is an answer."""
    tell: Tell = lambda *_: None


class Choice(NamedTuple):
    """A state, the action to take there, and what the search thought, if there was one."""

    state: Any
    action: Any
    best: Analysis | None


class Chooser:
    """Chooses over a server's table, on its clock."""

    def __init__(self, server: GtpServer):
        self.server = server

    def play(self, p: int, wish: Wish | None = None) -> str:
        """A move of player `p`, played: its vertex, or that the game is given up."""
        wish, table = wish or Wish(), self.server.table
        choice = self.choose(p, wish)
        if wish.resigning and may_resign(table.game, choice.best, len(table.turns)):
            return RESIGN
        table.add(p, choice.state, choice.action)
        return table.vertex(choice.state, choice.action)

    def choose(self, p: int, wish: Wish | None = None) -> Choice:
        """The same without playing it."""
        wish = wish or Wish()
        state = self.server.table.state_for(p)
        ending = prefer_end(self.server.table.game, state)
        if ending is not None and (wish.only is None or ending in wish.only):
            return Choice(state, ending, None)
        search = self.search(p, wish)
        if search.action is None:
            raise InputError(f"the search failed: {search.error}" if search.error else "there is no move to make")
        return Choice(state, search.action, search.best)

    def search(self, p: int, wish: Wish) -> SearchThread:
        """A search for one move of player `p`, to its end."""
        session, clock = self.server.table.session, self.server.clock
        session.position = self.server.table.position_for(p)
        started = time.perf_counter()
        shown = clock.clock(p, moves_left(session.game, session.position.state))
        request = SearchRequest(shown, only=wish.only, interval=wish.interval)
        search = session.go(request, wish.tell, lambda _: None)
        search.join()
        clock.spend(p, time.perf_counter() - started)
        return search


def moves_left(game: Game, state: Any) -> int:
    """How many more moves of one player to expect: a third of the empty points, where there are any."""
    return game.colours(state).count(".") // 3 if game.can("colours") else MOVES_LEFT


def prefer_end(game: Any, state: Any) -> Any:
    """The pass that wins at once because the other has passed; `None` if it would not win."""
    if not is_stone_game(game) or game.passes(state) != 1:
        return None
    passing = game.size * game.size
    p, after = game.player(state), game.result(state, passing)
    return passing if game.is_terminal(after) and game.utility(after, p) > 0 else None


def may_resign(game: Any, best: Analysis | None, moves: int) -> bool:
    """Whether a game of Go is lost beyond hope."""
    if not is_stone_game(game) or best is None or best.nodes < ENOUGH_NODES:
        return False
    return bool(best.value < RESIGN_BELOW and moves > game.size * game.size // 5)
