"""A network in PyTorch that learns: layers with relu between them. The running mean of the weights is kept."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import MethodError

Floats = NDArray[np.float32]

MEAN_STEPS = 1000
"""The number of steps that the running mean of the weights spans."""
PIECE_SAMPLES = 65536
"""Samples copied to the device at a time."""


class Learner:
    """The weights, their running mean, and the latest `room` samples to learn from.

    `loss` takes inputs, the network's outputs and targets, and returns the loss of each sample."""

    def __init__(
        self,
        parts: list[Floats],
        targets: int,
        loss: Callable[[Any, Any, Any], Any],
        *,
        room: int,
        batch: int,
        device: str,
    ):
        torch = import_torch()
        self.loss, self.room, self.batch, self.device = loss, room, batch, device
        self.weights = [torch.tensor(part, device=device, requires_grad=True) for part in parts]
        self.mean = [part.detach().clone() for part in self.weights]
        self.optimiser = torch.optim.Adam(self.weights, fused=device.startswith("cuda"))
        self.inputs = torch.zeros((room, len(parts[0])), device=device)
        self.targets = torch.zeros((room, targets), device=device)
        self.filled = self.next = self.steps = 0
        self.owed = 0.0
        """Steps still to be taken for the samples seen."""

    def run(self, inputs: Any) -> Any:
        torch = import_torch()
        for i in range(0, len(self.weights), 2):
            inputs = torch.addmm(self.weights[i + 1], torch.relu(inputs) if i else inputs, self.weights[i])
        return inputs

    def forget(self) -> None:
        """Drops all samples: their targets have become worse than those to come."""
        self.filled = self.next = 0

    def learn(self, rows: Callable[[int, int], Floats], targets: Floats, rate: float, reuse: float) -> float:
        """Adds samples and takes the steps due for them; returns the mean loss.

        `rows(begin, end)` returns the inputs of a range of samples."""
        self._add(rows, targets)
        self.owed += reuse * len(targets) / self.batch
        steps, total = int(self.owed), 0.0
        self.owed -= steps
        if self.filled == 0 or steps == 0:
            return 0.0
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        for _ in range(steps):
            total = total + self._step()
        return float(total) / steps

    def _add(self, rows: Callable[[int, int], Floats], targets: Floats) -> None:
        torch = import_torch()
        for begin in range(0, len(targets), PIECE_SAMPLES):
            inputs = rows(begin, begin + PIECE_SAMPLES)[: self.room]
            at = (torch.arange(len(inputs), device=self.device) + self.next) % self.room
            self.inputs[at] = torch.from_numpy(inputs).to(self.device)
            self.targets[at] = torch.tensor(targets[begin : begin + len(inputs)], device=self.device)
            self.next = (self.next + len(inputs)) % self.room
            self.filled = min(self.filled + len(inputs), self.room)

    def _step(self) -> Any:
        torch = import_torch()
        chosen = torch.randint(self.filled, (self.batch,), device=self.device)
        inputs = self.inputs[chosen]
        loss = self.loss(inputs, self.run(inputs), self.targets[chosen]).mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.steps += 1
        share = max(10 / (self.steps + 10), 1 / MEAN_STEPS)
        with torch.no_grad():
            torch._foreach_lerp_(self.mean, self.weights, share)
        return loss.detach()

    def parts(self) -> list[Floats]:
        return [part.detach().cpu().numpy() for part in self.mean]


def new_parts(chance: np.random.Generator, sizes: list[int], active: int) -> list[Floats]:
    """Initial weights for layers of these sizes, with about `active` inputs that are not zero."""
    parts: list[Floats] = []
    for rows, columns in itertools.pairwise(sizes):
        spread = np.sqrt(2 / (rows if parts else active))
        parts += [(chance.standard_normal((rows, columns)) * spread).astype(np.float32), np.zeros(columns, np.float32)]
    parts[-2] *= 0.1
    return parts


def falling(rate: float, share: float) -> float:
    """The learning rate after this share of a run, by cosine decay to a hundredth of the initial rate."""
    return float(rate * (0.01 + 0.99 * (1 + np.cos(np.pi * share)) / 2))


def start_torch(seed: int, threads: int, device: str) -> str:
    """Sets the seed and the threads; returns the device, by default the first GPU if there is one."""
    torch = import_torch()
    torch.manual_seed(seed)
    if threads:
        torch.set_num_threads(threads)
    return device or ("cuda" if torch.cuda.is_available() else "cpu")


def import_torch() -> Any:
    try:
        import torch
    except ImportError:
        raise MethodError("networks are trained with PyTorch: pip install 'zermelo[train]'") from None
    return torch
