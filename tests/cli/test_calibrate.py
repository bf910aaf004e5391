"""`zermelo calibrate`, and the opponents that `zermelo play` takes from a ladder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import NIM

QUICK = ("--games", "160", "--nodes", "100", "--seed", "1")


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory, zermelo):
    """A game in a file of one's own, and the data folder with its ladder."""
    folder = tmp_path_factory.mktemp("calibrated")
    path = folder / "my_nim.py"
    path.write_text(NIM)
    game = f"{path}:Nim:stones=12"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZERMELO_DATA", str(folder / "data"))
        found = zermelo.json("calibrate", game, *QUICK)
    return game, found, folder / "data"


@pytest.fixture
def own(calibrated, monkeypatch, tmp_path):
    """The same with a data folder for this test."""
    game, found, data = calibrated
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path / "data"))
    ladders = tmp_path / "data" / "ladders"
    ladders.mkdir(parents=True)
    for path in (data / "ladders").iterdir():
        (ladders / path.name).write_bytes(path.read_bytes())
    return game, found, tmp_path / "data"


def record_of(data):
    (path,) = (data / "records").iterdir()
    return path


def test_a_game_of_ones_own_gets_a_ladder_in_the_data_folder(calibrated):
    game, found, data = calibrated
    (path,) = (data / "ladders").iterdir()
    assert found.pop("file") == str(path)
    assert json.loads(path.read_text()) == found
    assert found["game"] == game
    assert found["rungs"][0]["player"] == "random"
    assert found["rungs"][0]["elo"] == 0
    assert found["games"] <= 160
    assert found["settings"]["seed"] == 1
    assert set(found["versions"]) >= {"zermelo", "python"}


def test_a_ladder_can_be_kept_in_a_file_and_played_from(zermelo, own, tmp_path):
    game, found, _ = own
    path = tmp_path / "mine.json"
    done = zermelo("calibrate", game, *QUICK, "--save", str(path))
    assert done.exit_code == 0, done.output
    assert f"kept in {path}" in done.output
    assert json.loads(path.read_text())["rungs"] == found["rungs"]
    opponent = f"rated:{found['rungs'][-1]['elo']},ladder={path}"
    played = zermelo.json("play", game, "--players", f"{opponent},random", "--seed", "1")
    assert played["players"][0] == opponent


def test_the_ladder_that_there_is_can_be_shown(zermelo, own):
    game, found, _ = own
    shown = zermelo.json("calibrate", game, "--show")
    assert shown["rungs"] == found["rungs"]
    assert "random" in zermelo("calibrate", game, "--show").output


def test_levels_and_ratings_are_opponents(zermelo, own):
    game, found, _ = own
    done = zermelo("play", game, "--level", "2", typed="1\nresign\n")
    assert done.exit_code == 0, done.output
    assert f"player 1 is {found['rungs'][1]['player']}" in done.output
    done = zermelo("play", game, "--rating", "50", "--seed", "3", typed="1\nresign\n")
    assert "player 1 is rated:50" in done.output


def test_an_even_game_moves_the_rating_and_the_next_opponent_begins(zermelo, own):
    game, _, data = own
    first = zermelo("play", game, "--even", "--seed", "1", typed="1\nresign\n")
    assert first.exit_code == 0, first.output
    assert "Your first game of Nim" in first.output
    assert "You now play at about" in first.output
    record = json.loads(record_of(data).read_text())
    assert [played["score"] for played in record["games"]] == [0.0]
    second = zermelo("play", game, "--even", "--seed", "1", typed="resign\n")
    assert f"You play at about {record['elo']:.0f}; your opponent: " in second.output
    assert "player 1 is you" in second.output
    assert len(json.loads(record_of(data).read_text())["games"]) == 2


def test_games_left_or_with_a_move_taken_back_do_not_count(zermelo, own):
    game, _, data = own
    left = zermelo("play", game, "--even", typed="1\nquit\n")
    assert "does not count for your record, as it has not ended" in left.output
    undone = zermelo("play", game, "--even", typed="1\nundo\nresign\n")
    assert "does not count for your record, as a move was taken back" in undone.output
    assert not (data / "records").exists()


def test_a_damaged_record_or_ladder_is_one_line_and_is_not_written_over(zermelo, own):
    game, _, data = own
    zermelo("play", game, "--even", typed="resign\n")
    record = record_of(data)
    record.write_text(record.read_text()[:-30])
    before = record.read_bytes()
    assert "damaged" in zermelo.fails("play", game, "--even")
    assert record.read_bytes() == before
    (ladder,) = (data / "ladders").iterdir()
    ladder.write_text("{}")
    assert "move it away" in zermelo.fails("calibrate", game, *QUICK)
    assert "move it away" in zermelo.fails("play", game, "--rating", "10")
    assert ladder.read_text() == "{}"


def test_a_file_that_is_no_ladder_is_not_written_over(zermelo, own, nim):
    before = Path(nim).read_text()
    assert "damaged, or not a file" in zermelo.fails("calibrate", own[0], *QUICK, "--save", nim)
    assert Path(nim).read_text() == before


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--level", "99"], "levels 1 to"),
        (["--level", "0"], "levels 1 to"),
        (["--rating", "9999"], "no opponent of 9999"),
        (["--rating", "nan"], "no opponent of nan"),
        (["--rating", "high"], "not a valid float"),
        (["--rating", "10", "--even"], "leave all but one out"),
        (["--rating", "10", "--against", "random"], "leave all but one out"),
        (["--level", "1", "--players", "random,random"], "leave all but one out"),
        (["--even", "--moves", "1"], "whole games"),
        (["--against", "rated:9999"], "no opponent of 9999"),
    ],
)
def test_opponents_that_there_are_not_are_bad_input(zermelo, own, arguments, says):
    done = zermelo("play", own[0], *arguments, typed="1\n" * 20)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("zermelo: ") == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nim", "--games", "2"], "not in the range"),
        (["nim", "--minutes", "0"], "not in the range"),
        (["nim", "--minutes", "nan"], "minutes must be"),
        (["nim", "--levels", "1"], "not in the range"),
        (["nim", "--nodes", "0"], "not in the range"),
        (["nim", "--nodes", "99999999999"], "nodes must be"),
        (["nim", "--concurrency", "0"], "not in the range"),
        (["nim", "--show"], "run `zermelo calibrate nim` first"),
        (["no-such-game"], "no game is called"),
        (["blind-tictactoe"], "hides information"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(zermelo, monkeypatch, tmp_path, arguments, says):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    assert says in zermelo.fails("calibrate", *arguments)


def test_a_game_that_is_not_calibrated_says_what_to_run(zermelo, monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_DATA", str(tmp_path))
    for way in (["--even"], ["--rating", "100"], ["--level", "1"]):
        assert "run `zermelo calibrate nim` first" in zermelo.fails("play", "nim", *way)
