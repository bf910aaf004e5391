"""What is said of a kind of player, and what makes one of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zermelo.play import Chooser


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of player; called with the text after its name it makes one."""

    make: Callable[[str], Chooser]
    summary: str
    """What it does, in one line."""
    example: str
    """A text that names such a player."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What each option means."""
    harmless: bool = False
    """Whether its text can do nothing but play: it names no file and no program, so a stranger may write it."""

    def __call__(self, text: str = "") -> Chooser:
        return self.make(text)
