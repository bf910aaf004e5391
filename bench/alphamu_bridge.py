"""αμ against PIMC as declarer of small no-trump deals, the same deals against the same double-dummy defence.

    python bench/alphamu_bridge.py --deals 300 --ranks 4 --moves 2

Each deal is random, and the contract is what declarer takes with all cards seen, so that it can be made. Both imagine
the same number of worlds and only want to make it. Contracts made are compared on the deals in which only one of them
did (exact sign test). Seconds are processor time a card, of cards with a choice.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from bridge_play import DoubleDummyDefence, sign_test
from tools import answer, arguments, table

from zermelo.engine.imagined import alphamu, pimc
from zermelo.game.contract import Proof
from zermelo.games._bridge.cards import Board, random_deal
from zermelo.games._bridge.solver import StrainTables, solve_strain, solve_worlds
from zermelo.games.bridge.auction import Contract
from zermelo.games.bridge.rules import Bridge

SOUTH = 2


class Making(Bridge):
    """A contract is made or not: nothing else counts, and nothing else is solved."""

    bounds = (-1.0, 1.0)

    def __init__(self, **options: Any):
        super().__init__(**options)
        self.tables = StrainTables()

    def points(self, contract: Contract, tricks: int) -> int:
        return 1 if tricks >= contract.level + self.book else -1

    def prove(self, s: Bridge.State, stop: Callable[[], bool] | None = None) -> Proof[int]:
        play = self.play(s)
        least = self.contract.level + self.book - play.taken[0]  # of north and south, who declare
        (cards,) = solve_worlds(
            [s.hands], self.tables, self.contract.trumps, play.leader, play.trick, (least - 1, least), stop
        )
        sign = 1.0 if play.turn % 2 == 0 else -1.0
        return Proof({card: sign if tricks >= least else -sign for card, tricks in cards}, (), 0)


def play_out(game: Making, choose: Callable[..., Any], seconds: list[float]) -> bool:
    """Whether the contract is made."""
    s, defence = game.initial(), DoubleDummyDefence()
    while not game.is_terminal(s):
        actions = list(game.actions(s))
        if game.player(s) != SOUTH:
            a = defence.choose(game, s)
        elif len(actions) == 1:
            a = actions[0]
        else:
            begin = time.process_time()
            a = choose(game, s).action
            seconds.append(time.process_time() - begin)
        s = game.result(s, a)
    return game.utility(s, SOUTH) > 0


def main() -> None:
    asked = arguments(
        __doc__,
        deals=(300, "random deals that have a contract"),
        minutes=(15.0, "after which it stops"),
        ranks=(4, "cards in a hand"),
        worlds=(20, "that both imagine"),
        moves=(2, "own moves that αμ looks ahead"),
        seed=(1, "of the first deal"),
    )
    begin, deals, seed = time.monotonic(), 0, asked.seed
    players: dict[str, Callable[..., Any]] = {
        f"alphamu:worlds={asked.worlds},moves={asked.moves}": lambda game, s: alphamu(
            game, s, worlds=asked.worlds, moves=asked.moves, seed=seed
        ),
        f"pimc:worlds={asked.worlds}": lambda game, s: pimc(game, s, worlds=asked.worlds, seed=seed),
    }
    made, only = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    seconds: dict[str, list[float]] = {name: [] for name in players}
    while deals < asked.deals and time.monotonic() - begin < 60 * asked.minutes:
        seed += 1
        board = Board(random_deal(asked.ranks, seed))
        tricks = solve_strain(board, "NT", SOUTH)
        game = Making(deal=board.text(), contract="1NT-S")
        level = tricks - game.book
        if not 1 <= level <= game.levels:
            continue
        game = Making(deal=board.text(), contract=f"{level}NT-S")
        deals += 1
        results = {name: play_out(game, choose, seconds[name]) for name, choose in players.items()}
        for name, success in results.items():
            made[name] += success
            only[name] += success and sum(results.values()) == 1
    chance = sign_test(*only.values())
    rows = [[name, deals, made[name], only[name], statistics.fmean(seconds[name] or [0.0])] for name in players]
    said = table(["declarer", "contracts", "made", "only it", "seconds a card"], rows)
    answer(asked, {"rows": rows, "p": chance}, f"{said}\n\nequal players differ so with probability {chance:.2g}")


if __name__ == "__main__":
    main()
