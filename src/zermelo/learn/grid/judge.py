"""A GPU that judges the positions of thousands of games at once, for self-play.

The core hands over the inputs of a group of positions as bits, and gets the network's outputs back; while that happens
it plays on in the games of the other group (`native/selfplay/judged.hpp`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.engine.core import _core
from zermelo.engine.grid import NOWHERE, GridNetwork, GridShape
from zermelo.learn.grid.model import GridModel, tensor_shapes
from zermelo.learn.learner import import_torch

GROUPS = 2
WARM_UPS = 3
"""Runs before one is recorded, in which PyTorch chooses its kernels."""


class TorchJudge:
    """Judges positions by a network that may be exchanged, in two groups of `rows` each."""

    def __init__(self, shape: GridShape, rows: int, device: str):
        torch = import_torch()
        self.shape, self.rows, self._device = shape, rows, device
        self._on_gpu = device.startswith("cuda")
        self._kind = torch.bfloat16 if self._on_gpu else torch.float32
        self._model = GridModel(shape, device)
        self._weights = {
            name: torch.zeros(size, dtype=self._kind, device=device) for name, size in tensor_shapes(shape).items()
        }
        words = -(-shape.inputs // 64) + 1
        outputs = len(shape.actions) + 1
        # Of each place the bit that switches it on; that of the last, whether player 1 moves, begins the last word.
        sources = np.full(shape.planes * shape.cells + shape.globals, 64 * (words - 1), np.int64)
        for i, place in enumerate(shape.places):
            if place != NOWHERE:
                sources[place] = i
        self._sources = torch.from_numpy(sources).to(device)
        self._shifts = torch.arange(8, dtype=torch.uint8, device=device)
        self._asked = [self._shared((rows, 8 * words), torch.uint8) for _ in range(GROUPS)]
        self._answers = [self._shared((rows, outputs), torch.float32) for _ in range(GROUPS)]
        self._bytes = torch.zeros((rows, 8 * words), dtype=torch.uint8, device=device)
        self._found = torch.zeros((rows, outputs), dtype=torch.float32, device=device)
        self._graph: Any = None
        self.core = _core.Judge(
            shape.native(),
            inputs=[each.numpy().view(np.uint64) for each in self._asked],
            outputs=[each.numpy() for each in self._answers],
            call=self._judge,
        )

    def take(self, network: GridNetwork) -> None:
        """From now on this network judges."""
        torch = import_torch()
        for name, numbers in network.tensors().items():
            own = self._weights[name]
            own.copy_(torch.from_numpy(numbers.reshape(own.shape)))

    def _shared(self, size: tuple[int, int], kind: Any) -> Any:
        """Memory that the core writes or reads, and the GPU too."""
        torch = import_torch()
        return torch.zeros(size, dtype=kind, pin_memory=self._on_gpu)

    def _judge(self, group: int) -> None:
        torch = import_torch()
        with torch.inference_mode():
            self._bytes.copy_(self._asked[group], non_blocking=True)
            if self._on_gpu:
                self._replay()
            else:
                self._run()
            self._answers[group].copy_(self._found, non_blocking=True)
        if self._on_gpu:
            torch.cuda.current_stream().synchronize()

    def _run(self) -> None:
        """From the bytes of the positions to what is found for them."""
        bits = (self._bytes[:, :, None] >> self._shifts) & 1
        inputs = bits.flatten(1)[:, self._sources].to(self._kind)
        logits, values, _ = self._model.run(self._weights, inputs)
        self._found[:, :-1] = logits
        self._found[:, -1] = values

    def _replay(self) -> None:
        """The same as one recorded piece of work: starting kernels one by one takes longer than they do."""
        torch = import_torch()
        if self._graph is None:
            aside = torch.cuda.Stream()
            aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(aside):
                for _ in range(WARM_UPS):
                    self._run()
            torch.cuda.current_stream().wait_stream(aside)
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):
                self._run()
        self._graph.replay()
