"""Rules rewritten before they are compiled: `actions` and `inputs` without generators, and a count of recursion.

`actions` becomes a function that writes what it would yield, and `inputs` likewise:

    def actions(self, s):                 def actions_flat(self, s, found, capacity):
        for n in (1, 2, 3):                   count = 0
            if n <= s.stones:                 for n in (1, 2, 3):
                yield n                           if n <= s.stones:
                                                      count = emit(found, capacity, count, n)
                                              return count

A compiled generator keeps its variables in memory and jumps at every `yield`, which for short lists takes longer than
the rule itself; the flat form is one plain loop for LLVM. What returns a list becomes loops, too, without the list.
"""

from __future__ import annotations

import ast
import inspect
import sys
from types import FunctionType
from typing import Any

from zermelo.engine.rules.plain import EACH, Plain
from zermelo.engine.rules.source import code_of, source_of

DEPTH, DEEPER = "zermelo_depth", "zermelo_deeper"
FOUND, CAPACITY, COUNT, EMIT = "zermelo_found", "zermelo_capacity", "zermelo_count", "zermelo_emit"


def flatten(function: FunctionType, emit: Any) -> FunctionType | None:
    """`function(self, s)`, which yields actions or returns them, or another such method, in its flat form;
    `None` if it has no such form or its source is not available.

    `emit(found, capacity, count, action)` writes one action and returns their number so far.
    """
    found = source_of(function)
    if found is None:
        return None
    tree, definition = found
    change = _Flattening() if inspect.isgeneratorfunction(function) else _Unrolling()
    plain = Plain(function)
    body = change.all([plain.visit(statement) for statement in definition.body])
    if not change.possible:
        return None
    definition.body = [*ast.parse(f"{COUNT} = 0").body, *body, *ast.parse(change.end).body]
    definition.args.args += [ast.arg(FOUND), ast.arg(CAPACITY)]
    ast.fix_missing_locations(tree)
    code = code_of(tree, function)
    flat = FunctionType(code, {**plain.with_loops(function), EMIT: emit}, code.co_name, function.__defaults__)
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
    found = source_of(function)
    if found is None:
        return None
    tree, definition = found
    plain = Plain(function)
    change = _Deepening(name, definition.args.args[0].arg if definition.args.args else "")
    body = [change.visit(plain.visit(statement)) for statement in definition.body]
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
    code = code_of(tree, function)
    guarded = FunctionType(code, plain.with_loops(function), code.co_name, (*(function.__defaults__ or ()), 0))
    guarded.__module__, guarded.__qualname__ = function.__module__, function.__qualname__
    return guarded


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

    end = f"return {COUNT}"

    def __init__(self) -> None:
        self.possible = True

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if not isinstance(node.value, ast.Yield) or node.value.value is None:
            return self.generic_visit(node)
        return ast.copy_location(_emit(self.visit(node.value.value)), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return ast.copy_location(ast.Return(ast.Name(COUNT, ast.Load())), node)

    def all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(statement) for statement in statements]

    def refuse(self, node: ast.AST) -> ast.AST:
        self.possible = False
        return node

    visit_Yield = visit_YieldFrom = visit_Lambda = visit_FunctionDef = refuse  # noqa: N815


class _Unrolling(_Flattening):
    """Turns every `return` of a list into loops over what would be in it."""

    end = "raise TypeError('a rule that lists numbers returns nothing')"

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            return self.refuse(node)
        end = ast.Return(ast.Name(COUNT, ast.Load()))
        return [ast.copy_location(each, node) for each in (*self._loops(node.value), end)]

    def _loops(self, given: ast.expr) -> list[ast.stmt]:
        """Statements that emit what is in a list."""
        if isinstance(given, ast.IfExp):
            one, other = (self._loops(each) or [ast.Pass()] for each in (given.body, given.orelse))
            return [ast.If(given.test, one, other)]
        if isinstance(given, (ast.List, ast.Tuple)) and not any(isinstance(each, ast.Starred) for each in given.elts):
            return [_emit(each) for each in given.elts]
        if not isinstance(given, ast.ListComp):
            return [ast.For(ast.Name(EACH, ast.Store()), given, [_emit(ast.Name(EACH, ast.Load()))], [])]
        body = [_emit(given.elt)]
        for each in reversed(given.generators):
            for condition in reversed(each.ifs):
                body = [ast.If(condition, body, [])]
            body = [ast.For(each.target, each.iter, body, [])]
        return body

    def all(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        found = [self.visit(statement) for statement in statements]
        return [each for one in found for each in (one if isinstance(one, list) else [one])]


def _emit(action: ast.expr) -> ast.stmt:
    names = [ast.Name(name, ast.Load()) for name in (EMIT, FOUND, CAPACITY, COUNT)]
    return ast.Assign([ast.Name(COUNT, ast.Store())], ast.Call(names[0], [*names[1:], action], []))
