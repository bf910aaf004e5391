"""The site builds without a warning, and needs nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.docs.scripts import ROOT


def test_the_site_builds_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "games" / "nim" / "index.html").is_file()
    for page in tmp_path.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]* src=[\"']?(https?:[^\"' >]+)", text)
        styles = re.findall(r"<link[^>]* rel=[\"']?stylesheet[\"']?[^>]* href=[\"']?(https?:[^\"' >]+)", text)
        assert not loaded + styles, page
