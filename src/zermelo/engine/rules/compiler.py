"""From a game object to the addresses of its compiled rules: kept ones if there are any, new ones otherwise."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.engine.core import _core
from zermelo.engine.rules import cache
from zermelo.engine.rules.layout import Layout, describe, infer, leaves
from zermelo.engine.rules.reach import Reach
from zermelo.errors import CompileError
from zermelo.game.contract import Game

RULES = ("player", "actions", "result", "is_terminal", "utility")
NEEDED = ("actions", "step", "enter", "frontier", "info")
SLOTS = {slot.name: slot for slot in _core.slots()}
"""The slots of the game table, as `native/core/slots.def` lists them."""
OPTIONAL = {slot.name: slot.method for slot in SLOTS.values() if slot.method not in ("none", "initial", *RULES)}
"""The optional slots of the table that have a method of the contract behind them, each with that method."""
EXPENDABLE = ("view_key",)
"""Slots that no search needs: a game without them is still compiled."""


@dataclass(frozen=True, slots=True)
class Code:
    """The compiled rules of a game, and of every other game object that is equal in all that they reach."""

    layout: Layout
    fingerprint: str
    addresses: dict[str, int]
    refused: dict[str, str]
    """Expendable slots that could not be compiled, with the reason."""
    kept: bool
    """Whether the code was found on disk."""
    libraries: list[Any] = field(repr=False)


_made: dict[str, Code] = {}
_lock = threading.Lock()


def compile_rules(game: Game) -> Code:
    """The compiled rules of `game`; a `CompileError` if they cannot be compiled."""
    layout, wanted = _inspect(game)
    roots = (*RULES, *(OPTIONAL[slot] for slot in wanted if slot in OPTIONAL))
    reach = Reach(game, roots)
    with _lock:
        fingerprint = reach.fingerprint(describe(layout), game.players, game.neutral, wanted, _versions())
        if fingerprint not in _made:
            found = cache.load(fingerprint) if reach.cacheable else None
            code = _restore(layout, fingerprint, found) if found is not None else None
            _made[fingerprint] = code or _compile(game, layout, wanted, reach, fingerprint)
        return _made[fingerprint]


def _inspect(game: Game) -> tuple[Layout, tuple[str, ...]]:
    """The layout of the states and the slots to fill; refuses what can be seen not to fit without compiling."""
    initial = game.initial()
    layout = infer(initial)
    if not 1 <= game.players <= 64:
        raise CompileError(f"{game.name} has {game.players} players: a compiled game has 1 to 64")
    if not game.is_terminal(initial):
        action = next(iter(game.actions(initial)), 0)
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            raise CompileError(
                f"{_where(game, 'actions')}the actions of {game.name} are {type(action).__name__}s, as in {action!r}: "
                "number them, as the actions of a compiled game are ints"
            )
    wanted = [slot for slot, method in OPTIONAL.items() if _has(game, method)]
    return layout, (*NEEDED, *wanted)


def _has(game: Game, method: str) -> bool:
    return inspect.getattr_static(game, method) is not inspect.getattr_static(Game, method)


def _where(game: Game, method: str) -> str:
    function = getattr(type(game), method, None)
    code = getattr(function, "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}: " if code else ""


def _versions() -> list[str]:
    """All that object code depends on beside the rules."""
    import llvmlite
    import numba
    import numpy
    from llvmlite import binding

    return [
        _own_version(),
        *(slot.name + slot.parameters for slot in SLOTS.values()),
        sys.version,
        numba.__version__,
        llvmlite.__version__,
        numpy.__version__,
        binding.get_default_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    ]


@functools.cache
def _own_version() -> str:
    """Changes whenever this compiler does: no number to remember to raise."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _compile(game: Game, layout: Layout, wanted: tuple[str, ...], reach: Reach, fingerprint: str) -> Code:
    from zermelo.engine.rules.failure import explain
    from zermelo.engine.rules.functions import Translator
    from zermelo.engine.rules.gametype import declare_game
    from zermelo.engine.rules.slots import SlotCompiler

    words = reach.words or any(part.holds_words for part in leaves(layout))
    translator = Translator(fingerprint[:16], words)
    compiler = SlotCompiler(declare_game(reach, translator), layout, game, translator)
    exports, refused = {}, {}
    for slot in wanted:
        try:
            exports[slot] = compiler.compile(slot)
        except Exception as error:  # Numba has errors of its own, and lets those of its passes through
            failure = explain(game, OPTIONAL.get(slot), error)
            if slot not in EXPENDABLE:
                raise failure from error
            refused[slot] = str(failure)
    dynamic = any(export.library.has_dynamic_globals for export in exports.values())
    if reach.cacheable and not dynamic:
        entry = cache.Entry({slot: _serialise(export) for slot, export in exports.items()}, refused)
        if _can_link(entry):
            cache.save(fingerprint, entry)
    addresses = {slot: export.address for slot, export in exports.items()}
    return Code(layout, fingerprint, addresses, refused, False, [export.library for export in exports.values()])


def _serialise(export: Any) -> cache.ObjectCode:
    library = export.library
    _name, _kind, (object_code, bitcode) = library.serialize_using_object_code()
    module = library._final_module
    declared = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    declared += [g.name for g in module.global_variables if g.is_declaration]
    return cache.ObjectCode(export.symbol, object_code, bitcode, tuple(declared))


def _can_link(entry: cache.Entry) -> bool:
    """Whether this process has every symbol that the code needs: LLVM ends the process over a missing one.

    A function that calls itself is one that Numba leaves to be found later, under a name that no other process knows.
    """
    from llvmlite import binding

    return all(binding.address_of_symbol(name) is not None for code in entry.code.values() for name in code.needs)


def _restore(layout: Layout, fingerprint: str, found: cache.Entry) -> Code | None:
    """The kept code, linked into this process; `None` if it cannot be linked."""
    from zermelo.engine.rules.numba_api import cpu_target, runtime

    context = cpu_target.target_context
    runtime.initialize(context)  # array memory: LLVM aborts on a missing symbol otherwise
    if not _can_link(found):
        return None
    codegen = context.codegen()
    addresses, libraries = {}, []
    for slot, code in found.code.items():
        library = codegen.unserialize_library((code.symbol, "object", (code.object, code.bitcode)))
        addresses[slot] = library.get_pointer_to_function(code.symbol)
        libraries.append(library)
    return Code(layout, fingerprint, addresses, found.refused, True, libraries)
