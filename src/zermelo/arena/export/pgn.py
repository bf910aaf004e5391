"""PGN, the format of chess, for every game: the movetext is in the game's own notation.

White is whom the game calls so, else player 0, and `1-0` says that White has won. Games other than chess have a tag
`Variant`; with more or fewer than two players the result is a star, and `Utilities` tells what everybody got. A start
other than the initial position stands in `FEN`, as the game writes it. A move that a reader could mistake stands in
quotes. Comments are those of cutechess: value, depth, seconds.
"""

from __future__ import annotations

from zermelo.arena.export._game import ExportGame, Writer
from zermelo.arena.export._movetext import further_tags, roster, write_moves
from zermelo.arena.export._text import wrap, write_tags


class Pgn:
    name = "pgn"
    scope = "all games"

    def suits(self, game: ExportGame) -> bool:
        return True

    def write(self, game: ExportGame) -> str:
        tags = [*roster(game), *self.tags(game), *further_tags(game)]
        return f"{write_tags(tags)}\n{wrap(write_moves(game))}\n"

    def tags(self, game: ExportGame) -> list[tuple[str, str]]:
        """What makes it this game, and not a game of chess for two."""
        tags = [] if game.game.casefold() == "chess" else [("Variant", game.game)]
        if game.spec:
            tags.append(("Game", game.spec))
        if game.start is not None:
            tags += [("SetUp", "1"), ("FEN", game.start)]
        if len(game.players) != 2:
            tags += [(f"Player{p + 1}", name) for p, name in enumerate(game.players)]
            if game.utilities is not None:
                tags.append(("Utilities", " ".join(f"{u:g}" for u in game.utilities)))
        return tags


WRITER: Writer = Pgn()
