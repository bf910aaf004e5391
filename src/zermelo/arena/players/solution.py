"""A player who never errs: it looks positions up in a solution saved by `zermelo solve GAME --strongly --save FILE`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Clock
from zermelo.arena.players._kind import Kind
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.play import PlayerMove

if TYPE_CHECKING:
    from zermelo.engine.solution import Solution


class Solved:
    """Plays from a file; the file is read when the game is known."""

    def __init__(self, path: str):
        if not path:
            raise OptionError("say which file holds the solution, as in solution:hexapawn.solution")
        if not Path(path).is_file():
            raise OptionError(f"there is no file {path}; `zermelo solve GAME --strongly --save {path}` writes it")
        self.name = f"solution:{path}"
        self.path = path
        self.solution: Solution | None = None

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        return self._load(game).choose(game, state, history)

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove:
        solution = self._load(game)
        return PlayerMove(solution.choose(game, state, history), solution.value(state))

    def begin(self, game: Game, seat: int) -> None:
        """Reads the file before a clock runs."""
        self._load(game)

    def close(self) -> None:
        self.solution = None

    def _load(self, game: Game) -> Solution:
        if self.solution is None or self.solution.game is not game:
            from zermelo.engine.solution import Solution

            self.solution = Solution.load(self.path, game)
        return self.solution


KINDS = {
    "solution": Kind(
        Solved,
        "Never errs: looks positions up in a file that `zermelo solve GAME --strongly --save FILE` has written.",
        "solution:tictactoe.solution",
    )
}
