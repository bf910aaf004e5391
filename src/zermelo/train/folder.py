"""The folder of a training: what it needs to go on after whatever ended it.

    state.json           the settings, and what every generation has come to
    best.safetensors     the best network so far; none before the first that was kept
    learner.safetensors  the weights of the trainer after the last generation
    games-0003.bin       the games of a generation
    curve.svg            a picture of the course

Files are written whole or not at all; games are appended block by block.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import InputError


@dataclass
class Generation:
    """One generation, as far as it has come."""

    number: int
    games: int = 0
    positions: int = 0
    loss: float | None = None
    """Of the positions held out."""
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    """Of the test against the best so far: pairs of games by half points."""
    kept: bool | None = None
    """`None` until it is decided."""
    values: list[float] = field(default_factory=list)
    """What the network says about a few fixed positions, for the first player."""


@dataclass
class State:
    """What a training has come to."""

    game: str
    settings: dict[str, Any]
    seconds: float = 0.0
    """Spent so far."""
    generations: list[Generation] = field(default_factory=list)
    final_counts: list[int] = field(default_factory=lambda: [0] * 5)
    """Of the match against what was there before."""

    @property
    def games(self) -> int:
        return sum(each.games for each in self.generations)

    @property
    def positions(self) -> int:
        return sum(each.positions for each in self.generations)


class TrainingFolder:
    """Reads and writes the files of a training."""

    def __init__(self, path: Path):
        self.path = path

    @property
    def best(self) -> Path:
        return self.path / "best.safetensors"

    @property
    def learner(self) -> Path:
        return self.path / "learner.safetensors"

    @property
    def curve(self) -> Path:
        return self.path / "curve.svg"

    def games(self, generation: int) -> Path:
        return self.path / f"games-{generation:04}.bin"

    def load(self) -> State | None:
        """The state of a training that was begun; `None` if there is none."""
        path = self.path / "state.json"
        if not path.exists():
            return None
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            generations = [Generation(**each) for each in data.pop("generations")]
            return State(**data, generations=generations)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(
                f"{path} is not the state of a training: {error}; remove {self.path} to begin anew"
            ) from None

    def save(self, state: State) -> None:
        self.write(self.path / "state.json", json.dumps(asdict(state), indent=1) + "\n")

    def write(self, path: Path, text: str) -> None:
        with self.writing():
            self.path.mkdir(parents=True, exist_ok=True)
            new = path.with_suffix(".new")
            new.write_text(text, encoding="utf-8")
            new.replace(path)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One line for a disk that is full, or a folder that cannot be written to."""
        try:
            yield
        except OSError as error:
            raise InputError(
                f"the training cannot be kept in {self.path}: {error.strerror or error}; what was kept before is there"
            ) from None
