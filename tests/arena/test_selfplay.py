"""Self-play: every position once, whatever happens to the process."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.arena.executors import InlineExecutor
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameOutcome, Terms
from zermelo.arena.selfplay import SelfPlay, SelfPlaySettings
from zermelo.arena.selfplay.rows import PositionRows
from zermelo.arena.tournament import Tournament
from zermelo.errors import InputError, ZermeloError

OWN = """
from typing import NamedTuple
import numpy
import zermelo

class Pairs(zermelo.Game):
    "Name pairs until the sum is big; actions are tuples, the state holds an array and a tuple."
    class State(NamedTuple):
        counts: numpy.ndarray
        last: tuple[int, int]
        turn: int
    def initial(self): return self.State(numpy.zeros((2, 2), dtype=numpy.int8), (0, 0), 0)
    def player(self, s): return s.turn
    def actions(self, s): return [(0, 1), (1, 0), (1, 1)]
    def result(self, s, a):
        counts = s.counts.copy()
        counts[a] += 1
        return self.State(counts, a, 1 - s.turn)
    def is_terminal(self, s): return bool(s.counts.sum() >= 6)
    def utility(self, s, p): return 1.0 if p == s.turn else -1.0

class Leaver:
    name = "leaver"
    def choose(self, game, state, history): raise RuntimeError("no more")
"""


class Interrupted(InlineExecutor):
    """An executor that is there for so many games only."""

    def __init__(self, left: int):
        super().__init__()
        self.left = left

    def collect(self) -> Sequence[GameOutcome]:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().collect()


@pytest.fixture
def own(tmp_path) -> str:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return str(path)


def wanted_settings(game: str = "tictactoe", player: str = "random", **options) -> SelfPlaySettings:
    return SelfPlaySettings(
        game, player, **{"games": 10, "shard": 4, "openings": "plies=2", "format": "jsonl", **options}
    )


def make(wanted: SelfPlaySettings, folder: Path):
    with SelfPlay.begin(wanted, folder) as selfplay:
        return selfplay.run(InlineExecutor())


def read(folder: Path) -> dict[str, list[dict]]:
    """The rows of each file, without what differs from run to run."""
    files = sorted(folder.glob("positions-*"))
    rows = {path.name: [json.loads(line) for line in path.read_text().splitlines()] for path in files}
    return {name: [{**row, "seconds": None} for row in found] for name, found in rows.items()}


def flat(folder: Path) -> list[dict]:
    return [row for rows in read(folder).values() for row in rows]


def test_each_row_leads_to_the_next_and_the_last_one_to_the_end(tmp_path):
    make(wanted_settings("connect4", "alphabeta:depth=2"), tmp_path)
    game, rows = zermelo.load("connect4"), flat(tmp_path)
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        state = game.read(row["position"])
        assert game.player(state) == row["mover"]
        assert game.read_action(state, row["move"]) == row["action"]
        assert [row[f"state.{name}"] for name in state._fields] == list(state)
        result = game.result(state, row["action"])
        if after is not None and after["game"] == row["game"]:
            assert (after["position"], after["ply"]) == (game.write(result), row["ply"] + 1)
        else:
            assert row["result"] == game.utility(result, row["mover"])
    assert {row["game"] for row in rows} == set(range(10))
    assert all(row["depth"] is not None and row["value"] is not None for row in rows)


def test_files_are_blocks_of_games(tmp_path):
    summary = make(wanted_settings(), tmp_path)
    assert summary.files == ["positions-000000.jsonl", "positions-000001.jsonl", "positions-000002.jsonl"]
    blocks = [{row["game"] for row in rows} for rows in read(tmp_path).values()]
    assert blocks == [{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}]
    assert summary.positions == len(flat(tmp_path))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stops=st.lists(st.integers(0, 9), max_size=3), torn=st.booleans())
def test_whenever_it_is_broken_off_the_files_are_the_same_in_the_end(tmp_path_factory, stops, torn):
    whole, broken = tmp_path_factory.mktemp("whole"), tmp_path_factory.mktemp("broken")
    make(wanted_settings(), whole)
    SelfPlay.begin(wanted_settings(), broken).__exit__()
    for stop in stops:
        with SelfPlay.resume(broken) as selfplay, pytest.raises(KeyboardInterrupt):
            selfplay.run(Interrupted(stop if stop < 10 - len(selfplay.ended) else 0))
    if torn:
        (broken / "positions-000001.jsonl.part").write_text('{"game": 4')
        (broken / "positions-000000.jsonl").unlink(missing_ok=True)
    with SelfPlay.resume(broken) as selfplay:
        selfplay.run(InlineExecutor())
    assert read(broken) == read(whole)


def test_a_file_that_cannot_be_written_is_made_by_the_next_run(tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr("zermelo.arena.selfplay.rows.os.replace", full)
        with pytest.raises(InputError, match="make room and go on with --resume"):
            make(wanted_settings(), tmp_path / "data")
    assert not list((tmp_path / "data").glob("*.jsonl"))
    with SelfPlay.resume(tmp_path / "data") as selfplay:
        selfplay.run(InlineExecutor())
    assert Counter(row["game"] for row in flat(tmp_path / "data") if row["ply"] == 2) == Counter(range(10))


def test_with_an_opponent_the_player_has_each_seat_of_an_opening(tmp_path):
    wanted, game = wanted_settings("connect4", "random", opponent="alphabeta:depth=1"), zermelo.load("connect4")
    make(wanted, tmp_path)
    first, second = (wanted.scheduled(number, game) for number in (0, 1))
    assert (first.seats, second.seats) == ((0, 1), (1, 0))
    assert first.seed == second.seed
    assert wanted.scheduled(2, game).seed != first.seed
    assert {row["player"] for row in flat(tmp_path)} == {"random", "alphabeta:depth=1"}


def test_chance_has_no_rows_though_its_plies_count(tmp_path):
    make(wanted_settings("pig", "random", games=2, openings="none"), tmp_path)
    rows = [row for row in flat(tmp_path) if row["game"] == 0]
    assert {row["mover"] for row in rows} == {0, 1}
    assert rows[-1]["ply"] > len(rows)


def test_random_plies_are_fewer_where_so_many_would_end_the_game(tmp_path):
    make(wanted_settings(openings="plies=9", games=3), tmp_path)
    assert {row["game"] for row in flat(tmp_path)} == {0, 1, 2}


def test_openings_may_come_from_a_file(tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("a1 b2\nb2 a1\n")
    make(wanted_settings(openings=str(book), games=4), tmp_path / "data")
    starts = {row["game"]: row["position"] for row in flat(tmp_path / "data") if row["ply"] == 2}
    assert starts[0] == starts[2] != starts[1] == starts[3]


def test_arrays_are_lists_tuples_are_columns_and_any_action_is_found_again(tmp_path, own):
    make(wanted_settings(f"{own}:Pairs", openings="none"), tmp_path / "data")
    rows = [row for row in flat(tmp_path / "data") if row["game"] == 0]
    assert [sum(row["state.counts"]) for row in rows] == [0, 1, 2, 3, 4, 5]
    assert all(len(row["state.counts"]) == 4 for row in rows)
    assert [f"({row['state.last[0]']}, {row['state.last[1]']})" for row in rows[1:]] == [
        row["move"] for row in rows[:-1]
    ]
    assert {row["action"] for row in rows} == {None}


def test_a_game_whose_states_are_not_numbers_has_texts_alone():
    class Words(zermelo.Game):
        def initial(self):
            return ("once",)

    assert "position" in {column.name for column in PositionRows(Words()).columns}
    assert not [column.name for column in PositionRows(Words()).columns if column.name.startswith("state")]


def test_a_player_that_fails_is_told_of_in_the_rows_before(tmp_path, own):
    summary = make(wanted_settings(opponent=f"python:{own}:Leaver", games=4), tmp_path / "data")
    assert summary.endings == {"crash": 4}
    assert {(row["reason"], row["player"], row["result"]) for row in flat(tmp_path / "data")} == {
        ("crash", "random", 1.0)
    }


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_tables_hold_what_lines_hold(tmp_path, form):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'zermelo[data]'")
    from pyarrow import feather, parquet

    make(wanted_settings("othello", games=3), tmp_path / "lines")
    make(wanted_settings("othello", games=3, format=form), tmp_path / "table")
    [path] = (tmp_path / "table").glob("positions-*")
    table = parquet.read_table(path) if form == "parquet" else feather.read_table(path)
    assert [{**row, "seconds": None} for row in table.to_pylist()] == flat(tmp_path / "lines")
    assert table.schema.field("state.mine").type == arrow.uint64()
    assert table.schema.metadata[b"game"] == b"othello"


def test_arrays_have_a_fixed_length_in_tables(tmp_path, own):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'zermelo[data]'")
    from pyarrow import parquet

    make(wanted_settings(f"{own}:Pairs", format="parquet", games=2), tmp_path / "data")
    [path] = (tmp_path / "data").glob("positions-*")
    assert parquet.read_schema(path).field("state.counts").type == arrow.list_(arrow.int64(), 4)


def test_without_pyarrow_the_word_is_what_to_install_or_to_write_instead(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"zermelo\[data\].*--format jsonl"):
        make(wanted_settings(format="parquet"), tmp_path / "data")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"games": 0},
        {"games": True},
        {"shard": 0},
        {"format": "csv"},
        {"openings": "plies=-1"},
        {"openings": "plies=x"},
        {"openings": "no such file.txt"},
        {"player": "nobody"},
        {"player": "human"},
        {"opponent": "human"},
        {"seed": "one"},
        {"terms": Terms(clock="soon")},
        {"terms": Terms(longest=0)},
        {"terms": Terms(patience=float("nan"))},
        {"terms": Terms(resign="never")},
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_before_a_folder_is_made(tmp_path, wrong):
    with pytest.raises(ZermeloError):
        make(wanted_settings(**wrong), tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_folder_with_games_is_not_begun_again(tmp_path):
    make(wanted_settings(), tmp_path)
    with pytest.raises(InputError, match="--resume"):
        make(wanted_settings(), tmp_path)


def test_a_folder_without_games_is_not_resumed(tmp_path):
    with pytest.raises(InputError, match="there are no games"):
        SelfPlay.resume(tmp_path)


def test_a_tournament_is_not_taken_for_self_play(tmp_path):
    with Tournament.begin(Plan("tictactoe", ("random", "alphabeta:depth=1")), tmp_path / "games.db"):
        pass
    with pytest.raises(InputError, match="a tournament"):
        SelfPlay.resume(tmp_path)


@pytest.mark.parametrize(
    "wrong", [{"games": "x"}, {"shard": 0}, {"player": 3}, {"terms": []}, {"terms": {"longest": "far"}}]
)
def test_damaged_settings_of_a_file_are_one_line(wrong):
    facts = {"game": "tictactoe", "player": "random", "terms": {}}
    assert SelfPlaySettings.from_settings({"selfplay": facts}).player == "random"
    with pytest.raises(InputError, match="settings of this self-play are damaged"):
        SelfPlaySettings.from_settings({"selfplay": {**facts, **wrong}})


def test_the_rows_of_an_array_are_its_numbers_in_order():
    class Board(zermelo.Game):
        class State(NamedTuple):
            cells: numpy.ndarray

        def initial(self):
            return self.State(numpy.arange(6, dtype=numpy.float64).reshape(2, 3))

    rows = PositionRows(Board())
    assert rows._fields(Board().initial()) == {"state.cells": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]}
