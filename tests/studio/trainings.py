"""Folders of trainings that nobody has run, for tests of what is shown of them."""

from __future__ import annotations

from pathlib import Path

from tests.engine.test_network import random_network
from zermelo.games import load
from zermelo.train.folder import Generation, State, TrainingFolder
from zermelo.train.positions import draw_line

GAME = "breakthrough:columns=4,rows=5"


def make_state(game: str = GAME, generations: int = 4, phase: str = "testing") -> State:
    """The third generation is discarded; the last one is not decided unless the training is over."""
    found = []
    for i in range(generations):
        decided = i < generations - 1 or phase == "over"
        kept = i != 2 if decided else None
        counts = [1, 2, 6, 8, 5] if kept else [5, 5, 6, 3, 1]
        values = [0.1 * i, -0.05 * i, 0.3, 0.5] if decided else []
        found.append(Generation(i, 100 + i, 5_000 + i, 0.7 - 0.05 * i, counts, kept, values))
    final = [0, 1, 5, 6, 4] if phase == "over" else [0] * 5
    settings = {"minutes": 10.0, "seed": 0}
    return State(game, settings, 120.0, found, final, phase)


def write_training(path: Path, state: State | None = None, network: bool = True) -> TrainingFolder:
    state = state or make_state()
    folder = TrainingFolder(path)
    if network:
        game = load(state.game)
        state.line = state.line or draw_line(game, 0)
        path.mkdir(parents=True, exist_ok=True)
        random_network(game, 32).write(folder.best)
    folder.save(state)
    return folder
