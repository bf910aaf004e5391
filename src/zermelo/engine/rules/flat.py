"""Rules rewritten before they are compiled: `actions` without its generator, and recursion with a count of its depth.

`actions` becomes a function that writes what it would yield:

    def actions(self, s):                 def actions_flat(self, s, found, capacity):
        for n in (1, 2, 3):                   count = 0
            if n <= s.stones:                 for n in (1, 2, 3):
                yield n                           if n <= s.stones:
                                                      count = emit(found, capacity, count, n)
                                              return count

A compiled generator keeps its variables in memory and jumps at every `yield`, which for short lists takes longer than
the rule itself; the flat form is one plain loop for LLVM.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from types import CodeType, FunctionType
from typing import Any

DEPTH, DEEPER = "zermelo_depth", "zermelo_deeper"
FOUND, CAPACITY, COUNT, EMIT = "zermelo_found", "zermelo_capacity", "zermelo_count", "zermelo_emit"


def flatten(function: FunctionType, emit: Any) -> FunctionType | None:
    """`function(self, s)`, a generator, in its flat form; `None` if it has no such form or its source is not available.

    `emit(found, capacity, count, action)` writes one action and returns their number so far.
    """
    if not inspect.isgeneratorfunction(function):
        return None
    found = _source_of(function)
    if found is None:
        return None
    tree, definition = found
    change = _Flattening()
    body = [change.visit(statement) for statement in definition.body]
    if not change.possible:
        return None
    definition.body = [*ast.parse(f"{COUNT} = 0").body, *body, *ast.parse(f"return {COUNT}").body]
    definition.args.args += [ast.arg(FOUND), ast.arg(CAPACITY)]
    ast.fix_missing_locations(tree)
    code = _code_of(tree, function)
    flat = FunctionType(code, {**function.__globals__, EMIT: emit}, code.co_name, function.__defaults__)
    flat.__module__, flat.__qualname__ = function.__module__, f"{function.__qualname__}_flat"
    return flat


def guard_recursion(function: FunctionType) -> FunctionType | None:
    """A recursive function with a count of its depth; `None` if it is not recursive or cannot be rewritten.

    def deep(n):                def deep(n, zermelo_depth=0):
        return deep(n + 1)          if zermelo_depth >= 1000:
                                        raise RecursionError("maximum recursion depth exceeded")
                                    return zermelo_deeper(n + 1, zermelo_depth=zermelo_depth + 1)

    In Python an endless recursion raises an error; compiled, it would crash the process.
    """
    name = function.__code__.co_name
    if name not in function.__code__.co_names or inspect.isgeneratorfunction(function):
        return None
    found = _source_of(function)
    if found is None:
        return None
    tree, definition = found
    change = _Deepening(name, definition.args.args[0].arg if definition.args.args else "")
    body = [change.visit(statement) for statement in definition.body]
    if not change.calls or definition.args.kwarg or definition.args.vararg or definition.args.kwonlyargs:
        return None
    text = "maximum recursion depth exceeded"
    check = ast.parse(f"if {DEPTH} >= {sys.getrecursionlimit()}:\n    raise RecursionError({text!r})").body
    for statement in check:
        for node in ast.walk(statement):
            ast.copy_location(node, definition)
    definition.body = [*check, *body]
    definition.args.args.append(ast.arg(DEPTH))
    definition.args.defaults.append(ast.Constant(0))
    ast.fix_missing_locations(tree)
    code = _code_of(tree, function)
    guarded = FunctionType(code, function.__globals__, code.co_name, (*(function.__defaults__ or ()), 0))
    guarded.__module__, guarded.__qualname__ = function.__module__, function.__qualname__
    return guarded


def _source_of(function: FunctionType) -> tuple[ast.Module, ast.FunctionDef] | None:
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
    if _content(_code_of(tree, function)) != _content(function.__code__):  # the file has changed since it was imported
        return None
    return tree, definition


def _code_of(tree: ast.Module, function: FunctionType) -> CodeType:
    """The code of the one function that `tree` defines; annotations are never evaluated."""
    future = function.__code__.co_flags & _FUTURES
    module = compile(tree, function.__code__.co_filename, "exec", flags=future, dont_inherit=True)
    return next(each for each in module.co_consts if isinstance(each, CodeType) and each.co_name == function.__name__)


def _content(code: CodeType) -> tuple[Any, ...]:
    return code.co_code, code.co_consts, code.co_names, code.co_varnames


_FUTURES = 0x1000000
"""`from __future__ import annotations`, as a flag of the compiler."""


class _Deepening(ast.NodeTransformer):
    """Passes the depth on in every recursive call, of a global or of a method."""

    def __init__(self, name: str, own: str) -> None:
        self.name = name
        self.own = own
        self.calls = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = ast.unparse(node.func)
        if called not in (self.name, f"{self.own}.{self.name}"):
            return node
        self.calls += 1
        own = [] if called == self.name else [ast.Name(self.own, ast.Load())]
        deeper = ast.keyword(DEPTH, ast.BinOp(ast.Name(DEPTH, ast.Load()), ast.Add(), ast.Constant(1)))
        call = ast.Call(ast.Name(DEEPER, ast.Load()), [*own, *node.args], [*node.keywords, deeper])
        return ast.copy_location(call, node)


class _Flattening(ast.NodeTransformer):
    """Turns every `yield a` that stands alone into a call, and every `return` into one of the count."""

    def __init__(self) -> None:
        self.possible = True

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not isinstance(node.value, ast.Yield) or node.value.value is None:
            return self.generic_visit(node)
        action = self.visit(node.value.value)
        names = [ast.Name(name, ast.Load()) for name in (EMIT, FOUND, CAPACITY, COUNT)]
        call = ast.Assign([ast.Name(COUNT, ast.Store())], ast.Call(names[0], [*names[1:], action], []))
        return ast.copy_location(call, node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return ast.copy_location(ast.Return(ast.Name(COUNT, ast.Load())), node)

    def refuse(self, node: ast.AST) -> ast.AST:
        self.possible = False
        return node

    visit_Yield = visit_YieldFrom = visit_Lambda = visit_FunctionDef = refuse  # noqa: N815
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = refuse  # noqa: N815
