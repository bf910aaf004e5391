"""Tables of checkers: the numbers of positions that are known, and agreement with a strong solution."""

from __future__ import annotations

import random
from math import comb

import pytest

from zermelo import Limits, Searcher, solve
from zermelo.games import load
from zermelo.tables import build_tables, tables_of
from zermelo.tables.slice_file import read_slice

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
    for material, facts in tables.slices.items():
        assert facts == shipped.slices[material]
        assert read_slice(shipped.path(facts.name), facts) == read_slice(tables.path(facts.name), facts)


def test_the_shipped_slices_are_all_with_up_to_five_pieces(checkers):
    shipped = tables_of(load("checkers"))
    slices = {pieces: list(checkers.slices(pieces)) for pieces in (2, 3, 4, 5)}
    assert set(shipped.slices) == {m for each in slices.values() for m in each}
    for pieces, each in slices.items():
        assert sum(shipped.slices[m].positions for m in each) + one_sided(pieces) == POSITIONS[pieces]
        assert {shipped.slices[m].step for m in each} == {1 if pieces < 5 else 8}


def test_the_shipped_files_take_less_than_four_megabytes():
    shipped = tables_of(load("checkers"))
    sizes = {m: shipped.path(facts.name).stat().st_size for m, facts in shipped.slices.items()}
    assert sum(sizes.values()) < 4_000_000
    five = [m for m, facts in shipped.slices.items() if facts.step > 1]
    assert sum(shipped.slices[m].positions for m in five) / sum(sizes[m] for m in five) > 40


@pytest.mark.parametrize("name", ["KKK-KK", "KM-MMM"])
def test_positions_with_five_pieces_are_worth_what_those_after_them_are(checkers, name):
    shipped, dice = tables_of(load("checkers")), random.Random(name)
    (material,) = (m for m in checkers.slices(5) if checkers.slice_name(m) == name)
    looked = 0
    while looked < 150:
        s = checkers.unrank(material, dice.randrange(checkers.slice_size(material)))
        if checkers.material(s) != material or checkers.is_terminal(s):
            continue
        after = [checkers.result(s, a) for a in checkers.actions(s)]
        assert shipped.value(s) == max(shipped.outcome(t).values[checkers.player(s)] for t in after)
        looked += 1


@pytest.mark.parametrize("position", ["B:WK7,K10:BK18,K23,K26", "W:W21,K30,K11:BK9,6"])
def test_a_search_wins_five_pieces_against_the_longest_resistance(position):
    game = load("checkers")
    tables, searcher, s = tables_of(game), Searcher(game), game.read(position)
    winner, history = game.player(s), []
    assert tables.outcome(s).value == 1.0
    while not game.is_terminal(s):
        action = searcher.search(s, Limits(nodes=3000), history=history).action
        if game.player(s) != winner:
            action = tables.best(s)
        history.append(s)
        s = game.result(s, action)
    assert game.utilities(s)[winner] == 1.0


def test_rules_with_a_count_of_moves_have_the_tables_too():
    counting = load("checkers:draw_after=16,network=no")
    s, late = counting.read("B:WK32:BK1,K5:H0"), counting.read("B:WK32:BK1,K5:H2")
    assert tables_of(counting).distance(s) == tables_of(load("checkers")).distance(s) == 31
    assert [Searcher(counting).search(each, Limits(depth=2)).exact for each in (s, late)] == [True, False]
    assert tables_of(load("checkers:draw_after=16,tables=no")) is None


def test_rules_with_a_count_of_moves_say_how_far_it_is():
    counting = load("checkers:draw_after=10,network=no,tables=no")
    s = counting.read("B:WK32:BK1,K5:H6")
    assert counting.plies_left(s) == 14
    assert counting.rank(s) == counting.rank(counting.read("B:WK32:BK1,K5:H0"))
