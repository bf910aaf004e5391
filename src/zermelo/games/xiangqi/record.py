"""Games of Chinese chess as its programs exchange them: PGN with the tags `Game`, `Red` and `Format`, moves in ICCS."""

from __future__ import annotations

import re
from collections.abc import Sequence

MOVES_A_LINE = 5
"""Of each player."""


def write_game(
    moves: Sequence[str],
    players: Sequence[str],
    utilities: Sequence[float] | None,
    position: str | None = None,
    turn: int = 0,
) -> str:
    """The text of a file; `position` is where the game began, if not at the usual start, and `turn` who began."""
    result = "*" if utilities is None else {1: "1-0", -1: "0-1", 0: "1/2-1/2"}[_sign(utilities[0] - utilities[1])]
    tags = {"Game": "Chinese Chess", "Red": players[0], "Black": players[1], "Result": result}
    if position is not None:
        tags["FEN"] = position
    head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in {**tags, "Format": "ICCS"}.items())
    words = [f"{i // 2 + 1}. {move}" if i % 2 == 0 else move for i, move in enumerate(moves, turn)]
    if turn and words:
        words[0] = f"1... {words[0]}"
    pieces = [*words, result]
    lines = [" ".join(pieces[i : i + 2 * MOVES_A_LINE]) for i in range(0, len(pieces), 2 * MOVES_A_LINE)]
    return "\n".join([head, *lines]) + "\n"


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _quoted(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(text.split()))
