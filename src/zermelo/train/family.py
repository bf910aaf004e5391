"""What differs between the trainings of sum networks and of grid networks: who plays, and what learns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from zermelo.engine.network import AnyNetwork, network_of
from zermelo.engine.searcher import is_simulated
from zermelo.game import AnyGame
from zermelo.learn.learning import SumLearning
from zermelo.learn.records import RecordedGames
from zermelo.learn.selfplay import Exploration, SearchPlayer
from zermelo.train.settings import AnySettings, GridTrainingSettings, TrainingSettings


class Learner(Protocol):
    """Learns a network from recorded games."""

    fresh: int
    """Of the positions that were read last, those of the first file."""

    def read(
        self, games: Iterable[tuple[RecordedGames[Any], bool]], window: int, shares: tuple[float, float], seed: int
    ) -> int: ...
    def learn(self, passes: float, rate: float, seconds: float, told: Callable[[], None]) -> float: ...
    def network(self, record: Mapping[str, Any]) -> AnyNetwork: ...
    def take(self, network: AnyNetwork) -> bool: ...
    def save(self, path: Path) -> None: ...
    def load(self, path: Path) -> None: ...


class Family(Protocol):
    """How networks of one family are trained."""

    least_pairs: int
    """Of a test."""
    followed_score: float
    """A network that scores less in its test does not play itself; the best one does."""

    @property
    def shares(self) -> tuple[float, float, float]:
        """Of the time of a generation: playing, learning, testing."""
        ...

    @property
    def learned_share(self) -> float:
        """Of the positions of its games, those that are learned from."""
        ...

    def learner(self, game: AnyGame) -> Learner: ...

    def selfplay(self, game: AnyGame) -> dict[str, Any]:
        """The options of self-play that are the family's own."""
        ...

    def is_enough(self, game: AnyGame, positions: int) -> bool:
        """Whether a generation has so many positions of `game` that it learns from them before its time is over."""
        ...

    def is_taught(self, rules: AnyGame, number: int) -> bool:
        """Whether the evaluation made by hand plays the games of the generation with this number."""
        ...

    def tested(self, game: AnyGame) -> SearchPlayer:
        """Who plays a test between two networks."""
        ...

    def timed(self, game: AnyGame, seconds: float) -> SearchPlayer:
        """Who plays at equal time, so many seconds a move."""
        ...


GUIDED_SIMULATIONS = 512
"""Of a move in a test between networks that guide simulations."""
UNGUIDED = {"mix": 0.0, "judged_from": 0, "rave": 0.0}
"""In self-play every position is judged, so that the network sees what it gets wrong."""


def simulating(game: AnyGame, seconds: float) -> SearchPlayer:
    """Simulations, for so many seconds a move, unless the game has an evaluation made by hand."""
    simulated = is_simulated(game) or not game.can("evaluate")
    return SearchPlayer("mcts" if simulated else "auto", seconds=seconds)


class SumFamily:
    """Sum networks: alpha-beta plays, and the core learns."""

    shares = (0.6, 0.2, 0.2)
    learned_share = 1.0
    least_pairs = 20
    followed_score = 0.35
    BLOCK_GAMES = 128
    BLOCK_THREADS = 4
    """So many threads more, and a block has as many games more: all of them wait until it is on the disk."""
    NODES_SPREAD = 0.3
    SIMULATED_NODES = 16
    """A player without an evaluation plays itself by simulations, with so many times the nodes: playouts enter many."""

    def __init__(self, settings: TrainingSettings):
        self.settings = settings

    def learner(self, game: AnyGame) -> Learner:
        settings = self.settings
        return SumLearning(game, settings.width, settings.batch, settings.threads, settings.seed)

    def selfplay(self, game: AnyGame) -> dict[str, Any]:
        nodes = self.settings.nodes
        player = SearchPlayer(nodes=nodes)
        if network_of(game) is None and (is_simulated(game) or not game.can("evaluate")):
            player = SearchPlayer("mcts", nodes=self.SIMULATED_NODES * nodes)
        block = self.BLOCK_GAMES * -(-self.settings.threads // self.BLOCK_THREADS)
        ending = {name: getattr(self.settings, name) for name in ("ending_stage", "ending_nodes")}
        # Proved endings are played out: searches that begin before them ask what their positions are worth.
        ending["ends_proved"] = not self.settings.ending_nodes
        return {"player": player, "nodes_spread": self.NODES_SPREAD, "block_games": block, **ending}

    def is_enough(self, game: AnyGame, positions: int) -> bool:
        return False

    def is_taught(self, rules: AnyGame, number: int) -> bool:
        share = self.settings.taught_share
        return rules.can("evaluate") and not is_simulated(rules) and int((number + 1) * share) > int(number * share)

    def tested(self, game: AnyGame) -> SearchPlayer:
        if self.settings.guide:
            return SearchPlayer("mcts", simulations=GUIDED_SIMULATIONS)
        return SearchPlayer(nodes=2 * self.settings.nodes)

    def timed(self, game: AnyGame, seconds: float) -> SearchPlayer:
        if self.settings.guide:
            return simulating(game, seconds)
        return SearchPlayer("mcts" if is_simulated(game) else "auto", seconds=seconds)


class GridFamily:
    """Grid networks: Monte Carlo tree search plays.

    The first games are those of simulations with playouts, which are cheap: they say more than a network that has
    learned nothing. From then on the latest network plays."""

    SHARES, SHARES_WITH_GPU = (0.5, 0.33, 0.17), (0.75, 0.2, 0.05)
    least_pairs = 8
    followed_score = 0.0
    BLOCK_GAMES = 16
    FULL_SHARE, QUICK_PART = 0.25, 1 / 6
    NOISE = 10.0
    DRAWN_PLIES = 12
    PLAYOUTS_FACTOR = 8
    """As many more simulations have the first games."""
    MOST_FIRST_POSITIONS = 5_000
    """Of these games: those of a network are soon better."""

    def __init__(self, settings: GridTrainingSettings):
        self.settings = settings

    @property
    def shares(self) -> tuple[float, float, float]:
        """A GPU learns quickly, and plays thousands of games at once; tests are played without it."""
        from zermelo.learn.grid.learning import has_gpu

        return self.SHARES_WITH_GPU if has_gpu() else self.SHARES

    @property
    def learned_share(self) -> float:
        return self.FULL_SHARE + (1 - self.FULL_SHARE) * self.settings.quick_share

    def learner(self, game: AnyGame) -> Learner:
        from zermelo.learn.grid.learning import GridLearning

        settings = self.settings
        learning = GridLearning(
            game, settings.channels, settings.blocks, settings.batch, settings.threads, settings.seed
        )
        learning.quick_share = settings.quick_share
        return learning

    def selfplay(self, game: AnyGame) -> dict[str, Any]:
        judged = game.can("judge")
        simulations = self.settings.simulations * (1 if judged else self.PLAYOUTS_FACTOR)
        exploration = Exploration(
            visits=True,
            full_share=self.FULL_SHARE,
            quick_part=self.QUICK_PART,
            noise=self.NOISE if judged else 0.0,
            drawn_plies=self.DRAWN_PLIES,
        )
        alone = {**UNGUIDED, "c": self.settings.exploration}
        player = SearchPlayer("mcts", simulations=simulations, simulation=alone if judged else {})
        # Who has the cells in the end is seen in games that are played to their ends.
        ends = {"ends_proved": not game.can("owners")}
        return {"player": player, "exploration": exploration, "block_games": self.BLOCK_GAMES, **ends}

    def is_enough(self, game: AnyGame, positions: int) -> bool:
        return not game.can("judge") and positions >= self.MOST_FIRST_POSITIONS

    def is_taught(self, rules: AnyGame, number: int) -> bool:
        return False

    def tested(self, game: AnyGame) -> SearchPlayer:
        own = max(self.settings.simulations // 2, 1)
        return SearchPlayer("mcts", simulations=GUIDED_SIMULATIONS if self.settings.guide else own)

    def timed(self, game: AnyGame, seconds: float) -> SearchPlayer:
        return simulating(game, seconds)


def family_of(settings: AnySettings) -> Family:
    return GridFamily(settings) if isinstance(settings, GridTrainingSettings) else SumFamily(settings)
