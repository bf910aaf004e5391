"""What the engine does for a game that cannot be compiled: the same answers, at the speed of Python."""

from __future__ import annotations

import sys
import time
import warnings
from typing import TYPE_CHECKING

from zermelo.errors import CompileError, RefusedError
from zermelo.game.contract import A, Game, S

if TYPE_CHECKING:
    from zermelo.engine.compiled import CompiledGame, Perft


class InterpretedWarning(UserWarning):
    """A game could not be compiled, so that the engine runs it in Python: the same answers, a hundred times slower."""


def compile_or_none(game: Game[S]) -> CompiledGame[S] | None:
    """`game` compiled; `None`, after an `InterpretedWarning`, if that is not possible."""
    from zermelo.engine.compiled import compile_game

    try:
        return compile_game(game)
    except CompileError as error:
        warn_interpreted(error)
        return None


def compile_with_views(game: Game[S]) -> CompiledGame[S] | None:
    """As `compile_or_none`, for searches that need the players' views, which a compiled game may lack."""
    compiled = compile_or_none(game)
    if compiled is None or compiled.sees:
        return compiled
    warn_interpreted(compiled.code.refused["view_key"])
    return None


def give_up(compiled: CompiledGame[S], error: RefusedError) -> None:
    """Goes on without `compiled`, whose rules met a number that they cannot hold; says so once."""
    compiled.code.refusals.append(str(error))
    warn_interpreted(error)


def warn_interpreted(why: object) -> None:
    """Warns, at the line that called the package, that a game runs interpreted."""
    warnings.warn(f"{why}. It runs interpreted until then.", InterpretedWarning, stacklevel=_level_outside())


def _level_outside() -> int:
    """Returns the stack level of the package's caller, as `warnings` counts from the function that calls this."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "zermelo":
        frame, level = frame.f_back, level + 1
    return level


def perft(game: Game[S, A], state: S | None = None, depth: int = 1, threads: int = 1) -> Perft:
    """The number of positions `depth` plies below `state` (the initial one if `None`), compiled where possible."""
    compiled = compile_or_none(game)
    state = game.initial() if state is None else state
    if compiled is not None:
        try:
            return compiled.perft(state, depth, threads)
        except RefusedError as error:
            give_up(compiled, error)
    return interpreted_perft(game, state, depth)


def interpreted_perft(game: Game[S, A], state: S, depth: int) -> Perft:
    """`CompiledGame.perft` in Python: its specification."""
    from zermelo.engine.compiled import Perft

    start = time.perf_counter()
    leaves = ended = positions = 0
    pending = [(state, depth)]
    while pending:
        s, left = pending.pop()
        over = game.is_terminal(s)
        positions += 1
        leaves += left == 0
        ended += over
        if left > 0 and not over:
            pending.extend((game.result(s, a), left - 1) for a in game.actions(s))
    return Perft(leaves, ended, positions, time.perf_counter() - start)
