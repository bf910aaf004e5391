"""The declarer of bridge: perfect-information Monte Carlo against rules, the same contracts on the same deals.

    python bench/bridge_play.py
    python bench/bridge_play.py --minutes 15 --defence rules

Random deals are bid by the system. Each contract is played twice, by the rule-based declarer and by the one that
samples deals, against the same defence: double-dummy, which sees all cards, or by rules. Contracts made are compared
on the deals in which only one of the two made it (exact sign test). Seconds are processor time a card, of cards with a
choice.
"""

from __future__ import annotations

import math
import statistics
import time
from typing import Any

from tools import answer, arguments, table

from zermelo.games import load
from zermelo.games._bridge.cards import HANDS, Board, board_facts, random_deal
from zermelo.games._bridge.solver import StrainTables, solve_worlds
from zermelo.games.bridge.auction import Calls, hear
from zermelo.games.bridge.players import BridgePlayer
from zermelo.games.bridge.rules import Bridge
from zermelo.games.bridge.system import allowed


class DoubleDummyDefence:
    """Plays a card that is best with all cards seen; the lowest of them."""

    def __init__(self) -> None:
        self.tables = StrainTables()

    def choose(self, game: Bridge, s: Bridge.State) -> int:
        contract, play = game.contract_of(s), game.play(s)
        left = game.tricks - sum(play.taken)
        (cards,) = solve_worlds([s.hands], self.tables, contract.trumps, play.leader, play.trick, (0, left))
        sign = 1 if play.turn % 2 == 0 else -1
        return max(cards, key=lambda found: (sign * found[1], -(found[0] % 16)))[0]


def bid_out(board: Board) -> Calls:
    """The auction by the system."""
    calls: Calls = ()
    while not (auction := hear(calls, board.dealer)).is_over:
        calls = (*calls, allowed(calls, board.dealer, board.hands[auction.turn])[0])
    return calls


def play_out(game: Bridge, start: Bridge.State, declarer: Any, defence: Any, times: list[float]) -> int:
    """The tricks of the declarer."""
    s, contract = start, game.contract_of(start)
    while not game.is_terminal(s):
        if game.player(s) != contract.declarer:
            s = game.result(s, defence.choose(game, s))
            continue
        has_choice = len(list(game.actions(s))) > 1
        begin = time.process_time()
        card = declarer.choose(game, s)
        if has_choice:
            times.append(time.process_time() - begin)
        s = game.result(s, card)
    return game.play(s).taken[contract.declarer % 2]


def main() -> None:
    asked = arguments(
        __doc__,
        deals=(1000, "random deals at most"),
        minutes=(15.0, "after which it stops"),
        worlds=(40, "sampled deals a card"),
        defence=("double-dummy", "or rules"),
        seed=(1, "of the first deal"),
    )
    begin = time.monotonic()
    sampled, rules = BridgePlayer(3, worlds=asked.worlds), BridgePlayer(1)
    times: dict[str, list[float]] = {"sampled deals": [], "rules": []}
    made: dict[str, int] = dict.fromkeys(times, 0)
    tricks: dict[str, list[int]] = {name: [] for name in times}
    only = dict.fromkeys(times, 0)
    deals = 0
    for number in range(asked.seed, asked.seed + asked.deals):
        if time.monotonic() - begin > 60 * asked.minutes:
            break
        board = Board(random_deal(13, number), *board_facts(number))
        calls = bid_out(board)
        if hear(calls, board.dealer).contract is None:
            continue
        game = load(f"bridge:deal={board.text()},dealer={HANDS[board.dealer]},vulnerable={board.vulnerable}")
        start = game.initial()._replace(calls=calls)
        contract = game.contract_of(start)
        successes = {}
        for name, declarer in (("sampled deals", sampled), ("rules", rules)):
            defence = DoubleDummyDefence() if asked.defence == "double-dummy" else BridgePlayer(1)
            sampled.begin(game, contract.declarer)
            sampled.reseed(number)
            tricks[name].append(play_out(game, start, declarer, defence, times[name]))
            successes[name] = tricks[name][-1] >= contract.level + game.book
        deals += 1
        for name, success in successes.items():
            made[name] += success
            only[name] += success and sum(successes.values()) == 1
    if not times["rules"]:
        answer(asked, {"skipped": "passed out"}, "skipped: nobody bid on these deals; take more of them", timed=False)
        return
    first, second = only["sampled deals"], only["rules"]
    chance = sign_test(first, second)
    rows = [
        [name, deals, made[name], only[name], statistics.fmean(tricks[name]), *seconds(times[name])] for name in times
    ]
    keys = ["declarer", "contracts", "made", "only it", "tricks", "s a card", "median", "99 %", "worst"]
    said = f"{table(keys, rows)}\n\ndefence: {asked.defence}; equal players differ so with probability {chance:.2g}"
    answer(asked, {"rows": rows, "defence": asked.defence, "p": chance}, said)


def seconds(times: list[float]) -> list[float]:
    return [statistics.fmean(times), statistics.median(times), sorted(times)[int(0.99 * len(times))], max(times)]


def sign_test(first: int, second: int) -> float:
    """The probability that equal players differ at least so: two-sided, exact."""
    n, low = first + second, min(first, second)
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(low + 1)) / 2**n)


if __name__ == "__main__":
    main()
