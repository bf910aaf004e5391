"""Double-dummy results from the core: of a whole deal, and of every card in a position."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.engine.core import _core
from zermelo.errors import InputError, OptionError
from zermelo.games._bridge.cards import HANDS, RANKS, STRAINS, Board, Hands, check_hands
from zermelo.games._bridge.par import Par, find_par, table_text

Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class DealTable:
    """The results of a deal."""

    board: Board
    tricks: Mapping[tuple[str, int], int]
    """Of each declarer, by strain and hand."""
    nodes: int
    seconds: float

    @property
    def par(self) -> Par | None:
        """`None` unless the deal is whole and every strain is solved."""
        whole = self.board.tricks == len(RANKS) and len(self.tricks) == len(STRAINS) * len(HANDS)
        return find_par(self.tricks, self.board) if whole else None

    def text(self) -> str:
        """The table and par, for people."""
        table = table_text(self.tricks)
        return table if self.par is None else f"{table}\n\npar {self.par}"

    def data(self) -> dict[str, object]:
        """The same for programs."""
        par = self.par
        return {
            "deal": self.board.text(),
            "board": self.board.name,
            "dealer": HANDS[self.board.dealer],
            "vulnerable": self.board.vulnerable,
            "tricks": {strain: {HANDS[hand]: self.tricks[strain, hand] for hand in range(4)} for strain in STRAINS},
            "par": None if par is None else par.score,
            "contracts": [] if par is None else [str(contract) for contract in par.contracts],
            "nodes": self.nodes,
            "seconds": self.seconds,
        }


def solve_table(board: Board, threads: int = 1, stop: Stop | None = None) -> DealTable:
    """All twenty results: five strains, each declared by every hand. Ctrl-C, or `stop`, ends it at once.

    A stop raises `zermelo.engine.Stopped`.
    """
    started = time.perf_counter()
    found, nodes = _core.bridge_deal(board.hands, (1 << len(STRAINS)) - 1, threads, stop)
    tricks = {
        (strain, hand): declared(found[number][(hand + 1) % 4], hand, board.tricks)
        for number, strain in enumerate(STRAINS)
        for hand in range(4)
    }
    return DealTable(board, tricks, nodes, time.perf_counter() - started)


def solve_strain(board: Board, strain: str, declarer: int, stop: Stop | None = None) -> int:
    """The tricks of one declarer in one strain."""
    if strain not in STRAINS:
        raise OptionError(f"{strain!r:.20} is not a strain: they are {', '.join(STRAINS)}")
    cards, _, _ = _core.bridge_position(board.hands, STRAINS.index(strain), (declarer + 1) % 4, [], stop)
    values = [tricks for _, tricks in cards]
    best = max(values) if declarer % 2 else min(values)  # the leader is of the other side
    return declared(best, declarer, board.tricks)


def declared(north_south: int, hand: int, tricks: int) -> int:
    """The tricks of the side of `hand`."""
    return north_south if hand % 2 == 0 else tricks - north_south


@dataclass(frozen=True, slots=True)
class PositionResults:
    """What every legal card of a position is worth."""

    tricks: Mapping[int, int]
    """Of north and south from here on, by card; the trick under way counts."""
    line: tuple[int, ...]
    """Cards of best play by all."""
    nodes: int


class StrainTables:
    """What solvers have proved, kept from one position to the next: a table for each strain that was asked about."""

    def __init__(self) -> None:
        self.tables: dict[int, Any] = {}

    def __getitem__(self, strain: int) -> Any:
        if strain not in self.tables:
            self.tables[strain] = _core.BridgeTable(strain)
        return self.tables[strain]


ALL_NODES = 2**63


class Budget:
    """Nodes that may be searched in all; each question that is asked takes from what is left."""

    def __init__(self, nodes: int = ALL_NODES):
        self.nodes = nodes


def value_worlds(
    deals: Sequence[Hands], tables: StrainTables, strain: int, leader: int, stop: Stop | None = None
) -> list[int]:
    """The tricks of north and south in each of several deals."""
    return _core.bridge_values(deals, tables[strain], leader, [], stop)


def solve_worlds(
    deals: Sequence[Hands],
    tables: StrainTables,
    strain: int,
    leader: int,
    played: Sequence[int],
    window: tuple[int, int],
    stop: Stop | None = None,
    budget: Budget | None = None,
) -> list[list[tuple[int, int]]]:
    """Every legal card with the tricks of north and south from here on, in each of several deals.

    Tricks outside the `window` are told as its nearest end: the narrower it is, the quicker the answer. Once the budget
    is used up no more deals are solved, so that there may be fewer answers than deals.
    """
    budget = budget or Budget()
    found, budget.nodes = _core.bridge_worlds(deals, tables[strain], leader, played, *window, budget.nodes, stop)
    return found


def solve_position(
    hands: Sequence[int], strain: int, leader: int, played: Sequence[int], stop: Stop | None = None
) -> PositionResults:
    """Solves a position: what is left of the hands, who led to the trick under way, and its cards so far."""
    whole = list(hands)
    for i, card in enumerate(played):
        whole[(leader + i) % 4] |= 1 << card
    check_hands(whole)
    try:
        cards, line, nodes = _core.bridge_position(hands, strain, leader, played, stop)
    except ValueError as error:
        raise InputError(str(error)) from None
    return PositionResults(dict(cards), tuple(line), nodes)
