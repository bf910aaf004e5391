"""A compiled game: its states as bytes, its rules as native code, and the native searches over them."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from typing import Any, Concatenate, Generic, NamedTuple, NoReturn, ParamSpec, TypeAlias, TypeVar

from zermelo.engine.attributes import Attributes
from zermelo.engine.core import _core
from zermelo.engine.equipped import EquippedGame, NativeGame
from zermelo.engine.rules import layout
from zermelo.engine.rules.compiler import SLOTS, Code, compile_rules
from zermelo.engine.rules.failure import beginning
from zermelo.errors import ContractError, MethodError, RefusedError
from zermelo.game.contract import Game, S
from zermelo.game.sides import Sides
from zermelo.game.validation import (
    end_utilities,
    fair_chances,
    legal_actions,
    missing_chances,
    unlike_actions,
    validate,
    who_moves,
)
from zermelo.options import whole

Stopped = _core.Stopped
"""Raised by a search that its caller's `stop` has ended."""

Stop: TypeAlias = Callable[[], bool] | None
"""Asked about fifty times a second during a search; a true answer ends it with `Stopped`."""

TERMINAL = _core.TERMINAL
"""The mover of a terminal position."""

P = ParamSpec("P")
T = TypeVar("T")


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
    """The results of random games."""

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
    """The value found for each action of the root, in order."""
    maximiser: int
    nodes: int
    leaves: int
    cutoffs: int
    estimated: bool
    """Whether the value rests on an estimate in place of an end of the game."""
    seconds: float


def compile_game(game: Game[S]) -> CompiledGame[S]:
    """Returns `game` with native rules; a `CompileError` names the line at fault and a remedy."""
    validate(game)
    return native_rules(game)


def native_rules(game: Game[S]) -> CompiledGame[S]:
    """As `compile_game` without validation, for `zermelo check`, which reports contradictions itself."""
    from zermelo.engine.trees import TreeRules, is_written_down

    if isinstance(game, EquippedGame):
        return game.compile()
    if isinstance(game, NativeGame):
        return game.native
    if isinstance(game, Sides):
        return SidesRules(game)
    rules: CompiledGame[Any] = TreeRules(game) if is_written_down(game) else CompiledGame(game)
    return rules


class CompiledGame(Generic[S]):
    """A game whose rules run natively. Its attributes are as they were when it was compiled."""

    attributes: Attributes | None = None
    """The attributes that its rules depend on; `None` for rules that were native from the start."""
    tables: _core.Tables | None = None
    """The endgame tables that the engine probes."""

    def __init__(self, game: Game[S]):
        self.game = game
        self.code, reach = compile_rules(game)
        self.attributes = Attributes(game, reach)
        self.layout = self.code.layout
        low, high = game.bounds
        self.handle = _core.GameTable(
            initial=layout.pack(self.layout, game.initial()),
            players=int(game.players),
            low=float(low),
            high=float(high),
            neutral=float(game.neutral),
            unit=float(game.scale or 0.0),
            repetition=game.repetition,
            simultaneous=bool(game.simultaneous),
            constant_sum=game.kind.constant_sum,
            slots=self.code.addresses,
        )

    @property
    def table(self) -> int:
        """The address of the game's table (`native/core/table.h`); valid as long as this object lives."""
        return self.handle.address

    @property
    def sees(self) -> bool:
        """Whether the native rules know what each player sees, if that is less than everything."""
        return not self.game.kind.hidden or "view_key" in self.handle.slots

    def pack(self, state: S) -> bytes:
        """The bytes of `state`."""
        return layout.pack(self.layout, state)

    def unpack(self, data: bytes) -> S:
        """The state in `data`; its arrays are read-only."""
        if len(data) != self.layout.end:
            raise ContractError(f"a state of {self.game.name} takes {self.layout.end} bytes, not {len(data)}")
        state: S = self.layout.unpack(bytes(data))
        return state

    # The rules, natively, one call at a time: for tests and for checking.

    def ask(self, slot: str, state: S, *argument: int) -> Any:
        """The answer to a question of the table: `ask("is_noisy", s, a)`, `ask("evaluate", s, p)`, `ask("key", s)`.

        `native/core/slots.def` lists the questions, and what is answered in a game that lacks one.
        """
        return self._call(getattr(self.handle, slot), state, *argument)

    def actions(self, state: S) -> list[int]:
        return self._call(self.handle.actions, state)

    def chances(self, state: S) -> list[tuple[int, float]]:
        return self._call(self.handle.chances, state)

    def step(self, state: S, a: int) -> Step:
        found = self._call(self.handle.step, state, a)
        return Step(self.unpack(found.state), found.mover, found.utilities)

    def info(self, state: S) -> tuple[int, tuple[float, ...]]:
        """Who acts in `state` (`TERMINAL` if nobody) and every player's utility if it is terminal."""
        found = self._call(self.handle.info, state)
        return found.mover, found.utilities

    def pass_turn(self, state: S) -> Step:
        found = self._call(self.handle.pass_turn, state)
        return Step(self.unpack(found.state), found.mover, found.utilities)

    def priorities(self, state: S, actions: list[int]) -> list[float]:
        return self._call(self.handle.priorities, state, actions)

    def inputs(self, state: S, p: int) -> list[int]:
        return self._call(self.handle.inputs, state, p)

    def owners(self, state: S) -> list[int]:
        return self._call(self.handle.owners, state)

    def symmetric(self, state: S, k: int) -> S:
        return self.unpack(self._call(self.handle.symmetric, state, k))

    def symmetric_action(self, state: S, a: int, k: int) -> int:
        """What `a` in `state` is under symmetry `k`."""
        return self._call(self.handle.symmetric_action, state, a, k)

    def unrank(self, m: int, i: int) -> S:
        """The position of number `i` of slice `m` of endgame tables."""
        return self.unpack(self._run(self.handle.unrank, m, i))

    def playout(self, state: S, seed: int = 0, plies: int = 10_000) -> tuple[tuple[float, ...], list[int], list[int]]:
        """Plays one game by the rules' own random policy; returns utilities, the first actions, and their movers."""
        _check("plies", plies, 0, 1 << 24)
        found = self._call(self.handle.playout, state, seed % (1 << 64), plies)
        return found.utilities, found.actions, found.movers

    def own_playouts(self, state: S, games: int, seed: int = 0, stop: Stop = None) -> tuple[float, ...]:
        """Returns each player's mean utility over that number of such games."""
        _check("games", games, 1, 1 << 62)
        sums = self._call(self.handle.sum_playouts, state, games, seed % (1 << 64), stop)
        return tuple(total / games for total in sums)

    def priors(self, state: S, actions: list[int]) -> list[tuple[float, float]]:
        """The rules' prior of each action: the mover's utility, and the number of playouts that it counts for."""
        return self._call(self.handle.priors, state, actions)

    # Whole searches.

    def perft(self, state: S, depth: int, threads: int = 1, stop: Stop = None) -> Perft:
        """Counts the positions below `state`."""
        _check("depth", depth, 0, 1 << 32)
        _check("threads", threads, 1, 1024)
        start = time.perf_counter()
        found = self._call(self.handle.perft, state, depth, threads, stop)
        return Perft(found.leaves, found.ended, found.positions, time.perf_counter() - start)

    def playouts(self, state: S, games: int, seed: int = 0, max_plies: int = 100_000, stop: Stop = None) -> Playouts:
        """Plays `games` random games from `state` on."""
        _check("games", games, 0, 1 << 62)
        _check("max_plies", max_plies, 0, 1 << 62)
        start = time.perf_counter()
        found = self._call(self.handle.playouts, state, games, seed % (1 << 64), max_plies, stop)
        means = tuple(total / found.games if found.games else math.nan for total in found.sums)
        seconds = time.perf_counter() - start
        return Playouts(found.games, found.positions, found.plies, found.unfinished, means, seconds)

    def minimax(self, state: S, depth: int | None = None, stop: Stop = None) -> Searched:
        """The twin of the textbook's `minimax` and `expectiminimax`."""
        return self._search(state, depth, False, False, (-math.inf, math.inf), stop)

    def alphabeta(
        self,
        state: S,
        depth: int | None = None,
        window: tuple[float, float] = (-math.inf, math.inf),
        hard: bool = False,
        stop: Stop = None,
    ) -> Searched:
        """The twin of the textbook's `alphabeta`; the window is in MAX's view."""
        return self._search(state, depth, True, hard, window, stop)

    def _search(
        self, state: S, depth: int | None, prune: bool, hard: bool, window: tuple[float, float], stop: Stop
    ) -> Searched:
        self._check_fit()
        plies = (1 << 64) - 1 if depth is None else _check("depth", depth, 0, 1 << 32)
        start = time.perf_counter()
        found = self._call(self.handle.minimax, state, plies, prune, hard, *window, stop)
        line = tuple(found.line)
        return Searched(
            found.value,
            line[0] if line else None,
            line,
            dict(found.actions),
            found.maximiser,
            found.nodes,
            found.leaves,
            found.cutoffs,
            found.estimates > 0,
            time.perf_counter() - start,
        )

    def _check_fit(self) -> None:
        """Refuses a plain search that would give a wrong answer for this kind of game."""
        game = self.game
        if game.kind.teams:
            raise MethodError(
                f"{game.name} is played by teams: compile zermelo.sides(game), which has a player for each"
            )
        if not game.kind.scalar:
            why = game.kind.not_scalar
            raise MethodError(f"{game.name} {why}, so minimax does not apply; use maxn")
        if game.kind.hidden:
            raise MethodError(f"{game.name} hides information, and minimax would look through it")
        if game.repetition is not None:
            raise MethodError(f"{game.name} has a rule of repetition, which the plain native searches do not know")

    def _call(self, function: Callable[Concatenate[bytes, P], T], state: S, *rest: P.args, **named: P.kwargs) -> T:
        return self._run(function, self.pack(state), *rest, **named)

    def guard(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Calls a search of the core; a rule that fails natively raises the exception that it raises in Python."""
        if name := self.changed():
            raise ContractError(
                f"{self.game.name}.{name} has changed since its rules were compiled: make a new game, or a new engine"
            )
        return self._run(function, *arguments, **named)

    def changed(self) -> str:
        """The name of an attribute of the game that has changed since its rules were compiled; empty if none has."""
        return "" if self.attributes is None else self.attributes.changed()

    def _run(self, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        try:
            return function(*arguments, **named)
        except _core.RuleError as error:
            slot, status, data, action = error.args
            self._explain(slot, status, self.unpack(data), action)

    def _explain(self, slot: str, status: int, state: S, argument: int) -> NoReturn:
        """Repeats in Python the call that failed natively, so that the rule's own exception is raised."""
        game = self.game
        methods: dict[str, Callable[[], object]] = {
            "actions": lambda: self._explain_actions(state),
            "step": lambda: self._explain_position(game.result(state, argument)),
            "info": lambda: self._explain_position(state),
            "chances": lambda: self._explain_chances(state),
            "priorities": lambda: [game.priority(state, a) for a in game.actions(state)],
            "pass_turn": lambda: self._explain_position(game.pass_turn(state)),
            "bounds": lambda: end_utilities(game, state),
            "inputs": lambda: self._explain_inputs(state, argument),
            "owners": lambda: self._explain_owners(state),
            "symmetric": lambda: game.symmetric(state, argument),
            "slice_size": lambda: game.slice_size(argument),
            "symmetric_action": lambda: [game.symmetric_action(argument, k) for k in range(game.symmetry_count)],
            "repetition": lambda: self._explain_repetition(state),
        }
        if slot == "view":
            raise unlike_actions(game, argument, state)
        if slot in methods:
            methods[slot]()
        else:
            question = SLOTS[slot]
            getattr(game, question.method)(state, *([] if question.about == "POSITION" else [argument]))
        if status != _core.RAISED:
            raise ContractError(f"the rule behind `{slot}` breaks the contract when compiled, in {state}")
        rules = self._refusing(slot, state, argument)
        named = " or ".join(f"`{rule}`" for rule in rules)
        raise RefusedError(
            f"{beginning(game, rules[0])}{named} of {game.name} needs a number that compiled rules do not have, in "
            f"{state}: keep whole numbers within 64 bits, boards of 64 in `U64(…)` and powers whole, and add 8 or more "
            "floats in a loop"
        )

    def _refusing(self, slot: str, state: S, argument: int) -> tuple[str, ...]:
        """The rules of which one raises natively and not in Python."""
        if slot not in ("step", "info", "pass_turn"):
            return ({"priorities": "priority"}.get(slot) or SLOTS[slot].method if slot in SLOTS else slot,)
        game, after = self.game, state
        if slot != "info":
            after = game.result(state, argument) if slot == "step" else game.pass_turn(state)
            with contextlib.suppress(_core.RuleError):
                with contextlib.suppress(RefusedError, ContractError):
                    self.handle.info(self.pack(after))
                return ("result" if slot == "step" else slot,)
        return ("is_terminal", "utility" if game.is_terminal(after) else "player")

    def _explain_position(self, state: S) -> None:
        game = self.game
        layout.check_lengths(self.layout, state)
        if game.is_terminal(state):
            game.utilities(state)
        else:
            who_moves(game, state)

    def _explain_actions(self, state: S) -> None:
        legal_actions(self.game, state)

    def _explain_inputs(self, state: S, p: int) -> None:
        for i in self.game.inputs(state, p):
            if not 0 <= i < self.game.input_count:
                raise ContractError(
                    f"inputs({self.game.write(state)}, {p}) has {i}, which is not below `input_count` = "
                    f"{self.game.input_count}"
                )

    def _explain_owners(self, state: S) -> None:
        raise ContractError(
            f"owners({self.game.write(state)}) gives {len(list(self.game.owners(state)))} cells, and the board has "
            "another number: give a player, or -1, for each of them, row by row"
        )

    def _explain_repetition(self, state: S) -> None:
        raise ContractError(
            f"every action in {self.game.write(state)} repeats a position: a game with "
            f'`repetition = "forbidden"` must always leave one that does not, such as a pass'
        )

    def _explain_chances(self, state: S) -> None:
        if not self.game.kind.chance:
            raise missing_chances(self.game, state)
        fair_chances(self.game, state)


class SidesRules(CompiledGame[Any]):
    """The rules of a game for its sides: those of the game, with other numbers for the players."""

    def __init__(self, game: Sides):
        self.game = game
        self.seated: CompiledGame[Any] = native_rules(game.seated)
        self.attributes = self.seated.attributes
        self.handle = _core.sides_table(self.seated.handle, list(game.side))

    @property
    def code(self) -> Code:  # type: ignore[override]
        return self.seated.code

    def pack(self, state: Any) -> bytes:
        return self.seated.pack(state)

    def unpack(self, data: bytes) -> Any:
        return self.seated.unpack(data)


def _check(name: str, value: int, low: int, high: int) -> int:
    checked: int = whole(low, high).check(name, value)
    return checked
