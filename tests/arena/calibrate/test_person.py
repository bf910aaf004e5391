"""The ratings of people."""

from __future__ import annotations

import json
import random

import pytest
from tests.arena.calibrate.stones import Stones, rungs

from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.ladder import Ladder
from zermelo.arena.calibrate.person import LEAST_DEVIATION_ELO, RatedPerson, keep_person, read_person
from zermelo.arena.statistics import expected_score
from zermelo.errors import InputError


def test_a_rating_finds_the_strength_of_who_plays():
    made = Ladder("g", "", "", rungs(0, 200, 400, 600, 800, 1000))
    dice = random.Random(4)
    player = RatedPerson.newcomer(made)
    for _ in range(300):
        opponent = made.nearest(player.elo)
        score = float(dice.random() < expected_score(730 - opponent))
        player = player.after(opponent, made.deviation(opponent), score, 0)
    assert abs(player.elo - 730) < 130
    assert player.deviation == LEAST_DEVIATION_ELO


def test_later_games_move_a_rating_by_less():
    made = Ladder("g", "", "", rungs(0, 500, 1000))
    player, moved = RatedPerson.newcomer(made), []
    for score in (1.0, 0.0, 1.0, 0.0):
        after = player.after(player.elo, 0.0, score, 0)
        assert (after.elo > player.elo) == (score == 1)
        moved.append(abs(after.elo - player.elo))
        player = after
    assert moved == sorted(moved, reverse=True)
    assert player.after(player.elo, 0.0, 0.5, 0).elo == pytest.approx(player.elo)


def test_a_record_comes_back_as_it_was_kept():
    game = Stones()
    assert read_person(game) is None
    kept = RatedPerson(640.0, 120.0).after(600.0, 10.0, 1.0, 1)
    keep_person(game, kept)
    found = read_person(game)
    assert found is not None
    assert found.games == kept.games
    assert found.elo == pytest.approx(kept.elo, abs=0.1)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"elo": "good"},
        {"elo": None},
        {"deviation": 0},
        {"games": [{"date": "now"}]},
        {"games": 3},
        {"elo": float("inf")},
    ],
)
def test_a_damaged_record_is_an_error_and_stays_as_it_is(change):
    game = Stones()
    path = keep_person(game, RatedPerson(640.0, 120.0))
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    before = path.read_bytes()
    with pytest.raises(InputError, match="damaged"):
        read_person(game)
    assert path.read_bytes() == before


def test_a_record_that_cannot_be_written_leaves_the_old_one(monkeypatch):
    game = Stones()
    path = keep_person(game, RatedPerson(640.0, 120.0))
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(InputError, match="No space left"):
        keep_person(game, RatedPerson(700.0, 90.0))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_the_data_folder_is_the_users(monkeypatch, tmp_path):
    monkeypatch.delenv("ZERMELO_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for platform, place in {
        "linux": ".local/share/zermelo",
        "darwin": "Library/Application Support/zermelo",
    }.items():
        monkeypatch.setattr(files.sys, "platform", platform)
        assert files.data_folder() == tmp_path / place
    monkeypatch.setattr(files.sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "x"))
    assert files.data_folder() == tmp_path / "x" / "zermelo"
