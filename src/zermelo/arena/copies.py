"""Games that players repeat: a hundred copies of one game are one observation, and statistics count it once.

Only what nothing can vary is a copy. Where chance has moved, two equal games are two observations, and so they are
where a player draws its actions: one that says so (`varies`), or one of those who were seen to play the same opening in
two ways. A game lost by a failure is no copy either: that a player fails again is new information.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain

from zermelo.arena.scheduled import PlayedGame

Opening = tuple[frozenset[int], int]
"""Who met, and from which opening."""


def signature(encounter: Sequence[PlayedGame]) -> Hashable | None:
    """A key that is equal for an encounter and its copies; `None` if it cannot be a copy."""
    for _, outcome in encounter:
        record = outcome.record
        chance = None in record.seconds  # what took nobody any time, chance did
        if chance or not record.moves or (record.culprit is not None and record.reason != "resignation"):
            return None
    return frozenset((scheduled.seats, outcome.record.start, outcome.record.moves) for scheduled, outcome in encounter)


class Sieve:
    """Takes encounters one by one, and gives back those that are known to count.

    A repetition is held back, until those who met are seen to vary: then it counts, and so does what was held.
    """

    def __init__(self, varying: Collection[int] = ()):
        self.varying = frozenset(varying)
        """Entrants who say that they vary."""
        self.held: dict[frozenset[int], list[list[PlayedGame]]] = defaultdict(list)
        self._varied: set[frozenset[int]] = set()
        self._seen: set[Hashable] = set()
        self._ways: dict[Opening, Hashable] = {}
        """How an opening went on for the first time."""

    def take(self, encounter: list[PlayedGame]) -> Iterator[list[PlayedGame]]:
        mark = signature(encounter)
        who = frozenset(encounter[0][0].seats)
        if mark is None or who & self.varying or who in self._varied:
            yield encounter
            return
        if self._ways.setdefault((who, encounter[0][0].opening), mark) != mark:
            self._varied.add(who)
            yield from chain(self.held.pop(who, []), [encounter])
        elif mark in self._seen:
            self.held[who].append(encounter)
        else:
            self._seen.add(mark)
            yield encounter


def without_copies(games: Iterable[PlayedGame], varying: Collection[int] = ()) -> list[PlayedGame]:
    """`games`, in their order, without the encounters that are copies of earlier ones."""
    kept = list(games)
    encounters: dict[tuple[int, int, int], list[PlayedGame]] = defaultdict(list)
    for scheduled, outcome in kept:
        encounters[scheduled.round, scheduled.meeting, scheduled.encounter].append((scheduled, outcome))
    sieve = Sieve(varying)
    for encounter in encounters.values():
        for _ in sieve.take(encounter):
            pass
    copies = {scheduled.number for held in sieve.held.values() for each in held for scheduled, _ in each}
    return [game for game in kept if game[0].number not in copies]
