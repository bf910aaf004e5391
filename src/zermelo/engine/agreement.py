"""Whether compiled rules say what Python's rules say, position by position along random games."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.engine.compiled import TERMINAL, CompiledGame
from zermelo.game import CHANCE, Game
from zermelo.game.contract import S

MAX_PLIES = 1_000
"""Of one random game."""


def disagreement(compiled: CompiledGame, games: int, seconds: float, seed: int) -> str:
    """The first difference between compiled and interpreted rules, in one line; empty if none is found."""
    game, dice = compiled.game, random.Random(seed)
    deadline = time.perf_counter() + seconds
    for _ in range(games):
        s = game.initial()
        for _ in range(MAX_PLIES):
            found = difference_at(game, compiled, s)
            if found:
                return f"{found}, in {game.write(s)}"
            if game.is_terminal(s) or time.perf_counter() > deadline:
                break
            s = game.result(s, dice.choice(list(game.actions(s))))
        if time.perf_counter() > deadline:
            break
    return ""


def difference_at(game: Game[S, int], compiled: CompiledGame, s: S) -> str:
    """What the two say differently about `s` and its children; empty if they agree."""
    mover, utilities = compiled.info(s)
    if game.is_terminal(s):
        return differs("utility", utilities if mover == TERMINAL else mover, game.utilities(s))
    actions = list(game.actions(s))
    found = differs("player", mover, game.player(s)) or differs("actions", compiled.actions(s), actions)
    if not found and mover == CHANCE:
        found = differs("chances", compiled.chances(s), [(a, float(p)) for a, p in game.chances(s)])
    for k in range(game.symmetry_count if not found and game.can("symmetric") else 0):
        image = [game.symmetric_action(a, k) for a in actions]
        found = (
            found
            or differs(f"symmetric with {k}", compiled.symmetric(s, k), game.symmetric(s, k), equal)
            or differs(f"symmetric_action with {k}", [compiled.symmetric_action(s, a, k) for a in actions], image)
        )
    for a in actions if not found else []:
        step, child = compiled.step(s, a), game.result(s, a)
        over = game.is_terminal(child)
        expected: Any = game.utilities(child) if over else game.player(child)
        found = (
            differs(f"result of {a}", step.state, child, equal)
            or differs(f"is_terminal after {a}", step.mover == TERMINAL, bool(over))
            or differs(f"what follows {a}", step.utilities if over else step.mover, expected)
        )
        if found:
            break
    return found


def differs(what: str, compiled: Any, interpreted: Any, same: Callable[[Any, Any], bool] | None = None) -> str:
    """The two answers as text where they are not the same."""
    if compiled == interpreted if same is None else same(compiled, interpreted):
        return ""
    return f"`{what}` is {compiled!r:.80} compiled and {interpreted!r:.80} in Python"


def equal(one: Any, other: Any) -> bool:
    """Whether two states are equal, arrays included."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(equal(a, b) for a, b in zip(one, other, strict=True))
    return bool(np.array_equal(one, other))
