"""What the search thinks while it thinks, as KataGo says it: `kata-analyze` and `kata-genmove_analyze`.

    info move D4 visits 120 utility 0.06 winrate 0.53 scoreMean 1.5 scoreLead 1.5 lcb 0.52 order 0 pv D4 E5 …

Chances and bounds are shares of 1; all numbers are those of the player whose move it is. In Go a move has the points by
which that player is likely to be ahead in the end, and with `ownership true` the line ends with whose each point will
be, from the upper left corner on: 1 the player's, −1 the other's. Both come from the network, if there is one, or
from playouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.play.notation import write_line
from zermelo.protocols.gtp.game import is_stone_game, write_vertex
from zermelo.protocols.gtp.report import lower_bound, named, win_share
from zermelo.protocols.gtp.request import AnalysisRequest

MOST_LEADS = 1000
"""Positions whose points are remembered: the same moves are named again and again."""


class KataReports:
    """Lines about the positions of one server."""

    def __init__(self) -> None:
        self._leads: dict[object, float] = {}

    def describe(
        self, game: Game, state: object, found: Analysis, request: AnalysisRequest, legal: Sequence[object]
    ) -> str:
        """The best moves of an analysis, one `info move` after the other."""
        parts = []
        for order, each in enumerate(named(found, request, legal)):
            share = win_share(game, each.value)
            words = " ".join(write_line(game, state, each.line, write_vertex))
            numbers = {"visits": each.visits, "utility": 2 * share - 1, "winrate": share}
            if is_stone_game(game):
                lead = self.lead(game, game.result(state, each.action)) * (1 if request.player == 0 else -1)
                numbers |= {"scoreMean": lead, "scoreLead": lead}
            numbers |= {"lcb": lower_bound(share, each.visits), "order": order}
            said = " ".join(f"{name} {number:.6g}" for name, number in numbers.items())
            parts.append(f"info move {words.split(' ', 1)[0]} {said} pv {words}")
        if request.ownership and is_stone_game(game):
            parts.append(f"ownership {' '.join(f'{share:.3g}' for share in owners(game, state, request.player))}")
        return " ".join(parts)

    def lead(self, game: Any, state: object) -> float:
        """The points by which black is likely to be ahead in the end."""
        key = game.komi, state
        if key not in self._leads:
            if len(self._leads) >= MOST_LEADS:
                self._leads.clear()
            self._leads[key] = game.lead(state)
        return self._leads[key]


def owners(game: Any, state: object, p: int) -> Iterator[float]:
    """For each point, row by row from the top, how surely it will be that player's."""
    shares = game.ownership(state)
    for row in reversed(range(game.size)):
        for share in shares[row * game.size : (row + 1) * game.size]:
            yield share if p == 0 else -share
