"""The tuning of one game: steps of a few pairs of games until the time is over, and a test of what came of them."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.arena.host import versions
from zermelo.arena.statistics import Sprt, elo_from_pairs
from zermelo.engine.compiled import compile_game
from zermelo.engine.identity import identify
from zermelo.engine.parameters import Tuning, pairs_for, parameters_for
from zermelo.errors import MethodError, OptionError
from zermelo.games import load
from zermelo.learn.match import Match, MatchOptions, PlayedPair
from zermelo.learn.selfplay import SearchPlayer
from zermelo.train.base import BaseRun, with_margin
from zermelo.train.folder import folder_beside
from zermelo.train.places import Stop
from zermelo.train.run import LONGEST_GAME_PLIES, MOST_TEST_PAIRS, NEWS_SECONDS
from zermelo.train.settings import check_unsolved
from zermelo.tune.curve import draw_curve, moves
from zermelo.tune.settings import TuningSettings, check_tunable
from zermelo.tune.space import Space, what_matters
from zermelo.tune.spsa import Gains, Spsa
from zermelo.tune.state import SUFFIX, TuningFolder, TuningState
from zermelo.tune.summary import TuningSummary

WANDER = 0.35
"""The rate of the last step, times the root of the number of pairs: what has no effect ends less than one of its steps
from where it began."""
FIRST_STEPS = 100
"""How many steps there are taken to be before the first one is timed."""
LEAST_TEST_PAIRS = 20
NOT_WEAKER = Sprt(-5, 5)
"""What is kept: 5 Elo more than before is likelier than 5 less."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a tuning is doing."""

    phase: str
    """`tuning`, `measuring` or `testing`."""
    news: str
    """How far it has come."""
    seconds_left: float

    def line(self) -> str:
        """`tuning: step 312, 2,496 games, reduction_base 0.75 → 0.63, 7:40 left`."""
        minutes, seconds = divmod(math.ceil(max(self.seconds_left, 0)), 60)
        return f"{self.phase}: {self.news}, {minutes}:{seconds:02} left"


class TuningRun(BaseRun[TuningFolder, Moment]):
    """Tunes the search of the game that `text` names; what is better goes to the file `out`."""

    def __init__(self, text: str, out: str | Path, settings: TuningSettings, told: Callable[[Moment], None]):
        settings.check()
        self.out = Path(out)
        super().__init__(TuningFolder(folder_beside(out, SUFFIX)), told)
        self.game = load(text)
        check_tunable(self.game)
        compile_game(self.game)
        check_unsolved(self.game)
        self.settings = settings
        self.state: TuningState = self._begin(text)
        self.space = Space(self.state.names)
        point = np.array(self.state.point) / self.space.steps
        self.spsa = Spsa(point, self.space.low, self.space.high, self.settings.seed)
        self._start_clock()
        if self.state.phase == "over" and self._tuning_seconds_left <= 0:
            raise OptionError(
                f"this tuning is over, after {self.seconds / 60:.1f} minutes: say more, as in "
                f"--minutes {math.ceil(2 * self.settings.minutes)}, or remove {self.folder.path} to begin anew"
            )

    def _begin(self, text: str) -> TuningState:
        """A new tuning, or the one in the folder, which goes on with its own settings for as long as is asked for."""
        found = self.folder.read_state(TuningState.from_json)
        if found is None:
            before = parameters_for(self.game)
            names = self.settings.names or what_matters(self.game, before, self.settings.nodes, self.settings.seed)
            if not names:
                raise MethodError(f"{self.game.name} has nothing to tune: no parameter changes its searches")
            space = Space(names)
            point = list(space.exact(space.point(before)).values())
            return TuningState(text, dataclasses.asdict(self.settings), names, before, point)
        asked = self.settings
        given = TuningSettings(minutes=asked.minutes, threads=asked.threads)
        self.settings = self._settings_of(found, text, given)
        if asked.names and asked.names != found.names:
            raise OptionError(
                f"{self.folder.path} holds a tuning of other parameters: give another --out, or leave out --parameters"
            )
        found.settings = dataclasses.asdict(self.settings)
        return found

    def run(self, stop: Stop = lambda: False) -> TuningSummary:
        """Tunes until the time is over, or `stop` says so; Ctrl-C ends it likewise, and nothing is lost."""
        with self.folder.held():
            try:
                while not stop() and self._tuning_seconds_left > 0:
                    self._step(stop)
                if not stop():
                    self._test(stop)
            finally:
                self._save()
        return self.summary()

    def summary(self) -> TuningSummary:
        state, tuned = self.state, self.tuned
        return TuningSummary(
            out=self.out if state.kept else None,
            elo=elo_from_pairs(state.counts) if sum(state.counts) else None,
            nodes=self.settings.nodes,
            games=state.games,
            steps=state.step,
            over=state.phase == "over",
            before=self.space.values(self.space.point(state.before)),
            after={name: tuned[name] for name in moves(state)},
            curve=self.folder.curve,
        )

    @property
    def tuned(self) -> dict[str, float]:
        """The values of the parameters that are tuned, as far as that has come."""
        return self.space.values(self.spsa.point)

    @property
    def seconds_left(self) -> float:
        return self.settings.seconds - self.seconds

    @property
    def _tuning_seconds_left(self) -> float:
        return self.seconds_left - self.settings.test_seconds

    # A step.

    def _step(self, stop: Stop) -> None:
        """One step; the last one may not end in time, and is then left out."""
        state, k = self.state, self.state.step + 1
        if state.phase != "tuning":
            state.phase, state.kept = "tuning", None
            state.counts = [0] * len(state.counts)
        gains = self.gains(k)
        luck = np.random.default_rng((self.settings.seed, k, 1)).random(len(state.names))
        first, second = (self.space.values(point, luck) for point in self.spsa.tried(k, gains))
        late = self._until(self._tuning_seconds_left, stop)
        played = list(self._match(first, second, state.games // 2, self.settings.pairs).play(late))
        if len(played) < self.settings.pairs:
            return
        self.spsa.learn(k, gains, score(played))
        state.step = k
        state.games += 2 * len(played)
        state.point = list(self.space.exact(self.spsa.point).values())
        state.note()
        self._tell(self._news())

    def gains(self, k: int) -> Gains:
        """Those of step k, by the number of steps that fit into the time."""
        share = self.seconds / (self.settings.seconds - self.settings.test_seconds)
        steps = max(k, round((k - 1) / share) if k > 1 and share > 0 else FIRST_STEPS)
        return Gains(steps, WANDER / math.sqrt(steps * self.settings.pairs))

    def _match(self, first: Mapping[str, float], second: Mapping[str, float], number: int, pairs: int) -> Match[Any]:
        """Some pairs of games from that number on, between two sets of values, which replace those from before."""
        settings, before = self.settings, self.state.before
        openings = self.state.tests if self.state.phase == "testing" else 0
        options: MatchOptions[Any] = MatchOptions(
            SearchPlayer(nodes=settings.nodes, parameters={**before, **first}),
            SearchPlayer(nodes=settings.nodes, parameters={**before, **second}),
            pairs=pairs,
            first=number,
            seed=(settings.seed + (openings << 32)) % (1 << 64),
            threads=settings.threads,
            opening_plies=(settings.opening_plies // 2, settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        return Match(self.game, self.game, options)

    def _news(self) -> str:
        name = next(iter(moves(self.state)))
        before = self.space.values(self.space.point(self.state.before))[name]
        return f"{name} {before:g} → {self.tuned[name]:g}"

    # The test.

    def _test(self, stop: Stop) -> None:
        """What was found against what was there before, from openings of its own; it goes to the file if it passes."""
        state = self.state
        if not state.step:
            raise MethodError(
                f"no step of {2 * self.settings.pairs} games has ended in {self.settings.minutes:g} minutes: say more "
                f"--minutes, or fewer --nodes"
            )
        if state.phase != "testing":
            state.phase = "testing"
            state.tests += 1
            state.counts = [0] * len(state.counts)
        if self.tuned != self.space.values(self.space.point(state.before)):
            self._play_test(stop)
            if stop():
                return
            state.kept = NOT_WEAKER.llr(state.counts) > 0
            if state.kept:
                self._write_out()
        state.phase = "over"

    def _play_test(self, stop: Stop) -> None:
        counts = self.state.counts
        late = self._until(self.seconds_left, stop)
        played = sum(counts)
        for pair in self._match(self.tuned, {}, played, MOST_TEST_PAIRS - played).play(
            lambda: late() and (stop() or sum(counts) >= LEAST_TEST_PAIRS)
        ):
            counts[pair.half_points] += 1
            elo = elo_from_pairs(counts)
            self._tell(f"Elo {with_margin(elo.elo, elo.margin)} in {elo.games:,}")
            if NOT_WEAKER.decision(counts):
                return

    def _write_out(self) -> None:
        elo = elo_from_pairs(self.state.counts)
        record = {
            "command": self._command,
            **versions(),
            "steps": self.state.step,
            "games": self.state.games,
            "seconds": round(self.seconds, 1),
            "settings": dataclasses.asdict(self.settings),
            "before": self.state.before,
            "elo": {"elo": round(elo.elo, 1), "margin": round(elo.margin, 1), "games": elo.games},
        }
        Tuning(identify(self.game), {**self.state.before, **self.tuned}, record, pairs_for(self.game)).write(self.out)

    @property
    def _command(self) -> str:
        settings = self.settings
        named = f" --parameters {settings.parameters}" if settings.parameters else ""
        return f"zermelo tune {self.state.game} --minutes {settings.minutes:g} --nodes {settings.nodes}{named}"

    # What both share.

    def _tell(self, news: str) -> None:
        if time.monotonic() - self._written > NEWS_SECONDS:
            self._write()
        state = self.state
        done = f"step {state.step:,}, {state.games:,} games"
        self.told(Moment(state.phase, f"{done}, {news}", self.seconds_left))

    def _save(self) -> None:
        self._write()
        self.folder.write(self.folder.curve, draw_curve(self.state))


def score(pairs: list[PlayedPair]) -> float:
    """Games that the first player won, less those that it lost."""
    return float(sum(pair.half_points - 2 for pair in pairs))
