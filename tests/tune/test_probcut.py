"""The measurement of what shallow searches foretell of deep ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tune.steps import Passes
from zermelo.engine.parameters import pairs_for, read_tuning
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.games import load
from zermelo.tune import Moment, ProbCutRun, TuningSettings, probcut
from zermelo.tune.probcut import ProbCutFolder, ProbCutState

GAME = "breakthrough:columns=4,rows=5"
SHORT = TuningSettings(minutes=12, nodes=60)
"""As many games as minutes."""


@pytest.fixture(autouse=True)
def games_in_place_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    left = property(lambda self: 60.0 * (self.settings.minutes - self.state.games))
    monkeypatch.setattr(ProbCutRun, "_measuring_seconds_left", left)
    monkeypatch.setattr(probcut, "LEAST_POSITIONS", 8)


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probcut, "NOT_WEAKER", Passes())


def make(out: Path, settings: TuningSettings = SHORT, told: Callable[[Moment], None] = lambda _: None) -> ProbCutRun:
    return ProbCutRun(GAME, out, settings, told)


def test_a_measurement_is_written_and_searched_with(tmp_path: Path, passing: None) -> None:
    moments: list[Moment] = []
    out = tmp_path / "a.search.json"
    summary = make(out, told=moments.append).run()
    assert {each.phase for each in moments} == {"measuring", "testing"}
    assert summary.out == out
    assert 3 * 12 < summary.positions <= 4 * 12
    assert summary.pairs
    assert all(pair.shallow < pair.depth for pair in summary.pairs)
    assert "Elo at 60 nodes a move over what you had" in summary.line()
    assert read_tuning(out).pairs == summary.pairs
    assert pairs_for(load(f"{GAME},search={out}")) == summary.pairs
    with pytest.raises(OptionError, match="is over"):
        make(out)


def test_what_is_weaker_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probcut, "NOT_WEAKER", Passes(False))
    summary = make(tmp_path / "a.search.json").run()
    assert summary.out is None
    assert "not kept" in summary.line()
    assert not (tmp_path / "a.search.json").exists()


def test_a_measurement_that_was_broken_off_comes_to_the_same(tmp_path: Path, passing: None) -> None:
    whole = make(tmp_path / "whole.json").run()

    def pressed(moment: Moment) -> None:
        if "of 5 games" in moment.news:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "parts.json", told=pressed).run()
    assert "no test yet" in make(tmp_path / "parts.json").summary().line()
    parts = make(tmp_path / "parts.json").run()
    assert parts.pairs == whole.pairs


def test_a_game_that_is_broken_off_is_measured_once(tmp_path: Path) -> None:
    run = make(tmp_path / "a.json")
    asked = iter(range(10**9))
    run._measure_game(lambda: next(asked) > 1)
    assert (run.state.games, len(run.state.stages)) == (0, 0)


def test_nothing_is_written_from_too_few_positions(tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="tell too little"):
        make(tmp_path / "a.json", TuningSettings(minutes=1, nodes=60)).run()


@pytest.mark.parametrize(
    ("field", "value"),
    [("values", [[0.5, "x"]]), ("stages", [1, 2]), ("counts", [1]), ("phase", "sleeping"), ("games", -1)],
)
def test_a_damaged_state_is_refused(tmp_path: Path, field: str, value: Any) -> None:
    run = make(tmp_path / "a.json")
    run._write()
    path = ProbCutFolder(tmp_path / "a.probcut").state
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}))
    with pytest.raises(InputError, match=r"remove .* to begin anew"):
        make(tmp_path / "a.json")


def test_parameters_are_not_for_a_measurement(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="leave it out"):
        make(tmp_path / "a.json", TuningSettings(parameters="margin_scale"))


def test_a_state_can_be_written_and_read() -> None:
    state = ProbCutState(GAME, {}, games=1, stages=[2], values=[[0.5, None]])
    assert ProbCutState.from_json(json.loads(json.dumps(vars(state)))) == state
