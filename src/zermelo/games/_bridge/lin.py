"""Deals in LIN, the format of Bridge Base Online: the commands md (the hands), sv (vulnerable) and ah (a name).

    read_lin(write_lin(boards)) == boards      with four whole hands

A hand is `SAK4HQT9DJ87C6532`; south's comes first, then west's, north's and east's. The last may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zermelo.errors import InputError
from zermelo.games._bridge.cards import (
    RANKS,
    SUIT_BITS,
    SUIT_MASK,
    SUITS,
    VULNERABLE,
    Board,
    called,
    join_suits,
    suit_text,
)

ORDER = (2, 3, 0, 1)
"""The hands of `md`, and the dealers of its digit from 1 on: south, west, north, east."""
MARKS = dict(zip("oneb", VULNERABLE, strict=True))
FULL_DECK = sum(SUIT_MASK << SUIT_BITS * suit for suit in range(4))


def read_lin(text: str) -> list[Board]:
    """The deals of a file; `InputError` names the first that is none."""
    return [read_board(commands, number) for number, commands in enumerate(split_boards(text), 1)]


Commands = list[tuple[str, str]]
"""The commands of a board with their values, as they follow each other."""


def split_boards(text: str) -> list[Commands]:
    """The boards of a file: `qx`, or a second `md`, begins a new one. What has no `md` is left out."""
    parts = [part.strip() for part in text.lstrip("\ufeff").split("|")]
    boards: list[Commands] = [[]]
    for name, value in zip(parts[::2], parts[1::2], strict=False):
        command = name.casefold()
        if command == "qx" or (command == "md" and any(each == "md" for each, _ in boards[-1])):
            boards.append([])
        boards[-1].append((command, value))
    return [board for board in boards if any(command == "md" and value for command, value in board)]


def read_board(commands: Commands, number: int) -> Board:
    """The deal of a board, the `number`-th of its file."""
    said = dict(commands)
    mark = said.get("sv", "").casefold()[:1] or "o"
    if mark not in MARKS and mark != "0":
        raise InputError(f"sv is {said['sv']!r:.20}, not who is vulnerable: write o, n, e or b")
    return _board(said["md"], MARKS.get(mark, "none"), said.get("ah", ""), number)


def _board(dealt: str, vulnerable: str, name: str, number: int) -> Board:
    where = called(name, "deal", number)
    found = re.fullmatch(r"([1-4])?(.*)", dealt, re.DOTALL)
    assert found is not None
    hands = [0, 0, 0, 0]
    texts = [text for text in found[2].split(",") if text.strip()]
    if len(texts) not in (3, 4):
        raise InputError(f"{where}: md has three hands or four, not {len(texts)}")
    try:
        for place, text in zip(ORDER, texts, strict=False):
            hands[place] = _read_hand(text.strip())
        if len(texts) == 3:
            held = hands[0] | hands[2] | hands[3]
            if held.bit_count() == 3 * len(RANKS):
                hands[1] = FULL_DECK & ~held
        north, east, south, west = hands
        return Board((north, east, south, west), ORDER[int(found[1] or 3) - 1], vulnerable, name)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _read_hand(text: str) -> int:
    plain = text.upper().replace("10", "T")
    found = re.fullmatch(r"(?:S([^SHDC]*))?(?:H([^SHDC]*))?(?:D([^SHDC]*))?(?:C([^SHDC]*))?", plain)
    if found is None:
        raise InputError(f"{text!r:.40} is not a hand: write it as in SAK4HQT9DJ87C6532")
    return join_suits([suit or "" for suit in found.groups()], text)


def write_lin(boards: Iterable[Board]) -> str:
    """A file with these deals."""
    return "".join(f"{write_board(board, number)}\n" for number, board in enumerate(boards, 1))


def write_board(board: Board, number: int, players: str = "") -> str:
    """The commands of a deal; `players` are names with commas between them, from south on."""
    marks = {vulnerable: mark for mark, vulnerable in MARKS.items()}
    hands = ",".join("".join(SUITS[suit] + suit_text(board.hands[h], suit) for suit in range(4)) for h in ORDER)
    names = (f"pn|{players}|" if players else "", f"ah|{board.name}|" if board.name else "")
    dealt = f"md|{ORDER.index(board.dealer) + 1}{hands}|"
    return f"qx|o{number}|{names[0]}{dealt}{names[1]}sv|{marks[board.vulnerable]}|"
