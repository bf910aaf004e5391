"""A small game, and ladders of it."""

from __future__ import annotations

from typing import NamedTuple

from zermelo import Game
from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.ladder import Ladder, Rung


class Stones(Game):
    """Take one, two or three stones; whoever takes the last one wins."""

    class State(NamedTuple):
        stones: int
        turn: int

    def initial(self):
        return self.State(13, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n

    def result(self, s, a):
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.stones == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0


class Solitaire(Stones):
    players = 1


def rungs(*ratings):
    return tuple(Rung("random" if i == 0 else f"search:depth={i}", float(elo), elo - 20.0, elo + 20.0, 100.0)
                 for i, elo in enumerate(ratings))  # fmt: skip


def stored(game, *ratings):
    """A ladder of `game` with these ratings, in the data folder."""
    made = Ladder(game.name, files.identity(game), files.rules_of(game), rungs(*ratings))
    path = files.place_of("ladders", game)
    files.write(path, made.data())
    return path
