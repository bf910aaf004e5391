"""Endings of nine men's morris: the published numbers of positions, and an independent analysis of three men each."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from zermelo.games import load
from zermelo.games.morris.endings import POINT_BITS, arranged, images, restored
from zermelo.games.morris.rules import beside, completing
from zermelo.tables import build_tables, tables_of

POSITIONS = {"4-3": 1_520_796, "4-4": 3_225_597, "5-3": 5_160_780}
"""Positions that no symmetry of the board turns into each other (Gasser 1996)."""
ROWS = [(0, 1, 2), (2, 3, 4), (4, 5, 6), (6, 7, 0)]
MILLS = [tuple(8 * ring + point for point in row) for ring in range(3) for row in ROWS]
MILLS += [(side, side + 8, side + 16) for side in (1, 3, 5, 7)]
SETS = [sum(1 << point for point in points) for points in combinations(range(24), 3)]
PLACE = {men: place for place, men in enumerate(SETS)}


@pytest.fixture(scope="module")
def shipped():
    return tables_of(load("morris"))


def flying_ending() -> np.ndarray:
    """Plies to the end of all positions with three men each, of the mover's and the other's: below 0 where it is lost,
    0 where it is drawn. Whoever closes a mill wins, as two men are left."""
    mills = np.zeros(len(SETS), bool)
    mills[[PLACE[sum(1 << point for point in mill)] for mill in MILLS]] = True
    sets = np.array(SETS)
    apart = (sets[:, None] & sets[None, :]) == 0
    moves = np.array([[PLACE[men & ~(1 << out) | 1 << to] for out, to in flights(men)] for men in SETS])
    plies = np.zeros(apart.shape, np.int64)
    for number in range(1, 100):
        before = plies.copy()
        won, lost = np.zeros(apart.shape, bool), apart.copy()
        for to in moves.T:  # the mover's men are on `to`, and the other side is to move
            legal = apart[to]
            won |= legal & (mills[to][:, None] | (before.T[to] < 0))
            lost &= ~legal | ((before.T[to] > 0) & ~mills[to][:, None])
        plies[(plies == 0) & won & apart] = number
        plies[(plies == 0) & lost] = -number
        if (plies == before).all():
            break
    return plies


def flights(men: int) -> list[tuple[int, int]]:
    on = [point for point in range(24) if men >> point & 1]
    return [(out, to) for out in on for to in range(24) if not men >> to & 1]


def test_three_men_each_are_worth_what_an_analysis_of_its_own_says(tmp_path):
    game = load("morris:tables=no")
    tables, plies = build_tables(game, 6, tmp_path), flying_ending()
    (facts,) = tables.slices.values()
    found = plies[least_placements()]
    assert facts.positions == len(found)
    assert (facts.won, facts.drawn, facts.lost) == ((found > 0).sum(), (found == 0).sum(), (found < 0).sum())
    assert facts.longest == found.max()
    dice = random.Random(1)
    for _ in range(500):
        mine, theirs = dice.choice(SETS), dice.choice(SETS)
        if mine & theirs == 0:
            outcome, expected = tables.outcome(game.State(mine, theirs, 0, 0, 0)), plies[PLACE[mine], PLACE[theirs]]
            assert (outcome.value, outcome.distance or 0) == (np.sign(expected), abs(expected))


def least_placements() -> np.ndarray:
    """Which of all pairs of sets are placements of men that are the least of their images."""
    sets = np.array(SETS)
    sides = arranged(sets)[:, None] << 24 | arranged(sets)[None, :]
    least = sides.copy()
    for image in images(sides):
        np.minimum(least, image, out=least)
    return (least == sides) & ((sets[:, None] & sets[None, :]) == 0)


def test_the_numbers_of_positions_are_those_that_are_published(shipped):
    found = {facts.name: facts.positions for facts in shipped.slices.values()}
    assert {name: found[name] for name in POSITIONS} == POSITIONS


def test_images_are_the_same_to_the_rules():
    dice = random.Random(2)
    for _ in range(50):
        men = dice.randrange(1 << 24)
        same = [restored(image & POINT_BITS) for image in images(arranged(men))]
        assert {(beside(each).bit_count(), completing(each).bit_count()) for each in same} == {
            (beside(men).bit_count(), completing(men).bit_count())
        }


def test_a_number_and_its_position_belong_together():
    game, dice = load("morris:tables=no"), random.Random(3)
    for m in (m for pieces in (6, 7, 8) for m in game.slices(pieces)):
        for _ in range(100):
            s = game.unrank(m, dice.randrange(game.slice_size(m)))
            assert game.material(s) == m
            assert game.rank(game.unrank(m, game.rank(s))) == game.rank(s)
