"""Both families of networks are tried, and the better one goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zermelo.arena.statistics import elo_from_pairs
from zermelo.engine.network import read_network
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.games import load
from zermelo.train import AutoSettings, AutoTraining, Moment, Training, TrainingSettings, auto, settings_of
from zermelo.train.auto import AutoSummary
from zermelo.train.folder import TrainingFolder

GAME = "breakthrough:columns=4,rows=5"
SHORT = AutoSettings(minutes=0.3)


@pytest.fixture(autouse=True)
def _both_in_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "LEAST_MINUTES", 0.0)


def nothing(_: Moment) -> None:
    """Nobody listens."""


def test_both_families_learn_meet_and_the_better_one_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    moments: list[Moment] = []
    training = AutoTraining(GAME, out, SHORT, moments.append)
    summary = training.run()
    assert {each.network for each in moments} == {"sum", "grid"}
    assert "network, generation" in moments[-1].line()
    assert summary.winner in ("sum", "grid")
    assert sum(summary.counts) >= auto.LEAST_PAIRS
    assert json.loads((tmp_path / "small.training" / "contest.json").read_text()) == {
        "winner": summary.winner,
        "counts": list(summary.counts),
        "guided": training.guided,
    }
    assert set(training.guided) == {"sum", "grid"}
    tried = training.guided[summary.winner]
    better = [guide for guide, counts in tried.items() if elo_from_pairs(counts).score < 0.5]
    assert training.current.settings.guide == (better[-1] if better else "")
    assert out.exists() == (summary.last.network is not None)
    if out.exists():
        assert load(f"{GAME},network={out}").can("evaluate")
        assert read_network(out).guide == summary.guide
        assert read_network(out).record["command"] == f"zermelo train {GAME} --minutes 0.3"
        assert "beat the other family" in summary.line()
    with pytest.raises(OptionError, match="has had its"):
        AutoTraining(GAME, out, SHORT, nothing)


def test_it_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    calls = iter(range(10**9))
    first = AutoTraining(GAME, out, SHORT, nothing)
    first.run(lambda: next(calls) > 3)  # ended while the first family plays
    before = TrainingFolder(tmp_path / "small.training" / "sum.training").load()
    assert before is not None
    again = AutoTraining(GAME, out, SHORT, nothing)
    summary = again.run()
    after = TrainingFolder(tmp_path / "small.training" / "sum.training").load()
    assert after is not None
    assert after.generations[0].games >= before.generations[0].games > 0
    assert summary.winner


def test_dice_and_a_short_time_leave_one_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert AutoTraining("pig", tmp_path / "pig.safetensors", SHORT, nothing).families == ["sum"]
    monkeypatch.setattr(auto, "LEAST_MINUTES", 3.0)
    assert AutoTraining(GAME, tmp_path / "small.safetensors", SHORT, nothing).families == ["sum"]


def test_what_is_in_the_way_is_one_line(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    with pytest.raises(MethodError, match="hides information"):
        AutoTraining("kuhn", out, SHORT, nothing)
    with pytest.raises(OptionError, match="minutes"):
        AutoTraining(GAME, out, AutoSettings(minutes=-1), nothing)
    one = Training(GAME, out, TrainingSettings(minutes=1), nothing)
    one.folder.save(one.state)
    with pytest.raises(InputError, match="family=sum"):
        AutoTraining(GAME, out, SHORT, nothing)
    other = tmp_path / "other.safetensors"
    folder = TrainingFolder(tmp_path / "other.training")
    texts = (
        "",
        "[]",
        '{"winner": "tree", "counts": [0, 0, 0, 0, 0], "guided": {}}',
        '{"winner": "sum", "counts": [1], "guided": {}}',
        '{"winner": "", "counts": [0, 0, 0, 0, 0], "guided": {"sum": {"rave": [1]}}}',
        '{"winner": "", "counts": [0, 0, 0, 0, 0], "guided": {"sum": []}}',
    )
    for text in texts:
        folder.write(folder.path / "contest.json", text)
        with pytest.raises(InputError, match="not the result of a match"):
            AutoTraining(GAME, other, SHORT, nothing)


def test_the_last_line_names_the_points_of_the_better_family() -> None:
    class Last:
        network = None

        @staticmethod
        def line() -> str:
            return "+10 ± 5 Elo over what you had, 40 games"

    line = AutoSummary(Last(), "grid", (6, 2, 1, 1, 0), guide="").line()  # type: ignore[arg-type]
    assert line.endswith("a grid network with Monte Carlo tree search beat the other family 16.5 – 3.5")
    line = AutoSummary(Last(), "sum", (0, 1, 1, 2, 6), guide="rave").line()  # type: ignore[arg-type]
    assert line.endswith("a sum network with simulations and playouts beat the other family 16.5 – 3.5")


def test_an_evaluation_that_no_network_beats_is_no_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = AutoTraining(GAME, tmp_path / "small.safetensors", SHORT, nothing)
    monkeypatch.setattr(Training, "strongest", property(lambda each: each.before))
    training._try_guiding("sum", lambda: False)
    assert training.guided == {"sum": {}}


@pytest.mark.parametrize("family", ["sum", "grid"])
def test_a_guide_is_one_of_those_there_are(family: str) -> None:
    settings_of(family)(guide="rave").check()
    with pytest.raises(OptionError, match=r"^guide must be playouts or rave, not 'banana'$"):
        settings_of(family)(guide="banana").check()
