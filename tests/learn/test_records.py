"""Recorded games: they replay by Python's rules, on any number of threads, and damage is an error."""

from __future__ import annotations

import itertools
import signal
import threading
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.engine.engine import Engine
from zermelo.engine.solution import solve_strongly
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game import CHANCE
from zermelo.learn.records import MoveFlags, RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.play.notation import legal_actions, repetition_utilities

GAMES = {
    "connect4": "auto",
    "breakthrough": "alphabeta",
    "checkers": "auto",
    "chess": "auto",
    "xiangqi": "alphabeta",
    "go:size=5": "mcts",
    "othello:size=6": "expectation",
    "tictactoe": "mcts",
    "pig:goal=20": "auto",
    "race": "mcts",
    "kingmaker": "auto",
}
"""Games of every kind, and what they are played by."""


def options(method: str = "auto", **changes: object) -> SelfPlayOptions[object]:
    given: dict[str, object] = {
        "player": SearchPlayer(method, nodes=60),
        "games": 12,
        "block_games": 5,
        "nodes_spread": 0.2,
        "opening_plies": (0, 3),
        "variety_plies": 6,
        "variety_chance": 0.3,
        "variety_margin": 0.1,
        "longest_plies": 80,
    }
    return SelfPlayOptions(**{**given, **changes})  # type: ignore[arg-type]


def play(game: z.Game, path: Path, wanted: SelfPlayOptions[object]) -> RecordedGames[object]:
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, wanted).blocks():
            writer.write(block)
    return RecordedGames(path, game)


@pytest.mark.parametrize(("name", "method"), GAMES.items())
def test_every_game_replays_by_pythons_rules_to_its_result(name: str, method: str, tmp_path: Path) -> None:
    game = z.load(name)
    records = play(game, tmp_path / "games", options(method))
    assert [each.number for each in records] == list(range(12))
    assert len(records) == 12
    assert records.check() == records.moves == sum(len(each.actions) for each in records)
    for each in records:
        state, history = each.start, []
        assert state == game.initial()
        for action, mover, score, flags in zip(each.actions, each.movers, each.scores, each.flags, strict=True):
            assert not game.is_terminal(state)
            assert mover == game.player(state)
            assert action in legal_actions(game, state, history)
            assert (score is None) == (MoveFlags.scored not in flags)
            assert score is None or game.bounds[0] <= score <= game.bounds[1]
            assert mover != CHANCE or score is None
            history.append(state)
            state = game.result(state, action)
        if each.ending == "rules":
            assert each.utilities == game.utilities(state)
        elif each.ending == "repetition":
            assert each.utilities == repetition_utilities(game, state, history)
        elif each.ending == "length":
            assert len(each.actions) == 80
            assert each.utilities == (game.neutral,) * game.players
        else:
            assert each.ending == "proof"
            assert MoveFlags.proved in each.flags[-1]


@pytest.mark.parametrize("name", ["connect4", "checkers:tables=no", "chess:tables=no", "othello:size=6"])
@pytest.mark.parametrize("nodes", [1, 40, 400])
def test_every_move_is_that_of_the_engine_under_the_same_limit(name: str, nodes: int, tmp_path: Path) -> None:
    game = z.load(name)
    player = SearchPlayer(nodes=nodes, memory_kb=1024)
    for each in play(game, tmp_path / "games", SelfPlayOptions(player, 2, longest_plies=50, opening_plies=(3, 3))):
        engine = Engine(game, table_mb=1)
        state, history = each.start, []
        for action, score in zip(each.actions, each.scores, strict=True):
            if len(history) >= 3:
                found = engine.search(state, nodes=nodes, history=history)
                assert found.action == action
                assert score is None or score == pytest.approx(found.value, abs=1e-4)
            history.append(state)
            state = game.result(state, action)


@pytest.mark.parametrize("name", ["connect4", "pig:goal=20", "checkers"])
@pytest.mark.parametrize("method", ["auto", "mcts"])
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(name: str, method: str) -> None:
    game = z.load(name)
    runs = [list(SelfPlay(game, options(method, threads=threads, seed=7)).blocks()) for threads in (1, 2, 3)]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0] != list(SelfPlay(game, options(method, seed=8)).blocks())


def test_a_later_run_goes_on_with_the_games_that_follow() -> None:
    game = z.load("connect4")
    together = list(SelfPlay(game, options(games=10)).blocks())
    apart = [b for first in (0, 5) for b in SelfPlay(game, options(games=5, first=first)).blocks()]
    assert apart == together


@pytest.mark.parametrize("name", ["tictactoe", "hexapawn"])
@pytest.mark.parametrize("ends_proved", [True, False])
def test_proved_results_are_those_of_the_solution(name: str, ends_proved: bool, tmp_path: Path) -> None:
    game = z.load(name)
    solution = solve_strongly(game)
    wanted = options(games=40, player=SearchPlayer(nodes=2000), ends_proved=ends_proved)
    proved = 0
    for each in play(game, tmp_path / "games", wanted):
        assert ends_proved or each.ending == "rules"
        state = each.start
        for action, score, flags in zip(each.actions, each.scores, each.flags, strict=True):
            if MoveFlags.proved in flags:
                proved += 1
                assert score == solution.analyse(state).value
            state = game.result(state, action)
        if each.ending == "proof":
            assert each.utilities[each.movers[-1]] == each.scores[-1]
    assert proved >= 40


def test_endings_are_proved_from_a_stage_of_the_game_on(tmp_path: Path) -> None:
    game = z.load("othello:size=6,discs=yes,network=no")
    wanted = options(player=SearchPlayer(nodes=20), ending_stage=6, ending_nodes=50_000, variety_plies=0)
    late = 0
    for each in play(game, tmp_path / "games", wanted):
        state = each.start
        for action, flags in zip(each.actions, each.flags, strict=True):
            if MoveFlags.scored in flags and game.stage(state) >= 6:
                late += 1
                assert MoveFlags.proved in flags
            state = game.result(state, action)
        assert each.ending == "proof" or game.stage(state) < 6
    assert late >= 8


def test_games_start_where_they_are_told(tmp_path: Path) -> None:
    game = z.load("connect4")
    one = game.result(game.initial(), 3)
    two = game.result(one, 3)
    records = list(play(game, tmp_path / "games", options(games=5, starts=[one, two])))
    assert [each.start for each in records] == [one, two, one, two, one]


def test_positions_come_as_columns_that_agree_with_the_games(tmp_path: Path) -> None:
    game = z.load("pig:goal=20")
    records = play(game, tmp_path / "games", options())
    parts = list(records.positions())
    expected = [
        (mover, action, score, flags, each.utilities[mover], ply, len(each.actions) - ply)
        for each in records
        for ply, (action, mover, score, flags) in enumerate(
            zip(each.actions, each.movers, each.scores, each.flags, strict=True)
        )
        if mover != CHANCE
    ]
    found = [
        row
        for part in parts
        for row in zip(
            part.movers, part.actions, part.scores, part.flags, part.results, part.plies, part.left, strict=True
        )
    ]
    assert len(found) == len(expected) == sum(map(len, parts))
    for row, (mover, action, score, flags, result, ply, left) in zip(found, expected, strict=True):
        assert (row[0], row[1], row[3], row[5], row[6]) == (mover, action, flags.value, ply, left)
        assert row[4] == np.float32(result)
        assert np.isnan(row[2]) if score is None else row[2] == np.float32(score)
    first = parts[0].states[0].tobytes()
    start = records.compiled.unpack(first)
    assert game.player(start) == parts[0].movers[0]


def test_stopping_keeps_the_games_that_are_complete(tmp_path: Path) -> None:
    game = z.load("breakthrough")
    run = SelfPlay(game, options(games=10**9, block_games=10**6, threads=2))
    blocks = list(run.blocks(stop=lambda: run.games >= 5))
    with RecordWriter(tmp_path / "games", game) as writer:
        for block in blocks:
            writer.write(block)
    records = RecordedGames(tmp_path / "games", game)
    assert len(records) == run.games >= 5
    assert records.check() == records.moves
    assert list(run.blocks()) == []


def test_counters_can_be_read_while_games_are_played() -> None:
    run = SelfPlay(z.load("breakthrough"), options(games=10**9))
    seen: list[int] = []
    done = threading.Event()
    thread = threading.Thread(target=lambda: [None for _ in run.blocks(stop=done.is_set)])
    thread.start()
    while run.games < 3:
        seen.append(run.positions)
    done.set()
    thread.join()
    assert seen == sorted(seen)
    assert run.nodes >= run.positions > 0


def test_ctrl_c_keeps_the_games_that_are_complete(tmp_path: Path) -> None:
    game = z.load("breakthrough")
    run = SelfPlay(game, options(games=10**9, block_games=10**6, threads=2))
    blocks: list[bytes] = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        for block in run.blocks(stop=lambda: run.games >= 3 and bool(signal.raise_signal(signal.SIGINT))):
            blocks.append(block)
    with RecordWriter(tmp_path / "games", game) as writer:
        for block in blocks:
            writer.write(block)
    assert len(RecordedGames(tmp_path / "games", game)) == run.games >= 3


class Refusing(z.Game):
    """Counts to 9, if one does not say 5."""

    class State(NamedTuple):
        n: int
        turn: int

    def initial(self) -> State:
        return self.State(0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> list[int]:
        return [1, 2]

    def result(self, s: State, a: int) -> State:
        if s.n + a == 5:
            raise LookupError("nobody says five")
        return self.State(s.n + a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.n >= 9

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p == s.turn else -1.0


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("method", ["alphabeta", "expectation", "mcts"])
def test_a_rule_that_fails_raises_its_own_exception(method: str, threads: int) -> None:
    run = SelfPlay(Refusing(), options(method, threads=threads))
    with pytest.raises(LookupError, match="nobody says five"):
        list(run.blocks())
    assert list(run.blocks()) == []


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("records") / "games"
    play(z.load("connect4"), path, options())
    return path.read_bytes()


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_damage_is_an_error_or_leaves_out_the_last_block(
    recorded: bytes, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    changed = bytearray(recorded)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(recorded) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "games"
    path.write_bytes(changed)
    try:
        records = RecordedGames(path, z.load("connect4"))
        records.check()
    except InputError:
        return
    assert bytes(changed) == recorded or (records.note and len(records) == 10)


@pytest.mark.parametrize("missing", [1, 7, 20, 60])
def test_a_file_that_was_cut_off_goes_on_with_its_last_complete_block(
    recorded: bytes, missing: int, tmp_path: Path
) -> None:
    game = z.load("connect4")
    whole, path = tmp_path / "whole", tmp_path / "games"
    whole.write_bytes(recorded)
    path.write_bytes(recorded[:-missing])
    cut = RecordedGames(path, game)
    assert "left out" in cut.note
    assert list(cut) == list(itertools.islice(RecordedGames(whole, game), 10))
    del cut
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, options(games=2, first=10)).blocks():
            writer.write(block)
    assert path.read_bytes() == recorded


def test_records_of_another_game_are_refused(recorded: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(recorded)
    with pytest.raises(InputError, match="another game"):
        RecordedGames(path, z.load("chess"))
    with pytest.raises(InputError, match="choose another file"):
        RecordWriter(path, z.load("connect4"), name="connect4 with a network")
    with pytest.raises(InputError, match="no file of recorded games"):
        RecordedGames(Path(__file__), z.load("connect4"))
    with pytest.raises(InputError, match="cannot be read"):
        RecordedGames(tmp_path / "missing", z.load("connect4"))
    (tmp_path / "empty").touch()
    with pytest.raises(InputError, match="no file of recorded games"):
        RecordedGames(tmp_path / "empty", z.load("connect4"))
    with pytest.raises(InputError, match="cannot be written"):
        RecordWriter(tmp_path / "missing" / "games", z.load("connect4"))


@pytest.mark.parametrize(
    "changes",
    [
        {"games": -1},
        {"threads": 0},
        {"block_games": 0},
        {"nodes_spread": 1.0},
        {"opening_plies": (3, 2)},
        {"opening_plies": (-1, 2)},
        {"opening_plies": (1, 2), "opening_weights": [1.0]},
        {"opening_plies": (1, 2), "opening_weights": [0.0, 0.0]},
        {"variety_chance": 1.5},
        {"variety_margin": -1.0},
        {"longest_plies": 0},
        {"player": SearchPlayer()},
        {"player": SearchPlayer("best", nodes=1)},
        {"player": SearchPlayer(nodes=0)},
        {"player": SearchPlayer(nodes=1, simulation={"simulations": 3})},
    ],
)
def test_options_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        SelfPlay(z.load("connect4"), options(**changes))


@pytest.mark.parametrize(
    ("name", "method", "why"),
    [
        ("pig", "alphabeta", "without chance"),
        ("checkers", "expectation", "rule of repetition"),
        ("leduc", "auto", "hides information"),
        ("goofspiel", "auto", "same time|hides"),
    ],
)
def test_games_that_a_method_cannot_play_are_refused(name: str, method: str, why: str) -> None:
    with pytest.raises(MethodError, match=why):
        SelfPlay(z.load(name), options(method))
