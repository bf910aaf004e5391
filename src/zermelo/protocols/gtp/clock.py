"""The time that the protocol's settings leave for one move.

First comes the main time, shared among the moves that are still to be expected; then overtime, B seconds for each S
stones, for ever: so a move has its part of a period from the beginning on, and a share of the main time besides.
Without settings a move has a fixed number of seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from zermelo.analysis import Clock

SAFETY = 0.9
"""The part of an overtime period that is used, as the way to the clock takes time too."""
LEAST_MOVES = 12
"""How many moves a main time is shared among at least."""


@dataclass(slots=True)
class GtpClock:
    """What was set, and what is left to each player."""

    seconds: float
    """For a move where no time is set."""
    main: float | None = None
    overtime: float = 0.0
    stones: int = 0
    """Moves in each period of overtime; 0 for none."""
    left: list[tuple[float, int]] = field(default_factory=list)
    """Each player's seconds, and the stones of the period if it is in overtime."""

    def set(self, main: float | None, overtime: float = 0.0, stones: int = 0) -> None:
        """`main` is `None` for a game without a clock."""
        self.main, self.overtime, self.stones = main, overtime, stones
        self.restart()

    def restart(self) -> None:
        """A new game: all time is left."""
        start = (self.main, 0) if self.main else (self.overtime, self.stones)
        self.left = [start, start] if self.main is not None else []

    def tell(self, p: int, seconds: float, stones: int) -> None:
        """What the controller says is left."""
        if len(self.left) < 2:
            self.left = [(seconds, stones)] * 2
        self.left[p] = (seconds, stones)

    def clock(self, p: int, moves: int) -> Clock:
        """What a search may take for one move of player `p`, who may have to make that many more."""
        if not self.left:
            return Clock(move_seconds=self.seconds)
        seconds, stones = self.left[p]
        if stones > 0:
            return Clock(move_seconds=max(SAFETY * seconds / stones, 0.01))
        moves = max(moves, LEAST_MOVES)
        if self.stones > 0 and self.overtime > 0:
            return Clock(move_seconds=SAFETY * (seconds / moves + self.overtime / self.stones))
        return Clock((seconds, seconds), moves_to_go=moves)

    def spend(self, p: int, seconds: float) -> None:
        """Counts a move, for controllers that do not tell what is left."""
        if not self.left:
            return
        before, stones = self.left[p]
        after = before - seconds
        if stones > 1:
            self.left[p] = (max(after, 0.0), stones - 1)
        elif (stones == 1 or after <= 0) and self.stones > 0:
            self.left[p] = (self.overtime, self.stones)
        else:
            self.left[p] = (max(after, 0.0), 0)
