"""Pictures say what the solvers say, and their words do not run into each other."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

from zermelo.equilibrium import NormalForm
from zermelo.equilibrium.drawing import picture

SPACE = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[tuple[float, float, str]]:
    """(x, y, words) of every text."""
    found = ElementTree.fromstring(svg).iter(f"{SPACE}text")
    return [(float(each.attrib["x"]), float(each.attrib["y"]), each.text or "") for each in found]


def test_the_graphical_solution_has_its_numbers_on_both_axes():
    words = [text for _, _, text in texts(picture("30 -10 20; -10 20 -20"))]
    assert "4/7" in words
    assert "20/7" in words
    assert {"A", "B", "C"} <= set(words)


def test_names_of_lines_that_end_close_together_are_pushed_apart():
    found = [(y, text) for x, y, text in texts(picture("1 1.01 1 1.02; 1 0 2 5")) if x > 480]
    assert [text for _, text in found] == ["D", "B", "A, C"]
    heights = [y for y, _ in found]
    assert all(b - a >= 13 for a, b in pairwise(heights))


def test_names_stay_within_the_picture():
    game = NormalForm(
        [[1000000, -3000000], [2.5, 1]], actions=(("a" * 60, "b"), ("A name that is very long indeed", "B"))
    )
    found = texts(picture(game))
    assert "A name that is…" in [text for _, _, text in found]
    assert all(len(text) <= 7 for x, _, text in found if x < 60)


def test_a_game_in_which_nothing_matters_has_a_picture():
    words = [text for _, _, text in texts(picture("1 1 1; 1 1 1"))]
    assert "A, B, C" in words
    assert (words.count("0"), words.count("2")) == (2, 1)


def test_where_a_player_does_not_care_the_whole_square_is_shaded():
    assert len(re.findall("opacity", picture("1,1 1,1; 0,1 1,1"))) == 1
    assert "opacity" not in picture("2,1 0,0; 0,0 1,2")
