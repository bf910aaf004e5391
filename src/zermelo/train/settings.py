"""The settings of a training, and the games that can be trained."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.analysis import Limits
from zermelo.engine.network import GUIDES
from zermelo.engine.searcher import Searcher
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.options import check_fields, choice, number, whole

SHORTEST_GENERATION_SECONDS = 20.0
SOLVING_NODES = 50_000
"""A game that this many nodes solve has nothing to learn."""
FINAL_SHARE = 0.1
"""Of the whole time: the match against what was there before."""
FULL_WINDOW_POSITIONS = 1_000_000
"""With more positions than that the window grows more slowly than they do, with this power of their number: the games
of the first hours are soon those of a beginner (Wu 2019)."""
WINDOW_POWER = 0.75


@dataclass(frozen=True, slots=True)
class CommonSettings:
    """What the trainings of all networks have."""

    minutes: float = 30.0
    generations: int = 16
    """How many the time is for; fewer in a short one."""
    opening_plies: int = 8
    """The most random actions at the start of a game."""
    score_share: float = 0.6
    """How much of what a network learns is the value found by the search; the rest is the result of the game."""
    first_share: float = 0.9
    """The same in games that were played before there was a network, by an evaluation made by hand or simulations."""
    window_share: float = 0.6
    """Of all positions, those that a generation learns from, the latest ones, …"""
    least_window: int = 200_000
    """… and at least so many."""
    passes: float = 16.0
    """How often each position is learned from, over all generations: more would be learned by heart."""
    rate: float = 0.004
    """The learning rate at the start of a generation."""
    batch: int = 2048
    move_seconds: float = 0.02
    """Of each side, in the match against what was there before."""
    final_share: float = FINAL_SHARE
    """Of the whole time, for that match; 0 for none."""
    guide: str = ""
    """How the network guides simulations with playouts, if it does: `playouts` or `rave`."""
    threads: int = 1
    seed: int = 0

    limits: ClassVar[Mapping[str, Any]] = {
        "minutes": number(0, 1e6, above=True),
        "generations": whole(1, 1000),
        "opening_plies": whole(0, 1000),
        "score_share": number(0, 1),
        "first_share": number(0, 1),
        "window_share": number(0, 1, above=True),
        "least_window": whole(1000, 1 << 32),
        "passes": number(0, 1000, above=True),
        "rate": number(0, 1, above=True),
        "batch": whole(16, 1 << 20),
        "move_seconds": number(0, 3600, above=True),
        "final_share": number(0, 0.9),
        "threads": whole(1, 1024),
        "seed": whole(0, (1 << 64) - 1),
    }

    def check(self) -> None:
        check_fields(self, dict(self.limits))
        if self.guide:
            choice(*GUIDES).check("guide", self.guide)

    @property
    def seconds(self) -> float:
        return 60 * self.minutes

    def window(self, positions: int) -> int:
        """How many positions to learn from: the first generations play worse than the later ones, and fall out."""
        beyond = max(positions / FULL_WINDOW_POSITIONS, 1.0)
        return max(self.least_window, int(self.window_share * positions * beyond ** (WINDOW_POWER - 1)))

    @property
    def generation_seconds(self) -> float:
        """How long a generation takes."""
        return max(self.seconds * (1 - self.final_share) / self.generations, SHORTEST_GENERATION_SECONDS)


@dataclass(frozen=True, slots=True)
class TrainingSettings(CommonSettings):
    """How a sum network is learned. The defaults suit a game of any kind on a small machine."""

    family: str = "sum"
    width: int = 64
    """Units of the network; 0 for a weighted sum of its inputs."""
    nodes: int = 200
    """Of a move in self-play."""
    taught_share: float = 0.0
    """Of the generations, those whose games are played by the evaluation made by hand, if there is one."""
    ending_stage: int = 0
    """From this stage of a game on, in a game with `stage`, …"""
    ending_nodes: int = 0
    """… a move of self-play has at least so many nodes, so that results are proved; 0 for no more than before."""

    limits: ClassVar[Mapping[str, Any]] = {
        **CommonSettings.limits,
        "width": whole(0, 1024),
        "nodes": whole(1, 1 << 40),
        "taught_share": number(0, 1),
        "ending_stage": whole(0, 1 << 16),
        "ending_nodes": whole(0, 1 << 40),
    }


@dataclass(frozen=True, slots=True)
class GridTrainingSettings(CommonSettings):
    """How a grid network is learned. The defaults suit boards of up to nine by nine on a small machine."""

    opening_plies: int = 4
    least_window: int = 10_000
    score_share: float = 0.3
    first_share: float = 0.3
    passes: float = 10.0
    rate: float = 0.003
    batch: int = 256
    family: str = "grid"
    channels: int = 32
    blocks: int = 4
    simulations: int = 96
    """Of a move in self-play that is searched in full."""
    exploration: float = 1.0
    """`c` of these searches: how much more often actions of little promise are tried."""
    quick_share: float = 1.0
    """Of the positions that were searched quickly, and have no visits for the policy, those that are learned from."""

    limits: ClassVar[Mapping[str, Any]] = {
        **CommonSettings.limits,
        "channels": whole(16, 256),
        "blocks": whole(0, 32),
        "simulations": whole(2, 1 << 20),
        "exploration": number(0, 1e6),
        "quick_share": number(0, 1),
    }

    def check(self) -> None:
        CommonSettings.check(self)
        if self.channels % 16:
            raise OptionError(f"channels must be a multiple of 16, not {self.channels}")


AnySettings = TrainingSettings | GridTrainingSettings
FAMILIES: Mapping[str, type[TrainingSettings] | type[GridTrainingSettings]] = {
    "sum": TrainingSettings,
    "grid": GridTrainingSettings,
}


def settings_of(family: str) -> type[TrainingSettings] | type[GridTrainingSettings]:
    """The class of the settings for a family of networks."""
    if family not in FAMILIES:
        raise OptionError(f"family must be one of {', '.join(FAMILIES)}, not {family!r}")
    return FAMILIES[family]


def check_trainable(game: AnyGame) -> None:
    """Refuses games that no network of this kind can learn, with the reason."""
    kind = game.kind
    if game.players != 2 or not kind.constant_sum:
        raise MethodError(f"{game.name} cannot be trained: networks learn games of two players with a constant sum")
    if kind.hidden or kind.simultaneous:
        raise MethodError(f"{game.name} cannot be trained: it hides information, and networks look at whole positions")
    if not all(math.isfinite(bound) for bound in game.bounds):
        raise MethodError(f"{game.name} cannot be trained: its `bounds` are not finite; say the least and the greatest")


def check_unsolved(game: AnyGame) -> None:
    """Refuses games that a short search solves."""
    found = Searcher(game, by_depth=True, quiet=True).search(game.initial(), Limits(nodes=SOLVING_NODES))
    if found.stopped == "interrupt":
        raise KeyboardInterrupt
    if found.exact:
        nodes = "one node" if found.nodes == 1 else f"{found.nodes:,} nodes"
        raise MethodError(f"{game.name} has nothing to learn: a search of {nodes} solves it")
