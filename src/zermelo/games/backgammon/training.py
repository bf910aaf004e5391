"""Networks for backgammon: `zermelo train backgammon`.

The network for contact is learned in games against itself (`train_contact`), the one for races from the bear-off tables
(`train_races`). What both share is here: settings, progress, and the file that they write.
"""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.engine.tensors import Tensors, read_tensors, write_tensors
from zermelo.errors import InputError, OptionError
from zermelo.games.backgammon.networks import DEFAULT, NAMES, NETS, Floats, Networks
from zermelo.options import check_fields, choice, number, whole

SAVE_SECONDS = 60.0
"""Between two writings of the file."""


OPTIONS = {
    "network": choice(*NETS),
    "seconds": number(0, above=True, unit="seconds"),
    "games": whole(0),
    "hidden": whole(0, 1024),
    "inner": whole(1, 1024),
    "race_hidden": whole(1, 1024),
    "race_inner": whole(1, 1024),
    "sides": whole(1),
    "mean_worth": number(0),
    "generation": whole(1),
    "batch": whole(1),
    "trace": number(0, 1),
    "last_trace": number(0, 1),
    "lookahead": number(0, 1),
}


@dataclasses.dataclass(frozen=True)
class TrainingSettings:
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
        check_fields(self, OPTIONS)
        if self.window < self.batch:
            raise OptionError(f"window must be at least batch, {self.batch}, not {self.window}")


class TrainingProgress(NamedTuple):
    """Where a run stands after a generation."""

    games: int
    seconds: float
    share: float
    """Of the whole run."""
    losses: dict[str, float]
    positions: int
    """That were learned from last."""


class NetworkFile:
    """Both networks, of which one is being learned, and the runs that made them.

    Without a file to go on from, the one that is learned begins anew, and the other is the package's."""

    def __init__(self, out: str | os.PathLike[str], settings: TrainingSettings, start: str | os.PathLike[str] | None):
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

    def save(self, parts: list[Floats], settings: TrainingSettings, **facts: Any) -> None:
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


def train(
    out: str | os.PathLike[str],
    settings: TrainingSettings,
    start: str | os.PathLike[str] | None = None,
    report: Callable[[TrainingProgress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> TrainingProgress:
    """Learns, and writes the networks to `out` from time to time; continues from the file `start` if there is one."""
    from zermelo.games.backgammon.train_contact import ContactRun
    from zermelo.games.backgammon.train_races import RaceRun

    settings.check()
    kind = ContactRun if settings.network == "contact" else RaceRun
    return kind(NetworkFile(out, settings, start), settings, report or (lambda _: None), stop or (lambda: False)).go()
