"""The native engine as the commands use it: where it cannot compile a game, they say so once and go on in Python."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from zermelo.engine import InterpretedWarning, compile_or_none
from zermelo.engine.interpreted import interpreted_perft
from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.engine.compiled import Perft


@contextmanager
def warnings_said() -> Iterator[None]:
    """Says on standard error, in one line, that a game could not be compiled; once, however often it is tried."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InterpretedWarning)
        yield
    for text in dict.fromkeys(str(each.message) for each in caught if issubclass(each.category, InterpretedWarning)):
        click.echo(f"zermelo: {' '.join(text.split())}", err=True)


class Counter:
    """Counts the positions of one game, natively if its rules compile."""

    def __init__(self, game: Game):
        self.game = game
        with warnings_said():
            self.compiled = compile_or_none(game)

    @property
    def is_native(self) -> bool:
        return self.compiled is not None

    def count(self, state: Any, depth: int) -> Perft:
        """The size of the tree below `state`."""
        if self.compiled is not None:
            return self.compiled.perft(state, depth)
        return interpreted_perft(self.game, state, depth)
