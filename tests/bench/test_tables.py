"""The measured tables of the page about the engine stand where `bench/tables.py` puts them, and leave nothing out."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from zermelo.engine.engine import RISKY, techniques

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(ROOT / "bench"), *sys.path])
    spec = importlib.util.spec_from_file_location("bench_tables", ROOT / "bench" / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_table_has_a_place_on_the_page(tables: ModuleType) -> None:
    marked = [name for _, name, _ in tables.MARK.findall(tables.PAGE.read_text(encoding="utf-8"))]
    assert sorted(marked) == sorted(tables.COUNTED | tables.TIMED)


def test_filling_a_table_changes_it_and_nothing_else(tables: ModuleType) -> None:
    text = "before\n<!-- bench: one -->\nold\n<!-- /bench -->\n<!-- bench: two -->\nkept\n<!-- /bench -->\nafter\n"
    assert tables.fill(text, {"one": lambda: "new"}) == text.replace("old", "new")


def test_the_table_of_techniques_names_every_technique_and_which_are_risky(tables: ModuleType) -> None:
    text = tables.PAGE.read_text(encoding="utf-8")
    (table,) = re.findall(r"<!-- bench: techniques -->\n(.*?)<!-- /bench -->", text, re.DOTALL)
    named = re.findall(r"^\| (\w+)(?: \(risky\))? +\|", table, re.MULTILINE)
    assert [name for name in techniques() if name not in named] == []
    assert set(re.findall(r"^\| (\w+) \(risky\)", table, re.MULTILINE)) == set(RISKY)
