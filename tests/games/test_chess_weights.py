"""The evaluation of chess is features times weights, and the weights are data."""

from __future__ import annotations

import pickle
import random

import pytest

from zermelo.engine import Engine
from zermelo.errors import InputError, OptionError
from zermelo.game import Weights
from zermelo.games import load
from zermelo.games.chess import Chess

GAME = Chess()
NAMES = GAME.feature_names()


def positions(games=6):
    dice = random.Random(3)
    for _ in range(games):
        s = GAME.initial()
        for _ in range(120):
            if GAME.is_terminal(s):
                break
            yield s
            s = GAME.result(s, dice.choice(GAME.actions(s)))


def made(tmp_path, name="w.json", **values):
    """Weights of nothing but `values`, a file."""
    path = tmp_path / name
    Weights("chess", dict.fromkeys(NAMES, 0) | values).write(path)
    return str(path)


def test_features_times_weights_are_the_estimate_and_its_parts():
    weights = GAME.feature_weights()
    states = list(positions())
    for s, row in zip(states, GAME.features_of(states), strict=True):
        points = sum(float(x) * w for x, w in zip(row, weights, strict=True))
        assert abs(points - GAME.evaluate(s, 0) * GAME.scale) < 1.01  # the estimate is rounded towards 0
        assert sum(part for _, part in GAME.explain(s)) == pytest.approx(points, abs=1e-2)
        assert tuple(row.tolist()) == GAME.features(s)


def test_both_sides_are_seen_alike():
    for s in positions(3):
        board, turn, *rest = GAME.write(s).split()
        mirrored = "/".join(board.split("/")[::-1]).swapcase()
        if rest[:2] == ["-", "-"]:
            other = GAME.read(f"{mirrored} {'b' if turn == 'w' else 'w'} - - 0 1")
            assert GAME.features(other) == tuple(-x for x in GAME.features(s))


def test_names_are_unique_and_there_is_one_for_each_feature():
    assert len(set(NAMES)) == len(NAMES) == len(GAME.features(GAME.initial()))
    assert {"queen, endgame", "knight on c3/f3, middlegame", "rook mobility 14, endgame"} <= set(NAMES)


def test_two_games_of_other_weights_live_side_by_side(tmp_path):
    one = Chess(weights=made(tmp_path, "1.json", **{"queen, middlegame": 900, "queen, endgame": 900}))
    two = load(f"chess:weights={made(tmp_path, '2.json', **{'queen, middlegame': 500, 'queen, endgame': 500})}")
    fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"
    for game, points in ((one, 0.09), (two, 0.05), (one, 0.09)):
        s = game.read(fen)
        assert game.evaluate(s, 0) == points
        assert game.evaluate(game.result(s, game.actions(s)[0]), 1) == -points
        assert game.explain(s)[0] == ("material", points * 10_000)


def test_weights_travel_to_other_processes_with_their_game(tmp_path):
    game = Chess(weights=made(tmp_path, **{"pawn, middlegame": 50, "pawn, endgame": 50}))
    again = pickle.loads(pickle.dumps(game))
    assert again.feature_weights() == game.feature_weights() != GAME.feature_weights()


def test_a_search_outlives_the_game_object_that_had_the_weights(tmp_path):
    engine = Engine(Chess(weights=made(tmp_path, **{"pawn, middlegame": 50, "pawn, endgame": 50})))
    assert engine.search(nodes=500).nodes > 0


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"queen, middlegame": 2001}, "weigh at most 2000 together"),
        ({"queen, endgame": 1500, "queen on a1/h1, endgame": 501}, "queen on a1/h1"),
        ({"space, endgame": 10_001}, "space weighs at most 10000"),
        ({"space, endgame": -1e9}, "space weighs at most 10000"),
    ],
)
def test_weights_out_of_range_are_refused(tmp_path, values, why):
    with pytest.raises(OptionError, match=why):
        Chess(weights=made(tmp_path, **values))


def test_files_of_something_else_are_refused(tmp_path):
    path = tmp_path / "w.json"
    Weights("chess", {"queen": 9}).write(path)
    with pytest.raises(InputError, match="no weight for 'pawn, middlegame'"):
        Chess(weights=str(path))
    with pytest.raises(InputError, match="cannot be read"):
        load("chess:weights=nowhere.json")


@pytest.mark.parametrize(
    ("fen", "least", "most"),
    [
        ("4k3/8/8/3b4/8/8/R7/4K3 w - - 0 1", 0, 60),  # rook against bishop: no pawn left to win with
        ("4k3/8/8/8/8/8/NN6/4K3 w - - 0 1", 0, 200),  # two knights force no mate
        ("4k3/8/8/8/8/8/R7/4K3 w - - 0 1", 400, 1000),
    ],
)
def test_endgames_that_are_drawn_are_not_believed(fen, least, most):
    s = GAME.read(fen)
    assert least <= GAME.evaluate(s, 0) * GAME.scale <= most


def test_the_record_says_how_the_weights_were_made():
    record = Weights.read(GAME.weights).record
    assert {"command", "games", "positions", "losses", "seed"} <= set(record)
