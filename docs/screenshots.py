"""The pictures of the studio in the docs, by Chromium: `make screenshots` writes them into docs/pictures/."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

import zermelo as z

FOLDER = Path(__file__).resolve().parent / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUALITY = 0.8

# WebP takes a quarter of what PNG does, and the browser can make it.
SHRINK = """async ([picture, quality]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality).split(",")[1];
}"""


def choose_game(page: Any, game: str) -> None:
    page.get_by_role("combobox", name="Game", exact=True).select_option(game)


def play(page: Any) -> None:
    """A few moves against the engine, which has thought about the last one."""
    choose_game(page, "connect4")
    for number, seat in enumerate(("human", "engine:seconds=1")):
        page.locator(".seat select").nth(number).select_option(seat)
    page.get_by_role("button", name="New game").click()
    for count, column in enumerate(("4", "4", "3"), 1):
        page.locator(f'div.board:not([aria-busy]) [data-at="{column}"]').last.click()
        expect(page.locator(".moves li")).to_have_count(2 * count)


def backgammon(page: Any) -> None:
    """A play that is half made."""
    game = z.load("backgammon")
    start = game.initial()
    choose_game(page, "backgammon")
    page.get_by_text("Clock and position").click()
    page.get_by_label("Position").fill(game.write(game.result(start, game.read_action(start, "31"))))
    for number in range(2):
        page.locator(".seat select").nth(number).select_option("human")
    page.get_by_role("button", name="New game").click()
    for point in ("8", "5"):
        page.locator(f'div.board:not([aria-busy]) [data-at="{point}"]').last.click()
    expect(page.locator(".board .used")).to_have_count(1)


def watch(page: Any) -> None:
    """Two searches side by side, where they part ways."""
    page.get_by_label("beside").select_option("minimax")
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".trace-side svg.zermelo-tree")).to_have_count(2)
    page.get_by_role("button", name="Go to the first difference").click()


def long_run(page: Any) -> None:
    """The middle of a run of a million steps."""
    page.get_by_label("Search", exact=True).select_option("game")
    choose_game(page, "connect4")
    page.get_by_label("Algorithm").select_option("minimax")
    page.get_by_label("Depth").fill("6")
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".counts").first).to_contain_text("137,257 nodes", timeout=120_000)
    page.locator(".zermelo-trace").focus()
    page.keyboard.press("Home")
    page.locator(".zermelo-trace input[type=range]").evaluate(
        "slider => { slider.value = 200000; slider.dispatchEvent(new Event('input')) }"
    )
    expect(page.locator(".trace-side .count")).to_have_text(re.compile("^200,000 / "))


def why_not(page: Any) -> None:
    choose_game(page, "tictactoe")
    page.get_by_label("Position or moves").fill("xx./oo./...")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".status")).to_contain_text("x wins in 1 ply")
    page.get_by_label("A move to ask about").select_option("a1")
    page.get_by_role("button", name="Why not?").click()
    expect(page.locator(".answer")).to_contain_text("After this, o wins in 1 ply")


def theory(page: Any) -> None:
    expect(page.locator(".value-line")).to_contain_text("20/7")


def learn(page: Any) -> None:
    page.locator(".learning").get_by_label("Iterations").fill("300")
    page.locator(".learning").get_by_role("button", name="Learn").click()
    expect(page.locator(".learning .status")).to_contain_text("300 iterations")


def tournament(page: Any) -> None:
    page.get_by_label("Players, one a line").fill("alphabeta:depth=4\nalphabeta:depth=2\nmcts:simulations=200\nrandom")
    page.get_by_label("Games for each two").fill("4")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".status")).to_have_text("The tournament is over.", timeout=120_000)


SHOTS: dict[str, tuple[str, tuple[int, int], Callable[[Any], None], str]] = {
    "play": ("play", (1000, 760), play, ""),
    "backgammon": ("play", (1000, 800), backgammon, ""),
    "watch": ("watch", (1150, 1010), watch, ""),
    "long-run": ("watch", (1150, 1010), long_run, ""),
    "why-not": ("analyse", (1000, 700), why_not, ""),
    "theory": ("theory", (1000, 900), theory, ""),
    "learn": ("theory", (1000, 900), learn, ".learning"),
    "tournament": ("arena", (1000, 760), tournament, ""),
}
"""Of each picture: the view, its size, what is done there, and the part that is shown if not all."""


def shoot(browser: Any, address: str, name: str) -> None:
    view, (width, height), act, part = SHOTS[name]
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    page.goto(address)
    page.evaluate("view => { location.hash = view }", view)
    waits = {
        "play": ".board svg",
        "watch": ".trace-side .zermelo-tree",
        "analyse": ".lines li",
        "theory": ".equilibrium",
    }
    page.wait_for_selector(waits.get(view, ".setup"))
    act(page)
    page.wait_for_timeout(1000)  # for what moves to come to rest
    picture = base64.b64encode(page.locator(part or "body").screenshot()).decode()
    blank = browser.new_page()
    file = FOLDER / f"studio-{name}.webp"
    file.write_bytes(base64.b64decode(blank.evaluate(SHRINK, [picture, QUALITY])))
    print(f"{file.name}: {file.stat().st_size:,} bytes")
    blank.close()
    page.close()


def main() -> None:
    command = [sys.executable, "-m", "zermelo", "studio", "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio, sync_playwright() as driver:
        assert studio.stdout is not None
        try:
            address = next(line.strip() for line in studio.stdout if "token=" in line)
            system = next(filter(None, map(shutil.which, BROWSERS)), None)
            browser = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
            for name in sys.argv[1:] or SHOTS:
                shoot(browser, address, name)
        finally:
            studio.terminate()


if __name__ == "__main__":
    main()
