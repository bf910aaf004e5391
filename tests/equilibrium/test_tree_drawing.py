"""Extensive games as drawings: every node, every set, every probability."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import zermelo as z
from zermelo.equilibrium import draw_tree, extensive_form, read_efg, solve_extensive
from zermelo.errors import MethodError

ENTRY = """EFG 2 R "Market entry" { "Entrant" "Incumbent" } ""
p "" 1 1 "outside" { "enter" "stay out" } 0
p "" 2 1 "entered" { "fight" "<share>" } 0
t "" 1 "" { -1, -1 }
t "" 2 "" { 2, 1/3 }
t "" 3 "" { 0, 4 }
"""
PENNIES = """EFG 2 R "Pennies" { "one" "two" } ""
p "" 1 1 "" { "heads" "tails" } 0
p "" 2 1 "" { "heads" "tails" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "" { "heads" "tails" } 0
t "" 3 "" { -1, 1 }
t "" 4 "" { 1, -1 }
"""


def words(svg: str) -> list[str]:
    return ["".join(each.itertext()) for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_every_node_is_drawn_and_every_end_pays_everybody() -> None:
    kuhn = z.load("kuhn")
    form = extensive_form(kuhn)
    drawn = draw_tree(kuhn)
    assert drawn.count("<circle") == 24
    assert drawn.count("<rect") == 4
    assert drawn.count("<line") == form.nodes - 1
    payoffs = [each for each in words(drawn) if re.fullmatch(r"-?[12]", each)]
    assert len(payoffs) == 2 * 30


def test_nodes_of_a_set_are_joined_and_others_are_not() -> None:
    assert draw_tree(read_efg(PENNIES)).count("<path") == 1
    assert draw_tree(read_efg(ENTRY)).count("<path") == 0
    assert draw_tree(z.load("kuhn")).count("<path") == 12  # of two nodes each


def test_a_strategy_gives_each_way_its_probability() -> None:
    found = solve_extensive(z.load("kuhn"), exact=True)
    drawn = draw_tree(found.strategy.form, found.strategy)
    shares = [share for _, _, mix in found.strategy.rows() for share in mix.values()]
    assert words(drawn).count("2/3") == 2 * [str(each) for each in shares].count("2/3")
    assert drawn.count('class="never"') == 2 * shares.count(0)
    assert "2/3" not in words(draw_tree(z.load("kuhn")))


def test_names_of_files_are_text_and_not_markup() -> None:
    drawn = draw_tree(read_efg(ENTRY))
    assert {"<share>", "outside", "1/3"} <= set(words(drawn))


def test_what_is_too_large_to_be_read_is_refused() -> None:
    with pytest.raises(MethodError, match="too large for a drawing"):
        draw_tree(z.load("leduc"))
