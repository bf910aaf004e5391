"""Games that a player plays against itself, or against one opponent, as data to learn from.

    settings = SelfPlaySettings("connect4", "engine:nodes=5000", games=10_000)
    with SelfPlay.begin(settings, "data") as selfplay:
        selfplay.run(make_executor("processes", 2))

The folder holds `games.db`, in which every game is stored as it ends, and files of positions, each made of a block of
games once they have all ended. A file is there whole or not at all, and follows from the games: so whenever the process
is killed, nothing is lost and nothing is there twice.
"""

from __future__ import annotations

from zermelo.arena.selfplay.run import SelfPlay as SelfPlay
from zermelo.arena.selfplay.run import SelfPlaySettings as SelfPlaySettings
from zermelo.arena.selfplay.run import SelfPlaySummary as SelfPlaySummary
