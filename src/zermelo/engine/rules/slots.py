"""The functions that fill a game's table, as Python for Numba to compile; needs Numba to import.

Each slot is a pair: an inner function over the game's rules, which may raise, and a C function around it that returns a
status. Names, parameters and kinds of answers are those of `native/core/slots.def`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from zermelo.engine.core import _core
from zermelo.engine.rules import memory
from zermelo.engine.rules.compiler import SLOTS
from zermelo.engine.rules.functions import Translator
from zermelo.engine.rules.keys import hash_value
from zermelo.engine.rules.layout import Array, Layout, Record, Scalar
from zermelo.engine.rules.numba_api import (
    NumbaTypeError,
    cpu_target,
    llvm,
    njit,
    types,
)
from zermelo.engine.rules.objects import symbol_of
from zermelo.engine.rules.target import overload_of_game
from zermelo.game.contract import Game

_C_TYPES = {
    "void*": types.voidptr,
    "int64_t": types.int64,
    "uint64_t": types.uint64,
    "int32_t": types.int32,
    "double": types.float64,
    "int64_t*": types.CPointer(types.int64),
    "uint64_t*": types.CPointer(types.uint64),
    "int32_t*": types.CPointer(types.int32),
    "double*": types.CPointer(types.float64),
}

_ANSWERS = {
    "FLAG": "bool({})",
    "INTEGER": "{}",
    "NUMBER": "types.float64({})",
    "FINITE": "types.float64({})",
    "KEY": "hash_value({})",
}
"""How an answer becomes a number, by its kind."""

_ARGUMENTS = {"POSITION": "", "ACTION": ", action", "PLAYER": ", types.int64(player)"}

_POSITION = """
    after = load({state})
    if game.is_terminal(after):
        for p in range(players):
            put(utilities, p, game.utility(after, p))
        put(mover, 0, TERMINAL)
        return 0
    who = game.player(after)
    put(mover, 0, who)
    return 0 if -1 <= who < players else BREACH
"""

_STEP = "    store(child, game.result(load(state), action))" + _POSITION.format(state="child")

# name → body, over the parameters of the slot's C function; it returns a status. Those of questions are generated.
_BODIES = {
    "actions": """
    put(count, 0, game.actions_into(load(state), actions, types.int64(capacity)))
    return 0
""",
    "step": _STEP,
    "enter": _STEP.replace(
        "    return 0 if",
        """    if 0 <= who < players:
        put(count, 0, game.actions_into(after, actions, types.int64(capacity)))
    return 0 if""",
    ),
    "frontier": """
    n = types.int64(count)
    p = types.int64(player)
    s = load(state)
    i = over = 0
    while i < n:
        store(child, game.result(s, get(actions, i)))
        after = load(child)
        ended = game.is_terminal(after)
        value = types.float64(game.utility(after, p) if ended else estimate(game, after, p))
        put(values, i, value)
        over += 1 if ended else 0
        i += 1
        if value <= low or value >= high:
            break
    put(tried, 0, i)
    put(ends, 0, over)
    return 0
""",
    "info": _POSITION.format(state="state"),
    "chances": """
    n = 0
    for a, probability in game.chances(load(state)):
        if n < types.int64(capacity):
            put(actions, n, a)
            put(probabilities, n, probability)
        n += 1
    put(count, 0, n)
    return 0
""",
    "inputs": """
    put(count, 0, game.inputs_into(load(state), types.int64(player), inputs, types.int64(capacity)))
    return 0
""",
    "owners": """
    put(count, 0, game.owners_into(load(state), owners, types.int64(capacity)))
    return 0
""",
    "priorities": """
    s = load(state)
    for i in range(types.int64(count)):
        put(priorities, i, game.priority(s, get(actions, i)))
    return 0
""",
    "symmetric": """
    store(image, game.symmetric(load(state), types.int64(symmetry)))
    return 0
""",
    "symmetric_action": """
    put(image, 0, game.symmetric_action(action, types.int64(symmetry)))
    return 0
""",
    "slice_size": """
    put(size, 0, game.slice_size(slice))
    return 0
""",
    "team": """
    put(team, 0, game.team(types.int64(player)))
    return 0
""",
    "unrank": """
    store(state, game.unrank(slice, index))
    return 0
""",
    "pass_turn": "    store(child, game.pass_turn(load(state)))" + _POSITION.format(state="child"),
}


def _parameters(slot: str) -> dict[str, Any]:
    """The parameters of a slot's C function after the context, with their Numba types."""
    parts = [part.rpartition(" ") for part in SLOTS[slot].parameters.strip("()").split(", ")[1:]]
    return {name: _C_TYPES[c_type.removeprefix("const ")] for c_type, _, name in parts}


def _body(slot: str) -> str:
    entry = SLOTS[slot]
    if not entry.kind:
        return _BODIES[slot]
    method = "rule_view" if entry.method == "view" else entry.method
    answer = _ANSWERS[entry.kind].format(f"game.{method}(load(state){_ARGUMENTS[entry.about]})")
    return f"    put(answer, 0, {answer})\n    return 0\n"


class Export(NamedTuple):
    """A C function that is not linked yet: its module, and the library that it calls."""

    symbol: str
    module: Any
    library: Any


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
            "TERMINAL": _core.TERMINAL,
            "BREACH": _core.BREACH,
            "hash_value": hash_value,
            "load": self._loader(layout),
            "store": self._storer(layout),
            "estimate": self._estimator(game),
        }

    def compile(self, slot: str) -> Export:
        """The slot, to be linked; Numba's own error if a rule that it needs cannot be compiled."""
        return self.function(slot, _parameters(slot), _body(slot))

    def function(self, name: str, parameters: dict[str, Any], body: str, **names: Any) -> Export:
        """A C function over the game, of which `body` is the Python; `names` are what it uses beside the slots' own."""
        source = f"def {name}_inner({', '.join(parameters)}):\n    game = the_game()\n{body}"
        inner = njit(boundscheck=True)(self._translator.make(f"{name}_inner", source, self._scope | names))
        inner.compile(tuple(parameters.values()))
        return self._export(symbol_of(name, self._translator.tag), inner.overloads[tuple(parameters.values())])

    def _export(self, symbol: str, inner: Any) -> Export:
        """A C function called `symbol` around `inner`, a compiled function that returns a status or raises.

        Numba's own `cfunc` is no use here: it prints exceptions and goes on, and costs one call more.
        """
        context = cpu_target.target_context
        module = context.create_module(symbol)
        arguments = inner.signature.args
        c_types = [context.get_value_type(argument) for argument in (types.voidptr, *arguments)]
        function = llvm.Function(module, llvm.FunctionType(llvm.IntType(32), c_types), symbol)
        builder = llvm.IRBuilder(function.append_basic_block())
        callee = context.declare_function(module, inner.fndesc)
        returned = inner.signature.return_type
        status, value = context.call_conv.call_function(
            builder, callee, returned, arguments, function.args[1:], attrs=("alwaysinline",)
        )
        value = value if value.type.width == 32 else builder.trunc(value, llvm.IntType(32))
        builder.ret(builder.select(status.is_error, context.get_constant(types.int32, _core.RAISED), value))
        return Export(symbol, module, inner.library)

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
                name = f"check_{part.offset}_{len(lines)}"
                lines.append(f"{name}({value})")
                scope[name] = self._width_check(name, part)
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
        """(base, array) → nothing; converts and copies, refuses another shape."""
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
        overload_of_game(function, scope["declare"])
        return function

    def _width_check(self, name: str, part: Record) -> Any:
        """(value) → nothing; refuses what is not as long as the tuple in the initial state, or of another class."""
        width, wrong = len(part.parts), f"{part.path} must be a tuple of {len(part.parts)}, as in the initial state"

        def declare(value):  # type: ignore[no-untyped-def]
            if isinstance(value, types.List) and not part.named:
                return check
            if not isinstance(value, types.BaseTuple) or len(value) != width:
                raise NumbaTypeError(
                    f"{part.path} is a tuple of {width} in the initial state, but a rule stores {value}"
                )
            if part.named and getattr(value, "instance_class", tuple) is not part.make:
                stored = f"a {value.instance_class.__name__}" if hasattr(value, "instance_class") else "a plain tuple"
                raise NumbaTypeError(
                    f"{part.path} is a {part.make.__name__} in the initial state, but a rule stores {stored} there"
                )
            return lambda value: None  # noqa: ARG005

        scope: dict[str, Any] = {"width": width, "wrong": wrong}
        source = f"def {name}(value):\n    if len(value) != width:\n        raise ValueError(wrong)\n"
        check = self._translator.make(name, source, scope)
        function = self._translator.make(name, f"def {name}(value):\n    pass\n", {})
        overload_of_game(function, declare)
        return function
