"""What every card, and every claim, is worth with all cards seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo.errors import MethodError
from zermelo.game.contract import Proof
from zermelo.games._bridge.solver import solve_position
from zermelo.games.bridge.claims import CLAIM

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge


def prove(game: Bridge, s: Bridge.State, stop: Callable[[], bool] | None = None) -> Proof[int]:
    """The points of the player to move after each card; a claim of too many tricks is refused, and changes nothing."""
    contract = None if game.is_dealing(s) or game.is_bidding(s) or game.pending(s) else game.contract_of(s)
    if contract is None:
        raise MethodError("the solver of bridge solves the play: nobody is to play a card here")
    play, left = game.play(s), game.left(s)
    side = play.turn % 2
    found = solve_position(s.hands, contract.trumps, play.leader, play.trick, stop)

    def points(own: int) -> float:
        """Of the side to move, if it takes so many of the tricks that are left."""
        total = play.taken[side] + own
        declared = total if side == contract.declarer % 2 else game.tricks - total
        worth = game.points(contract, declared)
        return float(worth if side == contract.declarer % 2 else -worth)

    own = {card: tricks if side == 0 else left - tricks for card, tricks in found.tricks.items()}
    values = {card: points(tricks) for card, tricks in own.items()}
    if game.can_claim(s):
        values |= {CLAIM + tricks: points(min(tricks, max(own.values()))) for tricks in range(left + 1)}
    return Proof(values, found.line, found.nodes)


def say_worth(game: Bridge, s: Bridge.State, value: float) -> str:
    """`10 tricks, made`, for the points of the player to move."""
    contract = game.contract_of(s)
    if contract is None or game.is_dealing(s):
        return f"{value:+g}"
    sign = 1 if game.acting(s) % 2 == contract.declarer % 2 else -1
    tricks = next((n for n in range(game.tricks + 1) if game.points(contract, n) == sign * value), None)
    if tricks is None:
        return f"{value:+g}"
    over = tricks - contract.level - game.book
    return f"{tricks} tricks, {f'{-over} down' if over < 0 else f'made with {over} over' if over else 'made'}"
