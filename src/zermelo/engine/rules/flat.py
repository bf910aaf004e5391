"""Rules rewritten before they are compiled: `actions` without its generator, recursion with a count of its depth, and
plain forms for what Numba does not know.

`actions` becomes a function that writes what it would yield:

    def actions(self, s):                 def actions_flat(self, s, found, capacity):
        for n in (1, 2, 3):                   count = 0
            if n <= s.stones:                 for n in (1, 2, 3):
                yield n                           if n <= s.stones:
                                                      count = emit(found, capacity, count, n)
                                              return count

A compiled generator keeps its variables in memory and jumps at every `yield`, which for short lists takes longer than
the rule itself; the flat form is one plain loop for LLVM. What returns a list becomes loops, too, without the list.

`any(… for …)`, `all(… for …)` and `next(… for …)` become calls of functions with loops, any other generator expression
a list, `yield from` a loop, `(*a, 1)` a sum of tuples, and `s._replace(turn=1)` the call of a function of the state and
the number.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import textwrap
from types import CodeType, FunctionType
from typing import Any

REPLACE = "zermelo_replace_"
"""Begins the names of functions that replace fields of a NamedTuple; the names of the fields follow."""
FIELD_SEPARATOR = "__"
EACH = "zermelo_each"
LOOP = "zermelo_loop_"
OTHERWISE = "zermelo_otherwise"
DEPTH, DEEPER = "zermelo_depth", "zermelo_deeper"
FOUND, CAPACITY, COUNT, EMIT = "zermelo_found", "zermelo_capacity", "zermelo_count", "zermelo_emit"


def flatten(function: FunctionType, emit: Any) -> FunctionType | None:
    """`function(self, s)`, which yields actions or returns them, in its flat form; `None` if it has no such form or its
    source is not available.

    `emit(found, capacity, count, action)` writes one action and returns their number so far.
    """
    found = _source_of(function)
    if found is None:
        return None
    tree, definition = found
    change = _Flattening() if inspect.isgeneratorfunction(function) else _Unrolling()
    plain = _Plain(function.__code__)
    body = change.all([plain.visit(statement) for statement in definition.body])
    if not change.possible:
        return None
    definition.body = [*ast.parse(f"{COUNT} = 0").body, *body, *ast.parse(change.end).body]
    definition.args.args += [ast.arg(FOUND), ast.arg(CAPACITY)]
    ast.fix_missing_locations(tree)
    code = _code_of(tree, function)
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
    found = _source_of(function)
    if found is None:
        return None
    tree, definition = found
    plain = _Plain(function.__code__)
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
    code = _code_of(tree, function)
    guarded = FunctionType(code, plain.with_loops(function), code.co_name, (*(function.__defaults__ or ()), 0))
    guarded.__module__, guarded.__qualname__ = function.__module__, function.__qualname__
    return guarded


def write_plainly(function: FunctionType) -> FunctionType | None:
    """`function` with plain forms for what Numba does not know; `None` if it needs none, or cannot be rewritten."""
    found = _source_of(function)
    if found is None:
        return None
    tree, definition = found
    change = _Plain(function.__code__)
    definition.body = [change.visit(statement) for statement in definition.body]
    if not change.changed:
        return None
    ast.fix_missing_locations(tree)
    code = _code_of(tree, function)
    plain = FunctionType(code, change.with_loops(function), code.co_name, function.__defaults__)
    plain.__kwdefaults__ = function.__kwdefaults__
    plain.__module__, plain.__qualname__ = function.__module__, function.__qualname__
    return plain


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
    inner = tuple(_content(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.co_code, inner, code.co_names, code.co_varnames


_FUTURES = 0x1000000
"""`from __future__ import annotations`, as a flag of the compiler."""


class _Plain(ast.NodeTransformer):
    """What Numba does not know, in plain forms, in the function with this code."""

    def __init__(self, code: CodeType) -> None:
        self.changed = False
        self._names = {*code.co_varnames, *code.co_cellvars}
        """Variables that are there."""
        self._loops: list[ast.FunctionDef] = []

    def with_loops(self, function: FunctionType) -> dict[str, Any]:
        """The globals of `function`, and the functions that stand for its calls of `any`, `all` and `next`."""
        scope, file = {**function.__globals__}, function.__code__.co_filename
        for each in self._loops:
            module = ast.fix_missing_locations(ast.Module([each], []))
            exec(compile(module, file, "exec", function.__code__.co_flags & _FUTURES, dont_inherit=True), scope)
            scope[each.name].__module__ = function.__module__
        return scope if self._loops else function.__globals__

    def _loop(self, name: str, given: ast.GeneratorExp, otherwise: list[ast.expr]) -> ast.Call:
        """The call of a function with the loops of `given`, which stops as `any`, `all` or `next` does."""
        outer = set(self._names)
        self._with_names(given, given.generators)
        used = {each.id for each in ast.walk(given) if isinstance(each, ast.Name)} - _bound(given.generators)
        wanted = sorted(used & outer)
        test = ast.UnaryOp(ast.Not(), given.elt) if name == "all" else given.elt
        found: ast.stmt = ast.If(test, [ast.Return(ast.Constant(name == "any"))], [])
        body = [ast.Return(given.elt) if name == "next" else found]
        for each in reversed(given.generators):
            for condition in reversed(each.ifs):
                body = [ast.If(condition, body, [])]
            body = [ast.For(each.target, each.iter, body, [])]
        if name != "next":
            body.append(ast.Return(ast.Constant(name != "any")))
        elif otherwise:
            body.append(ast.Return(ast.Name(OTHERWISE, ast.Load())))
        else:
            body += ast.parse("raise StopIteration").body
        label = f"{LOOP}{given.lineno}_{given.col_offset}_{len(self._loops)}"
        parameters = ", ".join([*wanted, *[OTHERWISE][: len(otherwise)]])
        made = ast.parse(f"def {label}({parameters}):\n    pass").body[0]
        assert isinstance(made, ast.FunctionDef)
        made.body = body
        self._loops.append(ast.copy_location(made, given))
        values: list[ast.expr] = [ast.Name(each, ast.Load()) for each in wanted]
        return ast.Call(ast.Name(label, ast.Load()), [*values, *map(self.visit, otherwise)], [])

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._with_names(node, node.generators)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._with_names(node, node.generators)

    def _with_names(self, node: ast.AST, generators: list[ast.comprehension]) -> ast.AST:
        """What stands in a comprehension, where its own variables are there, too."""
        outer, self._names = self._names, self._names | _bound(generators)
        self.generic_visit(node)
        self._names = outer
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.value, ast.YieldFrom):
            return node
        self.changed = True
        each = ast.Expr(ast.Yield(ast.Name(EACH, ast.Load())))
        return ast.copy_location(ast.For(ast.Name(EACH, ast.Store()), node.value.value, [each], []), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None:
            node.value = self._typed(node.value)
        return node

    def _typed(self, given: ast.expr) -> ast.expr:
        """An empty list that is returned as one of whole numbers, as Numba has to know of what it is."""
        if isinstance(given, ast.IfExp):
            given.body, given.orelse = self._typed(given.body), self._typed(given.orelse)
        elif isinstance(given, ast.List) and not given.elts:
            self.changed = True
            return ast.copy_location(ast.parse(f"[{EACH} for {EACH} in range(0)]", mode="eval").body, given)
        return given

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        self.changed = True
        return self.visit_ListComp(ast.copy_location(ast.ListComp(node.elt, node.generators), node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        most = {"any": 1, "all": 1, "next": 2}.get(name, 0)
        if 1 <= len(node.args) <= most and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
            self.changed = True
            return ast.copy_location(self._loop(name, node.args[0], node.args[1:]), node)
        self.generic_visit(node)
        named = [keyword.arg for keyword in node.keywords]
        replaces = isinstance(node.func, ast.Attribute) and node.func.attr == "_replace"
        if not replaces or node.args or not all(named):
            return node
        self.changed = True
        assert isinstance(node.func, ast.Attribute)
        replacer = ast.Name(REPLACE + FIELD_SEPARATOR.join(map(str, named)), ast.Load())
        values = [keyword.value for keyword in node.keywords]
        return ast.copy_location(ast.Call(replacer, [node.func.value, *values], []), node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or not any(isinstance(each, ast.Starred) for each in node.elts):
            return node
        self.changed = True
        parts = [each.value if isinstance(each, ast.Starred) else ast.Tuple([each], ast.Load()) for each in node.elts]
        return ast.copy_location(functools.reduce(lambda a, b: ast.BinOp(a, ast.Add(), b), parts), node)


def _bound(generators: list[ast.comprehension]) -> set[str]:
    """The variables of a comprehension."""
    return {each.id for part in generators for each in ast.walk(part.target) if isinstance(each, ast.Name)}


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

    end = "raise TypeError('the rule `actions` returns nothing')"

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
