"""One game being played: `LiveGame`.

`step()` does one thing at a time and returns control. A caller that has all players at hand loops:

    while not isinstance(pending := live.step(), Ending):
        if isinstance(pending, MoveRequest):
            live.take(live.ask())

A caller whose moves come from elsewhere (a click, a thread, a protocol) calls `step()` until it returns a
`MoveRequest`, and later `push(action)`.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from zermelo.check.report import of_error
from zermelo.errors import ActionError, ContractError, OptionError, PlayerError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.play.clock import Timekeeper
from zermelo.play.luck import Luck
from zermelo.play.notation import no_action, repetition_utilities
from zermelo.play.player import Chooser, Guest, PlayerMove, Wish, ask
from zermelo.play.words import name_player

LONGEST_GAME_PLIES = 10_000


class Move(NamedTuple):
    """One step of a game, as a watcher sees it."""

    game: Game
    before: object
    player: int
    """Who acted: a player, or `CHANCE`."""
    action: Any
    """An action, or the `Wish` of the player."""
    after: object


class Ply(NamedTuple):
    """One step of a game, as it is kept."""

    state: Any
    """The state before it."""
    mover: int
    move: PlayerMove
    seconds: float | None = None
    """How long the mover took; `None` for chance."""

    @property
    def action(self) -> Any:
        return self.move.action


class MoveRequest(NamedTuple):
    """The game waits for the choice of `player`."""

    player: int


class Ending(NamedTuple):
    """How a game ended."""

    utilities: tuple[float, ...] | None
    """The utility of every player; `None` if the game is unfinished."""
    reason: str = ""
    """Empty if the rules ended the game, else what did: see `Record.reason`."""
    culprit: int | None = None
    detail: str = ""


Watch = Callable[[Move], None]


@dataclass(frozen=True, slots=True)
class Record:
    """A game that has been played."""

    game: str
    players: tuple[str, ...]
    """Their names, player 0's first."""
    start: str
    """The position it began from, as the game's `write` gives it."""
    actions: tuple[object, ...]
    """Every action, including those of chance."""
    moves: tuple[str, ...]
    """The same in the game's notation."""
    utilities: tuple[float, ...] | None
    """The utility of every player; `None` if the game is unfinished."""
    reason: str
    """Empty if the rules ended the game, else what did: `repetition`, `resignation`, `left`, `length`, a rule of
    adjudication, or the failure of a player (`crash`, `hang`, `time`, `illegal move`, `garbage`)."""
    culprit: int | None = None
    """The player who resigned or failed, if any."""
    detail: str = ""
    """What a player who failed did, in words."""
    seconds: tuple[float | None, ...] = ()
    """How long each action took, to the microsecond; `None` for those of chance."""
    values: tuple[float | None, ...] = ()
    """The utility that the mover expected for itself, where it reported one."""
    depths: tuple[int | None, ...] = ()
    nodes: tuple[int | None, ...] = ()


class Forfeit(Exception):  # noqa: N818 - what happened in the game, not in the program
    """A player failed and loses the game; `error` says how."""

    def __init__(self, seat: int, kind: str, error: ZermeloError):
        super().__init__(str(error))
        self.seat = seat
        self.kind = kind
        self.error = error


class IllegalMove(Exception):  # noqa: N818 - caught before it leaves this module
    """The choice of a player is not a legal action; the text shows it."""


def check_move(answer: object, legal: Sequence[A]) -> PlayerMove[A]:
    """The answer of a player, with the game's own action in place of an equal one, and plain numbers."""
    if not isinstance(answer, PlayerMove):
        raise PlayerError(f"answered {answer!r:.100}, which is not a `PlayerMove`", "garbage")
    action = answer.action
    if not isinstance(action, Wish):
        index = next((i for i, each in enumerate(legal) if each == action), None)
        if index is None:
            raise IllegalMove(f"{action!r:.100}")
        action = legal[index]
    value = None if answer.value is None else float(answer.value)
    depth, nodes = (None if each is None else int(each) for each in (answer.depth, answer.nodes))
    return PlayerMove(action, None if value is None or math.isnan(value) else value, depth, nodes)


def resignation(game: Game, loser: int) -> tuple[float, ...] | None:
    """The utilities when `loser` resigns; unknown with more than two players, or without bounds."""
    low, total = game.bounds[0], game.utility_sum
    if game.kind.sides != 2 or total is None or low == float("-inf"):
        return None
    lost = game.team(loser)
    return tuple(low if game.team(p) == lost else total - low for p in range(game.players))


def check_seats(game: Game, players: Sequence[Chooser]) -> None:
    """Raises an `OptionError` if there are too many or too few players."""
    if len(players) != game.players:
        raise OptionError(f"{game.name} is for {game.players} players, not {len(players)}: name one for each seat")


class LiveGame(Generic[S, A]):
    """A game being played: the state, how it came about, and the players where they are known.

    Chance follows `luck`, if there is any, else `dice`. `longest_plies` ends the game unfinished; `adjudicate` is asked
    after every step whether the game ends early.
    """

    def __init__(
        self,
        game: Game[S, A],
        state: S | None = None,
        *,
        players: Sequence[Chooser] = (),
        history: Sequence[S] = (),
        dice: random.Random | None = None,
        luck: Luck | None = None,
        timekeeper: Timekeeper | None = None,
        watch: Watch | None = None,
        longest_plies: int = LONGEST_GAME_PLIES,
        adjudicate: Callable[[LiveGame[S, A]], Ending | None] | None = None,
    ):
        self.game = game
        self.players = players
        self.start: S = game.initial() if state is None else state
        self.state: S = self.start
        self.history: list[S] = list(history)
        """All states before the current one, including those before the start of this game."""
        self.plies: list[Ply] = []
        self.dice = dice or random.Random()
        self.luck = luck
        self.timekeeper = timekeeper or Timekeeper(game.players)
        self.watch = watch
        self.longest_plies = longest_plies
        self.adjudicate = adjudicate
        self.ending: Ending | None = None
        self._occurrences: Counter[Hashable] = Counter()
        """How often each position has occurred, by its recurrence key, where the rule of repetition needs it."""
        self._legal: list[A] | None = None
        self._count()
        self._judge()

    # The current position.

    @property
    def is_over(self) -> bool:
        return self.ending is not None

    @property
    def mover(self) -> int | None:
        """Who acts next, a player or `CHANCE`; `None` if the game is over."""
        return None if self.ending is not None else self.game.player(self.state)

    @property
    def last(self) -> Ply | None:
        """The last step: who acted, how, and from which state."""
        return self.plies[-1] if self.plies else None

    def occurrences(self, state: S) -> int:
        """How often the position of `state` has occurred; 0 in a game without a rule of repetition."""
        return self._occurrences[self.game.recurrence(state)] if self.game.repetition is not None else 0

    def legal_actions(self) -> list[A]:
        """The legal actions in the current state; at least one, unless the rules have ended the game."""
        if self._legal is None:
            game, state = self.game, self.state
            over = game.is_terminal(state)
            actions = [] if over else list(game.actions(state))
            if actions and game.repetition == "forbidden" and game.player(state) != CHANCE:
                allowed = game.occurrences - 1
                actions = [a for a in actions if self.occurrences(game.result(state, a)) < allowed]
            if not actions and not over:
                raise no_action(game, state)
            self._legal = actions
        return list(self._legal)

    # Going on.

    def step(self) -> Ply | MoveRequest | Ending:
        """Does the next thing that needs no player.

        Returns the `Ending` of a game that is over, the `Ply` of a chance event, which has been played, or a
        `MoveRequest`: then answer it by `take(ask())` or `push(action)`.
        """
        if self.ending is not None:
            return self.ending
        mover = self.game.player(self.state)
        if mover != CHANCE:
            return MoveRequest(mover)
        ply = Ply(self.state, CHANCE, PlayerMove(self._draw()))
        self.take(ply)
        return ply

    def _draw(self) -> Any:
        """What chance does in the current state."""
        if self.luck is not None:
            return self.luck.draw(self.game, self.state, self.plies[-1].mover if self.plies else CHANCE)
        outcomes, probabilities = zip(*self.game.chances(self.state), strict=True)
        return self.dice.choices(outcomes, probabilities)[0]

    def ask(self) -> Ply:
        """Asks the player to move, on its clock; the game stays where it is. Raises a `Forfeit` if the player fails."""
        legal, mover = self.legal_actions(), self.game.player(self.state)
        with self.blaming(mover):
            clock = self.timekeeper.clock()
            history = list(self.history)  # a copy, which the player may change
            started = time.perf_counter()
            answer = ask(self.players[mover], self.game, self.state, history, clock)
            seconds = time.perf_counter() - started
            self.timekeeper.spend(mover, seconds)
            move = check_move(answer, legal)
        return Ply(self.state, mover, move, round(seconds, 6))

    def push(self, action: A, *, seconds: float | None = None, state: S | None = None) -> Ply:
        """Plays a legal `action`, from `state` in place of the current one where a protocol lets either player move."""
        before = self.state if state is None else state
        ply = Ply(before, self.game.player(before), PlayerMove(action), seconds)
        self.take(ply)
        return ply

    def take(self, ply: Ply) -> None:
        """Does what the mover of `ply` chose: plays an action, or grants a `Wish`."""
        if ply.action is Wish.LEAVE:
            self.ending = Ending(None, "left")
        elif ply.action is Wish.RESIGN:
            self.resign(ply.mover)
        elif ply.action is Wish.UNDO:
            before = self.state
            self.undo(ply.mover)
            self._tell(before, ply.mover, Wish.UNDO)
        else:
            self._play(ply)

    def _play(self, ply: Ply) -> None:
        after = self.game.result(ply.state, ply.action)
        if self.game.repetition is not None:
            if ply.state is not self.state:
                self._occurrences[self.game.recurrence(self.state)] -= 1
                self._occurrences[self.game.recurrence(ply.state)] += 1
            self._occurrences[self.game.recurrence(after)] += 1
        self.state = after
        self.plies.append(ply)
        self.history.append(ply.state)
        self._tell(ply.state, ply.mover, ply.action)
        self._judge()

    def undo(self, mover: int | None = None) -> bool:
        """Takes back the last ply, or everything from the last choice of `mover` on; false if there is none."""
        chosen = [i for i, ply in enumerate(self.plies) if mover is None or ply.mover == mover]
        if not chosen:
            return False
        count = chosen[-1]
        del self.history[count - len(self.plies) :]
        del self.plies[count:]
        last = self.last
        self.state = self.start if last is None else self.game.result(last.state, last.action)
        self._count()
        self._judge()
        return True

    def resign(self, loser: int) -> None:
        """Ends the game by the resignation of `loser`."""
        self.ending = Ending(resignation(self.game, loser), "resignation", loser)

    def play(self) -> Record:
        """Plays the whole game between the players; raises a `Forfeit` if one fails."""
        self.begin()
        while not isinstance(pending := self.step(), Ending):
            if isinstance(pending, MoveRequest):
                self.take(self.ask())
        return self.record()

    def begin(self) -> None:
        """Notifies the players that the game begins."""
        for seat, player in enumerate(self.players):
            if isinstance(player, Guest):
                with self.blaming(seat):
                    player.begin(self.game, seat)

    @contextmanager
    def blaming(self, seat: int) -> Iterator[None]:
        """Turns every exception inside into a `Forfeit` of the player at `seat`, with its name in the text."""
        called = f"{name_player(self.game, seat)} ({self.players[seat].name})"
        try:
            yield
        except IllegalMove as wrong:
            what = f"{called} played {wrong} in {self.game.write(self.state)}, where that is not legal"
            raise Forfeit(seat, "illegal move", ActionError(what)) from None
        except PlayerError as error:
            raise Forfeit(seat, error.kind, error) from error
        except ZermeloError as error:
            said = type(error)(f"{called} cannot play: {error}")
            said.__cause__ = error
            raise Forfeit(seat, "crash", said) from error
        except (Exception, SystemExit) as error:
            place = of_error(error)
            what = f"{called} raised {type(error).__name__}: {error}{f', at {place}' if place else ''}"
            broken = ContractError(what)
            broken.__cause__ = error
            raise Forfeit(seat, "crash", broken) from error

    # The end.

    def _judge(self) -> None:
        """Sets `ending`, after the state has changed."""
        self._legal = None
        game = self.game
        if game.is_terminal(self.state):
            self.ending = Ending(game.utilities(self.state))
        elif self.plies and self.occurrences(self.state) >= game.occurrences:
            self.ending = Ending(repetition_utilities(game, self.state, self.history), "repetition")
        elif len(self.plies) >= self.longest_plies:
            self.ending = Ending(None, "length")
        else:
            self.ending = None if self.adjudicate is None else self.adjudicate(self)

    def _count(self) -> None:
        if self.game.repetition is not None:
            self._occurrences = Counter(map(self.game.recurrence, (*self.history, self.state)))

    def _tell(self, before: S, mover: int, action: A | Wish) -> None:
        if self.watch is not None:
            self.watch(Move(self.game, before, mover, action, self.state))

    def record(self) -> Record:
        """The game so far, with its ending; `left` if it has none."""
        ending = self.ending or Ending(None, "left")
        names = [player.name for player in self.players] or map(self.game.player_name, range(self.game.players))
        return Record(
            game=self.game.name,
            players=tuple(names),
            start=self.game.write(self.start),
            actions=tuple(ply.action for ply in self.plies),
            moves=tuple(self.game.show_action(ply.state, ply.action) for ply in self.plies),
            utilities=ending.utilities,
            reason=ending.reason,
            culprit=ending.culprit,
            detail=ending.detail,
            seconds=tuple(ply.seconds for ply in self.plies),
            values=tuple(ply.move.value for ply in self.plies),
            depths=tuple(ply.move.depth for ply in self.plies),
            nodes=tuple(ply.move.nodes for ply in self.plies),
        )
