"""What kind of game a game is: the one place that decides which methods apply to it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """The facts on which the choice of a method depends; `Game.kind` returns them."""

    players: int
    constant_sum: bool
    """Whether the utilities of all players add up to the same number at every end."""
    chance: bool
    """Whether there are dice or cards (`chances`)."""
    hidden: bool
    """Whether players do not see everything (`view`)."""
    simultaneous: bool
    """Whether consecutive actions are meant as simultaneous ones."""

    @property
    def single(self) -> bool:
        """A puzzle: one player, perhaps against chance."""
        return self.players == 1

    @property
    def adversarial(self) -> bool:
        """Two players with a constant sum: what one wins, the other loses."""
        return self.players == 2 and self.constant_sum

    @property
    def scalar(self) -> bool:
        """Whether one number per position is enough to search it: one player, or two with a constant sum."""
        return self.single or self.adversarial

    @property
    def deterministic(self) -> bool:
        return not self.chance

    @property
    def perfect_information(self) -> bool:
        return not self.hidden

    @property
    def combinatorial(self) -> bool:
        """Two-player, constant-sum, deterministic and of perfect information: chess, Go, Connect Four."""
        return self.adversarial and self.deterministic and self.perfect_information

    @property
    def not_scalar(self) -> str:
        """Why one number per position is not enough, as the end of "the game …"; empty if it is."""
        if self.scalar:
            return ""
        return f"has {self.players} players" if self.players > 2 else "is not a constant-sum game"

    def __str__(self) -> str:
        parts = [
            f"{self.players} player{'s' if self.players != 1 else ''}",
            "" if self.single else "constant sum" if self.constant_sum else "general sum",
            "chance" if self.chance else "deterministic",
            "simultaneous moves" if self.simultaneous else "",
            "hidden information" if self.hidden else "perfect information",
        ]
        return ", ".join(part for part in parts if part)
