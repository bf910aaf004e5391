"""From a game that was played to rows of positions: one for each action that a player chose.

The columns of a game are the same in every file of it. Where its states are flat, as compiled ones are, each number of
a state has a column, and each array one of lists, in C order; the text of the position is there for every game.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.arena.fixture import Fixture, Outcome
from zermelo.arena.openings import Opening
from zermelo.engine.rules.layout import Array, Layout, Scalar, infer, leaves, pack
from zermelo.errors import ContractError, ZermeloError
from zermelo.game import CHANCE, Game

PLAIN = {
    "game": "int64",
    "seed": "int64",
    "ply": "int32",
    "player": "text",
    "mover": "int32",
    "position": "text",
    "action": "int64",
    "move": "text",
    "value": "float64",
    "depth": "int32",
    "nodes": "int64",
    "seconds": "float64",
    "result": "float64",
    "reason": "text",
}
"""The columns that every game has, and what they hold."""
KINDS = {"int": "int64", "word": "uint64", "float": "float64", "bool": "bool"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: a number, a text or a list of numbers of one length in each row."""

    name: str
    kind: str
    length: int | None = None


class Rows:
    """Makes rows of the games of one kind."""

    def __init__(self, game: Game):
        self.game = game
        self.layout = _flat(game.initial())
        self.leaves = [] if self.layout is None else [(_name(leaf), leaf) for leaf in leaves(self.layout)]
        self.columns = [Column(name, kind) for name, kind in PLAIN.items()]
        self.columns += [_column(name, leaf) for name, leaf in self.leaves]

    def of(self, fixture: Fixture, outcome: Outcome, opening: Opening) -> Iterator[dict[str, Any]]:
        """The rows of one game; its opening has none, as nobody chose it."""
        game, record = self.game, outcome.record
        state, history = opening.reach(game) if record.actions else (None, [])
        for i, stored in enumerate(record.actions):
            mover, action = game.player(state), _find(game, state, stored)
            if mover != CHANCE:
                yield {
                    "game": fixture.number,
                    "seed": fixture.seed,
                    "ply": len(history) + i,
                    "player": record.players[mover],
                    "mover": mover,
                    "position": game.write(state),
                    "action": action if _is_number(action) else None,
                    "move": record.moves[i],
                    "value": _finite(record.values[i]),
                    "depth": record.depths[i],
                    "nodes": record.nodes[i],
                    "seconds": record.seconds[i],
                    "result": None if record.utilities is None else _finite(record.utilities[mover]),
                    "reason": record.reason,
                    **self._fields(state),
                }
            state = game.result(state, action)

    def _fields(self, state: Any) -> dict[str, Any]:
        if self.layout is None:
            return {}
        data = pack(self.layout, state)
        return {name: _plain(leaf.unpack(data)) for name, leaf in self.leaves}


def _flat(state: Any) -> Layout | None:
    """The layout of a game's states; none where they hold anything but numbers."""
    try:
        return infer(state)
    except ZermeloError:
        return None


def _column(name: str, leaf: Scalar | Array) -> Column:
    if isinstance(leaf, Scalar):
        return Column(name, KINDS[leaf.kind])
    kinds = {"i": "int64", "u": "uint64", "f": "float64", "b": "bool"}
    return Column(name, kinds[leaf.dtype[1]], math.prod(leaf.shape))


def _name(leaf: Scalar | Array) -> str:
    """`state.mine` for the field `mine`, `state.piles[2]` for the third number of the tuple `piles`."""
    dot, bracket = leaf.path.find("."), leaf.path.find("[")
    at = min((place for place in (dot, bracket) if place >= 0), default=len(leaf.path))
    return f"state{leaf.path[at:]}"


def _plain(value: Any) -> Any:
    return value.ravel().tolist() if hasattr(value, "ravel") else value


def _finite(value: float | None) -> float | None:
    """`value` as a number that every format can hold."""
    return None if value is None or not math.isfinite(value) else float(value)


def _is_number(action: Any) -> bool:
    return isinstance(action, int) and -(1 << 63) <= action < 1 << 63


def _find(game: Game, state: Any, stored: Any) -> Any:
    """The action that was stored as `stored`: a number or a text as it is, anything else as Python writes it."""
    if isinstance(stored, int):
        return stored
    for action in game.actions(state):
        if action == stored or repr(action) == stored:
            return action
    raise ContractError(f"{game.name} has no action {stored} in {game.write(state)}: have its rules changed since?")
