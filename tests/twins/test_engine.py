"""The engine against the textbook: on thousands of games that neither has seen, what is proved is equal."""

from typing import Any

import pytest
from tests.twins.random_games import CheckedNet, NoiseNet, NoiseTree

import zermelo as z
from zermelo.engine.engine import RISKY, Engine, techniques
from zermelo.search import solve as textbook_solve

GAMES = 300


def noise_trees(count: int = GAMES, plies: int = 6) -> list[Any]:
    return [NoiseTree.State(17 * seed + 5, plies, seed % 2) for seed in range(count)]


def noise_nets(count: int = GAMES) -> list[Any]:
    return [NoiseNet.State(31 * seed + 3, seed % 24, 0, seed % 2) for seed in range(count)]


def open_positions(game: z.Game, states: list[Any]) -> list[Any]:
    return [s for s in states if not game.is_terminal(s)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("quick", [False, True])
def test_exact_search_proves_the_textbooks_value(threads: int, quick: bool) -> None:
    game = NoiseTree()
    engine = Engine(game, exact=True, threads=threads, table_mb=1, quick=quick)
    for s in open_positions(game, noise_trees()):
        truth = z.alphabeta(game, s, quick=quick)
        found = engine.search(s)
        assert (found.value, found.exact) == (truth.value, True), s
        assert engine.prove(s).value == truth.value
        if quick and threads == 1 and truth.value != 0:
            assert len(found.line) == len(truth.line), s


def test_an_exact_answer_is_right_with_every_technique_on() -> None:
    game = NoiseTree()
    engine = Engine(game, table_mb=1)
    for s in open_positions(game, noise_trees()):
        found = engine.search(s, depth=12)
        if found.exact:
            assert found.value == z.alphabeta(game, s).value, s


@pytest.mark.parametrize("off", [name for name in techniques() if name not in RISKY])
def test_each_sound_technique_switched_off_changes_no_proof(off: str) -> None:
    game = NoiseTree()
    engine = Engine(game, exact=True, table_mb=1, **{off: False})
    for s in open_positions(game, noise_trees(60)):
        assert engine.search(s).value == z.alphabeta(game, s).value, s


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_plain_engine_has_the_textbooks_value_at_every_depth(depth: int) -> None:
    game = NoiseTree()
    plain: dict[str, bool] = {"table": False, "quiescence": False, "one_reply_extensions": False, "quick": False}
    engine = Engine(game, exact=True, table_mb=1, **plain)
    for s in open_positions(game, noise_trees(plies=8)):
        assert engine.search(s, depth=depth).value == z.alphabeta(game, s, depth=depth).value, s


def test_quiescence_is_the_textbooks() -> None:
    game = NoiseTree()
    engine = Engine(game, exact=True, table_mb=1, table=False, one_reply_extensions=False, quick=False)
    for s in open_positions(game, noise_trees(plies=8)):
        assert engine.search(s, depth=3).value == z.alphabeta(game, s, depth=3, quiescence=True).value, s


def test_positions_that_are_reached_by_many_paths() -> None:
    game = NoiseNet()
    engine = Engine(game, exact=True, table_mb=1)
    for s in open_positions(game, noise_nets()):
        truth = z.alphabeta(game, s, table=True, quick=True)
        found = engine.search(s)
        assert (found.value, found.exact) == (truth.value, True), s


def test_repetition_is_a_draw_as_in_the_textbook() -> None:
    game = NoiseNet(loops=True, places=5)
    engine = Engine(game, exact=True, table_mb=1)
    for s in open_positions(game, noise_nets(150)):
        truth = z.alphabeta(game, s)
        found = engine.search(s)
        assert (found.value, found.exact) == (truth.value, True), s


def test_the_history_of_a_game_counts_as_repetition() -> None:
    game = NoiseNet(loops=True, places=5)
    engine = Engine(game, exact=True, table_mb=1)
    for s in open_positions(game, noise_nets(60)):
        past = [game.result(s, a) for a in game.actions(s)]
        past = [t for t in past if not game.is_terminal(t)][:1]
        engine.clear()
        assert engine.search(s, history=past).value == z.alphabeta(game, s, history=past).value, s


def test_perpetual_check_loses_as_in_the_textbook() -> None:
    game = CheckedNet()
    engine = Engine(game, exact=True, table_mb=1)
    free = Engine(game, table_mb=1)
    lost = 0
    for s in open_positions(game, noise_nets(150)):
        truth = z.alphabeta(game, s)
        found = engine.search(s)
        assert (found.value, found.exact) == (truth.value, True), s
        bold = free.search(s, depth=12)
        assert not bold.exact or bold.value == truth.value
        game.repetition = "draw"
        lost += z.alphabeta(game, s).value != truth.value
        game.repetition = "perpetual"
    assert lost > 5  # positions whose value is not that of a plain draw by repetition


def test_perpetual_check_counts_from_the_history_on_as_in_the_textbook() -> None:
    game = CheckedNet()
    engine = Engine(game, exact=True, table_mb=1)
    for start in open_positions(game, noise_nets(80)):
        past, s = [], start
        for _ in range(3):
            following = [t for t in (game.result(s, a) for a in game.actions(s)) if not game.is_terminal(t)]
            if following:
                past.append(s)
                s = following[-1]
        engine.clear()
        assert engine.search(s, history=past).value == z.alphabeta(game, s, history=past).value, (past, s)


PERPETUAL = "3k5/9/9/9/9/9/9/9/9/R3K4 w"
"""A rook can give check for ever, and may not."""


@pytest.mark.parametrize(
    "moves", ["", "a1a10 d10d9 a10a9", "a1a10 d10d9 a10a9 d9d10 a9a10 d10d9 a10a9", "a1a8 d10d9 a8a9 d9d10"]
)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_chinese_chess_is_judged_as_in_the_textbook_where_checks_repeat(moves: str, depth: int) -> None:
    game = z.load("xiangqi:network=no,tables=no")  # whose estimates are whole points, which the engine does not round
    plain = Engine(game, exact=True, table_mb=1, table=False, quiescence=False, one_reply_extensions=False, quick=False)
    past, s = [], game.read(PERPETUAL)
    for move in moves.split():
        past.append(s)
        s = game.result(s, game.read_action(s, move))
    assert plain.search(s, depth=depth, history=past).value == z.alphabeta(game, s, depth=depth, history=past).value


@pytest.mark.parametrize(
    "name", ["tictactoe", "connect4:columns=4,rows=4", "hexapawn:columns=4,rows=4", "nim", "hex:size=3"]
)
def test_the_games_of_the_package_are_proved_alike(name: str) -> None:
    game = z.load(name)
    assert Engine(game, exact=True).search().value == z.solve(game).value == textbook_solve(game).value
