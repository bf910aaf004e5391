"""The pictures of the studio in the docs, by Chromium: `make screenshots` writes them into docs/pictures/."""

from __future__ import annotations

import base64
import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
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


TRAINED = "breakthrough.py:Breakthrough"
TRAINED_RULES = """from zermelo.game import Game
from zermelo.games.breakthrough import Breakthrough as Rules


class Breakthrough(Rules):
    evaluate, priority = Game.evaluate, Game.priority  # what is made by hand would have to be beaten first

    def __init__(self, columns: int = 6, rows: int = 6):
        super().__init__(columns, rows)
"""


def choose_game(page: Any, game: str) -> None:
    page.get_by_role("combobox", name="Game", exact=True).select_option(game)


def new_game(page: Any, game: str, *seats: str, position: str = "") -> None:
    """Begins a game by its sheet."""
    page.get_by_role("button", name="New game…").first.click()
    sheet = page.get_by_role("dialog", name="New game")
    sheet.locator(f'.tile[data-game="{game}"]').click()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    sheet.get_by_text("Seats, clock and position").click()
    for number, seat in enumerate(seats):
        sheet.locator(".seat select").nth(number).select_option(seat)
    sheet.get_by_label("Position", exact=True).fill(position)
    sheet.get_by_role("button", name="Start game").click()
    expect(sheet).to_be_hidden()


def gallery(page: Any) -> None:
    page.get_by_role("button", name="New game…").first.click()
    page.locator('.tile[data-game="connect4"]').click()
    expect(page.locator(".game-title")).to_have_text("Connect Four")


def review(page: Any) -> None:
    """A mate in four moves, and what led to it."""
    new_game(page, "chess", "human", "human")
    for count, move in enumerate(("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"), 1):
        page.get_by_label("Your move, typed").fill(move)
        page.keyboard.press("Enter")
        expect(page.locator(".moves li")).to_have_count(count)
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".review h2")).to_have_text("Review", timeout=60_000)
    page.get_by_role("button", name="Previous mistake").click()
    expect(page.locator(".board .z-arrow")).to_have_count(2)


def play(page: Any) -> None:
    """A few moves against the engine, which has thought about the last one."""
    new_game(page, "connect4", "human", "engine:seconds=1")
    for count, column in enumerate(("4", "4", "3"), 1):
        page.locator(f'div.board:not([aria-busy]) [data-at="{column}"]').last.click()
        expect(page.locator(".moves li")).to_have_count(2 * count)


def backgammon(page: Any) -> None:
    """A play that is half made."""
    game = z.load("backgammon")
    start = game.initial()
    position = game.write(game.result(start, game.read_action(start, "31")))
    new_game(page, "backgammon", "human", "human", position=position)
    for point in ("8", "5"):
        page.locator(f'div.board:not([aria-busy]) [data-at="{point}"]').last.click()
    expect(page.locator(".board .used")).to_have_count(1)


def watch(page: Any) -> None:
    """Two searches side by side, where they part ways."""
    page.locator(".question > summary").click()
    page.get_by_label("Compare with").select_option("minimax")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".trace-side svg.zermelo-tree")).to_have_count(2)
    page.get_by_role("button", name="Go to the first difference").click()


def long_run(page: Any) -> None:
    """The middle of a run of a million steps."""
    page.locator(".question > summary").click()
    page.get_by_label("Search", exact=True).select_option("game")
    choose_game(page, "connect4")
    page.get_by_label("Algorithm").select_option("minimax")
    page.get_by_label("Depth").fill("6")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".count").first).to_contain_text("/ 411,771", timeout=120_000)
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
    page.get_by_label("Games per pairing").fill("4")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".status")).to_have_text("The tournament is over.", timeout=120_000)


def classroom(page: Any) -> None:
    """Four bots, two of which crash, and one of their games."""
    expect(page.get_by_label("Players, one a line")).to_have_value("ada\nbob\neve\nzoe")
    page.get_by_label("Games per pairing").fill("4")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".status")).to_have_text("The tournament is over.", timeout=120_000)
    page.locator(".faults button").first.click()
    expect(page.locator(".replay .board svg")).to_be_visible()


def count(page: Any) -> None:
    """A game of Go that is over, with a stone that is dead."""
    rows = "..OX...../.OOX.XX../.OXXX.X.X/OOOX.X.X./.O.OXXXX./.O.OOOOXX/X..O...O./...O.OO.O/...O....."
    new_game(page, "go", "human", "human", position=f"{rows} b - 0 0 0")
    for moves in (1, 2):
        page.get_by_role("group", name="Legal moves").get_by_role("button", name="pass").click()
        expect(page.locator(".moves li")).to_have_count(moves)
    expect(page.locator(".board .z-spot").first).to_be_visible()


def training(page: Any) -> None:
    """A training that is over, and what its network likes in the middle of a game."""
    expect(page.locator(".status")).to_contain_text("The training is over.")
    page.locator(".position").nth(2).click()
    expect(page.locator(".opinion .z-one").first).to_be_visible(timeout=60_000)
    expect(page.locator(".position").nth(2)).to_have_attribute("aria-pressed", "true")


SHOTS: dict[str, tuple[str, tuple[int, int], Callable[[Any], None], str]] = {
    "play": ("play", (1150, 760), play, ""),
    "gallery": ("play", (1150, 760), gallery, ""),
    "review": ("play", (1150, 760), review, ""),
    "count": ("play", (1150, 760), count, ""),
    "backgammon": ("play", (1150, 760), backgammon, ""),
    "watch": ("watch", (1150, 1010), watch, ""),
    "long-run": ("watch", (1150, 1010), long_run, ""),
    "why-not": ("analyse", (1000, 700), why_not, ""),
    "theory": ("theory", (1000, 900), theory, ""),
    "learn": ("theory", (1000, 900), learn, ".learning"),
    "tournament": ("arena", (1000, 760), tournament, ""),
    "class": ("arena", (1150, 1000), classroom, ""),
    "training": ("training", (1150, 1500), training, ""),
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


@contextlib.contextmanager
def studio(*games: str, folder: str | None = None) -> Iterator[str]:
    """A studio that is started in `folder`: its address."""
    command = [sys.executable, "-m", "zermelo", "studio", *games, "--no-open", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout is not None
        try:
            yield next(line.strip() for line in process.stdout if "token=" in line)
        finally:
            process.terminate()


@contextlib.contextmanager
def trained() -> Iterator[str]:
    """A studio beside a training of four minutes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "breakthrough.py").write_text(TRAINED_RULES, encoding="utf-8")
        quick = "nodes=100,width=32,move_seconds=0.003"
        command = [sys.executable, "-m", "zermelo", "train", TRAINED, "--minutes", "4", "--networks", quick]
        subprocess.run(command, cwd=folder, check=True)
        with studio(TRAINED, folder=folder) as address:
            yield address


CLASS = {
    "ada": "return list(game.actions(state))[-1]",
    "bob": "return next(iter(game.actions(state)))",
    "eve": "return list(game.actions(state))[len(history)]",
    "zoe": "return sorted(game.actions(state), key=lambda a: state.board[a])[0]",
}


@contextlib.contextmanager
def school() -> Iterator[str]:
    """A studio with a class of bots, two of which are wrong."""
    with tempfile.TemporaryDirectory() as folder:
        (bots := Path(folder, "bots")).mkdir()
        for name, choice in CLASS.items():
            text = f"class {name.capitalize()}:\n    def choose(self, game, state, history):\n        {choice}\n"
            Path(bots, f"{name}.py").write_text(text, encoding="utf-8")
        with studio("--bot", "bots", folder=folder) as address:
            yield address


def main() -> None:
    names = sys.argv[1:] or list(SHOTS)
    with sync_playwright() as driver:
        system = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = driver.chromium.launch(executable_path=system, args=["--no-sandbox"])
        for serve, wanted in (
            (studio, [n for n in names if n not in ("training", "class")]),
            (school, [n for n in names if n == "class"]),
            (trained, [n for n in names if n == "training"]),
        ):
            if wanted:
                with serve() as address:
                    for name in wanted:
                        shoot(browser, address, name)


if __name__ == "__main__":
    main()
