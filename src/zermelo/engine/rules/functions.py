"""Compiles plain Python functions, with what they use from their modules; needs Numba to import."""

from __future__ import annotations

import inspect
import linecache
import math
from types import BuiltinFunctionType, FunctionType
from typing import Any, cast

from zermelo.engine.rules import tables as tables  # registers `Table` with Numba
from zermelo.engine.rules.builtin import BUILTINS, MATH, STRICT_BUILTINS, STRICT_WORD_BUILTINS, WORD_BUILTINS
from zermelo.engine.rules.constants import compiled_form
from zermelo.engine.rules.flat import DEEPER, DEPTH, guard_recursion
from zermelo.engine.rules.numba_api import Dispatcher, njit
from zermelo.engine.rules.operators import pipeline
from zermelo.engine.rules.plain import REPLACE, write_plainly
from zermelo.engine.rules.reach import Numbers, names_in
from zermelo.engine.rules.tuples import TUPLES, replacer
from zermelo.engine.rules.unary import unliteral
from zermelo.engine.rules.words import to_word
from zermelo.game.contract import U64

BEGIN = "zermelo_begin"


class Translator:
    """Compiles functions for one game. `tag` becomes part of every symbol's name, so that object code kept from
    different games, or from different days of one game, can be loaded into one process."""

    def __init__(self, tag: str, numbers: Numbers):
        self.tag = tag
        self._pipeline = pipeline(numbers)
        plain = STRICT_BUILTINS if numbers.numpy else BUILTINS
        of_words = STRICT_WORD_BUILTINS if numbers.numpy else WORD_BUILTINS
        self._builtins = TUPLES | (of_words if numbers.words else plain)
        self._done: dict[FunctionType, Any] = {}
        self._files: list[str] = []

    def compile(self, function: FunctionType, inline: bool = False) -> Any:
        """`function` as Numba's dispatcher, compiled when first called with some types; `inline`, into its callers."""
        if function not in self._done:
            guarded = guard_recursion(function)
            if guarded is None:
                self._copy(function, write_plainly(function) or function, inline)
            else:
                self._copy(function, self._begin(function, self._copy(guarded, guarded, inline)), inline)
        return self._done[function]

    def _copy(self, key: FunctionType, function: FunctionType, inline: bool) -> Any:
        """`function` compiled, with the compiled forms of what it uses from its module."""
        scope = {"__name__": function.__module__, "__builtins__": __builtins__}
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, self._cells(function))
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__qualname__}_{self.tag}"
        self._done[key] = scope[DEEPER] = self.jit(copy, inline)
        # Only now, as a helper may call itself.
        for name in names_in(function.__code__):
            if name in function.__globals__:
                scope[name] = self.value(function.__globals__[name])
            elif name in self._builtins:
                scope[name] = self._builtins[name]
            elif name.startswith(REPLACE):
                scope[name] = replacer(name)
        return self._done[key]

    def _begin(self, function: FunctionType, deeper: Any) -> FunctionType:
        """The function that calls `deeper`, a recursion that counts how deep it is, for the first time."""
        parameters = list(inspect.signature(function).parameters.values())
        scope: dict[str, Any] = {BEGIN: deeper, "unliteral": unliteral}
        scope |= {f"default_{p.name}": p.default for p in parameters if p.default is not p.empty}
        wanted = ", ".join(p.name if p.default is p.empty else f"{p.name}=default_{p.name}" for p in parameters)
        given = ", ".join([*(f"unliteral({p.name})" for p in parameters), f"{DEPTH}=unliteral(0)"])
        name = function.__name__
        return cast(FunctionType, self.make(name, f"def {name}({wanted}):\n    return {BEGIN}({given})\n", scope))

    def jit(self, function: FunctionType, inline: bool = False) -> Any:
        """Numba's dispatcher for `function`, with bounds checked and operators exact."""
        return njit(boundscheck=True, forceinline=inline, pipeline_class=self._pipeline, no_cpython_wrapper=True)(
            function
        )

    def value(self, value: Any) -> Any:
        """A global or attribute that the rules use, as compiled code sees it."""
        if value is U64:
            return to_word
        if isinstance(value, FunctionType):
            return self.compile(value)
        if isinstance(value, BuiltinFunctionType):
            return next((own for name, own in MATH.items() if getattr(math, name) is value), value)
        if isinstance(value, Dispatcher):  # compiled by its author for Numba's own target, which is another
            return self.compile(value.py_func)
        return compiled_form(value)

    def make(self, name: str, source: str, scope: dict[str, Any]) -> Any:
        """A function written here, for this game's layout or signature, as a plain Python function."""
        filename = f"<zermelo {name} {self.tag}>"
        self._files.append(filename)
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        exec(compile(source, filename, "exec"), scope)
        function = scope[name]
        function.__qualname__ = f"{name}_{self.tag}"
        function.__module__ = "zermelo.engine"
        return function

    def forget(self) -> None:
        """Releases what was compiled: Numba keeps it for as long as its functions live."""
        for dispatcher in self._done.values():
            dispatcher.overloads.clear()
        self._done.clear()
        for filename in self._files:
            linecache.cache.pop(filename, None)

    def _cells(self, function: FunctionType) -> Any:
        if not function.__closure__:
            return None
        nonlocals = inspect.getclosurevars(function).nonlocals
        make_cell = type(function.__closure__[0])
        return tuple(make_cell(self.value(nonlocals[name])) for name in function.__code__.co_freevars)
