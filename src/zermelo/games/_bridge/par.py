"""Par: what both sides get if they bid with all cards seen.

In such an auction a side bids what makes, or a doubled contract that costs less than what the other side makes. The
value of a bid, once it is on the table, is the worse for its side of what it scores and of the best higher bid of the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from zermelo.games._bridge.cards import HANDS, SIDES, STRAINS, Board
from zermelo.games._bridge.score import BIDDING, BOOK, LEVELS, score

Tricks = Mapping[tuple[str, int], int]
"""The tricks of a declarer, by strain and hand."""


class ParContract(NamedTuple):
    """A contract with its result."""

    level: int
    strain: str
    hands: str
    """Those of the side who make as many tricks with it."""
    tricks: int

    @property
    def doubled(self) -> bool:
        return self.tricks < self.level + BOOK

    def __str__(self) -> str:
        over = self.tricks - self.level - BOOK
        return f"{self.level}{self.strain}{'x' * self.doubled} {self.hands} {f'{over:+}' if over else '='}"


class Par(NamedTuple):
    """The score of north and south, and the contracts with it."""

    score: int
    contracts: tuple[ParContract, ...]

    def __str__(self) -> str:
        if not self.contracts:
            return "0: all pass"
        return f"{self.score:+} for {SIDES[0]}: {', '.join(map(str, self.contracts))}"


def find_par(tricks: Tricks, board: Board) -> Par:
    """Par of a whole deal."""
    bids = [(level, strain) for level in LEVELS for strain in BIDDING]
    best: dict[tuple[int, int], int] = {}  # the value of a bid on the table, for its side
    raised = [-(1 << 30), -(1 << 30)]  # the best of a side's bids above this one, for it
    contracts = [[_contract(tricks, side, level, strain) for level, strain in bids] for side in (0, 1)]
    for i in range(len(bids) - 1, -1, -1):
        values = [min(_score(contracts[side][i], board.is_vulnerable(side)), -raised[1 - side]) for side in (0, 1)]
        for side in (0, 1):
            best[side, i] = values[side]
        raised = [max(raised[side], values[side]) for side in (0, 1)]
    first = board.dealer % 2
    found = max(raised[first], min(0, -raised[1 - first]))
    if found == 0:
        return Par(0, ())
    for_north = found if first == 0 else -found
    at_par: list[ParContract] = []
    for side in (0, 1):
        own = for_north if side == 0 else -for_north
        vulnerable, theirs = board.is_vulnerable(side), board.is_vulnerable(1 - side)
        outbid = 0  # the most that the others make by a lower bid
        lowest: dict[str, ParContract] = {}
        for i, contract in enumerate(contracts[side]):
            # A doubled contract is one of par only if it saves something.
            if best[side, i] == own == _score(contract, vulnerable) and (not contract.doubled or outbid > -own):
                lowest.setdefault(contract.strain, contract)
            outbid = max(outbid, _score(contracts[1 - side][i], theirs))
        at_par += lowest.values()
    return Par(for_north, tuple(at_par))


def _contract(tricks: Tricks, side: int, level: int, strain: str) -> ParContract:
    """A bid of a side, declared by whoever of it takes more tricks."""
    own = {hand: tricks[strain, hand] for hand in (side, side + 2)}
    most = max(own.values())
    return ParContract(level, strain, "".join(HANDS[hand] for hand in own if own[hand] == most), most)


def _score(contract: ParContract, vulnerable: bool) -> int:
    return score(contract.level, contract.strain, contract.tricks, vulnerable, contract.doubled)


def table_text(tricks: Tricks, name: Callable[[str], str] = str) -> str:
    """The twenty results: a row for each declarer, a column for each strain."""
    columns = STRAINS[4:] + STRAINS[:4]
    head = "   " + "".join(f"{name(strain):>4}" for strain in columns)
    rows = ["".join([f"{HANDS[hand]:<3}", *(f"{tricks[s, hand]:>4}" for s in columns)]) for hand in (0, 2, 1, 3)]
    return "\n".join([head, *rows])
