"""Games of chance are trained as others are, and their counts are seen value by value."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.engine.compiled import compile_game
from zermelo.games import load
from zermelo.learn.inputs import derive_shape, sample_states
from zermelo.train import Training, TrainingSettings

SHORT = TrainingSettings(minutes=0.05, width=32, nodes=20, move_seconds=0.001, batch=512)


@pytest.mark.parametrize("game", ["pig", "race:steps=20"])
def test_games_of_chance_are_trained(game: str, tmp_path: Path) -> None:
    training = Training(game, tmp_path / "net.safetensors", SHORT, lambda _: None)
    summary = training.run()
    assert summary.games > 0
    assert training.state.generations[0].loss is not None


@pytest.mark.parametrize("goal", [50, 100])
def test_a_network_for_pig_sees_every_score(goal: int) -> None:
    compiled = compile_game(load(f"pig:goal={goal}"))
    shape = derive_shape(compiled, sample_states(compiled, 20_000), 32)
    for path in ("mine", "theirs", "total"):
        (values,) = [field for field in shape.fields if field.path.endswith(path) and field.encoding == "values"]
        assert values.low == 0
        assert goal // 2 < values.high < goal
