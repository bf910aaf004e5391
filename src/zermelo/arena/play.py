"""One game, from the first move to the last."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.arena.announce import Announcer
from zermelo.arena.player import Chooser, Wish
from zermelo.arena.players.human import Human
from zermelo.arena.repetition import has_been, legal_actions, repetition_utilities
from zermelo.arena.words import name_player
from zermelo.check.where import of_error
from zermelo.errors import ActionError, ContractError, OptionError, ZermeloError
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
    """Empty if the rules ended the game, else what did: `repetition`, `resignation`, `left` or `length`."""
    resigned: int | None = None
    """Who resigned, if anybody did."""


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
    table = Table(game, players, game.initial() if state is None else state, history, random.Random(seed), watch)
    record = table.play(longest)
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
    ):
        self.game = game
        self.players = players
        self.start = state
        self.state = state
        self.before = list(history)
        """The states before the first one of this game, for the rule of repetition."""
        self.steps: list[tuple[Any, int, Any]] = []
        """State, mover and action, one a step."""
        self.dice = dice
        self.watch = watch

    @property
    def history(self) -> list[Any]:
        """All states before the current one."""
        return self.before + [state for state, _, _ in self.steps]

    def play(self, longest: int) -> Record:
        game = self.game
        while not game.is_terminal(self.state):
            if len(self.steps) >= longest:
                return self.record(None, "length")
            mover = game.player(self.state)
            action = self.roll() if mover == CHANCE else self.ask(mover)
            if action is Wish.LEAVE:
                return self.record(None, "left")
            if action is Wish.RESIGN:
                return self.record(self.resignation(mover), "resignation", mover)
            if action is Wish.UNDO:
                self.undo(mover)
                continue
            self.step(mover, action)
            if not game.is_terminal(self.state) and has_been(game, self.state, self.history):
                return self.record(repetition_utilities(game, mover), "repetition")
        return self.record(game.utilities(self.state), "")

    def roll(self) -> Any:
        outcomes, probabilities = zip(*self.game.chances(self.state), strict=True)
        return self.dice.choices(outcomes, probabilities)[0]

    def ask(self, mover: int) -> Any:
        """What the player `mover` does; whatever it does wrong is said with its name."""
        player = self.players[mover]
        called = f"{name_player(self.game, mover)} ({player.name})"
        try:
            action = player.choose(self.game, self.state, self.history)
        except ZermeloError as error:
            raise type(error)(f"{called} cannot play: {error}") from error
        except Exception as error:
            place = of_error(error)
            raise ContractError(
                f"{called} raised {type(error).__name__}: {error}{f', at {place}' if place else ''}"
            ) from error
        if not isinstance(action, Wish) and action not in legal_actions(self.game, self.state, self.history):
            raise ActionError(f"{called} played {action!r} in {self.game.write(self.state)}, where that is not legal")
        return action

    def step(self, mover: int, action: Any) -> None:
        before = self.state
        self.steps.append((before, mover, action))
        self.state = self.game.result(before, action)
        self.tell(before, mover, action)

    def undo(self, mover: int) -> None:
        """Goes back to the last position in which `mover` chose; stays if there is none."""
        before = self.state
        chosen = [i for i, (_, who, _) in enumerate(self.steps) if who == mover]
        if chosen:
            self.state = self.steps[chosen[-1]][0]
            del self.steps[chosen[-1] :]
        self.tell(before, mover, Wish.UNDO)

    def tell(self, before: Any, mover: int, action: Any) -> None:
        if self.watch is not None:
            self.watch(Move(self.game, before, mover, action, self.state))

    def resignation(self, mover: int) -> tuple[float, ...] | None:
        """What everybody gets when `mover` resigns; unknown with more than two players, or without bounds."""
        low, total = self.game.bounds[0], self.game.utility_sum
        if self.game.players != 2 or total is None or low == float("-inf"):
            return None
        return tuple(low if p == mover else total - low for p in (0, 1))

    def record(self, utilities: tuple[float, ...] | None, reason: str, resigned: int | None = None) -> Record:
        return Record(
            game=self.game.name,
            players=tuple(player.name for player in self.players),
            start=self.game.write(self.start),
            actions=tuple(action for _, _, action in self.steps),
            moves=tuple(self.game.show_action(state, action) for state, _, action in self.steps),
            utilities=utilities,
            reason=reason,
            resigned=resigned,
        )
