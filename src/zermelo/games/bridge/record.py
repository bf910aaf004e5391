"""Games of `Bridge` as boards of a file, and the other way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.errors import InputError, OtherOptionsError
from zermelo.games._bridge.cards import HANDS
from zermelo.games.bridge.boards import PlayedBoard
from zermelo.games.bridge.claims import AGREE, CLAIM
from zermelo.games.bridge.lin import read_played as read_lin
from zermelo.games.bridge.pbn import read_played

LIN = re.compile(r"\ufeff?\s*[a-zA-Z]{2}\|")
"""How a file in LIN begins: with a command."""

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge


def played_board(game: Bridge, start: Bridge.State, actions: Sequence[int], players: Sequence[str]) -> PlayedBoard:
    """The board after these actions; all cards have to be dealt by then."""
    s = start
    for a in actions:
        s = game.result(s, a)
    return board_at(game, s, players)


def board_at(game: Bridge, s: Bridge.State, players: Sequence[str]) -> PlayedBoard:
    """The board as far as it has come in `s`."""
    if game.is_dealing(s):
        raise InputError(f"PBN holds whole deals, and {s.dealt} of {4 * game.tricks} cards are dealt")
    north, east, south, west = players
    contract = game.contract_of(s)
    claimed = contract and s.claims and s.claims[-1].stands
    tricks = game.taken(s)[contract.declarer % 2] if contract and claimed else None
    return PlayedBoard(game.board_of(s), s.calls, s.cards, (north, east, south, west), game.contract, tricks)


def read_boards(text: str) -> list[PlayedBoard]:
    """The boards of a file in PBN or LIN."""
    return read_lin(text) if LIN.match(text) else read_played(text)


def read_game(game: Bridge, text: str) -> tuple[Bridge.State, list[int]] | None:
    """Where the first board of a file begins for `game`, and its actions; `None` if there is no board in it."""
    boards = read_boards(text)
    if not boards:
        return None
    played = boards[0]
    board = played.board
    wanted = {"dealer": HANDS[board.dealer], "vulnerable": board.vulnerable, "ranks": str(board.tricks)}
    given = {"dealer": HANDS[game.dealer], "vulnerable": game.vulnerable, "ranks": str(game.tricks)}
    if game.contract != played.said:
        wanted["contract"], given["contract"] = str(played.said or "''"), str(game.contract or "''")
    differing = [f"{name}={value}" for name, value in wanted.items() if given[name] != value]
    if differing:
        raise OtherOptionsError("bridge", ",".join(differing))
    if game.deal and game.deal.hands != board.hands:
        raise InputError(f"the file has another deal: bridge:deal={board.text()}")
    return game.initial(), actions_of(game, played)


def actions_of(game: Bridge, played: PlayedBoard) -> list[int]:
    """The deal, unless it is the game's own, the calls, the cards, and the claim, where the game knows claims."""
    hands = played.board.hands
    dealt = [] if game.deal else [next(h for h in range(4) if hands[h] >> card & 1) for card in game.deck]
    actions = [*dealt, *played.calls, *played.cards]
    return actions + (claim_of(game, played, actions) if game.claims else [])


def claim_of(game: Bridge, played: PlayedBoard, actions: Sequence[int]) -> list[int]:
    """The claim with which a play ended early, and that it was agreed to; who made it is whoever was to play."""
    contract, tricks = played.contract, played.claimed
    if contract is None or tricks is None or not played.cards:
        return []
    s = game.initial()
    for a in actions:
        s = game.result(s, a)
    own = tricks - game.taken(s)[contract.declarer % 2]
    claim = CLAIM + (own if game.turn(s) % 2 == contract.declarer % 2 else game.left(s) - own)
    claimed = game.result(s, claim)
    return [claim] if claimed.claims[-1].sure else [claim, *[AGREE] * claimed.claims[-1].asked]
