"""The training of a game whose networks are of its own kind: it learns, and this keeps time, files and score."""

from __future__ import annotations

import dataclasses
import math
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.arena.host import versions
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game.contract import Trainer
from zermelo.train.base import BaseTraining, Moment
from zermelo.train.folder import check_state
from zermelo.train.places import Stop
from zermelo.train.settings import FINAL_SHARE

SAVE_SECONDS = 10.0
"""Between two writings of the files."""
MATCH_BLOCK_PAIRS = 50
LEAST_MATCH_PAIRS, MOST_MATCH_PAIRS = 100, 10_000


@dataclass
class OwnState:
    """What such a training has come to; how far its networks are is kept with their learner."""

    game: str
    settings: dict[str, Any]
    start: str | None
    """The file that it began from."""
    seconds: float = 0.0
    """Spent so far."""
    pairs: int = 0
    """Of games, in the match against what was there before."""
    points: float = 0.0
    """Their points a game, summed up, and squared and summed up."""
    squares: float = 0.0
    over: bool = False

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> OwnState:
        state = cls(**data)
        check_state(state)
        return state

    def add(self, points: list[float]) -> None:
        """Adds pairs of the match."""
        self.pairs += len(points)
        self.points += sum(points)
        self.squares += sum(each * each for each in points)

    def mean(self) -> tuple[float | None, float]:
        """The points a game, and their standard error."""
        if self.pairs < 2:
            return None, math.inf
        mean = self.points / self.pairs
        spread = max(self.squares - self.pairs * mean * mean, 0.0) / (self.pairs - 1)
        return mean, math.sqrt(spread / self.pairs)


@dataclass(frozen=True, slots=True)
class OwnSummary:
    """How such a training ended."""

    network: Path
    points: float | None
    """A game, in the match against what was there before; `None` if there was none."""
    error: float
    """The standard error of that, from the spread of pairs of games with the same dice."""
    matched: int
    """Games of the match."""
    games: int
    positions: int
    seconds: float

    def line(self) -> str:
        """`+0.013 ± 0.024 points a game over what you had, 2,000 games`."""
        if self.points is None:
            return f"{self.games:,} games in {self.seconds:.0f} s; no match has been played yet"
        points = f"{self.points:+.3f} ± {self.error:.3f}".replace("-", "−")
        return f"{points} points a game over what you had, {self.matched:,} games"


class OwnTraining(BaseTraining):
    """Trains the game that `text` names by its own `trainer`; the networks go to the file `out`."""

    def __init__(
        self,
        trainer: Trainer,
        text: str,
        out: str | Path,
        settings: Any,
        start: str | Path | None,
        told: Callable[[Moment], None],
    ):
        settings.check()
        super().__init__(out, told)
        self.state: OwnState = OwnState(text, dataclasses.asdict(settings), None if start is None else str(start))
        found = self.folder.read_state(OwnState.from_json)
        if found is not None:
            settings = self._settings_of(found, text, settings)
            if start is not None and str(start) != found.start:
                raise InputError(
                    f"{self.folder.path} holds a training that did not begin from {start}: give another --out"
                )
            self.state = found
            start = self.folder.start if found.start is not None else None
        self.settings = settings
        self.learning = trainer.begin(settings, start, lambda: self.seconds)
        if found is None and start is not None:
            with self.folder.writing():
                self.folder.path.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(start, self.folder.start)
        if self.folder.learner.exists():
            with self.folder.reading():
                self.learning.load(self.folder.learner)
        if self.state.over and self.learning.share >= 1:
            raise OptionError(
                f"this training is over, after {self.state.seconds / 60:.1f} minutes: say more, as in "
                f"--minutes {math.ceil(2 * self.state.seconds / 60)}, or remove {self.folder.path} to begin anew"
            )
        self.state = dataclasses.replace(self.state, pairs=0, points=0.0, squares=0.0, over=False)
        self._saved = -math.inf
        self._start_clock()

    def run(self, stop: Stop = lambda: False) -> OwnSummary:
        """Trains until the run is over, or `stop` says so; Ctrl-C ends it likewise, and nothing is lost."""
        try:
            with self.folder.held():
                self._learn(stop)
        finally:
            self.learning.close()
        return self.summary()

    def _learn(self, stop: Stop) -> None:
        try:
            while self.learning.share < 1 and not stop():
                self._tell("learning")
                self._step()
                if time.monotonic() - self._saved > SAVE_SECONDS:
                    self._save()
            self._save()
            if not stop():
                self._match(stop)
        except KeyboardInterrupt:
            self._save()
            raise

    def summary(self) -> OwnSummary:
        points, error = self.state.mean()
        run = self.learning
        return OwnSummary(self.out, points, error, 2 * self.state.pairs, run.games, run.positions, self.seconds)

    def _step(self) -> None:
        self.learning.step()
        if self.learning.loss is not None and not math.isfinite(self.learning.loss):
            raise MethodError(
                f"the networks of {self.state.game} cannot be learned: their loss is not a number; "
                f"try a lower rate (the last good ones are in {self.out})"
            )

    def _match(self, stop: Stop) -> None:
        """The networks against what was there before, for a tenth of the whole time."""
        state = self.state
        is_late = self._until(FINAL_SHARE / (1 - FINAL_SHARE) * self.seconds, stop)
        while state.pairs < MOST_MATCH_PAIRS and not (is_late() and (stop() or state.pairs >= LEAST_MATCH_PAIRS)):
            self._tell("matching")
            state.add(self.learning.match(MATCH_BLOCK_PAIRS, state.pairs, stop))
        state.over = not stop()
        self._write()

    def _tell(self, phase: str) -> None:
        run, share = self.learning, self.learning.share
        left = self.seconds / share * (1 - share) if share else 60 * self.settings.minutes
        self.told(Moment(phase, run.steps + 1, run.games, run.positions, run.loss, None, left))

    def _save(self) -> None:
        """Keeps the learner, and writes the networks."""
        self._write()
        with self.folder.writing():
            self.learning.save(self.folder.learner)
            self.learning.write(self.out, self._record())
        self._saved = time.monotonic()

    def _record(self) -> dict[str, Any]:
        """How the networks were made."""
        games, start = self.settings.games, self.state.start
        how_long = f"--games {games}" if games else f"--minutes {self.settings.minutes:g}"
        return {
            "command": f"zermelo train {self.state.game} {how_long}" + (f" --from {start}" if start else ""),
            **versions(),
            "games_played": self.learning.games,
            "positions": self.learning.positions,
            "seconds_taken": round(self.state.seconds, 1),
        }
