"""What symmetries promise: compiled as in Python, and samples that are put through them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.engine.agreement import disagreement
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.games import load
from zermelo.learn.inputs import derive_shape, sample_states
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions

GAMES = ("connect4", "breakthrough", "hex:size=4", "hexapawn", "othello:size=4", "tictactoe:m=4,n=3,k=3")


@pytest.mark.parametrize("name", GAMES)
def test_compiled_symmetries_are_those_of_python(name: str) -> None:
    assert disagreement(compile_game(load(name)), games=3, seconds=20, seed=1) == ""


@pytest.mark.parametrize("name", GAMES)
def test_symmetries_have_an_order_and_keep_positions_apart(name: str) -> None:
    game: Any = load(name)
    state = game.initial()
    for _ in range(3):
        state = game.result(state, next(iter(game.actions(state))))
    assert game.symmetric(state, 0) == state
    for k in range(game.symmetry_count):
        turned = [state]
        while (after := game.symmetric(turned[-1], k)) not in turned:
            turned.append(after)
        assert after == state


def test_samples_are_put_through_symmetries_at_random(tmp_path: Path) -> None:
    game = load("connect4:columns=4,rows=4")
    compiled = compile_game(game)
    options: SelfPlayOptions[Any] = SelfPlayOptions(SearchPlayer(nodes=20), games=40, opening_plies=(2, 4))
    with RecordWriter(tmp_path / "games.bin", game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    records = RecordedGames(tmp_path / "games.bin", game)
    shape = derive_shape(compiled, sample_states(compiled, 500), 32).native()

    def read(seed: int) -> tuple[list[int], list[float]]:
        samples = _core.Samples(shape)
        for block in range(records.blocks):
            records.add_samples(block, samples, score_share=0.5, quiet_only=False, seed=seed)
        return samples.inputs.tolist(), samples.targets.tolist()

    assert read(1) == read(1)
    one, other = read(1), read(2)
    assert one[0] != other[0]
    np.testing.assert_array_equal(one[1], other[1])
