"""The drawings are well-formed, say in words what they show, and hold whatever a name may contain."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from zermelo.arena.statistics import course, draw_course, draw_crosstable, rate, tally
from zermelo.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"
RESULTS = [("Ann", "Bob", 1.0), ("Bob", "Ann", 0.5), ("Ann", "<b>&\"'\x00", 1.0), ("Bob", "<b>&\"'\x00", 0.5)]


def texts(svg):
    return [each.text for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_crosstable_has_scores_ratings_and_a_description():
    rated = rate(RESULTS)
    svg = draw_crosstable(RESULTS, rated, "Cup of 1913 <final>")
    root = ElementTree.fromstring(svg)
    assert root.find(f"{SVG}title").text == "Cup of 1913 <final>"
    assert f"Ann: rating {rated['Ann'].line()}, score 83.3%" in root.find(f"{SVG}desc").text
    assert {"Ann", "Bob", "<b>&\"'�", "1½/2", "½/2", "1/1", "½/1", rated["Bob"].line()} <= set(texts(svg))
    assert len(root.findall(f"{SVG}rect[@class='self']")) == 3


def test_a_cell_is_coloured_by_its_score():
    root = ElementTree.fromstring(draw_crosstable(tally([("a", "b", 1.0)]), rate([("a", "b", 1.0)])))
    assert len(root.findall(f"{SVG}rect[@class='over']")) == 1
    assert len(root.findall(f"{SVG}rect[@class='under']")) == 1
    level = ElementTree.fromstring(draw_crosstable([("a", "b", 0.5)], rate([("a", "b", 0.5)])))
    assert not level.findall(f"{SVG}rect[@class='over']")


def test_parts_that_never_met_leave_cells_empty_and_are_named():
    results = [("a", "b", 1.0), ("c", "d", 0.5)]
    assert any("never met" in text for text in texts(draw_crosstable(results, rate(results))))


def test_the_course_has_a_line_a_band_and_a_name_for_each():
    moments = course(RESULTS * 5, 1)
    root = ElementTree.fromstring(draw_course(moments))
    lines, bands = root.findall(f"{SVG}polyline"), root.findall(f"{SVG}polygon")
    assert (len(lines), len(bands)) == (3, 3)
    # Who joins later has a shorter line.
    assert sorted(len(line.get("points").split()) for line in lines) == [18, 20, 20]
    assert {"Ann", "Bob", "<b>&\"'�", "games"} <= set(texts(draw_course(moments)))
    assert "ends at" in root.find(f"{SVG}desc").text


def test_names_at_the_ends_of_lines_do_not_overlap():
    entrants = [chr(97 + each) for each in range(20)]
    results = [(first, second, 0.5) for first in entrants for second in entrants if first != second]
    root = ElementTree.fromstring(draw_course(course(results, len(results))))
    heights = sorted(float(each.get("y")) for each in root.iter(f"{SVG}text") if each.get("style"))
    assert min(high - low for low, high in pairwise(heights)) > 13


def test_a_tournament_without_games_is_drawn_as_such():
    for svg in (draw_crosstable([], rate([])), draw_course([])):
        assert "No games yet." in texts(svg)


def test_a_thousand_letters_make_no_drawing_wide():
    svg = draw_crosstable([("x" * 1000, "y", 1.0)], rate([("x" * 1000, "y", 1.0)]))
    assert float(ElementTree.fromstring(svg).get("width")) < 800


def test_ratings_of_other_games_are_refused():
    with pytest.raises(InputError, match="has a rating and no game"):
        draw_crosstable([("a", "b", 1.0)], rate([("a", "c", 1.0)]))
