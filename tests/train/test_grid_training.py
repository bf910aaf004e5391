"""The training of a grid network runs through, goes on where it was ended, and leaves a network that plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.engine.grid import GridNetwork
from zermelo.engine.mcts import mcts
from zermelo.engine.network import with_network
from zermelo.errors import MethodError, OptionError
from zermelo.games import load
from zermelo.learn.records import RecordedGames
from zermelo.train import GridTrainingSettings, Moment, Training, TrainingSettings
from zermelo.train.folder import TrainingFolder

GAME = "breakthrough:columns=4,rows=5"
SHORT = GridTrainingSettings(
    minutes=1 / 3, channels=16, blocks=1, simulations=12, batch=64, move_seconds=0.001, opening_plies=3
)


def nothing(_: Moment) -> None:
    """Nobody listens."""


def test_a_training_learns_tests_and_says_what_came_of_it(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    moments: list[Moment] = []
    training = Training(GAME, out, SHORT, moments.append)
    summary = training.run()
    assert {each.phase for each in moments} >= {"playing", "learning", "testing"}
    assert all(sum(each.counts) for each in training.state.generations if each.kept is not None)
    assert training.latest.can("judge")
    records = RecordedGames(training.folder.games(0), load(GAME))
    assert any(shares for each in records for shares in each.visits)
    if summary.network is None:
        assert not out.exists()
        assert "nothing stronger" in summary.line()
    else:
        assert "Elo over simulations without it" in summary.line()
        assert GridNetwork.read(out).record["games"] > 0
        assert load(f"{GAME},network={out}").can("judge")


def test_a_training_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    first = Training(GAME, out, SHORT, nothing)

    def is_learned() -> bool:
        return first.folder.learner.exists()

    first.run(is_learned)  # ended before it is tested
    ended = TrainingFolder(out.with_suffix(".training")).load()
    assert ended is not None
    again = Training(GAME, out, TrainingSettings(minutes=1), nothing)  # the folder knows the family
    assert again.settings == GridTrainingSettings(**{**ended.settings, "minutes": 1})
    assert again.state.generations[0].games == ended.generations[0].games > 0
    game = load(GAME)
    network = again.learning.network({})
    network.write(tmp_path / "network.safetensors")
    written = GridNetwork.read(tmp_path / "network.safetensors")
    found = [mcts(with_network(game, each), simulations=20).visits for each in (network, written)]
    assert found[0] == found[1]
    state = game.initial()
    assert again.latest.judge([state]) == with_network(game, network).judge([state])


@pytest.mark.parametrize(
    "change",
    [{"channels": 24}, {"channels": 512}, {"blocks": 33}, {"simulations": 1}, {"minutes": 0}, {"batch": 1}],
)
def test_impossible_settings_are_refused(change: dict[str, float], tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        Training(GAME, tmp_path / "net.safetensors", GridTrainingSettings(**change), nothing)  # type: ignore[arg-type]


def test_a_native_game_without_inputs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="its table needs the slot `inputs`"):
        Training("backgammon", tmp_path / "net.safetensors", SHORT, nothing)


def test_the_window_grows_with_the_positions() -> None:
    settings = GridTrainingSettings(least_window=10_000, window_share=0.5)
    assert [settings.window(positions) for positions in (0, 10_000, 50_000, 10**7)] == [
        10_000,
        10_000,
        25_000,
        2_811_706,  # from a million positions on it grows with their number to the power of 0.75
    ]
