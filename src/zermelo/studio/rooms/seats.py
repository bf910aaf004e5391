"""Who sits at a table of the studio: a person at the page, and players whose clocks tell them when to stop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from zermelo.arena.clock import Timekeeper
from zermelo.arena.play import Table
from zermelo.arena.player import Clock, Guest
from zermelo.errors import PlayerError
from zermelo.game import Game
from zermelo.studio.desk import Job


class Person:
    """Whoever sits at the page; moves come by clicks, so nobody ever asks for one."""

    name = "human"

    def choose(self, game: Game, state: Any, history: Any) -> Any:
        raise PlayerError("a person moves by clicking")


class Keeper(Timekeeper):
    """Clocks that tell a player when nobody waits for it any more."""

    job: Job | None = None

    def clock(self) -> Clock:
        return replace(super().clock(), stop=self.job.should_stop if self.job else None)


def welcome(table: Table, seat: int, guests: set[int]) -> None:
    """Tells a player, before its clock runs, that a game begins: an engine compiles the rules then."""
    player = table.players[seat]
    if seat in guests and isinstance(player, Guest):
        with table.blaming(seat):
            player.begin(table.game, seat)
        guests.discard(seat)
