"""What `zermelo equilibrium` answers about the tree of a game: strategies by information set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from zermelo.cli._answer import Progress
    from zermelo.equilibrium.form import NormalForm
    from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Point, Strategy
    from zermelo.game import AnyGame

METHODS = ("backward", "sequence", "lemke", "cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "pdcfr+", "external", "outcome")
BAR = 24
"""The width of the bar of probability 1, in characters."""
MOST_SHOWN = 60
"""Information sets in a table for people."""

OPTIONS = (
    click.option(
        "--exploitability", metavar="NUMBER", help="End when a best answer gains no more; 0.001, or 0.3% of a pot."
    ),
    click.option("--iterations", type=int, help="Iterations at most."),
    click.option("--seconds", type=float, help="Time for iterating."),
    click.option("--threads", type=int, help="Processor cores to use."),
    click.option("--seed", type=int, help="For sampling: the same seed, the same run."),
    click.option(
        "--checkpoint",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Keep the run in FILE, and go on from it.",
    ),
)


def limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of regret minimisation to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def wants_tree(source: object, method: str | None, table: bool) -> bool:
    """Whether to look at the tree of a game, not at its normal form; `table` if something of a table is asked for."""
    from zermelo.game import Game

    if not isinstance(source, Game):
        if method in METHODS:
            from zermelo.errors import MethodError

            raise MethodError(f"{method} is for games with a tree, and this is a table: take simplex or lemke-howson")
        return False
    return method in METHODS or (method is None and not table and not is_table(source))


def is_table(game: AnyGame) -> bool:
    """Whether every player chooses once, simultaneously, and then the game is over."""
    from zermelo.game.validation import legal_actions

    state = game.initial()
    for p in range(game.players):
        if game.is_terminal(state) or game.player(state) != p:
            return False
        state = game.result(state, legal_actions(game, state)[0])
    return bool(game.simultaneous and game.is_terminal(state))


def solve_tree(
    game: AnyGame, method: str | None, exact: bool, save: Path | None, bar: Progress, how: Mapping[str, Any]
) -> tuple[dict[str, object], Callable[[], str]]:
    from zermelo.equilibrium.choose import solve_extensive

    if save is not None:
        save_game(game, save)
    options = {name: value for name, value in how.items() if value is not None}
    if "exploitability" in options:
        options["exploitability"] = read_target(options["exploitability"])
    if "exploitability" not in options and {"iterations", "seconds"} & set(options):
        options["exploitability"] = None

    def tell(point: Point) -> None:
        bar.text = f"iteration {point.iterations:,}, exploitability {point.exploitability:.2g}"

    found = solve_extensive(game, method, exact, tell, **options)
    return data_of(found), lambda: text_of(found)


def save_game(game: AnyGame | NormalForm, path: Path) -> None:
    """Writes a game as FILE.efg or FILE.nfg; under another name a tree in EFG and a table in NFG."""
    from zermelo.cli._answer import writing
    from zermelo.equilibrium import NormalForm, normal_form, write_efg, write_nfg

    table = isinstance(game, NormalForm)
    suffix = path.suffix.lower()
    if suffix == ".efg" or (suffix != ".nfg" and not table):
        text = write_efg(game)
    else:
        text = write_nfg(game if isinstance(game, NormalForm) else normal_form(game))
    with writing(path):
        path.write_text(text, encoding="utf-8")


def read_target(text: str) -> float | str:
    """A number, or a share of the pot as it stands."""
    from zermelo.errors import OptionError

    try:
        return text if text.endswith("%") else float(text)
    except ValueError:
        raise OptionError(f"--exploitability is a number, or a share of the pot as in 0.3%, not {text!r}") from None


def data_of(found: ExtensiveEquilibrium) -> dict[str, object]:
    from zermelo.equilibrium.range_strategy import RangeStrategy

    game = found.strategy.form.game
    data = {
        "title": game.name,
        "players": [game.player_name(p) for p in range(game.players)],
        "method": found.method,
        "exact": found.exact,
        "values": found.values,
        "value": found.value,
        "exploitability": found.exploitability,
        "iterations": found.iterations,
        "seconds": found.seconds,
        "stopped": found.stopped,
        "nodes": found.strategy.form.nodes,
    }
    if isinstance(found.strategy, RangeStrategy):
        from zermelo.cli._ranges import range_data

        data |= range_data(found.strategy)
    else:
        data["information_sets"] = len(found.strategy.form.sets)
        data["strategy"] = [
            {"player": p, "information_set": name, "actions": shares} for p, name, shares in found.strategy.rows()
        ]
    return data | {"curve": [list(point) for point in found.curve]}


def text_of(found: ExtensiveEquilibrium) -> str:
    from zermelo.equilibrium.numbers import say
    from zermelo.equilibrium.range_strategy import RangeStrategy
    from zermelo.search.trace.words import plural

    form = found.strategy.form
    if isinstance(found.strategy, RangeStrategy):
        from zermelo.cli._ranges import range_size, range_table, share_of_pot

        sizes, shown, pot = range_size(found.strategy), range_table(found.strategy), share_of_pot(found.strategy)
    else:
        sets = plural(len(found.strategy.form.sets), "information set", "information sets")
        sizes = f"{form.game.name}: {form.nodes:,} nodes, {sets}"
        shown, pot = table(found.strategy), ""
    values = ", ".join(f"{form.game.player_name(p)} {say(value)}" for p, value in enumerate(found.values))
    done = f"{found.method}, {found.iterations:,} iterations" if found.iterations else found.method
    gap = say(found.exploitability, 3) if found.exact else f"{found.exploitability:.2g}"
    ended = f", ended by {found.stopped}" if found.stopped else ""
    return "\n\n".join([sizes, f"values: {values}", shown, f"{done}: exploitability {gap}{pot}{ended}"])


def table(strategy: Strategy) -> str:
    """One line per action, player by player; the first information sets only where there are many."""
    from zermelo.equilibrium.numbers import say

    rows = sorted(strategy.rows(), key=lambda row: row[0])
    shown = rows[:MOST_SHOWN]
    names = max((len(name) for _, name, _ in shown), default=0)
    actions = max((len(action) for _, _, shares in shown for action in shares), default=0)
    lines, before = [], None
    for p, name, shares in shown:
        if p != before:
            lines.append(strategy.form.game.player_name(p))
            before = p
        for i, (action, share) in enumerate(shares.items()):
            label = name if i == 0 else ""
            number = say(share, 3 if isinstance(share, float) else 6)
            lines.append(
                f"  {label:<{names}}  {action:<{actions}}  {number:>6}  {'█' * round(BAR * float(share))}".rstrip()
            )
    if len(rows) > len(shown):
        lines.append(f"  … and {len(rows) - len(shown):,} more information sets: --json has all")
    return "\n".join(lines)
