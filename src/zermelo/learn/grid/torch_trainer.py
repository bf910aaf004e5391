"""Takes the steps of a grid network with PyTorch, as `native/networks/grid_trainer.hpp` does in the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.core import _core
from zermelo.engine.grid import GridShape, split_weights
from zermelo.learn.grid.batches import Batch, Positions
from zermelo.learn.grid.model import GridModel, tensor_shapes
from zermelo.learn.learner import import_torch, start_torch

MOST_GRADIENT = 4.0
"""Longer gradients are shortened."""
OWNERS_WEIGHT = 1.5
JUDGED_AT_ONCE = 1024


class TorchTrainer:
    """The weights, and what AdamW knows about them."""

    def __init__(
        self, shape: GridShape, weights: NDArray[np.float32], batch: int, decay: float, seed: int, device: str
    ):
        self.shape, self._batch, self._decay = shape, batch, decay
        self._device = start_torch(seed, 0, device)
        self._model = GridModel(shape, self._device)
        self._chance = np.random.default_rng(seed)
        self._read: tuple[int, Positions] | None = None
        """The samples that were used last, and their number."""
        self.weights = weights

    @property
    def weights(self) -> NDArray[np.float32]:
        parts = [self._tensors[name].detach().cpu().numpy().ravel() for name in tensor_shapes(self.shape)]
        return np.concatenate(parts)

    @weights.setter
    def weights(self, weights: NDArray[np.float32]) -> None:
        torch = import_torch()
        parts = split_weights(self.shape, weights)
        self._tensors = {
            name: torch.tensor(parts[name].reshape(size), device=self._device, requires_grad=True)
            for name, size in tensor_shapes(self.shape).items()
        }
        biases = [part for name, part in self._tensors.items() if name.endswith("bias")]
        others = [part for name, part in self._tensors.items() if not name.endswith("bias")]
        groups = [{"params": others, "weight_decay": self._decay}, {"params": biases, "weight_decay": 0.0}]
        self._optimiser = torch.optim.AdamW(groups, fused=self._device.startswith("cuda"))

    def learn(self, samples: _core.GridSamples, steps: int, rate: float) -> float:
        """Takes steps on random samples; returns the mean loss."""
        torch = import_torch()
        positions = self._positions(samples)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        total = torch.zeros((), device=self._device)
        for _ in range(steps):
            chosen = self._chance.integers(len(positions), size=self._batch)
            self._optimiser.zero_grad(set_to_none=True)
            loss = self._loss(positions.batch(chosen))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._tensors.values(), MOST_GRADIENT)
            self._optimiser.step()
            total += loss.detach()
        return float(total) / max(steps, 1)

    def loss(self, samples: _core.GridSamples) -> float:
        """The mean loss over all samples."""
        torch = import_torch()
        positions = self._positions(samples)
        total = 0.0
        with torch.no_grad():
            for begin in range(0, len(positions), JUDGED_AT_ONCE):
                chosen = np.arange(begin, min(begin + JUDGED_AT_ONCE, len(positions)))
                total += float(self._loss(positions.batch(chosen))) * len(chosen)
        return total / max(len(positions), 1)

    def gradient(self, samples: _core.GridSamples) -> NDArray[np.float32]:
        """Of the mean loss, in the order of the weights."""
        positions = self._positions(samples)
        self._optimiser.zero_grad(set_to_none=False)
        self._loss(positions.batch(np.arange(len(positions)))).backward()
        # A tensor without numbers has no gradient.
        slopes = (self._tensors[name].grad for name in tensor_shapes(self.shape))
        return np.concatenate([slope.cpu().numpy().ravel() for slope in slopes if slope is not None])

    def _positions(self, samples: _core.GridSamples) -> Positions:
        if self._read is None or self._read[0] != len(samples):
            self._read = len(samples), Positions(self.shape, samples, self._device)
        return self._read[1]

    def _loss(self, batch: Batch) -> Any:
        """The mean losses of the policy, over the positions whose visits are known, of the value, and of who has the
        cells in the end, where that is known, added up."""
        torch = import_torch()
        with torch.autocast("cuda", torch.bfloat16, enabled=self._device.startswith("cuda")):
            logits, value, owners = self._model.run(self._tensors, batch.inputs)
        logits, value = logits.float(), value.float()
        logs = torch.log_softmax(logits.masked_fill(~batch.legal, -1e9), dim=1)
        known = batch.policy.sum().clamp(min=1)
        values = torch.nn.functional.binary_cross_entropy_with_logits(value, batch.values)
        loss = -(batch.policy * logs).sum() / known + values
        if owners is None:
            return loss
        each = torch.nn.functional.binary_cross_entropy_with_logits(
            owners.float(), batch.owned.clamp(max=1), reduction="none"
        )
        return loss + OWNERS_WEIGHT * (each * (batch.owned <= 1)).mean()
