"""Whole tournaments without games: points are drawn, or given by a rule."""

from __future__ import annotations

import random
from itertools import combinations

from hypothesis import strategies as st

from zermelo.arena.schedule import MeetingResult, make_schedule

sizes = st.integers(2, 4).flatmap(lambda seats: st.tuples(st.integers(seats, 14 if seats == 2 else 9), st.just(seats)))
"""Entrants and seats."""


def draw(entrants, dice):
    """Points of a meeting of as many games as seats, as the arena counts them: pairwise scores, averaged."""
    points = dict.fromkeys(entrants, 0.0)
    for _ in entrants:
        places = {entrant: dice.randrange(3) for entrant in entrants}
        for one, other in combinations(entrants, 2):
            score = 0.5 + 0.5 * ((places[one] > places[other]) - (places[one] < places[other]))
            points[one] += score / (len(entrants) - 1)
            points[other] += (1 - score) / (len(entrants) - 1)
    return tuple(points.values())


def play_through(kind, entrants, seats, judge, rounds=None):
    """The schedule, all results and all meetings; `judge` is a random generator or a rule for the points."""
    schedule = make_schedule(kind, entrants, seats, rounds)
    played, meetings = [], []
    while (following := schedule.next_round(played)) is not None:
        meetings.append(following)
        settle = (lambda table: draw(table, judge)) if isinstance(judge, random.Random) else judge
        played.append([MeetingResult(meeting.entrants, settle(meeting.entrants)) for meeting in following])
    return schedule, played, meetings
