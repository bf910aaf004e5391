"""What tests of views do as a page does."""

from __future__ import annotations

from typing import Any

from tests.studio.conftest import Page


def begin(page: Page, game: str, *seats: str, **more: Any) -> Any:
    page.news.pop("play", None)
    page.ask("play.new", game=game, seats=list(seats), **more)
    return page.wait("play")


def play(page: Page, *moves: str) -> Any:
    """Moves of people, until the page is handed over."""
    for move in moves:
        ply = page.news["play"]["ply"]
        page.ask("play.move", move=move)
        page.wait("play", lambda data, ply=ply: data["ply"] > ply or data["result"] or data["handover"] is not None)
    return page.news["play"]


def sit(page: Page, seat: int) -> Any:
    """The person of `seat` takes the page over."""
    page.ask("play.sit", seat=seat)
    return page.wait("play", lambda data: data["handover"] is None)
