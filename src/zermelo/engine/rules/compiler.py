"""From a game object to the addresses of its compiled rules, from the cache where possible."""

from __future__ import annotations

import functools
import hashlib
import inspect
import os
import sys
import threading
import weakref
from collections import deque
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from zermelo.engine.core import _core
from zermelo.engine.rules import cache, objects
from zermelo.engine.rules.cache import ObjectCode
from zermelo.engine.rules.failure import beginning, explain, stored_in_truth
from zermelo.engine.rules.layout import Array, Layout, describe, infer, leaves, widen
from zermelo.engine.rules.reach import Numbers, Reach
from zermelo.errors import CompileError, RefusedError
from zermelo.game.contract import Game

RULES = ("player", "actions", "result", "is_terminal", "utility")
NEEDED = ("actions", "step", "enter", "frontier", "info")
SLOTS = {slot.name: slot for slot in _core.slots()}
"""The slots of the game table, as `native/core/slots.def` lists them."""
OPTIONAL = {slot.name: slot.method for slot in SLOTS.values() if slot.method not in ("none", "initial", *RULES)}
"""The optional slots of the table that have a method of the contract behind them, each with that method."""
EXPENDABLE = (
    *("view_key", "material", "rank", "slice_size", "unrank", "plies_left"),
    *("remaining_plies", "upper_bound", "ending_priority"),
)
"""Slots that no search needs: a game without them is still compiled."""
RECENT = 32
"""The number of compiled games that are kept after their last object is gone."""
TAG_DIGITS = 16
"""The number of digits of a fingerprint in the names of symbols."""
NUMBA_FILE = Path(".numba_config.yaml")
"""Numba's settings in the current directory."""
NUMBA_DEFAULTS = {"CPU_NAME": None, "CPU_FEATURES": None, "OPT": 3, "LOOP_VECTORIZE": 1, "SLP_VECTORIZE": 0}
"""The settings of Numba that change machine code and that programs change, with their defaults."""
Source = Literal["packaged", "kept", "compiled"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Code:
    """The compiled rules of a game, shared by all game objects that are equal in everything the rules use."""

    layout: Layout
    fingerprint: str
    addresses: dict[str, int]
    refused: dict[str, str]
    """Expendable slots that could not be compiled, with the reason."""
    source: Source
    owner: Any = field(repr=False)
    """What keeps the functions alive."""
    refusals: list[str] = field(default_factory=list, repr=False)
    """Why searches have given up these rules for Python's; empty as long as none has."""

    @property
    def kept(self) -> bool:
        """Whether nothing had to be compiled."""
        return self.source != "compiled"


_made: weakref.WeakValueDictionary[str, Code] = weakref.WeakValueDictionary()
_recent: deque[Code] = deque(maxlen=RECENT)
_lock = threading.Lock()


def compile_rules(game: Game) -> tuple[Code, Reach]:
    """The compiled rules of `game`, and what they depend on.

    A `CompileError` if they cannot be compiled, or have been given up for Python's.
    """
    layout, wanted = _inspect(game)
    reach = _reach(game, wanted)
    with _lock:
        fingerprint = _fingerprint(game, layout, wanted, reach)
        code = _made.get(fingerprint)
        if code is None:
            code = _packaged(layout, wanted, fingerprint) or _kept(layout, reach, fingerprint)
            code = code or _new(game, layout, wanted, reach, fingerprint)
            _made[fingerprint] = code
        if code not in _recent:
            _recent.append(code)
    if code.refusals:
        raise RefusedError(code.refusals[0])
    return code, reach


def compile_object(game: Game, cpu: str) -> tuple[Layout, ObjectCode, str]:
    """Returns the layout of `game`, its rules as object code for the processor `cpu`, and the fingerprint."""
    layout, wanted = _inspect(game)
    reach = _reach(game, wanted)
    fingerprint = _fingerprint(game, layout, wanted, reach)
    with _lock:
        code, dynamic = _compile(game, layout, wanted, reach, fingerprint, cpu)
    if dynamic:
        raise CompileError(f"{game.name} holds arrays that are too large to be written into object code")
    return widen(layout, code.widened), code, fingerprint


def _reach(game: Game, wanted: tuple[str, ...]) -> Reach:
    return Reach(game, (*RULES, *(OPTIONAL[slot] for slot in wanted if slot in OPTIONAL)))


def _fingerprint(game: Game, layout: Layout, wanted: tuple[str, ...], reach: Reach) -> str:
    """A hash of everything that the meaning of the compiled rules depends on."""
    slots = [slot.name + slot.parameters for slot in SLOTS.values()]
    return reach.fingerprint(describe(layout), game.players, game.neutral, wanted, _own_version(), slots)


def _inspect(game: Game) -> tuple[Layout, tuple[str, ...]]:
    """Returns the layout of the states and the slots to fill; refuses what is wrong before compiling."""
    initial = game.initial()
    layout = infer(initial)
    if not 1 <= game.players <= 64:
        raise CompileError(f"{game.name} has {game.players} players: a compiled game has 1 to 64")
    if not game.is_terminal(initial):
        action = next(iter(game.actions(initial)), 0)
        if isinstance(action, bool) or not hasattr(action, "__index__"):
            where = beginning(game, "actions")
            raise CompileError(
                f"{where}the actions of {game.name} are {type(action).__name__}s, as in {action!r}: "
                "number them, as the actions of a compiled game are ints"
            )
    wanted = [slot for slot, method in OPTIONAL.items() if _has(game, method)]
    return layout, (*NEEDED, *wanted)


def _has(game: Game, method: str) -> bool:
    return inspect.getattr_static(game, method) is not inspect.getattr_static(Game, method)


def _packaged(layout: Layout, wanted: tuple[str, ...], fingerprint: str) -> Code | None:
    """The code that came with the package."""
    found = objects.packaged(wanted, fingerprint[:TAG_DIGITS])
    return Code(layout, fingerprint, found[0], {}, "packaged", found[1]) if found else None


def _kept(layout: Layout, reach: Reach, fingerprint: str) -> Code | None:
    """The code that an earlier process stored on disk."""
    found = cache.load(_key(fingerprint)) if reach.cacheable else None
    linked = objects.link(found) if found is not None else None
    if found is None or linked is None:
        return None
    return Code(widen(layout, found.widened), fingerprint, linked[0], found.refused, "kept", linked[1])


def _new(game: Game, layout: Layout, wanted: tuple[str, ...], reach: Reach, fingerprint: str) -> Code:
    """Compiles the code, and stores it for other processes if it does not depend on this one."""
    try:
        code, dynamic = _compile(game, layout, wanted, reach, fingerprint, "host")
    except ImportError as error:
        raise CompileError(f"{game.name} is not compiled already, and Numba is not here to compile it") from error
    linked = objects.link(code)
    if linked is None:
        raise CompileError(f"{game.name} calls what cannot be linked: {', '.join(code.needs)}")
    if reach.cacheable and not dynamic:
        cache.save(_key(fingerprint), code)
    return Code(widen(layout, code.widened), fingerprint, linked[0], code.refused, "compiled", linked[1])


def _key(fingerprint: str) -> str:
    """The name of a file of object code: a hash of the rules and of everything else that it depends on."""
    return hashlib.sha256(repr((fingerprint, _surroundings())).encode()).hexdigest()


def _surroundings() -> list[Any]:
    """What the machine code depends on beside the rules; the same whether Numba is imported already or not."""
    from llvmlite import binding

    return [
        sys.version,
        *(version(package) for package in ("numba", "llvmlite", "numpy")),
        binding.get_default_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        *_numba_settings(),
    ]


def _numba_settings() -> list[Any]:
    """Numba's settings: in the environment, in its file, and those that a program has changed."""
    environment = sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_"))
    written = NUMBA_FILE.read_bytes() if NUMBA_FILE.is_file() else b""
    named = {name for name, _ in environment}
    config = getattr(sys.modules.get("numba"), "config", None)
    changed = [
        (name, str(value))
        for name, usual in NUMBA_DEFAULTS.items()
        if (value := getattr(config, name, usual)) not in (usual, "") and f"NUMBA_{name}" not in named
    ]
    return [environment, written, changed]


@functools.cache
def _own_version() -> str:
    """A hash of the compiler's source, so that no version number has to be raised by hand."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def _compile(
    game: Game, layout: Layout, wanted: tuple[str, ...], reach: Reach, fingerprint: str, cpu: str
) -> tuple[ObjectCode, bool]:
    """Object code, and whether it points into this process.

    A field that begins as true or false and is given whole numbers by a rule holds whole numbers; that shows only when
    the rule is compiled, which then begins again.
    """
    from zermelo.engine.rules.numba_api import numba_config

    if numba_config.DISABLE_JIT:
        raise CompileError(f"{game.name} is not compiled already, and NUMBA_DISABLE_JIT forbids it: unset it")
    widened: tuple[str, ...] = ()
    while True:
        try:
            return _attempt(game, widen(layout, widened), wanted, reach, fingerprint[:TAG_DIGITS], cpu, widened)
        except _SlotError as failure:
            path = stored_in_truth(failure.error)
            if path is None or path in widened:
                raise explain(game, OPTIONAL.get(failure.slot), failure.error) from failure.error
            widened += (path,)


class _SlotError(Exception):
    """Numba's error, and the slot that it is about."""

    def __init__(self, slot: str, error: Exception):
        self.slot = slot
        self.error = error


def numbers_in(reach: Reach, layout: Layout) -> Numbers:
    """Which numbers take part in rules over states of this layout."""
    import numpy

    arrays = {part.dtype for part in leaves(layout) if isinstance(part, Array)}
    dtypes = {numpy.dtype(each) for each in reach.dtypes | arrays}
    numpy_words = numpy.dtype("uint64") in dtypes
    return Numbers(
        words=reach.words or any(part.holds_words for part in leaves(layout)),
        numpy=reach.numpy or bool(arrays),
        numpy_words=numpy_words,
        mixed=numpy_words and any(each.kind in "ib" for each in dtypes),
    )


def _attempt(
    game: Game,
    layout: Layout,
    wanted: tuple[str, ...],
    reach: Reach,
    tag: str,
    cpu: str,
    widened: tuple[str, ...],
) -> tuple[ObjectCode, bool]:
    from zermelo.engine.rules import target
    from zermelo.engine.rules.functions import Translator
    from zermelo.engine.rules.gametype import declare_game
    from zermelo.engine.rules.slots import SlotCompiler

    numbers = numbers_in(reach, layout)
    translator = Translator(tag, numbers)
    with target.compiling(numbers, cpu) as context:
        try:
            compiler = SlotCompiler(declare_game(reach, translator), layout, game, translator)
            exports, refused = {}, {}
            for slot in wanted:
                try:
                    exports[slot] = compiler.compile(slot)
                except Exception as error:  # Numba's own errors, and any that its passes raise
                    if slot not in EXPENDABLE or stored_in_truth(error) is not None:
                        raise _SlotError(slot, error) from error
                    refused[slot] = str(explain(game, OPTIONAL.get(slot), error))
            modules, libraries = [e.module for e in exports.values()], [e.library for e in exports.values()]
            made, needs, dynamic = target.link(context, f"zermelo_{tag}", modules, libraries)
        finally:
            translator.forget()
    symbols = {slot: export.symbol for slot, export in exports.items()}
    return ObjectCode(made, symbols, needs, refused, widened), dynamic
