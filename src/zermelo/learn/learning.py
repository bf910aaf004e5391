"""A network that learns from recorded games: what it reads, how long it learns, and what comes of it."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any, Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.identity import identify
from zermelo.engine.network import WEIGHTS, AnyNetwork, Network, Sh, Shape
from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.errors import InputError, MethodError
from zermelo.game import AnyGame
from zermelo.learn.inputs import derive_shape, sample_states
from zermelo.learn.records import RecordedGames

HELD_OUT_BLOCKS = 20
"""The last of so many blocks of games is held out, to test what was learned; of fewer, none."""
ROUND_STEPS = 20
LAST_RATE_SHARE = 0.02
"""The learning rate falls to this share of the first."""
MOST_FAILURES = 3
FITTED_BLOCKS, FIT_STEPS = 20, 30
COLUMNS = ("scores", "results")
TINY_BEND, LEAST_SLOPE, MOST_SLOPE = 1e-9, 0.01, 1000.0

Floats = NDArray[np.float64]


class Trainer(Protocol):
    """Takes steps on samples."""

    def learn(self, samples: Any, steps: int, rate: float) -> float: ...
    def loss(self, samples: Any) -> float: ...
    @property
    def weights(self) -> NDArray[np.float32]:
        """All of them in one array, to be kept and loaded again."""
        ...

    @weights.setter
    def weights(self, weights: NDArray[np.float32]) -> None: ...


class Learning(Generic[Sh]):
    """The trainer of one game's network, with the positions that it learns from."""

    def __init__(
        self, game: AnyGame, shape: Sh, trainer: Trainer, samples: Callable[[], Any], batch: int, threads: int
    ):
        self.game = game
        self.shape = shape
        self._trainer = trainer
        self._batch = batch
        self._threads = threads
        self._samples = samples
        self._learned, self._held_out = samples(), samples()
        self.fresh = 0
        """Of the positions that were read last, those of the first file."""
        self.quick_share = 1.0
        """Of the positions without visits in games with visits, those that are read."""

    def network(self, record: Mapping[str, Any]) -> AnyNetwork:
        """The network as it is now."""
        raise NotImplementedError

    def read(
        self, games: Iterable[tuple[RecordedGames[Any], bool]], window: int, shares: tuple[float, float], seed: int = 0
    ) -> int:
        """Reads positions, up to `window` of them, in the order given; returns how many there are.

        Each file comes with whether a network played its games, whose scores are chances or have a known slope; others
        are made chances by a logistic function that fits the results. `shares` are those of scores in the targets: of
        others, and of networks. In a game with symmetries each position is turned or mirrored at random, by the `seed`.
        """
        self._learned.clear()
        self._held_out.clear()
        self.fresh = 0
        with ThreadPoolExecutor(self._threads) as pool:
            for number, (file, by_network) in enumerate(games):
                read = self._reader(file, shares[by_network], self._slope(file, by_network), seed)
                blocks = range(file.blocks)[::-1]
                for i in range(0, len(blocks), self._threads):
                    some = blocks[i : i + self._threads]
                    for block, found in zip(some, pool.map(read, some), strict=True):
                        held_out = block % HELD_OUT_BLOCKS == HELD_OUT_BLOCKS - 1
                        (self._held_out if held_out else self._learned).extend(found)
                        if number == 0:
                            self.fresh = len(self._learned)
                        if len(self._learned) >= window:
                            return len(self._learned)
        return len(self._learned)

    def _reader(self, file: RecordedGames[Any], share: float, slope: float, seed: int) -> Callable[[int], Any]:
        quiet = self.game.can("is_noisy")

        def read(block: int) -> Any:
            samples = self._samples()
            file.add_samples(
                block,
                samples,
                score_share=share,
                quiet_only=quiet,
                score_slope=slope,
                seed=seed,
                quick_share=self.quick_share,
            )
            return samples

        return read

    def _slope(self, file: RecordedGames[Any], by_network: bool) -> float:
        """Of the logistic function that makes chances of the scores of a file; 0 if they are chances."""
        return 0.0 if by_network else fit_slope(file)

    def learn(self, passes: float, rate: float, seconds: float, told: Callable[[], None] = lambda: None) -> float:
        """Learns from each position about `passes` times, or for `seconds`; returns the loss of those held out.

        The rate falls along a cosine. If numbers get out of hand, it begins again with a lower rate.
        """
        start = self._trainer.weights.copy()
        for failure in range(MOST_FAILURES):
            self._descend(passes, rate / 10**failure, seconds, told)
            loss = self._trainer.loss(self._held_out if len(self._held_out) else self._learned)
            if math.isfinite(loss):
                return loss
            self._trainer.weights = start
        raise MethodError(f"the network of {self.game.name} cannot be learned: its loss is not a number")

    def _descend(self, passes: float, rate: float, seconds: float, told: Callable[[], None]) -> None:
        begun = time.monotonic()
        rounds = max(1, math.ceil(passes * len(self._learned) / self._batch / ROUND_STEPS))
        share = 0.0
        """Of the whole descent, by rounds or by time."""
        done = 0
        while share < 1:
            fall = LAST_RATE_SHARE + (1 - LAST_RATE_SHARE) * (1 + math.cos(math.pi * share)) / 2
            self._trainer.learn(self._learned, ROUND_STEPS, rate * fall)
            done += 1
            share = max(done / rounds, (time.monotonic() - begun) / seconds)
            told()

    def take(self, network: AnyNetwork) -> bool:
        """Goes on from the weights of a network, if it is of this shape; returns whether it is."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> None:
        """Keeps the weights as they are learned, which are finer than those of the network."""
        write_tensors(path, {"weights": self._trainer.weights}, {"shape": json.dumps(self.shape.to_json())})

    def load(self, path: str | os.PathLike[str]) -> None:
        """Goes on from weights that were kept."""
        tensors, notes = read_tensors(path)
        try:
            self._take_shape(json.loads(notes["shape"]))
            self._trainer.weights = tensors["weights"].ravel().astype(np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path} does not hold the weights of this network: {error}") from None

    def _take_shape(self, kept: Mapping[str, Any]) -> None:
        """Refuses weights of another shape."""
        if kept != self.shape.to_json():
            raise ValueError("they are of another shape")


class SumLearning(Learning[Shape]):
    """Learns a sum network.

    Where a game says what exchanges gain, in the points of its own evaluation, the network's values are such points,
    too: a search adds up the two. How many of them are which chance is fitted to the first games, and left alone."""

    def __init__(self, game: AnyGame, width: int, batch: int, threads: int, seed: int):
        compiled = compile_game(game)
        shape = derive_shape(compiled, sample_states(compiled, seed=seed), width)
        native = shape.native()
        trainer = _core.SumTrainer(
            native, most_active=shape.most_active, batch=batch, threads=threads, decay=0.0, seed=seed
        )
        super().__init__(game, shape, trainer, lambda: _core.Samples(native), batch, threads)
        self._sums = trainer
        self._in_points = game.can("exchange") and game.can("evaluate")

    def _slope(self, file: RecordedGames[Any], by_network: bool) -> float:
        if by_network and bool(self.shape.slope) == self._in_points:
            return self.shape.slope
        slope = fit_slope(file)
        if self._in_points and not self.shape.slope:
            self.shape = replace(self.shape, slope=slope)
        return slope

    def take(self, network: AnyNetwork) -> bool:
        if not isinstance(network, Network) or replace(network.shape, slope=self.shape.slope) != self.shape:
            return False
        self._sums.take(_core.SumWeights(**network.tensors()))
        self.shape = network.shape
        return True

    def _take_shape(self, kept: Mapping[str, Any]) -> None:
        shape = Shape.from_json(kept)
        if replace(shape, slope=self.shape.slope) != self.shape:
            raise ValueError("they are of another shape")
        self.shape = shape

    def network(self, record: Mapping[str, Any]) -> Network:
        weights = self._sums.quantised()
        return Network(identify(self.game), self.shape, {name: getattr(weights, name) for name in WEIGHTS}, record)


def fit_slope(games: RecordedGames[Any]) -> float:
    """The slope of the logistic function that tells results best from scores between −1 and 1."""
    low, high = games.compiled.game.bounds
    scores, results = _known(games)
    return _fit_logistic(2 * (scores - low) / (high - low) - 1, (results - low) / (high - low))


def fit_chance(games: RecordedGames[Any]) -> float:
    """By what to multiply the outputs of a network for these games, for their logistic function to tell who won."""
    game = games.compiled.game
    low, high = game.bounds
    scores, results = _known(games)
    shares = (scores - low) / (high - low)
    return _fit_logistic(np.log(shares / (1 - shares)), (1 + np.sign(results - game.neutral)) / 2)


def _known(games: RecordedGames[Any]) -> tuple[Floats, Floats]:
    """Scores that are no results, and how the games ended."""
    low, high = games.compiled.game.bounds
    parts = list(islice(games.positions(), FITTED_BLOCKS))
    if not parts:
        return np.zeros(0), np.zeros(0)
    scores, results = (np.concatenate([getattr(part, name) for part in parts], dtype=np.float64) for name in COLUMNS)
    known = np.isfinite(scores) & (scores > low) & (scores < high)
    return scores[known], results[known]


def _fit_logistic(x: Floats, y: Floats) -> float:
    """The slope of a logistic function of `x` that tells `y` best, by Newton's method."""
    slope = LEAST_SLOPE if not len(x) else 1.0
    for _ in range(FIT_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(slope * x, -30, 30)))
        bend = float((chance * (1 - chance) * x * x).sum())
        if bend < TINY_BEND:
            break
        slope = min(max(slope + float(((y - chance) * x).sum()) / bend, LEAST_SLOPE), MOST_SLOPE)
    return slope
