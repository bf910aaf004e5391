"""A compiled game: its states as bytes, its rules as native code, and the native searches over them."""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeAlias

from zermelo.engine.rules import layout
from zermelo.engine.rules.compiler import compile_rules
from zermelo.errors import ContractError, MethodError, OptionError
from zermelo.game.contract import CHANCE, Game
from zermelo.game.validation import end_utilities, fair_chances, unlike_actions, validate

# Not by `from zermelo import …`, which is an import of the whole package.
_core: Any = importlib.import_module("zermelo._core")

Stopped = _core.Stopped
"""Raised by a search that its caller's `stop` has ended."""

Stop: TypeAlias = Callable[[], bool] | None
"""Asked about fifty times a second during a search; a true answer ends it with `Stopped`."""

TERMINAL = -2
"""Stands for a mover where the game is over."""

RAISED = 1
"""The status of a rule that raised an exception (`ZERMELO_RAISED`)."""

_REPETITION = {None: 0, "draw": 1 << 1, "forbidden": 1 << 2, "loses": 1 << 3, "perpetual": 1 << 6}


class Step(NamedTuple):
    """What one action leads to."""

    state: Any
    mover: int
    """Who acts there: a player, `CHANCE` or `TERMINAL`."""
    utilities: tuple[float, ...]
    """Every player's, if the game is over."""


class Perft(NamedTuple):
    """The size of a game's tree to some depth."""

    leaves: int
    """Positions exactly at that depth."""
    ended: int
    """Complete games of at most that many plies."""
    positions: int
    """Positions entered, root and leaves included."""
    seconds: float


class Playouts(NamedTuple):
    """What random games came to."""

    games: int
    positions: int
    plies: int
    unfinished: int
    """Games given up after the greatest number of plies, counted as draws."""
    utilities: tuple[float, ...]
    """Each player's mean."""
    seconds: float


class Searched(NamedTuple):
    """What a plain native search found."""

    value: float
    """MAX's utility; MAX is the player to move at the root, player 0 at a chance node."""
    action: int | None
    line: tuple[int, ...]
    actions: dict[int, float]
    """What the root learnt of each action, in order."""
    maximiser: int
    nodes: int
    leaves: int
    cutoffs: int
    estimated: bool
    """Whether the value rests on a position that was not looked into to the end."""
    seconds: float


class NativeGame(Game):
    """A game whose rules are native already: there is nothing to compile."""

    native: CompiledGame


def compile_game(game: Game) -> CompiledGame:
    """`game` with native rules; a `CompileError` names the line at fault and a remedy if that is not possible."""
    validate(game)
    return game.native if isinstance(game, NativeGame) else CompiledGame(game)


class CompiledGame:
    """A game whose rules run natively. Its attributes are as they were when it was compiled."""

    def __init__(self, game: Game):
        self.game = game
        self.code = compile_rules(game)
        self.layout = self.code.layout
        low, high = game.bounds
        constant_sum = (1 << 4) * game.kind.constant_sum
        self.handle = _core.Table(
            layout.pack(self.layout, game.initial()),
            game.players,
            low,
            high,
            game.neutral,
            game.scale or 0.0,
            int(game.simultaneous) | _REPETITION[game.repetition] | constant_sum,
            64,
            self.code.addresses,
        )

    @property
    def table(self) -> int:
        """The address of the game's table (`native/core/table.h`); good as long as this object lives."""
        return int(self.handle.address)

    @property
    def sees(self) -> bool:
        """Whether the native rules know what each player sees, if that is less than everything."""
        return not self.game.kind.hidden or "view_key" in _core.table_facts(self.handle)["slots"]

    def pack(self, state: Any) -> bytes:
        """The bytes of `state`."""
        return layout.pack(self.layout, state)

    def unpack(self, data: bytes) -> Any:
        """The state in `data`; its arrays are read-only."""
        if len(data) != self.layout.end:
            raise ContractError(f"a state of {self.game.name} takes {self.layout.end} bytes, not {len(data)}")
        return self.layout.unpack(bytes(data))

    # The rules, natively, one call at a time: for tests and for checking.

    def actions(self, state: Any) -> list[int]:
        found: list[int] = self._call(_core.actions, state)
        return found

    def chances(self, state: Any) -> list[tuple[int, float]]:
        found: list[tuple[int, float]] = self._call(_core.chances, state)
        return found

    def step(self, state: Any, a: int) -> Step:
        data, mover, utilities = self._call(_core.step, state, a)
        return Step(self.unpack(data), mover, utilities)

    def info(self, state: Any) -> tuple[int, tuple[float, ...]]:
        """Who acts in `state` (`TERMINAL` if nobody) and every player's utility if it is terminal."""
        mover, utilities = self._call(_core.info, state)
        return mover, utilities

    def pass_turn(self, state: Any) -> Step:
        data, mover, utilities = self._call(_core.pass_turn, state)
        return Step(self.unpack(data), mover, utilities)

    def key(self, state: Any) -> int:
        """64 bits that are equal for equal positions."""
        return int(self._call(_core.key, state))

    def recurrence(self, state: Any) -> int:
        """64 bits that are equal where the rule of repetition sees the same."""
        return int(self._call(_core.recurrence, state))

    def view_key(self, state: Any, p: int) -> int:
        """64 bits that are equal for positions that look equal to player `p`."""
        return int(self._call(_core.view_key, state, p))

    def evaluate(self, state: Any, p: int) -> float:
        return float(self._call(_core.evaluate, state, p))

    def priorities(self, state: Any, actions: list[int]) -> list[float]:
        found: list[float] = self._call(_core.priorities, state, actions)
        return found

    def is_noisy(self, state: Any, a: int) -> bool:
        return bool(self._call(_core.noisy, state, a))

    def exchange(self, state: Any, a: int) -> float:
        return float(self._call(_core.exchange, state, a))

    def is_check(self, state: Any) -> bool:
        return bool(self._call(_core.in_check, state))

    def gives_check(self, state: Any, a: int) -> bool:
        """Whether `is_check` holds after an action; false in a game that cannot say so without a step."""
        return bool(self._call(_core.gives_check, state, a))

    def is_irreversible(self, state: Any, a: int) -> bool:
        return bool(self._call(_core.irreversible, state, a))

    def target(self, state: Any, a: int) -> int:
        return int(self._call(_core.target, state, a))

    def playout(self, state: Any, seed: int = 0, plies: int = 10_000) -> tuple[tuple[float, ...], list[int], list[int]]:
        """One game in the rules' own way of playing at random: utilities, the first actions, and their movers."""
        _check("plies", plies, 0, 1 << 24)
        utilities, actions, movers = self._call(_core.playout, state, seed % (1 << 64), plies)
        return utilities, actions, movers

    def own_playouts(self, state: Any, games: int, seed: int = 0, stop: Stop = None) -> tuple[float, ...]:
        """Each player's mean over that many such games."""
        _check("games", games, 1, 1 << 62)
        played, sums = self._call(_core.own_playouts, state, games, seed % (1 << 64), stop)
        return tuple(total / played for total in sums)

    def priors(self, state: Any, actions: list[int]) -> list[tuple[float, float]]:
        """What the rules think of each action before a try: the mover's utility, and as how many playouts it counts."""
        found: list[tuple[float, float]] = self._call(_core.priors, state, actions)
        return found

    # Whole searches.

    def perft(self, state: Any, depth: int, threads: int = 1, stop: Stop = None) -> Perft:
        """Counts the positions below `state`."""
        _check("depth", depth, 0, 1 << 32)
        _check("threads", threads, 1, 1024)
        start = time.perf_counter()
        leaves, ended, positions = self._call(_core.perft, state, depth, threads, stop)
        return Perft(leaves, ended, positions, time.perf_counter() - start)

    def playouts(self, state: Any, games: int, seed: int = 0, max_plies: int = 100_000, stop: Stop = None) -> Playouts:
        """Plays `games` random games from `state` on."""
        _check("games", games, 0, 1 << 62)
        _check("max_plies", max_plies, 0, 1 << 62)
        start = time.perf_counter()
        played, positions, plies, unfinished, sums = self._call(
            _core.playouts, state, games, seed % (1 << 64), max_plies, stop
        )
        means = tuple(total / played for total in sums) if played else (math.nan,) * self.game.players
        return Playouts(played, positions, plies, unfinished, means, time.perf_counter() - start)

    def minimax(self, state: Any, depth: int | None = None, stop: Stop = None) -> Searched:
        """The twin of the textbook's `minimax` and `expectiminimax`."""
        return self._search(state, depth, False, False, (-math.inf, math.inf), stop)

    def alphabeta(
        self,
        state: Any,
        depth: int | None = None,
        window: tuple[float, float] = (-math.inf, math.inf),
        hard: bool = False,
        stop: Stop = None,
    ) -> Searched:
        """The twin of the textbook's `alphabeta`; the window is in MAX's view."""
        return self._search(state, depth, True, hard, window, stop)

    def _search(
        self, state: Any, depth: int | None, prune: bool, hard: bool, window: tuple[float, float], stop: Stop
    ) -> Searched:
        self._check_fit()
        plies = (1 << 64) - 1 if depth is None else _check("depth", depth, 0, 1 << 32)
        start = time.perf_counter()
        found = self._call(_core.minimax, state, plies, prune, hard, *window, stop)
        line = tuple(found["line"])
        return Searched(
            found["value"],
            line[0] if line else None,
            line,
            dict(found["actions"]),
            found["maximiser"],
            found["nodes"],
            found["leaves"],
            found["cutoffs"],
            found["estimates"] > 0,
            time.perf_counter() - start,
        )

    def _check_fit(self) -> None:
        """Refuses a plain search that would give a wrong answer for this kind of game."""
        game = self.game
        if not game.kind.scalar:
            why = game.kind.not_scalar
            raise MethodError(f"{game.name} {why}, so minimax does not apply; use maxn")
        if game.kind.hidden:
            raise MethodError(f"{game.name} hides information, and minimax would look through it")
        if game.repetition is not None:
            raise MethodError(f"{game.name} has a rule of repetition, which the plain native searches do not know")

    def _call(self, function: Callable[..., Any], state: Any, *arguments: Any) -> Any:
        return self.guard(function, self.handle, self.pack(state), *arguments)

    def guard(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function of the core; a rule that fails in it raises what it raises in Python."""
        try:
            return function(*arguments)
        except _core.RuleError as error:
            slot, status, data, action = error.args
            self._explain(slot, status, self.unpack(data), action)

    def _explain(self, slot: str, status: int, state: Any, argument: int) -> NoReturn:
        """Repeats in Python the call that failed natively, so that the rule's own exception comes out."""
        game = self.game
        methods: dict[str, Callable[[], Any]] = {
            "actions": lambda: self._explain_actions(state),
            "step": lambda: self._explain_position(game.result(state, argument)),
            "info": lambda: self._explain_position(state),
            "chances": lambda: self._explain_chances(state),
            "key": lambda: game.key(state),
            "recurrence": lambda: game.recurrence(state),
            "evaluate": lambda: game.evaluate(state, argument),
            "priorities": lambda: [game.priority(state, a) for a in game.actions(state)],
            "noisy": lambda: game.is_noisy(state, argument),
            "target": lambda: game.target(state, argument),
            "pass_turn": lambda: self._explain_position(game.pass_turn(state)),
            "view_key": lambda: game.view(state, argument),
            "irreversible": lambda: game.is_irreversible(state, argument),
            "check": lambda: game.is_check(state),
            "exchange": lambda: game.exchange(state, argument),
            "bounds": lambda: end_utilities(game, state),
            "repetition": lambda: self._explain_repetition(state),
        }
        if slot == "view":
            raise unlike_actions(game, argument, state)
        methods[slot]()
        what = "raises when compiled, but not when interpreted" if status == RAISED else "breaks the contract"
        raise ContractError(f"the rule behind `{slot}` {what}, in {state}: does a number leave its 64 bits?")

    def _explain_position(self, state: Any) -> None:
        game = self.game
        if game.is_terminal(state):
            game.utilities(state)
        elif not CHANCE <= game.player(state) < game.players:
            raise ContractError(f"player({state}) is {game.player(state)}, which is no player of {game.name}")

    def _explain_actions(self, state: Any) -> None:
        if not list(self.game.actions(state)):
            raise ContractError(f"{self.game.name} offers no action in {state}, which is not terminal")

    def _explain_repetition(self, state: Any) -> None:
        raise ContractError(
            f"every action in {self.game.write(state)} repeats a position: a game with "
            f'`repetition = "forbidden"` must always leave one that does not, such as a pass'
        )

    def _explain_chances(self, state: Any) -> None:
        if not self.game.kind.chance:
            raise ContractError(f"chance moves in {state}: write `def chances(self, s)` in the class")
        fair_chances(self.game, state)


def _check(name: str, value: int, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise OptionError(f"{name} must be a whole number from {low} on, not {value!r}")
    return value
