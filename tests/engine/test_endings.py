"""The search for endings: what it proves is the value by plain alpha-beta, whatever the game tells it to begin with."""

import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.twins.random_games import NoiseTree, scramble

import zermelo as z
from zermelo.engine.compiled import compile_game
from zermelo.engine.engine import Engine
from zermelo.games import load
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect4 import ConnectFour
from zermelo.games.hexapawn import Hexapawn

SUITE = Path(__file__).resolve().parents[2] / "bench" / "suites" / "ffo_endings.txt"


class NoiseEnding(NoiseTree):
    """A tree of noise that knows how deep it is, and whose other answers mislead as far as they may."""

    def remaining_plies(self, s: Any) -> int:
        return s.left

    def upper_bound(self, s: Any, p: int) -> float:
        return 1.0 if scramble(s.noise, 6) % 2 else 3.0

    def ending_priority(self, s: Any, a: int) -> float:
        return float(scramble(s.noise, a + 7) % 9 - 4)


class MisledEnding(NoiseEnding):
    """The same tree, with any number for the plies that remain."""

    def remaining_plies(self, s: Any) -> int:
        return scramble(s.noise, 8) % 40


class Connect4Ending(ConnectFour):
    def remaining_plies(self, s: Any) -> int:
        return self.columns * self.rows - s.all.bit_count()


class BreakthroughEnding(Breakthrough):
    def remaining_plies(self, s: Any) -> int:
        return 4 * s.mine.bit_count()


class HexapawnEnding(Hexapawn):
    def remaining_plies(self, s: Any) -> int:
        return 2 * s.mine.bit_count()


class Chain(z.Game):
    """One way to go, for longer than a line of the engine can be, and never far from the end by its own account."""

    class State(NamedTuple):
        left: int
        turn: int

    def initial(self) -> State:
        return self.State(3000, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> tuple[int, ...]:
        return (1,)

    def result(self, s: State, a: int) -> State:
        return self.State(s.left - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p == 0 else -1.0

    def remaining_plies(self, s: State) -> int:
        return 3


def late(game: z.Game, count: int, most: int, seed: int) -> list[Any]:
    """Positions of random games, in each the first one with at most so many plies to go."""
    dice = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s) and game.remaining_plies(s) > most:
            s = game.result(s, dice.choice(list(game.actions(s))))
        if not game.is_terminal(s):
            found.append(s)
    return found


def assert_proved(game: z.Game, states: list[Any], engine: Engine[Any]) -> None:
    plain = compile_game(game)
    for s in states:
        found, truth = engine.prove(s), plain.alphabeta(s)
        assert (found.value, found.exact) == (truth.value, True), game.write(s)
        after = game.result(s, found.action)
        sign = 1 if game.is_terminal(after) or game.player(after) == game.player(s) else -1
        worth = game.utility(after, game.player(s)) if game.is_terminal(after) else sign * plain.alphabeta(after).value
        assert worth == truth.value, game.write(s)


@pytest.mark.parametrize("discs", ["yes", "no"])
@pytest.mark.parametrize(("size", "count", "most"), [(4, 200, 8), (6, 500, 7), (8, 500, 7)])
def test_endings_of_othello_are_worth_what_plain_alphabeta_says(discs: str, size: int, count: int, most: int) -> None:
    game = load(f"othello:size={size},discs={discs}")
    assert_proved(game, late(game, count, most, size), Engine(game, exact=True, table_mb=1))


@pytest.mark.parametrize("kind", [NoiseEnding, MisledEnding])
@pytest.mark.parametrize("threads", [1, 2])
def test_endings_of_noise_are_worth_what_plain_alphabeta_says(kind: type[NoiseTree], threads: int) -> None:
    game = kind()
    states = [NoiseTree.State(17 * seed + 5, 7, seed % 2) for seed in range(400)]
    states = [kind.State(*s) for s in states if not game.is_terminal(s)]
    assert_proved(game, states, Engine(game, exact=True, threads=threads, table_mb=1))


@pytest.mark.parametrize(
    ("game", "most"),
    [
        (Connect4Ending(5, 4), 9),
        (BreakthroughEnding(3, 5), 12),
        (HexapawnEnding(4, 4), 6),
    ],
    ids=["connect4", "breakthrough", "hexapawn"],
)
def test_endings_of_other_games_are_worth_what_plain_alphabeta_says(game: z.Game, most: int) -> None:
    assert_proved(game, late(game, 60, most, 1), Engine(game, exact=True, table_mb=1))


def test_deepening_turns_to_the_ending_and_proves_it() -> None:
    game = load("othello:size=6,discs=yes")
    plain = compile_game(game)
    engine = Engine(game, table_mb=1)
    for s in late(game, 40, 9, 3):
        found = engine.search(s)
        assert (found.value, found.exact) == (plain.alphabeta(s).value, True)
        assert found.lines[0][0] == found.value


def test_a_search_that_is_stopped_in_the_ending_claims_no_proof() -> None:
    game = load("othello:discs=yes")
    (s,) = late(game, 1, 16, 5)
    engine = Engine(game, table_mb=1)
    found = engine.search(s, nodes=20_000)
    assert found.stopped == "nodes"
    assert not found.exact
    assert found.action in list(game.actions(s))
    assert found.nodes <= 20_000


def test_an_ending_that_is_longer_than_any_line_is_not_proved() -> None:
    engine = Engine(Chain(), exact=True, table_mb=1)
    assert not engine.prove().exact
    assert engine.prove(Chain.State(300, 0)).exact


def test_each_of_the_best_actions_of_an_ending_has_its_own_value() -> None:
    game = load("othello:size=6,discs=yes")
    plain = compile_game(game)
    engine = Engine(game, exact=True, table_mb=1)
    for s in late(game, 20, 8, 4):
        truth = plain.minimax(s).actions
        found = engine.search(s, lines=3)
        best = sorted(truth.values(), reverse=True)[:3]
        assert [value for value, _ in found.lines] == best
        assert [truth[line[0]] for _, line in found.lines] == best


def test_without_the_search_for_endings_the_value_is_the_same() -> None:
    game = load("othello:size=6,discs=yes")
    engine, without = (Engine(game, exact=True, table_mb=1, endings=on) for on in (True, False))
    for s in late(game, 20, 9, 6):
        found, other = engine.prove(s), without.prove(s)
        assert (found.value, found.exact) == (other.value, other.exact)


def test_four_by_four_is_solved_from_the_start() -> None:
    assert Engine(load("othello:size=4,discs=yes")).solve().value == -10


def test_the_suite_of_endings_holds_positions_with_their_empty_cells() -> None:
    game = load("othello:discs=yes")
    for line in SUITE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            _, empty, value, best, position = line.split(maxsplit=4)
            s = game.read(position)
            assert game.remaining_plies(s) == int(empty)
            assert int(value) % 2 == 0
            assert set(best.split(",")) <= {game.show_action(s, a) for a in game.actions(s)}
