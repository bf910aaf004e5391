"""How responsive the studio stays when many pages search at once, and what a person's move costs in a long game.

    python bench/studio.py --sessions 50
    python bench/studio.py --moves          the cost of a move alone

A studio in a process of its own. One page alone asks for a game's facts, again and again; then `--sessions` pages, each
with an analysis that runs and a game against the engine, ask the same. The figure is how long an answer takes, in
wall time, and the ratio of the two medians. Where Playwright and a Chromium are installed, also: the first paint of a
page, and how many bytes came for it, before anybody searches.

A move is measured in this process, at ply 60 of a random game between two people: Python calls, messages and bytes.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from typing import Any

from tools import answer, arguments, table
from websockets.asyncio.client import ClientConnection, connect

from zermelo.games import load
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.messages import PageRequest, write
from zermelo.studio.session import StudioSession
from zermelo.studio.views import make_views
from zermelo.studio.workers import WorkerPool

LONG_GAMES = ("chess", "othello", "go:size=9")
PLY = 60


class Page:
    """One page: asks, and leaves news aside."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.number = 0

    async def ask(self, verb: str, **given: Any) -> float:
        """How long the answer took."""
        self.number += 1
        started = time.perf_counter()
        await self.socket.send(json.dumps({"id": self.number, "do": verb, "with": given}))
        while True:
            message = json.loads(await self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message
                return time.perf_counter() - started


async def measure(address: str, sessions: int, rounds: int) -> dict[str, Any]:
    """Seconds of an answer, alone and among others."""
    host, token = re.fullmatch(r"http://([^/]+)/#token=(.+)", address).groups()  # type: ignore[union-attr]
    sockets = [
        await connect(f"ws://{host}/socket?token={token}", origin=f"http://{host}", max_size=None)  # type: ignore[arg-type]
        for _ in range(sessions)
    ]
    pages = [Page(socket) for socket in sockets]
    await pages[0].ask("home.games")
    alone = [await pages[0].ask("home.game", game="connect4") for _ in range(rounds)]

    async def work(page: Page) -> list[float]:
        await page.ask("analyse.open", game="connect4")
        await page.ask("play.new", game="connect4", seats=["engine:seconds=1", "engine:seconds=1"])
        taken = []
        for _ in range(rounds):
            taken.append(await page.ask("home.game", game="connect4"))
            await asyncio.sleep(0.2)
        return taken

    among = [each for taken in await asyncio.gather(*map(work, pages)) for each in taken]
    for socket in sockets:
        await socket.close()
    return {"sessions": sessions, "alone": describe(alone), "among": describe(among)}


PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def paint(address: str, rounds: int) -> dict[str, Any] | None:
    """Seconds to the first paint of fresh pages, and the bytes of one; `None` without a browser."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        print("left out: the first paint needs Playwright's Python package", file=sys.stderr)
        return None
    system = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
        except Error as error:
            print(f"left out: no Chromium can be started ({str(error).splitlines()[0]})", file=sys.stderr)
            return None
        taken, size = [], 0
        for _ in range(rounds):
            page = browser.new_page()
            answers: list[Any] = []
            page.on("response", lambda each, kept=answers: kept.append(each))
            page.goto(address)
            page.wait_for_selector(".board svg")
            taken.append(page.evaluate(PAINT))
            size = sum(len(each.body()) for each in answers)
            page.close()
        browser.close()
    return {"seconds": describe(taken), "bytes": size}


def random_moves(name: str) -> list[str]:
    """The moves of a random game that goes on after `PLY` plies."""
    game = load(name)
    for seed in range(1_000):
        dice = random.Random(seed)
        state, moves = game.initial(), []
        while not game.is_terminal(state) and len(moves) < PLY:
            action = dice.choice(list(game.actions(state)))
            moves.append(game.write_action(state, action))
            state = game.result(state, action)
        if not game.is_terminal(state):
            return [*moves, game.write_action(state, next(iter(game.actions(state))))]
    raise ValueError(name)


def measure_move(name: str) -> dict[str, int]:
    """What the last of some random moves costs."""
    *before, last = random_moves(name)
    session = StudioSession(Catalogue(), WorkerPool(0, "search"), make_views)
    given = {"game": name, "seats": ["human", "human"], "text": " ".join(before), "evaluate": False}
    loaded = session.handle(PageRequest(1, "play", "load", given))
    assert "ok" in loaded, loaded
    session.take_messages()
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    moved = session.handle(PageRequest(2, "play", "move", {"move": last}))
    sys.setprofile(None)
    assert "ok" in moved, moved
    messages = session.take_messages()
    return {"calls": calls, "messages": len(messages), "bytes": sum(len(write(each).encode()) for each in messages)}


def render_moves(found: dict[str, dict[str, int]]) -> str:
    rows = [[name, *(f"{value:,}" for value in cost.values())] for name, cost in found.items()]
    return table([f"a move at ply {PLY}", "Python calls", "messages", "bytes"], rows)


def describe(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
    most = ordered[int(0.95 * (len(ordered) - 1))]
    return {"median": statistics.median(ordered), "19 of 20 within": most, "worst": ordered[-1]}


def render(found: dict[str, Any]) -> str:
    rows = [
        [name, *(f"{1000 * value:.0f}" for value in found[part].values())]
        for part, name in (("alone", "one page, nothing searches"), ("among", f"{found['sessions']} pages that search"))
    ]
    ratio = found["among"]["median"] / found["alone"]["median"]
    if found["paint"] is not None:
        rows.append(["first paint of a page", *(f"{1000 * value:.0f}" for value in found["paint"]["seconds"].values())])
    told = (
        f"{table(['in ms', 'median', '19 of 20 within', 'worst'], rows)}\n\nratio of the first two medians: {ratio:.1f}"
    )
    return told if found["paint"] is None else f"{told}\nbytes of a page: {found['paint']['bytes']:,}"


def main() -> None:
    asked = arguments(
        __doc__,
        sessions=(50, "pages at once"),
        rounds=(20, "questions of each page"),
        paints=(5, "pages to open"),
        moves=(False, "measure the cost of a move alone"),
    )
    moves = {name: measure_move(name) for name in LONG_GAMES}
    if asked.moves:
        answer(asked, moves, render_moves(moves), timed=False)
        return
    command = [sys.executable, "-m", "zermelo", "studio", "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        try:
            address = next(line.strip() for line in studio.stdout if "token=" in line)
            painted = paint(address, asked.paints) if asked.paints else None
            found = asyncio.run(measure(address, asked.sessions, asked.rounds)) | {"paint": painted, "moves": moves}
            answer(asked, found, f"{render(found)}\n\n{render_moves(moves)}")
        finally:
            studio.terminate()


if __name__ == "__main__":
    main()
