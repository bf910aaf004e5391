"""Grid networks are learned: their shape from the rules, samples from records, and the network in PyTorch."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo as z
from tests.learn import grid_reference
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.grid import NOWHERE, GridShape, split_weights
from zermelo.errors import ContractError, MethodError
from zermelo.learn.grid.learning import GridLearning
from zermelo.learn.grid.model import tensor_shapes
from zermelo.learn.grid.shape import derive_grid
from zermelo.learn.inputs import sample_states
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import Exploration, SearchPlayer, SelfPlay, SelfPlayOptions

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")


def shape_of(game: z.Game, channels: int = 16, blocks: int = 2) -> GridShape:
    compiled = compile_game(game)
    return derive_grid(compiled, sample_states(compiled, 3000), channels, blocks)


@pytest.mark.parametrize(
    ("name", "board", "planes", "ways"),
    [
        ("hex", (5, 5), 2, 1),
        ("othello", (8, 8), 2, 3),  # in a corner region there is but one neighbour to turn
        ("breakthrough", (8, 8), 2, 7),  # players share its numbers: some act on their source alone
        ("connect4", (7, 6), 2, 0),  # its bits go up the columns, with a spare one on top
        ("connect4:columns=5,rows=7", (5, 7), 2, 0),
        ("tictactoe", (3, 3), 2, 1),
        ("race", (1, 1), 0, 0),
    ],
)
def test_the_board_is_found_in_the_rules(name: str, board: tuple[int, int], planes: int, ways: int) -> None:
    shape = shape_of(z.load(name))
    assert ((shape.rows, shape.columns), shape.planes, shape.ways()) == (board, planes, ways)


def test_neighbours_on_the_board_are_neighbours_in_the_network() -> None:
    """In Connect Four, cell = column · rows + row: the bits of one column lie in one row of the grid."""
    shape = shape_of(z.load("connect4"))
    for field in shape.fields:
        if field.encoding == "bits":
            for column, row in np.ndindex(7, 6):
                assert shape.places[field.first + 7 * column + row] % 42 == 6 * column + row


class Marks(z.Game):
    """Two players mark the cells of a board; whoever has more in the first row at the end wins."""

    class State(NamedTuple):
        marks: np.ndarray
        left: int
        turn: int

    def __init__(self, cells: int = 8):
        self.cells = cells

    def initial(self):
        return self.State(np.zeros(self.cells, np.int8), self.cells, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for i in range(self.cells):
            if s.marks[i] == 0:
                yield i

    def result(self, s, a):
        marks = s.marks.copy()
        marks[a] = s.turn + 1
        return self.State(marks, s.left - 1, 1 - s.turn)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        lead = 0
        for i in range(self.cells // 2):
            lead += int(s.marks[i] == 1) - int(s.marks[i] == 2)
        won = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        return won if p == 0 else -won


class DeclaredMarks(Marks):
    board = (2, 4)


class SizedMarks(Marks):
    def __init__(self):
        super().__init__(8)
        self.rows, self.columns = 4, 2


class WrongMarks(Marks):
    board = (0, 8)


@pytest.mark.parametrize(
    ("game", "board"),
    [(Marks(8), (1, 8)), (Marks(9), (3, 3)), (DeclaredMarks(), (2, 4)), (SizedMarks(), (4, 2))],
)
def test_a_board_of_cells_is_declared_measured_a_square_or_a_row(game: z.Game, board: tuple[int, int]) -> None:
    shape = shape_of(game)
    assert (shape.rows, shape.columns) == board
    assert shape.planes == 3
    assert shape.action_cells == shape.actions == tuple(range(game.cells))
    assert shape.ways() == 1


class Steps(z.Game):
    """A stone of one's own steps to a neighbour on a board of 3 × 4, however moves are numbered and boards are written.

    The board lies before the mover: for the next player it is turned, and "mine" becomes "theirs"."""

    class State(NamedTuple):
        mine: int
        theirs: int
        plies: int

    board = (3, 4)

    def __init__(self, shuffled: bool = False, turned: bool = False):
        self.turned = turned
        moves = [(a, b) for a in range(12) for b in range(12) if abs(a // 4 - b // 4) + abs(a % 4 - b % 4) == 1]
        self.sources, self.targets = (tuple(move[i] for move in moves) for i in (0, 1))
        numbers = np.arange(len(moves))
        self.names = tuple((np.random.default_rng(3).permutation(numbers) if shuffled else numbers).tolist())
        self.count = len(moves)

    def initial(self):
        return self.State(0b1111, 0b1111 << 8, 0)

    def player(self, s):
        return s.plies % 2

    def actions(self, s):
        for a in range(self.count):
            move = self.names[a]
            if s.mine >> self.sources[move] & 1 and not (s.mine | s.theirs) >> self.targets[move] & 1:
                yield a

    def half_turn(self, board):
        turned = 0
        for cell in range(12):
            if board >> cell & 1:
                turned |= 1 << 11 - cell
        return turned

    def result(self, s, a):
        move = self.names[a]
        mine = s.mine & ~(1 << self.sources[move]) | 1 << self.targets[move]
        if self.turned:
            return self.State(self.half_turn(s.theirs), self.half_turn(mine), s.plies + 1)
        return self.State(s.theirs, mine, s.plies + 1)

    def is_terminal(self, s):
        if s.plies >= 30:
            return True
        for _ in self.actions(s):
            return False
        return True

    def utility(self, s, p):
        return 0.0


@pytest.mark.parametrize("turned", [False, True])
def test_actions_that_act_alike_share_their_weights_wherever_they_are(turned: bool) -> None:
    game = Steps(turned=turned)
    shape = shape_of(game)
    known = list(shape.actions)
    assert shape.ways() == 4  # right, left, down, up
    assert shape.ways(beyond=True) == 0
    by_way: dict[int, set[int]] = {}
    for action, cell, way in zip(known, shape.action_cells, shape.action_ways, strict=True):
        source, target = game.sources[action], game.targets[action]
        assert cell == min(source, target)
        by_way.setdefault(way, set()).add(target - source)
    assert sorted(by_way.values(), key=min) == [{-4}, {-1}, {1}, {4}]


def test_numbers_without_order_tell_no_directions_apart_but_the_cells_are_found() -> None:
    game = Steps(shuffled=True)
    shape = shape_of(game)
    for action, cell in zip(shape.actions, shape.action_cells, strict=True):
        move = game.names[action]
        assert cell == min(game.sources[move], game.targets[move])


def test_a_pass_lies_beyond_the_board() -> None:
    shape = shape_of(z.load("othello:size=4"))
    passes = [i for i, cell in enumerate(shape.action_cells) if cell == NOWHERE]
    assert [shape.actions[i] for i in passes] == [max(shape.actions)]
    assert shape.ways(beyond=True) == 1


def test_a_board_that_cannot_be_is_refused() -> None:
    with pytest.raises(ContractError, match="a board of 0 × 8"):
        shape_of(WrongMarks())


def test_states_of_which_nothing_is_known_are_refused() -> None:
    with pytest.raises(MethodError, match="its table needs the slot `inputs`"):
        shape_of(z.load("backgammon"))


def play(game: z.Game, path: Path, games: int = 12) -> RecordedGames[Any]:
    wanted: SelfPlayOptions[Any] = SelfPlayOptions(
        SearchPlayer("mcts", simulations=60),
        games=games,
        block_games=5,
        opening_plies=(0, 3),
        exploration=Exploration(visits=True, full_share=0.5, quick_part=0.2, drawn_plies=6),
    )
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, wanted).blocks():
            writer.write(block)
    return RecordedGames(path, game)


def recount(shape: GridShape, compiled: Any, state: Any) -> set[int]:
    """The places of the inputs that are on."""
    data, found = compiled.pack(state), set()
    if not shape.fields:
        game = compiled.game
        return {shape.places[i] for i in game.inputs(state, game.player(state))}
    for field in shape.fields:
        number = int.from_bytes(data[field.offset : field.offset + field.size], "little", signed=True)
        if field.encoding == "bits":
            on = [bit for bit in range(64) if number & field.mask & (1 << bit)]
        elif field.encoding == "values":
            on = [min(max(number, field.low), field.high) - field.low]
        else:
            on = [sum(edge <= number for edge in field.edges)]
        found |= {shape.places[field.first + i] for i in on}
    return found - {NOWHERE}


def image_of(game: Any, shape: GridShape, compiled: Any, state: Any, visits: dict[int, float], k: int) -> Any:
    """The places, the legal actions and the shares of visits of a position under symmetry `k`."""

    def index(a: int) -> int:
        return shape.actions.index(game.symmetric_action(a, k) if k else a)

    image = game.symmetric(state, k) if k else state
    return recount(shape, compiled, image), {*map(index, game.actions(state))}, {index(a): n for a, n in visits.items()}


@pytest.mark.parametrize("name", ["connect4", "hex:size=4", "breakthrough"])
def test_samples_are_what_python_counts(name: str, tmp_path: Path) -> None:
    game = z.load(name)
    records = play(game, tmp_path / "games")
    shape, compiled = shape_of(game), compile_game(game)
    samples = _core.GridSamples(shape.native())
    for block in range(records.blocks):
        records.add_samples(block, samples, score_share=0.25, quiet_only=False)
    expected = []
    low, high = game.bounds
    for each in records:
        state = each.start
        for action, mover, score, flags, visits in zip(
            each.actions, each.movers, each.scores, each.flags, each.visits, strict=True
        ):
            if score is not None:
                part = 1.0 if _core.MoveFlags.proved in flags else 0.25
                value = part * score + (1 - part) * each.utilities[mover]
                images = [image_of(game, shape, compiled, state, visits, k) for k in range(game.symmetry_count)]
                expected.append((images, mover, (value - low) / (high - low)))
            state = game.result(state, action)
    assert len(samples) == len(expected) > 50
    lists = [samples.place_starts, samples.legal_starts, samples.visited_starts]
    turned = set()
    for i, (images, mover, value) in enumerate(expected):
        (a, b), (c, d), (e, f) = ((int(starts[i]), int(starts[i + 1])) for starts in lists)
        found = set(samples.places[a:b].tolist()), set(samples.legal[c:d].tolist())
        shares = dict(zip(samples.visited[e:f].tolist(), samples.shares[e:f].tolist(), strict=True))
        same = [k for k, image in enumerate(images) if found == image[:2] and shares == pytest.approx(image[2])]
        assert same
        turned.update(same[:1])
        assert samples.movers[i] == mover
        assert samples.values[i] == pytest.approx(value, abs=1e-4)
    assert len(turned) == game.symmetry_count
    assert any(images[0][2] for images, _, _ in expected)
    samples.clear()
    assert len(samples) == 0


def random_weights(shape: GridShape, seed: int = 0) -> dict[str, Any]:
    """Weights that leave no part of the network idle."""
    chance = np.random.default_rng(seed)
    trainer = _core.GridTrainer(shape.native(), batch=1, threads=1, decay=0.0, seed=seed)
    parts = split_weights(shape, trainer.weights + 0.1 * chance.standard_normal(len(trainer.weights), np.float32))
    return {name: parts[name].reshape(size) for name, size in tensor_shapes(shape).items()}


@needs_torch
@pytest.mark.parametrize("name", ["connect4", "hex:size=4", "othello:size=4", "race", "kalah", "go:size=5"])
def test_the_network_in_pytorch_is_the_one_in_numpy(name: str) -> None:
    import torch

    from zermelo.learn.grid.model import GridModel

    shape = shape_of(z.load(name))
    weights = random_weights(shape)
    chance = np.random.default_rng(1)
    inputs = (chance.random((7, shape.planes * shape.cells + shape.globals)) < 0.4).astype(np.float32)
    tensors = {name: torch.tensor(part) for name, part in weights.items()}
    logits, values, owners = GridModel(shape, "cpu").run(tensors, torch.tensor(inputs))
    for i, position in enumerate(inputs):
        expected, value, owned = grid_reference.run(shape, weights, position)
        np.testing.assert_allclose(logits[i].numpy(), expected, atol=1e-4)
        assert float(values[i]) == pytest.approx(value, abs=1e-4)
        if shape.owners:
            np.testing.assert_allclose(owners[i].numpy(), owned, atol=1e-4)


@pytest.mark.parametrize("name", ["connect4", "hex:size=4", "othello:size=4", "race", "breakthrough", "go:size=5"])
def test_the_network_in_the_core_is_the_one_in_numpy(name: str) -> None:
    game = z.load(name)
    compiled, shape = compile_game(game), shape_of(z.load(name))
    weights = random_weights(shape)
    native = _core.GridNetwork(compiled.handle, shape.native(), {key: part.ravel() for key, part in weights.items()})
    for row in sample_states(compiled, 40, seed=2):
        state = compiled.unpack(row.tobytes())
        if game.player(state) < 0:
            continue
        inputs = np.zeros(shape.planes * shape.cells + shape.globals)
        inputs[list(recount(shape, compiled, state))] = 1
        inputs[-1] = game.player(state) == 1
        expected, value, owned = grid_reference.run(shape, weights, inputs)
        np.testing.assert_allclose(native.outputs(compiled.handle, row.tobytes()), [*expected, value], atol=1e-4)
        if shape.owners:
            shares = np.tanh(owned / 2) * (-1 if game.player(state) == 1 else 1)
            np.testing.assert_allclose(native.owners(compiled.handle, row.tobytes()), shares, atol=1e-4)


def samples_of(shape: GridShape, records: RecordedGames[Any]) -> _core.GridSamples:
    samples = _core.GridSamples(shape.native())
    for block in range(records.blocks):
        records._core.add_samples(block, samples, score_share=0.3, quiet_only=False)  # as they are, not turned
    return samples


def trainer_of(shape: GridShape) -> _core.GridTrainer:
    trainer = _core.GridTrainer(shape.native(), batch=64, threads=1, decay=0.0, seed=1)
    trainer.weights = np.concatenate([part.ravel() for part in random_weights(shape).values()])
    return trainer


GRADIENT_GAMES = [
    *("connect4:columns=5,rows=4", "hex:size=4", "othello:size=4", "breakthrough:columns=5,rows=5", "kalah"),
    "go:size=4",
]


@pytest.mark.parametrize("name", GRADIENT_GAMES)
def test_the_gradient_is_how_the_loss_changes(name: str, tmp_path: Path) -> None:
    """Along random directions, as far as single precision tells."""
    game = z.load(name)
    shape = shape_of(game)
    samples, trainer = samples_of(shape, play(game, tmp_path / "games", games=2)), trainer_of(shape)
    start, gradient = trainer.weights, trainer.gradient(samples)
    chance = np.random.default_rng(4)
    for _ in range(4):
        way = gradient / np.linalg.norm(gradient) + chance.standard_normal(len(start)).astype(np.float32) / 300
        losses = []
        for step in (-2e-3, 2e-3):
            trainer.weights = (start + step * way).astype(np.float32)
            losses.append(trainer.loss(samples))
        assert (losses[1] - losses[0]) / 4e-3 == pytest.approx(float(gradient @ way), rel=0.03, abs=0.01)


@needs_torch
@pytest.mark.parametrize("name", GRADIENT_GAMES)
def test_the_core_learns_as_pytorch_does(name: str, tmp_path: Path) -> None:
    from zermelo.learn.grid.torch_trainer import TorchTrainer

    game = z.load(name)
    shape = shape_of(game)
    samples, core = samples_of(shape, play(game, tmp_path / "games", games=2)), trainer_of(shape)
    torch = TorchTrainer(shape, core.weights, 64, 0.0, 1, "cpu")
    assert core.loss(samples) == pytest.approx(torch.loss(samples), abs=1e-4)
    np.testing.assert_allclose(core.gradient(samples), torch.gradient(samples), atol=2e-4)


def test_the_trainer_computes_what_the_network_does(tmp_path: Path) -> None:
    game = z.load("connect4")
    compiled, shape = compile_game(game), shape_of(game)
    trainer = trainer_of(shape)
    network = _core.GridNetwork(compiled.handle, shape.native(), split_weights(shape, trainer.weights))
    records = play(game, tmp_path / "games", games=2)
    samples = samples_of(shape, records)
    searched = [part.states[~np.isnan(part.scores)] for part in records.positions()]
    states = [row.tobytes() for part in searched for row in part]
    assert len(states) == len(samples)
    for i, state in enumerate(states):
        np.testing.assert_allclose(trainer.outputs(samples, i), network.outputs(compiled.handle, state), atol=1e-4)


def test_learning_lowers_the_loss_and_the_same_seed_gives_the_same_network(tmp_path: Path) -> None:
    game = z.load("hex:size=4")
    records = play(game, tmp_path / "games")

    def learn(passes: float) -> tuple[GridLearning, float]:
        made = GridLearning(game, channels=16, blocks=1, batch=64, threads=1, seed=5)
        made.read([(records, True)], 10_000, (0.3, 0.3))
        return made, made.learn(passes, 0.003, 600)

    (_, early), (one, late), (two, _) = learn(0.1), learn(80), learn(80)
    assert late < early - 0.1
    first, second = one.network({}).weights, two.network({}).weights
    for name, part in first.items():
        np.testing.assert_array_equal(part, second[name])
    one.save(tmp_path / "learner.safetensors")
    three = GridLearning(game, channels=16, blocks=1, batch=64, threads=1, seed=5)
    three.load(tmp_path / "learner.safetensors")
    for name, part in three.network({}).weights.items():
        np.testing.assert_array_equal(part, first[name])
