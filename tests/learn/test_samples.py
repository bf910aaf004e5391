"""Positions are read from files of self-play, seen from player 0, and quiet; bad files are refused."""

from __future__ import annotations

import pytest

import zermelo as z
from tests.learn.conftest import Drawn, drawn_rows
from zermelo.arena.executors import make_executor
from zermelo.arena.selfplay import SelfPlay, SelfPlaySettings
from zermelo.errors import ContractError, InputError, MethodError, OptionError
from zermelo.games import load
from zermelo.learn import Samples


def test_results_and_values_are_those_of_player_0(write_rows):
    rows = drawn_rows(2)
    rows[0] |= {"mover": 0, "result": 1.0, "value": 0.5}
    rows[1] |= {"mover": 1, "result": 1.0, "value": 0.5}
    samples = Samples.read(Drawn(), [write_rows(rows)])
    assert samples.results.tolist() == [1, 0]
    assert samples.values.tolist() == [0.5, -0.5]
    assert samples.features.toarray()[0].tolist() == Drawn().features(Drawn().read(str(rows[0]["position"])))


def test_noisy_positions_are_left_out_unless_wanted(write_rows):
    path = write_rows(drawn_rows(3) + drawn_rows(2, action=7))
    assert len(Samples.read(Drawn(), [path])) == 3
    assert len(Samples.read(Drawn(), [path], quiet=False)) == 5


def test_decided_positions_are_left_out_if_that_is_wanted(write_rows):
    rows = [row | {"value": value} for row, value in zip(drawn_rows(4), (0.1, -0.3, 0.31, None), strict=True)]
    path = write_rows(rows)
    assert len(Samples.read(Drawn(), [path])) == 4
    assert len(Samples.read(Drawn(), [path], undecided=0.3)) == 3
    with pytest.raises(OptionError, match="above 0"):
        Samples.read(Drawn(), [path], undecided=0)


def test_games_without_a_result_teach_nothing(write_rows):
    rows = [row | {"result": None} for row in drawn_rows(2)]
    with pytest.raises(InputError, match="nothing to learn from"):
        Samples.read(Drawn(), [write_rows(rows)])


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_self_play_of_chess_is_read_in_every_form(tmp_path, form):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    settings = SelfPlaySettings("chess", "engine:nodes=60", games=2, openings="plies=4", format=form)
    executor = make_executor("here", 1)
    with SelfPlay.begin(settings, tmp_path / "data") as selfplay:
        positions = selfplay.run(executor).positions
    executor.close()
    game = load("chess")
    everything = Samples.read(game, [str(tmp_path / "data")], quiet=False)
    assert len(everything) == positions
    assert 0 < len(Samples.read(game, [str(tmp_path / "data")])) < positions
    assert everything.facts.get("player", settings.player) == settings.player


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "row 1: it is not JSON"),
        ("[1]", "no 'game'"),
        ('{"game": 1, "mover": 0}', "no 'position'"),
        ('{"game": 1, "mover": 5, "position": "x", "action": 1, "value": null, "result": 1}', "player 5"),
        ('{"game": 1, "mover": 0, "position": "x", "action": 1, "value": null, "result": 1}', "row 1: "),
        ('{"game": 1, "mover": 0, "position": "(1,2,1,False)", "action": 1, "value": null, "result": 3}', "bounds"),
        ('{"game": "1", "mover": 0, "position": "", "action": 1, "value": null, "result": 1}', "its game"),
        ('{"game": 1, "mover": 0, "position": "", "action": 1, "value": "x", "result": 1}', "its value"),
    ],
)
def test_a_bad_row_is_refused_with_its_place(tmp_path, text, why):
    path = tmp_path / "positions-0.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(InputError, match=why):
        Samples.read(Drawn(), [str(path)])


def test_what_is_no_file_of_positions_is_refused(tmp_path):
    (tmp_path / "x.txt").write_text("")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe\n")
    for name, why in (("none", "no such file"), ("x.txt", "names end with"), (".", "holds no positions"),
                      ("bad.parquet", "bad.parquet"), ("bad.jsonl", "cannot be read")):  # fmt: skip
        with pytest.raises(InputError, match=why):
            Samples.read(Drawn(), [str(tmp_path / name)])


class Uneven(Drawn):
    def features(self, s):
        return [1.0] * (s.a + 3)


class Infinite(Drawn):
    def features(self, s):
        return [float("inf")]


@pytest.mark.parametrize("kind", [Uneven, Infinite])
def test_features_that_break_the_contract_are_named(write_rows, kind):
    with pytest.raises(ContractError, match="`features`"):
        Samples.read(kind(), [write_rows(drawn_rows(50))])


def test_games_without_features_or_without_two_sides_are_refused(write_rows):
    path = write_rows(drawn_rows(1))
    with pytest.raises(MethodError, match="no features"):
        Samples.read(load("tictactoe"), [path])

    class Unbounded(Drawn):
        bounds = (float("-inf"), float("inf"))

    with pytest.raises(MethodError, match="bounds"):
        Samples.read(Unbounded(), [path])

    class General(Drawn):
        utility_sum = None

    with pytest.raises(MethodError, match="constant sum"):
        Samples.read(General(), [path])


def test_a_game_names_its_features_unless_it_has_names():
    assert Drawn().feature_names() == ["feature 0", "feature 1", "feature 2"]
    assert Drawn().feature_weights() is None
    assert not z.check(Drawn(), games=20).problems
