"""Encounters that say nothing new, because the same players have played the same games before.

Players that roll no dice repeat themselves wherever an opening comes back. A hundred copies of one game are one
observation, and statistics that took them for a hundred would be sure of anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from zermelo.arena.fixture import Fixture, Outcome

Played = tuple[Fixture, Outcome]


def signature(encounter: Sequence[Played]) -> Hashable | None:
    """What two encounters have in common of which one is a copy; `None` if it can be no copy.

    A game that a player lost by failing is none: that it fails again is news.
    """
    for _, outcome in encounter:
        record = outcome.record
        if not record.moves or (record.culprit is not None and record.reason != "resignation"):
            return None
    return frozenset((fixture.seats, outcome.record.start, outcome.record.moves) for fixture, outcome in encounter)


def without_copies(games: Iterable[Played]) -> list[Played]:
    """`games`, in their order, without the encounters that are copies of earlier ones."""
    kept = list(games)
    encounters: dict[tuple[int, int, int], list[Played]] = defaultdict(list)
    for fixture, outcome in kept:
        encounters[fixture.round, fixture.meeting, fixture.encounter].append((fixture, outcome))
    seen: set[Hashable] = set()
    copies: set[int] = set()
    for encounter in encounters.values():
        mark = signature(encounter)
        if mark is not None and mark in seen:
            copies |= {fixture.number for fixture, _ in encounter}
        seen.add(mark)
    return [game for game in kept if game[0].number not in copies]
