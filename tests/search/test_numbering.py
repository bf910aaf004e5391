"""Nodes of a trace are numbered by the way that leads to them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zermelo.search.recorder import NOBODY, Numbering

WALKS = st.lists(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["", "null move"])), max_size=5), max_size=30)


@given(WALKS)
def test_equal_ways_get_equal_numbers_and_new_ways_the_next_one(walks: list[list[tuple[int, str]]]) -> None:
    numbering = Numbering()
    known: dict[tuple[int, object], int] = {}
    for walk in walks:
        number = NOBODY
        for ply, way in enumerate([("root", ""), *walk]):
            expected = known.setdefault((number, way), len(known))
            number = numbering.number(ply, number, way)
            assert number == expected
    assert len(numbering) == len(known)
