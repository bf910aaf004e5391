"""Tables of chess: the longest wins that are published, agreement with searches, and what is in no slice."""

from __future__ import annotations

import random

import pytest

from zermelo import Limits, Searcher
from zermelo.games import load
from zermelo.tables import build_tables, tables_of
from zermelo.tables.slice_file import read_slice

LONGEST = {"KQK": 10, "KRK": 16, "KPK": 28, "KBBK": 19, "KBNK": 33}
"""Moves of the longest win, as published."""
SHIPPED = {
    **LONGEST,
    "KQKR": 35,
    "KQKB": 17,
    "KQKN": 21,
    "KQKQ": 13,
    "KRKR": 19,
    "KRKB": 29,
    "KRKN": 40,
    "KQKP": 29,
    "KRKP": 43,
    "KBKP": 29,
    "KNKP": 29,
    "KPKP": 33,
    "KBKB": 1,
    "KBKN": 1,
    "KNKN": 1,
    "KNNK": 1,
}
"""The same of all slices in the package, whichever side wins."""


@pytest.fixture(scope="module")
def chess():
    return load("chess:tables=no")


@pytest.fixture(scope="module")
def tables(chess, tmp_path_factory):
    return build_tables(chess, 4, tmp_path_factory.mktemp("chess"), only=list(LONGEST), threads=2, check_all=True)


def test_the_longest_wins_are_those_that_are_published(tables):
    longest = {facts.name: (facts.longest + 1) // 2 for facts in tables.slices.values()}
    assert longest == LONGEST


def test_the_numbers_of_positions_are_those_that_are_published(tables):
    """Pawn and king, mirror images apart: 163,328 with White to move, of which it wins 124,960; 168,024 with Black to
    move, of which it loses 97,604. Rook and king with Black to move: 28,056, of which 2,796 are drawn and 27 mate.
    """
    slices = {facts.name: facts for facts in tables.slices.values()}
    pawn, rook = slices["KPK"], slices["KRK"]
    assert (2 * pawn.positions, 2 * pawn.won, 2 * pawn.lost) == (163_328 + 168_024, 124_960, 97_604)
    assert rook.positions - rook.won == 28_056
    assert rook.lost == 28_056 - 2_796 - 27


def test_the_slices_with_up_to_four_pieces(chess):
    names = [chess.slice_name(m) for count in (1, 2, 3, 4) for m in chess.slices(count)]
    assert names[:3] == ["KQK", "KRK", "KPK"]
    assert len(names) == len(set(names)) == 33
    assert {"KBNK", "KRKB", "KPKP", "KQKR"} <= set(names)


def test_the_tables_that_are_shipped_are_these(tables):
    shipped = tables_of(load("chess"))
    assert {facts.name: (facts.longest + 1) // 2 for facts in shipped.slices.values()} == SHIPPED
    for material, facts in tables.slices.items():
        assert facts == shipped.slices[material]
        assert read_slice(shipped.path(facts.name), facts) == read_slice(tables.path(facts.name), facts)


def test_a_file_holds_the_positions_of_one_side_to_move_where_the_others_follow(tables):
    for facts in tables_of(load("chess")).slices.values():
        even = facts.name == 2 * facts.name[: len(facts.name) // 2]
        assert facts.held == (facts.numbers if even else facts.numbers // 2)
        assert facts.first in (0, facts.numbers - facts.held)


def test_what_is_left_out_of_a_file_is_what_was_built(chess, tables):
    shipped, dice = tables_of(load("chess")), random.Random(2)
    for material in tables.slices:
        for _ in range(300):
            s = chess.unrank(material, dice.randrange(chess.slice_size(material)))
            if chess.material(s) == material:
                assert shipped.probe(s) == tables.probe(s)


def test_shipped_tables_are_worth_what_the_positions_after_them_say(chess):
    shipped, dice = tables_of(load("chess")), random.Random(3)
    for material in shipped.slices:
        for _ in range(25):
            s = chess.unrank(material, dice.randrange(chess.slice_size(material)))
            if chess.material(s) != material or chess.is_terminal(s):
                continue
            after = [shipped.outcome(chess.result(s, a)) for a in chess.actions(s)]
            ours = [(each.values[chess.player(s)], each.distance or 0) for each in after]
            best = max(ours, key=lambda each: (each[0], -each[0] * each[1]))
            outcome = shipped.outcome(s)
            assert outcome.value == best[0]
            assert outcome.distance == (best[1] + 1 if best[0] else None)


@pytest.mark.parametrize(
    ("position", "value", "distance"),
    [
        ("8/8/8/8/8/1k6/7q/K7 b - - 0 1", 1.0, 1),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 0.0, None),
        ("8/8/4K3/8/4P3/8/4k3/8 w - - 0 1", 1.0, None),
        ("7k/5K2/8/8/8/8/8/B5N1 b - - 0 1", -1.0, None),
    ],
)
def test_positions_that_are_known(chess, tables, position, value, distance):
    outcome = tables.outcome(chess.read(position))
    assert outcome.value == value
    assert distance is None or outcome.distance == distance


def test_the_end_of_a_game_needs_no_tables(chess, tables):
    mated = chess.read("8/8/8/8/8/1k6/1q6/K7 w - - 0 1")
    assert (tables.outcome(mated).mover, tables.values(mated), tables.best(mated)) == (None, (-1.0, 1.0), None)


def test_colours_and_symmetries_make_no_difference(chess, tables):
    for position, others in {
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1": ["kbn5/8/8/8/3K4/8/8/8 b - - 0 1", "5NBK/8/8/8/4k3/8/8/8 w - - 0 1"],
        "8/8/4k3/8/8/2P5/8/3K4 b - - 0 1": ["8/8/3k4/8/8/5P2/8/4K3 b - - 0 1", "3k4/8/2p5/8/8/4K3/8/8 w - - 0 1"],
    }.items():
        found = tables.outcome(chess.read(position))
        for other in others:
            outcome = tables.outcome(chess.read(other))
            assert (outcome.value, outcome.distance) == (found.value, found.distance)


def test_a_search_without_tables_proves_the_same(chess):
    tables = tables_of(load("chess"))
    rules, searcher = random.Random(1), Searcher(chess, exact=True, by_depth=True)
    compared = 0
    while compared < 500:
        material = rules.choice(list(tables.slices))
        s = chess.unrank(material, rules.randrange(chess.slice_size(material)))
        if chess.material(s) != material or chess.is_terminal(s):
            continue
        outcome = tables.outcome(s)
        if outcome.distance is None or outcome.distance > 5:
            continue
        searcher.clear()
        found = searcher.search(s, Limits(depth=outcome.distance))
        assert (found.value, found.exact) == (outcome.value, True)
        compared += 1


def test_castling_and_en_passant_are_in_no_slice_and_looked_into(chess, tables):
    castling = chess.read("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert chess.material(castling) == -1
    assert tables.outcome(castling).value == 1.0
    assert chess.material(chess.read("8/8/8/8/k2Pp2K/8/8/8 b - d3 0 1")) == -1
    assert chess.material(chess.initial()) == -1
    assert tables.probe(chess.initial()) is None


def test_plies_are_left_until_the_draw_by_fifty_moves(chess):
    assert chess.plies_left(chess.read("8/8/8/3k4/8/8/8/KBN5 w - - 93 100")) == 7


@pytest.mark.parametrize("options", ["start=0", "chess960=yes", "start=959,network=no"])
def test_chess960_has_the_tables_of_chess(options):
    game = load(f"chess:{options}")
    s = game.read("8/8/8/8/8/8/6k1/KQ6 w - - 0 1")
    assert tables_of(game).distance(s) == 15
    assert Searcher(game).search(s, Limits(depth=1)).exact
    assert tables_of(load(f"chess:{options},tables=no")) is None
