"""A sum network that learns from recorded games: what it reads, how long it learns, and what comes of it."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.network import WEIGHTS, Network, identify
from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.errors import InputError, MethodError
from zermelo.game import AnyGame
from zermelo.learn.inputs import derive_shape, sample_states
from zermelo.learn.records import RecordedGames

HELD_OUT_BLOCKS = 20
"""One block of games in so many is held out, to test what was learned."""
ROUND_STEPS = 20
LAST_RATE_SHARE = 0.02
"""The learning rate falls to this share of the first."""
MOST_FAILURES = 3


class Learning:
    """The trainer of one game's network, with the positions that it learns from."""

    def __init__(self, game: AnyGame, width: int, batch: int, threads: int, seed: int):
        self.game = game
        compiled = compile_game(game)
        self.shape = derive_shape(compiled, sample_states(compiled, seed=seed), width)
        self._native = self.shape.native()
        self._trainer = _core.SumTrainer(
            self._native, most_active=self.shape.most_active, batch=batch, threads=threads, decay=0.0, seed=seed
        )
        self._batch = batch
        self._learned = _core.Samples(self._native)
        self._held_out = _core.Samples(self._native)

    def read(self, games: Iterable[RecordedGames[Any]], window: int, score_share: float) -> int:
        """Reads positions, up to `window` of them, in the order given; returns how many there are."""
        quiet = self.game.can("is_noisy")
        self._learned.clear()
        self._held_out.clear()
        for file in games:
            for block in reversed(range(file.blocks)):
                samples = self._held_out if block % HELD_OUT_BLOCKS == 0 else self._learned
                file.add_samples(block, samples, score_share=score_share, quiet_only=quiet)
                if len(self._learned) >= window:
                    return len(self._learned)
        return len(self._learned)

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

    def network(self, record: Mapping[str, Any]) -> Network:
        """The network as it is now."""
        weights = self._trainer.quantised()
        return Network(identify(self.game), self.shape, {name: getattr(weights, name) for name in WEIGHTS}, record)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Keeps the weights as they are learned, which are finer than those of the network."""
        write_tensors(path, {"weights": self._trainer.weights}, {"shape": json.dumps(self.shape.to_json())})

    def load(self, path: str | os.PathLike[str]) -> None:
        """Goes on from weights that were kept."""
        tensors, notes = read_tensors(path)
        try:
            if notes["shape"] != json.dumps(self.shape.to_json()):
                raise ValueError("they are of another shape")
            self._trainer.weights = tensors["weights"].ravel().astype(np.float32)
        except (KeyError, ValueError) as error:
            raise InputError(f"{path} does not hold the weights of this network: {error}") from None
