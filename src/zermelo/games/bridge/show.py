"""The table as text: the hands that are seen, the auction, the trick, and what is to be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.games._bridge.cards import HAND_NAMES, HANDS, card_name, diagram
from zermelo.games.bridge.auction import call_name
from zermelo.games.bridge.claims import asked_about, say_claim

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge


def show_table(game: Bridge, s: Bridge.State | Bridge.View, hands: Sequence[int | None]) -> str:
    """The hands, the calls in columns, the trick, and what is to be done."""
    lines = [*diagram(hands), ""]
    if s.calls:
        lines += [*auction_lines(s.calls, game.dealer), ""]
    if game.explains and s.calls:
        from zermelo.games.bridge.system import explain

        lines += [*explain(s.calls, game.dealer), ""]
    if s.cards and game.play(s).trick:
        play = game.play(s)
        trick = "  ".join(f"{HANDS[(play.leader + i) % 4]} {card_name(card)}" for i, card in enumerate(play.trick))
        lines.append(f"trick    {trick}")
    return "\n".join([*lines, says(game, s)])


def auction_lines(calls: Sequence[int], dealer: int) -> list[str]:
    """North, east, south and west as columns."""
    cells = [""] * dealer + [call_name(call) for call in calls]
    rows = [HANDS, *(cells[i : i + 4] for i in range(0, len(cells), 4))]
    return ["".join(f"{cell:<5}" for cell in row).rstrip() for row in rows]


def says(game: Bridge, s: Bridge.State | Bridge.View) -> str:
    """The contract, the tricks so far, and who is to call or to play."""
    if game.is_dealing(s):
        return f"{s.dealt} of {4 * game.tricks} cards are dealt"
    vulnerable = "" if game.vulnerable == "none" else f", vulnerable: {game.vulnerable}"
    if game.is_bidding(s):
        return f"dealer {HAND_NAMES[game.dealer]}{vulnerable}, {HAND_NAMES[game.turn(s)]} to call"
    contract = game.contract_of(s)
    if contract is None:
        return "all have passed"
    taken, claim = game.taken(s), game.pending(s)
    tricks = f"{contract}{vulnerable}, NS {taken[0]}, EW {taken[1]}"
    if s.claims and (s.claims[-1].stands or claim):
        tricks += f", {say_claim(s.claims[-1])}"
    if claim:
        asked = asked_about(contract, claim.hand)[len(claim.answers)]
        return f"{tricks}: does {HAND_NAMES[asked]} agree?"
    if not game.is_terminal(s):
        return f"{tricks}, {HAND_NAMES[game.turn(s)]} to play"
    points = game.points(contract, taken[contract.declarer % 2])
    return f"{tricks}: {points if contract.declarer % 2 == 0 else -points:+} for NS"
