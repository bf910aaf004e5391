"""The best search there is for a game: the engine where it applies, the textbook's where it does not.

The engine serves every game without hidden information whose rules compile; of those with a rule of repetition only the
games of one or two players without dice. Options that only the textbook has (a trace, a cut-off of one's own, …) ask
for the textbook. A game that says so (`simulation`) is searched by Monte Carlo, and so is one that hides something and
says what that may be (`sample`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

from zermelo.analysis import Analysis
from zermelo.engine.interpreted import compile_or_none
from zermelo.game import Game
from zermelo.game.aima import AimaGame
from zermelo.game.validation import validate
from zermelo.search.choose import require_proof
from zermelo.search.choose import search as textbook_search
from zermelo.search.choose import solve as textbook_solve

if TYPE_CHECKING:
    from zermelo.engine.engine import Engine
    from zermelo.engine.solution import Solution

LIMITS = {"depth", "nodes", "seconds"}
ENGINE_OPTIONS = LIMITS | {"stop", "history", "quick", "lines"}
FORWARD = {"width", "root_width", "root_margin", "samples", "seed", "stride"}
"""What the engine for dice and many players takes besides: how to leave out actions and outcomes."""
SIMULATION_OPTIONS = {"nodes", "seconds", "stop", "history"}
SOLVING_TABLE_MB = 256


def search(game: Game, state: Any = None, *, threads: int = 1, table_mb: int = 64, **options: Any) -> Analysis:
    """The best action in `state` that can be found within the limits; for one second if none is given.

    Beside `depth`, `nodes` and `seconds` it takes `threads` and `table_mb` for the engine, and all options of the
    textbook's searches, for which the textbook answers.
    """
    validate(game)
    asked = {name for name, value in options.items() if value is not None}
    if is_simulated(game) and not asked - SIMULATION_OPTIONS:
        from zermelo.engine.mcts import mcts

        return mcts(game, state, threads=threads, **{n: v for n, v in options.items() if v is not None})
    engine = make_engine(game, options, threads=threads, table_mb=table_mb)
    if engine is None:
        return textbook_search(game, state, **options)
    settings = FORWARD | {"quick"}
    limits = {name: value for name, value in options.items() if value is not None and name not in settings}
    if not LIMITS & set(limits):
        limits["seconds"] = 1.0
    return engine.search(state, **limits)


def is_simulated(game: Game) -> bool:
    """Whether Monte Carlo is the best search there is for `game`."""
    return bool(game.simulation) or (game.kind.hidden and game.can("sample"))


@overload
def solve(game: Game, state: Any = None, *, strongly: Literal[True], **options: Any) -> Solution: ...
@overload
def solve(game: Game, state: Any = None, *, strongly: Literal[False] = False, **options: Any) -> Analysis: ...


def solve(game: Game, state: Any = None, *, strongly: bool = False, **options: Any) -> Analysis | Solution:
    """The proved value of `state`; raises `UnsolvedError` if the limits end the search before the proof.

    Weakly, the engine deepens for a while, which finds short wins, and then searches to the end of the game at once; it
    takes `threads`, `table_mb` and the limits. Strongly, every position that can be reached is solved from the ends
    backwards; that takes `memory_mb` and `threads`, and gives a `Solution` that can be asked, kept and played from.
    """
    validate(game)
    if strongly:
        from zermelo.engine.solution import solve_strongly

        return solve_strongly(game, state, **options)
    return solve_weakly(game, state, **options)


def solve_weakly(
    game: Game,
    state: Any = None,
    *,
    threads: int = 1,
    table_mb: int = SOLVING_TABLE_MB,
    progress: Callable[[Analysis], None] | None = None,
    **options: Any,
) -> Analysis:
    """The proved value of one position."""
    engine = make_engine(game, options, exact=True, threads=threads, table_mb=table_mb)
    if engine is None:
        return textbook_solve(game, state, progress=progress, **options)
    found = engine.solve(
        state, progress=progress, **{k: v for k, v in options.items() if v is not None and k != "quick"}
    )
    if engine.rounded and not found.exact and not found.stopped:
        return textbook_solve(game, state, progress=progress, **options)
    require_proof(game, found)
    return found


def make_engine(game: Game, options: dict[str, Any], **settings: Any) -> Engine | None:
    """An engine for `game`, or nothing if the game or the options are not for it."""
    if options.get("depth") == 0:  # only the textbook takes the root's own estimate
        return None
    wanted = {name for name, value in options.items() if value is not None}
    if game.kind.hidden or isinstance(game, AimaGame) or wanted - ENGINE_OPTIONS - FORWARD:
        return None
    from zermelo.engine.engine import Engine, is_plain

    plain = is_plain(game)
    if wanted & (FORWARD if plain else {"quick"}) or (not plain and game.repetition is not None):
        return None
    if compile_or_none(game) is None:
        return None
    if plain:
        return Engine(game, quick=bool(options.get("quick", True)), **settings)
    return Engine(game, **settings, **{name: options[name] for name in FORWARD & wanted})
