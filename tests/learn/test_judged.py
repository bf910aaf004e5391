"""Self-play whose positions somebody judges in batches plays the games that the network plays by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo as z
from tests.learn import grid_reference
from tests.learn.test_grid import needs_torch
from zermelo.engine.core import _core
from zermelo.engine.grid import GridNetwork
from zermelo.engine.network import with_network
from zermelo.game import AnyGame
from zermelo.learn.grid.learning import GridLearning
from zermelo.learn.grid.model import tensor_shapes
from zermelo.learn.records import RecordedGame, RecordedGames, RecordWriter, count_block
from zermelo.learn.selfplay import Exploration, SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train.places import WithGpu

ROWS = 3
OPTIONS: SelfPlayOptions[Any] = SelfPlayOptions(
    SearchPlayer("mcts", simulations=12),
    games=8,
    block_games=4,
    seed=1,
    exploration=Exploration(visits=True, full_share=0.5, quick_part=0.5, noise=5.0, drawn_plies=4),
    longest_plies=40,
)


def learned(name: str) -> tuple[AnyGame, GridNetwork]:
    """A game and a network that has learned nothing but is not the same everywhere."""
    rules = z.load(name)
    learning = GridLearning(rules, 16, 1, 16, 1, 3)
    network = learning.network({})
    return with_network(rules, network), network


class NumPyJudge:
    """Judges by the reference of the tests."""

    def __init__(self, network: GridNetwork, before: Callable[[int], None] = lambda _: None, rows: int = ROWS):
        self.shape, self.batches, self.before = network.shape, 0, before
        sizes = tensor_shapes(self.shape)
        self.weights = {name: part.reshape(sizes[name]) for name, part in network.tensors().items()}
        words = -(-self.shape.inputs // 64) + 1
        self.inputs = [np.zeros((rows, words), np.uint64) for _ in range(2)]
        self.outputs = [np.zeros((rows, len(self.shape.actions) + 1), np.float32) for _ in range(2)]
        self.core = _core.Judge(self.shape.native(), inputs=self.inputs, outputs=self.outputs, call=self.judge)

    def judge(self, group: int) -> None:
        self.before(self.batches)
        self.batches += 1
        for asked, answer in zip(self.inputs[group], self.outputs[group], strict=True):
            bits = np.unpackbits(asked.view(np.uint8), bitorder="little")
            placed = np.zeros(self.shape.planes * self.shape.cells + self.shape.globals)
            for i in np.flatnonzero(bits[: self.shape.inputs]):
                placed[self.shape.places[i]] = 1
            placed[-1] = bits[-64]
            logits, value, _ = grid_reference.run(self.shape, self.weights, placed)
            answer[:-1], answer[-1] = logits, value


def played(blocks: Any, rules: AnyGame, path: Path) -> list[RecordedGame[Any]]:
    with RecordWriter(path, rules) as writer:
        for block in blocks:
            writer.write(block)
    return list(RecordedGames(path, rules))


@pytest.mark.parametrize(("name", "threads"), [("hex:size=4", 1), ("hex:size=4", 3), ("go:size=4", 2)])
def test_judged_games_are_those_of_the_network(name: str, threads: int, tmp_path: Path) -> None:
    game, network = learned(name)
    rules = z.load(name)
    own = played(SelfPlay(game, OPTIONS).blocks(), rules, tmp_path / "own")
    options = SelfPlayOptions(**{field: getattr(OPTIONS, field) for field in OPTIONS.__slots__} | {"threads": threads})
    judge = NumPyJudge(network)
    judged = played(SelfPlay(game, options, judge).blocks(), rules, tmp_path / "judged")
    assert [each.number for each in judged] == list(range(OPTIONS.games))
    assert [each.actions for each in judged] == [each.actions for each in own]
    assert judge.batches > 0


def test_games_that_stand_still_are_given_up_with_their_searches() -> None:
    game, network = learned("hex:size=4")
    run = SelfPlay(game, OPTIONS, NumPyJudge(network))
    games, moves = count_block(next(run.blocks()))
    assert games == OPTIONS.block_games
    assert moves > games
    del run  # four games are in the middle of a search


def test_what_the_judge_raises_ends_the_run() -> None:
    game, network = learned("hex:size=4")

    def fail(batch: int) -> None:
        if batch == 5:
            raise RuntimeError("the GPU is gone")

    run = SelfPlay(game, OPTIONS, NumPyJudge(network, fail))
    with pytest.raises(RuntimeError, match="the GPU is gone"):
        list(run.blocks())


def test_a_stop_ends_judged_games_between_two_batches() -> None:
    game, network = learned("hex:size=4")
    judge = NumPyJudge(network)
    assert len(list(SelfPlay(game, OPTIONS, judge).blocks(lambda: judge.batches >= 3))) <= 1


def test_arrays_that_do_not_fit_the_network_are_refused() -> None:
    _, network = learned("hex:size=4")
    judge = NumPyJudge(network)
    for inputs, outputs in (
        (judge.inputs[:1], judge.outputs),
        ([each[:, 1:].copy() for each in judge.inputs], judge.outputs),
        (judge.inputs, [each[:2] for each in judge.outputs]),
    ):
        with pytest.raises(ValueError, match=r"do not fit|two groups"):
            _core.Judge(judge.shape.native(), inputs=inputs, outputs=outputs, call=judge.judge)
    empty = NumPyJudge(network, rows=0)
    with pytest.raises(z.ZermeloError, match="a batch has at least one position"):
        SelfPlay(learned("hex:size=4")[0], OPTIONS, empty)


@needs_torch
def test_games_go_on_with_the_network_of_the_next_generation(tmp_path: Path) -> None:
    game, network = learned("hex:size=4")
    place, rules = WithGpu("cpu", ROWS), z.load("hex:size=4")
    options = SelfPlayOptions(
        **{field: getattr(OPTIONS, field) for field in OPTIONS.__slots__} | {"games": 1 << 40, "first": 7}
    )
    numbers = []
    for generation in range(2):
        run = place.selfplay(game, options)
        blocks = run.blocks(lambda run=run: run.games > 0)  # type: ignore[misc]
        numbers.append([each.number for each in played(blocks, rules, tmp_path / str(generation))])
        assert run.games == len(numbers[-1])
        assert run.positions > run.games
    assert numbers[0][0] == 7
    assert numbers[1][0] == numbers[0][-1] + 1
    assert network.shape == place._run.judge.shape  # type: ignore[union-attr]
    place.close()
