"""Deals in PBN (Portable Bridge Notation): the tags Board, Dealer, Vulnerable and Deal.

read_pbn(write_pbn(boards)) == boards
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from zermelo.errors import InputError
from zermelo.games.double_dummy.cards import HANDS, VULNERABLE, Board, read_deal

TAG = re.compile(r'\[\s*(\w+)\s+"([^"]*)"\s*\]')
SAID = {"none": "none", "love": "none", "-": "none", "ns": "NS", "ew": "EW", "all": "both", "both": "both"}
WRITTEN = dict(zip(VULNERABLE, ("None", "NS", "EW", "All"), strict=True))


def read_pbn(text: str) -> list[Board]:
    """The deals of a file; `InputError` names the first that is none. Games without a deal are left out."""
    plain = re.sub(r"\{[^}]*\}", " ", re.sub(r"^%.*$|;[^\n\"]*$", "", text.lstrip("\ufeff"), flags=re.MULTILINE))
    records: list[dict[str, str]] = [{}]
    before: dict[str, str] = {}
    for name, value in TAG.findall(plain):
        if name in records[-1]:
            before = records[-1]
            records.append({})
        records[-1][name] = before.get(name, "") if value == "#" else value
    return [_board(record, number) for number, record in enumerate(records, 1) if record.get("Deal")]


def _board(tags: Mapping[str, str], number: int) -> Board:
    name = tags.get("Board", "")
    where = f"board {name or number}"
    dealer, vulnerable = tags.get("Dealer", "").upper() or "N", tags.get("Vulnerable", "").casefold() or "none"
    if dealer not in HANDS:
        raise InputError(f"{where}: the dealer is N, E, S or W, not {dealer!r:.20}")
    if vulnerable not in SAID:
        raise InputError(f"{where}: vulnerable is None, NS, EW or All, not {vulnerable!r:.20}")
    try:
        hands = read_deal(tags["Deal"])
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return Board(hands, HANDS.index(dealer), SAID[vulnerable], name)


def write_pbn(boards: Iterable[Board]) -> str:
    """A file with these deals."""
    games = []
    for board in boards:
        tags = {"Board": board.name} if board.name else {}
        tags |= {"Dealer": HANDS[board.dealer], "Vulnerable": WRITTEN[board.vulnerable]}
        tags["Deal"] = board.text(board.dealer)
        games.append("".join(f'[{name} "{value}"]\n' for name, value in tags.items()))
    return "% PBN 2.1\n" + "\n".join(games)
