"""Every console block of the README and the docs is run, and prints what it shows; see docs/console.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.scripts import ROOT, script

console = script("console")


@pytest.mark.parametrize("page", console.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_console_blocks_print_what_they_show(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    desk = console.Desk(text, tmp_path)
    for block in console.blocks(text, "console"):
        for command, shown in console.commands(block):
            printed = desk.run(command, console.typed(shown))
            matches = console.pattern(shown).fullmatch(printed) is not None
            assert matches, f"$ {command}\n{printed}\n-- but the page shows --\n{shown}\nrun `python docs/console.py`"


def test_dots_stand_for_anything_and_nothing_else_does() -> None:
    assert console.pattern("a … c\n…\nend\n").fullmatch("a b c\n1\n2\nend\n")
    assert console.pattern("a\n…\nend").fullmatch("a\nend\n")
    assert not console.pattern("a.c").fullmatch("abc\n")
    assert not console.pattern("a\nend").fullmatch("a\nb\nend\n")
