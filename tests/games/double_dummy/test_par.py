from __future__ import annotations

import pytest

from zermelo.games._bridge.cards import STRAINS, Board, random_deal
from zermelo.games._bridge.par import find_par
from zermelo.games._bridge.score import score


@pytest.mark.parametrize(
    ("level", "strain", "tricks", "vulnerable", "points"),
    [
        (1, "NT", 7, False, 90),
        (3, "NT", 9, True, 600),
        (4, "S", 11, False, 450),
        (5, "C", 11, False, 400),
        (2, "D", 9, True, 110),
        (6, "H", 12, False, 980),
        (6, "NT", 13, True, 1470),
        (7, "S", 13, True, 2210),
        (4, "H", 8, True, -200),
    ],
)
def test_contracts_score_as_in_duplicate(level, strain, tricks, vulnerable, points):
    assert score(level, strain, tricks, vulnerable) == points


@pytest.mark.parametrize(("down", "points"), [(1, (100, 200)), (2, (300, 500)), (3, (500, 800)), (4, (800, 1100))])
def test_doubled_tricks_that_are_missing_cost_more_and_more(down, points):
    assert tuple(-score(4, "S", 10 - down, vulnerable, doubled=True) for vulnerable in (False, True)) == points


def results(north_south: dict[str, int]) -> dict[tuple[str, int], int]:
    """Both hands of a side take as many tricks."""
    return {(s, h): north_south[s] if h % 2 == 0 else 13 - north_south[s] for s in STRAINS for h in range(4)}


def test_a_side_sacrifices_where_that_costs_less_than_their_game():
    tricks = results({"S": 10, "H": 4, "D": 5, "C": 5, "NT": 6})
    par = find_par(tricks, Board(random_deal(13, 1)))
    assert str(par) == "+300 for NS: 5Hx EW -2"
    assert find_par(tricks, Board(random_deal(13, 1), vulnerable="EW")).score == 420


def test_nobody_bids_where_nothing_makes():
    tricks = {(s, h): 6 for s in STRAINS for h in range(4)}
    assert str(find_par(tricks, Board(random_deal(13, 1)))) == "0: all pass"


def test_where_both_make_one_no_trump_the_dealer_has_it():
    tricks = {(s, h): 7 if s == "NT" else 6 for s in STRAINS for h in range(4)}
    deal = random_deal(13, 1)
    assert [find_par(tricks, Board(deal, dealer)).score for dealer in range(4)] == [90, -90, 90, -90]
