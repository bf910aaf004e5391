"""The 960 starts of Chess960 by Scharnagl's numbers; 518 is that of chess."""

from __future__ import annotations

from itertools import combinations

KNIGHTS = list(combinations(range(5), 2))


def back_rank(number: int) -> str:
    """White's pieces from a1 to h1 in start `number`, whose digits say where bishops, queen and knights stand."""
    files = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    files[2 * light + 1] = files[2 * dark] = "B"
    knights, queen = divmod(number, 6)
    files[_free(files)[queen]] = "Q"
    free = _free(files)
    for place in KNIGHTS[knights]:
        files[free[place]] = "N"
    for piece, file in zip("RKR", _free(files), strict=True):
        files[file] = piece
    return "".join(files)


def start_fen(number: int) -> str:
    rank = back_rank(number)
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"


def _free(files: list[str]) -> list[int]:
    return [file for file, piece in enumerate(files) if not piece]
