"""The kinds of players, found by a scan of this folder, and the text that names one.

    search:seconds=1               the search that fits the game, a second a move
    alphabeta:depth=6,order=best   an algorithm with the options of the textbook
    random:seed=3                  any legal action
    human                          a person at the terminal
    uci:stockfish?Skill Level=3    a program that speaks a protocol
    python:bot.py:Bot              a class of your own, in a process of its own

Each file has `KINDS`: for each name a `Kind`, which says what it is and makes such a player of the text of its options.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from zermelo.analysis import Clock
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.play import Chooser, Guest, PlayerMove, Wish, ask, varies


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


def kinds() -> dict[str, Kind]:
    """Every kind of player by name, in alphabetical order."""
    found: dict[str, Kind] = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            found |= importlib.import_module(f"{__name__}.{module.name}").KINDS
    return dict(sorted(found.items()))


def make_player(spec: str) -> Chooser:
    """The player that `spec` names."""
    name, _, options = spec.strip().partition(":")
    known = kinds()
    kind = name.strip().lower().replace("_", "-")
    if kind not in known:
        near = difflib.get_close_matches(kind, known, 1, 0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise OptionError(f"no player is called {name!r}; {hint}there are {', '.join(known)}")
    return known[kind](options)


def make_players(specs: str) -> list[Chooser]:
    """The players that `specs` names, with commas between them: `human,alphabeta:depth=6,order=best`.

    A part that is an option (`order=best`) belongs to the player before it.
    """
    names: list[str] = []
    for part in re.split(r",(?![^(\[]*[)\]])", specs):
        if names and re.match(r"\s*\w+\s*=", part):
            names[-1] += f",{part}"
        else:
            names.append(part)
    return [make_player(name) for name in names]


class Player:
    """A player of the package by its text, as in `Player("alphabeta:depth=8")`."""

    def __init__(self, spec: str):
        self.name = spec
        self._player = make_player(spec)
        self.varies = varies(self._player)

    def __repr__(self) -> str:
        return f"Player({self.name!r})"

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A | Wish:
        chosen: A | Wish = self._player.choose(game, state, history)
        return chosen

    def think(self, game: Game[S, A], state: S, history: Sequence[S] = (), clock: Clock | None = None) -> PlayerMove[A]:
        return ask(self._player, game, state, history, clock or Clock())

    def begin(self, game: Game, seat: int) -> None:
        if isinstance(self._player, Guest):
            self._player.begin(game, seat)

    def close(self) -> None:
        if isinstance(self._player, Guest):
            self._player.close()
