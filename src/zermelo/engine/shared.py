"""Games in shared libraries: whatever language fills the table of `native/core/table.h`, its game plays here.

    load_shared(Path("lib.so"), "symbol")

The symbol is a `zermelo_table`, or a function without arguments that returns a pointer to one. Searches use the table
as it is; for everything else the game has the methods of the contract, each a call into the library. Whoever loads a
library trusts it: its code runs in this process.
"""

from __future__ import annotations

import ctypes
import re
import struct
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from zermelo.engine.compiled import _REPETITION, RAISED, TERMINAL, CompiledGame, NativeGame, _core
from zermelo.engine.rules.compiler import OPTIONAL
from zermelo.errors import ContractError, GameNotFoundError, InputError, PositionError
from zermelo.game.contract import CHANCE, Game

SIMULTANEOUS, CONSTANT_SUM = 1 << 0, 1 << 4


class Bytes(NamedTuple):
    """A position, as the library writes it."""

    data: bytes


class SharedRules(CompiledGame):
    """The native side of a game in a shared library: its own table, and states as they are."""

    def __init__(self, game: Game, handle: Any, library: Any):
        self.game = game
        self.handle = handle
        self.library = library
        """The table's slots point into it."""

    def pack(self, state: Any) -> bytes:
        return bytes(state.data)

    def unpack(self, data: bytes) -> Bytes:
        return Bytes(bytes(data))

    def initial(self) -> Bytes:
        return Bytes(self.guard(_core.initial, self.handle))

    def _explain(self, slot: str, status: int, state: Any, argument: int) -> NoReturn:
        what = "failed" if status == RAISED else "broke the contract"
        raise ContractError(
            f"`{slot}` of the library behind {self.game.name} {what} (status {status}) "
            f"in {self.game.write(state)}, called with {argument}"
        )


class SharedGame(NativeGame):
    """A game in a shared library. What it can do beyond the six is decided by the slots that its table fills."""

    State = Bytes

    def __init__(self, handle: Any, library: Any):
        self.native: SharedRules = SharedRules(self, handle, library)
        self.state_size = int(_core.table_facts(handle)["state_size"])

    def initial(self) -> Bytes:
        return self.native.initial()

    def player(self, s: Bytes) -> int:
        return self.native.info(s)[0]

    def actions(self, s: Bytes) -> list[int]:
        mover = self.native.info(s)[0]
        if mover == TERMINAL:
            return []
        return [a for a, _ in self.native.chances(s)] if mover == CHANCE else self.native.actions(s)

    def result(self, s: Bytes, a: int) -> Any:
        return self.native.step(s, a).state

    def is_terminal(self, s: Bytes) -> bool:
        return self.native.info(s)[0] == TERMINAL

    def utility(self, s: Bytes, p: int) -> float:
        return self.native.info(s)[1][p]

    def show(self, s: Bytes) -> str:
        """The bytes as numbers of 64 bits, the most that is known of them."""
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


class Slots:
    """The optional methods of a game, each over the slot of its table."""

    native: SharedRules

    def chances(self, s: Bytes) -> list[tuple[int, float]]:
        return self.native.chances(s)

    def key(self, s: Bytes) -> int:
        return self.native.key(s)

    def evaluate(self, s: Bytes, p: int) -> float:
        return self.native.evaluate(s, p)

    def priority(self, s: Bytes, a: int) -> float:
        return self.native.priorities(s, [a])[0]

    def is_noisy(self, s: Bytes, a: int) -> bool:
        return self.native.is_noisy(s, a)

    def target(self, s: Bytes, a: int) -> int:
        return self.native.target(s, a)

    def pass_turn(self, s: Bytes) -> Any:
        return self.native.pass_turn(s).state

    def view(self, s: Bytes, p: int) -> int:
        return self.native.view_key(s, p)

    def is_irreversible(self, s: Bytes, a: int) -> bool:
        return self.native.is_irreversible(s, a)


def load_shared(path: Path, symbol: str | None) -> Game:
    """The game behind `symbol` of the shared library `path`; refuses what it can see to be unusable."""
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
    return describe(symbol, _core.table_facts(handle))(handle, library)


def describe(name: str, facts: dict[str, Any]) -> type[SharedGame]:
    """The class of the game: its facts, and a method for each slot that its table fills."""
    players, capabilities = facts["players"], facts["capabilities"]
    rules = [rule for rule, bit in _REPETITION.items() if bit and capabilities & bit]
    body: dict[str, Any] = {
        "__doc__": f"The game {name} of a shared library.",
        "players": players,
        "utility_sum": players * facts["neutral"] if capabilities & CONSTANT_SUM else None,
        "bounds": (facts["low"], facts["high"]),
        "neutral": facts["neutral"],
        "scale": facts["unit"] or None,
        "repetition": rules[0] if rules else None,
        "simultaneous": bool(capabilities & SIMULTANEOUS),
    }
    body |= {OPTIONAL[slot]: vars(Slots)[OPTIONAL[slot]] for slot in facts["slots"]}
    return type(name, (SharedGame,), body)
