from __future__ import annotations

import itertools
from functools import cache

import pytest
from tests.games.double_dummy.known import DEALS

import zermelo as z
from zermelo.engine import Stopped
from zermelo.engine.core import _core
from zermelo.errors import InputError, OptionError
from zermelo.games._bridge.cards import STRAINS, VULNERABLE, Board, random_deal, read_deal
from zermelo.games._bridge.par import find_par
from zermelo.games._bridge.solver import solve_position, solve_strain, solve_table


def brute_force(hands, strain, leader):
    """The tricks of north and south by plain minimax over every card."""

    @cache
    def value(left, leader, played):
        if not any(left) and not played:
            return 0
        hand = (leader + len(played)) % 4
        follow = [card for card in left[hand] if played and card // 16 == played[0] // 16]
        found = []
        for card in follow or left[hand]:
            rest = (*left[:hand], left[hand] - {card}, *left[hand + 1 :])
            trick = (*played, card)
            if len(trick) < 4:
                found.append(value(rest, leader, trick))
                continue
            best = max(trick, key=lambda c: (c // 16 == strain, c // 16 == trick[0] // 16, c))
            winner = (leader + trick.index(best)) % 4
            found.append((winner % 2 == 0) + value(rest, winner, ()))
        return max(found) if hand % 2 == 0 else min(found)

    return value(tuple(frozenset(c for c in range(64) if hand >> c & 1) for hand in hands), leader, ())


@pytest.mark.parametrize("seed", range(12))
def test_small_decks_are_as_brute_force_says(seed):
    hands = random_deal(3 + seed % 2, seed)
    found, _ = _core.bridge_deal(hands, 31, 1)
    for strain, leader in itertools.product(range(5), range(4)):
        if (strain + leader + seed) % 5 == 0:  # a fifth of them is enough for a test
            assert found[strain][leader] == brute_force(hands, strain, leader)


def test_the_generic_engine_finds_the_same_tricks():
    game = z.load("double-dummy:ranks=4,strain=S")
    engine = z.Engine(game)
    for seed in range(20):
        hands = random_deal(4, seed)
        s = game.read(f"{Board(hands).text()} W 0")
        found = engine.search(s, depth=16)
        assert found.value == max(game.prove(s).values.values())


@pytest.mark.parametrize("known", DEALS)
def test_whole_deals_have_the_known_results_and_par(known):
    hands = read_deal(known.deal)
    table = solve_table(Board(hands))
    digits = [[int(digit, 16) for digit in group] for group in known.tricks.split()]
    assert table.tricks == {(s, h): digits[i][h] for i, s in enumerate(STRAINS) for h in range(4)}
    boards = [Board(hands, 0, vulnerable) for vulnerable in VULNERABLE]
    assert tuple(find_par(table.tricks, board).score for board in boards) == known.par


def test_threads_change_no_result():
    board = Board(read_deal(DEALS[0].deal))
    assert solve_table(board, threads=3).tricks == solve_table(board).tricks


def test_one_strain_is_that_of_the_table():
    board = Board(random_deal(7, 5))
    tricks = solve_table(board).tricks
    assert all(solve_strain(board, strain, hand) == tricks[strain, hand] for strain in STRAINS for hand in range(4))
    with pytest.raises(OptionError, match="not a strain"):
        solve_strain(board, "X", 0)


def test_turning_the_table_turns_the_results():
    hands = random_deal(8, 3)
    found, _ = _core.bridge_deal(hands, 31, 1)
    turned, _ = _core.bridge_deal((*hands[1:], hands[0]), 31, 1)
    assert all(turned[s][leader] == 8 - found[s][(leader + 1) % 4] for s in range(5) for leader in range(4))


def test_every_card_is_worth_what_the_position_after_it_is():
    game = z.load("double-dummy:ranks=6,seed=4,strain=H,leader=E")
    s = game.initial()
    while not game.is_terminal(s):
        proof = game.prove(s)
        best = max(proof.values.values())
        assert proof.values[proof.line[0]] == best
        assert sorted(proof.values) == sorted(game.actions(s))
        for a, value in proof.values.items():
            after = game.result(s, a)
            if game.is_terminal(after):
                assert value == game.utility(after, game.player(s))
                continue
            theirs = max(game.prove(after).values.values())
            assert value == (theirs if game.player(after) == game.player(s) else game.utility_sum - theirs)
        s = game.result(s, proof.line[0])


def test_a_line_of_best_play_ends_with_the_value():
    game = z.load("double-dummy:ranks=9,seed=11")
    proof = game.prove(game.initial())
    s = game.initial()
    for a in proof.line:
        assert a in list(game.actions(s))
        s = game.result(s, a)
    assert game.is_terminal(s)
    assert game.utility(s, 1) == max(proof.values.values())


def test_a_stop_ends_the_solver():
    hands = random_deal(13, 1)
    with pytest.raises(Stopped):
        _core.bridge_deal(hands, 31, 2, lambda: True)
    found = z.search(z.load("double-dummy:seed=9"), stop=lambda: True)
    assert found.stopped == "stop"
    assert not found.exact


def test_searches_ask_the_solver_unless_told_otherwise():
    game = z.load("double-dummy:ranks=5,seed=2")
    found = z.search(game, lines=3)
    assert (found.method, found.exact, len(found.lines)) == ("solver", True, 3)
    assert all(len(line) == 20 for _, line in found.lines)
    assert z.search(game, nodes=2000).method.startswith("engine")
    assert z.solve(game).value == found.value
    some = list(game.actions(game.initial()))[-2:]
    assert z.Searcher(game).search(only=some).action in some


@pytest.mark.parametrize(
    ("hands", "strain", "leader", "played", "says"),
    [
        ((1, 2, 4, 8), 5, 0, [], "no such strain"),
        ((1, 2, 4, 8), -1, 0, [], "no such strain"),
        ((1, 2, 4, 8), 0, 4, [], "no such leader"),
        ((1, 2, 4, 8), 0, 0, [64], "no such card"),
        ((1, 2, 4, 8), 0, 0, [0], "no such card"),
        ((1, 1, 4, 8), 0, 0, [], "the same card"),
        ((1, 2, 4, 24), 0, 0, [], "different numbers"),
        ((1 << 13, 2, 4, 8), 0, 0, [], "that there is not"),
        ((0, 0, 0, 0), 0, 0, [], "no cards"),
        ((1, 2, 4, 8), 0, 0, [5, 6, 7, 9], "at most three"),
    ],
)
def test_the_core_refuses_what_is_no_position(hands, strain, leader, played, says):
    with pytest.raises(ValueError, match=says):
        _core.bridge_position(hands, strain, leader, played)


def test_a_position_with_a_card_twice_is_refused_in_words():
    with pytest.raises(InputError, match="both have the card S2"):
        solve_position((1, 1, 4, 8), 4, 0, [])
