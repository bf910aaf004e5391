"""The options that commands share: which game, which position, which limits, which search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

from zermelo.game import Game

Function = TypeVar("Function", bound=Callable[..., Any])


def together(*decorators: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """All `decorators` as one; help shows them in this order."""

    def decorate(function: Function) -> Function:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


game_argument = click.argument("game", metavar="GAME")

position_options = together(
    click.option("--moves", metavar="TEXT", help='Moves from the start to the position, as in "a1 b2 c3".'),
    click.option("--position", metavar="TEXT", help="The position as text; --moves go on from there."),
)

limit_options = together(
    click.option("--depth", metavar="N", type=click.IntRange(min=0), help="Plies to search."),
    click.option("--nodes", metavar="N", type=click.IntRange(min=1), help="Positions to enter at most."),
    click.option("--seconds", metavar="S", type=click.FloatRange(min=0), help="Time to take at most."),
    click.option("--revealed", is_flag=True, help="Search a game of hidden information with open cards."),
)

algorithm_option = click.option(
    "--algorithm", metavar="NAME", help="A search by name, as in minimax, pvs or mcts, not the one that fits the game."
)

simulations_option = click.option(
    "--simulations", metavar="N", type=click.IntRange(min=1), help="Simulations to run, with --algorithm mcts."
)

world_options = together(
    click.option("--worlds", metavar="N", type=click.IntRange(min=1), help="Worlds to imagine, with pimc or alphamu."),
    click.option("--own-moves", metavar="N", type=click.IntRange(min=1), help="Own moves that alphamu looks ahead."),
    click.option("--choose", metavar="HOW", help="By the mean of the worlds or by their vote, with pimc."),
)

technique_options = together(
    click.option("--order", metavar="RULES", help="Move ordering: best, or rules as in previous,killers,history."),
    click.option("--table/--no-table", default=None, help="A transposition table, or none."),
    click.option("--null-move", is_flag=True, default=None, help="Try passing first (risky: zugzwang)."),
    click.option("--probcut", is_flag=True, default=None, help="Cut where shallower searches foretell it (risky)."),
    click.option("--quiescence", is_flag=True, default=None, help="Play captures out before evaluating."),
    click.option("--extensions", metavar="NAMES", help="Any of check, single, recapture, singular."),
    click.option("--width", metavar="N", type=click.IntRange(min=0), help="Search so many actions below the root."),
    click.option("--samples", metavar="N", type=click.IntRange(min=0), help="Sample chance nodes to so many outcomes."),
    click.option("--seed", metavar="N", type=click.IntRange(min=0), help="What the samples follow from."),
    click.option("--deepen/--no-deepen", default=None, help="Search one ply deep, then two, then three, …"),
    click.option("--quick/--no-quick", default=None, help="Prefer the quicker win among equal values."),
    click.option("--hard", is_flag=True, default=None, help="Fail-hard: never return what lies outside the window."),
    click.option("--window", metavar="A B", nargs=2, type=float, help="The window (α, β) at the root, as in -inf 3."),
    click.option("--bound", metavar="V", type=float, help="Is the value at least V? With --algorithm zero-window."),
)

SEARCH = (
    *("depth", "nodes", "seconds"),
    *("order", "table", "null_move", "probcut", "quiescence", "extensions", "deepen", "quick", "hard", "window"),
    *("width", "samples", "seed"),
)


def search_options(given: dict[str, Any]) -> dict[str, Any]:
    """The search options of a command, under the names that the textbook searches use."""
    return {name: given[name] for name in SEARCH if given.get(name) is not None}


def sampled_options(given: dict[str, Any], algorithm: str | None) -> dict[str, Any]:
    """The same for a search that may be one by simulation, which alone knows `simulations`."""
    from zermelo.errors import OptionError

    options = search_options(given)
    if given.get("bound") is not None:
        if algorithm is None or algorithm.strip().lower().replace("_", "-") != "zero-window":
            raise OptionError("--bound is what a zero window asks for: add --algorithm zero-window")
        options["bound"] = given["bound"]
    if given.get("simulations") is not None:
        if not is_sampled(algorithm):
            raise OptionError("--simulations counts those of Monte Carlo tree search: add --algorithm mcts")
        options["simulations"] = given["simulations"]
    for name, own in (("worlds", "worlds"), ("own_moves", "moves"), ("choose", "choose")):
        if given.get(name) is not None:
            if not is_imagined(algorithm):
                raise OptionError(f"--{name.replace('_', '-')} is for searches of worlds: add --algorithm pimc")
            options[own] = given[name]
    return options


def is_sampled(algorithm: str | None) -> bool:
    """Whether the search of this name goes by simulations."""
    return algorithm is not None and algorithm.strip().lower() == "mcts"


def is_imagined(algorithm: str | None) -> bool:
    """Whether the search of this name imagines worlds."""
    from zermelo.search.algorithms import IMAGINED, plain_name

    return algorithm is not None and plain_name(algorithm) in IMAGINED


def looks_through(algorithm: str | None) -> bool:
    """Whether the search of this name would look at more than a player sees."""
    return not is_sampled(algorithm) and not is_imagined(algorithm)


class Start(NamedTuple):
    """Where a command begins: a game, a position, and the positions before it."""

    game: Game
    state: Any
    history: tuple[Any, ...]


def find_start(game: str, moves: str | None, position: str | None, revealed: bool | None = None) -> Start:
    """What the game and position options name; `revealed` is `None` for commands that look at nobody's cards."""
    from zermelo.errors import MethodError
    from zermelo.games import load
    from zermelo.play.notation import play_moves, read_position

    found = load(game)
    if found.kind.hidden and revealed is not None:
        if not revealed:
            sampled = "`--algorithm pimc` looks only at what a player sees, as mcts does without a trace; "
            other = sampled if found.can("sample") else ""
            raise MethodError(
                f"{found.name} hides information, and a search would look through it; {other}"
                f"`zermelo equilibrium {game}` looks for an equilibrium, "
                f"and --revealed shows how it would go with open cards"
            )
        from zermelo.search import revealed as reveal

        found = reveal(found)
    state = found.initial() if position is None else read_position(found, position)
    return Start(found, *play_moves(found, state, (moves or "").split()))
