"""What the site needs beyond its pages: each game's own page, a gallery of them, and searches that play in the page.

The pages themselves are plain Markdown, which can be read anywhere. Here a drawing that a trace has made becomes that
trace, to be stepped through; nothing is loaded from elsewhere.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import zermelo as z
from zermelo.games import games
from zermelo.play.words import name_game
from zermelo.studio.views.home import draw_cover

DOCS = Path(__file__).resolve().parent
GAMES = DOCS.parent / "src" / "zermelo" / "games"
SHELVES = {"board": "Board", "dice": "Dice", "cards": "Cards", "theory": "Theory"}
GALLERY = "<!-- gallery -->"
DRAWING = re.compile(r"!\[([^\]]*)\]\((?:\.\./)?pictures/([\w-]+)\.svg\)")
HEIGHT = 560
"""Pixels of a search that plays in a page."""


@cache
def pictures() -> ModuleType:
    """The script that makes the drawings."""
    spec = importlib.util.spec_from_file_location("docs_pictures", DOCS / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def traces() -> dict[str, Any]:
    """The search behind each drawing, by its name."""
    found: dict[str, Any] = pictures().drawn()
    return found


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for readme in sorted(GAMES.glob("*/README.md")):
        files.append(File.generated(config, f"games/{readme.parent.name}.md", abs_src_path=str(readme)))
    for page in sorted(GAMES.glob("*.md")):
        files.append(File.generated(config, f"games/{page.name}", abs_src_path=str(page)))
    for name, drawn in traces().items():
        files.append(File.generated(config, f"traces/{name}.html", content=drawn.trace.html()))
    for name in games():
        files.append(File.generated(config, f"covers/{name}.svg", content=draw_cover(z.load(name))))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    if page.file.src_uri.startswith("games/"):
        return re.sub(r"\]\(\.\./(\w+)/README\.md\)", r"](\1.md)", markdown)
    root = "../" * page.file.dest_uri.count("/")
    markdown = DRAWING.sub(lambda found: play(root, *found.groups()), markdown)
    markdown = markdown.replace(GALLERY, gallery(root))
    return re.sub(r"\]\((?:\.\./)+src/zermelo/games/(\w+)(?:/README)?\.md\)", r"](games/\1.md)", markdown)


def play(root: str, said: str, name: str) -> str:
    """The search that a drawing shows, at the step of the drawing, with what the drawing says below it."""
    drawn = traces()[name]
    address = f"{root}traces/{name}.html#step={drawn.step}"
    frame = f'<iframe src="{address}" title="{escape(said)}" loading="lazy" height="{HEIGHT}"></iframe>'
    return f'<figure class="trace">{frame}<figcaption>{escape(said)}</figcaption></figure>'


def gallery(root: str) -> str:
    """A picture of every game, with what it is about, shelf by shelf."""
    parts = []
    for shelf, heading in SHELVES.items():
        tiles = [tile(root, name) for name, kind in games().items() if kind.shelf == shelf]
        parts.append(f'<h3>{heading}</h3>\n<div class="gallery">{"".join(tiles)}</div>')
    return "\n".join(parts)


def tile(root: str, name: str) -> str:
    kind = games()[name]
    about = " ".join((kind.__doc__ or "").split("\n\n")[0].split())
    folder = kind.__module__.split(".")[2]
    text = f"<b>{escape(name_game(kind))}</b><span>{escape(about)}</span>"
    return f'<a href="{root}games/{folder}/"><img src="{root}covers/{name}.svg" alt="" loading="lazy">{text}</a>'
