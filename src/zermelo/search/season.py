"""Adds a caller's techniques to a recipe, and refuses those that do not fit the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import MethodError, OptionError
from zermelo.game import Game
from zermelo.search.chance import expectation
from zermelo.search.extensions import make_extensions
from zermelo.search.nullmove import NullMove
from zermelo.search.ordering import make_order
from zermelo.search.quiescence import Quiescence
from zermelo.search.recipe import Recipe
from zermelo.search.scores import Quick, Vector
from zermelo.search.singular import Singular
from zermelo.search.table import Table
from zermelo.search.trace import Packed

if TYPE_CHECKING:
    from zermelo.search.run import Options

LIMITS = {"depth", "nodes", "seconds", "stop", "history", "trace"}
PLAIN = {"deepen", "prune", "hard", "window", "view", "cutoff", "evaluate"}
TECHNIQUES = {"quick", "width", "samples", "seed", "order", "table", "null_move", "quiescence", "extensions"}


def season(recipe: Recipe, game: Game, options: Options) -> None:
    """`recipe` with the techniques that `options` ask for."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    unknown = sorted(set(options) - LIMITS - PLAIN - TECHNIQUES)
    if unknown:
        known = ", ".join(sorted(LIMITS | PLAIN | TECHNIQUES))
        raise OptionError(f"{recipe.name} has no option {unknown[0]!r}; it takes {known}")
    check_fit(recipe, game)
    check_types(given)
    for name in PLAIN & set(given):
        setattr(recipe, name, given[name])
    given = {name: value for name, value in given.items() if value is not False and value not in ((), [], "")}
    given = {name: value for name, value in given.items() if name not in ("width", "samples") or value > 0}
    if recipe.hard and recipe.name == "mtdf":
        raise MethodError("mtdf closes in by what fails soft brings; leave out hard")
    if issubclass(recipe.scores, Vector):
        refused = sorted(set(given) & {"prune", "hard", "window", "quick", "null_move", "quiescence", "extensions"})
        if refused:
            raise MethodError(f"{recipe.name} has no windows, so it cannot use {refused[0]}; leave it out")
    if "quick" in given:
        if recipe.expect is not expectation:
            raise MethodError("star1 and star2 compare expected utilities alone; leave out quick, or the pruning")
        recipe.scores = Quick
    check_window(recipe)
    add_techniques(recipe, game, given)
    extras = ("deepen", "hard", "quick", "width", "samples", "order", "table", "null_move", "quiescence", "extensions")
    recipe.name = "+".join([recipe.name, *(named(name, given[name]) for name in extras if name in given)])


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
        if not isinstance(given.get(name, False), bool):
            raise OptionError(f"{name} must be yes or no, not {given[name]!r}")
    for name in ("width", "samples", "seed"):
        value = given.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise OptionError(f"{name} must be a whole number, 0 or more, not {value!r}")
    for name, least in (("null_move", 1), ("quiescence", 1), ("trace", 1), ("table", 1)):
        value = given.get(name, True)
        fits = isinstance(value, bool) or (isinstance(value, int) and value >= least)
        ready = (name == "table" and isinstance(value, Table)) or (name == "trace" and isinstance(value, Packed))
        if not fits and not ready:
            raise OptionError(f"{name} must be yes, no or a number from {least} on, not {value!r}")


def add_techniques(recipe: Recipe, game: Game, given: dict[str, Any]) -> None:
    """The techniques that are objects of their own."""
    for name, method in (("null_move", "pass_turn"), ("quiescence", "is_noisy")):
        if name in given and not game.can(method):
            raise MethodError(
                f"{name} needs `{method}`, which {game.name} does not have; write it, or leave {name} out"
            )
    if "null_move" in given and not recipe.prune:
        raise MethodError("the null move cuts with a window; use it with alphabeta or pvs")
    if "order" in given:
        recipe.order = make_order(given["order"], game)
    for name in ("width", "samples", "seed"):
        setattr(recipe, name, given.get(name, 0))
    if "table" in given:
        table = given["table"]
        recipe.table = table if isinstance(table, Table) else Table() if table is True else Table(table)
    if "null_move" in given:
        recipe.null_move = NullMove() if given["null_move"] is True else NullMove(given["null_move"])
    if "quiescence" in given:
        recipe.quiescence = Quiescence() if given["quiescence"] is True else Quiescence(given["quiescence"])
    if "extensions" in given:
        names = given["extensions"].split(",") if isinstance(given["extensions"], str) else list(given["extensions"])
        if "singular" in names:
            if recipe.table is None:
                raise MethodError("the singular extension asks the transposition table; add table=True")
            recipe.singular = Singular()
        recipe.extensions = make_extensions([n for n in names if n != "singular"], game)


def check_window(recipe: Recipe) -> None:
    if recipe.view not in ("max", "mover"):
        raise OptionError(f"view must be max or mover, not {recipe.view!r}")
    low, high = recipe.window
    if low is not None and high is not None and not low < high:
        raise OptionError(f"a window needs α < β, not ({low}, {high})")


def check_fit(recipe: Recipe, game: Game) -> None:
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


def named(name: str, value: Any) -> str:
    """A technique as it stands in the name of a search."""
    if value is True or isinstance(value, Table):
        return name
    if isinstance(value, (list, tuple)):
        value = ",".join(value)
    return f"{name}({value})"
