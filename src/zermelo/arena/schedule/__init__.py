"""Who meets whom in a tournament: the formats of play, found by a scan of this folder.

    round-robin   every table of entrants that there can be
    gauntlet      the first entrant against all others
    swiss         equals meet equals, for a few rounds
    knock-out     who loses is out
    ladder        neighbours meet, and winners climb

A schedule remembers nothing: the next round is a function of the rounds that were played, so that a tournament that
was killed goes on with the same meetings. Each module has `KINDS`: the class for each name.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

from zermelo.errors import OptionError
from zermelo.options import whole


def kinds() -> dict[str, Callable[[int, int, int | None], Schedule]]:
    """Every format by name, in alphabetical order."""
    found: dict[str, Callable[[int, int, int | None], Schedule]] = {}
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            found |= importlib.import_module(f"{__name__}.{module.name}").KINDS
    return dict(sorted(found.items()))


def make_schedule(kind: str, entrants: int, seats: int, rounds: int | None = None) -> Schedule:
    """The schedule of a tournament with that number of entrants, `seats` of them in each game.

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


MOST_MEETINGS = 1_000_000
"""More meetings than this in one round are surely a mistake."""


class Meeting(NamedTuple):
    """Those who meet at one table, in no order of seats."""

    entrants: tuple[int, ...]


class MeetingResult(NamedTuple):
    """What a meeting came to: points for each entrant, summed over all games of the meeting."""

    entrants: tuple[int, ...]
    points: tuple[float, ...]


class Schedule(Protocol):
    """A format of play. Both methods take the rounds that were played, each whole, the first one first."""

    name: str

    def next_round(self, played: Sequence[Sequence[MeetingResult]]) -> list[Meeting] | None:
        """The meetings of round `len(played)`; `None` when the tournament is over."""

    def standing(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """All entrants, the best first."""


def check_size(entrants: int, seats: int, rounds: int | None) -> None:
    """Refuses numbers that no tournament can have."""
    whole(2).check("seats", seats)
    whole(2).check("entrants", entrants)
    whole(1, optional=True).check("rounds", rounds)
    if entrants < seats:
        raise OptionError(f"a game for {seats} needs {seats} entrants or more, not {entrants}: enter more players")


def check_results(played: Sequence[Sequence[MeetingResult]], entrants: int) -> None:
    """Refuses results that are not of this tournament."""
    for number, results in enumerate(played):
        seen: Counter[tuple[int, ...]] = Counter()
        for result in results:
            known = all(0 <= entrant < entrants for entrant in result.entrants)
            if not known or len(result.points) != len(result.entrants) or len({*result.entrants}) < len(result.points):
                raise OptionError(f"round {number} has a result that is not of this tournament: {tuple(result)}")
            seen[tuple(sorted(result.entrants))] += 1
        if seen and max(seen.values()) > 1:
            raise OptionError(f"round {number} has two results of one meeting: add up all games of a meeting")


def total(points: Iterable[float]) -> float:
    """The sum without rounding errors, so that equal scores compare as equal."""
    return round(sum(points), 9)


def sum_points(played: Sequence[Sequence[MeetingResult]], entrants: int) -> list[float]:
    """The points of each entrant."""
    won: list[list[float]] = [[] for _ in range(entrants)]
    for result in (result for results in played for result in results):
        for entrant, points in zip(result.entrants, result.points, strict=True):
            won[entrant].append(points)
    return [total(points) for points in won]


def count_meetings(played: Sequence[Sequence[MeetingResult]]) -> Counter[tuple[int, int]]:
    """How often two have met, the lower number first."""
    met: Counter[tuple[int, int]] = Counter()
    for result in (result for results in played for result in results):
        met.update(combinations(sorted(result.entrants), 2))
    return met
