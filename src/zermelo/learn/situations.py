"""What networks for ranges learn from, whatever the game: situations that are solved, and the descent on them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np

from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.errors import InputError
from zermelo.learn.dense import DenseLearner, DenseNetwork
from zermelo.options import check_fields, number, whole

FAMILY = "ranges"
NOTE = "zermelo"
"""Under which the record of a file is kept."""
HELD_OUT = 0.05
"""Of the situations: those that only test."""
TOLD = 100
"""Situations, or steps, between two words on how far it is."""
EARLY_PASSES, LAST_PASSES = 0.2, 1.0
"""Of all passes, those of a generation before the last, and of the last."""

Told = Callable[[str, float, float | None], None]
"""What it does, which share of it is done, and the loss so far."""
Stop = Callable[[], bool]


def untold(_phase: str, _share: float, _loss: float | None) -> None:
    """Tells nothing."""


def never() -> bool:
    """Does not stop."""
    return False


@dataclass(frozen=True, slots=True)
class RangeSettings:
    """How a network for ranges is learned."""

    situations: int = 60_000
    generations: int = 6
    """The first has random ranges; the others those met by a player that re-solves with the network so far."""
    iterations: int = 300
    """Of regret minimisation, in each situation."""
    width: int = 128
    layers: int = 2
    """Of units between the inputs and the numbers."""
    passes: float = 60.0
    """How often each situation is learned from."""
    batch: int = 256
    rate: float = 0.002
    """At the start; it falls to nothing."""
    seed: int = 0
    minutes: float | None = None
    """At most; a network that is cut short is another one."""

    def check(self) -> None:
        limits = {"situations": whole(1, 10**8), "iterations": whole(1, 10**6), "width": whole(1, 1024)}
        limits |= {"generations": whole(1, 1000), "layers": whole(0, 8), "batch": whole(1, 10**6)}
        limits |= {"seed": whole(0, (1 << 64) - 1), "minutes": number(0, 1e6, above=True, optional=True)}
        limits |= {"passes": number(0, 1e5, above=True), "rate": number(0, 1, above=True)}
        check_fields(self, limits)


def write_values(path: str | os.PathLike[str], network: DenseNetwork, kinds: str, record: Mapping[str, Any]) -> None:
    """Writes a network and how it was made; `kinds` names the public states that it knows."""
    write_tensors(path, network.named(), {NOTE: json.dumps({"family": FAMILY, "kinds": kinds, **record})})


def read_values(path: str | os.PathLike[str], kinds: str, game: str) -> DenseNetwork:
    """The network in a file of `write_values`, if it knows these public states."""
    tensors, notes = read_tensors(path)
    try:
        record = json.loads(notes[NOTE])
        if record["family"] != FAMILY:
            raise ValueError
    except (KeyError, ValueError, TypeError, RecursionError):
        raise InputError(f"{path} holds no values for ranges: give a file of `zermelo train`") from None
    if record.get("kinds") != kinds:
        raise InputError(f"{path} holds values of another game than {game}: train them for this one")
    return DenseNetwork.of_named(tensors, str(path))


class Situations:
    """Situations that are solved: what a network is to see, to say, and how much each number counts."""

    def __init__(self, settings: RangeSettings, inputs: int, numbers: int):
        self.settings = settings
        self.random = np.random.default_rng([settings.seed, 1])
        self.inputs = np.zeros((settings.situations, inputs), np.float32)
        self.targets = np.zeros((settings.situations, numbers), np.float32)
        self.weights = np.zeros((settings.situations, numbers), np.float32)
        self.solved = 0

    @property
    def learned(self) -> int:
        """How many are learned from; the others test what is learned."""
        return max(self.solved - int(HELD_OUT * self.solved), 1)

    def error(self, network: DenseNetwork) -> float:
        """The mean error of a number in the situations that test."""
        held = slice(self.learned, self.solved)
        error = np.abs(network(self.inputs[held]) - self.targets[held]) * self.weights[held]
        return float(error.sum() / max(float(self.weights[held].sum()), 1.0))


class Written(Protocol):
    """A network of values."""

    def write(self, path: str | os.PathLike[str], record: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True, slots=True)
class Learned:
    """How a network for ranges came out."""

    network: Written
    situations: int
    steps: int
    loss: float
    """Of the situations learned from, at the end."""
    held_out: float
    """The mean error of a number, as a share of the stake, in situations that only test it."""
    stopped: bool
    """Whether it was ended before all was learned; the same settings need not give the same network then."""
    seconds: float
    """Processor time."""

    def record(self, settings: RangeSettings) -> dict[str, Any]:
        facts = {name: getattr(self, name) for name in ("situations", "steps", "loss", "held_out", "stopped")}
        return {"settings": asdict(settings), **facts, "seconds": round(self.seconds, 1)}


def descend(
    network: DenseNetwork,
    situations: Situations,
    settings: RangeSettings,
    generation: int,
    told: Told,
    stop: Stop,
) -> tuple[int, float]:
    """Learns `network` from situations; returns the steps and the last mean loss."""
    learner, random = DenseLearner(network), np.random.default_rng([settings.seed, 2, generation])
    count = situations.learned
    last = generation == settings.generations - 1
    steps = max(int(settings.passes * count * (LAST_PASSES if last else EARLY_PASSES) / settings.batch), 1)
    loss = 0.0
    for step in range(steps):
        if step and stop():
            return step, loss
        at = random.integers(count, size=min(settings.batch, count))
        rate = settings.rate * (1 - step / steps)
        now = learner.step(situations.inputs[at], situations.targets[at], situations.weights[at], rate)
        loss = now if step == 0 else loss + 0.02 * (now - loss)
        if step % TOLD == 0:
            told("learning", step / steps, loss)
    return steps, loss
