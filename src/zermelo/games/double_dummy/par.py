"""The score of a contract, and par: what both sides get if they bid with all cards seen.

In such an auction a side bids what makes, or a doubled contract that costs less than what the other side makes. The
value of a bid, once it is on the table, is the worse for its side of what it scores and of the best higher bid of the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from zermelo.games.double_dummy.cards import HANDS, SIDES, STRAINS, Board

BIDDING = ("C", "D", "H", "S", "NT")
"""The strains from the lowest."""
LEVELS = range(1, 8)
BOOK = 6
"""Tricks that a contract of level 0 would need."""
TRICK_POINTS = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
FIRST_NO_TRUMP = 10
PARTSCORE, GAME = 50, (300, 500)
GAME_POINTS = 100
SLAMS = {6: (500, 750), 7: (1000, 1500)}
"""The second number of a pair is that of a vulnerable side."""
DOWN, DOUBLED_DOWN = (50, 100), ((100, 200, 200), (200, 300, 300))
LATER_DOWN = 300
"""What each doubled trick below three costs."""

Tricks = Mapping[tuple[str, int], int]
"""The tricks of a declarer, by strain and hand."""


def score(level: int, strain: str, tricks: int, vulnerable: bool, doubled: bool = False) -> int:
    """What a contract scores for its side; doubled ones are scored for tricks that are missing only."""
    missing = level + BOOK - tricks
    if missing > 0:
        if not doubled:
            return -missing * DOWN[vulnerable]
        return -sum(DOUBLED_DOWN[vulnerable][:missing]) - LATER_DOWN * max(missing - 3, 0)
    points = level * TRICK_POINTS[strain] + (FIRST_NO_TRUMP if strain == "NT" else 0)
    bonus = GAME[vulnerable] if points >= GAME_POINTS else PARTSCORE
    slam = SLAMS[level][vulnerable] if level in SLAMS else 0
    return points + bonus + slam - missing * TRICK_POINTS[strain]


class Contract(NamedTuple):
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
    contracts: tuple[Contract, ...]

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
    at_par: list[Contract] = []
    for side in (0, 1):
        own = for_north if side == 0 else -for_north
        vulnerable, theirs = board.is_vulnerable(side), board.is_vulnerable(1 - side)
        outbid = 0  # the most that the others make by a lower bid
        lowest: dict[str, Contract] = {}
        for i, contract in enumerate(contracts[side]):
            # A doubled contract is one of par only if it saves something.
            if best[side, i] == own == _score(contract, vulnerable) and (not contract.doubled or outbid > -own):
                lowest.setdefault(contract.strain, contract)
            outbid = max(outbid, _score(contracts[1 - side][i], theirs))
        at_par += lowest.values()
    return Par(for_north, tuple(at_par))


def _contract(tricks: Tricks, side: int, level: int, strain: str) -> Contract:
    """A bid of a side, declared by whoever of it takes more tricks."""
    own = {hand: tricks[strain, hand] for hand in (side, side + 2)}
    most = max(own.values())
    return Contract(level, strain, "".join(HANDS[hand] for hand in own if own[hand] == most), most)


def _score(contract: Contract, vulnerable: bool) -> int:
    return score(contract.level, contract.strain, contract.tricks, vulnerable, contract.doubled)


def table_text(tricks: Tricks, name: Callable[[str], str] = str) -> str:
    """The twenty results: a row for each declarer, a column for each strain."""
    columns = STRAINS[4:] + STRAINS[:4]
    head = "   " + "".join(f"{name(strain):>4}" for strain in columns)
    rows = ["".join([f"{HANDS[hand]:<3}", *(f"{tricks[s, hand]:>4}" for s in columns)]) for hand in (0, 2, 1, 3)]
    return "\n".join([head, *rows])
