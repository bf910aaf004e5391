"""A network in PyTorch that learns: layers with relu between them. The running mean of the weights is kept."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.errors import InputError, MethodError

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

    def save(self, path: str | os.PathLike[str], notes: Mapping[str, Any]) -> None:
        """Keeps the weights, their mean and the moments of the optimiser; samples are not kept."""
        tensors = {
            f"{name} {i}": part.detach().cpu().numpy()
            for name, parts in self._kept().items()
            for i, part in enumerate(parts)
        }
        write_tensors(path, tensors, {"steps": str(self.steps), "notes": json.dumps(dict(notes))})

    def load(self, path: str | os.PathLike[str]) -> dict[str, Any]:
        """Goes on from what was kept; returns the notes."""
        torch = import_torch()
        tensors, notes = read_tensors(path)
        try:
            steps, kept = int(notes["steps"]), dict(json.loads(notes["notes"]))
            parts = {
                name: [torch.from_numpy(tensors[f"{name} {i}"]) for i in range(len(self.weights))]
                for name in ("weights", "mean", "first", "second")
            }
            for name, found in parts.items():
                for part, weights in zip(found, self.weights, strict=True):
                    if part.shape != weights.shape or not part.isfinite().all():
                        raise ValueError(f"its {name} are of another network, or not finite")
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path} does not hold a learner of these networks: {error}") from None
        self._start_moments(steps)
        with torch.no_grad():
            for name, own in self._kept().items():
                for part, weights in zip(parts[name], own, strict=True):
                    weights.copy_(part)
        self.steps = steps
        torch.manual_seed(torch.initial_seed() + steps)
        return kept

    def _kept(self) -> dict[str, list[Any]]:
        """All that learning goes on from, by name."""
        self._start_moments(self.steps)
        moments = [self.optimiser.state[part] for part in self.weights]
        return {
            "weights": self.weights,
            "mean": self.mean,
            "first": [each["exp_avg"] for each in moments],
            "second": [each["exp_avg_sq"] for each in moments],
        }

    def _start_moments(self, steps: int) -> None:
        """Adam makes its moments in the first step; here they are made before."""
        torch = import_torch()
        for part in self.weights:
            if not self.optimiser.state[part]:
                step = torch.tensor(float(steps), device=self.device if self.device.startswith("cuda") else "cpu")
                zeros = torch.zeros_like(part), torch.zeros_like(part)
                self.optimiser.state[part] = {"step": step, "exp_avg": zeros[0], "exp_avg_sq": zeros[1]}


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
