"""The kit itself: plays a game at random, checks every position, and measures how fast the rules run in Python."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Hashable
from contextlib import suppress
from itertools import islice
from typing import Any

from zermelo.check.extras import Estimates, Texts
from zermelo.check.facts import Facts, Shape, read_facts
from zermelo.check.moves import ExaminedPosition, Identity, check_chances, check_utilities, examine, follow
from zermelo.check.report import CheckReport, Ledger
from zermelo.check.rules import ANY, MOST_ACTIONS, Finished, Rules, Unanswered, Watch, frozen
from zermelo.check.views import Views
from zermelo.errors import OptionError
from zermelo.game import CHANCE, AnyGame, Game

TELL_SECONDS = 0.01
"""Seconds between calls of the watch: a call at every position would distort the measurement."""
MEASURED_POSITIONS = 30_000
"""Positions after which the speed is precise enough."""
LONGEST_GAME_PLIES = 10_000
"""Plies after which a game is considered endless."""
ENDLESS = (
    f"a game at random did not end within {LONGEST_GAME_PLIES:,} plies; "
    "searches to the end of the game will not end either"
)


def measure(rules: Rules, facts: Facts, seconds: float, seed: int) -> float:
    """Positions per second of random play, over `seconds` at most; 0 if the rules do not get that far."""
    game, watch = rules.game, rules.watch
    choose = random.Random(seed).choice
    positions = 0
    begin = now = time.perf_counter()
    told = 0.0
    try:
        while now - begin < seconds and positions < MEASURED_POSITIONS:
            s = game.initial()
            for _ in range(LONGEST_GAME_PLIES):
                positions += 1
                now = time.perf_counter()
                if now - told > TELL_SECONDS:
                    told = now
                    watch.plays()
                if game.is_terminal(s) or now - begin > seconds:
                    break
                game.player(s)
                s = game.result(s, choose(list(islice(game.actions(s), MOST_ACTIONS))))
            else:
                if facts.repetition is None:
                    rules.ledger.note(ENDLESS)
    except BaseException:
        # The rules were blamed for it when they were checked, or will be in the next, longer check.
        if rules.interrupted:
            raise
    return positions / (now - begin) if now > begin else 0.0


SPEED_SHARE = 0.1
"""The part of the time that goes into measuring how fast the rules run unchecked."""


def check(
    game: AnyGame, *, games: int = 200, seconds: float = 5.0, seed: int = 0, watch: Watch | None = None
) -> CheckReport:
    """Plays `game` at random, at most `games` times and `seconds` long, and reports every breach of the contract.

    No exception of a rule leaves this function. `watch` is told of each question to the rules beforehand.
    """
    if not isinstance(game, Game):
        raise OptionError(f"check needs a zermelo.Game, not {game!r}; pass other classes through zermelo.adapt first")
    begin = time.perf_counter()
    ledger = Ledger()
    rules = Rules(game, ledger, watch or Watch(), begin + max(2 * seconds, seconds + 1))
    inspection = None
    speed = 0.0
    with rules.interruptible(), warnings.catch_warnings():
        # NumPy's integers only warn when they leave their 64 bits.
        warnings.filterwarnings("error", message="overflow encountered", category=RuntimeWarning)
        try:
            inspection = Inspection(rules, seed)
            inspection.play(games, begin + seconds * (1 - SPEED_SHARE))
            speed = measure(rules, inspection.facts, seconds * SPEED_SHARE, seed)
        except (Unanswered, Finished):
            pass
    return _report(ledger, inspection, speed, time.perf_counter() - begin)


def _report(ledger: Ledger, inspection: Inspection | None, speed: float, seconds: float) -> CheckReport:
    lengths = inspection.lengths if inspection else []
    widths = inspection.widths if inspection else []
    return CheckReport(
        problems=ledger.problems,
        notes=ledger.notes,
        games=inspection.games if inspection else 0,
        positions=inspection.positions if inspection else 0,
        branching=sum(widths) / len(widths) if widths else 0.0,
        length=sum(lengths) / len(lengths) if lengths else 0.0,
        longest=max(lengths, default=0),
        positions_per_second=speed,
        seconds=seconds,
    )


class Inspection:
    """The games of one check and what they have in common."""

    def __init__(self, rules: Rules, seed: int):
        self.rules = rules
        self.random = random.Random(seed)
        self.facts = read_facts(rules)
        first = self._begin()
        self.shape = Shape(first)
        self.shape.check(rules, first, "initial")
        self.identity = Identity(rules)
        self.estimates = Estimates(rules, self.facts, self.shape)
        self.views = Views(rules, self.facts, self.shape, seed)
        self.texts = Texts(rules, self.facts)
        self.lengths: list[int] = []
        self.widths: list[int] = []
        self.games = 0
        self.positions = 0

    def _begin(self) -> Any:
        """The first state of a game, which must always be the same."""
        rules = self.rules
        first = rules.call("initial", ())
        if first is None:
            rules.breach("initial", "none", "returns None; return the first state")
            raise Unanswered("initial")
        again = rules.call("initial", ())
        with rules.guarding("initial"):
            same = frozen(first) == frozen(again)
        if not same:
            message = "gives another state when asked twice; let chance act first (`player` → zermelo.CHANCE)"
            rules.breach("initial", "twice", message, first)
        return first

    def play(self, games: int, deadline: float) -> None:
        """Plays until `games` are over or the clock passes `deadline`."""
        for _ in range(games):
            if self.games and time.perf_counter() > deadline:
                break
            self.games += 1
            plies, ended = self._play_one(deadline)
            # A game cut short by the clock does not count for the length, unless there is no other.
            if ended or not self.lengths:
                self.lengths.append(plies)
            if not ended and self.games == 1:
                note = f"no game ended in the time given: the first was cut short after {plies:,} plies; give it more"
                self.rules.ledger.note(note)

    def _play_one(self, deadline: float) -> tuple[int, bool]:
        """The plies of one game, and whether it came to an end, if only by a breach."""
        path: dict[Hashable, int] = {}
        safe = 0  # the first ply from which positions may still come back
        self.views.begin()
        plies = 0
        try:
            s = self._begin()
            while True:
                position = examine(self.rules, self.facts, self.shape, s)
                self.positions += 1
                self._look(position)
                repeated = path.setdefault(position.key, plies)
                if repeated < safe:
                    message = f"said that the position of ply {repeated} cannot come back after ply {safe}, and it did"
                    self.rules.breach("is_irreversible", "back", f"{message}; return False for that action", s)
                over = repeated < plies and self.facts.repetition is not None
                if position.terminal or over:
                    break
                if plies >= LONGEST_GAME_PLIES:
                    self.rules.ledger.note(ENDLESS)
                    break
                if time.perf_counter() > deadline:
                    return plies, False
                place = self._choose(position)
                self.views.acted(position, place)
                plies += 1
                if self._is_irreversible(position, place):
                    safe = plies
                s = position.children[place]
        except Unanswered:
            pass
        return plies, True

    def _look(self, position: ExaminedPosition) -> None:
        """Runs all checks on a position; a failure of one does not stop the others."""
        s = position.state
        utilities: tuple[float, ...] = ()
        if position.terminal:
            with suppress(Unanswered):
                utilities = check_utilities(self.rules, self.facts, s)
        else:
            self.widths.append(len(position.actions))
        with suppress(Unanswered):
            self.identity.check(position, utilities)
        with suppress(Unanswered):
            self.views.check(position)
        self.estimates.check(position)
        self.texts.check(position)
        self.rules.compare_game(ANY, s)

    def _choose(self, position: ExaminedPosition) -> int:
        """The place of an action at random, by the dice where chance acts; one that leads somewhere."""
        weights = None
        if position.player == CHANCE:
            with suppress(Unanswered):
                weights = check_chances(self.rules, self.facts, position.state, position.actions)
        (place,) = self.random.choices(range(len(position.actions)), weights)
        if follow(self.rules, self.shape, position, place) is not None:
            return place
        if not position.children:
            raise Unanswered("result")
        return self.random.choice(list(position.children))

    def _is_irreversible(self, position: ExaminedPosition, place: int) -> bool:
        if "is_irreversible" not in self.facts.methods:
            return False
        return bool(self.rules.ask("is_irreversible", position.state, position.actions[place]))
