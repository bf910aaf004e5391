"""What `zermelo equilibrium` says about a game of ranges: what each class of hands does at each public choice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from zermelo.equilibrium.range_strategy import ClassRow

if TYPE_CHECKING:
    from zermelo.equilibrium.range_strategy import RangeStrategy

MOST_CLASSES = 13
"""Of hands, at a choice, in a table for people."""
MOST_CHOICES = 6
SELDOM = 1e-3
"""A class of hands that comes to a choice less often than this is not shown."""


def range_data(strategy: RangeStrategy) -> dict[str, object]:
    """The table of the first street, by class; of every hand it is in Python, as `strategy.rows()`."""
    form = strategy.form
    return {
        "boards": len(form.boards),
        "hands": [len(own) for own in form.hands],
        "information_sets": sum(form.rows(choice)[2] for choice in form.choices()),
        "strategy": [
            {"player": row.player, "choice": row.name, "hand": row.kind, "weight": row.weight, "actions": row.shares}
            for row in strategy.classes()
        ],
    }


def range_size(strategy: RangeStrategy) -> str:
    form = strategy.form
    hands = " against ".join(f"{len(own):,}" for own in form.hands)
    boards = f" on {len(form.boards):,} boards" if len(form.boards) > 1 else ""
    return f"{form.game.name}: {hands} hands, {form.nodes:,} public nodes{boards}"


def share_of_pot(strategy: RangeStrategy) -> str:
    return f", {100 * strategy.exploitability / strategy.form.game.pot:.2g} % of the pot"


def range_table(strategy: RangeStrategy) -> str:
    """The first choices of the first street: one line per class of hands, only the most frequent classes."""
    blocks = [list(rows) for _, rows in groupby(strategy.classes(), key=lambda row: (row.player, row.name))]
    parts = ["\n".join(_block(strategy, rows)) for rows in blocks[:MOST_CHOICES]]
    if len(blocks) > MOST_CHOICES:
        parts.append(f"… and {len(blocks) - MOST_CHOICES:,} more choices: --json has all of this street")
    return "\n\n".join(parts)


def _block(strategy: RangeStrategy, rows: list[ClassRow]) -> Iterator[str]:
    line = rows[0].name.removeprefix("?").strip()
    actions = list(rows[0].shares)
    met = [row for row in rows if row.weight > SELDOM]
    step = max(1, -(-len(met) // MOST_CLASSES))
    shown = met[::step]
    yield f"{strategy.form.game.player_name(rows[0].player)}{' after ' + line if line else ''}"
    wide = max([len(row.kind) for row in shown] + [3])
    yield "  " + " " * wide + "".join(f"  {action:>7}" for action in actions)
    total = sum(row.weight for row in rows)
    if total > 0:
        means = [sum(row.weight * row.shares[action] for row in rows) / total for action in actions]
        yield f"  {'all':<{wide}}" + "".join(
            f"  {mean:>{max(7, len(action))}.3f}" for mean, action in zip(means, actions, strict=True)
        )
    for row in shown:
        numbers = "".join(f"  {row.shares[action]:>{max(7, len(action))}.3f}" for action in actions)
        yield f"  {row.kind:<{wide}}{numbers}"
    if step > 1:
        yield f"  … one class in {step}: --json has all"
