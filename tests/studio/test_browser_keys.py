"""Boards of every kind, played by keys alone in a real Chromium."""

from __future__ import annotations

from typing import Any

import pytest

from tests.studio.conftest import Host
from tests.studio.tab import new_game, opened, playwright, sit_down, title_of

WAYS = """() => {
  const root = document.querySelector('.board-frame').shadowRoot;
  const firsts = new Map();
  for (const each of [...root.querySelectorAll('[data-at]')].reverse()) firsts.set(each.dataset.at, each);
  const ways = {};
  for (const [name, each] of firsts) {
    ways[name] = {};
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      each.focus();
      each.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      ways[name][key] = root.activeElement.dataset.at;
    }
  }
  return ways;
}"""
"""Where each arrow leads from each place."""
HERE = "document.querySelector('.board-frame').shadowRoot.activeElement?.dataset.at"


def find_way(ways: dict[str, dict[str, str]], start: str, goal: str) -> list[str]:
    """The arrows from one place to another."""
    known: dict[str, list[str]] = {start: []}
    queue = [start]
    for place in queue:
        for key, following in ways[place].items():
            if following not in known:
                known[following] = [*known[place], key]
                queue.append(following)
    assert goal in known, f"no arrows lead from {start} to {goal}"
    return known[goal]


def play_places(page: Any, places: list[str]) -> None:
    """One move: by arrows to each place, and Enter there; the focus is on the board when it begins."""
    for place in places:
        playwright.expect(page.locator("div.board:not([aria-busy])")).to_have_count(1)
        start = page.evaluate(HERE)
        assert start is not None, "the focus has left the board"
        ways = page.evaluate(WAYS)
        page.locator(f'.board [data-at="{start}"]').first.focus()
        for key in find_way(ways, start, place):
            page.keyboard.press(key)
        assert page.evaluate(HERE) == place
        page.keyboard.press("Enter")


def tab_to_board(page: Any) -> None:
    """From the button that began the game back to the board."""
    page.get_by_role("button", name="New game…").first.focus()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(HERE) is not None:
            return
    raise AssertionError("the board is not reached by Tab")


GAMES = {
    "tictactoe": ["a1", "b2", "c3", "c1"],
    "chess": ["e2 e4", "e7 e5", "g1 f3", "b8 c6"],
    "hex": ["a1", "d4", "b3"],
    "go:size=5": ["E5", "C3", "B4"],
    "morris": ["a1", "d7", "g4", "d2"],
    "kalah": ["3", "6", "1"],
    "nim": ["a1", "b2", "c1"],
    "checkers": ["9 13", "22 18"],
    "goofspiel": ["2", "3"],
    "battleship": [],
    "rock-paper-scissors": ["paper", "rock"],
    "pig": ["roll"],
}
"""Moves of two people, as the places that are clicked for them."""
HIDDEN = ("goofspiel", "battleship", "rock-paper-scissors")
"""Where the page is handed over before each of them."""


@pytest.mark.parametrize("text", GAMES)
def test_a_game_is_played_by_keys_alone(browser: Any, host: Host, text: str) -> None:
    name, _, options = text.partition(":")
    with opened(browser, host, "play") as page:
        new_game(page, name, "human", "human", options=options)
        if name in HIDDEN:
            sit_down(page)
        playwright.expect(page.locator(".board svg")).to_have_attribute("aria-label", title_of(name))
        tab_to_board(page)
        for number, move in enumerate(GAMES[text]):
            if name in HIDDEN and number > 0:
                sit_down(page)
            play_places(page, move.split())
        if name in HIDDEN and GAMES[text] and name != "rock-paper-scissors":
            sit_down(page)
        ways = page.evaluate(WAYS)  # wherever one is, one gets everywhere
        for start in ways:
            for goal in ways:
                find_way(ways, start, goal)


@pytest.mark.parametrize(("game", "options"), [("kuhn", ""), ("race", "steps=30")])  # no dice end that at once
def test_buttons_keep_the_focus_from_move_to_move(browser: Any, host: Host, game: str, options: str) -> None:
    with opened(browser, host, "play") as page:
        new_game(page, game, "human", "human", options=options)
        if game == "kuhn":
            sit_down(page)
        buttons = page.get_by_role("group", name="Legal moves").get_by_role("button")
        playwright.expect(page.locator(".board svg")).to_have_attribute("aria-label", title_of(game))
        buttons.first.focus()
        page.keyboard.press("Enter")
        if game == "kuhn":
            sit_down(page)
        playwright.expect(page.locator(".status")).to_contain_text("Player 1 to move")
        playwright.expect(buttons.first).to_be_focused()
