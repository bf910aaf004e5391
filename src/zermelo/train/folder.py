"""The folder of a training: what it needs to go on after whatever ended it.

    state.json           the settings, and what every generation has come to
    best.safetensors     the best network so far; none before the first that was kept
    learner.safetensors  the weights of the trainer after the last generation
    games-0003.bin       the games of a generation
    curve.svg            a picture of the course
    lock                 held by the process that writes here

That of a game with networks of its own kind has a `state.json`, a `learner.safetensors`, and `start.safetensors` if it
began from a file.

Files are written whole or not at all; games are appended block by block.
"""

from __future__ import annotations

import fcntl
import json
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from zermelo.engine.whole_file import replace_file
from zermelo.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
SUFFIX = ".training"
MOST_BYTES = 8 << 20
"""Of the state: more than any training writes."""
MOST_COUNT = 1 << 53
PAIR_RESULTS = 5
"""Half points of a pair of games: 0 to 4."""


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
    by_network: bool = False
    """Whether a network played the games."""


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
    phase: str = ""
    """What it was doing when this was written: `playing`, `learning`, `testing`, `matching` or `over`."""
    line: list[int] = field(default_factory=list)
    """The actions of the random game whose positions are valued in every generation."""

    @property
    def games(self) -> int:
        return sum(each.games for each in self.generations)

    @property
    def positions(self) -> int:
        return sum(each.positions for each in self.generations)


def decode_state(data: Any) -> State:
    """The state that JSON holds; a `ValueError` or a `TypeError` says what is wrong with it."""
    given = dict(data)
    require(isinstance(given.get("generations"), list), "generations are a list")
    generations = [Generation(**each) for each in given.pop("generations")]
    state = State(**given, generations=generations)
    for number, each in enumerate(generations):
        require(each.number == number, "its generations are not numbered from 0 on")
        require(each.kept is None or isinstance(each.kept, bool), "`kept` is true, false or null")
        require(each.loss is None or is_number(each.loss), "a loss is a number")
        require(isinstance(each.by_network, bool), "`by_network` is true or false")
        require(is_count(each.games) and is_count(each.positions), "games and positions are counted")
        require(is_list(each.values, is_number), "values are numbers")
    counts = [each.counts for each in generations] + [state.final_counts]
    require(all(is_list(each, is_count) and len(each) == PAIR_RESULTS for each in counts), "pairs are counted")
    require(isinstance(state.phase, str), "the phase is a text")
    check_state(state)
    require(is_list(state.line, lambda a: isinstance(a, int) and abs(a) < 1 << 63), "actions are whole numbers")
    return state


def check_state(state: Any) -> None:
    """What the states of all runs have."""
    require(isinstance(state.game, str), "the game is a text")
    require(isinstance(state.settings, Mapping), "settings are a record")
    require(is_number(state.seconds) and 0 <= state.seconds < MOST_COUNT, "seconds are a number from 0 on")


def require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)


def is_number(value: Any) -> bool:
    return isinstance(value, float) or (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST_COUNT
    )


def is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_COUNT


def is_list(value: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(holds, value))


def folder_beside(out: str | Path, suffix: str) -> Path:
    """The folder of the run whose result goes to the file `out`."""
    if not Path(out).name:
        raise InputError(f"{out} is no name of a file: say --out FILE")
    return Path(out).with_suffix(suffix)


class RunFolder:
    """The folder of a run that goes on after a break: its state, its curve, and who writes there."""

    what: ClassVar[str]
    """The kind of run, in words."""

    def __init__(self, path: Path):
        self.path = path

    @property
    def state(self) -> Path:
        return self.path / "state.json"

    @property
    def curve(self) -> Path:
        return self.path / "curve.svg"

    def read_state(self, decode: Callable[[dict[str, Any]], T]) -> T | None:
        """The state of a run that was begun; `None` if there is none."""
        if not self.state.exists():
            return None
        try:
            found = self.state.stat()
            require(stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES, "it is no file of a usual size")
            return decode(json.loads(self.state.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{self.state} is not the state of a {self.what}: {error}; remove {self.path} to begin anew"
            ) from None

    def save(self, state: DataclassInstance) -> None:
        self.write(self.state, json.dumps(asdict(state), indent=1) + "\n")

    def write(self, path: Path, text: str) -> None:
        with self.writing():
            self.path.mkdir(parents=True, exist_ok=True)
            replace_file(path, [text.encode()])

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps other processes from writing to this folder meanwhile."""
        with self.writing():
            self.path.mkdir(parents=True, exist_ok=True)
            lock = (self.path / "lock").open("w")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    f"another process is {self.what} in {self.path}: let it finish, or give another --out"
                ) from None
            except OSError:
                pass  # a file system that has no locks
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Says what to do about a file that is damaged, or another run's."""
        try:
            yield
        except InputError as error:
            raise InputError(f"{error}; remove {self.path} to begin anew") from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One line for a disk that is full, or a folder that cannot be written to."""
        try:
            yield
        except OSError as error:
            why = error.strerror or error
            raise InputError(
                f"the {self.what} cannot be kept in {self.path}: {why}; what was kept before is there"
            ) from None


class TrainingFolder(RunFolder):
    """Reads and writes the files of a training."""

    what = "training"

    @property
    def best(self) -> Path:
        return self.path / "best.safetensors"

    @property
    def learner(self) -> Path:
        return self.path / "learner.safetensors"

    def games(self, generation: int) -> Path:
        return self.path / f"games-{generation:04}.bin"

    @property
    def start(self) -> Path:
        return self.path / "start.safetensors"

    def load(self) -> State | None:
        """The state of a training that was begun; `None` if there is none."""
        return self.read_state(decode_state)
