"""The measured tables of `docs/engine.md`: writes them into the page, each between its marks.

    python bench/tables.py               all of them: a few minutes on two cores
    python bench/tables.py --counted     those that count nodes, which are the same on every machine
    python bench/tables.py --check       counts those and writes nothing; exit 1 if the page says something else

A table's place is marked with `<!-- bench: NAME -->` and `<!-- /bench -->`. Tables with times say where they were
taken.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import engine_vs_textbook
import startup
import techniques
from tools import arguments, machine

PAGE = Path(__file__).resolve().parents[1] / "docs" / "engine.md"
MARK = re.compile(r"(<!-- bench: ([\w-]+) -->\n).*?(\n<!-- /bench -->)", re.DOTALL)
POSITIONS, WORTH = 6, 20_000
"""How many positions a game the table of techniques has, and the nodes that one is worth."""
NODES, SECONDS = 10_000, 1.0
"""What a search of the engine and of the textbook may spend."""


def of_techniques() -> str:
    return techniques.render(techniques.measure(POSITIONS, WORTH))


def at_equal_nodes() -> str:
    return engine_vs_textbook.render({f"{NODES:,} nodes": engine_vs_textbook.depths(POSITIONS, nodes=NODES)})


def at_equal_time() -> str:
    return timed(engine_vs_textbook.render({f"{SECONDS:g} s": engine_vs_textbook.depths(POSITIONS, seconds=SECONDS)}))


def of_startup() -> str:
    return timed(startup.render(startup.measure("othello", 10)))


def timed(text: str) -> str:
    return f"{text} Measured on {machine()}."


COUNTED: dict[str, Callable[[], str]] = {"techniques": of_techniques, "equal-nodes": at_equal_nodes}
TIMED: dict[str, Callable[[], str]] = {"equal-time": at_equal_time, "startup": of_startup}


def fill(text: str, tables: dict[str, Callable[[], str]]) -> str:
    """A page with those of its tables made anew that are in `tables`."""

    def make(found: re.Match[str]) -> str:
        return f"{found[1]}{tables[found[2]]()}{found[3]}" if found[2] in tables else found[0]

    return MARK.sub(make, text)


def main() -> None:
    asked = arguments(
        __doc__,
        counted=(False, "no times: only the tables that count nodes"),
        check=(False, "write nothing, and exit 1 if a count is another"),
    )
    text = PAGE.read_text(encoding="utf-8")
    new = fill(text, COUNTED if asked.counted or asked.check else COUNTED | TIMED)
    if asked.check:
        sys.exit(f"{PAGE.name} is stale: run `python bench/tables.py`" if new != text else 0)
    PAGE.write_text(new, encoding="utf-8")
    print(f"written: {PAGE.name}")


if __name__ == "__main__":
    main()
