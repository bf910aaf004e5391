"""A game written in Python says who has its cells in the end; a grid network learns that and tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo.engine.network import with_network
from zermelo.errors import ContractError
from zermelo.learn.grid.learning import GridLearning
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import Exploration, SearchPlayer, SelfPlay, SelfPlayOptions

CELLS = 9


class Fill(z.Game):
    """Fill nine cells in turn; whoever has more of the first column wins."""

    board = (3, 3)

    class State(NamedTuple):
        first: z.U64
        second: z.U64
        turn: int

    def initial(self) -> State:
        return self.State(z.U64(0), z.U64(0), 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Any:
        for i in range(CELLS):
            if not (s.first | s.second) >> i & 1:
                yield i

    def result(self, s: State, a: int) -> State:
        if s.turn == 0:
            return self.State(s.first | (1 << a), s.second, 1)
        return self.State(s.first, s.second | (1 << a), 0)

    def is_terminal(self, s: State) -> bool:
        return bool((s.first | s.second) == 511)

    def utility(self, s: State, p: int) -> float:
        held = 0
        for i in range(0, CELLS, 3):
            held += 1 if s.first >> i & 1 else -1
        return 1.0 if (held > 0) == (p == 0) else -1.0

    def owners(self, s: State) -> Any:
        for i in range(CELLS):
            yield 0 if s.first >> i & 1 else 1


class TooFew(Fill):
    """Leaves out a cell."""

    def owners(self, s: Fill.State) -> Any:
        for i in range(CELLS - 1):
            yield 0 if s.first >> i & 1 else 1


def recorded(game: z.Game, path: Path, games: int = 60) -> RecordedGames[Any]:
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        SearchPlayer("mcts", simulations=8),
        games=games,
        block_games=10,
        opening_plies=(0, 8),
        exploration=Exploration(visits=True),
        ends_proved=False,
    )
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    return RecordedGames(path, game)


def test_a_network_learns_and_tells_who_has_the_cells(tmp_path: Path) -> None:
    game = Fill()
    learning = GridLearning(game, 16, 1, 32, 1, 0)
    assert learning.shape.owners
    learning.read([(recorded(game, tmp_path / "games"), True)], 10_000, (0.0, 0.0))
    learning.learn(60, 0.01, 600)
    network = learning.network({})
    assert sum(len(part) for name, part in network.weights.items() if name.startswith("owner")) == 17
    file = tmp_path / "fill.safetensors"
    network.write(file)
    played = with_network(game, type(network).read(file))
    state = game.initial()
    for action in (0, 1, 2, 3, 4, 5, 6):
        state = game.result(state, action)
    shares = np.array(played.ownership(state))  # type: ignore[attr-defined]
    assert (np.sign(shares[:7]) == [1, -1, 1, -1, 1, -1, 1]).all()
    assert (abs(shares[7:]) < abs(shares[:7]).min()).all()  # nobody knows who will have these


def test_cells_that_are_left_out_are_told(tmp_path: Path) -> None:
    learning = GridLearning(TooFew(), 16, 1, 32, 1, 0)
    with pytest.raises(ContractError, match="gives 8 cells, and the board has another number"):
        learning.read([(recorded(TooFew(), tmp_path / "games", 10), True)], 10_000, (0.0, 0.0))
