"""Endings of Chinese chess in which one side alone can attack: what is known of them, and agreement with searches."""

from __future__ import annotations

import random

import pytest

from zermelo import Limits, Searcher
from zermelo.errors import MethodError
from zermelo.games import load
from zermelo.tables import build_tables, tables_of

DRAWN = ("KC-K", "KC-KA", "KC-KBBAA", "KN-KBBAA", "KP-KBBAA")
"""A cannon needs something of its own to jump over, and only a rook may get past a whole defence by itself."""
WON = {"KR-K": 0.95, "KR-KA": 0.95, "KR-KAA": 0.9, "KR-KBB": 0.9, "KN-K": 0.95, "KN-KA": 0.95}
"""At least this share of the positions in which the attacker moves, or its opponent, are decided."""


@pytest.fixture(scope="module")
def xiangqi():
    return load("xiangqi:tables=no,network=no")


@pytest.fixture(scope="module")
def shipped():
    return tables_of(load("xiangqi"))


def test_endings_are_won_and_drawn_as_books_say(shipped):
    slices = {facts.name: facts for facts in shipped.slices.values()}
    for name in DRAWN:
        assert slices[name].won + slices[name].lost < slices[name].positions / 10
    for name, share in WON.items():
        assert slices[name].won + slices[name].lost > share * (slices[name].positions - slices[name].ended)


def test_the_tables_that_are_shipped_are_these(xiangqi, shipped, tmp_path):
    tables = build_tables(xiangqi, 3, tmp_path, check_all=True)
    for material, facts in tables.slices.items():
        assert facts == shipped.slices[material]


def test_a_number_and_its_position_belong_together(xiangqi, shipped):
    dice, found = random.Random(1), 0
    for m in shipped.slices:
        size = xiangqi.slice_size(m)
        for _ in range(20):
            s = xiangqi.unrank(m, dice.randrange(size))
            if xiangqi.material(s) == m:
                found += 1
                assert 0 <= xiangqi.rank(s) < size
                mirrored = xiangqi.symmetric(s, 1)
                assert xiangqi.rank(mirrored) == xiangqi.rank(s)
                assert xiangqi.rank(xiangqi.unrank(m, xiangqi.rank(s))) == xiangqi.rank(s)
    assert found > 300


def test_searches_prove_what_the_tables_say(xiangqi, shipped):
    dice, searcher, proved = random.Random(2), Searcher(xiangqi, exact=True, by_depth=True), 0
    slices = [facts.material for facts in shipped.slices.values() if facts.won > 0]
    while proved < 40:
        m = dice.choice(slices)
        s = xiangqi.unrank(m, dice.randrange(xiangqi.slice_size(m)))
        distance = shipped.distance(s) if xiangqi.material(s) == m and not xiangqi.is_terminal(s) else None
        if distance is None or not 0 < distance <= 4:
            continue
        found = searcher.search(s, Limits(depth=5))
        assert (found.exact, found.value, found.plies_to_end[0]) == (True, shipped.value(s), distance)
        proved += 1


def test_the_engine_wins_with_rook_against_two_advisors_in_as_many_plies(shipped):
    game = load("xiangqi:network=no")
    s = game.read("3k1a3/4a4/9/9/9/9/9/9/4R4/5K3 w - - 0 1")
    searcher, history, left = Searcher(game), [], shipped.distance(s)
    assert left == 9
    while not game.is_terminal(s):
        found = searcher.search(s, Limits(nodes=200), history=history)
        assert (found.exact, found.plies_to_end[0]) == (True, left)
        history.append(s)
        s, left = game.result(s, found.action), left - 1
    assert game.utilities(s) == (1.0, -1.0)


def test_sides_that_can_both_attack_are_in_no_slice(xiangqi):
    s = xiangqi.read("4k4/9/9/9/4r4/9/9/9/4R4/3K5 w - - 0 1")
    assert xiangqi.material(s) < 0


def test_a_draw_that_only_checks_keep_is_refused(tmp_path):
    from tests.tables.perpetual import Chase

    with pytest.raises(MethodError, match="only checks keep the draw"):
        build_tables(Chase(), 1, tmp_path)
