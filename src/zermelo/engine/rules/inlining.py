"""Numba's inlining of comprehensions, without what it does to errors; needs Numba to import.

After it has inlined a comprehension, Numba removes whatever nobody reads, a division by zero and an index beyond the
end among it. Here only what cannot raise is removed.

Since Python 3.12 a comprehension is inlined already, with an entry in the table of exceptions: an error restores the
variables that it hides, and goes on. Numba takes what it does not recognise of that for a `try`, and loses the error.
Rules have no `try` at all, as the number that does not fit 64 bits would be caught, which Python has.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

from zermelo.engine.rules.numba_api import (
    InlineClosureLikes,
    NumbaTypeError,
    TranslateByteCode,
    inline_closurecall,
    numba_bytecode,
    numba_ir,
    register_pass,
)

_HARMLESS = ("make_function", "getattr", "build_tuple", "build_list")
_CATCH = "PUSH_EXC_INFO"
"""Begins what a `try` or `with` does about an error, and nothing else."""

_WITH = "WITH_EXCEPT_START"
"""Begins what a `with` alone does about an error."""


class _RuleCode(numba_bytecode.ByteCode):  # type: ignore[misc]
    """The instructions of a function that leaves every error to its caller."""

    exception_entries: Any

    def __init__(self, func_id: Any):
        super().__init__(func_id)
        if any(each.opname == _CATCH for each in self):
            caught = [self[each.start].lineno for each in self.exception_entries if self[each.target].opname == _CATCH]
            where = numba_ir.Loc(func_id.filename, min(caught, default=func_id.firstlineno))
            with_statement = any(each.opname == _WITH for each in self)
            raise NumbaTypeError(f"a rule {'uses `with`' if with_statement else 'catches errors'}", loc=where)
        self.exception_entries = ()


@register_pass(mutates_CFG=True, analysis_only=False)
class TranslateRule(TranslateByteCode):  # type: ignore[misc]
    """As `TranslateByteCode`, of a function that catches nothing."""

    _name = "zermelo_translate_rule"

    def run_pass(self, state: Any) -> bool:
        state["bc"] = _RuleCode(state["func_id"])
        return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineComprehensions(InlineClosureLikes):  # type: ignore[misc]
    """As `InlineClosureLikes`, but every statement that may raise stays."""

    _name = "zermelo_inline_comprehensions"

    def run_pass(self, state: Any) -> bool:
        with (
            mock.patch.object(inline_closurecall, "dead_code_elimination", _remove_harmless),
            mock.patch.object(numba_bytecode, "ByteCode", _RuleCode),
        ):
            return bool(super().run_pass(state))


def _remove_harmless(func_ir: Any) -> None:
    """Removes the assignments that cannot raise and that nobody reads."""
    removing = True
    while removing:
        statements = [each for block in func_ir.blocks.values() for each in block.body]
        read = {name for each in statements for name in _reads(each)}
        removing = False
        for block in func_ir.blocks.values():
            kept = [each for each in block.body if not (_is_harmless(each) and each.target.name not in read)]
            removing |= len(kept) < len(block.body)
            block.body = kept


def _reads(statement: Any) -> set[str]:
    if isinstance(statement, numba_ir.Del):
        return set()
    value = statement.value if isinstance(statement, numba_ir.Assign) else statement
    if isinstance(value, numba_ir.Var):
        return {value.name}
    return {var.name for var in value.list_vars()} if isinstance(value, numba_ir.Inst) else set()


def _is_harmless(statement: Any) -> bool:
    if not isinstance(statement, numba_ir.Assign):
        return False
    value = statement.value
    plain = isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar, numba_ir.Var))
    return plain or (isinstance(value, numba_ir.Expr) and value.op in _HARMLESS)
