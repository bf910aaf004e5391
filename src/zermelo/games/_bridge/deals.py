"""The deal that the options of a game name."""

from __future__ import annotations

import re
from pathlib import Path

from zermelo.errors import InputError, OptionError
from zermelo.games._bridge.cards import Board, random_deal, read_deal


def find_board(deal: str, number: int, ranks: int, seed: int, dealer: int, vulnerable: str) -> Board:
    """The deal that the options name: its text, one of a file, or one at random."""
    if not deal:
        return Board(random_deal(ranks, seed), dealer, vulnerable)
    if re.match(r"\s*[NESWnesw]\s*:", deal):
        try:
            return Board(read_deal(deal), dealer, vulnerable)
        except InputError as error:
            raise OptionError(f"deal: {error}") from None
    boards = read_boards(Path(deal))
    if number > len(boards):
        raise OptionError(f"{deal} has {len(boards)} deals, so there is no board={number}")
    return boards[number - 1]


def read_boards(path: Path) -> list[Board]:
    """The deals of a file in PBN or LIN, as its name says."""
    from zermelo.games._bridge.lin import read_lin
    from zermelo.games._bridge.pbn import read_pbn

    readers = {".pbn": read_pbn, ".lin": read_lin}
    if path.suffix.lower() not in readers:
        raise OptionError(
            f"{str(path)!r:.80} is neither a deal nor a file of deals: write N: and four hands, "
            "or the name of a .pbn or .lin file"
        )
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror or error}") from None
    boards = readers[path.suffix.lower()](text)
    if not boards:
        raise OptionError(f"{path} has no deal")
    return boards
