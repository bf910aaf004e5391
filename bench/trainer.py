"""How fast sum networks are learned: the core's trainer beside PyTorch, on one thread, in the same run.

    python bench/trainer.py
    python bench/trainer.py --width 128 --batch 8192

Both learn from the same positions of random games, with the same units, clipping and loss, by Adam; PyTorch adds up the
rows with an embedding bag, densely and with sparse gradients. Without PyTorch its columns are left out.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tools import answer, arguments, known, table

from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.games import load
from zermelo.learn.inputs import derive_shape, sample_states

GAMES = ("connect4", "breakthrough", "othello", "checkers")
POSITIONS = 50_000
RATE = 1e-3
SECONDS = 3.0
"""Of each measurement, after a step that does not count."""


def per_second(step: Callable[[], object], batch: int) -> float:
    """Samples a second."""
    step()
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        step()
        steps += 1
    return steps * batch / (time.perf_counter() - start)


def torch_step(samples: _core.Samples, inputs: int, width: int, batch: int, sparse: bool) -> Callable[[], object]:
    """One step of learning with PyTorch."""
    import torch

    torch.set_num_threads(1)
    starts, heads = samples.starts.astype(np.int64), samples.heads.astype(np.int64)
    ends = np.append(starts[1:], len(samples.inputs))
    rows, targets = samples.rows.astype(np.int64), samples.targets
    movers = int(rows.max()) + 1
    bag = torch.nn.EmbeddingBag(inputs * movers, width, mode="sum", sparse=sparse)
    bias, head = torch.nn.Parameter(torch.zeros(movers, width)), torch.nn.Embedding(int(heads.max()) + 1, width)
    others = torch.optim.Adam([bias, *head.parameters()], RATE)
    own = torch.optim.SparseAdam(bag.parameters(), RATE) if sparse else torch.optim.Adam(bag.parameters(), RATE)
    chance = np.random.default_rng(1)

    def step() -> None:
        chosen = chance.integers(len(targets), size=batch)
        counts = ends[chosen] - starts[chosen]
        offsets = np.concatenate([[0], counts.cumsum()[:-1]])
        places = np.arange(counts.sum()) + np.repeat(starts[chosen] - offsets, counts)
        active = samples_inputs[places] + np.repeat(rows[chosen] * inputs, counts)
        sums = bag(torch.from_numpy(active), torch.from_numpy(offsets)) + bias[torch.from_numpy(rows[chosen])]
        weights = head(torch.from_numpy(heads[chosen]))
        logits = (sums.clamp(0, 1) ** 2 * weights).sum(1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(targets[chosen]))
        for optimiser in (own, others):
            optimiser.zero_grad()
        loss.backward()
        for optimiser in (own, others):
            optimiser.step()

    samples_inputs = samples.inputs.astype(np.int64)
    return step


def measure(name: str, width: int, batch: int) -> dict[str, float]:
    compiled = compile_game(load(name))
    states = sample_states(compiled, POSITIONS)
    shape = derive_shape(compiled, states, width)
    native = shape.native()
    samples = _core.Samples(native)
    targets = np.random.default_rng(1).random(len(states), np.float32)
    samples.add(compiled.handle, states.tobytes(), targets)
    trainer = _core.SumTrainer(native, most_active=shape.most_active, batch=batch, threads=1, decay=0.0, seed=1)
    found = {"core": per_second(lambda: trainer.learn(samples, 1, RATE), batch)}
    if importlib.util.find_spec("torch"):
        for label, sparse in (("torch", False), ("torch_sparse", True)):
            found[label] = per_second(torch_step(samples, shape.inputs, width, batch, sparse), batch)
    return found


def main() -> None:
    asked: Any = arguments(__doc__, width=(64, "units"), batch=(2048, "positions of a step"))
    data = {name: measure(name, asked.width, asked.batch) for name in known(GAMES)}
    labels = next(iter(data.values())).keys()
    rows = [
        [name, *(each[label] for label in labels), *(each["core"] / each[label] for label in labels if label != "core")]
        for name, each in data.items()
    ]
    head = ["samples a second", *labels, *(f"core / {label}" for label in labels if label != "core")]
    answer(asked, {"width": asked.width, "batch": asked.batch, "games": data}, table(head, rows))


if __name__ == "__main__":
    main()
