"""Scores that are not chances are made such by a logistic function that fits the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.games import load
from zermelo.learn.learning import LEAST_SLOPE, MOST_SLOPE, fit_slope
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions


def test_estimates_made_by_hand_are_too_small_to_be_chances(tmp_path: Path) -> None:
    game = load("breakthrough:columns=5,rows=5")
    options: SelfPlayOptions[Any] = SelfPlayOptions(SearchPlayer(nodes=50), games=100, opening_plies=(2, 6))
    with RecordWriter(tmp_path / "games.bin", game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    assert 1 < fit_slope(RecordedGames(tmp_path / "games.bin", game)) < MOST_SLOPE


def test_games_without_scores_have_a_slope(tmp_path: Path) -> None:
    game = load("breakthrough:columns=5,rows=5")
    options: SelfPlayOptions[Any] = SelfPlayOptions(SearchPlayer(nodes=1), games=1, opening_plies=(0, 0))
    with RecordWriter(tmp_path / "games.bin", game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    assert LEAST_SLOPE <= fit_slope(RecordedGames(tmp_path / "games.bin", game)) <= MOST_SLOPE
