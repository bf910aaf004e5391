"""Games that a player plays against itself, or against one opponent, as data to learn from.

    recipe = Recipe("connect4", "engine:nodes=5000", games=10_000)
    with Selfplay.begin(recipe, "data") as selfplay:
        selfplay.run(make_crew("processes", 2))

The folder holds `games.db`, in which every game is stored as it ends, and files of positions, each made of a block of
games once they have all ended. A file is there whole or not at all, and follows from the games: so whenever the process
is killed, nothing is lost and nothing is there twice.
"""

from __future__ import annotations

from zermelo.arena.selfplay.recipe import Recipe as Recipe
from zermelo.arena.selfplay.run import Selfplay as Selfplay
from zermelo.arena.selfplay.run import Summary as Summary
