"""The training of one game: generations of playing, learning and testing until the time is over."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.analysis import Limits
from zermelo.arena.host import versions
from zermelo.arena.statistics import Estimate, Rating, Sprt, elo_from_pairs
from zermelo.engine.compiled import compile_game
from zermelo.engine.network import Network, with_network, without_network
from zermelo.engine.searcher import Searcher, is_simulated
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.learning import Learning
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train.curve import draw_curve, elo_so_far
from zermelo.train.folder import Generation, State, TrainingFolder
from zermelo.train.settings import (
    FINAL_SHARE,
    LEARNING_SHARE,
    SELFPLAY_SHARE,
    TEST_SHARE,
    TrainingSettings,
    check_trainable,
)

LEAST_POSITIONS = 500
"""A generation plays on until it has found at least this many positions to learn from."""
MOST_SHORT_GAMES = 2_000
"""… unless there are fewer in so many games."""
LEAST_TEST_PAIRS, MOST_TEST_PAIRS = 20, 2000
BLOCK_GAMES = 128
NODES_SPREAD = 0.3
SOLVING_NODES = 50_000
"""A game that this many nodes solve needs no network."""
LONGEST_GAME_PLIES = 400
TEST = Sprt(0, 20)
"""A new network is kept if it is stronger by 20 Elo rather than by none."""
SHOWN_PLIES = (0, 4, 8, 12, 16, 20)
"""The fixed positions whose values are kept lie so many plies into a random game."""

Stop = Callable[[], bool]


def with_margin(elo: float, margin: float) -> str:
    """`+148 ± 30`."""
    return f"{elo:+.0f} ± {margin:.0f}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a training is doing."""

    phase: str
    """`playing`, `learning`, `testing`, `matching` or `over`."""
    generation: int
    games: int
    positions: int
    loss: float | None
    elo: Rating | None
    """Against what was there before, by the tests so far."""
    seconds_left: float

    def line(self) -> str:
        """`generation 3, testing: 5,120 games, 180,344 positions, loss 0.5831, Elo +148 ± 30, 12:40 left`."""
        parts = [f"{self.games:,} games", f"{self.positions:,} positions"]
        if self.loss is not None:
            parts.append(f"loss {self.loss:.4f}")
        if self.elo is not None:
            parts.append(f"Elo {with_margin(self.elo.elo, (self.elo.high - self.elo.low) / 2)}")
        minutes, seconds = divmod(math.ceil(max(self.seconds_left, 0)), 60)
        return f"generation {self.generation}, {self.phase}: {', '.join(parts)}, {minutes}:{seconds:02} left"


@dataclass(frozen=True, slots=True)
class Summary:
    """How a training ended."""

    network: Path | None
    """`None` if nothing stronger than before was found."""
    elo: Estimate | None
    """In the match against what was there before."""
    games: int
    positions: int
    generations: int
    kept: int
    curve: Path

    def line(self) -> str:
        """`+148 ± 30 Elo over what you had, 212 games`."""
        if self.network is None or self.elo is None:
            return f"nothing stronger than what you had was found in {self.games:,} games; try more minutes"
        return f"{with_margin(self.elo.elo, self.elo.margin)} Elo over what you had, {self.elo.games:,} games"


class Training:
    """Trains the game that `text` names; the network goes to the file `out`."""

    def __init__(self, text: str, out: str | Path, settings: TrainingSettings, told: Callable[[Moment], None]):
        settings.check()
        self.out = Path(out)
        self.before = load(text)
        """The game as it is played without the training."""
        self.rules = without_network(self.before)
        check_trainable(self.rules)
        found = Searcher(self.rules, by_depth=True, quiet=True).search(
            self.rules.initial(), Limits(nodes=SOLVING_NODES)
        )
        if found.exact:
            raise MethodError(f"{self.rules.name} has nothing to learn: a search of {found.nodes:,} nodes solves it")
        self.settings = settings
        self.folder = TrainingFolder(self.out.with_suffix(".training"))
        self.state = self._begin(text)
        self.told = told
        self.learning = Learning(self.rules, settings.width, settings.batch, settings.threads, settings.seed)
        self.best: AnyGame = self.before
        if self.folder.best.exists():
            self.best = with_network(self.rules, Network.read(self.folder.best))
        if self.folder.learner.exists():
            self.learning.load(self.folder.learner)
        self._clock = time.monotonic()

    def _begin(self, text: str) -> State:
        """A new training, or the one in the folder, which goes on with its own settings for as long as is asked for."""
        found = self.folder.load()
        if found is None:
            return State(text, dataclasses.asdict(self.settings))
        if found.game != text:
            raise InputError(f"{self.folder.path} holds the training of {found.game}: give another --out")
        own = {name: value for name, value in found.settings.items() if name not in ("minutes", "threads")}
        try:
            self.settings = dataclasses.replace(self.settings, **own)
        except TypeError as error:
            raise InputError(f"{self.folder.path} holds a training of another version: {error}") from None
        if found.seconds >= self.settings.seconds:
            raise OptionError(
                f"this training has had its {found.seconds / 60:.0f} minutes: say more, as in "
                f"--minutes {math.ceil(2 * found.seconds / 60)}, or remove {self.folder.path} to begin anew"
            )
        found.final_counts = [0] * 5
        return found

    def run(self, stop: Stop = lambda: False) -> Summary:
        """Trains until the time is over, or `stop` says so; Ctrl-C ends it likewise, and nothing is lost."""
        try:
            while not stop() and self.seconds_left > self._reserved_seconds:
                self._generation(stop)
            if self.best is not self.before:
                self._final_match(stop)
        finally:
            self._save()
        return self.summary()

    def summary(self) -> Summary:
        state = self.state
        decided = [each for each in state.generations if each.kept is not None]
        elo = elo_from_pairs(state.final_counts) if sum(state.final_counts) else None
        return Summary(
            self.out if self.best is not self.before else None,
            elo,
            state.games,
            state.positions,
            len(decided),
            sum(bool(each.kept) for each in decided),
            self.folder.curve,
        )

    @property
    def seconds_left(self) -> float:
        return self.settings.seconds - self.state.seconds - (time.monotonic() - self._clock)

    @property
    def _reserved_seconds(self) -> float:
        """For the last match, if there is something to match."""
        return FINAL_SHARE * self.settings.seconds if self.best is not self.before else 0.0

    # One generation.

    def _generation(self, stop: Stop) -> None:
        generations = self.state.generations
        if not generations or generations[-1].kept is not None:
            generations.append(Generation(len(generations)))
        current = generations[-1]
        seconds = min(self.settings.generation_seconds, self.seconds_left - self._reserved_seconds)
        self._play(current, self._until(SELFPLAY_SHARE * seconds, stop))
        self._save()
        if stop():
            return
        candidate = self._learn(current, LEARNING_SHARE * seconds)
        if stop():
            return
        self._test(current, candidate, self._until(TEST_SHARE * seconds, stop))
        if not stop():
            self._decide(current, candidate)

    def _play(self, current: Generation, stop: Stop) -> None:
        """Games of the best so far against itself, added to those of the generation that are there already."""
        path = self.folder.games(current.number)
        options: SelfPlayOptions[Any] = SelfPlayOptions(
            SearchPlayer(nodes=self.settings.nodes),
            games=1 << 40,
            first=current.games,
            seed=self.settings.seed + (current.number << 32),
            threads=self.settings.threads,
            block_games=BLOCK_GAMES,
            nodes_spread=NODES_SPREAD,
            opening_plies=(0, self.settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        with self.folder.writing():
            self.folder.path.mkdir(parents=True, exist_ok=True)
        selfplay = SelfPlay(self.best, options)
        positions = current.positions
        with RecordWriter(path, self.rules, self.state.game) as writer:

            def is_enough() -> bool:
                return stop() and (
                    positions + selfplay.positions >= LEAST_POSITIONS or selfplay.games >= MOST_SHORT_GAMES
                )

            for block in selfplay.blocks(is_enough):
                writer.write(block)
                current.positions = positions + selfplay.positions
                self._tell("playing")
                if is_enough():
                    break
        current.games = len(RecordedGames(path, self.rules))

    def _learn(self, current: Generation, seconds: float) -> Network:
        """A network from the latest games."""
        self._tell("learning")
        found = self.learning.read(self._latest_games(), self.settings.window, self.settings.score_share)
        if found < LEAST_POSITIONS:
            raise MethodError(
                f"{self.rules.name} gives too little to learn from: its games are over, or decided, after a few actions"
            )
        current.loss = self.learning.learn(
            self.settings.passes, self.settings.rate, seconds, lambda: self._tell("learning")
        )
        with self.folder.writing():
            self.learning.save(self.folder.learner)
        return self.learning.network(self._record())

    def _latest_games(self) -> Iterator[RecordedGames[Any]]:
        """The games of all generations, the latest first."""
        for each in reversed(self.state.generations):
            if each.games:
                yield RecordedGames(self.folder.games(each.number), self.rules)

    def _test(self, current: Generation, candidate: Network, stop: Stop) -> None:
        """Pairs of games against the best so far, until the sequential test or the time ends them."""
        challenger = with_network(self.rules, candidate)
        current.counts = [0] * 5
        against_itself = self.best is not self.before
        player = SearchPlayer(nodes=2 * self.settings.nodes) if against_itself else self._timed(challenger)
        other = player if against_itself else self._timed(self.before)
        options: MatchOptions[Any] = MatchOptions(
            player,
            other,
            pairs=MOST_TEST_PAIRS,
            seed=self.settings.seed + current.number,
            threads=self.settings.threads,
            opening_plies=(0, self.settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        match = Match(challenger, self.best, options)
        for pair in match.play(lambda: stop() and sum(current.counts) >= LEAST_TEST_PAIRS):
            current.counts[pair.half_points] += 1
            self._tell("testing")
            if TEST.decision(current.counts):
                return

    def _decide(self, current: Generation, candidate: Network) -> None:
        """Keeps what won the test, or led when its time was over."""
        current.kept = TEST.llr(current.counts) > 0
        challenger = with_network(self.rules, candidate)
        current.values = [challenger.evaluate(state, 0) for state in self._shown_states()]
        if current.kept:
            with self.folder.writing():
                candidate.write(self.folder.best)
                candidate.write(self.out)
            self.best = challenger
        self._save()

    def _final_match(self, stop: Stop) -> None:
        """The best against what was there before, at equal time."""
        options: MatchOptions[Any] = MatchOptions(
            self._timed(self.best),
            self._timed(self.before),
            pairs=MOST_TEST_PAIRS,
            seed=self.settings.seed + (1 << 31),
            threads=self.settings.threads,
            opening_plies=(0, self.settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        counts = self.state.final_counts
        is_late = self._until(self.seconds_left, stop)
        for pair in Match(self.best, self.before, options).play(
            lambda: is_late() and (stop() or sum(counts) >= LEAST_TEST_PAIRS)
        ):
            counts[pair.half_points] += 1
            self._tell("matching")

    # What the phases share.

    def _timed(self, game: AnyGame) -> SearchPlayer:
        """The player that a game has by default, with a time for each move."""
        return SearchPlayer("mcts" if is_simulated(game) else "auto", seconds=self.settings.move_seconds)

    def _until(self, seconds: float, stop: Stop) -> Stop:
        deadline = time.monotonic() + seconds
        return lambda: time.monotonic() > deadline or stop()

    def _shown_states(self) -> list[Any]:
        """The same few positions in every generation."""
        compiled = compile_game(self.rules)
        state, found = self.rules.initial(), []
        chance = np.random.default_rng(self.settings.seed)
        for ply in range(max(SHOWN_PLIES) + 1):
            if self.rules.is_terminal(state):
                break
            if ply in SHOWN_PLIES:
                found.append(state)
            actions = list(self.rules.actions(state))
            state = compiled.step(state, actions[chance.integers(len(actions))]).state
        return found

    def _record(self) -> dict[str, Any]:
        """How the network was made."""
        return {
            "command": f"zermelo train {self.state.game} --minutes {self.settings.minutes:g}",
            **versions(),
            "generation": len(self.state.generations),
            "games": self.state.games,
            "positions": self.state.positions,
            "settings": dataclasses.asdict(self.settings),
        }

    def _tell(self, phase: str) -> None:
        current = self.state.generations[-1]
        state = self.state
        elo = elo_so_far(state)
        self.told(Moment(phase, current.number + 1, state.games, state.positions, current.loss, elo, self.seconds_left))

    def _save(self) -> None:
        now = time.monotonic()
        self.state.seconds += now - self._clock
        self._clock = now
        self.folder.save(self.state)
        self.folder.write(self.folder.curve, draw_curve(self.state))
