"""A training keeps what is stronger, goes on where it was ended, and refuses what cannot be learned."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from zermelo.arena.statistics import elo_from_pairs
from zermelo.engine.network import Network
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.games import load
from zermelo.learn.records import RecordedGames
from zermelo.train import Moment, Summary, Training, TrainingSettings, settings_of
from zermelo.train.curve import draw_curve, elo_course, elo_so_far
from zermelo.train.folder import Generation, State, TrainingFolder
from zermelo.train.positions import draw_line, shown_states

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


@pytest.mark.parametrize(("game", "method"), [(GAME, "auto"), ("tictactoe:m=6,n=6,k=5", "mcts")])
def test_the_first_games_are_simulated_in_a_game_without_an_evaluation(game: str, method: str, tmp_path: Path) -> None:
    training = Training(game, tmp_path / "small.safetensors", SHORT, nothing)
    assert training.family.selfplay(training.latest)["player"].method == method


EVEN, WON, LOST = [5, 0, 30, 0, 5], [0, 0, 10, 0, 30], [30, 0, 10, 0, 0]


def test_the_first_network_is_kept_if_it_wins_and_plays_the_next_games_unless_it_lost_clearly(tmp_path: Path) -> None:
    for counts, kept in ((EVEN, False), (LOST, False), (WON, True)):
        training = Training(GAME, tmp_path / f"{kept}.safetensors", SHORT, nothing)
        decide(training, counts)
        assert training.state.generations[-1].kept is kept
        assert (training.best is not training.before) is kept
        assert (training.latest is not training.before) is (counts is not LOST)


def test_simulations_are_left_behind_by_the_first_network_however_it_plays(tmp_path: Path) -> None:
    training = Training("tictactoe:m=6,n=6,k=5", tmp_path / "small.safetensors", SHORT, nothing)
    decide(training, LOST)
    assert training.latest is not training.before


def test_who_plays_the_next_games_is_known_after_a_break(tmp_path: Path) -> None:
    for counts in (EVEN, LOST):
        path = tmp_path / f"{counts[0]}.safetensors"
        training = Training(GAME, path, SHORT, nothing)
        decide(training, counts)
        training.learning.save(training.folder.learner)
        again = Training(GAME, path, SHORT, nothing)
        assert (again.latest is not again.before) is (counts is not LOST)


def test_a_later_network_is_kept_unless_it_loses_and_then_the_best_plays_the_next_games(tmp_path: Path) -> None:
    training = Training(GAME, tmp_path / "small.safetensors", SHORT, nothing)
    decide(training, WON)
    decide(training, EVEN)
    best = training.best
    assert training.state.generations[-1].kept
    assert training.latest is best
    decide(training, LOST)
    assert not training.state.generations[-1].kept
    assert training.latest is training.best is best


def test_a_training_goes_on_from_the_network_that_was_there(tmp_path: Path) -> None:
    known = tmp_path / "known.safetensors"
    network = Training(GAME, tmp_path / "first.safetensors", SHORT, nothing).learning.network({})
    network.write(known)
    training = Training(f"{GAME},network={known}", tmp_path / "same.safetensors", replace(SHORT, seed=1), nothing)
    assert (training.learning.network({}).weights["rows"] == network.weights["rows"]).all()
    training = Training(f"{GAME},network={known}", tmp_path / "wider.safetensors", replace(SHORT, width=64), nothing)
    assert len(training.learning.network({}).weights["rows"]) == 2 * len(network.weights["rows"])
    training.run()
    assert training.state.generations[0].by_network


def test_the_time_is_for_as_many_generations_as_are_asked_for() -> None:
    whole = TrainingSettings(minutes=30)
    assert replace(whole, generations=2).generation_seconds == 8 * whole.generation_seconds == 60 * 30 * 0.9 / 2
    with pytest.raises(OptionError, match="generations"):
        replace(whole, generations=0).check()


def decide(training: Training, counts: list[int]) -> None:
    """A generation whose test came out so."""
    training.folder.path.mkdir(parents=True, exist_ok=True)
    current = Generation(len(training.state.generations), counts=counts)
    training.state.generations.append(current)
    training._decide(current, training.learning.network({}))


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
    numbers = [each.number for each in RecordedGames(folder.games(0), load(GAME))]
    assert numbers == sorted(set(numbers))  # none is played again


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
    summary = Summary(Path("x"), elo_from_pairs([2, 0, 8, 0, 30]), None, 100, 1000, 3, 2, Path("curve.svg"))
    assert summary.line().startswith("+")
    assert summary.line().endswith("Elo over what you had, 80 games")
    assert "by the tests so far" in replace(summary, elo=None).line()
    assert "nothing stronger" in replace(summary, network=None, elo=None).line()


def test_the_state_says_what_a_training_is_doing_and_when_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.train.run.NEWS_SECONDS", 0.0)
    folder = TrainingFolder(tmp_path / "small.training")
    seen: set[tuple[str, str]] = set()

    def look(moment: Moment) -> None:
        state = folder.load()
        assert state is not None
        seen.add((moment.phase, state.phase))

    training = Training(GAME, tmp_path / "small.safetensors", SHORT, look)
    training.run()
    assert seen >= {("playing", "playing"), ("learning", "learning"), ("testing", "testing")}
    assert all(told == written for told, written in seen)
    ended = folder.load()
    assert ended is not None
    assert (ended.phase, ended.line) == ("over", training.state.line)


def test_values_are_those_of_the_same_positions_in_every_generation(tmp_path: Path) -> None:
    training = Training(GAME, tmp_path / "small.safetensors", SHORT, nothing)
    states = shown_states(training.rules, training.state.line)
    assert states[0] == training.rules.initial()
    assert states == shown_states(training.rules, draw_line(training.rules, SHORT.seed))
    training.run()
    decided = [each for each in training.state.generations if each.kept is not None]
    assert decided
    assert all(len(each.values) == len(states) for each in decided)


def test_a_training_that_goes_on_says_for_how_long(tmp_path: Path) -> None:
    out = tmp_path / "small.safetensors"
    calls = iter(range(10**9))
    Training(GAME, out, SHORT, nothing).run(lambda: next(calls) > 3)
    longer = replace(SHORT, minutes=5)
    assert Training(GAME, out, longer, nothing).state.settings["minutes"] == 5


def test_the_course_of_a_training_holds_where_nothing_was_kept() -> None:
    state = State(GAME, {})
    state.generations = [
        Generation(0, counts=[4, 4, 4, 2, 1], kept=False),
        Generation(1, counts=[1, 2, 4, 4, 4], kept=True),
        Generation(2, counts=[4, 4, 4, 2, 1], kept=False),
        Generation(3),
    ]
    course = elo_course(state)
    assert [each is None for each in course] == [True, False, False, True]
    assert course[1] is not None
    assert course[2] is not None
    assert course[1].elo == pytest.approx(course[2].elo, abs=5)


def test_settings_that_suit_a_game_are_settings_and_what_is_said_comes_first() -> None:
    from zermelo.cli.train import with_defaults
    from zermelo.games import games

    for kind in games().values():
        suited = dict(kind.training)
        settings_of(suited.get("family", "sum"))(**suited).check()
    assert with_defaults("width=64", {"width": 128, "rate": 0.1}) == "width=64,rate=0.1"
    assert with_defaults("", {"width": 128}) == "width=128"
    assert with_defaults("width=64", {}) == "width=64"
