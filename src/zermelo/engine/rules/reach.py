"""What the rules of a game reach: methods, helper functions and constants, found in their bytecode.

A name that a rule mentions counts as reached even where it means something else (a state's field of the same
name), so the result may include too much, never too little. It decides what is compiled and when cached code may be
used again.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple

from zermelo.engine.rules.content import content, is_array

_MISSING = object()


class Numbers(NamedTuple):
    """Which numbers take part in the rules of a game, beside Python's own of 64 bits with a sign."""

    words: bool
    """Numbers of 64 bits without a sign."""
    numpy: bool
    """NumPy's."""
    numpy_words: bool
    """NumPy's of 64 bits without a sign."""
    mixed: bool
    """These and NumPy's with a sign, of which it makes floats where they meet."""


class Reach:
    """The functions and values that `roots`, methods of `game`, can reach."""

    def __init__(self, game: Any, roots: Iterable[str]):
        self.game = game
        self.methods: dict[str, Any] = {}
        """Functions, static methods and properties that are reached as `self.name`, as found in the class."""
        self.constants: dict[str, Any] = {}
        """Values that are reached as `self.name`."""
        self.cacheable = True
        """Whether every value reached can be hashed by its content, so that another process can recognise it."""
        self.words = False
        """Whether a number is reached that needs 64 bits without a sign."""
        self.numpy = False
        """Whether NumPy's numbers may take part in the rules."""
        self.dtypes: set[str] = set()
        """The types of NumPy's numbers that are reached."""
        self._watched: dict[tuple[int, str], tuple[str, Callable[[], Any], object]] = {}
        """What the rules find under a name, by its holder and the name: how to call it, how it is found, and what its
        content was."""
        self._digest = hashlib.sha256()
        self._seen: set[int] = set()
        self._looked_into: set[tuple[Any, ...]] = set()
        for name in roots:
            self._attribute(name)

    def fingerprint(self, *facts: Any) -> str:
        """64 hexadecimal digits that change when anything reached, or one of `facts`, does."""
        digest = self._digest.copy()
        digest.update(repr(facts).encode())
        return digest.hexdigest()

    def changed(self) -> str:
        """The name of a method, function or global that is no longer what it was; empty if there is none."""
        return next((name for name, find, was in self._watched.values() if content(find()) != was), "")

    def _watch(self, holder: object, place: str, find: Callable[[], Any], name: str = "") -> None:
        if (id(holder), place) not in self._watched:
            self._watched[id(holder), place] = (name or place, find, content(find()))

    def _attribute(self, name: str) -> None:
        if name in self.methods or name in self.constants:
            return
        found = inspect.getattr_static(self.game, name, _MISSING)
        if found is _MISSING:
            return
        self._note("attribute", name)
        function = None if name in getattr(self.game, "__dict__", ()) else unwrap(found)
        if function is not None:
            self.methods[name] = found
            self._note(type(found).__name__)
            self._function(function)
        else:
            self.constants[name] = getattr(self.game, name)
            self._value(self.constants[name])
        self._watch(self.game, name, functools.partial(_held, self.game, name))

    def _function(self, function: FunctionType) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        self._note("function", function.__qualname__)
        for place in ("__code__", "__defaults__"):
            self._watch(function, place, functools.partial(getattr, function, place), function.__name__)
        self._watch(function, "__kwdefaults__", lambda: tuple(_keywords(function)), function.__name__)
        self._code(function.__code__)
        self._value(function.__defaults__ or ())
        self._value(_keywords(function))
        captured = inspect.getclosurevars(function) if function.__code__.co_freevars else None
        names = sorted(set(names_in(function.__code__)))
        for name in names:
            self._attribute(name)
            value = function.__globals__.get(name, _MISSING)
            if value is not _MISSING:
                self._note("global", name)
                self._watch(function.__globals__, name, functools.partial(function.__globals__.get, name))
                self._value(value)
                self._members(value, names)
        for name, value in sorted((captured.nonlocals if captured else {}).items()):
            self._note("nonlocal", name)
            self._watch(function, name, functools.partial(_captured, function, name))
            self._value(value)
            self._members(value, names)

    def _members(self, holder: Any, names: list[str]) -> None:
        """Records what `names` mean in a module or class of the author, recursively."""
        if (
            not isinstance(holder, (ModuleType, type))
            or _is_foreign(holder)
            or (id(holder), *names) in self._looked_into
        ):
            return
        self._looked_into.add((id(holder), *names))
        for name in names:
            value = inspect.getattr_static(holder, name, _MISSING)
            if value is not _MISSING and unwrap(value) is None:
                self._note("member", name)
                self._watch(holder, name, functools.partial(inspect.getattr_static, holder, name, _MISSING))
                self._value(value)
                self._members(value, names)
            elif isinstance(value, FunctionType) and isinstance(holder, ModuleType):
                self._note("member", name)
                self._watch(holder, name, functools.partial(getattr, holder, name, None))
                self._function(value)

    def _code(self, code: CodeType) -> None:
        self._note(code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, code.co_flags)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant)
            else:
                self._value(constant)

    def _value(self, value: Any) -> None:
        """Records the content of `value`, or that its content cannot be hashed."""
        self.words |= (isinstance(value, int) and value >= 1 << 63) or str(getattr(value, "dtype", "")) == "uint64"
        named = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
        if type(value).__module__ == "numpy" and is_array(value):
            self.dtypes.add(str(value.dtype))
        self.numpy |= hasattr(value, "dtype") or str(named).partition(".")[0] == "numpy"
        if isinstance(value, Enum):
            self._note("member of an enumeration", type(value).__qualname__, value.name)
            self._value(value.value)
        elif isinstance(value, (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range)):
            self._note(type(value).__name__, value)
        elif isinstance(value, (tuple, list)):
            self._note(type(value).__qualname__, len(value), *getattr(value, "_fields", ()))
            for item in value:
                self._value(item)
        elif isinstance(value, (set, frozenset, dict)):
            items = sorted(value.items() if isinstance(value, dict) else value, key=repr)
            self._note(type(value).__name__)
            self._value(items)
        elif isinstance(value, FunctionType):
            self._function(value)
        elif isinstance(getattr(value, "py_func", None), FunctionType):
            self._note("compiled by its author")
            self._function(value.py_func)
        elif is_array(value):
            self._note("array", str(value.dtype), value.shape, value.tobytes().hex())
        elif isinstance(value, ModuleType):
            self._note("module", value.__name__)
        elif isinstance(value, (type, BuiltinFunctionType)):
            self._note("class", value.__module__, value.__qualname__)
            self._note(*(getattr(value, "_fields", ())))
            if isinstance(value, type) and issubclass(value, Enum):
                self._value([(name, member.value) for name, member in value.__members__.items()])
        elif _is_global(value):
            self._note("named", value.__module__, value.__name__)
        else:
            self.cacheable = False
            self._note("unknown", id(value))

    def _note(self, *facts: Any) -> None:
        self._digest.update(repr(facts).encode() + b"\n")


def _held(game: Any, name: str) -> Any:
    """What `game` has under `name`: a method as it stands in the class, a value that is kept in a slot as itself."""
    found = inspect.getattr_static(game, name, _MISSING)
    return getattr(game, name, _MISSING) if isinstance(found, MemberDescriptorType) else found


def _keywords(function: FunctionType) -> list[tuple[str, Any]]:
    """The defaults of a function's keyword-only arguments."""
    return sorted((function.__kwdefaults__ or {}).items())


def _captured(function: FunctionType, name: str) -> Any:
    """What a variable of an enclosing function holds; `None` if it holds nothing yet."""
    cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _is_foreign(holder: ModuleType | type) -> bool:
    """Whether a module or class belongs to Python or NumPy, whose versions are part of the cache key."""
    name = holder.__name__ if isinstance(holder, ModuleType) else holder.__module__
    top = name.partition(".")[0]
    return (top in sys.stdlib_module_names and top != "__main__") or top in ("numpy", "numba")


def _is_global(value: Any) -> bool:
    """Whether a module holds `value` under its own name, so that the name identifies it."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    return getattr(module, getattr(value, "__name__", None) or "", None) is value


def unwrap(found: Any) -> FunctionType | None:
    """The function behind a method, a static method or a property; `None` for anything else."""
    if isinstance(found, FunctionType):
        return found
    if isinstance(found, (staticmethod, classmethod)) and isinstance(found.__func__, FunctionType):
        return found.__func__
    if isinstance(found, property) and isinstance(found.fget, FunctionType):
        return found.fget
    return None


def names_in(code: CodeType) -> Iterator[str]:
    """Every global and attribute that the code mentions, nested functions included."""
    for each in codes_in(code):
        yield from each.co_names


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """The code itself, and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)
