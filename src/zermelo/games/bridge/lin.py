"""Whole boards in LIN: beside the deal pn (players, from south on), mb (calls), pc (cards), mc (a claim).

read_played(write_played(boards)) == boards      with four whole hands and an auction
"""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.errors import InputError
from zermelo.games._bridge.cards import called, card_name, read_card
from zermelo.games._bridge.lin import ORDER, Commands, read_board, split_boards, write_board
from zermelo.games.bridge.auction import DOUBLE, PASS, REDOUBLE, call_name, read_call
from zermelo.games.bridge.boards import NOBODY, PlayedBoard

SHORT = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}


def read_played(text: str) -> list[PlayedBoard]:
    """The boards of a file; `InputError` names the first that is broken, and what is."""
    boards = []
    for number, commands in enumerate(split_boards(text), 1):
        board = read_board(commands, number)
        try:
            calls = tuple(read_call(value.rstrip("!")) for command, value in commands if command == "mb" and value)
            cards = tuple(read_card(value) for command, value in commands if command == "pc" and value)
            claim = dict(commands).get("mc", "")
            if claim and (not claim.isdecimal() or int(claim) > board.tricks):
                raise InputError(f"mc is the number of the declarer's tricks, not {claim!r:.20}")
            claimed = int(claim) if claim and len(cards) < 4 * board.tricks else None
            boards.append(PlayedBoard(board, calls, cards, _names(commands), None, claimed))
        except InputError as error:
            raise InputError(f"{called(board.name, 'deal', number)}: {error}") from None
    return boards


def _names(commands: Commands) -> tuple[str, str, str, str]:
    """The players from north on."""
    given = dict(commands).get("pn", "").split(",")
    names = dict(zip(ORDER, [name.strip() for name in given], strict=False))
    north, east, south, west = (names.get(hand, nobody) for hand, nobody in enumerate(NOBODY))
    return north, east, south, west


def write_played(boards: Iterable[PlayedBoard]) -> str:
    """A file with these boards; `InputError` if one has a contract without an auction, which LIN cannot say."""
    return "".join(f"{_write(played, number)}\n" for number, played in enumerate(boards, 1))


def _write(played: PlayedBoard, number: int) -> str:
    if played.said and not played.calls:
        raise InputError(f"board {number}: LIN needs the auction that led to {played.said}; write PBN")
    names = ",".join(played.players[hand].replace(",", " ").replace("|", " ") for hand in ORDER)
    text = write_board(played.board, number, names if any(played.players) else "")
    text += "".join(f"mb|{SHORT.get(call) or call_name(call).replace('NT', 'N')}|" for call in played.calls)
    text += "".join(f"pc|{card_name(card)}|" for card in played.cards)
    return text + ("" if played.claimed is None else f"mc|{played.claimed}|")
