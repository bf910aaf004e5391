"""Judgement by double-dummy solved deals: which call scores best, and which card makes the contract most often.

Bidding: for every call that the system allows, the auction goes on by the system in each of some deals that fit what
was heard, and the final contract scores what it makes with open cards. Play: in each deal every card is solved
(perfect-information Monte Carlo); the card is taken that makes, or beats, the contract in most deals, then by tricks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from zermelo.games._bridge.cards import SUIT_BITS, Hands
from zermelo.games._bridge.solver import Budget, StrainTables, solve_worlds, value_worlds
from zermelo.games.bridge.auction import Calls, Contract, hear
from zermelo.games.bridge.system import allowed

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge

CARD_NODES = 1_500_000
"""For one card: half a second or so. A number of nodes, so that the choice does not depend on the machine's speed."""
TRICK_WORLDS = 8
"""Deals in which cards are compared by tricks, if they make the contract equally often."""


def call_scores(
    game: Bridge, view: Bridge.View, p: int, calls: Sequence[int], worlds: Sequence[Hands], tables: StrainTables
) -> list[float]:
    """What each call scores for the side of `p`, on average."""
    ends: dict[tuple[int, int], list[tuple[int, Hands, Contract]]] = defaultdict(list)
    for place, call in enumerate(calls):
        for world in worlds:
            contract = go_on(game, (*view.calls, call), world)
            if contract:
                ends[contract.trumps, contract.declarer].append((place, world, contract))
    totals = [0.0] * len(calls)
    for (trumps, declarer), each in ends.items():
        deals = list(dict.fromkeys(world for _, world, _ in each))
        found = dict(zip(deals, value_worlds(deals, tables, trumps, (declarer + 1) % 4), strict=True))
        for place, world, contract in each:
            tricks = found[world] if declarer % 2 == 0 else game.tricks - found[world]
            points = game.points(contract, tricks)
            totals[place] += points if declarer % 2 == p % 2 else -points
    return [total / len(worlds) for total in totals]


def go_on(game: Bridge, calls: Calls, hands: Hands) -> Contract | None:
    """The contract, if from here on all call by the system."""
    auction = hear(calls, game.dealer)
    while not auction.is_over:
        expected = allowed(calls, game.dealer, hands[auction.turn])[0]
        calls = (*calls, expected)
        auction = hear(calls, game.dealer)
    return auction.contract


def card_verdicts(
    game: Bridge, view: Bridge.View, worlds: Sequence[Hands], tables: StrainTables, nodes: int = CARD_NODES
) -> dict[int, tuple[float, float]]:
    """Of every legal card: in which share of the deals the declarer makes the contract, and its tricks from here on.

    Tricks are told only of cards that are first by contracts, and are 0 for all others. After so many nodes the deals
    that have been solved decide; it is empty if there is none.
    """
    budget = Budget(nodes)
    contract, play = game.contract_of(view), game.play(view)
    assert contract is not None
    left = game.tricks - sum(play.taken)
    wanted = contract.level + game.book - play.taken[contract.declarer % 2]
    most = wanted if contract.declarer % 2 == 0 else left - wanted + 1
    made = _averages(game, view, worlds, tables, (most - 1, most), budget, lambda tricks: float(tricks >= wanted))
    if not made:
        return {}
    best = max(made.values()) if play.turn % 2 == contract.declarer % 2 else min(made.values())
    taken = dict.fromkeys(made, 0.0)
    first = [card for card in made if made[card] == best]
    if len(first) > 1:
        tricks = _averages(game, view, worlds[:TRICK_WORLDS], tables, (0, left), budget, float)
        taken |= {card: tricks[card] for card in first if tricks}
    return {card: (share, taken[card]) for card, share in made.items()}


def _averages(
    game: Bridge,
    view: Bridge.View,
    worlds: Sequence[Hands],
    tables: StrainTables,
    window: tuple[int, int],
    budget: Budget,
    measure: Callable[[int], float],
) -> dict[int, float]:
    """What each card is worth on average; `measure` is told the declarer's tricks from here on.

    The window is of the tricks of north and south. Deals that come several times are solved once, those that come most
    often first; those for which there are no nodes left do not count.
    """
    contract, play = game.contract_of(view), game.play(view)
    assert contract is not None
    left = game.tricks - sum(play.taken)
    counts = Counter(worlds).most_common()
    sums: dict[int, float] = defaultdict(float)
    deals = [deal for deal, _ in counts]
    solved = solve_worlds(deals, tables, contract.trumps, play.leader, play.trick, window, budget=budget)
    for (_, times), cards in zip(counts, solved, strict=False):
        for card, tricks in cards:
            sums[card] += times * measure(tricks if contract.declarer % 2 == 0 else left - tricks)
    decided = sum(times for _, times in counts[: len(solved)])
    return {card: total / decided for card, total in sums.items()}


def best_card(game: Bridge, view: Bridge.View, verdicts: Mapping[int, tuple[float, float]], preferred: int) -> int:
    """The card that makes, or beats, the contract most often; `preferred` among equal ones, else the lowest."""
    if not verdicts:
        return preferred
    contract = game.contract_of(view)
    assert contract is not None
    sign = 1 if game.play(view).turn % 2 == contract.declarer % 2 else -1
    best = max((sign * share, sign * tricks) for share, tricks in verdicts.values())
    equal = [card for card, (share, tricks) in verdicts.items() if (sign * share, sign * tricks) == best]
    return preferred if preferred in equal else min(equal, key=lambda card: card % SUIT_BITS)
