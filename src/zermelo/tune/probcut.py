"""What shallow searches of a game foretell of deep ones, measured in its own games for Multi-ProbCut, and tested.

The engine plays games of few nodes a move; from each, some positions are searched depth by depth. When half of the time
is over, pairs of depths are fitted by stage. They are kept if a match at equal nodes does not speak against them.
"""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.arena.host import versions
from zermelo.arena.statistics import Estimate, elo_from_pairs
from zermelo.engine.engine import Engine
from zermelo.engine.identity import identify
from zermelo.engine.parameters import Tuning, attach_tuning, parameters_for
from zermelo.errors import MethodError, OptionError
from zermelo.games import load
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.selfplay import SearchPlayer
from zermelo.search.probcut import DepthPair, MeasuredPosition, fit_pairs, stage_of
from zermelo.train.base import BaseRun, with_margin
from zermelo.train.folder import (
    PAIR_RESULTS,
    RunFolder,
    check_state,
    folder_beside,
    is_count,
    is_list,
    is_number,
    require,
)
from zermelo.train.places import Stop
from zermelo.train.run import LONGEST_GAME_PLIES, MOST_TEST_PAIRS, NEWS_SECONDS
from zermelo.train.settings import check_unsolved
from zermelo.tune.run import LEAST_TEST_PAIRS, NOT_WEAKER, Moment
from zermelo.tune.settings import TuningSettings, check_tunable

SUFFIX = ".probcut"
PHASES = ("", "measuring", "testing", "over")
MEASURING_SHARE = 0.5
"""Of the whole time."""
PLAYED_NODES = 100
"""Of a move in the games from which positions are taken, …"""
POSITIONS_OF_GAME = 4
"""… so many of each."""
NODES_FACTOR = 50
"""A position is searched with so many times the nodes of a move, …"""
MOST_DEPTH = 32
"""… and no deeper."""
LEAST_POSITIONS = 30
"""Of a pair of depths."""


class ProbCutFolder(RunFolder):
    what = "measurement"


@dataclass
class ProbCutState:
    """What a measurement has come to."""

    game: str
    settings: dict[str, Any]
    seconds: float = 0.0
    games: int = 0
    stages: list[int] = field(default_factory=list)
    """Of the positions, …"""
    values: list[list[float | None]] = field(default_factory=list)
    """… and what searches of depth 1, 2, … found there."""
    counts: list[int] = field(default_factory=lambda: [0] * PAIR_RESULTS)
    """Of the test: pairs of games by half points."""
    phase: str = ""
    kept: bool | None = None

    @property
    def positions(self) -> list[MeasuredPosition]:
        return [MeasuredPosition(*each) for each in zip(self.stages, self.values, strict=True)]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ProbCutState:
        """The state that JSON holds; a `ValueError` or a `TypeError` says what is wrong with it."""
        state = cls(**data)
        check_state(state)
        require(is_count(state.games) and is_list(state.stages, is_count), "games and stages are counted")
        rows = is_list(state.values, lambda row: is_list(row, lambda each: each is None or is_number(each)))
        require(rows and len(state.values) == len(state.stages), "each position has its values")
        require(is_list(state.counts, is_count) and len(state.counts) == PAIR_RESULTS, "pairs are counted")
        require(state.phase in PHASES, "the phase is one of a few")
        require(state.kept is None or isinstance(state.kept, bool), "`kept` is true, false or null")
        return state


@dataclass(frozen=True, slots=True)
class ProbCutSummary:
    """How a measurement ended."""

    out: Path | None
    """The file; `None` if the test was not passed, or is still to come."""
    elo: Estimate | None
    nodes: int
    positions: int
    pairs: tuple[DepthPair, ...]
    over: bool

    def line(self) -> str:
        """`+18 ± 12 Elo at 1,000 nodes a move over what you had, 640 games`."""
        if self.elo is None:
            return f"{self.positions:,} positions so far, and no test yet; the same command goes on"
        found = f"{with_margin(self.elo.elo, self.elo.margin)} Elo at {self.nodes:,} nodes a move over what you had"
        if self.out is None and self.over:
            return f"{found}, {self.elo.games:,} games: not kept"
        return f"{found}, {self.elo.games:,} games"


class ProbCutRun(BaseRun[ProbCutFolder, Moment]):
    """Measures the game that `text` names; what is no weaker goes to the file `out`."""

    def __init__(self, text: str, out: str | Path, settings: TuningSettings, told: Callable[[Moment], None]):
        settings.check()
        if settings.names:
            raise OptionError("--parameters names what is tuned; leave it out with --probcut, which measures")
        self.out = Path(out)
        super().__init__(ProbCutFolder(folder_beside(out, SUFFIX)), told)
        self.text = text
        self.game = load(text)
        check_tunable(self.game)
        check_unsolved(self.game)
        self.settings = settings
        self.state: ProbCutState = self._begin()
        self._start_clock()
        if self.state.phase == "over" and self._measuring_seconds_left <= 0:
            raise OptionError(
                f"this measurement is over, after {self.seconds / 60:.1f} minutes: say more, as in "
                f"--minutes {math.ceil(2 * self.settings.minutes)}, or remove {self.folder.path} to begin anew"
            )

    def _begin(self) -> ProbCutState:
        """A new measurement, or the one in the folder, which goes on with its own settings."""
        found = self.folder.read_state(ProbCutState.from_json)
        if found is None:
            return ProbCutState(self.text, dataclasses.asdict(self.settings))
        self.settings = self._settings_of(found, self.text, self.settings)
        return found

    @property
    def seconds_left(self) -> float:
        return self.settings.seconds - self.seconds

    @property
    def _measuring_seconds_left(self) -> float:
        return self.seconds_left - (1 - MEASURING_SHARE) * self.settings.seconds

    def run(self, stop: Stop = lambda: False) -> ProbCutSummary:
        """Measures until its time is over, or `stop` says so; Ctrl-C ends it likewise, and nothing is lost."""
        with self.folder.held():
            try:
                while not stop() and self._measuring_seconds_left > 0:
                    self._measure_game(self._until(self._measuring_seconds_left, stop))
                if not stop():
                    self._test(stop)
            finally:
                self._write()
        return self.summary()

    def summary(self) -> ProbCutSummary:
        state = self.state
        return ProbCutSummary(
            out=self.out if state.kept else None,
            elo=elo_from_pairs(state.counts) if sum(state.counts) else None,
            nodes=self.settings.nodes,
            positions=len(state.stages),
            pairs=self.pairs,
            over=state.phase == "over",
        )

    @property
    def pairs(self) -> tuple[DepthPair, ...]:
        """What the positions so far tell."""
        return tuple(fit_pairs(self.state.positions, LEAST_POSITIONS))

    # The measurement.

    def _measure_game(self, is_late: Stop) -> None:
        """Plays a game, and searches some of its positions."""
        state = self.state
        if state.phase != "measuring":
            state.phase, state.kept = "measuring", None
            state.counts = [0] * PAIR_RESULTS
        chance = random.Random(f"{self.settings.seed} {state.games}")
        engine = Engine(self.game, table_mb=16, probcut=False)
        path = self._play(engine, chance)
        stages, values = [], []
        for each in chance.sample(path, min(POSITIONS_OF_GAME, len(path))):
            engine.clear()
            stages.append(stage_of(self.game, each))
            values.append(self._search(engine, each, is_late))
            if is_late():
                return
            self._tell(f"{len(state.stages) + len(stages):,} positions of {state.games + 1:,} games")
        state.stages += stages
        state.values += values
        state.games += 1

    def _play(self, engine: Engine[Any], chance: random.Random) -> list[Any]:
        """The positions of a game from which a player moves, without the random actions at its start."""
        game, state, path = self.game, self.game.initial(), []
        opening = chance.randint(self.settings.opening_plies // 2, self.settings.opening_plies)
        for ply in range(LONGEST_GAME_PLIES):
            if game.is_terminal(state):
                break
            if ply >= opening:
                path.append(state)
                action = engine.search(state, nodes=PLAYED_NODES).action
            else:
                action = chance.choice(list(game.actions(state)))
            state = game.result(state, action)
        return path

    def _search(self, engine: Engine[Any], state: Any, is_late: Stop) -> list[float | None]:
        """What searches of each depth find, from the neutral utility on."""
        nodes = NODES_FACTOR * self.settings.nodes
        values: list[float | None] = []
        for found in engine.think(state, nodes=nodes, depth=MOST_DEPTH, stop=is_late):
            if found.stopped or found.partial or found.exact:
                break
            values.append(found.value - self.game.neutral)
        return values

    # The test.

    def _test(self, stop: Stop) -> None:
        state = self.state
        if not self.pairs:
            raise MethodError(
                f"{len(state.stages):,} positions tell too little of the searches of {self.game.name}: say more "
                f"--minutes, or fewer --nodes"
            )
        state.phase = "testing"
        measured = load(self.text)
        attach_tuning(measured, self._tuning({}))
        options: MatchOptions[Any] = MatchOptions(
            SearchPlayer(nodes=self.settings.nodes),
            SearchPlayer(nodes=self.settings.nodes),
            pairs=MOST_TEST_PAIRS - sum(state.counts),
            first=sum(state.counts),
            seed=self.settings.seed,
            threads=self.settings.threads,
            opening_plies=(self.settings.opening_plies // 2, self.settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        late = self._until(self.seconds_left, stop)
        for pair in Match(measured, self.game, options).play(
            lambda: late() and (stop() or sum(state.counts) >= LEAST_TEST_PAIRS)
        ):
            state.counts[pair.half_points] += 1
            elo = elo_from_pairs(state.counts)
            self._tell(f"Elo {with_margin(elo.elo, elo.margin)} in {elo.games:,}")
            if NOT_WEAKER.decision(state.counts):
                break
        if stop():
            return
        state.kept = NOT_WEAKER.llr(state.counts) > 0
        state.phase = "over"
        if state.kept:
            elo = elo_from_pairs(state.counts)
            self._tuning({"elo": round(elo.elo, 1), "margin": round(elo.margin, 1), "games": elo.games}).write(self.out)

    def _tuning(self, elo: dict[str, float]) -> Tuning:
        """What was measured, with the parameters that the game has."""
        record = {
            "command": f"zermelo tune {self.text} --probcut --minutes {self.settings.minutes:g}"
            f" --nodes {self.settings.nodes}",
            **versions(),
            "positions": len(self.state.stages),
            "seconds": round(self.seconds, 1),
            "settings": dataclasses.asdict(self.settings),
            "elo": elo,
        }
        return Tuning(identify(self.game), parameters_for(self.game), record, self.pairs)

    def _tell(self, news: str) -> None:
        if time.monotonic() - self._written > NEWS_SECONDS:
            self._write()
        self.told(Moment(self.state.phase, news, self.seconds_left))
