"""From a recipe and a caller's options to an `Analysis`: the frame around the loop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from zermelo.analysis import Analysis, Limits
from zermelo.game import Game
from zermelo.game.validation import validate
from zermelo.search.interrupt import Interrupt
from zermelo.search.loop import Line, Loop, Node, Stopped
from zermelo.search.recipe import Recipe, once
from zermelo.search.recorder import Recorder, is_wanted
from zermelo.search.season import season
from zermelo.search.table import Table
from zermelo.search.trace import Packed


class Options(TypedDict, total=False):
    """What every search takes beside the game and the position."""

    depth: int | None
    """Plies to search; without it, to the end of the game."""
    nodes: int | None
    """Positions to enter at most."""
    seconds: float | None
    """Time to take at most."""
    stop: Callable[[], bool] | None
    """Asked at every node; a true answer ends the search with the best so far."""
    deepen: bool
    """Whether to search one ply deep, then two, then three, … (iterative deepening)."""
    prune: bool
    """Whether to cut with alpha-beta windows."""
    hard: bool
    """Whether to return the window's edge for what lies outside it (fail-hard)."""
    window: tuple[float | None, float | None]
    """The window (α, β) at the root; `None` for an open side."""
    quick: bool
    """Whether to prefer, among equal values, the quicker win and the longer resistance."""
    cutoff: Callable[[Any, int], bool] | None
    """CUTOFF(s, d), d counting plies from the root: true to stop there and evaluate."""
    evaluate: Callable[[Any, int], float] | None
    """EVAL(s) for player p, in place of the game's own."""
    order: str | Sequence[str]
    """Rules for the order of actions, as in `"previous,killers,history"`; `"best"` for all that the game allows."""
    width: int
    """How many actions, by the look of their results, are searched below the root; 0 for all (risky)."""
    samples: int
    """How many outcomes a chance node is sampled to; 0 for all. The value is then an estimate."""
    seed: int
    """What the samples follow from."""
    table: Table | bool | int
    """A transposition table: one to share, `True`, or a number of entries."""
    null_move: bool | int
    """The null move: `True`, or its reduction in plies."""
    quiescence: bool | int
    """Quiescence search: `True`, or its greatest length in plies."""
    extensions: str | Sequence[str]
    """Any of `check`, `single`, `recapture`, `singular`."""
    history: Sequence[Any]
    """The states of the game so far, for games in which repetition counts."""
    view: str
    """Whose view a trace takes: `max`, or `mover` for the one-sided form."""
    trace: bool | int | Packed
    """Whether to record every step: `True`, the greatest number of events to keep, or what is to take them."""


def run(game: Game, state: Any, recipe: Recipe, options: Options) -> Analysis:
    """The last word of a search: what `think` ends with."""
    with Interrupt() as interrupt:
        *_, last = think(game, state, recipe, options, interrupt)
    return last


def think(
    game: Game, state: Any, recipe: Recipe, options: Options, interrupt: Interrupt | None = None
) -> Iterator[Analysis]:
    """Searches `state`, and yields an `Analysis` for each depth that is finished, the last one being the result."""
    validate(game)
    state = game.initial() if state is None else state
    season(recipe, game, options)
    limits = Limits(*(options.get(name) for name in ("depth", "nodes", "seconds", "stop")))  # type: ignore[arg-type]
    loop = Loop(game, recipe, limits, state, options.get("history", ()))
    loop.interrupt = interrupt or loop.interrupt
    trace = options.get("trace", False)
    if is_wanted(trace):
        loop.recorder = Recorder(loop, state, trace)
    deepest = math.inf if limits.depth is None else limits.depth
    depth = min(1, deepest) if recipe.deepen else deepest
    found: Analysis | None = None
    last = False
    while not last:
        if loop.recorder and recipe.deepen:
            loop.recorder.iteration(depth)
        found = search_to(loop, state, depth, found)
        last = bool(found.stopped) or found.exact or depth >= deepest or not loop.cut_short
        if loop.recorder and last:
            loop.recorder.result(found)
            found = replace(found, trace=loop.recorder.trace)
        yield found
        depth += 1


def search_to(loop: Loop, state: Any, depth: float, previous: Analysis | None) -> Analysis:
    """One iteration; if it is stopped, the best of what it and the previous one found."""
    loop.depth = depth
    loop.current = None
    loop.cut_short = False
    try:
        with loop.interrupt:
            root = loop.recipe.drive(loop, state, depth)
    except Stopped as reason:
        return unfinished(loop, state, previous, str(reason))
    except KeyboardInterrupt:
        if loop.interrupt.asked:  # for the second time: the rules do not come back, so do not ask them again
            raise
        return unfinished(loop, state, previous, "interrupt")
    loop.expected = root.line
    value = loop.scores.value(root.best)
    proved = is_proved(loop, root, value)
    low, high = loop.game.bounds
    alpha, beta = loop.recipe.window
    if alpha is not None and value <= alpha:
        bounds = (low, value)
    elif beta is not None and value >= beta:
        bounds = (value, high)
    else:
        bounds = (value, value)
    return describe(loop, root.line, root.best, depth, bounds, proved and bounds[0] == bounds[1], "")


def is_proved(loop: Loop, root: Node, value: float) -> bool:
    """Whether `value` rests on no estimate, or is one that no estimate can have."""
    if not root.estimated:
        return True
    low, high = loop.game.bounds
    recipe = loop.recipe
    # An opponent who plays for itself may take what looks good to it: then a greatest value is no proof.
    whole = loop.scores.opposed and recipe.null_move is None and recipe.width == 0 and recipe.samples == 0
    return whole and not loop.bold and value in (low, high)


def unfinished(loop: Loop, state: Any, previous: Analysis | None, stopped: str) -> Analysis:
    """The best so far of a search that a limit, or Ctrl-C, has stopped."""
    game, root = loop.game, loop.current
    begun = root is not None and root.best is not None and root.line is not None
    if previous is not None and (not begun or previous.action not in loop.root_values):
        return replace(
            previous,
            nodes=loop.nodes,
            leaves=loop.leaves,
            cutoffs=loop.cutoffs,
            seconds=time.perf_counter() - loop.started,
            exact=False,
            stopped=stopped,
        )
    depth = None if previous is None else previous.depth
    low, high = game.bounds
    if begun:
        assert root is not None
        value = loop.scores.value(root.best)
        whole = loop.recipe.drive is once and loop.recipe.window == (None, None)
        return describe(loop, root.line, root.best, depth, (value if whole else low, high), False, stopped)
    line = None if game.is_terminal(state) else (next(iter(game.actions(state))), None)
    return describe(loop, line, loop.scores.end(lambda _: low, 0), depth, (low, high), False, stopped)


def describe(
    loop: Loop,
    line: Line,
    score: Any,
    depth: float | None,
    bounds: tuple[float, float],
    exact: bool,
    stopped: str,
) -> Analysis:
    actions = unrolled(line)
    return Analysis(
        action=actions[0] if actions else None,
        value=loop.scores.value(score),
        values=loop.game.utilities(loop.state) if loop.game.is_terminal(loop.state) else loop.scores.values(score),
        line=actions,
        depth=None if depth is None or depth == math.inf else int(depth),
        nodes=loop.nodes,
        leaves=loop.leaves,
        cutoffs=loop.cutoffs,
        seconds=time.perf_counter() - loop.started,
        exact=exact,
        bounds=bounds,
        method=loop.recipe.name,
        stopped=stopped,
        actions={action: loop.scores.value(value) for action, value in loop.root_values.items()},
        origin=(loop.game, loop.state),
    )


def unrolled(line: Line) -> tuple[Any, ...]:
    """A line of play as a tuple of actions."""
    actions = []
    while line is not None:
        action, line = line
        actions.append(action)
    return tuple(actions)
