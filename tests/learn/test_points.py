"""Networks of games that say what exchanges gain: their values are in the same points, by a slope that is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zermelo.engine.network import with_network
from zermelo.games import load
from zermelo.learn.learning import SumLearning, fit_slope
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions

SHARES = (0.9, 0.6)


def play(name: str, path: Path, games: int = 40) -> RecordedGames[Any]:
    game = load(name)
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        SearchPlayer(nodes=60), games=games, block_games=4, opening_plies=(0, 8)
    )
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    return RecordedGames(path, game)


@pytest.mark.parametrize("name", ["chess:network=no", "xiangqi:network=no"])
def test_a_network_learns_to_count_in_points(name: str, tmp_path: Path) -> None:
    game, games = load(name), play(name, tmp_path / "games.bin")
    learning = SumLearning(game, 32, 512, 1, 0)
    learning.read([(games, False)], 10**6, SHARES)
    learning.learn(8, 0.004, 60)
    assert learning.shape.slope == fit_slope(games)
    evaluated = with_network(game, learning.network({}))
    state = game.initial()
    assert abs(evaluated.evaluate(state, 0)) < 0.1
    learning.save(tmp_path / "learner.safetensors")
    again = SumLearning(game, 32, 512, 1, 0)
    again.load(tmp_path / "learner.safetensors")
    assert again.shape == learning.shape
    assert with_network(game, again.network({})).evaluate(state, 0) == evaluated.evaluate(state, 0)


def test_other_networks_speak_in_chances(tmp_path: Path) -> None:
    name = "breakthrough:columns=5,rows=5,network=no"
    learning = SumLearning(load(name), 32, 512, 1, 0)
    learning.read([(play(name, tmp_path / "games.bin"), False)], 10**6, SHARES)
    assert learning.shape.slope == 0


def test_as_many_threads_as_one_likes_read_the_same_positions(tmp_path: Path) -> None:
    name = "chess:network=no"
    games = play(name, tmp_path / "games.bin")
    found = []
    for threads in (1, 3):
        learning = SumLearning(load(name), 32, 512, threads, 0)
        count = learning.read([(games, False)], 1000, SHARES)
        samples = learning._learned
        found.append((count, *(getattr(samples, part).tolist() for part in ("inputs", "starts", "heads", "targets"))))
    assert found[0] == found[1]
    assert 1000 <= found[0][0] < games.moves
