"""Native Go against a plain one in Python: the same moves, the same boards, the same counts."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.twins.go_twin import Board

from zermelo.games.go import Go


def same(game: Go, state, board: Board) -> bool:
    colours = game.colours(state)
    return {i: c for i, c in enumerate(colours) if c != "."} == board.stones and "XO"[game.player(state)] == board.turn


def action_of(game: Go, point: int | None) -> int:
    return game.size**2 if point is None else point


@pytest.mark.parametrize(
    ("size", "games", "plies"),
    [(2, 10, 60), (3, 10, 80), (5, 6, 120), (7, 3, 120), (9, 2, 150), (13, 1, 80), (19, 1, 40)],
)
def test_random_games_are_the_same_games(size, games, plies):
    game, chance = Go(size=size, komi=0), random.Random(size)
    for _ in range(games):
        state, board = game.initial(), Board(size, {})
        for _ in range(plies):
            legal = board.legal()
            assert game.actions(state) == [action_of(game, point) for point in legal]
            points = [p for p in legal if p is not None and chance.random() < 0.97]
            point = chance.choice(points) if points else None
            state, board = game.result(state, action_of(game, point)), board.play(point)
            assert same(game, state, board)
            if game.is_terminal(state):
                assert game.utility(state, 0) == (board.area() > 0) - (board.area() < 0)
                break


def count(board: Board, depth: int) -> int:
    if depth == 0 or board.passes == 2:
        return depth == 0
    return sum(count(board.play(point), depth - 1) for point in board.legal())


@pytest.mark.parametrize(("size", "depth"), [(2, 6), (3, 4), (4, 3)])
def test_the_trees_have_the_same_size(size, depth):
    game = Go(size=size)
    assert game.native.perft(game.initial(), depth).leaves == count(Board(size, {}), depth)


def ended(game, state):
    """The same board after as many passes as end the game."""
    while not game.is_terminal(state):
        state = game.result(state, game.size**2)
    return state


def test_a_uniform_playout_draws_from_all_legal_moves():
    game = Go(size=2, komi=0.5, playouts="uniform")
    first = Counter(game.native.playout(game.initial(), seed)[1][0] for seed in range(5000))
    assert set(first) == set(game.actions(game.initial()))
    assert all(800 < count < 1200 for count in first.values())  # of five moves, each a fifth


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
@pytest.mark.parametrize("playouts", ["skilled", "sensible", "uniform"])
def test_a_playout_is_a_legal_game_with_the_result_of_its_last_board(size, playouts):
    game = Go(size=size, komi=0.5, playouts=playouts)
    for seed in range(12):
        utilities, actions, movers = game.native.playout(game.initial(), seed)
        state = game.initial()
        for action, mover in zip(actions, movers, strict=True):
            assert game.player(state) == mover
            state = game.result(state, action)
        if playouts == "uniform" or game.is_terminal(state):
            assert utilities == game.utilities(ended(game, state))
        assert game.native.playout(game.initial(), seed) == (utilities, actions, movers)


@pytest.mark.parametrize("scoring", ["area", "territory"])
@pytest.mark.parametrize(("size", "share"), [(5, 1.0), (7, 0.6), (9, 0.4), (9, 0.8)])
def test_the_count_of_an_ended_game_is_the_rules_to_the_half_point(size, share, scoring):
    """The native count tells only who wins; komi around it tells how much."""
    game = Go(size=size, komi=0, scoring=scoring)
    for seed in range(4):
        actions = game.native.playout(game.initial(), seed)[1]
        state = game.initial()
        for action in actions[: int(share * len(actions))]:
            state = game.result(state, action)
        text = game.write(ended(game, state))
        margin = game.final_margin(game.read(text))
        for over, winner in ((-0.5, 1), (0, 0), (0.5, -1)):
            same_board = Go(size=size, komi=margin + over, scoring=scoring)
            assert same_board.utility(same_board.read(text), 0) == winner
