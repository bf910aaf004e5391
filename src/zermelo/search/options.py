"""What a caller may choose: the options of every search, checked, and turned into a recipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict, TypeVar, cast

from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.options import flag, whole
from zermelo.search.chance import expectation
from zermelo.search.composable import SearchRecipe
from zermelo.search.extensions import Extensions
from zermelo.search.nullmove import NullMove
from zermelo.search.ordering import Width, make_order
from zermelo.search.probcut import DepthPair, ProbCut
from zermelo.search.quiescence import Quiescence
from zermelo.search.scores import Quick, Vector
from zermelo.search.singular import Singular
from zermelo.search.table import TranspositionTable
from zermelo.search.trace import Packed

T = TypeVar("T")
LIMITS = {"depth", "nodes", "seconds", "stop", "history", "trace"}
PLAIN = {"deepen", "prune", "hard", "window", "view", "cutoff", "evaluate"}
RISKY = ("null_move", "probcut", "quiescence")
TECHNIQUES = {"quick", "width", "samples", "seed", "order", "table", *RISKY, "extensions"}


class Options(TypedDict, total=False):
    """What every search takes beside the game and the position."""

    depth: int | None
    """Plies to search; without it, to the end of the game."""
    nodes: int | None
    """Positions to enter at most."""
    seconds: float | None
    """Time to take at most."""
    stop: Callable[[], bool] | None
    """Called at every node; a true answer ends the search with the best so far."""
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
    """The number of actions, by the estimates of their results, searched below the root; 0 for all (risky)."""
    samples: int
    """The number of outcomes sampled at a chance node; 0 for all. The value is then an estimate."""
    seed: int
    """The seed of the samples."""
    table: TranspositionTable | bool | int
    """A transposition table: one to share, `True`, or a number of entries."""
    null_move: bool | int
    """The null move: `True`, or its reduction in plies."""
    probcut: bool | Sequence[DepthPair] | ProbCut
    """Multi-ProbCut: by pairs of depths, with a risk of its own, or `True`, which measures the pairs first."""
    quiescence: bool | int
    """Quiescence search: `True`, or its greatest length in plies."""
    extensions: str | Sequence[str]
    """Any of `check`, `single`, `recapture`, `singular`."""
    history: Sequence[object]
    """The states of the game so far, for games in which repetition counts."""
    view: str
    """Whose view a trace takes: `max`, or `mover` for the one-sided form."""
    trace: bool | int | Packed
    """Whether to record every step: `True`, the greatest number of events to keep, or a container for them."""


def apply_options(recipe: SearchRecipe, game: AnyGame, options: Options) -> None:
    """Switches on in `recipe` what `options` ask for, and refuses what does not fit the game."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    unknown = sorted(set(options) - LIMITS - PLAIN - TECHNIQUES)
    if unknown:
        known = ", ".join(sorted(LIMITS | PLAIN | TECHNIQUES))
        raise OptionError(f"{recipe.name} has no option {unknown[0]!r}; it takes {known}")
    check_fit(recipe, game)
    check_types(given)
    for name in PLAIN & set(given):
        setattr(recipe, name, given[name])
    given = {name: value for name, value in given.items() if value is not False and not is_empty(value)}
    given = {name: value for name, value in given.items() if name not in ("width", "samples") or value > 0}
    if recipe.hard and recipe.name == "mtdf":
        raise MethodError("mtdf closes in by the bounds that fail-soft returns; leave out hard")
    if issubclass(recipe.scores, Vector):
        refused = sorted(set(given) & {"prune", "hard", "window", "quick", *RISKY, "extensions"})
        if refused:
            raise MethodError(f"{recipe.name} has no windows, so it cannot use {refused[0]}; leave it out")
    if "quick" in given:
        if recipe.expect not in (None, expectation):
            raise MethodError("star1 and star2 compare expected utilities alone; leave out quick, or the pruning")
        recipe.scores = Quick
    check_window(recipe)
    add_techniques(recipe, game, given)
    extras = ("deepen", "hard", "quick", "width", "samples", "order", "table", *RISKY, "extensions")
    recipe.name = "+".join([recipe.name, *(named(name, given[name]) for name in extras if name in given)])


def is_empty(value: object) -> bool:
    """Whether `value` names nothing: an empty text or list."""
    return isinstance(value, (str, list, tuple)) and not value


def check_types(given: dict[str, Any]) -> None:
    """Refuses values that no search can mean."""
    window = given.get("window", (None, None))
    pair = isinstance(window, (tuple, list)) and len(window) == 2
    if not pair or not all(edge is None or isinstance(edge, (int, float)) for edge in window):
        raise OptionError(f"window must be a pair (α, β) of numbers or None, not {window!r}")
    for name in ("order", "extensions"):
        names = given.get(name, ())
        if not isinstance(names, (str, list, tuple)) or not all(isinstance(n, str) for n in names):
            raise OptionError(f"{name} must be names with commas between them, not {names!r}")
    for name in ("prune", "hard"):
        flag().check(name, given.get(name, False))
    for name in ("width", "samples", "seed"):
        whole(0).check(name, given.get(name, 0))
    for name, least in (("null_move", 1), ("quiescence", 1), ("trace", 1), ("table", 1)):
        value = given.get(name, True)
        fits = isinstance(value, bool) or (isinstance(value, int) and value >= least)
        ready = {"table": TranspositionTable, "trace": Packed}.get(name)
        if not fits and not (ready is not None and isinstance(value, ready)):
            raise OptionError(f"{name} must be yes, no or a number from {least} on, not {value!r}")
    pairs = given.get("probcut", True)
    listed = isinstance(pairs, (list, tuple)) and all(isinstance(each, DepthPair) for each in pairs)
    if not (listed or isinstance(pairs, (bool, ProbCut))):
        raise OptionError(
            f"probcut must be yes, no, pairs of depths as measure_pairs finds them, or a ProbCut, not {pairs!r}"
        )


def add_techniques(recipe: SearchRecipe, game: AnyGame, given: dict[str, Any]) -> None:
    """The techniques that are objects of their own."""
    for name, method in (("null_move", "pass_turn"), ("quiescence", "is_noisy")):
        if name in given and not game.can(method):
            raise MethodError(
                f"{name} needs `{method}`, which {game.name} does not have; write it, or leave {name} out"
            )
    if "null_move" in given and not recipe.prune:
        raise MethodError("the null move cuts with a window; use it with alphabeta or pvs")
    if "probcut" in given and not (recipe.prune and (game.can("evaluate") or recipe.evaluate is not None)):
        raise MethodError(
            "Multi-ProbCut cuts with a window where an estimate is beyond it; use alphabeta or pvs, and `evaluate`"
        )
    if "order" in given:
        recipe.order = make_order(given["order"], game)
    if "width" in given:
        recipe.narrow = Width(given["width"])
    recipe.samples, recipe.seed = given.get("samples", 0), given.get("seed", 0)
    if "table" in given:
        recipe.table = made(TranspositionTable, given["table"])
    if "null_move" in given:
        recipe.null_move = made(NullMove, given["null_move"])
    if "probcut" in given:
        pairs = given["probcut"]
        recipe.probcut = pairs if isinstance(pairs, ProbCut) else ProbCut(None if pairs is True else pairs)
    if "quiescence" in given:
        recipe.quiescence = made(Quiescence, given["quiescence"])
    if "extensions" in given:
        names = given["extensions"].split(",") if isinstance(given["extensions"], str) else list(given["extensions"])
        if "singular" in names:
            if not isinstance(recipe.table, TranspositionTable):
                raise MethodError("the singular extension asks the transposition table; add table=True")
            recipe.singular = Singular(recipe.table)
        recipe.extend = Extensions([name for name in names if name != "singular"], game)


def made(technique: Callable[..., T], value: object) -> T:
    """A technique as an option gives it: ready, with its number, or `True`."""
    if isinstance(value, bool):
        return technique()
    return technique(value) if isinstance(value, int) else cast(T, value)


def check_window(recipe: SearchRecipe) -> None:
    if recipe.view not in ("max", "mover"):
        raise OptionError(f"view must be max or mover, not {recipe.view!r}")
    low, high = recipe.window
    if low is not None and high is not None and not low < high:
        raise OptionError(f"a window needs α < β, not ({low}, {high})")


def check_fit(recipe: SearchRecipe, game: AnyGame) -> None:
    """Refuses a search that would give a wrong answer for this kind of game, and names one that does not."""
    if game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information, and {recipe.name} would look through it; "
            f"zermelo.mcts does without what is hidden, zermelo.cfr looks for an equilibrium, "
            f"and zermelo.revealed(game) has open cards"
        )
    if issubclass(recipe.scores, Vector) or recipe.one_against_all:
        return
    if not game.kind.scalar:
        why = game.kind.not_scalar
        raise MethodError(f"{game.name} {why}, so {recipe.name} does not apply; use maxn")
    if game.kind.chance and not recipe.name.startswith("expectiminimax"):
        raise MethodError(f"{game.name} has chance nodes, so {recipe.name} does not apply; use expectiminimax")


def named(name: str, value: object) -> str:
    """A technique as it stands in the name of a search."""
    if value is True or isinstance(value, (TranspositionTable, ProbCut)) or name == "probcut":
        return name
    if isinstance(value, (list, tuple)):
        value = ",".join(value)
    return f"{name}({value})"
