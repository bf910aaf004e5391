"""The laws of the tidy tree."""

from collections import defaultdict
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from zermelo.search.trace.layout import tidy

GAP = 12.0


@st.composite
def shapes(draw: st.DrawFn) -> tuple[list[list[int]], list[float], list[float]]:
    """A tree of up to forty nodes, and how far each of them reaches."""
    count = draw(st.integers(1, 40))
    children: list[list[int]] = [[] for _ in range(count)]
    for node in range(1, count):
        children[draw(st.integers(0, node - 1))].append(node)
    reach = st.lists(st.floats(1, 90), min_size=count, max_size=count)
    return children, draw(reach), draw(reach)


def levels(children: list[list[int]]) -> dict[int, list[int]]:
    """The nodes of each ply from left to right."""
    found: dict[int, list[int]] = defaultdict(list)
    row = [0]
    while row:
        found[len(found)] = row
        row = [child for node in row for child in children[node]]
    return found


@given(shape=shapes())
def test_nodes_of_one_level_keep_their_order_and_their_distance(
    shape: tuple[list[list[int]], list[float], list[float]],
) -> None:
    children, left, right = shape
    x = tidy(children, left, right, GAP)
    for row in levels(children).values():
        for first, second in pairwise(row):
            assert x[first] + right[first] + GAP <= x[second] - left[second] + 1e-6


@given(shape=shapes())
def test_a_parent_stands_midway_between_its_first_and_last_child(
    shape: tuple[list[list[int]], list[float], list[float]],
) -> None:
    children, left, right = shape
    x = tidy(children, left, right, GAP)
    for node, below in enumerate(children):
        if below:
            assert abs(x[node] - (x[below[0]] + x[below[-1]]) / 2) < 1e-6


@given(shape=shapes())
def test_the_drawing_begins_at_nought_and_is_the_same_every_time(
    shape: tuple[list[list[int]], list[float], list[float]],
) -> None:
    children, left, right = shape
    x = tidy(children, left, right, GAP)
    assert abs(min(each - reach for each, reach in zip(x, left, strict=True))) < 1e-6
    assert x == tidy(children, left, right, GAP)


def test_a_tree_of_thousands_of_plies_is_drawn() -> None:
    chain = [[node + 1] for node in range(5000)] + [[]]
    assert set(tidy(chain, [10.0] * 5001, [10.0] * 5001)) == {10.0}


def test_room_is_shared_among_the_small_subtrees_between_two_large_ones() -> None:
    children: list[list[int]] = [[1, 2, 3], [4, 5, 6], [], [7, 8, 9], [], [], [], [], [], []]
    x = tidy(children, [5.0] * 10, [5.0] * 10, 2.0)
    assert abs((x[2] - x[1]) - (x[3] - x[2])) < 1e-6


def test_nothing_is_drawn_of_nothing() -> None:
    assert tidy([], [], []) == []
