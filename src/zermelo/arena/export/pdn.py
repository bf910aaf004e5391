"""PDN, the format of draughts, for checkers: squares by number, `GameType` 21.

Black is player 0 and moves first; `1-0` says that White has won, as in the standard.
"""

from __future__ import annotations

import re

from zermelo.arena.export._game import ExportGame, Writer
from zermelo.arena.export._movetext import further_tags, roster, write_moves
from zermelo.arena.export._text import wrap, write_tags

QUIET = re.compile(r":H\d+$")
"""How many quiet plies there were, which the standard's positions do not say."""


class Pdn:
    name = "pdn"
    scope = "checkers"

    def suits(self, game: ExportGame) -> bool:
        return game.game.casefold() == "checkers"

    def write(self, game: ExportGame) -> str:
        tags = [*roster(game), ("GameType", "21")]
        if game.start is not None:
            tags += [("SetUp", "1"), ("FEN", QUIET.sub("", game.start))]
        return f"{write_tags([*tags, *further_tags(game)])}\n{wrap(write_moves(game))}\n"


WRITER: Writer = Pdn()
