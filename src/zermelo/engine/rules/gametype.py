"""The game object in compiled code: `self.attribute` is a constant, `self.method(…)` a call; needs Numba to import.

There is one Numba type for each compiled game, and no value behind it: all that `self` means is known when the
rules are compiled. Two objects of one class with different attributes are of two types.
"""

from __future__ import annotations

import inspect
from enum import Enum
from types import FunctionType
from typing import Any

import numpy

from zermelo.engine.rules import memory
from zermelo.engine.rules.constants import Table
from zermelo.engine.rules.flat import EMIT, flatten
from zermelo.engine.rules.functions import Translator
from zermelo.engine.rules.numba_api import (
    Dispatcher,
    NumbaTypeError,
    intrinsic,
    models,
    njit,
    overload_attribute,
    overload_method,
    register_model,
    types,
)
from zermelo.engine.rules.reach import Reach, unwrap

_CONSTANTS = (int, float, tuple, type, Enum, numpy.ndarray, numpy.generic, Table, Dispatcher)
"""What an attribute may be; all else is refused by its name, which Numba would not mention."""


def declare_game(reach: Reach, translator: Translator) -> Any:
    """An intrinsic without arguments that gives compiled code its `self`."""

    class GameType(types.Type):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(name=f"{type(reach.game).__qualname__}_{translator.tag}")

    register_model(GameType)(models.OpaqueModel)
    for name, value in reach.constants.items():
        overload_attribute(GameType, name)(_constant(name, value, translator))
    for name, found in reach.methods.items():
        _declare_method(GameType, name, found, translator)
    _declare_method(GameType, "actions_into", _actions_into(reach, translator), translator, inline=True)
    if "view" in reach.methods:
        # Numba takes any call of a method `view` for NumPy's own.
        _declare_method(GameType, "rule_view", reach.methods["view"], translator)
    game_type = GameType()

    def declare(typing_context: Any) -> Any:  # noqa: ARG001
        return game_type(), lambda context, builder, signature, arguments: context.get_dummy_value()  # noqa: ARG005

    return intrinsic(declare)


def _actions_into(reach: Reach, translator: Translator) -> FunctionType:
    """The rule `actions` as one that writes into a buffer, as far as that reaches, and returns how many there are."""
    emit = njit(translator.make(EMIT, _EMIT, {"emit": memory.emit}))
    found = reach.methods["actions"]
    flat = flatten(found, emit) if isinstance(found, FunctionType) else None
    made: FunctionType = flat or translator.make("actions_into", _ACTIONS_INTO, {EMIT: emit})
    return made


_EMIT = f"""
def {EMIT}(found, capacity, count, action):
    return emit(found, capacity, count, action)
"""

_ACTIONS_INTO = f"""
def actions_into(self, s, found, capacity):
    count = 0
    for a in self.actions(s):
        count = {EMIT}(found, capacity, count, a)
    return count
"""


def _constant(name: str, value: Any, translator: Translator) -> Any:
    compiled = translator.value(value)

    def declare(self: Any) -> Any:  # noqa: ARG001
        if not isinstance(compiled, _CONSTANTS):
            raise NumbaTypeError(f"self.{name} is a {type(value).__name__}")
        return lambda self: compiled  # noqa: ARG005

    declare.__annotations__.clear()  # Numba wants the signatures of `declare` and of what it returns to be equal
    return declare


def _declare_method(game_type: Any, name: str, found: Any, translator: Translator, inline: bool = False) -> None:
    function = unwrap(found)
    assert function is not None
    compiled = translator.compile(function, inline)
    if isinstance(found, property):
        overload_attribute(game_type, name)(lambda self: lambda self: compiled(self))  # noqa: ARG005
        return
    if isinstance(found, classmethod):
        return
    parameters = list(inspect.signature(function).parameters.values())
    own = [] if isinstance(found, staticmethod) else parameters[:1]
    given = parameters[len(own) :]
    scope: dict[str, Any] = {"compiled": compiled}
    scope |= {f"default_{p.name}": p.default for p in given if p.default is not p.empty}
    wanted = ["self", *(p.name if p.default is p.empty else f"{p.name}=default_{p.name}" for p in given)]
    passed = ["self"] * len(own) + [p.name for p in given]
    heading, call = ", ".join(wanted), ", ".join(passed)
    source = f"def declare_{name}({heading}):\n    return lambda {heading}: compiled({call})\n"
    declare = translator.make(f"declare_{name}", source, scope)
    overload_method(game_type, name, jit_options={"forceinline": inline})(declare)
