"""Pictures and tables in the repository are what their scripts make now: nodes and drawings, never times."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from types import ModuleType

import pytest

from tests.docs.scripts import DOCS, ROOT, script
from tests.search.test_literal import LITERAL


def test_committed_pictures_are_what_the_traces_draw() -> None:
    drawings = script("pictures").pictures()
    committed = {path.stem: path.read_text(encoding="utf-8") for path in (DOCS / "pictures").glob("*.svg")}
    assert set(committed) == set(drawings), "run `make pictures`"
    stale = [name for name, svg in drawings.items() if committed[name] != f"{svg}\n"]
    assert not stale, "run `make pictures`"


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return script("tables")


def test_committed_tables_are_what_the_searches_count(tables: ModuleType) -> None:
    stale = []
    for page in tables.pages():
        text = page.read_text(encoding="utf-8")
        if tables.fill(text) != text:
            stale.append(page.name)
    assert not stale, "run `python docs/tables.py`"


@pytest.mark.parametrize("search", sorted(LITERAL, key=lambda each: each.__name__), ids=lambda each: each.__name__)
def test_the_pages_show_the_very_lines_of_every_literal_search(search: Callable[..., object]) -> None:
    lines = [re.sub("  # noqa.*", "", line) for line in inspect.getsource(search).splitlines()]
    shown = "".join(f"{line}\n" for line in lines)
    pages = [page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")]
    assert sum(f"```python\n{shown}```\n" in page for page in pages) == 1, "run `python docs/tables.py`"


def test_every_table_and_every_picture_stands_on_a_page(tables: ModuleType) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *DOCS.rglob("*.md")])
    assert set(re.findall(r"<!-- table: ([\w-]+) -->", text)) == set(tables.TABLES)
    drawn = {path.stem for path in (DOCS / "pictures").glob("*.svg")}
    assert set(re.findall(r"pictures/([\w-]+)\.svg", text)) == drawn
