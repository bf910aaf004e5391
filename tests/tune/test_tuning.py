"""A tuning keeps what is not weaker, goes on after whatever ended it, and refuses what cannot be tuned."""

from __future__ import annotations

import dataclasses
import errno
import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tune.steps import STEPS, Passes
from zermelo.engine.identity import identify
from zermelo.engine.parameters import PARAMETERS, Tuning, parameters_for, read_tuning
from zermelo.engine.whole_file import replace_file
from zermelo.errors import CompileError, InputError, MethodError, OptionError, ZermeloError
from zermelo.games import load
from zermelo.tune import Moment, TuningRun, TuningSettings, run
from zermelo.tune.curve import MOST_LINES, draw_curve, moves
from zermelo.tune.state import MOST_ROWS, TuningFolder, TuningState

GAME = "breakthrough:columns=4,rows=5"
NAMES = "reduction_base,margin_scale,move_count_base"
SHORT = TuningSettings(minutes=6, nodes=60, parameters=NAMES, opening_plies=4)


@pytest.fixture(autouse=True)
def steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.TuningRun, "_tuning_seconds_left", STEPS)


def nothing(_: Moment) -> None:
    """Nobody listens."""


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "NOT_WEAKER", Passes())


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "NOT_WEAKER", Passes(False))


@pytest.fixture
def winning(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every step one side wins: in so small a game most pairs are even."""
    monkeypatch.setattr(run, "score", lambda _: 3.0)


def make(out: Path, settings: TuningSettings = SHORT, told: Callable[[Moment], None] = nothing) -> TuningRun:
    return TuningRun(GAME, out, settings, told)


def one_line(call: Callable[[], Any], kind: type[Exception], why: str) -> None:
    with pytest.raises(kind, match=why) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_tuning_plays_tests_and_writes_what_is_not_weaker(tmp_path: Path, passing: None, winning: None) -> None:
    moments: list[Moment] = []
    tuning = make(tmp_path / "a.search.json", told=moments.append)
    summary = tuning.run()
    assert [each.phase for each in moments] == sorted((each.phase for each in moments), reverse=True)
    assert {each.phase for each in moments} == {"tuning", "testing"}
    assert (summary.games, summary.steps) == (48, 6)
    assert summary.elo is not None
    assert "Elo at 60 nodes a move over what you had" in summary.line()
    assert summary.out == tmp_path / "a.search.json"
    kept = read_tuning(summary.out)
    assert kept.values == tuning.tuned
    assert set(kept.values) == set(NAMES.split(","))
    assert kept.game == identify(load(GAME))
    assert kept.record["games"] == summary.games
    assert kept.record["command"] == f"zermelo tune {GAME} --minutes 6 --nodes 60 --parameters {NAMES}"
    assert parameters_for(load(f"{GAME},search={summary.out}")) == kept.values
    assert draw_curve(tuning.state).startswith("<svg")
    assert "reduction_base" in summary.curve.read_text()
    assert list(moves(tuning.state)) == list(summary.after)


def test_games_move_the_parameters(tmp_path: Path, passing: None) -> None:
    settings = TuningSettings(minutes=12, nodes=300)
    tuning = TuningRun("breakthrough:columns=5,rows=6", tmp_path / "a.search.json", settings, nothing)
    assert len(tuning.state.names) > 5
    summary = tuning.run()
    assert max(map(abs, moves(tuning.state).values())) > 0
    assert summary.before != summary.after


def test_what_is_weaker_is_not_written(tmp_path: Path, failing: None, winning: None) -> None:
    summary = make(tmp_path / "a.search.json").run()
    assert summary.out is None
    assert "not kept; go on with more minutes" in summary.line()
    assert not (tmp_path / "a.search.json").exists()


def test_it_starts_from_the_parameters_of_the_game_and_keeps_those_it_does_not_tune(
    tmp_path: Path, passing: None, winning: None
) -> None:
    own = tmp_path / "own.json"
    Tuning(identify(load(GAME)), {"reduction_base": 2.0, "futility_base": 1.0}).write(own)
    settings = dataclasses.replace(SHORT, parameters="reduction_base,margin_scale")
    tuning = TuningRun(f"{GAME},search={own}", tmp_path / "a.search.json", settings, nothing)
    assert tuning.tuned == {"reduction_base": 2.0, "margin_scale": 1.4}
    summary = tuning.run()
    assert summary.out is not None
    assert read_tuning(summary.out).values == {**tuning.tuned, "futility_base": 1.0}
    assert read_tuning(summary.out).record["before"] == {"reduction_base": 2.0, "futility_base": 1.0}


def test_it_goes_on_where_it_was_ended(tmp_path: Path, failing: None, winning: None) -> None:
    out = tmp_path / "a.search.json"
    first = make(out)
    summary = first.run(lambda: first.state.step >= 3)
    assert summary.steps == 3
    assert "no test yet" in summary.line()
    again = make(out, TuningSettings(minutes=SHORT.minutes))
    assert again.state.point == first.state.point
    assert again.tuned == first.tuned
    assert (again.settings.nodes, again.settings.parameters) == (60, NAMES)
    assert again.run().steps == 6
    one_line(lambda: make(out), OptionError, "this tuning is over, after .* say more")
    longer = make(out, dataclasses.replace(SHORT, minutes=8))
    assert longer.run().steps == 8
    assert longer.state.tests == 2


KILLED = """
import os, signal
from tests.tune.steps import Passes, count_steps
from tests.tune.test_tuning import make
from zermelo.tune import run
count_steps()
run.NEWS_SECONDS = 0.0
run.score = lambda _: 3.0
run.NOT_WEAKER = Passes()
run.NOT_WEAKER.decision = lambda counts: False
seen = []
def told(moment):
    seen.append(moment.phase)
    if seen.count({phase!r}) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
make({out!r}, told=told).run()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise here")
@pytest.mark.parametrize("phase", ["tuning", "testing"])
def test_a_tuning_killed_in_any_phase_goes_on_with_what_it_had(
    phase: str, tmp_path: Path, passing: None, winning: None
) -> None:
    out = tmp_path / "a.search.json"
    code = KILLED.format(phase=phase, out=str(out))
    killed = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert not out.exists()
    tuning = make(out)
    before = dataclasses.replace(tuning.state, counts=list(tuning.state.counts))
    assert before.step == (6 if phase == "testing" else 5)
    assert sum(before.counts) == (5 if phase == "testing" else 0)
    summary = tuning.run()
    assert (summary.out, summary.steps) == (out, 6)
    assert tuning.state.tests == 1
    assert sum(tuning.state.counts) > sum(before.counts)


def test_openings_of_the_test_are_not_those_of_the_tuning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, winning: None, passing: None
) -> None:
    seeds: list[tuple[int, int]] = []
    plain = run.MatchOptions

    def noted(*players: Any, **given: Any) -> Any:
        seeds.append((given["seed"], given["first"]))
        return plain(*players, **given)

    monkeypatch.setattr(run, "MatchOptions", noted)
    make(tmp_path / "a.search.json", dataclasses.replace(SHORT, seed=(1 << 64) - 1)).run()
    assert len({seed for seed, _ in seeds}) == 2
    assert len(set(seeds)) == len(seeds)


def test_the_course_is_thinned_and_drawn(tmp_path: Path) -> None:
    state = TuningState(GAME, {}, list(PARAMETERS), {}, [each.value for each in PARAMETERS.values()])
    for state.step in range(1, 5 * MOST_ROWS):
        state.games += 8
        state.point[0] += 0.01
        state.note()
    assert MOST_ROWS / 2 <= len(state.course) <= MOST_ROWS
    games = [row[0] for row in state.course]
    assert len({later - sooner for sooner, later in itertools.pairwise(games)}) == 1
    drawn = draw_curve(state)
    assert drawn.count("<polyline") == MOST_LINES
    assert TuningState.from_json(json.loads(json.dumps(dataclasses.asdict(state)))) == state


# Bad input.


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("pig", "without chance"),
        ("kuhn", "it hides information"),
        ("kingmaker", "without chance"),
        ("go", "Monte Carlo tree search plays it"),
        ("tictactoe:m=6,n=6,k=5", "write `evaluate`"),
        ("[[3,12,8],[2,4,6],[14,5,2]]", "write `evaluate`"),
        ("hexapawn", "cannot be tuned|has nothing to learn"),
    ],
)
def test_games_without_anything_to_tune_are_refused(game: str, why: str, tmp_path: Path) -> None:
    one_line(lambda: TuningRun(game, tmp_path / "a.search.json", SHORT, nothing), MethodError, why)
    assert not list(tmp_path.iterdir())


def test_rules_that_do_not_compile_are_refused(tmp_path: Path) -> None:
    rules = tmp_path / "odd.py"
    rules.write_text(
        "from zermelo.games.breakthrough import Breakthrough\n\n\nclass Odd(Breakthrough):\n"
        "    def evaluate(self, s, p):\n        return float(eval('1') + len(open(__file__).read()))\n"
    )
    out = tmp_path / "a.search.json"
    one_line(lambda: TuningRun(f"{rules}:Odd:columns=4,rows=5", out, SHORT, nothing), CompileError, "odd.py")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (TuningSettings(parameters="reduction_bass"), "did you mean reduction_base"),
        (TuningSettings(parameters="reduction_base,reduction_base"), "named once"),
        (TuningSettings(nodes=0), "nodes must be"),
        (TuningSettings(minutes=0), "minutes must be"),
        (TuningSettings(minutes=float("nan")), "minutes must be"),
        (TuningSettings(threads=0), "threads must be"),
        (TuningSettings(seed=-1), "seed must be"),
    ],
)
def test_bad_settings_are_refused(settings: TuningSettings, why: str, tmp_path: Path) -> None:
    one_line(lambda: make(tmp_path / "a.search.json", settings), OptionError, why)


def test_a_step_that_takes_longer_than_there_is_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    hasty = TuningSettings(minutes=1e-7, nodes=60, parameters=NAMES)
    one_line(lambda: make(tmp_path / "a.search.json", hasty).run(), MethodError, "no step .* say more --minutes")


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A tuning with a few steps."""
    out = tmp_path / "a.search.json"
    tuning = make(out)
    tuning.run(lambda: tuning.state.step >= 2)
    return out


def test_another_game_or_other_parameters_need_another_file(begun: Path) -> None:
    other = "breakthrough:columns=5,rows=5"
    one_line(lambda: TuningRun(other, begun, SHORT, nothing), InputError, "holds the tuning of .* another --out")
    named = dataclasses.replace(SHORT, parameters="margin_scale")
    one_line(lambda: make(begun, named), OptionError, "other parameters: give another --out")


def test_a_folder_in_which_another_process_tunes_is_left_alone(begun: Path) -> None:
    tuning = make(begun)
    with tuning.folder.held():
        one_line(tuning.run, InputError, "another process is tuning in .*another --out")


@pytest.mark.parametrize(
    "change",
    [
        {"names": ["nonsense"]},
        {"names": []},
        {"names": ["margin_scale", "margin_scale", "reduction_base"]},
        {"point": [1.0]},
        {"point": [float("nan"), 1.0, 1.0]},
        {"point": ["1", 1.0, 1.0]},
        {"before": {"margin_scale": 1e9}},
        {"before": [1]},
        {"course": [[1.0]]},
        {"course": 7},
        {"counts": [0, 0]},
        {"counts": [0, 0, -1, 0, 0]},
        {"step": 1.5},
        {"spacing": 0},
        {"phase": "dancing"},
        {"kept": "yes"},
        {"seconds": -1},
        {"settings": {"nodes": "many"}},
        {"strange": 1},
    ],
    ids=str,
)
def test_a_damaged_state_is_one_line(begun: Path, change: dict[str, Any]) -> None:
    state = begun.with_suffix(".tuning") / "state.json"
    state.write_text(json.dumps({**json.loads(state.read_text()), **change}))
    one_line(lambda: make(begun), InputError, "is not the state of a tuning|another version")


@pytest.mark.parametrize("text", ["", "[]", "7", "{", "[" * 100_000, "\x00"], ids=range(6))
def test_a_state_that_is_none_is_one_line(begun: Path, text: str) -> None:
    (begun.with_suffix(".tuning") / "state.json").write_text(text)
    one_line(lambda: make(begun), InputError, "remove .* to begin anew")


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("writer", ["zermelo.train.folder.replace_file", "zermelo.engine.parameters.replace_file"])
def test_a_disk_that_takes_no_more_ends_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writer: str, passing: None, winning: None
) -> None:
    tuning = make(tmp_path / "a.search.json")
    monkeypatch.setattr(writer, full)
    one_line(tuning.run, ZermeloError, "No space left")
    monkeypatch.setattr(writer, replace_file)
    assert make(tmp_path / "a.search.json").run().out is not None


def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    def pressed(moment: Moment) -> None:
        if moment.news.startswith("step 3,"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "a.search.json", told=pressed).run()
    found = TuningFolder(tmp_path / "a.search.tuning").read_state(TuningState.from_json)
    assert found is not None
    assert found.step == 3
