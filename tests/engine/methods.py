"""Expressions as methods of a game, compiled one by one, for the tests of numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from rules_fuzz import load_game, outcome
from rules_methods import Methods
from rules_programs import Fields, Program, methods_source


def methods_of(
    texts: list[str], folder: Path, helper: str = "", kind: str = "whole", members: str = ""
) -> tuple[Any, Methods]:
    """A game with one method for each expression, which may call `helper_NUMBER(p, q)`, and what compiles of them;
    `members` stand in the class."""
    sources = [f"{helper}\n\ndef program_NUMBER(self, s):\n    return {text}\n" for text in texts]
    programs = [Program(source, "program_NUMBER(self, s)", kind) for source in sources]
    source = methods_source(programs, Fields(words=True)).replace("    limit = 5\n", f"    limit = 5\n{members}", 1)
    game = load_game(source, folder, f"whose{abs(hash((helper, members, *texts)))}")
    return game, Methods(game, programs)


def answers(game: Any, methods: Methods, **own: Any) -> list[tuple[Any, Any]]:
    """What compiled rules answer in a state with these fields, and Python's; `None` for an error or a refusal.

    What the compiler claims of the answers must hold of Python's.
    """
    s = game.initial()._replace(**own)
    packed = methods.pack(s)
    found = []
    for i in methods.compiled:
        native, python = methods.run(i, packed), outcome(lambda i=i: getattr(game, f"program_{i}")(s))
        assert native is None or methods.contradiction(i, python) == ""
        found.append((native, python))
    return found


def refusals(texts: list[str], folder: Path, kind: str = "whole", members: str = "") -> list[str]:
    """Why these expressions are not compiled; one that is fails the test."""
    _, methods = methods_of(texts, folder, kind=kind, members=members)
    assert [texts[i] for i in methods.compiled] == []
    return list(methods.refused.values())
