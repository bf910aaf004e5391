"""The turn of hold'em with the river by a network: how much the player can be exploited, and how fast it is.

    python bench/holdem_network.py --values river.safetensors
    python bench/holdem_network.py --board QdQs6h3c --full    beside the full solution, in the same run

The turn is solved with the network; then every river is solved as it would be when it comes, from the ranges of both.
The two make a strategy of the whole endgame, whose exploitability is exact. Seconds are processor time on one thread,
building included; those of the rivers stand beside.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from holdem import seconds
from tools import answer, arguments, table

import zermelo as z
from zermelo.equilibrium import cfr
from zermelo.equilibrium.public_form import Choice, PublicForm
from zermelo.games.holdem.cards import read_cards
from zermelo.games.poker.resolver import own_river
from zermelo.games.poker.river import spot_game, spot_state
from zermelo.games.poker.spot import HANDS, PLACE, RiverNetwork, Spot, blocked

POT, STACK = 1000, 3000


class Whole:
    """The strategy of an endgame that is put together."""

    def __init__(self, board: str):
        self.rules = z.load(f"holdem:board={board},pot={POT},stack={STACK},bets=50/100,raises=3")
        self.form = PublicForm(self.rules)
        self.shares = np.zeros(sum(self.form.room))
        self.places = np.array([PLACE[hand.cards] for hand in self.form.hands[0]])

    def fill(self, board: int, node: int, spot: Spot, own: int) -> None:
        """Takes over what `spot` says at its node `own`."""
        begin, count, hands = self.form.rows(Choice(board, node))
        order = self.form.boards[board].order[spot.street.kind[own]]
        self.shares[begin : begin + count * hands] = spot.shares(own)[:, self.places[order]].ravel()

    def take(self, board: int, root: int, spot: Spot) -> None:
        """All choices of a round; `root` is where it begins on that board."""
        street = self.form.streets[self.form.boards[board].street]
        place = {0: root}
        for own, kind in enumerate(spot.street.kind):
            if kind >= 0:
                for a in range(len(spot.street.actions[own])):
                    place[spot.street.first[own] + a] = street.first[place[own]] + a
                self.fill(board, place[own], spot, own)


def play(board: str, river: RiverNetwork | None, iterations: int, river_iterations: int) -> dict[str, Any]:
    whole = Whole(board)
    game, everything = spot_game(STACK / POT), np.ones(len(HANDS))
    start = spot_state(game, np.array(read_cards(board)))

    def turn() -> Spot:
        found = Spot(game, start, (everything, everything), river)
        found.run(iterations)
        return found

    spent, spot = seconds(turn)
    whole.take(0, 0, spot)
    street = whole.form.streets[1]
    begin, count = time.process_time(), 0
    for number in range(1, len(whole.form.boards)):
        card = whole.form.boards[number].cards[0]
        for root, node in enumerate(spot.street.deals):
            if street.kind[root] < 0:
                continue  # all-in
            s = spot.street.states[node]
            cards = s.cards.copy()
            cards[8] = card
            reach = [np.where(blocked([card]), 0.0, spot.reach(q, node, everything)) for q in (0, 1)]
            ranges = [own if own.sum() > 0 else everything for own in reach]
            last = Spot(game, s._replace(cards=cards, dealt=9), (ranges[0], ranges[1]))
            last.run(river_iterations)
            whole.take(number, root, last)
            count += 1
    _, best = whole.form.form.judge(whole.shares)
    return {
        "board": board,
        "iterations": iterations,
        "seconds": spent,
        "rivers": count,
        "seconds of all rivers": time.process_time() - begin,
        "% of the pot": 100 * sum(best) / 2 / POT,
    }


def full(board: str) -> float:
    """Seconds of the full solution to 0.3 % of the pot."""
    form = PublicForm(z.load(f"holdem:board={board},pot={POT},stack={STACK},bets=50/100,raises=3"))
    return seconds(lambda: cfr(form, exploitability="0.3%", threads=1, seconds=300))[0]


def main() -> None:
    asked = arguments(
        __doc__,
        values=("", "a file of `zermelo train poker`; the package's own if not said, and none for showdowns alone"),
        board=("Ks7h2d5c AhTh9c2s QdQs6h3c 8s7s6d2s", "turns"),
        iterations=(40, "of the turn"),
        rivers=(100, "iterations of a river"),
        full=(False, "solve the endgame in full as well"),
    )
    river = None if asked.values == "none" else RiverNetwork.read(asked.values) if asked.values else own_river()
    rows = []
    for board in asked.board.split():
        row = play(board, river, asked.iterations, asked.rivers)
        if asked.full:
            row["full"] = full(board)
            row["× faster"] = row["full"] / row["seconds"]
        rows.append(row)
    answer(asked, {"rows": rows}, table(list(rows[0]), [list(row.values()) for row in rows]))


if __name__ == "__main__":
    main()
