"""The numbers that a game promises, checked where they are met: fair probabilities, and utilities within bounds."""

from __future__ import annotations

import math
from typing import Any

from zermelo.errors import ContractError
from zermelo.game.contract import Game


def fair_chances(game: Game, s: Any) -> list[tuple[Any, float]]:
    """What chance can do in `s`, with the probabilities: none below 0, and 1 in all."""
    found = [(a, float(p)) for a, p in game.chances(s)]
    total = math.fsum(p for _, p in found)
    if not abs(total - 1) < 1e-6 or any(p < 0 for _, p in found):
        wrong = "are negative" if abs(total - 1) < 1e-6 else f"do not add up to 1 but to {total:g}"
        raise ContractError(f"the probabilities in {game.write(s)} {wrong}: run `zermelo check` on the game")
    return found


def end_utilities(game: Game, s: Any) -> tuple[float, ...]:
    """What the end `s` is worth to each player: finite, and within the game's bounds."""
    low, high = game.bounds
    found = tuple(game.utilities(s))
    for utility in found:
        if not math.isfinite(utility):
            raise ContractError(f"an end of {game.name} is worth {utility}, which is no utility: {game.write(s)}")
        if not low <= utility <= high:
            raise ContractError(
                f"an end of {game.name} is worth {utility:g}, outside its bounds ({low:g}, {high:g}): "
                f"widen `bounds` in the class"
            )
    return found
