"""What the trainings of backgammon's networks share: their settings, how far they are, and the file that they write."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from pathlib import Path
from typing import Any, NamedTuple

from zermelo import games
from zermelo.engine.backgammon import NAMES, NETS, Floats, Networks
from zermelo.engine.tensors import Tensors, read_tensors, write_tensors
from zermelo.errors import InputError, OptionError

DEFAULT = Path(games.__file__).with_name("backgammon") / "weights.safetensors"
"""The networks that come with the package."""
SAVE_SECONDS = 60.0
"""Between two writings of the file."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """How to learn.

    The schedule of contact runs over `seconds`, or over `games` if that is given: then a run can be repeated. That
    of the race runs over `sides`."""

    network: str = "contact"
    """Which one is learned: `contact` or `race`. The other stays as it is."""
    seconds: float = 600.0
    games: int = 0
    hidden: int = 256
    """Units of the contact network; 0 makes it linear."""
    inner: int = 64
    race_hidden: int = 128
    race_inner: int = 32
    sides: int = 400_000
    """How many sides of races are learned from."""
    mean_worth: float = 10.0
    """What an error of the mean number of rolls costs, squared, beside the cross entropy of its distribution."""
    generation: int = 2048
    """The most games a generation; the first ones are smaller, for there is much to unlearn."""
    window: int = 1_000_000
    """Positions that are kept to learn from."""
    reuse: float = 3.0
    """How often a position is learned from, on average."""
    batch: int = 2048
    rate: float = 1e-3
    """The first rate of learning; it falls to a hundredth of it."""
    trace: float = 0.8
    """λ at the beginning; it falls to `last_trace`."""
    last_trace: float = 0.4
    lookahead: float = 0.0
    """The share of the run, at its end, in which targets are means over all rolls."""
    strange: float = 0.1
    """The share of games that begin with random plays."""
    threads: int = 0
    """For the games; 0 takes all there are."""
    device: str = ""
    """For PyTorch; the first GPU if there is one."""
    seed: int = 0

    def check(self) -> None:
        if self.network not in NETS:
            raise OptionError("network must be contact or race")
        if not 0 <= self.hidden <= 1024 or not 0 < self.inner <= 1024:
            raise OptionError("hidden must be 0 to 1024 and inner 1 to 1024")
        if not 0 < self.race_hidden <= 1024 or not 0 < self.race_inner <= 1024 or self.sides < 1:
            raise OptionError("race_hidden and race_inner must be 1 to 1024, and sides above 0")
        if self.mean_worth < 0:
            raise OptionError("mean_worth must be 0 or more")
        if self.seconds <= 0 or self.games < 0 or self.generation < 1 or self.batch < 1 or self.window < self.batch:
            raise OptionError("seconds, generation and batch must be above 0, and window at least batch")
        if not 0 <= self.trace <= 1 or not 0 <= self.last_trace <= 1 or not 0 <= self.lookahead <= 1:
            raise OptionError("trace, last_trace and lookahead lie between 0 and 1")


class Progress(NamedTuple):
    """Where a run stands after a generation."""

    games: int
    seconds: float
    share: float
    """Of the whole run."""
    losses: dict[str, float]
    positions: int
    """That were learned from last."""


class File:
    """Both networks, of which one is being learned, and the runs that made them.

    Without a file to go on from, the one that is learned begins anew, and the other is the package's."""

    def __init__(self, out: str | os.PathLike[str], settings: Settings, start: str | os.PathLike[str] | None):
        self.out, self.net = out, settings.network
        self.tensors, runs = _read(start or DEFAULT)
        self.before = [run for run in runs if start or run.get("network", "contact") != self.net]
        self.old = [self.tensors[name] for name in NAMES[self.net]] if start else None
        """The weights to go on from."""
        self.begun = self.saved = time.monotonic()

    def networks(self, parts: list[Floats]) -> Networks:
        """With these weights of the one that is learned."""
        self.tensors = self.tensors | dict(zip(NAMES[self.net], parts, strict=True))
        return Networks(self.tensors)

    @property
    def is_old(self) -> bool:
        return time.monotonic() - self.saved > SAVE_SECONDS

    def save(self, parts: list[Floats], settings: Settings, **facts: Any) -> None:
        self.networks(parts)
        self.saved = time.monotonic()
        run = dataclasses.asdict(settings) | facts | {"seconds_taken": round(self.saved - self.begun, 1)}
        write_tensors(self.out, self.tensors, {"game": "backgammon", "runs": json.dumps([*self.before, run])})


def _read(path: str | os.PathLike[str]) -> tuple[Tensors, list[dict[str, Any]]]:
    """The tensors of a file of networks, and the runs that made it."""
    tensors, notes = read_tensors(path)
    Networks(tensors, str(path))
    try:
        return tensors, [dict(run) for run in json.loads(notes.get("runs", "[]"))]
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{path} does not say how it was made: give a file of `zermelo train`") from None
