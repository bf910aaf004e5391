"""`zermelo resolve`: continual re-solving, step by step, and how much it can be exploited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress
from zermelo.cli._options import find_start, game_argument
from zermelo.cli._values import measure_play
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.equilibrium.public_tree import PublicTree
    from zermelo.equilibrium.resolving import Resolver
    from zermelo.equilibrium.steps import ShownStep
    from zermelo.equilibrium.strategies import Strategy
    from zermelo.game import AnyGame

MOST_HANDS = 13
"""Of each player, in a table for people."""


@click.command()
@game_argument
@click.option("--moves", metavar="LIST", help="Moves from the start, deals included, to the choice that is looked at.")
@click.option("--iterations", metavar="N", type=click.IntRange(1), help="At a choice.  [default: 1000, poker 100]")
@click.option("--unsafe", is_flag=True, help="Believe in the opponent's range as solved before.")
@click.option("--depth", metavar="N", type=click.IntRange(1), help="Choices to look ahead; all if not said.")
@click.option("--rounds", metavar="N", type=click.IntRange(1), help="Deals to look ahead; all if not said.")
@click.option("--values", metavar="FILE", help="What hands are worth there, by a network of `zermelo train`.")
@click.option("--measure", is_flag=True, help="Say how much the player can be exploited, exactly or by playing hands.")
@click.option("--against", default="", metavar="NAMES", help="Whom it is measured against, in whole hands of poker.")
@click.option("--hands", type=click.IntRange(2), default=100, show_default=True, help="Of that measure.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of their cards.")
@answers
def command(
    game: str,
    moves: str | None,
    iterations: int | None,
    unsafe: bool,
    depth: int | None,
    rounds: int | None,
    values: str | None,
    measure: bool,
    **played: Any,
) -> Answer:
    """Re-solve GAME as it is played, and show each step: ranges, values, and the strategy of each hand.

    As in: zermelo resolve leduc --moves "Q♠ K♥ bet". With --measure it says how much the player can be exploited:
    exactly where all public states can be walked, and in whole hands of poker by what simple opponents and the local
    best response win.
    """
    from zermelo.equilibrium.public_tree import PublicTree
    from zermelo.equilibrium.resolving import ITERATIONS, Resolver, Resolving, resolved
    from zermelo.equilibrium.steps import show_way
    from zermelo.learn.range_values import RangeNetwork

    start = find_start(game, moves, None)
    rules = start.game
    if rules.can("own_resolving"):
        if not measure or moves or depth or rounds:
            raise InputError(f"{rules.name} is too large to be shown: say --measure, and no moves or depth")
        given = {} if iterations is None else {"iterations": iterations}
        how = {"safe": not unsafe, "values": values, **given}
        return measure_play(rules, how, played["against"], played["hands"], played["seed"])
    settings = Resolving(iterations or ITERATIONS, not unsafe, depth, rounds)
    with progress(f"re-solving {rules.name}") as bar:
        tree = PublicTree(rules)
        if values is not None:
            settings.values = RangeNetwork.read(tree, values)
        if measure:

            def tell(share: float) -> None:
                bar.text = f"{share:.0%} of the public states"

            data = _measure(tree, resolved(tree, settings, tell))
            return Answer(data, lambda: _measured(data))
        history = _first_choice(rules, [*start.history, start.state], moves is None)
        resolver = Resolver(tree, rules.player(history[-1]), settings)
        steps = show_way(resolver, history)
    return Answer(
        {"game": rules.name, "player": resolver.p, "steps": [_data(step) for step in steps]},
        lambda: "\n\n".join(_text(resolver, step) for step in steps),
    )


def _first_choice(rules: AnyGame, states: list[Any], deal: bool) -> list[Any]:
    """The states up to a choice; `deal` whatever comes first if there is none yet."""
    from zermelo.game import CHANCE

    found = list(states)
    while deal and not rules.is_terminal(found[-1]) and rules.player(found[-1]) == CHANCE:
        found.append(rules.result(found[-1], next(iter(rules.actions(found[-1])))))
    if rules.is_terminal(found[-1]) or rules.player(found[-1]) == CHANCE:
        raise InputError("nobody chooses after these moves: add the deal, or stop at a choice")
    return found


def _measure(tree: PublicTree, found: Strategy) -> dict[str, Any]:
    return {
        "game": tree.game.name,
        "public_states": len(tree.states),
        "information_sets": len(tree.form.sets),
        "values": found.values,
        "exploitability": found.exploitability,
    }


def _measured(data: dict[str, Any]) -> str:
    return (
        f"{data['game']}: {data['public_states']:,} public states, {data['information_sets']:,} information sets\n"
        f"exploitability of the player as it plays: {data['exploitability']:.3g}"
    )


def _data(step: ShownStep) -> dict[str, object]:
    return {
        "after": step.name,
        "hands": [row._asdict() for row in step.hands],
        "opponent": [row._asdict() for row in step.others],
    }


def _text(resolver: Resolver, step: ShownStep) -> str:
    rules, p = resolver.tree.game, resolver.p
    lines = [f"after {step.name}" if step.name != "the start" else "at the start"]
    actions = list(next((row.actions for row in step.hands if row.actions), {}))
    wide = max([len(row.name) for row in step.hands] + [len(other.name) for other in step.others] + [8])
    heads = "".join(f"  {name:>7}" for name in actions)
    lines.append(f"  {rules.player_name(p):<{wide}}  range    value{heads}")
    for row in step.hands[:MOST_HANDS]:
        shares = "".join(f"  {row.actions[name]:>{max(7, len(name))}.3f}" for name in actions if row.actions)
        lines.append(f"  {row.name:<{wide}}  {row.share:5.3f}  {_number(row.value)}{shares}".rstrip())
    lines.append(f"  {rules.player_name(1 - p):<{wide}}  range  held to  gets")
    for other in step.others[:MOST_HANDS]:
        numbers = f"{_number(other.promised)}  {_number(other.value)}"
        lines.append(f"  {other.name:<{wide}}  {other.share:5.3f}  {numbers}".rstrip())
    hidden = max(len(step.hands), len(step.others)) - MOST_HANDS
    return "\n".join([*lines, *([f"  … and {hidden} more hands: --json has all"] if hidden > 0 else [])])


def _number(value: float | None) -> str:
    return "      –" if value is None else f"{value:7.3f}"
