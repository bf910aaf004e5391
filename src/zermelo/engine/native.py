"""Games whose rules are native: the core, or a shared library in any language, provides the game table.

Searches use the table as it is. For everything else the game has the methods of the contract, each a call into it; a
state is the bytes of a position.
"""

from __future__ import annotations

import ctypes
import inspect
import re
import struct
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from zermelo.engine.compiled import TERMINAL, CompiledGame
from zermelo.engine.core import _core
from zermelo.engine.equipped import NativeGame
from zermelo.engine.rules.compiler import OPTIONAL, SLOTS
from zermelo.errors import ContractError, GameNotFoundError, InputError, OptionError, PositionError
from zermelo.game.contract import CHANCE, Game
from zermelo.game.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST_WEIGHT = 2**31 - 1
"""The core takes weights of 32 bits, and reports those that are too large."""


class Bytes(NamedTuple):
    """A position, as the table writes it."""

    data: bytes


class TableRules(CompiledGame[Bytes]):
    """The native side of a table game: the table itself, with states that are bytes already."""

    def __init__(self, game: Game[Bytes, int], handle: _core.GameTable, owner: object = None):
        self.game = game
        self.handle = handle
        self.owner = owner
        """The library that the slots point into, to keep it loaded; `None` for the core."""

    def pack(self, state: Bytes) -> bytes:
        return bytes(state.data)

    def unpack(self, data: bytes) -> Bytes:
        return Bytes(bytes(data))

    def initial(self) -> Bytes:
        return Bytes(self.guard(self.handle.initial))

    def _explain(self, slot: str, status: int, state: Bytes, argument: int) -> NoReturn:
        what = "failed" if status == _core.RAISED else "broke the contract"
        raise ContractError(
            f"`{slot}` of the table behind {self.game.name} {what} (status {status}) "
            f"in {self.game.write(state)}, called with {argument}"
        )


class TableGame(NativeGame[Bytes]):
    """A game over a table. What it can do beyond the six is decided by the slots that the table fills."""

    State = Bytes

    native: TableRules

    def __init__(self, handle: _core.GameTable, owner: object = None):
        self.native = TableRules(self, handle, owner)
        self.state_size = handle.state_size

    def initial(self) -> Bytes:
        return self.native.initial()

    def player(self, s: Bytes) -> int:
        return self.native.info(s)[0]

    def actions(self, s: Bytes) -> list[int]:
        mover = self.native.info(s)[0]
        if mover == TERMINAL:
            return []
        return [a for a, _ in self.native.chances(s)] if mover == CHANCE else self.native.actions(s)

    def result(self, s: Bytes, a: int) -> Bytes:
        after: Bytes = self.native.step(s, a).state
        return after

    def is_terminal(self, s: Bytes) -> bool:
        return self.native.info(s)[0] == TERMINAL

    def utility(self, s: Bytes, p: int) -> float:
        return self.native.info(s)[1][p]

    def show(self, s: Bytes) -> str:
        """The bytes as 64-bit numbers: nothing more is known about them."""
        return " ".join(str(number) for (number,) in struct.iter_unpack("=q", s.data))

    def write(self, s: Bytes) -> str:
        return s.data.hex()

    def read(self, text: str) -> Bytes:
        """The position whose bytes `text` spells in hexadecimal."""
        written = text.strip()
        if not re.fullmatch(rf"[0-9a-fA-F]{{{2 * self.state_size}}}", written):
            start = self.write(self.initial())
            raise PositionError(f"{text!r} is not a position; the start is written {start!r}")
        return Bytes(bytes.fromhex(written))


def describe(table: _core.GameTable) -> dict[str, object]:
    """The body of a game's class: its facts, and a method for each slot that its table fills."""
    body: dict[str, object] = {
        "players": table.players,
        "utility_sum": len({*table.teams()}) * table.neutral if table.constant_sum else None,
        "bounds": (table.low, table.high),
        "neutral": table.neutral,
        "scale": table.unit or None,
        "repetition": table.repetition,
        "simultaneous": table.simultaneous,
    }
    filled = set(table.slots)
    return body | {method: _method(slot) for slot, method in OPTIONAL.items() if slot in filled}


def _method(slot: str) -> Callable[..., object]:
    """The method of the contract over a slot of the table."""
    if slot == "chances":
        return lambda self, s: self.native.chances(s)
    if slot == "pass_turn":
        return lambda self, s: self.native.pass_turn(s).state
    if slot == "priorities":
        return lambda self, s, a: self.native.priorities(s, [a])[0]
    if slot == "inputs":
        return lambda self, s, p: self.native.inputs(s, p)
    if slot == "owners":
        return lambda self, s: self.native.owners(s)
    if slot == "symmetric":
        return lambda self, s, k: self.native.symmetric(s, k)
    if slot == "symmetric_action":
        return lambda self, a, k: self.native.symmetric_action(self.initial(), a, k)
    if slot == "team":
        return lambda self, p: self.native.handle.teams()[p]
    if slot == "slice_size":
        return lambda self, m: self.native.handle.slice_size(m)
    if slot == "unrank":
        return lambda self, m, i: self.native.unrank(m, i)
    if SLOTS[slot].about == "POSITION":
        return lambda self, s: self.native.ask(slot, s)
    return lambda self, s, argument: self.native.ask(slot, s, argument)


class Weighing:
    """The methods of core games whose evaluation reads its weights from a file."""

    core: str
    native: TableRules
    weights: str

    def features(self, s: Bytes) -> tuple[float, ...]:
        return tuple(self.features_of([s])[0].tolist())

    def features_of(self, states: Sequence[Bytes]) -> NDArray[np.float32]:
        """The features of each state, one row per state."""
        import numpy as np

        data = _core.native_features(self.core, self.native.handle, [s.data for s in states])
        return np.frombuffer(data, np.float32).reshape(len(states), -1)

    def feature_names(self) -> list[str]:
        return _core.native_weights(self.core)

    def feature_weights(self) -> list[float]:
        return [
            float(round(value)) for value in Weights.read(self.weights).arranged(self.feature_names(), self.weights)
        ]


class CoreGame(TableGame):
    """A game of the core; a class of its own says its name there: `class Chess(CoreGame, core="chess")`.

    The facts and optional methods of its table become those of the class, except where the class has its own. Where its
    evaluation has weights, they are in the file `weights.json` beside the class, or in one that a game object names.
    """

    core: str
    weights: str = ""
    """The file of the weights; empty if there are none."""

    def __init_subclass__(cls, core: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if not core:
            return
        cls.core = core
        found = describe(_core.native_table(core))
        if _core.native_weights(core):
            cls.weights = str(Path(inspect.getfile(cls)).with_name("weights.json"))
            found |= {name: method for name, method in vars(Weighing).items() if inspect.isfunction(method)}
        for name, value in found.items():
            if name not in vars(cls):
                setattr(cls, name, value)

    def __init__(self, weights: str = "") -> None:
        if weights:
            self.weights = str(Path(weights).resolve())
        super().__init__(self._weigh() if self.weights else _core.native_table(self.core))

    def _weigh(self) -> _core.GameTable:
        """A table of this game's own, with the weights in its file."""
        values = Weights.read(self.weights).arranged(_core.native_weights(self.core), self.weights)
        try:
            return _core.weighted_table(
                self.core, [round(max(-LARGEST_WEIGHT, min(value, LARGEST_WEIGHT))) for value in values]
            )
        except ValueError as error:
            raise OptionError(f"{self.weights} holds weights that cannot be used: {error}") from None

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the class and its options by name; another process makes its own table.

        A game must therefore keep each option of its constructor as an attribute of the same name.
        """
        options = {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}
        return partial(type(self), **options), ()

    def explain(self, s: Bytes) -> list[tuple[str, float]]:
        return _core.native_explain(self.core, self.native.handle, s.data)

    def write(self, s: Bytes) -> str:
        return _core.native_write(self.core, self.native.handle, s.data)

    def read(self, text: str) -> Bytes:
        try:
            return Bytes(_core.native_read(self.core, self.native.handle, sound_text(text)))
        except ValueError as error:
            raise PositionError(f"{text!r} is not a position of {self.name}: {error}") from None


def sound_text(text: str) -> str:
    """`text` as the core takes it: half of a character, which JSON can hold and UTF-8 cannot, is a question mark."""
    return text.encode(errors="replace").decode()


def point_shares(game: CoreGame, s: Bytes) -> list[float]:
    """For each point of a board how surely it will be player 0's (1) or the other's (−1) at the end, by playouts."""
    return _core.native_ownership(game.core, game.native.handle, s.data)


def load_shared(path: Path, symbol: str | None) -> Game[Bytes, int]:
    """The game behind `symbol` of the shared library `path`; refuses what it can see to be unusable.

    The symbol is a `zermelo_table` (`native/core/table.h`), or a function without arguments that returns a pointer to
    one. The library's code runs in this process: load only what you trust.
    """
    if not path.is_file():
        raise GameNotFoundError(f"there is no file {path}: give the path of a shared library, as in game.so:symbol")
    if symbol is None:
        raise GameNotFoundError(f"say which symbol of {path} is the game, as in {path}:my_game")
    try:
        library = ctypes.CDLL(str(path.resolve()))
    except OSError as error:
        said = str(error).replace(str(path.resolve()), path.name)
        raise InputError(f"{path} cannot be loaded as a shared library of this machine: {said}") from None
    try:
        address = ctypes.addressof(ctypes.c_char.in_dll(library, symbol))
    except ValueError:
        raise GameNotFoundError(
            f'{path} exports no symbol {symbol}; in C++ it takes extern "C", and `nm -D {path}` lists what there is'
        ) from None
    try:
        handle = _core.shared_table(address)
    except ValueError as error:
        raise InputError(f"{path}:{symbol} {error}") from None
    body = {"__doc__": f"The game {symbol} of a shared library.", **describe(handle)}
    game: Game[Bytes, int] = type(symbol, (TableGame,), body)(handle, library)
    return game
