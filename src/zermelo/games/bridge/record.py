"""Games of `Bridge` as boards of a file, and the other way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.errors import InputError
from zermelo.games._bridge.cards import HANDS
from zermelo.games.bridge.boards import PlayedBoard
from zermelo.games.bridge.pbn import read_played

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge


def played_board(game: Bridge, start: Bridge.State, actions: Sequence[int], players: Sequence[str]) -> PlayedBoard:
    """The board after these actions; all cards have to be dealt by then."""
    s = start
    for a in actions:
        s = game.result(s, a)
    if game.is_dealing(s):
        raise InputError(f"PBN holds whole deals, and {s.dealt} of {4 * game.tricks} cards are dealt")
    north, east, south, west = players
    return PlayedBoard(game.board_of(s), s.calls, s.cards, (north, east, south, west), game.contract)


def read_game(game: Bridge, text: str) -> tuple[Bridge.State, list[int]] | None:
    """Where the first board of a file begins for `game`, and its actions; `None` if there is no board in it."""
    boards = read_played(text)
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
        raise InputError(f"the file needs other options: bridge:{','.join(differing)}")
    if game.deal and game.deal.hands != board.hands:
        raise InputError(f"the file has another deal: bridge:deal={board.text()}")
    dealt = [] if game.deal else [next(h for h in range(4) if board.hands[h] >> card & 1) for card in game.deck]
    return game.initial(), [*dealt, *played.calls, *played.cards]
