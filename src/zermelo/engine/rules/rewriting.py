"""Statements that a compiler pass puts into a rule; needs Numba to import."""

from __future__ import annotations

from typing import Any

from zermelo.engine.rules.numba_api import numba_ir


def call(scope: Any, statement: Any, function: Any, arguments: tuple[Any, ...]) -> list[Any]:
    """Makes `statement` a call of `function`, and returns the statements that must come before it."""
    where = statement.loc
    callee = scope.redefine("$exact", where)
    statement.value = numba_ir.Expr.call(callee, arguments, (), where)
    return [numba_ir.Assign(numba_ir.Global(function.__name__, function, where), callee, where)]


def passed_through(scope: Any, given: tuple[Any, ...], function: Any, where: Any) -> tuple[list[Any], Any]:
    """The statements that pass variables through a function, and the variable that holds the result."""
    passed = numba_ir.Assign(given[0], scope.redefine("$passed", where), where)
    return [*call(scope, passed, function, given), passed], passed.target
