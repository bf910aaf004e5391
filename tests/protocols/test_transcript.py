"""The conversation on the page about protocols is what the engine says."""

from __future__ import annotations

import re
from pathlib import Path

from zermelo.arena.calibrate.weakened import find_weakened
from zermelo.games import load
from zermelo.protocols.session import Session
from zermelo.protocols.uci import UciServer

PAGE = Path(__file__).parents[2] / "docs" / "protocols.md"


def test_the_page_shows_what_the_engine_says():
    (block,) = re.findall(r"```text\n\$ zermelo engine (\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    game, shown = block
    said = []
    rules = load(game)
    server = UciServer(Session(rules, find_weakened(rules)), said.append)
    for line in re.findall(r"^> (.*)$", shown, re.MULTILINE):
        said.append(f"> {line}")
        server.handle(line)
        if line.startswith("go"):
            server.session.search.join()
    pattern = "".join(re.escape(line).replace("…", ".*") + "\n" for line in shown.splitlines())
    assert re.fullmatch(pattern, "".join(f"{line}\n" for line in said)), "\n".join(said)
