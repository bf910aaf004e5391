"""`zermelo train` learns from games that are there or played now, and writes weights with their record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zermelo.game import Weights
from zermelo.games import load

COINS = '''
from typing import NamedTuple
import zermelo as z

class Coins(z.Game):
    """Take a coin from either end of the row; whoever has more in the end has won."""
    class State(NamedTuple):
        first: int
        last: int
        lead: int
        turn: int
    coins = (3, 9, 1, 2, 7, 5, 8, 4, 6, 2)
    def initial(self): return self.State(0, len(self.coins) - 1, 0, 0)
    def player(self, s): return s.turn
    def actions(self, s):
        if s.first <= s.last:
            yield 0
            yield 1
    def result(self, s, a):
        coin = self.coins[s.last if a else s.first]
        return self.State(s.first + 1 - a, s.last - a, s.lead + (-coin if s.turn else coin), 1 - s.turn)
    def is_terminal(self, s): return s.first > s.last
    def utility(self, s, p):
        won = (s.lead > 0) - (s.lead < 0)
        return float(-won if p else won)
    def features(self, s): return [s.lead, 1]
    def feature_names(self): return ["lead", "always"]
'''


@pytest.fixture
def coins(tmp_path: Path) -> str:
    path = tmp_path / "coins.py"
    path.write_text(COINS)
    return f"{path}:Coins"


@pytest.fixture
def data(zermelo, coins, tmp_path) -> str:
    folder = str(tmp_path / "data")
    zermelo.json("selfplay", coins, "random", "--games", "60", "--format", "jsonl", "--save", folder)
    return folder


def test_a_users_game_learns_that_a_lead_is_good(zermelo, coins, tmp_path):
    out = tmp_path / "w.json"
    done = zermelo("train", coins, "--games", "60", "--player", "random", "--out", str(out))
    assert done.exit_code == 0, done.output
    assert "held out" in done.stdout
    weights = Weights.read(out)
    assert weights.values["lead"] > 0.05
    assert weights.record["games"] == 60
    assert weights.record["played"] == {"player": "random", "openings": "plies=6"}


def test_the_same_data_and_seed_give_the_same_file(zermelo, coins, data, tmp_path):
    found = [zermelo.json("train", coins, "--data", data, "--out", str(tmp_path / "w.json")) for _ in range(2)]
    assert found[0]["weights"] == found[1]["weights"]
    assert found[0]["record"]["losses"]["train after"] < found[0]["record"]["losses"]["train before"]
    old = str(tmp_path / "w.json")
    again = zermelo.json(
        "train", coins, "--data", data, "--from", old, "--l2", "100", "--out", str(tmp_path / "v.json")
    )
    assert again["weights"] == pytest.approx(found[0]["weights"], rel=0.01)


def test_weights_of_chess_stay_whole_and_can_be_played_with(zermelo, tmp_path):
    out = tmp_path / "w.json"
    zermelo.json("train", "chess", "--games", "3", "--player", "engine:nodes=50", "--mix", "0.5", "--out", str(out))
    values = json.loads(out.read_text())["weights"]
    assert all(isinstance(value, int) for value in values.values())
    assert load(f"chess:weights={out}").feature_weights() == list(values.values())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "--data FOLDER"),
        (("--games", "5", "--data", "x"), "--data FOLDER"),
        (("--data", "nowhere"), "no such file or folder"),
        (("--games", "5", "--l2", "-1"), "l2 must be"),
        (("--games", "0"), "games must be"),
        (("--games", "5", "--from", "nowhere.json"), "cannot be read"),
        (("--games", "5", "--player", "random", "--mix", "0.5"), "leave out mix"),
    ],
)
def test_what_cannot_be_learnt_from_is_said_in_one_line(zermelo, coins, tmp_path, arguments, why):
    assert why in zermelo.fails("train", coins, *arguments, "--out", str(tmp_path / "w.json"))


def test_a_game_without_features_is_refused(zermelo, tmp_path):
    said = zermelo.fails("train", "tictactoe", "--games", "5", "--out", str(tmp_path / "w.json"))
    assert "def features" in said


def test_without_out_the_file_is_named_after_the_game(zermelo, coins, data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert zermelo.json("train", coins, "--data", data)["out"] == "coins.json"
    assert Weights.read("coins.json").values["lead"] > 0


def test_a_file_that_is_there_is_written_over_only_when_that_is_said(zermelo, coins, data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("coins.json").write_text("precious")
    assert "coins.json is there already" in zermelo.fails("train", coins, "--data", data)
    assert Path("coins.json").read_text() == "precious"
    zermelo.json("train", coins, "--data", data, "--out", "coins.json")
    assert Weights.read("coins.json").values["lead"] > 0
