"""Networks for backgammon: `zermelo train backgammon`.

The network for contact is learned in games against itself (`train_contact`), the one for races from the bear-off tables
(`train_races`). What both share is here: settings, and the networks that they begin with and write. `zermelo.train`
runs them.
"""

from __future__ import annotations

import dataclasses
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from zermelo.engine.compiled import Stop
from zermelo.engine.core import _core
from zermelo.engine.tensors import Tensors, read_tensors, write_tensors
from zermelo.errors import InputError, OptionError
from zermelo.games.backgammon.networks import DEFAULT, NAMES, NETS, Floats, Networks
from zermelo.options import check_fields, choice, number, whole

if TYPE_CHECKING:
    from zermelo.learn.learner import Learner

MATCH_SHARE = 0.1
"""Of the minutes: the rest is for learning."""

OPTIONS = {
    "network": choice(*NETS),
    "minutes": number(0, above=True, unit="minutes"),
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

    The schedule of contact runs over `minutes`, or over `games` if that is given: then a run can be repeated. That
    of the race runs over `sides`."""

    network: str = "contact"
    """Which one is learned: `contact` or `race`. The other stays as it is."""
    minutes: float = 10.0
    """With the match at the end, which takes a tenth."""
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


class NetworkPair:
    """Both networks, of which one is being learned, and the runs that made them.

    Without a file to go on from, the one that is learned begins anew, and the other is the package's."""

    def __init__(self, net: str, start: str | os.PathLike[str] | None):
        self.net = net
        self.tensors, runs = _read(start or DEFAULT)
        self.before = Networks(self.tensors)
        """What a run is measured by."""
        self.runs = [run for run in runs if start or run.get("network", "contact") != net]
        self.old = [self.tensors[name] for name in NAMES[net]] if start else None
        """The weights to go on from."""

    def _with(self, parts: list[Floats]) -> Tensors:
        return self.tensors | dict(zip(NAMES[self.net], parts, strict=True))

    def networks(self, parts: list[Floats]) -> Networks:
        """With these weights of the one that is learned."""
        return Networks(self._with(parts))

    def write(self, path: str | os.PathLike[str], parts: list[Floats], run: Mapping[str, Any]) -> None:
        write_tensors(path, self._with(parts), {"game": "backgammon", "runs": json.dumps([*self.runs, run])})


def _read(path: str | os.PathLike[str]) -> tuple[Tensors, list[dict[str, Any]]]:
    """The tensors of a file of networks, and the runs that made it."""
    tensors, notes = read_tensors(path)
    Networks(tensors, str(path))
    try:
        return tensors, [dict(run) for run in json.loads(notes.get("runs", "[]"))]
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{path} does not say how it was made: give a file of `zermelo train`") from None


class PairRun(ABC):
    """A run that learns one of the two networks; see `NetworkRun` in the contract."""

    learner: Learner

    def __init__(self, pair: NetworkPair, settings: TrainingSettings, elapsed: Callable[[], float]):
        self.pair, self.settings, self.elapsed = pair, settings, elapsed
        self.games = self.positions = self.steps = 0
        self.loss: float | None = None

    @property
    @abstractmethod
    def share(self) -> float: ...

    @abstractmethod
    def step(self) -> None: ...

    @property
    def threads(self) -> int:
        return self.settings.threads or os.cpu_count() or 1

    def parts(self) -> list[Floats]:
        """The weights as they are now."""
        return self.learner.parts()

    def save(self, path: str | os.PathLike[str]) -> None:
        counts = {"games": self.games, "positions": self.positions, "steps": self.steps}
        self.learner.save(path, {"network": self.pair.net, **counts})

    def load(self, path: str | os.PathLike[str]) -> None:
        notes = self.learner.load(path)
        try:
            if notes["network"] != self.pair.net:
                raise ValueError(f"it learns {notes['network']}")
            self.games, self.positions, self.steps = (int(notes[name]) for name in ("games", "positions", "steps"))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path} does not hold the learner of {self.pair.net}: {error}") from None

    def write(self, path: str | os.PathLike[str], record: Mapping[str, Any]) -> None:
        self.pair.write(path, self.parts(), dataclasses.asdict(self.settings) | dict(record))

    def match(self, pairs: int, first: int, stop: Stop) -> list[float]:
        networks, seed = self.pair.networks(self.parts()), self.settings.seed + (1 << 32) + first
        try:
            return networks.pair_points(self.pair.before, pairs, seed=seed, threads=self.threads, stop=stop)
        except _core.Stopped:
            return []

    @abstractmethod
    def close(self) -> None: ...


def begin(settings: TrainingSettings, start: str | os.PathLike[str] | None, elapsed: Callable[[], float]) -> PairRun:
    """A run of `zermelo train backgammon`; goes on from the file `start` if there is one."""
    from zermelo.games.backgammon.train_contact import ContactRun
    from zermelo.games.backgammon.train_races import RaceRun

    settings.check()
    kind = ContactRun if settings.network == "contact" else RaceRun
    return kind(NetworkPair(settings.network, start), settings, elapsed)
