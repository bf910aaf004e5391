"""The source of rules as syntax trees, and back to code."""

from __future__ import annotations

import ast
import inspect
import textwrap
from types import CodeType, FunctionType
from typing import Any


def source_of(function: FunctionType) -> tuple[ast.Module, ast.FunctionDef] | None:
    """The syntax tree of `function`, if its source is available and unchanged."""
    if function.__closure__:
        return None
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return None
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or definition.decorator_list:
        return None
    if definition.name != function.__name__:  # the file has changed
        return None
    ast.increment_lineno(tree, first - 1)
    if _content(code_of(tree, function)) != _content(function.__code__):  # the file has changed since it was imported
        return None
    return tree, definition


def code_of(tree: ast.Module, function: FunctionType) -> CodeType:
    """The code of the one function that `tree` defines; annotations are never evaluated."""
    future = function.__code__.co_flags & FUTURES
    module = compile(tree, function.__code__.co_filename, "exec", flags=future, dont_inherit=True)
    return next(each for each in module.co_consts if isinstance(each, CodeType) and each.co_name == function.__name__)


def _content(code: CodeType) -> tuple[Any, ...]:
    inner = tuple(_content(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.co_code, inner, code.co_names, code.co_varnames


FUTURES = 0x1000000
"""`from __future__ import annotations`, as a flag of the compiler."""
