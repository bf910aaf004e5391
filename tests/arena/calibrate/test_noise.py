"""Players that err on purpose."""

from __future__ import annotations

import pytest

from zermelo.arena import make_player
from zermelo.arena.tournament import match
from zermelo.errors import OptionError
from zermelo.games import load


@pytest.mark.parametrize("kind", ["engine:depth=2", "alphabeta:depth=2"])
def test_noise_settles_by_seed_and_without_it_play_is_as_before(kind):
    game = load("connect4")
    s = game.initial()

    def moves(text, times=30):
        player = make_player(text)
        return [player.choose(game, s) for _ in range(times)]

    assert moves(f"{kind},noise=0.5,seed=3") == moves(f"{kind},noise=0.5,seed=3")
    assert moves(f"{kind},noise=0.5,seed=3") != moves(f"{kind},noise=0.5,seed=4")
    assert moves(f"{kind},noise=0") == moves(kind)
    assert set(moves(f"{kind},noise=1,seed=1", 200)) == set(game.actions(s))


def test_a_tournament_settles_noise_unless_the_player_has_a_seed_of_its_own():
    game = load("connect4")
    free, own = make_player("alphabeta:depth=1,noise=1"), make_player("alphabeta:depth=1,noise=1,seed=2")

    def moves(player):
        player.reseed(5)
        return [player.choose(game, game.initial()) for _ in range(30)]

    assert moves(free) == moves(free)
    assert moves(own) != moves(own)


@pytest.mark.parametrize(("kind", "limit"), [("engine", "nodes=400"), ("search", "depth=3")])
def test_more_noise_is_weaker_play(kind, limit):
    scores = []
    for noise in (0.9, 0.5, 0):
        report = match("tictactoe", [f"{kind}:{limit},noise={noise}", "random"], games=80, seed=1)
        scores.append(report.score(0, 1)[0])
    assert scores == sorted(scores)
    assert scores[0] < scores[-1] - 10


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("engine:noise=2", "noise must be a number from 0 to 1"),
        ("engine:noise=yes", "noise must be a number"),
        ("alphabeta:noise=-0.1", "noise must be a number"),
        ("alphabeta:noise=nan", "noise must be a number"),
        ("search:seed=x", "seed must be a whole number"),
        ("rated", "say which rating"),
        ("rated:", "say which rating"),
        ("rated:strong", "NAME=VALUE"),
        ("rated:1e999", "say which rating"),
        ("rated:rating=yes", "say which rating"),
        ("rated:800,speed=3", "no option 'speed'"),
        ("rated:800,seed=1.5", "seed must be"),
        ("rated:800,ladder=3", "ladder must be a file"),
    ],
)
def test_options_that_cannot_be_used_say_why(spec, says):
    with pytest.raises(OptionError, match=says):
        make_player(spec)
