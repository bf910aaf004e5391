"""Options as text, `name=value,name=value`: for games, for players, for whatever is named on a command line."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from zermelo.errors import InputError, OptionError


def read_options(text: str) -> dict[str, Any]:
    """`a=1,b=yes,c=3/4/5` as a record; commas inside brackets belong to the value."""
    return {name: _read_value(value) for name, value in _split(text).items()}


def _split(text: str) -> dict[str, str]:
    options = {}
    for part in re.split(r",(?![^(\[]*[)\]])", text):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        if not equals or not name.strip().isidentifier():
            raise OptionError(f"{part.strip()!r} is not an option; write NAME=VALUE, as in columns=8,rows=7")
        options[name.strip()] = value.strip()
    return options


def _read_value(text: str) -> Any:
    if text.lower() in ("true", "yes", "on", "false", "no", "off"):
        return text.lower() in ("true", "yes", "on")
    try:
        if re.fullmatch(r"-?\d+(/-?\d+)+", text):
            return tuple(int(part) for part in text.split("/"))
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return tuple(value) if isinstance(value, list) else value


def default_options(maker: Callable[..., Any]) -> dict[str, Any]:
    """What `maker`, a class or a function, may be told, each with what it is if nobody says otherwise."""
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
    """Whether `value` is of the kind of `default`, a tuple holding numbers if that does; their kind is not told."""
    if isinstance(default, tuple) and default and isinstance(default[0], (int, float)):
        return isinstance(value, tuple) and all(_fits(each, 0.0) for each in value)
    same = isinstance(value, type(default)) and isinstance(value, bool) == isinstance(default, bool)
    return same or (type(default) is float and type(value) is int)
