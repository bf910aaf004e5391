"""The types of the native core that mypy sees are those of the module itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

pytest.importorskip("nanobind", reason="nanobind makes the stub")


def test_the_stub_is_the_one_that_nanobind_makes_of_the_module(tmp_path: Path) -> None:
    """Building from a checkout writes `_core.pyi` anew: commit it with the binding that changed."""
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "zermelo._core", "-o", str(made)]
    subprocess.run(command, check=True, timeout=120)
    kept = Path(zermelo.__file__).with_name("_core.pyi")
    assert kept.read_text(encoding="utf-8") == made.read_text(encoding="utf-8")
