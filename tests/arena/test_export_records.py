"""Recorded games as files of positions: what `zermelo selfplay` writes, and what training reads."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo as z
from zermelo.arena.selfplay.rows import export_records
from zermelo.errors import OptionError
from zermelo.learn import Samples
from zermelo.learn.records import MoveFlags, RecordedGames, RecordWriter
from zermelo.learn.samples import read_rows
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions


def record(name: str, path: Path, games: int = 6) -> RecordedGames[object]:
    game = z.load(name)
    options: SelfPlayOptions[object] = SelfPlayOptions(SearchPlayer(nodes=50), games, opening_plies=(2, 4))
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    return RecordedGames(path, game)


@pytest.mark.parametrize("name", ["connect4", "pig:goal=20"])
@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "arrow"])
def test_every_searched_position_becomes_a_row(name: str, suffix: str, tmp_path: Path) -> None:
    if suffix != "jsonl":
        pytest.importorskip("pyarrow")
    records = record(name, tmp_path / "games")
    path = tmp_path / f"positions-000000.{suffix}"
    assert export_records(records, path) == sum(MoveFlags.scored in f for each in records for f in each.flags)
    game = z.load(name)
    rows = iter(read_rows(path))
    for each in records:
        state = each.start
        for action, mover, score in zip(each.actions, each.movers, each.scores, strict=True):
            if score is not None:
                row = next(rows)
                assert (row.game, row.mover, row.action) == (each.number, mover, action)
                assert (row.value, row.result) == (score, each.utilities[mover])
                assert row.position == game.write(state)
            state = game.result(state, action)
    assert next(rows, None) is None


def test_exported_games_train_weights(tmp_path: Path) -> None:
    export_records(record("chess", tmp_path / "games"), tmp_path / "positions-000000.jsonl")
    samples = Samples.read(z.load("chess"), [str(tmp_path)])
    assert len(samples) > 50
    assert set(samples.results.tolist()) <= {0.0, 0.5, 1.0}


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="cannot be written as 'csv'"):
        export_records(record("connect4", tmp_path / "games", 1), tmp_path / "positions.csv")
