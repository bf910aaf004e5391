"""Compiled code is kept, found again by the next process, and never trusted blindly."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.engine.rules import cache

RUN = """
from zermelo.games import load
from zermelo.engine import CompiledGame
game = load({game!r})
compiled = CompiledGame(game)
print(compiled.code.kept, compiled.perft(game.initial(), 4).positions)
"""


def run(folder: Path, game: str = "nim:heaps=1/2") -> str:
    environment = {**os.environ, "ZERMELO_CACHE": str(folder)}
    code = [sys.executable, "-W", "error", "-c", RUN.format(game=game)]
    return subprocess.run(code, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_the_next_process_finds_the_code_and_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    assert run(folder) == "False 12"
    assert run(folder) == "True 12"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (file,) = folder.iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert run(folder) == "False 12"
    assert run(folder) == "True 12"
    assert run(folder, "nim:heaps=2/2").startswith("False")
    assert len(list(folder.iterdir())) == 2


def entry() -> cache.ObjectCode:
    return cache.ObjectCode(b"object", {"step": "symbol"}, ("memcpy",), {"view_key": "why"}, ("State.flag",))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "code"))
    return tmp_path / "code"


def test_what_is_saved_is_loaded(folder: Path) -> None:
    cache.save("f" * 64, entry())
    assert cache.load("f" * 64) == entry()
    assert cache.load("e" * 64) is None
    assert [file.name for file in folder.iterdir()] == ["f" * 64 + ".code"]


@pytest.mark.parametrize("damage", ["cut", "foreign", "renamed", "empty", "longer"])
def test_a_file_that_is_not_whole_or_not_ours_is_ignored(folder: Path, damage: str) -> None:
    cache.save("f" * 64, entry())
    file = folder / ("f" * 64 + ".code")
    data = file.read_bytes()
    if damage == "renamed":
        file.rename(folder / ("e" * 64 + ".code"))
        assert cache.load("e" * 64) is None
        return
    file.write_bytes({"cut": data[:-5], "foreign": b"\x80\x04pickle", "empty": b"", "longer": data + b"x"}[damage])
    assert cache.load("f" * 64) is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
def test_a_folder_or_file_that_others_can_write_to_is_not_used(folder: Path) -> None:
    cache.save("f" * 64, entry())
    (folder / ("f" * 64 + ".code")).chmod(0o622)
    assert cache.load("f" * 64) is None
    (folder / ("f" * 64 + ".code")).chmod(0o600)
    assert cache.load("f" * 64) == entry()
    folder.chmod(0o777)
    assert cache.folder() is None
    assert cache.load("f" * 64) is None
    cache.save("e" * 64, entry())
    assert len(list(folder.iterdir())) == 1


def test_an_empty_setting_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", "")
    assert cache.folder() is None
    cache.save("f" * 64, entry())
    assert cache.load("f" * 64) is None


def test_importing_the_engine_imports_nothing_heavy() -> None:
    code = "import sys, zermelo.engine; print({'numba', 'numpy', 'zermelo._core'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "set()"


def test_the_folder_keeps_what_was_used_last(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "FOLDER_LIMIT_BYTES", 1500)
    for number in range(8):
        cache.save(f"{number:064}", entry())
        os.utime(folder / f"{number:064}.code", (number, number))
        if number:
            cache.load("0" * 64)
    left = sorted(int(file.stem) for file in folder.iterdir())
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 1500
    assert left[0] == 0
    assert left[1:] == list(range(9 - len(left), 8))
