"""The training of a game that tries both families of networks, and goes on with the one that plays better.

    a fifth of the time       a sum network, for alpha-beta
    a third                   a grid network, for Monte Carlo tree search
    a match                   between the two, at equal time
    the rest                  the one that won learns on

Either network may play better as a guide of simulations with playouts, which are fast and know how games end: matches
at equal time show that before the two meet.

Each family is a training of its own, in a folder within that of the whole; so a kill loses no more than it loses there.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo.arena.statistics import elo_from_pairs
from zermelo.engine.network import GUIDES, network_of, with_network
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.match import MatchOptions
from zermelo.learn.selfplay import SearchPlayer
from zermelo.options import check_fields
from zermelo.train.base import BaseTraining, Moment
from zermelo.train.family import simulating
from zermelo.train.folder import SUFFIX, TrainingFolder
from zermelo.train.places import Here, Place, Stop
from zermelo.train.run import LONGEST_GAME_PLIES, Training, command_of
from zermelo.train.settings import CommonSettings, check_trainable, settings_of
from zermelo.train.summary import Summary

TRIALS = {"sum": 0.22, "grid": 0.3}
"""The share of the time that each family has before the match."""
MATCH_SHARE = 0.035
LEAST_PAIRS, MOST_PAIRS = 10, 500
LEAST_MINUTES = 3.0
"""In less time only a sum network is learned."""
SEARCHES = {"sum": "alpha-beta", "grid": "Monte Carlo tree search"}
GUIDING = "simulations and playouts"
SECONDS = CommonSettings().move_seconds
"""Of a move in these matches."""


@dataclass(frozen=True, slots=True)
class AutoSettings:
    """How long both families are tried; each has its own settings for the rest."""

    minutes: float = 30.0
    threads: int = 1
    seed: int = 0

    def check(self) -> None:
        check_fields(self, {name: CommonSettings.limits[name] for name in ("minutes", "threads", "seed")})


@dataclass(frozen=True, slots=True)
class AutoSummary:
    """How a training of both families ended."""

    last: Summary
    """Of the family that learned last."""
    winner: str
    """`sum` or `grid`; empty until it is decided."""
    counts: tuple[int, ...]
    """Of the match between the two: pairs of games by half points of the sum network; all 0 if there was none."""
    guide: str
    """How the network guides simulations with playouts; empty if it does not."""

    def line(self) -> str:
        """`+148 ± 30 Elo over what you had, 212 games; a grid network … beat the other family 31.5 – 8.5`."""
        if not sum(self.counts):
            return self.last.line()
        points = [sum(half * pairs for half, pairs in enumerate(self.counts)) / 2]
        points.append(2 * sum(self.counts) - points[0])
        better, other = sorted(points, reverse=True)
        name = f"{self.winner} network with {GUIDING if self.guide else SEARCHES[self.winner]}"
        return f"{self.last.line()}; a {name} beat the other family {better:g} – {other:g}"


class AutoTraining(BaseTraining):
    """Trains the game that `text` names by both families; the better network goes to the file `out`."""

    def __init__(
        self,
        text: str,
        out: str | Path,
        settings: AutoSettings,
        told: Callable[[Moment], None],
        place: Place | None = None,
    ):
        settings.check()
        super().__init__(out, told)
        self.text, self.settings, self.place = text, settings, place or Here()
        rules = load(text)
        check_trainable(rules)
        if self.folder.load() is not None:
            raise InputError(
                f"{self.folder.path} holds the training of one family: say which, as in --networks family=sum, "
                "or give another --out"
            )
        self.winner, self.counts, self.guided = self._read_contest()
        self.current = self._train("sum")
        """The training under way."""
        trial = self.settings.minutes >= LEAST_MINUTES and not rules.kind.chance
        self.families = [each for each in TRIALS if each == "sum" or trial]
        if self._spent() >= 60 * settings.minutes:
            raise OptionError(
                f"this training has had its {self._spent() / 60:.0f} minutes: say more, as in "
                f"--minutes {2 * self._spent() / 60:.0f}, or remove {self.folder.path} to begin anew"
            )

    def run(self, stop: Stop = lambda: False) -> AutoSummary:
        """Trains until the time is over, or `stop` says so; Ctrl-C ends it likewise, and nothing is lost."""
        with self.folder.held():
            try:
                if not self.winner:
                    self._try_families(stop)
                if self.winner and not stop():
                    self._finish(stop)
            finally:
                self._publish()
        return self.summary()

    def summary(self) -> AutoSummary:
        last = self.current.summary()
        if last.network is None:  # the other family may have one
            kept = next((each for each in self.families if self._folder(each).best.exists()), None)
            last = last if kept is None else self._train(kept).summary()
        network = self.out if last.network is not None else None
        return AutoSummary(replace(last, network=network), self.winner, tuple(self.counts), self.current.settings.guide)

    # The steps.

    def _try_families(self, stop: Stop) -> None:
        for family in self.families:
            seconds = 60 * self.settings.minutes * (TRIALS[family] if len(self.families) > 1 else 1.0)
            if self._spent(family) >= seconds:
                continue
            try:
                self.current = self._train(family, seconds, matches=len(self.families) == 1)
            except MethodError:
                if family == "sum":
                    raise
                continue  # the states of this game are on no board
            self.current.run(stop)
            if stop():
                return
        for family in self.families:
            if len(self.families) > 1 and family not in self.guided and self._folder(family).learner.exists():
                self._try_guiding(family, stop)
        if stop():
            return
        learned = [each for each in self.families if self._folder(each).learner.exists()]
        if len(learned) == 2:
            self._contest(stop)
        if not stop() and learned:
            points = elo_from_pairs(self.counts).score if sum(self.counts) else 1.0
            self.winner = learned[0] if points >= 0.5 else learned[1]
            self._write_contest()

    def _try_guiding(self, family: str, stop: Stop) -> None:
        """Matches of a network against itself as a guide of simulations, at equal time; the best way stays."""
        training = self._train(family)
        game = training.strongest
        network, player, best = network_of(game), training.family.timed(game, SECONDS), ""
        tried: dict[str, list[int]] = {}
        for guide in GUIDES if network is not None else ():  # an evaluation made by hand may still play better
            assert network is not None
            guided = with_network(training.rules, network.guiding(guide))
            tried[guide] = self._match((game, guided), (player, simulating(guided, SECONDS)), stop)
            if stop():
                return
            if elo_from_pairs(tried[guide]).score < 0.5:
                game, player, best = guided, simulating(guided, SECONDS), guide
        if best:
            training.guide(best)
        self.guided[family] = tried
        self._write_contest()

    def _contest(self, stop: Stop) -> None:
        """A match between the two families at equal time; one that has kept no network yet plays with its latest."""
        trainings = [self._train(each) for each in TRIALS]
        one, other = ((each.strongest, each.family.timed(each.strongest, SECONDS)) for each in trainings)
        self.counts = self._match((one[0], other[0]), (one[1], other[1]), stop)

    def _match(
        self, games: tuple[AnyGame, AnyGame], players: tuple[SearchPlayer, SearchPlayer], stop: Stop
    ) -> list[int]:
        """Pairs of games by half points of the first."""
        until = self._until(MATCH_SHARE * 60 * self.settings.minutes, stop)
        options: MatchOptions[Any] = MatchOptions(
            *players,
            pairs=MOST_PAIRS,
            seed=self.settings.seed + (1 << 33),
            threads=self.settings.threads,
            opening_plies=(0, CommonSettings().opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        counts = [0] * 5
        for pair in self.place.match(*games, options).play(lambda: until() and (stop() or sum(counts) >= LEAST_PAIRS)):
            counts[pair.half_points] += 1
            self.current.tell("matching")
        return counts

    def _finish(self, stop: Stop) -> None:
        """The winner learns on for the time that is left, and is matched against what was there before."""
        left = 60 * self.settings.minutes - self._spent()
        if left > 0:
            self.current = self._train(self.winner, self._spent(self.winner) + left)
            self.current.run(stop)

    def _publish(self) -> None:
        """Writes the best network so far to the file."""
        families = sorted(self.families, key=lambda each: each != self.winner)
        best = next((path for each in families if (path := self._folder(each).best).exists()), None)
        if best is not None:
            with self.folder.writing():
                new = self.out.with_name(f"{self.out.name}.new")
                shutil.copyfile(best, new)
                new.replace(self.out)

    # What they share.

    def _network(self, family: str) -> Path:
        return self.folder.path / f"{family}.safetensors"

    def _folder(self, family: str) -> TrainingFolder:
        return TrainingFolder(self._network(family).with_suffix(SUFFIX))

    def _spent(self, *families: str) -> float:
        """Seconds, of both families if none is named."""
        states = (self._folder(each).load() for each in families or TRIALS)
        return sum(state.seconds for state in states if state is not None)

    def _train(self, family: str, seconds: float | None = None, matches: bool = True) -> Training:
        """The training of a family for so long in all; without `seconds` as it stands."""
        total = 60 * self.settings.minutes
        own = max(total, self._spent(family) + 1) if seconds is None else seconds
        settings = settings_of(family)(minutes=own / 60, threads=self.settings.threads, seed=self.settings.seed)
        beside = total - own - self._spent(*(each for each in TRIALS if each != family))
        """What is left for others when this training is over."""

        def told(moment: Moment) -> None:
            self.told(replace(moment, network=family, seconds_left=moment.seconds_left + beside))

        command = command_of(self.text, self.settings.minutes)
        return Training(self.text, self._network(family), settings, told, self.place, command=command, matches=matches)

    def _read_contest(self) -> tuple[str, list[int], dict[str, dict[str, list[int]]]]:
        path = self.folder.path / "contest.json"
        if not path.exists():
            return "", [0] * 5, {}
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            winner, counts = data["winner"], [int(count) for count in data["counts"]]
            guided = {
                family: {guide: [int(count) for count in each] for guide, each in tried.items()}
                for family, tried in data["guided"].items()
            }
            matches = [counts, *(each for tried in guided.values() for each in tried.values())]
            if winner not in ("", *TRIALS) or any(len(each) != 5 or min(each) < 0 for each in matches):
                raise ValueError("it names no winner")
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(
                f"{path} is not the result of a match: {error}; remove {self.folder.path} to begin anew"
            ) from None
        return winner, counts, guided

    def _write_contest(self) -> None:
        text = json.dumps({"winner": self.winner, "counts": list(self.counts), "guided": self.guided})
        self.folder.write(self.folder.path / "contest.json", text + "\n")
