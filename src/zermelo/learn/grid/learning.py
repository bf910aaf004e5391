"""A grid network that learns from recorded games, in the core, or with PyTorch where there is a GPU.

loss = cross-entropy of the visits by the policy + cross-entropy of the target by the value
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

import numpy as np

from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.grid import GridNetwork, GridShape, split_weights
from zermelo.engine.identity import identify
from zermelo.engine.network import AnyNetwork
from zermelo.game import AnyGame
from zermelo.learn.grid.shape import derive_grid
from zermelo.learn.inputs import sample_states
from zermelo.learn.learning import Learning, Trainer

WEIGHT_DECAY = 0.02


class GridLearning(Learning[GridShape]):
    """Learns a grid network."""

    def __init__(self, game: AnyGame, channels: int, blocks: int, batch: int, threads: int, seed: int):
        compiled = compile_game(game)
        shape = derive_grid(compiled, sample_states(compiled, seed=seed), channels, blocks)
        native = shape.native()
        trainer: Trainer = _core.GridTrainer(native, batch=batch, threads=threads, decay=WEIGHT_DECAY, seed=seed)
        if has_gpu():
            from zermelo.learn.grid.torch_trainer import TorchTrainer

            trainer = TorchTrainer(shape, trainer.weights, batch, WEIGHT_DECAY, seed, "cuda")
        super().__init__(game, shape, trainer, lambda: _core.GridSamples(native), batch, threads)

    def take(self, network: AnyNetwork) -> bool:
        if not isinstance(network, GridNetwork) or network.shape != self.shape:
            return False
        self._trainer.weights = np.concatenate([part.ravel() for part in network.tensors().values()])
        return True

    def network(self, record: Mapping[str, Any]) -> GridNetwork:
        weights = split_weights(self.shape, np.asarray(self._trainer.weights).astype(np.float16).astype(np.float32))
        return GridNetwork(identify(self.game), self.shape, weights, record)


def has_gpu() -> bool:
    """Whether PyTorch is installed and sees a GPU."""
    if importlib.util.find_spec("torch") is None:
        return False
    import torch

    return bool(torch.cuda.is_available())
