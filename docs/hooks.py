"""What the site needs beyond its pages: each game's own page, and links to it that work in both places."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

GAMES = Path(__file__).resolve().parents[1] / "src" / "zermelo" / "games"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for readme in sorted(GAMES.glob("*/README.md")):
        files.append(File.generated(config, f"games/{readme.parent.name}.md", abs_src_path=str(readme)))
    for page in sorted(GAMES.glob("*.md")):
        files.append(File.generated(config, f"games/{page.name}", abs_src_path=str(page)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    if page.file.src_uri.startswith("games/"):
        return re.sub(r"\]\(\.\./(\w+)/README\.md\)", r"](\1.md)", markdown)
    return re.sub(r"\]\((?:\.\./)+src/zermelo/games/(\w+)(?:/README)?\.md\)", r"](games/\1.md)", markdown)
