"""Signs: whatever pages, drawings and exercises show is in nearly every font."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import zermelo as z
from zermelo.games import games
from zermelo.studio.exercise import make_exercise

SOURCES = Path(z.__file__).parent
LETTERS = {chr(code) for code in (*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x391, 0x3CA))} | {"\n"}
"""ASCII, what western Europe writes, and Greek."""
SIGNS = set("–—‘’“”†•…›‹−∞≈≠≤≥≡∑√·×→←↑↓↔▲▼►◄■□○●◊♠♣♥♦─│")
"""The signs of WGL4 that are used, the list that font makers have gone by since Windows 95."""
WRITTEN = [
    *(SOURCES / "studio" / "static").rglob("*.js"),
    *(SOURCES / "studio" / "static").rglob("*.css"),
    *(SOURCES / "studio" / "static").rglob("*.html"),
    *(SOURCES / "search" / "trace").glob("view.*"),
    SOURCES / "search" / "trace" / "tree.css",
    SOURCES / "search" / "trace" / "page.html",
]
SPOKEN = [
    *(SOURCES / "studio").rglob("*.py"),
    *(SOURCES / "search" / "trace").glob("*.py"),
    *(SOURCES / "arena").glob("*.py"),
    *(SOURCES / "games").glob("*/picture.py"),
]


def find_rare(text: str) -> str:
    return "".join(sorted(set(text) - LETTERS - SIGNS))


def list_strings(file: Path) -> Iterator[str]:
    """The strings of a module that are not its documentation."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value


@pytest.mark.parametrize("file", WRITTEN, ids=lambda file: file.name)
def test_the_page_has_no_rare_signs(file: Path) -> None:
    assert find_rare(file.read_text(encoding="utf-8")) == ""


def test_what_is_said_in_the_studio_has_no_rare_signs() -> None:
    known = {"�", "\ufeff", "\0", "\b", "\x0e", "\x1f"}  # the sign for what is none, and what is looked for in files
    rare = {file.name: find_rare("".join(list_strings(file))) for file in SPOKEN}
    assert {name: signs for name, signs in rare.items() if set(signs) - known} == {}


@pytest.mark.parametrize("name", sorted(games()))
def test_a_board_has_no_rare_signs(name: str) -> None:
    game = z.load(name)
    assert find_rare(game.picture(game.initial())) == ""


def test_an_exercise_has_no_rare_signs() -> None:
    for found in (
        z.alphabeta(z.load("[[3,12,8],[2,4,6],[14,5,2]]"), trace=True),
        z.pvs(z.load("[[3,12,8],[2,4,6],[14,5,2]]"), trace=True),
        z.maxn(z.load("kingmaker"), depth=3, trace=True),
    ):
        assert find_rare(make_exercise(found.trace)) == ""
