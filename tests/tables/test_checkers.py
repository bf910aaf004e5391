"""Tables of checkers: the numbers of positions that are known, and agreement with a strong solution."""

from __future__ import annotations

from math import comb

import pytest

from zermelo import solve
from zermelo.games import load
from zermelo.tables import build_tables, tables_of
from zermelo.tables.slice_file import read_codes

POSITIONS = {1: 120, 2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232}
"""By pieces, whoever is to move, with those in which a side has none (Schaeffer)."""


@pytest.fixture(scope="module")
def checkers():
    return load("checkers:tables=no,network=no")


@pytest.fixture(scope="module")
def tables(checkers, tmp_path_factory):
    return build_tables(checkers, 3, tmp_path_factory.mktemp("checkers"), threads=2, check_all=True)


def one_sided(pieces: int) -> int:
    """Placements of one side alone, of either colour: men stand on 28 squares."""
    return 2 * sum(comb(28, men) * comb(32 - men, pieces - men) for men in range(pieces + 1))


@pytest.mark.parametrize("pieces", [2, 3])
def test_the_numbers_of_positions_are_those_that_are_known(checkers, tables, pieces):
    found = sum(tables.slices[m].positions for m in checkers.slices(pieces))
    assert one_sided(1) == POSITIONS[1]
    assert found + one_sided(pieces) == POSITIONS[pieces]


def test_king_against_king(checkers, tables):
    (facts,) = (facts for facts in tables.slices.values() if facts.name == "K-K")
    assert (facts.won, facts.drawn, facts.lost, facts.ended, facts.positions) == (230, 654, 108, 0, 992)


def test_the_slices_come_after_those_that_they_lead_to(checkers):
    names = [checkers.slice_name(m) for m in checkers.slices(3)]
    assert names == ["KK-K", "KM-K", "KK-M", "K-MM", "KM-M", "MM-M"]
    assert list(checkers.slices(1)) == []


@pytest.mark.parametrize("position", ["B:WK32:BK1,K5", "W:W21,K30:BK9", "B:W18,22:B7", "W:WK4:B21,K1", "B:W30:B3,4"])
def test_tables_are_the_strong_solution_of_every_position_that_can_be_reached(checkers, tables, position):
    solution = solve(checkers, checkers.read(position), strongly=True)
    assert len(solution) > 100
    for s in solution.states():
        assert tables.outcome(s) == solution.outcome(s)


def test_the_tables_that_are_shipped_are_these(tables):
    shipped = tables_of(load("checkers"))
    assert set(shipped.slices) == set(tables.slices)
    for material, facts in shipped.slices.items():
        assert facts == tables.slices[material]
        assert read_codes(shipped.path(facts.name), facts) == read_codes(tables.path(facts.name), facts)


def test_rules_with_a_count_of_moves_say_how_far_it_is():
    counting = load("checkers:draw_after=10,network=no")
    assert tables_of(counting) is None
    s = counting.read("B:WK32:BK1,K5:H6")
    assert counting.plies_left(s) == 14
    assert counting.rank(s) == counting.rank(counting.read("B:WK32:BK1,K5:H0"))
