"""Some games of a training as a job for an executor: a part of a run of self-play, or of a match.

A worker knows the game by its text, and networks by their content, since files change in the course of a training.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from zermelo.engine.network import learned_as, network_of, with_network, without_network
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.selfplay import SelfPlay, SelfPlayOptions

if TYPE_CHECKING:
    from zermelo.arena.host import Host

KEPT_GAMES = 4
"""Games with their networks that a worker keeps: two for a match, and those before them."""

RunOptions: TypeAlias = SelfPlayOptions[Any] | MatchOptions[Any]


class PlayedPair(NamedTuple):
    """A pair of games of a match."""

    half_points: int


class GamesOutcome(NamedTuple):
    """What came of a job."""

    number: int
    games: int
    """Games, or pairs of a match."""
    positions: int
    seconds: float
    results: tuple[Any, ...]
    """Blocks of recorded games, or pairs."""


@dataclass(frozen=True, slots=True)
class GamesJob:
    """All that a worker needs, as text, bytes and numbers."""

    number: int
    game: str
    networks: tuple[bytes | None, ...]
    """Of the player, or of both players of a match."""
    options: RunOptions

    @property
    def title(self) -> str:
        return f"{count_of(self.options)} games of {self.game} from number {self.options.first} on"

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.game,)

    def play(self, _host: Host) -> GamesOutcome:
        games = [evaluated(self.game, network) for network in self.networks]
        if isinstance(self.options, SelfPlayOptions):
            selfplay = SelfPlay(games[0], self.options)
            return self._outcome(selfplay, selfplay.blocks())
        match = Match(games[0], games[1], self.options)
        return self._outcome(match, (PlayedPair(pair.half_points) for pair in match.play()))

    def _outcome(self, run: SelfPlay[Any] | Match[Any], playing: Iterator[Any]) -> GamesOutcome:
        start = time.perf_counter()
        results = tuple(playing)
        return GamesOutcome(self.number, count_of(self.options), run.positions, time.perf_counter() - start, results)


def count_of(options: RunOptions) -> int:
    """How many games, or pairs of a match."""
    return options.games if isinstance(options, SelfPlayOptions) else options.pairs


def part_of(options: RunOptions, first: int, count: int) -> RunOptions:
    """The same, of `count` games or pairs from `first` on, on one thread."""
    if isinstance(options, SelfPlayOptions):
        return replace(options, first=first, games=count, block_games=count, threads=1)
    return replace(options, first=first, pairs=count, threads=1)


def pack_network(game: AnyGame) -> bytes | None:
    """The content of the network that evaluates `game`, if one does."""
    network = network_of(game)
    return None if network is None else pickle.dumps(network)


@lru_cache(maxsize=KEPT_GAMES)
def evaluated(text: str, network: bytes | None) -> AnyGame:
    """The game that `text` names, evaluated by `network` or by hand."""
    rules = load_rules(text)
    return rules if network is None else with_network(rules, pickle.loads(network))


@lru_cache(maxsize=1)
def load_rules(text: str) -> AnyGame:
    return without_network(learned_as(load(text)))
