"""A data folder of the test's own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    monkeypatch.setenv("ZERMELO_DATA", str(folder))
    return folder
