"""Self-play whose positions a GPU judges: simulations and games a second, and positions that it learns from a second.

    python bench/judged_selfplay.py                                       9 × 9 Go, on the GPU
    python bench/judged_selfplay.py --game hex --rows 512,2048 --threads 15
    python bench/judged_selfplay.py --device cpu --rows 16 --seconds 5    without one: PyTorch is slow there

The trees alone, judged by a function that answers at once, are the limit that the GPU's share is compared with.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.engine.core import _core
from zermelo.engine.grid import GridNetwork, GridShape
from zermelo.engine.network import with_network
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.grid.judge import GROUPS, TorchJudge
from zermelo.learn.grid.learning import GridLearning
from zermelo.learn.grid.torch_trainer import TorchTrainer
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import Judge, SelfPlay, SelfPlayOptions
from zermelo.train.family import GridFamily
from zermelo.train.settings import GridTrainingSettings

STEPS = 30


class Instant:
    """Answers every question with the same noise."""

    def __init__(self, shape: GridShape, rows: int):
        words, outputs = -(-shape.inputs // 64) + 1, len(shape.actions) + 1
        noise = np.random.default_rng(0).normal(size=(rows, outputs)).astype(np.float32)
        self.core = _core.Judge(
            shape.native(),
            inputs=[np.zeros((rows, words), np.uint64) for _ in range(GROUPS)],
            outputs=[noise.copy() for _ in range(GROUPS)],
            call=lambda _: None,
        )


def play(game: AnyGame, options: SelfPlayOptions[Any], judge: Judge, seconds: float, path: Path) -> str:
    """Plays for so long, and keeps the games."""
    run = SelfPlay(game, options, judge)
    with RecordWriter(path, game) as writer:
        blocks = run.blocks(lambda: False)
        writer.write(next(blocks))  # by then all games are under way
        begun, nodes, positions = time.perf_counter(), run.nodes, run.positions
        for block in blocks:
            writer.write(block)
            if time.perf_counter() - begun > seconds:
                break
        spent = time.perf_counter() - begun
    return f"{(run.nodes - nodes) / spent:11,.0f} nodes/s {(run.positions - positions) / spent:9,.0f} positions/s"


def learn(learning: GridLearning, game: AnyGame, path: Path, batches: list[int], device: str) -> None:
    count = learning.read([(RecordedGames(path, game), True)], 1 << 20, (0.3, 0.3))
    samples = learning._learned
    for batch in batches:
        trainer = TorchTrainer(learning.shape, np.asarray(learning._trainer.weights), batch, 0.02, 0, device)
        trainer.learn(samples, 3, 1e-3)
        begun = time.perf_counter()
        trainer.learn(samples, STEPS, 1e-3)
        rate = batch * STEPS / (time.perf_counter() - begun)
        print(f"learns in batches of {batch:5}: {rate:11,.0f} positions/s, of {count:,}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="go:size=9")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--rows", default="1024,2048")
    parser.add_argument("--batches", default="1024,4096")
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 1) - 1))
    parser.add_argument("--simulations", type=int, default=96)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--device", default="cuda")
    asked = parser.parse_args()
    rules = load(asked.game)
    learning = GridLearning(rules, asked.channels, asked.blocks, 256, asked.threads, 0)
    network = learning.network({})
    assert isinstance(network, GridNetwork)
    game = with_network(rules, network)
    settings = GridTrainingSettings(simulations=asked.simulations, exploration=0.6)
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        **GridFamily(settings).selfplay(game), games=1 << 40, threads=asked.threads, longest_plies=200
    )
    options = dataclasses.replace(options, block_games=64)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games"
        for rows in map(int, asked.rows.split(",")):
            path.unlink(missing_ok=True)
            instant = play(game, options, Instant(learning.shape, rows), asked.seconds, path)
            print(f"{rows:5} rows, trees alone: {instant}", flush=True)
            path.unlink()
            judge = TorchJudge(learning.shape, rows, asked.device)
            judge.take(network)
            print(f"{rows:5} rows, judged:      {play(game, options, judge, asked.seconds, path)}", flush=True)
        learn(learning, rules, path, list(map(int, asked.batches.split(","))), asked.device)


if __name__ == "__main__":
    main()
