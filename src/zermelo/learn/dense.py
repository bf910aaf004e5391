"""Dense networks in NumPy, of floats with relu between the layers, and how they are learned.

    units = relu(inputs · A + a),  …,  numbers = units · Z + z

Learning is Adam on the Huber loss: squares of small errors, amounts of large ones. The same seed gives the same
network on the same machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.tensors import Tensors
from zermelo.errors import InputError

Floats = NDArray[np.float32]
MOST_UNITS = 1024
MOST_WEIGHT = 1e6
FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8
"""Of Adam."""


class DenseNetwork:
    """A matrix and a bias for each layer, the first to the last."""

    def __init__(self, tensors: Sequence[Floats]):
        self.tensors = list(tensors)

    @classmethod
    def start(cls, sizes: Sequence[int], seed: int) -> DenseNetwork:
        """Small random weights for layers of these sizes, the inputs first; numbers are 0."""
        random = np.random.default_rng(seed)
        tensors = []
        for i, (inputs, units) in enumerate(pairwise(sizes)):
            scale = 0.0 if i == len(sizes) - 2 else math.sqrt(2 / inputs)
            tensors.append((scale * random.standard_normal((inputs, units))).astype(np.float32))
            tensors.append(np.zeros(units, np.float32))
        return cls(tensors)

    @property
    def sizes(self) -> list[int]:
        """Of the inputs and of each layer."""
        return [len(self.tensors[0]), *(len(bias) for bias in self.tensors[1::2])]

    def __call__(self, inputs: Floats) -> Floats:
        return self.layers(inputs)[-1]

    def layers(self, inputs: Floats) -> list[Floats]:
        """The inputs, and what each layer makes of them, for rows of inputs."""
        found = [inputs]
        for i in range(0, len(self.tensors), 2):
            numbers = found[-1] @ self.tensors[i] + self.tensors[i + 1]
            found.append(numbers if i == len(self.tensors) - 2 else np.maximum(numbers, 0))
        return found

    def named(self) -> Tensors:
        """For a file: layer0.weight, layer0.bias, …"""
        return {f"layer{i // 2}.{('weight', 'bias')[i % 2]}": tensor for i, tensor in enumerate(self.tensors)}

    @classmethod
    def of_named(cls, tensors: Tensors, source: str) -> DenseNetwork:
        """The network that `named` has written; `source` is named in errors."""
        count = len(tensors) // 2
        names = [f"layer{i}.{part}" for i in range(count) for part in ("weight", "bias")]
        if not count or sorted(names) != sorted(tensors):
            raise InputError(f"{source} holds no dense network: train it again")
        found = [tensors[name] for name in names]
        for matrix, bias in zip(found[::2], found[1::2], strict=True):
            fits = matrix.ndim == 2 and bias.shape == matrix.shape[1:] and 1 <= len(bias) <= MOST_UNITS
            sound = all(t.dtype == np.float32 and bool((np.abs(t) <= MOST_WEIGHT).all()) for t in (matrix, bias))
            if not fits or not sound:
                raise InputError(f"{source} holds layers that cannot be used: train it again")
        for bias, matrix in zip(found[1::2], found[2::2], strict=False):
            if len(bias) != len(matrix):
                raise InputError(f"{source} holds layers that do not fit each other: train it again")
        return cls(found)


class DenseLearner:
    """Takes steps of Adam; errors beyond `near` count by their amount."""

    def __init__(self, network: DenseNetwork, near: float = 0.1):
        self.network, self.near, self.steps = network, np.float32(near), 0
        self.means = [np.zeros_like(tensor) for tensor in network.tensors]
        self.squares = [np.zeros_like(tensor) for tensor in network.tensors]

    def step(self, inputs: Floats, targets: Floats, weights: Floats, rate: float) -> float:
        """One step on rows of samples; `weights` say how much each number counts. Returns the loss."""
        layers = self.network.layers(inputs)
        error = layers[-1] - targets
        total = np.float32(max(float(weights.sum()), TINY))
        slope = np.clip(error, -self.near, self.near) * weights / total
        amount = np.abs(error)
        losses = np.where(amount < self.near, 0.5 * error**2, self.near * (amount - 0.5 * self.near))
        gradients: list[Any] = []
        for i in range(len(self.network.tensors) - 2, -1, -2):
            below = layers[i // 2]
            gradients += [slope.sum(axis=0), below.T @ slope]
            if i:
                slope = (slope @ self.network.tensors[i].T) * (below > 0)
        self._move(gradients[::-1], rate)
        return float((losses * weights).sum() / total)

    def _move(self, gradients: Sequence[Floats], rate: float) -> None:
        self.steps += 1
        pace = rate * math.sqrt(1 - SECOND_DECAY**self.steps) / (1 - FIRST_DECAY**self.steps)
        for tensor, mean, square, gradient in zip(
            self.network.tensors, self.means, self.squares, gradients, strict=True
        ):
            mean += np.float32(1 - FIRST_DECAY) * (gradient - mean)
            square += np.float32(1 - SECOND_DECAY) * (gradient**2 - square)
            tensor -= np.float32(pace) * mean / (np.sqrt(square) + np.float32(TINY))
