"""The game that a GTP controller plays: its moves, its clock, and moves of the engine's own.

Go lets either player move at any time, even after the end, so moves are played from `state_for(player)`.

Time: first comes the main time, shared among the moves that are still expected; then overtime, B seconds for each S
stones, without end. So a move has its part of a period from the beginning on, plus a share of the main time.
Without settings a move has a fixed number of seconds.

A pass that wins at once needs no search, every search is taken from the clock, and the engine resigns a game of Go
that is clearly lost.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from zermelo.analysis import Analysis, Clock
from zermelo.engine.equipped import EquippedGame
from zermelo.engine.network import AnyNetwork, with_network
from zermelo.errors import ActionError, InputError, MethodError, ZermeloError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.games import with_shipped_files
from zermelo.play import LiveGame
from zermelo.play.notation import legal_actions, read_action, write_action
from zermelo.protocols.session import SearchThread, Session, SessionPosition
from zermelo.protocols.settings import SearchRequest, SessionSettings

if TYPE_CHECKING:
    from zermelo.protocols.gtp.server import GtpServer

OVERTIME_USED_SHARE = 0.9
"""The part of an overtime period that is used, as communication takes time too."""
LEAST_MAIN_TIME_MOVES = 12
"""The minimum number of moves that share the main time."""


COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


Tell = Callable[[SearchThread, Analysis], None]

RESIGN = "resign"
RESIGN_BELOW = -0.9
"""The value below which the engine resigns: one win in twenty."""
ENOUGH_NODES = 1000
"""The minimum number of nodes for a resignation."""
MOVES_LEFT = 25
"""The expected number of remaining moves of a player where the game gives no estimate."""


@runtime_checkable
class StoneGame(Protocol[S]):
    """Stones of two colours on points that are numbered from the lower left."""

    size: int
    komi: float

    def with_turn(self, s: S, p: int) -> S: ...
    def setup(self, black: set[int], white: set[int], turn: int) -> S: ...
    def colours(self, s: S) -> str: ...
    def passes(self, s: S) -> int: ...
    def prisoners(self, s: S) -> tuple[int, int]: ...
    def ownership(self, s: S) -> list[float]: ...
    def lead(self, s: S) -> float: ...
    def dead(self, s: S) -> set[int]: ...
    def liberties(self, s: S, points: set[int]) -> set[int]: ...
    def seki(self, s: S, dead: set[int]) -> set[int]: ...
    def margin(self, s: S, dead: set[int]) -> float: ...
    def handicap_points(self, stones: int) -> list[int]: ...
    def point_of(self, text: str) -> int | None: ...
    def load_sgf(self, data: bytes, move: int | None) -> tuple[S, list[tuple[int, int]], list[S]]: ...
    def write_sgf(self, moves: list[tuple[int, int]], base: S, states: list[S]) -> str: ...


def is_stone_game(game: Game) -> bool:
    return isinstance(game, StoneGame)


class GtpGame:
    """A game, the session that searches it, and its moves so far."""

    def __init__(self, game: Game, settings: SessionSettings, base: object = None):
        if game.players != 2 or game.kind.chance:
            raise MethodError(
                f"{game.name} is not for two without dice, so GTP does not fit: try UCI, or `zermelo studio`"
            )
        self.session = Session(game)
        self.session.settings = settings
        self.live = LiveGame(game, base)
        self.set_up: dict[int, object] = {}
        """By the number of moves before them, states in which stones were set up, as files of Go may do."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def state(self) -> object:
        return self.set_up.get(len(self.live.plies), self.live.state)

    @property
    def states(self) -> list[object]:
        """The states after each move."""
        results = [self.game.result(ply.state, ply.action) for ply in self.live.plies]
        return [self.set_up.get(number, state) for number, state in enumerate(results, start=1)]

    @property
    def history(self) -> tuple[object, ...]:
        return tuple(self.live.history)

    def clear(self, base: object = None) -> None:
        """Begins again, at the start or at `base`."""
        self.session.forget()
        self.live = LiveGame(self.game, base)
        self.set_up.clear()

    def state_for(self, p: int) -> object:
        """The position with player `p` to move; Go lets either player move at any time, even after the end."""
        state = self.state
        if not self.game.is_terminal(state) and self.game.player(state) == p:
            return state
        if self.game.can("with_turn"):
            return self.game.with_turn(state, p)
        raise ActionError("illegal move: " + ("the game is over" if self.game.is_terminal(state) else "not its turn"))

    def position_for(self, p: int) -> SessionPosition:
        return SessionPosition(self.state_for(p), self.history)

    def play(self, p: int, word: str) -> None:
        """Plays the move that `word` names; `ActionError` if that is not legal."""
        state = self.state_for(p)
        try:
            action = self.read_vertex(p, state, word)
        except ActionError as error:
            raise ActionError(f"illegal move: {error}") from None
        self.live.push(action, state=state)

    def read_vertex(self, p: int, state: object, word: str) -> object:
        """The legal action that the protocol writes so, or that `word` names in the game's own notation."""
        if self.game.can("gtp_vertex"):
            for action in self.legal(p):
                if self.vertex(state, action).casefold() == word.casefold():
                    return action
        return read_action(self.game, state, word, self.history)

    def undo(self) -> None:
        self.set_up.pop(len(self.live.plies), None)
        if not self.live.undo():
            raise InputError("cannot undo")

    def legal(self, p: int) -> list[object]:
        return legal_actions(self.game, self.state_for(p), self.history)

    def vertex(self, state: object, action: object) -> str:
        """The action as the protocol writes it."""
        return write_vertex(self.game, state, action)


def write_vertex(game: Game[S, A], state: S, action: A) -> str:
    """An action as the protocol writes it: in the game's own notation, unless it has another for GTP."""
    return game.gtp_vertex(state, action) if game.can("gtp_vertex") else write_action(game, state, action)


def remake(game: Game, network: AnyNetwork | None, **changes: object) -> Game:
    """A game of the same class and options but for `changes`; `InputError` if it takes no such option, or value. It has
    `network` if that fits, or the one that comes with the new options; without one it plays without."""
    while isinstance(game, EquippedGame):
        game = game.rules
    known = inspect.signature(type(game)).parameters
    for name in changes:
        if name not in known:
            raise InputError(f"{game.name} has no {name} to be set")
    options = {name: getattr(game, name) for name in known if name not in changes and hasattr(game, name)}
    try:
        made: Game = type(game)(**{**options, **changes})
    except ZermeloError as error:
        raise InputError(str(error)) from None
    if network is None:
        return made
    return with_shipped_files(made) if network.why_not(made) else with_network(made, network)


@dataclass(slots=True)
class GtpClock:
    """What was set, and what is left to each player."""

    seconds: float
    """For a move where no time is set."""
    main: float | None = None
    overtime: float = 0.0
    stones: int = 0
    """Moves in each period of overtime; 0 for none."""
    left: list[tuple[float, int]] = field(default_factory=list)
    """Each player's seconds, and the stones of the period if it is in overtime."""

    def set(self, main: float | None, overtime: float = 0.0, stones: int = 0) -> None:
        """`main` is `None` for a game without a clock."""
        self.main, self.overtime, self.stones = main, overtime, stones
        self.restart()

    def restart(self) -> None:
        """A new game: all time is left."""
        start = (self.main, 0) if self.main else (self.overtime, self.stones)
        self.left = [start, start] if self.main is not None else []

    def tell(self, p: int, seconds: float, stones: int) -> None:
        """What the controller says is left."""
        if len(self.left) < 2:
            self.left = [(seconds, stones)] * 2
        self.left[p] = (seconds, stones)

    def clock(self, p: int, moves: int) -> Clock:
        """What a search may take for one move of player `p`, who may have to make `moves` more."""
        if not self.left:
            return Clock(move_seconds=self.seconds)
        seconds, stones = self.left[p]
        if stones > 0:
            return Clock(move_seconds=max(OVERTIME_USED_SHARE * seconds / stones, 0.01))
        moves = max(moves, LEAST_MAIN_TIME_MOVES)
        if self.stones > 0 and self.overtime > 0:
            return Clock(move_seconds=OVERTIME_USED_SHARE * (seconds / moves + self.overtime / self.stones))
        return Clock((seconds, seconds), moves_to_go=moves)

    def spend(self, p: int, seconds: float) -> None:
        """Counts a move, for controllers that do not report what is left."""
        if not self.left:
            return
        before, stones = self.left[p]
        after = before - seconds
        if stones > 1:
            self.left[p] = (max(after, 0.0), stones - 1)
        elif (stones == 1 or after <= 0) and self.stones > 0:
            self.left[p] = (self.overtime, self.stones)
        else:
            self.left[p] = (max(after, 0.0), 0)


class MoveOptions(NamedTuple):
    """What is asked of a move, and of the search for it."""

    only: tuple[object, ...] | None = None
    """The actions to choose from."""
    interval: float | None = None
    """Seconds between two answers of the search."""
    resigning: bool = True
    """Whether the engine may resign."""
    tell: Tell = lambda *_: None


class ChosenMove(NamedTuple):
    """A state, the action to take there, and what the search thought, if there was one."""

    state: object
    action: object
    best: Analysis | None


class Chooser:
    """Chooses over a server's board, on its clock."""

    def __init__(self, server: GtpServer):
        self.server = server

    def play(self, p: int, options: MoveOptions | None = None) -> str:
        """A move of player `p`, played: its vertex, or `resign`."""
        options, board = options or MoveOptions(), self.server.board
        choice = self.choose(p, options)
        if options.resigning and may_resign(board.game, choice.best, len(board.live.plies)):
            return RESIGN
        board.live.push(choice.action, state=choice.state)
        return board.vertex(choice.state, choice.action)

    def choose(self, p: int, options: MoveOptions | None = None) -> ChosenMove:
        """The same without playing it."""
        options = options or MoveOptions()
        state = self.server.board.state_for(p)
        ending = prefer_end(self.server.board.game, state)
        if ending is not None and (options.only is None or ending in options.only):
            return ChosenMove(state, ending, None)
        search = self.search(p, options)
        if search.action is None:
            raise InputError(f"the search failed: {search.error}" if search.error else "there is no move to make")
        return ChosenMove(state, search.action, search.best)

    def search(self, p: int, options: MoveOptions) -> SearchThread:
        """A search for one move of player `p`, to its end."""
        session, clock = self.server.board.session, self.server.clock
        session.position = self.server.board.position_for(p)
        started = time.perf_counter()
        shown = clock.clock(p, moves_left(session.game, session.position.state))
        request = SearchRequest(shown, only=options.only, interval=options.interval)
        search = session.go(request, options.tell, lambda _: None)
        search.join()
        clock.spend(p, time.perf_counter() - started)
        return search


def moves_left(game: Game[S, A], state: S) -> int:
    """The expected number of remaining moves of one player: a third of the empty points, where there are any."""
    return game.colours(state).count(".") // 3 if game.can("colours") else MOVES_LEFT


def prefer_end(game: Any, state: object) -> int | None:
    """The pass that wins at once because the other has passed; `None` if it would not win."""
    if not is_stone_game(game) or game.passes(state) != 1:
        return None
    passing = game.size * game.size
    p, after = game.player(state), game.result(state, passing)
    return passing if game.is_terminal(after) and game.utility(after, p) > 0 else None


def may_resign(game: Any, best: Analysis | None, moves: int) -> bool:
    """Whether a game of Go is clearly lost."""
    if not is_stone_game(game) or best is None or best.nodes < ENOUGH_NODES:
        return False
    return bool(best.value < RESIGN_BELOW and moves > game.size * game.size // 5)
