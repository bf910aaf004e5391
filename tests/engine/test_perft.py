"""Trees are as large as the literature says, on one thread and on two, and counting can be stopped."""

import signal
import threading
import time

import pytest

from zermelo import engine
from zermelo.engine import CompiledGame
from zermelo.engine.interpreted import interpreted_perft
from zermelo.games import load

CONNECT_FOUR = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_connect_four_has_the_known_numbers_of_positions(threads: int) -> None:
    compiled = CompiledGame(load("connect4"))
    s = compiled.game.initial()
    assert [compiled.perft(s, depth, threads).leaves for depth in range(9)] == CONNECT_FOUR


@pytest.mark.parametrize("threads", [1, 2])
def test_tic_tac_toe_has_255168_complete_games(threads: int) -> None:
    compiled = CompiledGame(load("tictactoe"))
    counted = compiled.perft(compiled.game.initial(), 9, threads)
    assert counted.ended == 255_168
    assert counted.positions == 549_946
    assert counted.leaves == 127_872


@pytest.mark.parametrize(
    "name", ["nim:heaps=2/3", "pig:goal=4,sides=3", "kingmaker", "hexapawn", "race:steps=2,sides=2"]
)
def test_compiled_and_interpreted_counts_are_equal(name: str) -> None:
    game = load(name)
    compiled = CompiledGame(game)
    for depth in range(5):
        expected = interpreted_perft(game, game.initial(), depth)[:3]
        assert compiled.perft(game.initial(), depth)[:3] == expected
        assert compiled.perft(game.initial(), depth, threads=2)[:3] == expected


def test_playouts_are_the_same_for_the_same_seed_and_account_for_every_ply() -> None:
    compiled = CompiledGame(load("connect4"))
    s = compiled.game.initial()
    one, again, other = (compiled.playouts(s, 2000, seed) for seed in (1, 1, 2))
    assert one[:5] == again[:5]
    assert one.plies != other.plies
    assert one.positions == one.plies + one.games
    assert sum(one.utilities) == 0
    assert 0.05 < one.utilities[0] < 0.2  # the first player wins 56 games of 100, and 44 are lost


def test_playouts_give_up_games_that_are_too_long() -> None:
    compiled = CompiledGame(load("connect4"))
    played = compiled.playouts(compiled.game.initial(), 10, max_plies=3)
    assert (played.unfinished, played.plies, played.utilities) == (10, 30, (0.0, 0.0))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stop_ends_the_count(threads: int) -> None:
    compiled = CompiledGame(load("connect4"))
    asked = []

    def stop() -> bool:
        asked.append(time.perf_counter())
        return len(asked) > 2

    with pytest.raises(engine.Stopped):
        compiled.perft(compiled.game.initial(), 30, threads, stop=stop)
    assert len(asked) == 3


@pytest.mark.parametrize("search", ["perft", "playouts", "minimax", "alphabeta"])
def test_ctrl_c_ends_every_search(search: str) -> None:
    compiled = CompiledGame(load("connect4"))
    argument = 10**12 if search == "playouts" else 40
    timer = threading.Timer(0.1, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        getattr(compiled, search)(compiled.game.initial(), argument)
    timer.join()


def test_an_exception_in_stop_comes_out() -> None:
    compiled = CompiledGame(load("connect4"))

    def stop() -> bool:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        compiled.minimax(compiled.game.initial(), 40, stop=stop)


def test_other_python_threads_run_during_a_search() -> None:
    compiled = CompiledGame(load("connect4"))
    turn = threading.Event()
    worker = threading.Timer(0.05, turn.set)
    worker.start()
    with pytest.raises(engine.Stopped):
        compiled.perft(compiled.game.initial(), 40, stop=turn.is_set)
    worker.join()
