"""Rules rewritten for what Numba does not know, before they are compiled.

any(… for …)   all(… for …)   next(… for …)     calls of functions with loops
other generator expressions, `map`, `filter`    lists
yield from actions                              a loop
(*cells[:i], 1, *cells[i + 1 :])                a sum of tuples
s._replace(turn=1)                              the call of a function of the state and the number
return []                                       a list of whole numbers, as Numba has to know of what it is
"""

from __future__ import annotations

import ast
import functools
from types import FunctionType
from typing import Any

from zermelo.engine.rules.source import FUTURES, code_of, source_of

REPLACE = "zermelo_replace_"
"""Begins the names of functions that replace fields of a NamedTuple; the names of the fields follow."""
FIELD_SEPARATOR = "__"
EACH = "zermelo_each"
LOOP = "zermelo_loop_"
OTHERWISE = "zermelo_otherwise"
LAZY = ("enumerate", "zip", "iter")
"""Built-in functions that use up what they are given when they are used up themselves."""


def write_plainly(function: FunctionType) -> FunctionType | None:
    """`function` with plain forms for what Numba does not know; `None` if it needs none, or cannot be rewritten."""
    found = source_of(function)
    if found is None:
        return None
    tree, definition = found
    change = Plain(function)
    definition.body = [change.visit(statement) for statement in definition.body]
    if not change.changed:
        return None
    ast.fix_missing_locations(tree)
    code = code_of(tree, function)
    plain = FunctionType(code, change.with_loops(function), code.co_name, function.__defaults__)
    plain.__kwdefaults__ = function.__kwdefaults__
    plain.__module__, plain.__qualname__ = function.__module__, function.__qualname__
    return plain


class Plain(ast.NodeTransformer):
    """What Numba does not know, in plain forms, in one function.

    A generator is made a list where it is used up at once. Elsewhere what it looks at may change meanwhile.
    """

    def __init__(self, function: FunctionType) -> None:
        code = function.__code__
        self.changed = False
        self._own = function.__globals__.keys()
        self._names = {*code.co_varnames, *code.co_cellvars}
        """Variables that are there."""
        self._loops: list[ast.FunctionDef] = []

    def with_loops(self, function: FunctionType) -> dict[str, Any]:
        """The globals of `function`, and the functions that stand for its calls of `any`, `all` and `next`."""
        scope, file = {**function.__globals__}, function.__code__.co_filename
        for each in self._loops:
            module = ast.fix_missing_locations(ast.Module([each], []))
            exec(compile(module, file, "exec", function.__code__.co_flags & FUTURES, dont_inherit=True), scope)
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

    def _built_in(self, function: ast.expr) -> str:
        """The name of a built-in function, if it is one and the author has no other by that name; else empty."""
        named = isinstance(function, ast.Name) and function.id not in self._names and function.id not in self._own
        return function.id if named and isinstance(function, ast.Name) else ""

    def _used_up(self, node: Any) -> Any:
        """An expression of which all is used before anything else is done."""
        name = self._built_in(node.func) if isinstance(node, ast.Call) and not node.keywords else ""
        if name in ("map", "filter") and len(node.args) == 2:
            node = ast.copy_location(_listed(name, *node.args), node)
        if isinstance(node, ast.GeneratorExp):
            self.changed = True
            return self.visit_ListComp(ast.copy_location(ast.ListComp(node.elt, node.generators), node))
        if name in LAZY:
            node.args = [self._used_up(each) for each in node.args]
            return node
        if isinstance(node, ast.IfExp):
            node.test, node.body, node.orelse = (
                self.visit(node.test),
                self._used_up(node.body),
                self._used_up(node.orelse),
            )
            return node
        return self.visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter, node.ifs = self._used_up(node.iter), [self.visit(each) for each in node.ifs]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self.visit(node.iter) if self._changes(node) else self._used_up(node.iter)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def _changes(self, node: ast.For) -> bool:
        """Whether a loop may change what the generator looks at over which it goes."""
        looks = {each.id for each in ast.walk(node.iter) if isinstance(each, ast.Name)}
        changed = set()
        for each in (inner for statement in (*node.body, node.target) for inner in ast.walk(statement)):
            at: Any = each.func if isinstance(each, ast.Call) else each
            if isinstance(each, ast.Call) or isinstance(getattr(each, "ctx", None), (ast.Store, ast.Del)):
                while isinstance(at, (ast.Attribute, ast.Subscript)):
                    at = at.value
                changed |= {at.id} if isinstance(at, ast.Name) else set()
        return bool(looks & (changed - {"self"}) & self._names)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.left, node.comparators = self.visit(node.left), [self._used_up(each) for each in node.comparators]
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        node.value = self._used_up(node.value)
        return node

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
        if not isinstance(node.value, ast.YieldFrom):
            return self.generic_visit(node)
        self.changed = True
        node.value.value = self._used_up(node.value.value)
        each = ast.Expr(ast.Yield(ast.Name(EACH, ast.Load())))
        return ast.copy_location(ast.For(ast.Name(EACH, ast.Store()), node.value.value, [each], []), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is not None:
            node.value = self._typed(self._used_up(node.value))
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
        return self._with_names(node, node.generators)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = self._built_in(node.func)
        most = {"any": 1, "all": 1, "next": 2}.get(name, 0)
        if 1 <= len(node.args) <= most and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
            self.changed = True
            return ast.copy_location(self._loop(name, node.args[0], node.args[1:]), node)
        if name in (*LAZY, "map", "filter"):
            return self.generic_visit(node)
        node.func, node.args = self.visit(node.func), [self._used_up(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
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


def _listed(name: str, function: ast.expr, values: ast.expr) -> ast.GeneratorExp:
    """`map` or `filter` as a generator expression; a `lambda` of one variable stands in it."""
    lambda_of_one = isinstance(function, ast.Lambda) and len(function.args.args) == 1 and not function.args.defaults
    variable = function.args.args[0].arg if lambda_of_one and isinstance(function, ast.Lambda) else EACH
    each = ast.Name(variable, ast.Load())
    if lambda_of_one and isinstance(function, ast.Lambda):
        given = function.body
    elif isinstance(function, ast.Constant) and function.value is None:
        given = each
    else:
        given = ast.Call(function, [each], [])
    target = ast.Name(variable, ast.Store())
    if name == "map":
        return ast.GeneratorExp(given, [ast.comprehension(target, values, [], 0)])
    return ast.GeneratorExp(each, [ast.comprehension(target, values, [given], 0)])


def _bound(generators: list[ast.comprehension]) -> set[str]:
    """The variables of a comprehension."""
    return {each.id for part in generators for each in ast.walk(part.target) if isinstance(each, ast.Name)}
