"""Networks of a game's own kind: the training keeps time and files, goes on after a break, and ends with a match."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game.contract import Trainer
from zermelo.options import check_fields, number, whole
from zermelo.train import Moment, OwnSummary, OwnTraining


@dataclass(frozen=True)
class Settings:
    minutes: float = 10.0
    games: int = 30
    threads: int = 1
    seed: int = 0
    width: int = 4

    def check(self) -> None:
        check_fields(self, {"minutes": number(0, above=True), "games": whole(1), "width": whole(1, 64)})


class Counting:
    """A run whose network is the number of games that it has played; each step plays ten."""

    def __init__(self, settings: Settings, start: Path | None, elapsed: Callable[[], float]):
        self.settings, self.elapsed = settings, elapsed
        self.games = self.positions = self.steps = 0
        self.loss: float | None = None
        self.before = 0 if start is None else json.loads(Path(start).read_text())["games"]
        self.closed = False

    @property
    def share(self) -> float:
        return min(self.games / self.settings.games, 1.0)

    def step(self) -> None:
        self.games += 10
        self.positions += 100
        self.steps += 1
        self.loss = 1 / self.steps

    def save(self, path: Path) -> None:
        path.write_text(json.dumps([self.games, self.positions, self.steps]))

    def load(self, path: Path) -> None:
        try:
            self.games, self.positions, self.steps = json.loads(path.read_text())
        except ValueError as error:
            raise InputError(f"{path} is no learner: {error}") from None

    def write(self, path: Path, record: Mapping[str, Any]) -> None:
        path.write_text(json.dumps({"games": self.games, **record}))

    def match(self, pairs: int, first: int, stop: Callable[[], bool]) -> list[float]:
        return [(self.games - self.before) / 10 + (first + i) % 2 for i in range(pairs)]

    def close(self) -> None:
        self.closed = True


def training(
    out: Path,
    settings: Settings = Settings(),
    start: Path | None = None,
    told: Callable[[Moment], None] = lambda _: None,
    run: Callable[..., Any] = Counting,
) -> OwnTraining:
    return OwnTraining(Trainer(Settings, run, "weights"), "counting", out, settings, start, told)


def test_a_training_learns_and_then_plays_what_was_there_before(tmp_path: Path) -> None:
    moments: list[Moment] = []
    made = training(tmp_path / "net", told=moments.append)
    summary = made.run()
    assert [each.phase for each in moments[:4]] == ["learning"] * 3 + ["matching"]
    assert (summary.games, summary.positions) == (30, 300)
    assert summary.points == pytest.approx(3.5)
    assert summary.error == pytest.approx(0.5 / math.sqrt(summary.matched / 2 - 1))
    assert summary.line() == f"+3.500 ± {summary.error:.3f} points a game over what you had, {summary.matched:,} games"
    record = json.loads((tmp_path / "net").read_text())
    assert record["command"] == "zermelo train counting --games 30"
    assert record["games_played"] == 30
    assert "zermelo" in record


def test_a_training_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    def interrupt(moment: Moment) -> None:
        if moment.games == 20:
            raise KeyboardInterrupt

    first = training(tmp_path / "net", Settings(width=8), told=interrupt)
    with pytest.raises(KeyboardInterrupt):
        first.run()
    assert first.learning.closed  # type: ignore[attr-defined]
    assert first.summary().line().endswith("no match has been played yet")
    again = training(tmp_path / "net", Settings(games=40))
    assert again.settings == Settings(games=40, width=8)
    assert again.learning.games == 20
    assert again.run().games == 40
    with pytest.raises(OptionError, match="is over"):
        training(tmp_path / "net", Settings(games=40))
    assert training(tmp_path / "net", Settings(games=60)).run().games == 60


def test_a_training_that_was_killed_in_its_match_plays_the_match(tmp_path: Path) -> None:
    class Killed(BaseException):
        """As sudden as a kill: nothing is written any more."""

    def kill(moment: Moment) -> None:
        if moment.phase == "matching":
            raise Killed

    with pytest.raises(Killed):
        training(tmp_path / "net", told=kill).run()
    phases: list[str] = []
    summary = training(tmp_path / "net", told=lambda moment: phases.append(moment.phase)).run()
    assert set(phases) == {"matching"}
    assert summary.points == pytest.approx(3.5)


def test_a_training_from_a_file_is_matched_against_that_file_even_if_it_is_written_over(tmp_path: Path) -> None:
    out = tmp_path / "net"
    out.write_text(json.dumps({"games": 25}))
    assert training(out, start=out).run().points == pytest.approx(1.0)
    assert json.loads(out.read_text())["command"] == f"zermelo train counting --games 30 --from {out}"
    with pytest.raises(InputError, match="did not begin from"):
        training(out, Settings(games=60), start=tmp_path / "other")


def test_a_loss_that_is_no_number_ends_with_one_line_and_the_last_good_networks(tmp_path: Path) -> None:
    class Exploding(Counting):
        def step(self) -> None:
            super().step()
            if self.games > 20:
                self.loss = math.nan

    made = training(tmp_path / "net", run=Exploding)
    with pytest.raises(MethodError, match="not a number") as caught:
        made.run()
    assert "\n" not in str(caught.value)
    assert json.loads((tmp_path / "net").read_text())["games"] <= 20
    assert made.learning.closed  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"game": "counting", "settings": 3, "start": null}', '{"x": 1}'])
def test_a_state_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    training(tmp_path / "net").run()
    (tmp_path / "net.training" / "state.json").write_text(text)
    with pytest.raises(InputError, match="to begin anew"):
        training(tmp_path / "net")


def test_a_learner_that_is_none_is_refused(tmp_path: Path) -> None:
    training(tmp_path / "net").run()
    (tmp_path / "net.training" / "learner.safetensors").write_text("[1, ")
    with pytest.raises(InputError, match="to begin anew"):
        training(tmp_path / "net", Settings(games=60))


def test_a_full_disk_ends_with_one_line(tmp_path: Path) -> None:
    class Full(Counting):
        def write(self, path: Path, record: Mapping[str, Any]) -> None:
            if self.games > 10:
                raise OSError(28, "No space left on device")
            super().write(path, record)

    made = training(tmp_path / "net", run=Full)
    with pytest.raises(InputError, match="No space left on device"):
        made.run()
    assert json.loads((tmp_path / "net").read_text())["games"] == 10
    assert made.learning.closed  # type: ignore[attr-defined]


def test_the_last_sentence() -> None:
    summary = OwnSummary(Path("x"), -0.0304, 0.0132, 2000, 100, 1000, 60.0)
    assert summary.line() == "−0.030 ± 0.013 points a game over what you had, 2,000 games"
