"""The functions that fill a game's table, as Python for Numba to compile; needs Numba to import.

Each slot is a pair: an inner function over the game's rules, which may raise, and a C function around it that turns
whatever happens into a status.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from zermelo.engine.rules import memory
from zermelo.engine.rules.functions import Translator
from zermelo.engine.rules.keys import hash_value
from zermelo.engine.rules.layout import Array, Layout, Record, Scalar
from zermelo.engine.rules.numba_api import (
    NumbaTypeError,
    cpu_target,
    global_compiler_lock,
    intrinsic,
    llvm,
    njit,
    overload,
    types,
)
from zermelo.game.contract import Game

RAISED, BREACH = 1, 2
TERMINAL = -2

_STATE = types.voidptr
_OUT_INT64 = types.CPointer(types.int64)
_OUT_INT32 = types.CPointer(types.int32)
_OUT_UINT64 = types.CPointer(types.uint64)
_OUT_DOUBLE = types.CPointer(types.float64)

_AFTER = """
    child_state = load(child)
    if game.is_terminal(child_state):
        for p in range(players):
            put(utilities, p, game.utility(child_state, p))
        put(mover, 0, TERMINAL)
        return 0
    who = game.player(child_state)
    put(mover, 0, who)
    return 0 if -1 <= who < players else BREACH
"""

# name → (parameters with their Numba types, body); the body returns a status.
SLOTS: dict[str, tuple[dict[str, Any], str]] = {
    "actions": (
        {"state": _STATE, "found": _OUT_INT64, "capacity": types.uint64, "count": _OUT_UINT64},
        """
    put(count, 0, game.actions_into(load(state), found, types.int64(capacity)))
    return 0
""",
    ),
    "step": (
        {"state": _STATE, "action": types.int64, "child": _STATE, "mover": _OUT_INT32, "utilities": _OUT_DOUBLE},
        "    store(child, game.result(load(state), action))" + _AFTER,
    ),
    "enter": (
        {
            "state": _STATE,
            "action": types.int64,
            "child": _STATE,
            "mover": _OUT_INT32,
            "utilities": _OUT_DOUBLE,
            "found": _OUT_INT64,
            "capacity": types.uint64,
            "count": _OUT_UINT64,
        },
        "    store(child, game.result(load(state), action))"
        + _AFTER.replace(
            "    return 0 if",
            """    if 0 <= who < players:
        put(count, 0, game.actions_into(child_state, found, types.int64(capacity)))
    return 0 if""",
        ),
    ),
    "frontier": (
        {
            "state": _STATE,
            "actions": _OUT_INT64,
            "count": types.uint64,
            "player": types.int32,
            "low": types.float64,
            "high": types.float64,
            "child": _STATE,
            "values": _OUT_DOUBLE,
            "tried": _OUT_UINT64,
            "ends": _OUT_UINT64,
        },
        """
    n = types.int64(count)
    p = types.int64(player)
    s = load(state)
    i = over = 0
    while i < n:
        store(child, game.result(s, get(actions, i)))
        child_state = load(child)
        ended = game.is_terminal(child_state)
        value = types.float64(game.utility(child_state, p) if ended else estimate(game, child_state, p))
        put(values, i, value)
        over += 1 if ended else 0
        i += 1
        if value <= low or value >= high:
            break
    put(tried, 0, i)
    put(ends, 0, over)
    return 0
""",
    ),
    "info": ({"child": _STATE, "mover": _OUT_INT32, "utilities": _OUT_DOUBLE}, _AFTER),
    "chances": (
        {
            "state": _STATE,
            "found": _OUT_INT64,
            "probabilities": _OUT_DOUBLE,
            "capacity": types.uint64,
            "count": _OUT_UINT64,
        },
        """
    n = 0
    for a, probability in game.chances(load(state)):
        if n < types.int64(capacity):
            put(found, n, a)
            put(probabilities, n, probability)
        n += 1
    put(count, 0, n)
    return 0
""",
    ),
    "key": (
        {"state": _STATE, "key": _OUT_UINT64},
        """
    put(key, 0, hash_value(game.key(load(state))))
    return 0
""",
    ),
    "recurrence": (
        {"state": _STATE, "key": _OUT_UINT64},
        """
    put(key, 0, hash_value(game.recurrence(load(state))))
    return 0
""",
    ),
    "evaluate": (
        {"state": _STATE, "player": types.int32, "estimate": _OUT_DOUBLE},
        """
    put(estimate, 0, game.evaluate(load(state), types.int64(player)))
    return 0
""",
    ),
    "priorities": (
        {"state": _STATE, "actions": _OUT_INT64, "count": types.uint64, "priorities": _OUT_DOUBLE},
        """
    s = load(state)
    for i in range(types.int64(count)):
        put(priorities, i, game.priority(s, get(actions, i)))
    return 0
""",
    ),
    "noisy": (
        {"state": _STATE, "action": types.int64, "noisy": _OUT_INT32},
        """
    put(noisy, 0, bool(game.is_noisy(load(state), action)))
    return 0
""",
    ),
    "target": (
        {"state": _STATE, "action": types.int64, "target": _OUT_INT64},
        """
    put(target, 0, game.target(load(state), action))
    return 0
""",
    ),
    "pass_turn": (
        {"state": _STATE, "child": _STATE, "mover": _OUT_INT32, "utilities": _OUT_DOUBLE},
        "    store(child, game.pass_turn(load(state)))" + _AFTER,
    ),
    "view_key": (
        {"state": _STATE, "player": types.int32, "key": _OUT_UINT64},
        """
    put(key, 0, hash_value(game.rule_view(load(state), types.int64(player))))
    return 0
""",
    ),
    "irreversible": (
        {"state": _STATE, "action": types.int64, "irreversible": _OUT_INT32},
        """
    put(irreversible, 0, bool(game.is_irreversible(load(state), action)))
    return 0
""",
    ),
    "check": (
        {"state": _STATE, "check": _OUT_INT32},
        """
    put(check, 0, bool(game.is_check(load(state))))
    return 0
""",
    ),
    "exchange": (
        {"state": _STATE, "action": types.int64, "gain": _OUT_DOUBLE},
        """
    put(gain, 0, types.float64(game.exchange(load(state), action)))
    return 0
""",
    ),
}


class Export(NamedTuple):
    """A compiled C function; `library` must live as long as it is called."""

    symbol: str
    library: Any
    address: int


class SlotCompiler:
    """Compiles the slots of one game."""

    def __init__(self, the_game: Any, layout: Layout, game: Game, translator: Translator):
        self._translator = translator
        self._scope = {
            "the_game": the_game,
            "players": game.players,
            "types": types,
            "put": memory.put,
            "get": memory.get,
            "TERMINAL": TERMINAL,
            "BREACH": BREACH,
            "hash_value": hash_value,
            "load": self._loader(layout),
            "store": self._storer(layout),
            "estimate": self._estimator(game),
        }

    def compile(self, slot: str) -> Export:
        """The slot, ready to be called; Numba's own error if a rule that it needs cannot be compiled."""
        parameters, body = SLOTS[slot]
        names = ", ".join(parameters)
        source = f"def {slot}_inner({names}):\n    game = the_game()\n{body}"
        inner = njit(boundscheck=True)(self._translator.make(f"{slot}_inner", source, dict(self._scope)))
        inner.compile(tuple(parameters.values()))
        return self._export(f"zermelo_{slot}_{self._translator.tag}", inner.overloads[tuple(parameters.values())])

    def _export(self, symbol: str, inner: Any) -> Export:
        """A C function called `symbol` around `inner`, a compiled function that returns a status or raises.

        Numba's own `cfunc` is no use here: it prints exceptions and goes on, and costs one call more.
        """
        context = cpu_target.target_context
        library = context.codegen().create_library(symbol)
        module = library.create_ir_module(symbol)
        arguments = inner.signature.args
        c_types = [context.get_value_type(argument) for argument in (types.voidptr, *arguments)]
        function = llvm.Function(module, llvm.FunctionType(llvm.IntType(32), c_types), symbol)
        builder = llvm.IRBuilder(function.append_basic_block())
        callee = context.declare_function(module, inner.fndesc)
        returned = inner.signature.return_type
        status, value = context.call_conv.call_function(
            builder, callee, returned, arguments, function.args[1:], attrs=("alwaysinline",)
        )
        value = context.cast(builder, value, returned, types.int32)
        builder.ret(builder.select(status.is_error, context.get_constant(types.int32, RAISED), value))
        with global_compiler_lock:
            library.enable_object_caching()
            library.add_ir_module(module)
            library.add_linking_library(inner.library)
            library.finalize()
        return Export(symbol, library, library.get_pointer_to_function(symbol))

    def _estimator(self, game: Game) -> Any:
        """(game, state, player) → the estimate, or the neutral value in a game that has none."""
        expression = "float(game.evaluate(s, p))" if game.can("evaluate") else repr(float(game.neutral))
        return njit(self._translator.make("estimate", f"def estimate(game, s, p):\n    return {expression}\n", {}))

    def _loader(self, layout: Layout) -> Any:
        """base → the state there; its arrays are views of the state's bytes, which rules can't write to."""
        scope: dict[str, Any] = {}

        def expression(part: Layout) -> str:
            name = f"at_{part.offset}"
            if isinstance(part, Record):
                inner = ", ".join(expression(p) for p in part.parts)
                if not part.named:
                    return f"({inner},)" if part.parts else "()"
                scope[f"make_{len(scope)}"] = part.make
                return f"make_{len(scope) - 1}({inner})"
            scope[name] = memory.peek(part) if isinstance(part, Scalar) else memory.view(part, readonly=True)
            return f"{name}(base)"

        source = f"def load(base):\n    return {expression(layout)}\n"
        return njit(self._translator.make("load", source, scope))

    def _storer(self, layout: Layout) -> Any:
        """(base, state) → nothing; writes every byte of the state."""
        scope: dict[str, Any] = {}
        lines: list[str] = []

        def statements(part: Layout, value: str) -> None:
            if isinstance(part, Record):
                lines.append(f"check_{part.offset}_{len(lines)}({value})")
                scope[lines[-1].partition("(")[0]] = _width_check(part)
                for i, inner in enumerate(part.parts):
                    statements(inner, f"{value}[{i}]")
                return
            name = f"at_{part.offset}"
            scope[name] = memory.poke(part) if isinstance(part, Scalar) else self._array_storer(part)
            lines.append(f"{name}(base, {value})")

        statements(layout, "state")
        source = "def store(base, state):\n" + "".join(f"    {line}\n" for line in lines)
        return njit(self._translator.make("store", source, scope))

    def _array_storer(self, field: Array) -> Any:
        """(base, array) → nothing; converts and copies, refusing another shape."""
        scope = {
            "same": memory.same_layout(field),
            "clear_tail": memory.clear_tail(field),
            "copy_bytes": memory.copy_bytes(field),
            "view": memory.view(field, readonly=False),
            "ndenumerate": numpy.ndenumerate,
            "shape": field.shape,
        }
        check = f"""
        if array.shape != shape:
            raise ValueError("{field.path} has another shape than in the initial state")
        clear_tail(base)
"""
        # The tag stands in the names of the inner functions too, as these become symbols.
        name, tag = f"store_{field.offset}", self._translator.tag
        source = f"""
def {name}(base, array):
    pass

def declare(base, array):
    def copy_{tag}(base, array):
{check}        copy_bytes(base, array)
    def convert_{tag}(base, array):
{check}        target = view(base)
        for index, item in ndenumerate(array):
            target[index] = item
    return copy_{tag} if same(array) else convert_{tag}
"""
        function = self._translator.make(name, source, scope)
        overload(function)(scope["declare"])
        return function


def _width_check(part: Record) -> Any:
    def declare(typing_context: Any, value: Any) -> Any:  # noqa: ARG001
        if not isinstance(value, types.BaseTuple) or len(value) != len(part.parts):
            raise NumbaTypeError(
                f"{part.path} is a tuple of {len(part.parts)} in the initial state, but a rule stores {value}"
            )
        return types.void(value), lambda context, builder, signature, arguments: context.get_dummy_value()  # noqa: ARG005

    return intrinsic(declare)
