"""GNU Backgammon's side of the scripts about backgammon: runs in its environment, answers lines of JSON with others.

{"what": "best", "boards": [[…50 counts…], …], "dice": [[3, 1], …], "plies": 0}  →  {"boards": […]}
{"what": "plays", "boards": …, "dice": …}                                          →  {"plays": [[[…], …], …]}
{"what": "chances", "boards": …, "plies": 1}                                       →  {"chances": [[…five…], …]}

Boards are seen by the player on roll before a play, and by the other after it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import gnubg_nn


def split(board: list[int]) -> list[list[int]]:
    return [board[25:], board[:25]]


def board_of(key: str, turned: bool) -> list[int]:
    """The board behind a key, for the player whom it calls its own or for the other."""
    other, own = gnubg_nn.board_from_position_key(key)
    return [*other, *own] if turned else [*own, *other]


def best(boards: list[list[int]], dice: list[list[int]], plies: int) -> dict[str, Any]:
    found = []
    for board, (first, second) in zip(boards, dice, strict=True):
        chosen = gnubg_nn.best_move(split(board), first, second, plies, b"X", 1)
        found.append(board_of(chosen[1], False) if chosen[0] else [*board[25:], *board[:25]])
    return {"boards": found}


def plays(boards: list[list[int]], dice: list[list[int]]) -> dict[str, Any]:
    pairs = zip(boards, dice, strict=True)
    return {"plays": [[board_of(key, True) for key in gnubg_nn.moves(split(board), *roll)] for board, roll in pairs]}


def chances(boards: list[list[int]], plies: int) -> dict[str, Any]:
    return {"chances": [list(gnubg_nn.probabilities(split(board), plies)) for board in boards]}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        print(
            json.dumps({"best": best, "plays": plays, "chances": chances}[request.pop("what")](**request)), flush=True
        )


if __name__ == "__main__":
    main()
