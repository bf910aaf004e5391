"""The game object in compiled code: `self.attribute` is a constant, `self.method(…)` a call; needs Numba to import.

There is one Numba type for each compiled game, and no value behind it: everything about `self` is known when
the rules are compiled. Two objects of one class with different attributes are of two types.
"""

from __future__ import annotations

import inspect
import itertools
from enum import Enum
from types import FunctionType
from typing import Any

import numpy

from zermelo.engine.rules import memory
from zermelo.engine.rules.constants import Table
from zermelo.engine.rules.flat import EMIT, flatten
from zermelo.engine.rules.functions import Translator
from zermelo.engine.rules.layout import has_own_operators
from zermelo.engine.rules.numba_api import (
    AttributeTemplate,
    Dispatcher,
    NumbaTypeError,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    types,
)
from zermelo.engine.rules.reach import Reach, unwrap
from zermelo.engine.rules.target import intrinsic_of_game

LISTED = {"actions": "s", "inputs": "s, p", "owners": "s"}
"""The rules that list numbers, with their arguments."""
_WRITING = {f"{name}_into": name for name in LISTED}
"""What becomes of them."""
_CONSTANTS = (int, float, tuple, type, Enum, numpy.ndarray, numpy.generic, Table, Dispatcher)
"""The types that an attribute may have; others are refused by name, which Numba would not mention."""


_numbers = itertools.count()


class GameType(types.Type):  # type: ignore[misc]
    """The type of `self`."""

    def __init__(self, reach: Reach, translator: Translator):
        # Numba treats types with equal names as one type, so every name must be new.
        super().__init__(name=f"{type(reach.game).__qualname__}_{translator.tag}_{next(_numbers)}")
        self._reach = reach
        self._translator = translator
        self._methods = {name: found for name, found in reach.methods.items() if not isinstance(found, classmethod)}
        self._methods |= {writing: _into(name, reach, translator) for writing, name in _WRITING.items()}
        if "view" in reach.methods:
            self._methods["rule_view"] = reach.methods["view"]  # Numba treats any call of `view` as NumPy's

    def resolve(self, context: Any, name: str) -> Any:
        """The type of `self.name`; `None` if the rules do not reach it."""
        found = self._methods.get(name)
        if isinstance(found, property):
            return self.getter(context, name).return_type
        if found is not None:
            return RuleMethod(self, name)
        if name in self._reach.constants:
            return context.resolve_value_type(self.constant(name))
        return None

    def constant(self, name: str) -> Any:
        """The value of an attribute as compiled code sees it."""
        value = self._reach.constants[name]
        if has_own_operators(value):
            raise NumbaTypeError(f"self.{name} is a {type(value).__name__}")
        compiled = self._translator.value(value)
        if not isinstance(compiled, _CONSTANTS):
            raise NumbaTypeError(f"self.{name} is a {type(value).__name__}")
        return compiled

    def is_constant(self, name: str) -> bool:
        return name not in self._methods

    def has_constant(self, name: str) -> bool:
        return self.is_constant(name) and name in self._reach.constants

    def written(self, name: str) -> Any:
        """The value of an attribute as its author wrote it; `None` if the rules reach none of this name."""
        return self._reach.constants.get(name)

    def has_method(self, name: str) -> bool:
        """Whether the rules reach a method or property of this name."""
        return name in self._methods

    def is_static(self, name: str) -> bool:
        return isinstance(self._methods[name], staticmethod)

    def dispatcher(self, name: str) -> Any:
        """The compiled function behind a method or property."""
        function = unwrap(self._methods[name])
        assert function is not None
        return types.Dispatcher(self._translator.compile(function, inline=name in _WRITING))

    def getter(self, context: Any, name: str) -> Any:
        """The signature of a property's function."""
        return self.dispatcher(name).get_call_type(context, (self,), {})


class RuleMethod(types.Callable):  # type: ignore[misc]
    """The type of `self.method`."""

    def __init__(self, game: GameType, name: str):
        self.game = game
        self.method = name
        super().__init__(f"{game.name}.{name}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        dispatcher = self.game.dispatcher(self.method)
        if self.game.is_static(self.method):
            return dispatcher.get_call_type(context, args, kws)
        whole = dispatcher.get_call_type(context, (self.game, *args), kws)
        if whole is None:
            return None
        parameters = list(whole.pysig.parameters.values())[1:]
        signature = whole.return_type(*whole.args[1:])
        return signature.replace(recvr=self.game, pysig=inspect.Signature(parameters))

    def get_call_signatures(self) -> Any:
        return self.game.dispatcher(self.method).get_call_signatures()

    def get_impl_key(self, sig: Any) -> Any:
        return self.game.dispatcher(self.method).get_impl_key(sig)


register_model(GameType)(models.OpaqueModel)
register_model(RuleMethod)(models.OpaqueModel)


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    key = GameType

    def generic_resolve(self, game: GameType, name: str) -> Any:
        return game.resolve(self.context, name)


def _get_attribute(context: Any, builder: Any, game: GameType, value: Any, name: str) -> Any:
    if game.is_constant(name):
        constant = game.constant(name)
        return context.get_constant_generic(builder, context.typing_context.resolve_value_type(constant), constant)
    if isinstance(game.resolve(context.typing_context, name), RuleMethod):
        return context.get_dummy_value()
    signature = game.getter(context.typing_context, name)
    return context.get_function(game.dispatcher(name), signature)(builder, (value,))


lower_getattr_generic(GameType)(_get_attribute)


def declare_game(reach: Reach, translator: Translator) -> Any:
    """An intrinsic without arguments that gives compiled code its `self`."""
    game_type = GameType(reach, translator)

    def declare(typing_context: Any) -> Any:  # noqa: ARG001
        return game_type(), lambda context, builder, signature, arguments: context.get_dummy_value()  # noqa: ARG005

    return intrinsic_of_game(declare)


def _into(name: str, reach: Reach, translator: Translator) -> FunctionType:
    """The rule called `name` as one that writes what it lists into a buffer, as far as there is room; returns how many
    there are."""
    found = reach.methods.get(name)
    flat = flatten(found, memory.emit) if isinstance(found, FunctionType) else None
    source = _INTO.format(name=name, arguments=LISTED[name])
    made: FunctionType = flat or translator.make(f"{name}_into", source, {EMIT: memory.emit})
    return made


_INTO = f"""
def {{name}}_into(self, {{arguments}}, found, capacity):
    count = 0
    for each in self.{{name}}({{arguments}}):
        count = {EMIT}(found, capacity, count, each)
    return count
"""
