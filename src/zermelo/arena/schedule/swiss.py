"""Swiss system: equals meet equals, and after a few rounds the best stands out.

In each round the best placed who is unpaired meets the nearest in score whom it has not met, as far as that leaves
everybody else an opponent whom they have not met; within a group of equal score the upper half meets the lower half.
So nobody meets twice while that can be avoided: pairings are perfect matchings of the graph of those who have not met.
Where it cannot, everybody may meet a second time, then a third.

Who is left over has a bye, worth as much as winning every game of a meeting of that round. It goes to the lowest
placed, and to nobody twice before everybody had one. With more than two seats, tables are filled from the top with
those who met those at the table least often, then nearest in score; rematches are then few, and not provably fewest.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from zermelo.arena.schedule import (
    Meeting,
    MeetingResult,
    check_results,
    check_size,
    count_meetings,
    sum_points,
    total,
)

Graph = dict[int, set[int]]


class Matching:
    """A matching that grows by augmenting paths; `mate` holds both ends of each edge."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.mate: dict[int, int] = {}

    def complete(self) -> bool:
        """Whether everybody can be matched; then everybody is."""
        return all(vertex in self.mate or self.augment(vertex) for vertex in sorted(self.graph))

    def augment(self, root: int) -> bool:
        """Matches the free vertex `root`, if an augmenting path begins there."""
        return _Search(self.graph, self.mate, root).run()


class _Search:
    """The tree of alternating paths from one free vertex; odd cycles (blossoms) are shrunk into their base."""

    def __init__(self, graph: Graph, mate: dict[int, int], root: int):
        self.graph = graph
        self.mate = mate
        self.root = root
        self.parent: dict[int, int] = {}
        self.base = {vertex: vertex for vertex in graph}
        self.even = {root}
        self.queue = deque([root])

    def run(self) -> bool:
        while self.queue:
            vertex = self.queue.popleft()
            for other in sorted(self.graph[vertex]):
                if self.base[vertex] == self.base[other] or self.mate.get(vertex) == other:
                    continue
                if other == self.root or self.mate.get(other) in self.parent:
                    self.shrink(vertex, other)
                elif other not in self.parent:
                    self.parent[other] = vertex
                    if other not in self.mate:
                        self.flip(other)
                        return True
                    self.even.add(self.mate[other])
                    self.queue.append(self.mate[other])
        return False

    def flip(self, end: int) -> None:
        """Exchanges the edges on the path from `end` to the root: those in the matching leave it, the others join."""
        at: int | None = end
        while at is not None:
            before = self.parent[at]
            following = self.mate.get(before)
            self.mate[at], self.mate[before] = before, at
            at = following

    def shrink(self, one: int, other: int) -> None:
        base = self.common_base(one, other)
        blossom: set[int] = set()
        self.mark(one, base, other, blossom)
        self.mark(other, base, one, blossom)
        for vertex in sorted(self.graph):
            if self.base[vertex] in blossom:
                self.base[vertex] = base
                if vertex not in self.even:
                    self.even.add(vertex)
                    self.queue.append(vertex)

    def common_base(self, one: int, other: int) -> int:
        """Where the ways of two vertices to the root meet."""
        seen = set()
        at = self.base[one]
        while True:
            seen.add(at)
            if at not in self.mate:
                break
            at = self.base[self.parent[self.mate[at]]]
        at = self.base[other]
        while at not in seen:
            at = self.base[self.parent[self.mate[at]]]
        return at

    def mark(self, vertex: int, base: int, child: int, blossom: set[int]) -> None:
        """Walks down one side of a blossom, and points its edges the other way round as well."""
        while self.base[vertex] != base:
            partner = self.mate[vertex]
            blossom |= {self.base[vertex], self.base[partner]}
            self.parent[vertex] = child
            child = partner
            vertex = self.parent[partner]


def first_perfect_matching(
    vertices: Sequence[int], graph: Graph, preferences: Callable[[Sequence[int]], Iterable[int]]
) -> list[tuple[int, int]] | None:
    """Pairs up all `vertices`, or gives `None` if the graph allows no such pairing.

    The first of those unpaired gets the first partner in `preferences(unpaired)` that leaves all others a pairing.
    """
    graph = {vertex: graph[vertex] & {*vertices} for vertex in vertices}
    matching = Matching(graph)
    if not matching.complete():
        return None
    unpaired = list(vertices)
    pairs = []
    while unpaired:
        first = unpaired[0]
        partner = next(p for p in preferences(unpaired) if p in matching.graph[first] and force(matching, first, p))
        pairs.append((first, partner))
        unpaired = [vertex for vertex in unpaired if vertex not in (first, partner)]
    return pairs


def force(matching: Matching, one: int, other: int) -> bool:
    """Takes the two out of a perfect matching as a pair, if the rest then still has a perfect matching."""
    mate = matching.mate
    rest = {v: near - {one, other} for v, near in matching.graph.items() if v not in (one, other)}
    trial = Matching(rest)
    trial.mate = {v: m for v, m in mate.items() if not {v, m} & {one, other}}
    if mate[one] != other and not trial.augment(mate[one]):
        return False
    matching.graph, matching.mate = trial.graph, trial.mate
    return True


def has_perfect_matching(vertices: Sequence[int], graph: Graph) -> bool:
    """Whether all `vertices` can be paired up among themselves."""
    return Matching({vertex: graph[vertex] & {*vertices} for vertex in vertices}).complete()


class Swiss:
    """`rounds` rounds; as many as halving takes to come down from all to one, if not said."""

    name = "swiss"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or (entrants - 1).bit_length()

    def next_round(self, played: Sequence[Sequence[MeetingResult]]) -> list[Meeting] | None:
        check_results(played, self.entrants)
        if len(played) >= self.rounds:
            return None
        points = self.points(played)
        ranked = sorted(range(self.entrants), key=lambda entrant: (-points[entrant], entrant))
        met = count_meetings(played)
        if self.seats == 2:
            return self.pair(ranked, points, met, played)
        resting = self.by_need(ranked, played)[: self.entrants % self.seats]
        return fill_tables([entrant for entrant in ranked if entrant not in resting], self.seats, points, met)

    def pair(
        self,
        ranked: list[int],
        points: list[float],
        met: Counter[tuple[int, int]],
        played: Sequence[Sequence[MeetingResult]],
    ) -> list[Meeting]:
        """Pairs with as few meetings before this one as can be, the most of any pair counted."""
        for most in range(max(met.values(), default=0) + 1):
            graph = {
                one: {other for other in ranked if other != one and met[min(one, other), max(one, other)] <= most}
                for one in ranked
            }
            playing = ranked if self.entrants % 2 == 0 else self.without_bye(ranked, graph, played)
            if playing is None:
                continue
            pairs = first_perfect_matching(playing, graph, lambda unpaired: by_closeness(unpaired, points))
            if pairs is not None:
                return [Meeting((min(pair), max(pair))) for pair in pairs]
        raise AssertionError("a complete graph of an even number of vertices has a perfect matching")

    def without_bye(
        self, ranked: list[int], graph: Graph, played: Sequence[Sequence[MeetingResult]]
    ) -> list[int] | None:
        """All but the lowest placed of those in turn for a bye whom the others can do without."""
        byes = self.count_byes(played)
        for resting in self.by_need(ranked, played):
            playing = [entrant for entrant in ranked if entrant != resting]
            if byes[resting] == min(byes) and has_perfect_matching(playing, graph):
                return playing
        return None

    def by_need(self, ranked: list[int], played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """Who should rest, the first one first: those with the fewest byes, from the lowest placed up."""
        byes = self.count_byes(played)
        return sorted(ranked, key=lambda entrant: (byes[entrant], -ranked.index(entrant)))

    def count_byes(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """How many rounds each entrant sat out."""
        byes = [len(played)] * self.entrants
        for entrant in (entrant for results in played for result in results for entrant in result.entrants):
            byes[entrant] -= 1
        return byes

    def points(self, played: Sequence[Sequence[MeetingResult]]) -> list[float]:
        """Everybody's points, with those of byes."""
        points = sum_points(played, self.entrants)
        for results in played:
            # All points of a game are half as many as the seats, so this is the number of games of a meeting.
            bye = max((2 * sum(result.points) / len(result.points) for result in results), default=0.0)
            playing = {entrant for result in results for entrant in result.entrants}
            for entrant in {*range(self.entrants)} - playing:
                points[entrant] = total((points[entrant], bye))
        return points

    def standing(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """By points, then by the points of all whom one has met (Buchholz), then by seed."""
        check_results(played, self.entrants)
        points = self.points(played)
        strength = [0.0] * self.entrants
        for (one, other), times in count_meetings(played).items():
            strength[one] += times * points[other]
            strength[other] += times * points[one]
        return sorted(
            range(self.entrants), key=lambda entrant: (-points[entrant], -total((strength[entrant],)), entrant)
        )


def by_closeness(unpaired: Sequence[int], points: list[float]) -> Iterator[int]:
    """Partners for the first of `unpaired`, who are ranked: the lower half of its group, the upper half, the rest."""
    group = [entrant for entrant in unpaired if points[entrant] == points[unpaired[0]]]
    half = max(len(group) // 2, 1)
    yield from group[half:]
    yield from reversed(group[1:half])
    yield from unpaired[len(group) :]


def fill_tables(ranked: list[int], seats: int, points: list[float], met: Counter[tuple[int, int]]) -> list[Meeting]:
    """Tables from the top, each with the best placed who is left and those who suit it."""
    waiting = list(ranked)
    tables = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats:
            again = [sum(met[min(one, other), max(one, other)] for one in table) for other in waiting]
            gaps = [points[table[0]] - points[other] for other in waiting]
            suits = list(zip(again, gaps, strict=True))
            table.append(waiting.pop(suits.index(min(suits))))
        tables.append(Meeting(tuple(sorted(table))))
    return tables


KINDS = {"swiss": Swiss}
