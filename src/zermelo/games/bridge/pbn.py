"""Whole boards in PBN: beside the deal the players, Declarer, Contract and Result, the auction and the play.

    read_played(write_played(boards)) == boards

In the play each row is a trick, and each column a hand, the first that of the opening leader; `-` is no card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from zermelo.errors import InputError
from zermelo.games._bridge.cards import HANDS, called, card_name, read_card
from zermelo.games._bridge.pbn import HEAD, board_tags, read_board, split_games, write_tags
from zermelo.games.bridge.auction import (
    DOUBLED,
    PASS,
    Calls,
    Contract,
    call_name,
    hear,
    hear_checked,
    read_call,
    read_contract,
)
from zermelo.games.bridge.boards import PlayedBoard
from zermelo.games.bridge.tricks import follow

NAMES = ("North", "East", "South", "West")
ALL_PASS = "AP"
MOST_TEXTS = 56
"""Of a play that are read: a trick more than there can be is enough to be refused."""
NO_MEANING = re.compile(r"=\d+=|\$\d+|[!?]+|\+")
"""Notes, comments and marks among calls and cards."""


def read_played(text: str) -> list[PlayedBoard]:
    """The boards of a file; `InputError` names the first that is broken, and what is."""
    boards = []
    for number, (tags, words) in enumerate(split_games(text), 1):
        if tags.get("Deal"):
            board = read_board(tags, number)
            try:
                calls = _read_auction(tags, words.get("Auction", []), board.dealer)
                said = _read_contract(tags)
                auction = hear_checked(calls, board.dealer)
                contract = auction.contract if auction.is_over else None if calls else said
                cards = _read_play(tags, words.get("Play", []), contract)
                north, east, south, west = (tags.get(name, "") for name in NAMES)
                claimed = _read_result(tags) if len(cards) < 4 * board.tricks and contract else None
                played = PlayedBoard(board, calls, cards, (north, east, south, west), said, claimed)
                boards.append(replace(played, said=None) if calls else played)
            except InputError as error:
                where = called(f"board {board.name}" if board.name else "", "board", number)
                raise InputError(f"{where}: {error}") from None
    return boards


def _read_auction(tags: Mapping[str, str], words: Sequence[str], dealer: int) -> Calls:
    first = tags.get("Auction", "").upper()
    if first and first != HANDS[dealer]:
        raise InputError(f"the auction begins with {first!r:.12}, and the dealer is {HANDS[dealer]}")
    calls: list[int] = []
    for word in words:
        text = NO_MEANING.sub("", word)
        if word.upper() == ALL_PASS:
            while not hear_checked(calls, dealer).is_over:
                calls.append(PASS)
        elif text and text not in "*-":
            calls.append(read_call(text))
    return tuple(calls)


def _read_contract(tags: Mapping[str, str]) -> Contract | None:
    contract, declarer = tags.get("Contract", ""), tags.get("Declarer", "").lstrip("^")
    if not contract or contract.upper() == "PASS" or contract in "?-" or not declarer or declarer == "?":
        return None
    return read_contract(f"{contract}-{declarer}")


def _read_result(tags: Mapping[str, str]) -> int | None:
    result = tags.get("Result", "").lstrip("^")
    if not result or not result[0].isdigit():
        return None
    if not result.isdecimal() or int(result) > 13:
        raise InputError(f"the result is the number of the declarer's tricks, not {result!r:.20}")
    return int(result)


def _read_play(tags: Mapping[str, str], words: Sequence[str], contract: Contract | None) -> tuple[int, ...]:
    """The cards in the order in which they were played."""
    texts = [text for word in words if (text := NO_MEANING.sub("", word)) and text != "*"]
    if not any(text != "-" for text in texts):
        return ()
    if contract is None:
        raise InputError("cards are played, and there is no contract: the auction is not over, or all passed")
    leader = (contract.declarer + 1) % 4
    first = tags.get("Play", "").upper()
    if first != HANDS[leader]:
        raise InputError(f"{HANDS[leader]} leads against {contract}, and the play begins with {first!r:.10}")
    cards: list[int] = []
    for start in range(0, min(len(texts), MOST_TEXTS), 4):
        row = texts[start : start + 4]
        for _ in range(4):
            turn = follow(tuple(cards), leader, contract.trumps).turn
            place = (turn - leader) % 4
            if place >= len(row) or row[place] == "-":
                return tuple(cards)
            cards.append(read_card(row[place]))
    return tuple(cards)


def write_played(boards: Iterable[PlayedBoard], scoring: str = "") -> str:
    """A file with these boards; `scoring` names another way than that of single boards, as `Rubber`."""
    return HEAD + "\n".join(write_game(played, scoring) for played in boards)


def write_game(played: PlayedBoard, scoring: str = "") -> str:
    """The tags, the auction and the play of one board."""
    contract, dealer = played.contract, played.board.dealer
    tags = dict(zip(NAMES, played.players, strict=True)) if any(played.players) else {}
    tags = {name: value.replace('"', "'") for name, value in tags.items()}
    tags = {**tags, **board_tags(played.board)}
    if scoring:
        tags["Scoring"] = scoring
    if contract:
        tags["Declarer"] = HANDS[contract.declarer]
        tags["Contract"] = f"{contract.level}{contract.strain}{DOUBLED[contract.doubled]}"
        tags["Result"] = "" if played.tricks is None else str(played.tricks)
    elif played.score == 0:
        tags |= {"Declarer": "", "Contract": "Pass", "Result": ""}
    text = write_tags(tags)
    if played.calls:
        calls = ["Pass" if call == PASS else call_name(call) for call in played.calls]
        text += f'[Auction "{HANDS[dealer]}"]\n{_rows(calls)}'
        text += "" if hear(played.calls, dealer).is_over else "*\n"
    if contract and played.cards:
        text += f'[Play "{HANDS[(contract.declarer + 1) % 4]}"]\n{_rows(_columns(played, contract))}'
        text += "" if len(played.cards) == 4 * played.board.tricks else "*\n"
    return text


def _columns(played: PlayedBoard, contract: Contract) -> list[str]:
    """The cards row by row, each in the column of its hand."""
    leader = (contract.declarer + 1) % 4
    rows = ["-"] * (-(-len(played.cards) // 4) * 4)
    for i, card in enumerate(played.cards):
        turn = follow(played.cards[:i], leader, contract.trumps).turn
        rows[i // 4 * 4 + (turn - leader) % 4] = card_name(card)
    return rows


def _rows(words: Sequence[str]) -> str:
    return "".join(" ".join(words[i : i + 4]) + "\n" for i in range(0, len(words), 4))
