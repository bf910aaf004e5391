"""Triangles of mixtures: regions tile them, equilibria lie where they should, and the flow is the replicator's."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.equilibrium import NormalForm, picture
from zermelo.equilibrium.simplex import best_regions, clip, is_symmetric

ROCK = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
MIDDLE = (Fraction(1, 3),) * 3


def area(region: list[tuple[Fraction, ...]]) -> Fraction:
    """As a part of the whole triangle."""
    corners = [(x[1], x[2]) for x in region]
    return (
        abs(sum((a * d - b * c for (a, b), (c, d) in pairwise([*corners, corners[0]])), Fraction(0)))
        if corners
        else Fraction(0)
    )


def form(mine: Any, theirs: Any = None) -> NormalForm:
    return NormalForm(mine if theirs is None else [mine, theirs])


def test_each_reply_to_rock_paper_scissors_has_a_third_that_meets_in_the_middle() -> None:
    regions = best_regions(form(ROCK), 0)
    assert [area(region) for region in regions] == [Fraction(1, 3)] * 3
    assert all(MIDDLE in region for region in regions)


tables = st.lists(st.lists(st.integers(-4, 4), min_size=3, max_size=3), min_size=3, max_size=3)


@given(tables, tables)
def test_regions_cover_the_triangle_and_overlap_where_replies_are_equal_only(mine: Any, theirs: Any) -> None:
    game = form(mine, theirs)
    for p in (0, 1):
        worth = np.array(theirs) if p == 0 else np.array(mine).T
        distinct = len({tuple(column) for column in worth.T.tolist()}) == 3
        whole = sum(area(region) for region in best_regions(game, p))
        assert whole == 1 if distinct else whole >= 1


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=3))
def test_what_is_cut_off_is_what_is_negative(gain: list[int]) -> None:
    corners = [tuple(Fraction(int(i == j)) for j in range(3)) for i in range(3)]
    kept = clip(list(corners), [Fraction(g) for g in gain])
    assert all(sum(x * g for x, g in zip(point, gain, strict=True)) >= 0 for point in kept)
    assert all((corner in kept) == (gain[i] >= 0) for i, corner in enumerate(corners))


def test_the_picture_marks_the_equilibrium_in_each_triangle() -> None:
    drawn = picture(form(ROCK))
    assert re.findall("<title>(.*?)</title>", drawn) == ["(1/3, 1/3, 1/3)"] * 2


def test_only_a_population_against_itself_has_a_flow() -> None:
    assert is_symmetric(form(ROCK))
    skewed = [[0, -1, 2], [1, 0, -1], [-1, 1, 0]]
    assert not is_symmetric(form(skewed))
    assert "<line" in picture(form(ROCK))
    assert "<line" not in picture(form(skewed))


@pytest.mark.parametrize("shape", [(3, 3), (3, 2), (2, 3), (3, 5)])
def test_a_game_in_which_nothing_matters_has_its_triangles(shape: tuple[int, int]) -> None:
    flat = np.ones(shape).tolist()
    drawn = picture(form(flat, flat))
    assert drawn.count("Mixtures of") == sum(size == 3 for size in shape) or "probability" in drawn


def test_names_are_text() -> None:
    game = NormalForm(ROCK, ["<b>", "two"], [["<i>", "y", "a very long name of an action"], ["l", "m", "r"]])
    drawn = picture(game)
    assert "<b>" not in drawn
    assert "&lt;i&gt;" in drawn
    assert "a very long n…" in drawn
