"""Options that a user gives: declared once, checked in one place, refused with one clear line.

    SETTINGS = {"games": whole(1, 1000), "share": number(0, 1), "deepen": flag()}   a table of options
    check_options(SETTINGS, given, "mcts")             refuses unknown names and values that do not fit
    check_fields(self, SETTINGS)                       the same for the fields of a dataclass
    @takes(size=whole(2, 7), swap=flag())              the same for the parameters of a function or constructor

Options as text are `name=value,name=value`: for games, for players, for everything named on a command line.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from zermelo.errors import InputError, OptionError

P = ParamSpec("P")
R = TypeVar("R")

SHOWN_VALUE_CHARS = 80
OPEN_BOUND = 1e12
"""A greater bound is there for the machine, and not said."""
GREATEST_NUMBER = sys.float_info.max
"""What any number is at most."""


@dataclass(frozen=True, slots=True)
class Option:
    """What a value may be. `whole`, `number`, `flag`, `choice` and `text` make one."""

    types: tuple[type[Any], ...]
    described: str
    """What it is called in errors, as in "a whole number"."""
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    """Whether the value must be greater than `low`."""
    choices: tuple[Any, ...] = ()
    default: Any = None
    """What stands for a value that was not given; it is not checked."""
    optional: bool = False
    """Whether `None` is allowed."""
    about: str = ""

    def fits(self, value: Any) -> bool:
        """Whether `value` is allowed. A truth value is not a number, and neither is infinity."""
        if value is None:
            return self.optional
        if not isinstance(value, self.types) or (isinstance(value, bool) and bool not in self.types):
            return False
        if self.choices:
            return value in self.choices
        if isinstance(value, (bool, str)):
            return True
        inside = self.low < value <= self.high if self.above else self.low <= value <= self.high
        return bool(inside and abs(value) <= GREATEST_NUMBER)

    @property
    def wanted(self) -> str:
        """What a value must be, in words."""
        if self.choices:
            *first, last = (str(each) for each in self.choices)
            return f"{', '.join(first)} or {last}" if first else last
        if self.above:
            upto = f" and at most {_say(self.high)}" if self.high < OPEN_BOUND else ""
            return f"{self.described} above {_say(self.low)}{upto}"
        if self.high < OPEN_BOUND and self.low > -OPEN_BOUND:
            return f"{self.described} from {_say(self.low)} to {_say(self.high)}"
        return f"{self.described}, {_say(self.low)} or more" if self.low > -OPEN_BOUND else self.described

    def check(self, name: str, value: Any, owner: str = "") -> Any:
        """`value`, if it is allowed; else one line that says what is."""
        if not self.fits(value):
            where = f"{owner}: " if owner else ""
            raise OptionError(f"{where}{name} must be {self.wanted}, not {value!r:.{SHOWN_VALUE_CHARS}}")
        return value


def as_python(value: Any) -> Any:
    """A number or truth value of NumPy's as Python's; anything else as it is."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0 else value


def whole(
    low: float = -math.inf,
    high: float = math.inf,
    *,
    default: int | None = None,
    optional: bool = False,
    about: str = "",
) -> Option:
    """A whole number."""
    return Option((int,), "a whole number", low, high, default=default, optional=optional, about=about)


def number(
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    default: float | None = None,
    optional: bool = False,
    about: str = "",
    unit: str = "",
) -> Option:
    """A finite number, whole or not; greater than `low` if it must be `above` it."""
    described = f"a number of {unit}" if unit else "a number"
    return Option((int, float), described, low, high, above, default=default, optional=optional, about=about)


def flag(*, default: bool = False, optional: bool = False, about: str = "") -> Option:
    """Yes or no."""
    return Option((bool,), "yes or no", default=default, optional=optional, about=about)


def choice(*choices: Any, default: Any = None, optional: bool = False, about: str = "") -> Option:
    """One of a few words or numbers."""
    types = tuple({type(each) for each in choices})
    return Option(types, "", choices=choices, default=default, optional=optional, about=about)


def text(*, default: str | None = None, optional: bool = False, about: str = "") -> Option:
    return Option((str,), "a text", default=default, optional=optional, about=about)


def check_options(options: Mapping[str, Option], given: Mapping[str, Any], owner: str = "") -> dict[str, Any]:
    """`given`, with defaults for the rest of `options`; refuses unknown names and values that do not fit."""
    for name, value in given.items():
        if name not in options:
            raise OptionError(f"{owner or 'this'} has no option {name!r}; it takes: {', '.join(options) or 'none'}")
        options[name].check(name, value, owner)
    return {**{name: option.default for name, option in options.items()}, **given}


def check_fields(record: Any, options: Mapping[str, Option], owner: str = "") -> None:
    """Refuses `record` if one of its fields does not hold what `options` allows."""
    for name, option in options.items():
        option.check(name, getattr(record, name), owner)


def takes(**options: Option) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function or constructor that checks its parameters of these names before it does anything."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            given = signature.bind(*args, **kwargs).arguments
            for name, option in options.items():
                if name in given:
                    option.check(name, given[name])
            return function(*args, **kwargs)

        checked.options = options  # type: ignore[attr-defined]
        return checked

    return decorate


def declared_options(maker: Callable[..., Any]) -> dict[str, Option]:
    """What `takes` declared for `maker`, a class or a function."""
    function = maker.__init__ if inspect.isclass(maker) else maker
    return dict(getattr(function, "options", {}))


def _say(bound: float) -> str:
    return f"{int(bound):,}" if float(bound).is_integer() and abs(bound) < 1e15 else f"{bound:g}"


def take_option(written: str, name: str) -> tuple[str | None, str]:
    """The text of the option `name` in `written`, or `None`, and the other options."""
    options = _split(written)
    taken = options.pop(name, None)
    return taken, ",".join(f"{other}={value}" for other, value in options.items())


def read_options(written: str) -> dict[str, Any]:
    """`a=1,b=yes,c=3/4/5` as a record; commas inside brackets belong to the value."""
    return {name: _read_value(value) for name, value in _split(written).items()}


def _split(written: str) -> dict[str, str]:
    options = {}
    for part in re.split(r",(?![^(\[]*[)\]])", written):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        if not equals or not name.strip().isidentifier():
            raise OptionError(f"{part.strip()!r} is not an option; write NAME=VALUE, as in columns=8,rows=7")
        options[name.strip()] = value.strip()
    return options


def _read_value(written: str) -> Any:
    if written.lower() in ("true", "yes", "on", "false", "no", "off"):
        return written.lower() in ("true", "yes", "on")
    try:
        if re.fullmatch(r"-?\d+(/-?\d+)+", written):
            return tuple(int(part) for part in written.split("/"))
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return written
    return tuple(value) if isinstance(value, list) else value


def default_options(maker: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of `maker`, a class or a function, that have a default, each with it."""
    if inspect.isclass(maker) and maker.__init__ is object.__init__:
        return {}
    parameters = inspect.signature(maker).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not inspect.Parameter.empty}


def write_options(options: Mapping[str, Any]) -> str:
    """`a=1,b=yes,c=3/4/5`, from which `read_options` makes the record again."""
    return ",".join(f"{name}={_write_value(value)}" for name, value in options.items())


def _write_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)


def call_with_options(maker: Callable[..., Any], options: str, name: str = "") -> Any:
    """`maker`, a class or a function, called with `options`, each checked against its parameters first."""
    name = name or maker.__name__
    texts = _split(options)
    arguments = {option: _read_value(value) for option, value in texts.items()}
    plain = inspect.isclass(maker) and maker.__init__ is object.__init__
    parameters = {} if plain else inspect.signature(maker).parameters
    for option, value in arguments.items():
        if option not in parameters:
            takes = ", ".join(parameters) or "none"
            raise OptionError(f"{name} has no option {option!r}; it takes: {takes}")
        default = parameters[option].default
        if isinstance(default, str) and not isinstance(value, str):  # what looks like a number is a text here
            arguments[option] = value = texts[option]
        if isinstance(default, tuple) and not isinstance(value, tuple):
            arguments[option] = value = (value,)
        if default not in (None, inspect.Parameter.empty) and not _fits(value, default):
            raise OptionError(f"{name}: {option} must be like {default!r}, not {value!r:.100}")
    try:
        return maker(**arguments)
    except InputError:
        raise
    except Exception as error:
        raise OptionError(f"{name}({options}) cannot be made: {type(error).__name__}: {error}") from error


def _fits(value: Any, default: Any) -> bool:
    """Whether `value` is of the type of `default`; in a tuple of numbers any number fits."""
    if isinstance(default, tuple) and default and isinstance(default[0], (int, float)):
        return isinstance(value, tuple) and all(_fits(each, 0.0) for each in value)
    same = isinstance(value, type(default)) and isinstance(value, bool) == isinstance(default, bool)
    return same or (type(default) is float and type(value) is int)
