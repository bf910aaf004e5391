"""Whatever the docs name exists: tests, files, options of a search."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_type_hints

import pytest

from tests.docs.scripts import DOCS, ROOT
from zermelo.search import Options

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
TESTS = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
KNOWN = set(re.findall(r"def (test_\w+)", TESTS))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_test_and_file_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", text))
    assert not named - KNOWN
    paths = set(re.findall(r"`((?:src|tests|docs|examples|native)/[\w./-]+)`", text))
    missing = [path for path in paths if "NAME" not in path and not (ROOT / path).exists()]
    assert not missing


def test_every_option_of_a_search_stands_on_the_page_about_python() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    assert [name for name in get_type_hints(Options) if f"`{name}" not in text and f'`{name}="' not in text] == []


def test_nothing_in_the_docs_points_out_of_the_repository_by_an_absolute_path() -> None:
    for page in PAGES:
        assert not re.search(r"/(work|home|root|tmp)/", page.read_text(encoding="utf-8")), page
