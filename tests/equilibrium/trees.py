"""Random extensive games: their trees are drawn, their information sets come from views."""

from __future__ import annotations

import random
from typing import NamedTuple

import zermelo as z

HORSE = """EFG 2 R "Selten's horse" { "Ann" "Bob" "Cleo" }
p "" 1 1 "Ann" { "D" "A" } 0
p "" 3 1 "Cleo" { "L" "R" } 0
t "" 1 "" { 3, 3, 2 }
t "" 2 "" { 0, 0, 0 }
p "" 2 1 "Bob" { "d" "a" } 0
p "" 3 1 0
t "" 3 "" { 4, 4, 0 }
t "" 4 "" { 0, 0, 1 }
t "" 5 "" { 1, 1, 1 }
"""

FORGETFUL = """EFG 2 R "a driver who forgets" { "Ann" }
p "" 1 1 "crossing" { "exit" "go on" } 0
t "" 1 "" { 0 }
p "" 1 1 0
t "" 2 "" { 4 }
t "" 3 "" { 1 }
"""


class RandomGame(z.Game):
    """A game of some plies in which each is chance's or a player's; players see only part of the actions."""

    class State(NamedTuple):
        path: tuple[int, ...]

    def __init__(self, seed: int, plies: int = 4, players: int = 2, zero_sum: bool = True, widest: int = 3):
        dice = random.Random(seed)
        self.players = players
        self.seed = seed
        self.zero_sum = zero_sum
        self.utility_sum = 0.0 if zero_sum else None
        self.bounds = (-5.0, 5.0)
        self.movers = [dice.randrange(-1, players) for _ in range(plies)]
        self.widths = [dice.randrange(1, widest + 1) for _ in range(plies)]
        self.seen = [[dice.random() < 0.5 for _ in range(plies)] for _ in range(players)]

    def initial(self):
        return self.State(())

    def player(self, s):
        return self.movers[len(s.path)]

    def actions(self, s):
        yield from () if self.is_terminal(s) else range(self.widths[len(s.path)])

    def chances(self, s):
        width = self.widths[len(s.path)]
        for a in range(width):
            yield a, (a + 1) / (width * (width + 1) / 2)

    def result(self, s, a):
        return self.State((*s.path, a))

    def is_terminal(self, s):
        return len(s.path) == len(self.movers)

    def utility(self, s, p):
        dice = random.Random(f"{self.seed}{s.path}")
        drawn = [dice.randrange(-4, 5) for _ in range(self.players)]
        return float(drawn[0] if p == 0 else -drawn[0]) if self.zero_sum else float(drawn[p])

    def view(self, s, p):
        return tuple(a if self.seen[p][i] or self.movers[i] == p else -1 for i, a in enumerate(s.path))
