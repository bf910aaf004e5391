"""One game, from the first move to the last."""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.arena.adjudicate import Rulings
from zermelo.arena.announce import Announcer
from zermelo.arena.clock import Timekeeper
from zermelo.arena.player import Choice, Chooser, Guest, Wish, ask
from zermelo.arena.players.human import Human
from zermelo.arena.repetition import legal_actions, repetition_utilities
from zermelo.arena.words import name_player
from zermelo.check.where import of_error
from zermelo.errors import ActionError, ContractError, OptionError, PlayerError, ZermeloError
from zermelo.game import CHANCE, Game


class Move(NamedTuple):
    """One step of a game, as those who watch it are told."""

    game: Game
    before: Any
    player: int
    """Who acted: a player, or `CHANCE`."""
    action: Any
    """An action, or the `Wish` of who acted."""
    after: Any


class Step(NamedTuple):
    """One step of a game, as it is kept."""

    state: Any
    mover: int
    choice: Choice
    seconds: float | None = None
    """How long whoever acted took for it; `None` for chance."""


Watch = Callable[[Move], None]


@dataclass(frozen=True, slots=True)
class Record:
    """A game that has been played."""

    game: str
    players: tuple[str, ...]
    """Their names, player 0's first."""
    start: str
    """The position it began from, as the game's `write` gives it."""
    actions: tuple[Any, ...]
    """Every action, those of chance too."""
    moves: tuple[str, ...]
    """The same in the game's notation."""
    utilities: tuple[float, ...] | None
    """What everybody got; `None` if the game was left unfinished."""
    reason: str
    """Empty if the rules ended the game, else what did: `repetition`, `resignation`, `left`, `length`, a rule of
    adjudication, or the failure of a player (`crash`, `hang`, `time`, `illegal move`, `garbage`)."""
    culprit: int | None = None
    """Who resigned or failed, if anybody did."""
    detail: str = ""
    """What a player who failed did, in words."""
    seconds: tuple[float | None, ...] = ()
    """How long each action took, to the microsecond; `None` for those of chance."""
    values: tuple[float | None, ...] = ()
    """What whoever acted expected for itself, where it told."""
    depths: tuple[int | None, ...] = ()
    nodes: tuple[int | None, ...] = ()


class Foul(Exception):  # noqa: N818 - what happened in the game, not in the program
    """A player failed; the exception behind it says how."""

    def __init__(self, seat: int, kind: str, error: ZermeloError):
        super().__init__(str(error))
        self.seat = seat
        self.kind = kind
        self.error = error


class IllegalChoice(Exception):  # noqa: N818 - of a player, caught before anybody else sees it
    """What a player chose is no legal action; the text is how it looks."""


def understand(told: Any, legal: Sequence[Any]) -> Choice:
    """What a player has told, with the game's own action in place of one equal to it, and plain numbers."""
    if not isinstance(told, Choice):
        raise PlayerError(f"answered {told!r:.100}, which is no `Choice`", "garbage")
    action = told.action
    if not isinstance(action, Wish):
        places = (place for place, each in enumerate(legal) if each == action)
        place = next(places, None)
        if place is None:
            raise IllegalChoice(f"{action!r:.100}")
        action = legal[place]
    value = None if told.value is None else float(told.value)
    depth, nodes = (None if each is None else int(each) for each in (told.depth, told.nodes))
    return Choice(action, None if value is None or math.isnan(value) else value, depth, nodes)


def resignation(game: Game, loser: int) -> tuple[float, ...] | None:
    """What everybody gets when `loser` gives the game up; unknown with more than two players, or without bounds."""
    low, total = game.bounds[0], game.utility_sum
    if game.players != 2 or total is None or low == float("-inf"):
        return None
    return tuple(low if p == loser else total - low for p in (0, 1))


def check_seats(game: Game, players: Sequence[Chooser]) -> None:
    """Refuses players who are too many or too few."""
    if len(players) != game.players:
        raise OptionError(f"{game.name} is for {game.players} players, not {len(players)}: name one for each seat")


def play(
    game: Game,
    players: Sequence[Chooser],
    state: Any = None,
    *,
    history: Sequence[Any] = (),
    seed: int | None = None,
    longest: int = 10_000,
    watch: Watch | None = None,
) -> Record:
    """Plays `game` between `players`, one a seat, from `state` on; `seed` settles the dice.

    `watch` is told of every step. Without it a game with a human at the table is told in the terminal, other
    games are played in silence. A game of `longest` actions is left unfinished.
    """
    check_seats(game, players)
    announcer = None
    if watch is None and any(isinstance(player, Human) for player in players):
        announcer = Announcer(game, players)
        watch = announcer.tell
    start = game.initial() if state is None else state
    table = Table(game, players, start, history, random.Random(seed), watch, Timekeeper(game.players), Rulings(longest))
    try:
        record = table.play()
    except Foul as foul:
        raise foul.error from foul.error.__cause__
    if announcer is not None:
        announcer.say(announcer.end(record, table.state))
    return record


class Table:
    """A game under way: who sits there, the position and how it came about."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Chooser],
        state: Any,
        history: Sequence[Any],
        dice: random.Random,
        watch: Watch | None,
        keeper: Timekeeper,
        rulings: Rulings,
    ):
        self.game = game
        self.players = players
        self.start = state
        self.state = state
        self.past = list(history)
        """All states before the current one, those before the first one of this game too."""
        self.steps: list[Step] = []
        self.seen: Counter[Hashable] = Counter()
        """How often each position has stood on the board, by its key, where the rule of repetition needs that."""
        self._remember()
        self.dice = dice
        self.watch = watch
        self.keeper = keeper
        self.rulings = rulings

    def _remember(self) -> None:
        if self.game.repetition is not None:
            self.seen = Counter(map(self.game.recurrence, (*self.past, self.state)))

    def begin(self) -> None:
        """Tells the players that the game begins."""
        for seat, player in enumerate(self.players):
            if isinstance(player, Guest):
                with self.blaming(seat):
                    player.begin(self.game, seat)

    def play(self) -> Record:
        """The whole game; a player that fails raises a `Foul`."""
        game = self.game
        self.begin()
        while not game.is_terminal(self.state):
            ruling = self.rulings.after(game, self.state, self.steps)
            if ruling is not None:
                return self.record(*ruling)
            mover = game.player(self.state)
            step = self.roll() if mover == CHANCE else self.ask(mover)
            action = step.choice.action
            if action is Wish.LEAVE:
                return self.record(None, "left")
            if action is Wish.RESIGN:
                return self.record(resignation(game, mover), "resignation", mover)
            if action is Wish.UNDO:
                self.undo(mover)
                continue
            if self.take(step) and not game.is_terminal(self.state):
                return self.record(repetition_utilities(game, self.state, self.past), "repetition")
        return self.record(game.utilities(self.state), "")

    def roll(self) -> Step:
        outcomes, probabilities = zip(*self.game.chances(self.state), strict=True)
        return Step(self.state, CHANCE, Choice(self.dice.choices(outcomes, probabilities)[0]))

    def ask(self, mover: int) -> Step:
        """What the player `mover` does, and how long that took it."""
        legal = self.legal_actions()
        with self.blaming(mover):
            clock = self.keeper.clock()
            history = list(self.past)  # its own, to do with as it likes
            started = time.perf_counter()
            choice = ask(self.players[mover], self.game, self.state, history, clock)
            seconds = time.perf_counter() - started
            self.keeper.spend(mover, seconds)
            choice = understand(choice, legal)
        return Step(self.state, mover, choice, round(seconds, 6))

    def legal_actions(self) -> list[Any]:
        """What may be played now; at least one action."""
        game, state = self.game, self.state
        actions = list(game.actions(state))
        if game.repetition == "forbidden":
            most = game.occurrences - 1
            actions = [a for a in actions if self.seen[game.recurrence(game.result(state, a))] < most]
        return actions or legal_actions(game, state, self.past)  # which says what is wrong

    @contextmanager
    def blaming(self, seat: int) -> Iterator[None]:
        """Whatever goes wrong inside is said with the player's name, and is its foul."""
        called = f"{name_player(self.game, seat)} ({self.players[seat].name})"
        try:
            yield
        except IllegalChoice as wrong:
            what = f"{called} played {wrong} in {self.game.write(self.state)}, where that is not legal"
            raise Foul(seat, "illegal move", ActionError(what)) from None
        except PlayerError as error:
            raise Foul(seat, error.kind, error) from error
        except ZermeloError as error:
            said = type(error)(f"{called} cannot play: {error}")
            said.__cause__ = error
            raise Foul(seat, "crash", said) from error
        except (Exception, SystemExit) as error:
            place = of_error(error)
            what = f"{called} raised {type(error).__name__}: {error}{f', at {place}' if place else ''}"
            broken = ContractError(what)
            broken.__cause__ = error
            raise Foul(seat, "crash", broken) from error

    def take(self, step: Step) -> bool:
        """Goes on by `step`; whether that has brought a position back as often as the game's rule asks."""
        self.state = self.game.result(step.state, step.choice.action)
        self.steps.append(step)
        self.past.append(step.state)
        self.tell(step.state, step.mover, step.choice.action)
        if self.game.repetition is None:
            return False
        key = self.game.recurrence(self.state)
        self.seen[key] += 1
        return self.seen[key] >= self.game.occurrences

    def undo(self, mover: int) -> None:
        """Goes back to the last position in which `mover` chose; stays if there is none."""
        before = self.state
        chosen = [i for i, step in enumerate(self.steps) if step.mover == mover]
        if chosen:
            self.state = self.steps[chosen[-1]].state
            del self.past[chosen[-1] - len(self.steps) :]
            del self.steps[chosen[-1] :]
            self._remember()
        self.tell(before, mover, Wish.UNDO)

    def tell(self, before: Any, mover: int, action: Any) -> None:
        if self.watch is not None:
            self.watch(Move(self.game, before, mover, action, self.state))

    def record(
        self, utilities: tuple[float, ...] | None, reason: str, culprit: int | None = None, detail: str = ""
    ) -> Record:
        choices = [step.choice for step in self.steps]
        return Record(
            game=self.game.name,
            players=tuple(player.name for player in self.players),
            start=self.game.write(self.start),
            actions=tuple(choice.action for choice in choices),
            moves=tuple(self.game.show_action(step.state, step.choice.action) for step in self.steps),
            utilities=utilities,
            reason=reason,
            culprit=culprit,
            detail=detail,
            seconds=tuple(step.seconds for step in self.steps),
            values=tuple(choice.value for choice in choices),
            depths=tuple(choice.depth for choice in choices),
            nodes=tuple(choice.nodes for choice in choices),
        )
