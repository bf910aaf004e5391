"""What runs of all kinds share: a clock that goes on after a break, settings that stay, what they tell."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from zermelo.arena.statistics import Rating
from zermelo.errors import InputError, OptionError
from zermelo.train.folder import SUFFIX, RunFolder, TrainingFolder, folder_beside
from zermelo.train.places import Stop

FREE_SETTINGS = ("minutes", "games", "threads", "device")
"""May be others when a run goes on."""

T = TypeVar("T", bound="Settings")
F = TypeVar("F", bound=RunFolder)
M = TypeVar("M")


def with_margin(elo: float, margin: float) -> str:
    """`+148 ± 30`."""
    return f"{elo:+.0f} ± {margin:.0f}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a training is doing."""

    phase: str
    """`playing`, `learning`, `testing` or `matching`."""
    generation: int
    games: int
    positions: int
    loss: float | None
    elo: Rating | None
    """Against what was there before, by the tests so far."""
    seconds_left: float
    network: str = ""
    """The family of networks, where both are tried."""

    def line(self) -> str:
        """`generation 3, testing: 5,120 games, 180,344 positions, loss 0.5831, Elo +148 ± 30, 12:40 left`."""
        parts = [f"{self.games:,} games", f"{self.positions:,} positions"]
        if self.loss is not None:
            parts.append(f"loss {self.loss:.4f}")
        if self.elo is not None:
            parts.append(f"Elo {with_margin(self.elo.elo, (self.elo.high - self.elo.low) / 2)}")
        minutes, seconds = divmod(math.ceil(max(self.seconds_left, 0)), 60)
        which = f"{self.network} network, " if self.network else ""
        return f"{which}generation {self.generation}, {self.phase}: {', '.join(parts)}, {minutes}:{seconds:02} left"


class Settings(Protocol):
    """The settings of a run: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def check(self) -> None: ...


class Spent(Protocol):
    """The state of a run: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    game: str
    settings: dict[str, Any]
    seconds: float


class BaseRun(Generic[F, M]):
    """The folder of a run that goes on after a break, and the time that it has taken."""

    state: Spent

    def __init__(self, folder: F, told: Callable[[M], None]):
        self.folder = folder
        self.told = told
        self._written = time.monotonic()
        self._start_clock()

    @property
    def seconds(self) -> float:
        """Spent so far, before a break, too."""
        return self.state.seconds + time.monotonic() - self._clock

    def _start_clock(self) -> None:
        self._clock = time.monotonic()

    def _stop_clock(self) -> None:
        """Adds the time since it was started to the state, and starts it again."""
        self.state.seconds = self.seconds
        self._start_clock()

    def _write(self) -> None:
        """Keeps the state."""
        self._stop_clock()
        self._written = time.monotonic()
        self.folder.save(self.state)

    def _settings_of(self, found: Spent, text: str, settings: T) -> T:
        """The settings of a run that goes on: its own, but for as long as is asked for now."""
        folder = self.folder
        if found.game != text:
            raise InputError(f"{folder.path} holds the {folder.what} of {found.game}: give another --out")
        own = {name: value for name, value in found.settings.items() if name not in FREE_SETTINGS}
        try:
            made = dataclasses.replace(settings, **own)
            made.check()
        except (TypeError, OptionError) as error:
            raise InputError(f"{folder.path} holds a {folder.what} of another version: {error}") from None
        return made

    def _until(self, seconds: float, stop: Stop) -> Stop:
        deadline = time.monotonic() + seconds
        return lambda: time.monotonic() > deadline or stop()


class BaseTraining(BaseRun[TrainingFolder, Moment]):
    """The same for a training, whose folder is named after the file of its network."""

    def __init__(self, out: str | Path, told: Callable[[Moment], None]):
        self.out = Path(out)
        super().__init__(TrainingFolder(folder_beside(out, SUFFIX)), told)
