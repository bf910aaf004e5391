"""Self-play on native threads: games of a search against itself, as blocks of recorded games.

    with RecordWriter("games.bin", game) as writer:
        for block in SelfPlay(game, SelfPlayOptions(games=10_000, player=SearchPlayer(nodes=300))).blocks():
            writer.write(block)

A game follows from its number and the options, on any number of threads, as long as moves are limited by nodes or
simulations. It ends by the rules, or when a search has proved its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol

from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.engine import check_techniques
from zermelo.engine.mcts import core_settings, python_evaluator
from zermelo.engine.network import without_network
from zermelo.engine.parameters import check_parameters, core_pairs, pairs_for, parameters_for
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import S
from zermelo.options import check_fields, number, whole
from zermelo.search.mcts.settings import Budget, read_options, suited

METHODS = ("auto", "alphabeta", "expectation", "mcts")
LEAST_BYTES, MOST_BYTES = 256 << 10, 64 << 20
"""The memory of a player, where nothing else is said."""
BYTES_PER_NODE = {"mcts": 2048}
OTHER_BYTES_PER_NODE = 1024
"""What a node of a move takes in a table that serves a whole game; a node of a tree has all its children."""
BYTES_PER_ENDING_NODE = 64
"""… and in one that serves a single search."""
BYTES_PER_SIMULATION = 16384
"""… and a simulation has a node of a tree, which serves several moves."""


@dataclass(frozen=True, slots=True)
class SearchPlayer:
    """Who plays native games: a search, with limits per move."""

    method: str = "auto"
    """`alphabeta`, `expectation` (dice, many players), `mcts`; `auto` takes one of the first two, which fits."""
    nodes: int | None = None
    simulations: int | None = None
    """Of Monte Carlo tree search."""
    seconds: float | None = None
    memory_kb: int | None = None
    """Of the transposition table or the tree, for each thread; by default it follows from the nodes."""
    evaluates: bool = True
    """Whether it uses the game's evaluation."""
    switches: Mapping[str, bool] = field(default_factory=dict)
    """Techniques of alpha-beta that are switched on or off."""
    parameters: Mapping[str, float] | None = None
    """Margins and coefficients of alpha-beta, in place of those that came with the game."""
    simulation: Mapping[str, Any] = field(default_factory=dict)
    """Settings of Monte Carlo tree search."""

    def check(self) -> None:
        count = whole(1, 1 << 62, optional=True)
        limits = {"nodes": count, "simulations": count, "seconds": number(0, above=True, optional=True)}
        check_fields(self, {**limits, "memory_kb": whole(1, 1 << 30, optional=True)})
        if self.method not in METHODS:
            raise OptionError(f"method must be one of {', '.join(METHODS)}, not {self.method!r}")
        check_techniques(self.switches)
        check_parameters(self.parameters or {})
        if self.simulations is not None and self.method != "mcts":
            raise OptionError("simulations are those of Monte Carlo tree search: say method mcts, or give nodes")
        if self.nodes is None and self.simulations is None and self.seconds is None:
            raise OptionError("a player needs a limit for its moves: nodes, simulations or seconds")

    def to_core(self, game: AnyGame) -> _core.PlayerSettings:
        self.check()
        settings, budget = read_options(suited(game, self.simulation))
        if budget != Budget():
            raise OptionError(
                "the limits of a player are its nodes, simulations and seconds, not part of its simulation"
            )
        if python_evaluator(game, settings) is not None:
            raise OptionError("an evaluator in Python cannot be called by native threads: leave it out")
        per_node = BYTES_PER_NODE.get(self.method, OTHER_BYTES_PER_NODE)
        needed = [
            limit * each
            for limit, each in ((self.nodes, per_node), (self.simulations, BYTES_PER_SIMULATION))
            if limit is not None
        ]
        fitting = min(max(min(needed, default=MOST_BYTES), LEAST_BYTES), MOST_BYTES)
        return _core.PlayerSettings(
            method=_core.PlayMethod[self.method],
            nodes=self.nodes,
            simulations=self.simulations,
            seconds=self.seconds,
            table_bytes=fitting if self.memory_kb is None else self.memory_kb << 10,
            evaluates=self.evaluates,
            switches=dict(self.switches),
            parameters=parameters_for(game, self.parameters),
            depth_pairs=core_pairs(pairs_for(game)),
            mcts=core_settings(settings),
        )


@dataclass(frozen=True, slots=True)
class Exploration:
    """How games by simulations explore, and what they record for a policy to learn from."""

    visits: bool = False
    """Whether the visits of the actions are recorded."""
    full_share: float = 1.0
    """The share of moves that are searched in full, with noise, and recorded with their visits; the others …"""
    quick_part: float = 1.0
    """… have this part of the player's limits."""
    noise: float = 0.0
    """The weight of the Dirichlet noise at the root, shared among the actions; 0 for none."""
    noise_share: float = 0.25
    """Of the noise in the prior probabilities."""
    drawn_plies: int = 0
    """How many plies after the opening have an action that is drawn by its visits."""

    def check(self) -> None:
        share = number(0, 1)
        shares = {"full_share": share, "quick_part": share, "noise_share": share}
        check_fields(self, {**shares, "noise": number(0, 1e6), "drawn_plies": whole(0, 1 << 30)})

    def to_core(self) -> _core.ExplorationSettings:
        self.check()
        return _core.ExplorationSettings(
            visits=self.visits,
            full_share=self.full_share,
            quick_part=self.quick_part,
            noise=self.noise,
            noise_share=self.noise_share,
            drawn_plies=self.drawn_plies,
        )


@dataclass(frozen=True, slots=True)
class SelfPlayOptions(Generic[S]):
    """What to play."""

    player: SearchPlayer
    games: int
    first: int = 0
    """The number of the first game: another run goes on from there."""
    seed: int = 0
    threads: int = 1
    block_games: int = 256
    nodes_spread: float = 0.0
    """By which share the nodes of a move vary at random, up and down."""
    opening_plies: tuple[int, int] = (0, 0)
    """The least and the greatest number of random actions at the start of a game; those of chance do not count."""
    opening_weights: Sequence[float] = ()
    """The weight of each of these numbers; equal if empty."""
    variety_plies: int = 0
    """How many plies after the opening may have another action than the best, …"""
    variety_chance: float = 0.0
    """… how often, …"""
    variety_margin: float = 0.0
    """… and by how much utility it may be worse."""
    exploration: Exploration = Exploration()
    longest_plies: int = 1000
    """Longer games are draws."""
    ends_proved: bool = True
    """Whether a game ends when a search has proved its result."""
    ending_stage: int = 0
    """From this stage of a game on, if it has `stage`, …"""
    ending_nodes: int = 0
    """… a move has at least so many nodes, so that results are proved: then games end as they should; 0 for none."""
    starts: Sequence[S] = ()
    """The states in which games start, in turn; the initial state if empty."""

    def check(self) -> None:
        check_fields(
            self,
            {
                "games": whole(0, 1 << 62),
                "first": whole(0, 1 << 62),
                "seed": whole(0, (1 << 64) - 1),
                "threads": whole(1, 1024),
                "block_games": whole(1, 1 << 20),
                "nodes_spread": number(0, 0.99),
                "variety_plies": whole(0, 1 << 30),
                "variety_chance": number(0, 1),
                "variety_margin": number(0),
                "longest_plies": whole(1, 1 << 30),
                "ending_stage": whole(0, 1 << 16),
                "ending_nodes": whole(0, 1 << 62),
            },
        )
        check_opening(self.opening_plies, self.opening_weights)

    @property
    def fitting_player(self) -> SearchPlayer:
        """The player, with memory for its longest searches."""
        if not self.ending_nodes or self.player.memory_kb is not None:
            return self.player
        needed = min(max(self.ending_nodes * BYTES_PER_ENDING_NODE, LEAST_BYTES), MOST_BYTES)
        return replace(self.player, memory_kb=needed >> 10)


def check_opening(plies: tuple[int, int], weights: Sequence[float] = ()) -> None:
    """Refuses numbers of random plies, and their weights, that make no sense."""
    for each in plies:
        whole(0, 1 << 16).check("opening_plies", each)
    for weight in weights:
        number(0).check("opening_weights", weight)
    if len(plies) != 2 or plies[0] > plies[1]:
        raise OptionError(f"opening_plies are the least and the greatest number, as (4, 8), not {plies}")
    if weights and (len(weights) != plies[1] - plies[0] + 1 or not any(weights)):
        raise OptionError(f"opening_weights are {plies[1] - plies[0] + 1} numbers for {plies}, not all of them 0")


class Judge(Protocol):
    """Judges positions for the core."""

    core: _core.Judge


class SelfPlay(Generic[S]):
    """A run of self-play; one call at a time, but its counters can be read at any moment."""

    def __init__(self, game: Game[S], options: SelfPlayOptions[S], judge: Judge | None = None):
        """A `judge` judges the positions of its network's games in batches, in place of the network."""
        options.check()
        self.compiled = compile_game(game if judge is None else without_network(game))
        player, exploration = options.fitting_player.to_core(game), options.exploration.to_core()
        try:
            self._core = _core.SelfPlay(
                self.compiled.handle,
                player,
                games=options.games,
                first=options.first,
                seed=options.seed,
                threads=options.threads,
                block_games=options.block_games,
                nodes_spread=options.nodes_spread,
                least_plies=options.opening_plies[0],
                most_plies=options.opening_plies[1],
                weights=list(options.opening_weights),
                variety_plies=options.variety_plies,
                variety_chance=options.variety_chance,
                variety_margin=options.variety_margin,
                exploration=exploration,
                longest_plies=options.longest_plies,
                ends_proved=options.ends_proved,
                ending_stage=options.ending_stage,
                ending_nodes=options.ending_nodes if game.can("stage") else 0,
                occurrences=game.occurrences,
                initial=self.compiled.pack(game.initial()),
                starts=[self.compiled.pack(state) for state in options.starts],
                endings=self.compiled.tables,
                judge=None if judge is None else judge.core,
            )
        except ValueError as error:
            raise MethodError(f"{game.name} cannot be played natively: {error}") from error

    @property
    def games(self) -> int:
        """Games that are complete."""
        return self._core.games

    @property
    def positions(self) -> int:
        """Positions searched."""
        return self._core.positions

    @property
    def nodes(self) -> int:
        return self._core.nodes

    @property
    def overhead(self) -> float:
        """The time spent beside searching, as a share of the time of the searches."""
        return self._core.total_seconds / self._core.search_seconds - 1 if self._core.search_seconds else 0.0

    def blocks(self, stop: Callable[[], bool] | None = None) -> Iterator[bytes]:
        """The games, a block at a time and in order.

        After a `stop` or Ctrl-C the last block has the games that are complete; then Ctrl-C is raised.
        """
        while (block := self.compiled.guard(self._core.next_block, stop)) is not None:
            yield block
        if self._core.stopped == "interrupt":
            raise KeyboardInterrupt
