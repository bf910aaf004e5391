"""What holds for the sources as a whole and import-linter cannot see."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def test_only_the_engine_imports_the_native_core() -> None:
    named = [
        path.relative_to(ROOT / "src" / "zermelo")
        for path in SOURCES
        if "zermelo._core" in path.read_text(encoding="utf-8")
    ]
    assert {path.parts[0] for path in named} == {"engine"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_opens_with_what_it_is_for(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith('"""')


def test_the_kind_of_a_game_is_decided_in_one_place() -> None:
    questions = ('can("view")', 'can("chances")', "utility_sum is None or", "or game.utility_sum is None")
    asking = [
        path.relative_to(ROOT / "src" / "zermelo")
        for path in SOURCES
        if any(question in path.read_text(encoding="utf-8") for question in questions)
    ]
    assert {path.parts[0] for path in asking} <= {"game", "check"}, "ask `game.kind`"
