"""The site builds without a warning, and needs nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.scripts import ROOT
from zermelo.games import games


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        build, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]* src=[\"']?(https?:[^\"' >]+)", text)
        styles = re.findall(
            r"<link[^>]* rel=[\"']?(?:stylesheet|preconnect)[\"']?[^>]* href=[\"']?(https?:[^\"' >]+)", text
        )
        assert not loaded + styles, page


def test_games_tutorials_and_reference_have_pages(site: Path) -> None:
    for name in ("games/nim", "tutorials/bot", "reference/searches", "techniques/alphabeta"):
        assert (site / name / "index.html").is_file()
    text = (site / "reference" / "searches" / "index.html").read_text(encoding="utf-8")
    assert 'id="zermelo.search.alphabeta.alphabeta"' in text


def test_a_drawing_of_a_search_is_that_search_to_be_played(site: Path) -> None:
    for page in ("index.html", "techniques/alphabeta/index.html"):
        text = (site / page).read_text(encoding="utf-8")
        frames = re.findall(r'<iframe src="([^"#]+)#step=(\d+)"', text)
        assert frames
        for address, _step in frames:
            played = ((site / page).parent / address).resolve()
            assert '"steps":' in played.read_text(encoding="utf-8")


def test_the_gallery_has_every_game(site: Path) -> None:
    text = (site / "games" / "index.html").read_text(encoding="utf-8")
    shown = re.findall(r'<img src="../covers/([\w-]+).svg"', text)
    assert sorted(shown) == sorted(games())
    for folder in re.findall(r'<a href="../games/(\w+)/"><img', text):
        assert (site / "games" / folder / "index.html").is_file(), folder
