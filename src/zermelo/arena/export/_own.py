"""A format that a game brings along (`record_format`, `write_record`), for the arena to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from zermelo.arena.export._game import ExportGame
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.play.notation import play_moves, read_position


class Own:
    """The format of one game, with its options."""

    def __init__(self, game: Game):
        self.rules = game
        self.name = game.record_format
        self.scope = f"games of {game.name} that it can hold"

    def suits(self, game: ExportGame) -> bool:
        try:
            self.write(game)
        except InputError:
            return False
        return True

    def write(self, game: ExportGame) -> str:
        """The game as text; `InputError` says why the format cannot hold it."""
        return self.rules.write_record(*self.played(game))

    def write_all(self, games: Iterable[ExportGame]) -> Iterator[str]:
        """A file of the games, piece by piece."""
        return self.rules.write_records(self.played(game) for game in games)

    def played(self, game: ExportGame) -> tuple[Any, list[Any], tuple[str, ...], tuple[float, ...] | None]:
        """Where the game begins, its actions, who played it and what they got."""
        rules = self.rules
        start = rules.initial() if game.start is None else read_position(rules, game.start)
        _last, before = play_moves(rules, start, game.moves)
        actions = [rules.read_action(s, move) for s, move in zip(before, game.moves, strict=True)]
        return start, actions, game.players, game.utilities
