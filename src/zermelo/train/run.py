"""The training of one game: generations of playing, learning and testing until the time is over."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.arena.host import versions
from zermelo.arena.statistics import Sprt, elo_from_pairs
from zermelo.engine.network import AnyNetwork, learned_as, network_of, read_network, with_network, without_network
from zermelo.engine.searcher import is_simulated
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.learning import fit_chance
from zermelo.learn.match import MatchOptions
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlayOptions
from zermelo.train.base import BaseTraining, Moment
from zermelo.train.curve import draw_curve, elo_so_far
from zermelo.train.family import family_of
from zermelo.train.folder import Generation, State
from zermelo.train.places import Here, Place, Stop
from zermelo.train.positions import draw_line, shown_states
from zermelo.train.settings import AnySettings, check_trainable, check_unsolved, settings_of
from zermelo.train.summary import Summary

LEAST_POSITIONS = 500
"""A generation plays on until it has found about this many positions to learn from."""
MOST_SHORT_GAMES = 2_000
"""… unless there are fewer in so many games."""
MOST_TEST_PAIRS = 2000
LEAST_MOVE_SECONDS = 0.001
LONGEST_GAME_PLIES = 400
BETTER = Sprt(0, 20)
"""The first network is kept if it is stronger than what was there before, by 20 Elo rather than by none, …"""
NOT_WORSE = Sprt(-20, 0)
"""… and a later one unless it is weaker than the one before it: learning goes on, and small steps are hard to see."""
NEWS_SECONDS = 2.0
"""Between two times that the state is written for those who watch."""


def command_of(text: str, minutes: float) -> str:
    """The command that trains a game for as long."""
    return f"zermelo train {text} --minutes {minutes:g}"


def rule_of(has_network: bool) -> Sprt:
    """What a network is tested for, if there was one before or not."""
    return NOT_WORSE if has_network else BETTER


class Training(BaseTraining):
    """Trains the game that `text` names; the network goes to the file `out`."""

    def __init__(
        self,
        text: str,
        out: str | Path,
        settings: AnySettings,
        told: Callable[[Moment], None],
        place: Place | None = None,
        *,
        command: str = "",
        matches: bool = True,
    ):
        """`command` is what the network's record says of its making, if this training is a part of another. Without
        `matches` the last match, against what was there before, is left out."""
        settings.check()
        self.place, self.matches, self._command = place or Here(), matches, command
        super().__init__(out, told)
        given = load(text)
        loaded = learned_as(given)
        self.rules = without_network(loaded)
        self._makes_chances = loaded is not given
        check_trainable(self.rules)
        check_unsolved(self.rules)
        self.settings = settings
        self.state: State = self._begin(text)
        self.state.line = self.state.line or draw_line(self.rules, settings.seed)
        self.before = self._before(loaded)
        """The game as it is played without the training."""
        self.family = family_of(self.settings)
        self.learning = self.family.learner(self.rules)
        self.best: AnyGame = self.before
        self.latest: AnyGame = self.before
        """Who plays itself."""
        self._load()
        self.place.prepare(self.rules)
        self._start_clock()

    def _before(self, loaded: AnyGame) -> AnyGame:
        """What was there when the training began: the network beside the game may be this training's by now."""
        if self.state.generations:
            with self.folder.reading():
                return (
                    with_network(self.rules, read_network(self.folder.start))
                    if self.folder.start.exists()
                    else self.rules
                )
        if (network := network_of(loaded)) is not None:
            with self.folder.writing():
                self.folder.path.mkdir(parents=True, exist_ok=True)
                network.write(self.folder.start)
        return loaded

    def _load(self) -> None:
        """Goes on from the network that was there before, or from those in the folder."""
        network = None
        if (known := network_of(self.before)) is not None:
            self.learning.take(known)
        with self.folder.reading():
            if self.folder.best.exists():
                network = read_network(self.folder.best)
                self.best = self.latest = with_network(self.rules, network)
                self.best.evaluate(self.rules.initial(), 0)  # refuses weights that do not fit
            if self.folder.learner.exists():
                self.learning.load(self.folder.learner)
                tested = [each for each in self.state.generations if each.kept is not None]
                if not tested or self._is_followed(tested[-1]):
                    self.latest = with_network(self.rules, self.learning.network(self._record()))
        if network is not None and not self.out.exists():
            with self.folder.writing():
                network.write(self.out)

    def _begin(self, text: str) -> State:
        """A new training, or the one in the folder, which goes on with its own settings for as long as is asked for."""
        found = self.folder.load()
        if found is None:
            return State(text, dataclasses.asdict(self.settings))
        kind = settings_of(found.settings.get("family", "sum"))
        given = kind(minutes=self.settings.minutes, threads=self.settings.threads)
        self.settings = self._settings_of(found, text, given)
        if found.seconds >= self.settings.seconds:
            raise OptionError(
                f"this training has had its {found.seconds / 60:.0f} minutes: say more, as in "
                f"--minutes {math.ceil(2 * found.seconds / 60)}, or remove {self.folder.path} to begin anew"
            )
        found.final_counts = [0] * 5
        found.settings = dataclasses.asdict(self.settings)
        return found

    @property
    def strongest(self) -> AnyGame:
        """The game with the best network, or the latest if none was kept."""
        return self.best if self.best is not self.before else self.latest

    def guide(self, guide: str) -> None:
        """From now on the network guides simulations with playouts so."""
        self.settings = dataclasses.replace(self.settings, guide=guide)
        self.family = family_of(self.settings)
        self.state.settings = dataclasses.asdict(self.settings)
        with self.folder.writing():
            if self.folder.best.exists():
                read_network(self.folder.best).guiding(guide).write(self.folder.best)
        self._load()
        self._save()

    def run(self, stop: Stop = lambda: False) -> Summary:
        """Trains until the time is over, or `stop` says so; Ctrl-C ends it likewise, and nothing is lost."""
        with self.folder.held():
            try:
                while not stop() and self.seconds_left > self._reserved_seconds:
                    self._generation(stop)
                if self._reserved_seconds:
                    self._final_match(stop)
                if not stop():
                    self.state.phase = "over"
            finally:
                self._save()
        return self.summary()

    def summary(self) -> Summary:
        state = self.state
        decided = [each for each in state.generations if each.kept is not None]
        elo = elo_from_pairs(state.final_counts) if sum(state.final_counts) else None
        return Summary(
            self.out if self.best is not self.before else None,
            elo,
            elo_so_far(state),
            state.games,
            state.positions,
            len(decided),
            sum(bool(each.kept) for each in decided),
            self.folder.curve,
        )

    @property
    def seconds_left(self) -> float:
        return self.settings.seconds - self.seconds

    @property
    def _reserved_seconds(self) -> float:
        """For the last match, if there is something to match."""
        share = self.settings.final_share if self.matches and self.best is not self.before else 0.0
        return share * self.settings.seconds

    # One generation.

    def _generation(self, stop: Stop) -> None:
        generations = self.state.generations
        if not generations or generations[-1].kept is not None:
            generations.append(Generation(len(generations)))
        current = generations[-1]
        seconds = min(self.settings.generation_seconds, self.seconds_left - self._reserved_seconds)
        playing, learning, testing = (share * seconds for share in self.family.shares)
        self._play(current, self._until(playing, stop))
        self._save()
        if stop():
            return
        candidate = self._learn(current, learning)
        if stop():
            return
        self._test(current, candidate, self._until(testing, stop))
        if not stop():
            self._decide(current, candidate)

    def _play(self, current: Generation, stop: Stop) -> None:
        """Games of the latest network, or of who teaches it, beside those of the generation that are there already."""
        path = self.folder.games(current.number)
        with self.folder.writing():
            self.folder.path.mkdir(parents=True, exist_ok=True)
        games, moves = self._recorded(path)
        if games != current.games:  # the training was killed, or the file cut off
            current.games, current.positions = games, moves
        games, positions = current.games, current.positions
        player = self.rules if self.family.is_taught(self.rules, current.number) else self.latest
        current.by_network = network_of(player) is not None
        with RecordWriter(path, self.rules, self.state.game) as writer:
            options: SelfPlayOptions[Any] = SelfPlayOptions(
                **self.family.selfplay(player),
                games=1 << 40,
                first=writer.next_number,
                seed=self.settings.seed + (current.number << 32),
                threads=self.settings.threads,
                opening_plies=(0, self.settings.opening_plies),
                longest_plies=LONGEST_GAME_PLIES,
                starts=tuple(self.rules.training_starts()) if self.rules.can("training_starts") else (),
            )
            selfplay = self.place.selfplay(player, options)

            def is_enough() -> bool:
                found = self.family.learned_share * (positions + selfplay.positions)
                return (stop() or self.family.is_enough(player, positions + selfplay.positions)) and (
                    found >= LEAST_POSITIONS or selfplay.games >= MOST_SHORT_GAMES
                )

            for block in selfplay.blocks(is_enough):
                writer.write(block)
                current.games, current.positions = games + selfplay.games, positions + selfplay.positions
                self.tell("playing")
        current.games = len(RecordedGames(path, self.rules))

    def _recorded(self, path: Path) -> tuple[int, int]:
        """The games and moves in a file of games."""
        if not path.exists() or not path.stat().st_size:
            return 0, 0
        found = RecordedGames(path, self.rules)
        return len(found), found.moves

    def _learn(self, current: Generation, seconds: float) -> AnyNetwork:
        """A network from the latest games."""
        self.tell("learning")
        window = self.settings.window(self.state.positions)
        shares = (self.settings.first_share, self.settings.score_share)
        found = self.learning.read(self._latest_games(), window, shares, seed=current.number)
        if found < LEAST_POSITIONS / 2:
            raise MethodError(
                f"{self.rules.name} gives too little to learn from: its games are decided after a few actions, "
                f"or leave no choice, or do not end within {LONGEST_GAME_PLIES} actions"
            )
        passes = self.settings.passes * min(1.0, self.learning.fresh / found)
        current.loss = self.learning.learn(passes, self.settings.rate, seconds, lambda: self.tell("learning"))
        with self.folder.writing():
            self.learning.save(self.folder.learner)
        return self.learning.network(self._record())

    def _latest_games(self) -> Iterator[tuple[RecordedGames[Any], bool]]:
        """The games of all generations, the latest first; the scores of a network are chances."""
        for each in reversed(self.state.generations):
            if each.games:
                yield RecordedGames(self.folder.games(each.number), self.rules), each.by_network

    def _test(self, current: Generation, candidate: AnyNetwork, stop: Stop) -> None:
        """Pairs of games against the best so far, until the sequential test or the time ends them."""
        challenger = with_network(self.rules, candidate)
        current.counts = [0] * 5
        against_itself = self.best is not self.before
        seconds = self.family.shares[2] * self.settings.generation_seconds
        options: MatchOptions[Any] = MatchOptions(
            self.family.tested(challenger) if against_itself else self._timed(challenger, seconds),
            self.family.tested(self.best) if against_itself else self._timed(self.before, seconds),
            pairs=MOST_TEST_PAIRS,
            seed=self.settings.seed + current.number,
            threads=self.settings.threads,
            opening_plies=(0, self.settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        match = self.place.match(challenger, self.best, options)
        for pair in match.play(lambda: stop() and sum(current.counts) >= self.family.least_pairs):
            current.counts[pair.half_points] += 1
            self.tell("testing")
            if self._rule.decision(current.counts):
                return

    def _decide(self, current: Generation, candidate: AnyNetwork) -> None:
        """Keeps what passed the test, or was nearer to that when its time was over."""
        current.kept = self._rule.llr(current.counts) > 0
        challenger = with_network(self.rules, candidate)
        followed = self._is_followed(current)
        current.values = [challenger.evaluate(state, 0) for state in shown_states(self.rules, self.state.line)]
        if current.kept:
            with self.folder.writing():
                candidate.write(self.folder.best)
                candidate.write(self.out)
            self.best = challenger
        self.latest = challenger if followed else self.best
        self._save()

    def _is_followed(self, current: Generation) -> bool:
        """Whether the network of a generation plays itself: it learns from its mistakes, but not if it lost clearly to
        an evaluation or a network, whose games teach more. Simulations without either are left behind at once."""
        without = self.best is self.before and (is_simulated(self.before) or not self.before.can("evaluate"))
        return bool(current.kept) or without or elo_from_pairs(current.counts).score >= self.family.followed_score

    def _final_match(self, stop: Stop) -> None:
        """The best against what was there before, at equal time."""
        seconds = self.seconds_left
        options: MatchOptions[Any] = MatchOptions(
            self._timed(self.best, seconds),
            self._timed(self.before, seconds),
            pairs=MOST_TEST_PAIRS,
            seed=self.settings.seed + (1 << 31),
            threads=self.settings.threads,
            opening_plies=(0, self.settings.opening_plies),
            longest_plies=LONGEST_GAME_PLIES,
        )
        counts = self.state.final_counts
        is_late = self._until(self.seconds_left, stop)
        for pair in self.place.match(self.best, self.before, options).play(
            lambda: is_late() and (stop() or sum(counts) >= self.family.least_pairs)
        ):
            counts[pair.half_points] += 1
            self.tell("matching")

    # What the phases share.

    @property
    def _rule(self) -> Sprt:
        return rule_of(self.best is not self.before)

    def _timed(self, game: AnyGame, seconds: float) -> SearchPlayer:
        """The player that a game has by default, with a time for each move: less of it if games are long, so that the
        fewest pairs of a match fit into its `seconds`."""
        plies = self.state.positions / max(self.state.games, 1)
        fits = seconds * self.settings.threads / (2 * self.family.least_pairs * max(plies, 1))
        return self.family.timed(game, min(self.settings.move_seconds, max(fits, LEAST_MOVE_SECONDS)))

    def _record(self) -> dict[str, Any]:
        """How the network was made."""
        return {
            "command": self._command or f"{command_of(self.state.game, self.settings.minutes)}{self._family_option}",
            **versions(),
            "generation": len(self.state.generations),
            "games": self.state.games,
            "positions": self.state.positions,
            "settings": dataclasses.asdict(self.settings),
            "guide": self.settings.guide,
            **({"chance": fit_chance(next(self._latest_games())[0])} if self._makes_chances else {}),
        }

    @property
    def _family_option(self) -> str:
        return "" if self.settings.family == "sum" else f" --networks family={self.settings.family}"

    def tell(self, phase: str) -> None:
        current = self.state.generations[-1]
        state = self.state
        state.phase = phase
        if time.monotonic() - self._written > NEWS_SECONDS:
            self._write()
        elo = elo_so_far(state)
        self.told(Moment(phase, current.number + 1, state.games, state.positions, current.loss, elo, self.seconds_left))

    def _save(self) -> None:
        self._write()
        self.folder.write(self.folder.curve, draw_curve(self.state))
