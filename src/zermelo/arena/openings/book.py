"""An opening, and the book of openings that a tournament is played from."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.errors import ActionError, PositionError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.play import LiveGame


@dataclass(frozen=True, slots=True)
class Opening:
    """A position and moves from there on; as text, so that it can be kept."""

    start: str | None = None
    """The position as the game's `write` gives it; `None` for the initial one."""
    moves: tuple[str, ...] = ()
    """In the game's notation, including those of chance."""

    def reach(self, game: Game[S, A]) -> tuple[S, list[S]]:
        """The state in which play begins, and all states before it; raises an `InputError` if it fails."""
        start = None if self.start is None else game.read(self.start)
        live = LiveGame(game, start, longest_plies=len(self.moves) + 1)
        for number, text in enumerate(self.moves):
            if live.is_over:
                raise ActionError(
                    f"the game is over before {text!r}, move {number + 1} of the opening: leave out the rest"
                )
            live.push(game.read_action(live.state, text))
            if live.ending is not None and live.ending.reason == "repetition":
                raise ActionError(f"{text!r}, move {number + 1} of the opening, brings a position back: leave it out")
        if live.is_over:
            if not self.moves:
                raise PositionError("the game is over in this position: take one in which somebody can still move")
            raise PositionError("the opening ends the game: leave out its last moves")
        return live.state, live.history

    def __str__(self) -> str:
        """The opening as a line of a `.txt` file."""
        start = "" if self.start is None else f"position {self.start}"
        moves = " ".join(self.moves)
        return f"{start} moves {moves}" if start and moves else start or moves or "startpos"


@dataclass(frozen=True, slots=True)
class OpeningBook:
    """Openings in the order in which they are played; after the last one comes the first."""

    openings: tuple[Opening, ...]
    source: str
    """Where they are from, as the command line names it."""
    note: str = ""
    """What users of the book should know; may be empty."""

    def __len__(self) -> int:
        return len(self.openings)

    def pick(self, number: int) -> Opening:
        """The opening of meeting `number`, from 0 on."""
        return self.openings[number % len(self.openings)]
