"""A page gets what has changed, and no more."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest

from tests.studio.conftest import whole
from zermelo.games import load
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.messages import PageRequest, write
from zermelo.studio.session import StudioSession, find_changes
from zermelo.studio.views import make_views
from zermelo.studio.workers import WorkerPool

PLY = 60


def long_game(name: str) -> list[str]:
    """The moves of a random game of more than `PLY` plies."""
    game = load(name)
    for seed in range(100):
        dice = random.Random(seed)
        state, moves = game.initial(), []
        while len(moves) <= PLY + 1 and not game.is_terminal(state):
            action = dice.choice(list(game.actions(state)))
            moves.append(game.write_action(state, action))
            state = game.result(state, action)
        if len(moves) > PLY + 1:
            return moves
    raise AssertionError(name)


class LocalPage:
    """A page without a socket: keeps what it shows, and counts what comes."""

    def __init__(self) -> None:
        self.session = StudioSession(Catalogue(), WorkerPool(0, "search"), make_views)
        self.shown: dict[str, Any] = {}
        self.number = 0

    def ask(self, verb: str, **given: Any) -> tuple[int, int, int]:
        """Python calls of a request, and the messages and bytes that come of it."""
        self.number += 1
        view, _, name = verb.partition(".")
        calls = 0

        def count(_frame: Any, event: str, _argument: Any) -> None:
            nonlocal calls
            calls += event == "call"

        sys.setprofile(count)
        try:
            answer = self.session.handle(PageRequest(self.number, view, name, given))
        finally:
            sys.setprofile(None)
        assert "ok" in answer, answer
        return calls, *self.receive()

    def receive(self) -> tuple[int, int]:
        """The messages that have come, and their bytes."""
        messages = self.session.take_messages()
        for message in messages:
            name = message["event"]
            self.shown[name] = whole(self.shown.get(name), message)
        return len(messages), sum(len(write(message).encode()) for message in messages)


@pytest.mark.parametrize(("name", "most_calls"), [("chess", 9_000), ("othello", 3_000), ("go:size=9", 3_000)])
def test_a_move_in_a_long_game_costs_one_picture_and_one_entry_of_the_list(name: str, most_calls: int) -> None:
    moves, page = long_game(name), LocalPage()
    seats = ["human", "human"]
    page.ask("play.load", game=name, seats=seats, text=" ".join(moves[:PLY]), evaluate=False)
    before = page.shown["play"]
    calls, messages, size = page.ask("play.move", move=moves[PLY], ply=PLY)
    after = page.shown["play"]
    assert (after["ply"], len(after["moves"]), messages) == (PLY + 1, PLY + 1, 1)
    changed = find_changes(before, after)
    assert changed["moves"] == [PLY, after["moves"][PLY:]]
    whole_size = len(write({"picture": after["picture"], "legal": after["legal"]}).encode())
    assert size < 0.75 * whole_size + 500
    assert calls < most_calls


def test_news_about_something_else_costs_no_picture() -> None:
    page = LocalPage()
    page.ask("play.new", game="chess", seats=["random", "random"], evaluate=False)
    _, messages, size = page.ask("play.pause")
    assert (messages, page.shown["play"]["paused"]) == (1, True)
    assert size < 300
    assert page.ask("play.show")[1:] == (0, 0)  # nothing has changed


def test_a_page_that_connects_is_sent_everything_once() -> None:
    page = LocalPage()
    page.ask("play.new", game="tictactoe", seats=["human", "human"], evaluate=False)
    shown = page.shown.pop("play")
    page.session.refresh()
    page.receive()
    assert page.shown["play"] == shown
    page.ask("play.move", move="b2")
    assert page.shown["play"] == page.session.views["play"].snapshot()


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ([1, 2, 3], [1, 2, 3, 4], [3, [4]]),  # a list that goes on
        ([1, 2, 3], [1], [1, []]),  # one that is taken back
        ([1, 2], [1, 3, 4], [1, [3, 4]]),
        ([1, 2], [3], [[3]]),  # nothing in common
        ([1], [], [[]]),
        (1, 2, [2]),
        (1, True, [True]),
        (None, [1], [[1]]),
        ({"a": 1}, {"a": 2}, [{"a": 2}]),
        ("one", "two", ["two"]),
        ("a" * 900 + "b" * 900, "a" * 900 + "cd" + "b" * 900, [900, "cd", 900]),  # a long text
        ("a" * 1_500, "a" * 1_600, [1_500, "a" * 100, 0]),
        ("a" * 1_600, "a" * 1_500, [1_500, "", 0]),
        ("a" * 1_500, "b" * 1_500, ["b" * 1_500]),
        ("a" * 1_500 + "\U0001f600", "a" * 1_500, ["a" * 1_500]),  # which a page counts otherwise
    ],
)
def test_changes_lead_from_one_snapshot_to_the_next(before: Any, after: Any, changes: Any) -> None:
    old, new = {"same": [1], "it": before}, {"same": [1], "it": after}
    assert find_changes(old, new) == {"it": changes}
    assert whole(old, {"changes": find_changes(old, new)}) == new
    assert find_changes(new, dict(new)) == {}
