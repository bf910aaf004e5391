"""Games written down as trees: the core has their rules, and a tree is data for them, so that nothing is compiled."""

from __future__ import annotations

import inspect
from array import array
from dataclasses import asdict, dataclass, fields
from typing import TypeGuard

from zermelo.engine.compiled import CompiledGame
from zermelo.engine.core import _core
from zermelo.engine.rules import layout
from zermelo.engine.rules.compiler import OPTIONAL, RULES
from zermelo.game.contract import AnyGame
from zermelo.game.tree import Tree


def is_written_down(game: AnyGame) -> TypeGuard[Tree]:
    """Whether `game` is a tree with the rules of `Tree`: a subclass may change what is shown, but no rule."""
    methods = ("initial", *RULES, *OPTIONAL.values())
    return (
        isinstance(game, Tree)
        and game.repetition is None
        and not game.simultaneous
        and all(inspect.getattr_static(game, name) is inspect.getattr_static(Tree, name) for name in methods)
    )


@dataclass(frozen=True, slots=True)
class TreeData:
    """A tree as the core takes it: columns with one entry a node, and facts."""

    movers: bytes
    first: bytes
    count: bytes
    probabilities: bytes
    payoffs: bytes
    estimates: bytes
    """Empty if the tree has none; so is `noisy`."""
    noisy: bytes
    players: int
    chance: bool
    draw: float
    bounds: tuple[float, float]
    neutral: float
    scale: float
    """0 if utilities are not whole points."""
    constant_sum: bool


def tree_data(game: Tree) -> TreeData:
    """The data of a tree as they are now."""
    return TreeData(
        movers=array("i", game.movers).tobytes(),
        first=array("i", game.first).tobytes(),
        count=array("i", game.count).tobytes(),
        probabilities=array("d", game.probabilities).tobytes(),
        payoffs=array("d", game.payoffs).tobytes(),
        estimates=array("d", game.estimates).tobytes() if game.has_estimates else b"",
        noisy=bytes(game.noisy) if game.has_noise else b"",
        players=game.players,
        chance=game.has_chance,
        draw=game.draw,
        bounds=game.bounds,
        neutral=game.neutral,
        scale=game.scale or 0.0,
        constant_sum=game.kind.constant_sum,
    )


class TreeRules(CompiledGame[Tree.State]):
    """The native side of a tree, which is as it was when this was made."""

    game: Tree

    def __init__(self, game: Tree):
        self.game = game
        self.layout = layout.infer(game.initial())
        self.data = tree_data(game)
        self.handle = _core.tree_table(**asdict(self.data))

    def changed(self) -> str:
        now = tree_data(self.game)
        names = (field.name for field in fields(now))
        return next((name for name in names if getattr(now, name) != getattr(self.data, name)), "")
