"""Iterative deepening: search one ply deep, then two, then three, until time is up.

The last finished depth is the answer, so that a clock can stop the search at any moment. What a shallow search finds
puts the next one in order: with `order="previous,…"` the deepest search is often cheaper for all the ones before it.
It ends by itself when a depth has reached no cut-off, for then nothing deeper exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from zermelo.analysis import Analysis


def iterative_deepening(
    search_to: Callable[[float], tuple[Analysis, bool]], finish: Callable[[Analysis], Analysis], deepest: float
) -> Iterator[Analysis]:
    """The answer of each depth, one ply deeper every time.

    `search_to` returns what a search to one depth finds, and whether it met the depth limit; `finish` completes the
    last answer.
    """
    for depth in count(min(1, deepest)):
        found, cut_short = search_to(depth)
        nothing_deeper = found.exact or not cut_short
        if found.stopped or nothing_deeper or depth >= deepest:
            yield finish(found)
            return
        yield found
