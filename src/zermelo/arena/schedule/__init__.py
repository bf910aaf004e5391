"""Who meets whom in a tournament: one file a format of play, found by a scan of this folder.

    round-robin   every table of entrants that there can be
    gauntlet      the first entrant against all others
    swiss         equals meet equals, for a few rounds
    knock-out     who loses is out

A schedule remembers nothing: the next round is a function of the rounds that were played, so that a tournament that
was killed goes on with the same meetings. Each file has `KINDS`: the class for each name.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable

from zermelo.arena.schedule._meeting import Meeting as Meeting
from zermelo.arena.schedule._meeting import Result as Result
from zermelo.arena.schedule._meeting import Schedule as Schedule
from zermelo.errors import OptionError


def kinds() -> dict[str, Callable[[int, int, int | None], Schedule]]:
    """Every format by name, in alphabetical order."""
    found: dict[str, Callable[[int, int, int | None], Schedule]] = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            found |= importlib.import_module(f"{__name__}.{module.name}").KINDS
    return dict(sorted(found.items()))


def make_schedule(kind: str, entrants: int, seats: int, rounds: int | None = None) -> Schedule:
    """The schedule of a tournament of so many entrants, `seats` of whom play in each game.

    Entrants are 0 … `entrants` − 1, in the order of their seeds, the best first.
    """
    known = kinds()
    wanted = kind.strip().lower().replace("_", "-")
    found = [name for name in known if name.replace("-", "") == wanted.replace("-", "")]
    if not found:
        near = difflib.get_close_matches(wanted, known, 1, 0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise OptionError(f"no format of play is called {kind!r}; {hint}there are {', '.join(known)}")
    return known[found[0]](entrants, seats, rounds)
