"""A training keeps what is stronger, goes on where it was ended, and refuses what cannot be learned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zermelo.arena.statistics import elo_from_pairs
from zermelo.engine.network import Network
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.games import load
from zermelo.learn.records import RecordedGames
from zermelo.train import Moment, Summary, Training, TrainingSettings
from zermelo.train.curve import draw_curve, elo_so_far
from zermelo.train.folder import Generation, State, TrainingFolder

GAME = "breakthrough:columns=4,rows=5"
SHORT = TrainingSettings(minutes=0.1, width=32, nodes=30, opening_plies=4, move_seconds=0.001, batch=512)


def nothing(_: Moment) -> None:
    """Nobody listens."""


def test_a_training_learns_tests_and_says_what_came_of_it(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    moments: list[Moment] = []
    training = Training(GAME, out, SHORT, moments.append)
    summary = training.run()
    assert {each.phase for each in moments} >= {"playing", "learning", "testing"}
    assert summary.games == sum(each.games for each in training.state.generations) > 0
    assert all(sum(each.counts) for each in training.state.generations if each.kept is not None)
    assert draw_curve(training.state).startswith("<svg")
    if summary.network is None:
        assert not out.exists()
        assert "nothing stronger" in summary.line()
    else:
        assert "Elo over what you had" in summary.line()
        assert load(f"{GAME},network={out}").can("evaluate")
        assert Network.read(out).record["games"] > 0


def test_a_training_goes_on_where_it_was_ended(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    calls = iter(range(10**9))
    Training(GAME, out, SHORT, nothing).run(lambda: next(calls) > 3)  # ended while it plays
    ended = TrainingFolder(out.with_suffix(".training")).load()
    assert ended is not None
    (first,) = ended.generations
    assert first.kept is None
    again = Training(GAME, out, SHORT, nothing)
    assert again.state.generations[0].games == first.games
    again.run()
    games = RecordedGames(again.folder.games(0), load(GAME))
    assert len(games) == again.state.generations[0].games >= first.games
    numbers = [each.number for each in games]
    assert numbers == sorted(set(numbers))
    with pytest.raises(OptionError, match="has had its"):
        Training(GAME, out, SHORT, nothing)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise here")
def test_a_training_that_was_killed_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    code = (
        "import sys; from zermelo.train import Training, TrainingSettings;"
        f"Training({GAME!r}, {str(out)!r}, TrainingSettings(minutes=5, width=32, nodes=30), lambda _: None).run()"
    )
    child = subprocess.Popen([sys.executable, "-c", code])
    folder = TrainingFolder(out.with_suffix(".training"))
    try:
        while child.poll() is None and not (folder.games(0).exists() and folder.games(0).stat().st_size > 10_000):
            time.sleep(0.05)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    before = len(RecordedGames(folder.games(0), load(GAME)))
    training = Training(GAME, out, SHORT, nothing)
    training.run()
    assert training.state.generations[0].games >= before > 0


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("kingmaker", "two players with a constant sum"),
        ("kuhn", "hides information"),
        ("prisoners-dilemma", "constant sum"),
    ],
)
def test_games_that_cannot_be_learned_are_refused(game: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(MethodError, match=why):
        Training(game, tmp_path / "net.safetensors", SHORT, nothing)


@pytest.mark.parametrize("game", ["nim:heaps=1/1", "tictactoe"])
def test_a_game_that_a_short_search_solves_is_refused(game: str, tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="nothing to learn"):
        Training(game, tmp_path / "net.safetensors", SHORT, nothing)


@pytest.mark.parametrize("change", [{"minutes": 0}, {"width": 2000}, {"nodes": 0}, {"rate": 0}, {"score_share": 2}])
def test_impossible_settings_are_refused(change: dict[str, float], tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        Training(GAME, tmp_path / "net.safetensors", TrainingSettings(**change), nothing)  # type: ignore[arg-type]


def test_a_folder_of_another_training_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "net.safetensors"
    folder = TrainingFolder(out.with_suffix(".training"))
    folder.save(State("othello", {}))
    with pytest.raises(InputError, match="holds the training of othello"):
        Training(GAME, out, SHORT, nothing)
    for text in ("{", "[]", '{"game": "x"}', json.dumps({"game": GAME, "settings": {"wdth": 1}, "generations": []})):
        (folder.path / "state.json").write_text(text)
        with pytest.raises(InputError):
            Training(GAME, out, SHORT, nothing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk here")
def test_a_folder_that_cannot_be_written_ends_with_one_line(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    with pytest.raises(InputError, match="cannot be kept"):
        Training(GAME, blocked / "net.safetensors", SHORT, nothing).run()


def test_elo_so_far_adds_up_the_tests() -> None:
    state = State(GAME, {})
    assert elo_so_far(state) is None
    even, won = [0, 0, 40, 0, 0], [2, 0, 8, 0, 30]
    state.generations = [
        Generation(0, 10, counts=won, kept=True),
        Generation(1, 10, counts=[30, 0, 8, 0, 2], kept=False),
        Generation(2, 10, counts=won, kept=True),
        Generation(3, 10, counts=even, kept=None),
    ]
    found = elo_so_far(state)
    assert found is not None
    alone = elo_from_pairs(won).elo
    assert found.elo > 1.5 * alone
    assert found.low < found.elo < found.high


def test_the_last_sentence() -> None:
    summary = Summary(Path("x"), elo_from_pairs([2, 0, 8, 0, 30]), 100, 1000, 3, 2, Path("curve.svg"))
    assert summary.line().startswith("+")
    assert summary.line().endswith("Elo over what you had, 80 games")
