"""`zermelo tune` from the command line."""

import json

import pytest
from click.testing import CliRunner
from tests.tune.steps import STEPS, Passes

from zermelo.cli import main
from zermelo.engine.parameters import PARAMETERS, Tuning, read_tuning
from zermelo.tune import run

GAME = "breakthrough:columns=4,rows=5"
SHORT = ("--nodes", "60", "--threads", "1", "--parameters", "reduction_base,margin_scale")


@pytest.fixture(autouse=True)
def steps(monkeypatch):
    monkeypatch.setattr(run.TuningRun, "_tuning_seconds_left", STEPS)


def test_it_writes_a_file_that_games_are_played_with(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "NOT_WEAKER", Passes())
    monkeypatch.setattr(run, "score", lambda _: 3.0)
    done = zermelo("tune", GAME, "--minutes", "6", *SHORT)
    assert done.exit_code == 0, done.output
    assert "Elo at 60 nodes a move over what you had" in done.stdout
    assert "the curve is in breakthrough.search.tuning/curve.svg" in done.stdout
    assert done.stdout.endswith(f"play with it: zermelo play {GAME},search=breakthrough.search.json\n")
    found = read_tuning("breakthrough.search.json")
    game = f"{GAME},search=breakthrough.search.json"
    rows = {row["name"]: row for row in zermelo.json("tune", game, "--list")["parameters"]}
    assert set(rows) == set(PARAMETERS)
    assert rows["reduction_base"]["value"] == found.values["reduction_base"]
    assert "is over" in zermelo.fails("tune", GAME, "--minutes", "6", *SHORT)
    more = zermelo.json("tune", GAME, "--minutes", "8", *SHORT)
    assert more["out"] == "breakthrough.search.json"
    assert more["elo"]["low"] <= more["elo"]["elo"] <= more["elo"]["high"]
    assert set(more["parameters"]) == {"reduction_base", "margin_scale"}


def test_a_list_of_the_parameters_needs_no_tuning(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = zermelo("tune", "chess", "--list")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == len(PARAMETERS)
    assert "reduction_base" in done.stdout
    assert not list(tmp_path.iterdir())


def test_ctrl_c_ends_it_and_the_same_command_goes_on(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls = iter(range(10**9))

    def pressed(_):
        if next(calls) == 3:
            raise KeyboardInterrupt
        return 0.0

    monkeypatch.setattr(run, "score", pressed)
    done = CliRunner().invoke(main, ["tune", GAME, "--minutes", "8", *SHORT])
    assert done.exit_code == 0, done.output
    assert f"stopped; the same `zermelo tune {GAME}` goes on" in done.output
    assert "24 games so far, and no test yet" in done.output


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nosuchgame"], "no game is called"),
        (["pig"], "without chance"),
        (["kuhn"], "it hides information"),
        (["tictactoe:m=6,n=6,k=5"], "write `evaluate`"),
        ([GAME, "--parameters", "speed"], "no parameter 'speed'"),
        ([GAME, "--minutes", "-1"], "minutes must be"),
        ([GAME, "--nodes", "0"], "nodes must be"),
        ([GAME, "--threads", "0"], "threads must be"),
        ([f"{GAME},search=none.json"], "cannot be read"),
    ],
)
def test_what_cannot_be_tuned_is_one_line(tmp_path, arguments, why):
    done = CliRunner().invoke(main, ["tune", *arguments, "--out", str(tmp_path / "x.json")])
    assert done.exit_code == 2
    assert why in done.output
    assert done.output.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [("tune", GAME), ("train", GAME, "--minutes", "1")], ids=lambda each: each[0])
@pytest.mark.parametrize("out", ["/", "."])
def test_a_file_that_has_no_name_is_one_line(zermelo, arguments, out):
    assert "is no name of a file: say --out FILE" in zermelo.fails(*arguments, "--out", out)


def test_a_damaged_file_beside_the_rules_is_one_line(zermelo, tmp_path):
    rules = tmp_path / "mine.py"
    rules.write_text("from zermelo.games.breakthrough import Breakthrough\n\n\nclass Mine(Breakthrough):\n    pass\n")
    (tmp_path / "mine.search.json").write_text(json.dumps({"game": {}, "parameters": {"a": 1}, "record": {}}))
    assert "search=no" in zermelo.fails("analyse", f"{rules}:Mine", "--depth", "2")
    Tuning({}, {"reduction_base": 1.0}).write(tmp_path / "mine.search.json")
    assert zermelo("analyse", f"{rules}:Mine", "--depth", "2").exit_code == 0
