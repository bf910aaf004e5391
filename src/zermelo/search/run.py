"""From a method and a caller's options to an `Analysis`: the frame around every search of the textbook."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from zermelo.analysis import Analysis, Limits
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.game.sides import for_players, searched
from zermelo.game.validation import validate
from zermelo.options import as_python
from zermelo.search.composable import Composable, SearchRecipe, once
from zermelo.search.deepening import iterative_deepening
from zermelo.search.interrupt import Interrupt
from zermelo.search.node import Line, SearchNode, unrolled
from zermelo.search.options import Options, apply_options
from zermelo.search.recorder import Recorder, is_wanted
from zermelo.search.scores import Score
from zermelo.search.visit import Literal, Search, Stopped, TooDeep, Visit


def run(
    game: Game[S, A], state: S | None, recipe: SearchRecipe, options: Options, literal: Literal | None = None
) -> Analysis:
    """The result of a search: the last `Analysis` of `think`."""
    with Interrupt() as interrupt:
        *_, last = think(game, state, recipe, options, literal, interrupt)
    return last


def think(
    game: Game[S, A],
    state: S | None,
    recipe: SearchRecipe,
    options: Options,
    literal: Literal | None = None,
    interrupt: Interrupt | None = None,
) -> Iterator[Analysis]:
    """Searches `state`, and yields an `Analysis` for each depth that is finished, the last one being the result.

    Uses the `literal` search if it supports all the options, else the composable search.
    """
    validate(game)
    seated, game = game, searched(game)
    state = game.initial() if state is None else state
    asked = replace(recipe)
    options = cast(Options, {name: as_python(value) for name, value in options.items()})
    apply_options(recipe, game, options)
    limits = Limits(*(options.get(name) for name in ("depth", "nodes", "seconds", "stop")))  # type: ignore[arg-type]
    deepest = math.inf if limits.depth is None else limits.depth

    def composable() -> Search:
        return Composable(game, recipe, limits, state, options.get("history", ()))

    chosen = literal if literal is not None and knows_all(literal, game, asked, recipe) else None
    search = composable() if chosen is None else Visit(game, recipe, limits, state, chosen)
    search.interrupt = interrupt or search.interrupt
    trace = options.get("trace", False)
    if is_wanted(trace):
        search.recorder = Recorder(
            game, state, search.scores, recipe.name, view=recipe.view, prune=recipe.prune, trace=trace
        )
    found: Analysis | None = None

    def search_to(depth: float) -> tuple[Analysis, bool]:
        nonlocal search, found
        if search.recorder and recipe.deepen:
            search.recorder.iteration(depth)
        before = search.progress()
        try:
            found = iterate(search, depth, found)
        except TooDeep:
            search = composable().resume(search, before)
            found = iterate(search, depth, found)
        return found, search.cut_short

    def finish(found: Analysis) -> Analysis:
        if not search.recorder:
            return found
        search.recorder.result(found)
        return replace(found, trace=search.recorder.trace)

    if recipe.deepen:
        for each in iterative_deepening(search_to, finish, deepest):
            yield for_players(seated, each)
    else:
        yield for_players(seated, finish(search_to(deepest)[0]))


def knows_all(literal: Literal, game: AnyGame, asked: SearchRecipe, recipe: SearchRecipe) -> bool:
    """Whether a literal search for the recipe `asked` supports the options in `recipe`."""
    return (
        recipe.is_plain
        and game.repetition is None
        and (recipe.prune, recipe.scores, recipe.drive) == (asked.prune, asked.scores, once)
        and (not recipe.hard or "hard" in literal.takes)
        and (recipe.window == (None, None) or "window" in literal.takes)
    )


def iterate(search: Search, depth: float, previous: Analysis | None) -> Analysis:
    """One iteration; if it is stopped, the best of what it and the previous one found."""
    try:
        with search.interrupt:
            root = search.search_to(depth)
    except Stopped as reason:
        return unfinished(search, previous, str(reason))
    except KeyboardInterrupt:
        if search.interrupt.asked:  # for the second time: the rules do not return, so do not call them again
            raise
        return unfinished(search, previous, "interrupt")
    search.expected = root.line
    value = search.scores.value(root.best)
    proved = is_proved(search, root, value)
    low, high = search.game.bounds
    alpha, beta = search.method.window
    if alpha is not None and value <= alpha:
        bounds = (low, value)
    elif beta is not None and value >= beta:
        bounds = (value, high)
    else:
        bounds = (value, value)
    return describe(search, root.line, root.best, depth, bounds, proved and bounds[0] == bounds[1], "")


def is_proved(search: Search, root: SearchNode, value: float) -> bool:
    """Whether `value` rests on no estimate, or is one that no estimate can have."""
    if not root.estimated:
        return True
    low, high = search.game.bounds
    # An opponent who plays for itself may take what looks good to it: then a greatest value is no proof.
    return search.scores.opposed and not search.method.is_risky and not search.bold and value in (low, high)


def unfinished(search: Search, previous: Analysis | None, stopped: str) -> Analysis:
    """The best so far of a search that a limit, or Ctrl-C, has stopped."""
    game, root = search.game, search.current
    begun = root is not None and root.best is not None and root.line is not None
    if previous is not None and (not begun or previous.action not in search.root_values):
        return replace(
            previous,
            nodes=search.nodes,
            leaves=search.leaves,
            cutoffs=search.cutoffs,
            seconds=time.perf_counter() - search.started,
            exact=False,
            stopped=stopped,
        )
    depth = None if previous is None else previous.depth
    low, high = game.bounds
    if begun:
        assert root is not None
        value = search.scores.value(root.best)
        least = value if search.method.raises_root else low
        return describe(search, root.line, root.best, depth, (least, high), False, stopped)
    if game.is_terminal(search.state):
        score, line = search.scores.end(lambda p: game.utility(search.state, p), 0), None
    else:
        score, line = search.scores.estimate(lambda _: game.neutral), (next(iter(game.actions(search.state))), None)
    return describe(search, line, score, depth, (low, high), False, stopped)


def describe(
    search: Search,
    line: Line,
    score: Score,
    depth: float | None,
    bounds: tuple[float, float],
    exact: bool,
    stopped: str,
) -> Analysis:
    actions, over = unrolled(line), search.game.is_terminal(search.state)
    return Analysis(
        action=actions[0] if actions else None,
        value=search.scores.value(score),
        values=search.game.utilities(search.state) if over else search.scores.values(score),
        line=actions,
        depth=None if depth is None or depth == math.inf else int(depth),
        nodes=search.nodes,
        leaves=search.leaves,
        cutoffs=search.cutoffs,
        seconds=time.perf_counter() - search.started,
        exact=exact,
        bounds=bounds,
        method=search.method.name,
        stopped=stopped,
        actions={action: search.scores.value(value) for action, value in search.root_values.items()},
        origin=(search.game, search.state),
    )
