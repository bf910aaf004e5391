"""A training is shown as its folder has it; whatever else a page names gives one line, and nothing of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.test_grid import random_grid
from tests.studio.conftest import Host, Page, Refused, hosting
from tests.studio.trainings import GAME, make_state, write_training
from zermelo.errors import InputError
from zermelo.studio.trainings import find_folder, read_training, show_course, show_values
from zermelo.train.folder import TrainingFolder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the studio was started."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drawn(page: Page, folder: str) -> Any:
    page.news.pop("training", None)
    page.ask("training.open", folder=folder)
    return page.wait("training", lambda data: not data["drawing"])


def test_trainings_in_this_folder_are_found_the_latest_first(page: Page, here: Path) -> None:
    assert page.ask("training.find")["trainings"] == []
    for name, when in (("old", 1_000), ("new", 2_000)):
        folder = write_training(here / f"{name}.training", network=False)
        os.utime(folder.state, (when, when))
    (here / "broken.training").mkdir()
    (here / "other").mkdir()
    found = page.ask("training.find")["trainings"]
    assert [each["folder"] for each in found] == ["new.training", "old.training", "broken.training"]
    assert [each["about"] for each in found[1:]] == [f"{GAME}, 4 generations, 406 games", "cannot be read"]


def test_trainings_beside_a_game_of_ones_own_are_found(host: Host, page: Page, own_game: Path, here: Path) -> None:
    folder = write_training(own_game.with_suffix(".training"), make_state(f"{own_game}:Countdown"), network=False)
    assert str(folder.path) in [each["folder"] for each in page.ask("training.find")["trainings"]]
    shown = drawn(page, str(folder.path))
    assert (shown["name"], shown["trouble"], len(shown["boards"])) == ("Countdown", "", 1)


def test_a_training_is_shown_with_its_generations_boards_and_likes(page: Page, here: Path) -> None:
    write_training(here / "small.training")
    shown = drawn(page, "small.training")
    assert (shown["error"], shown["trouble"], shown["over"]) == ("", "", False)
    assert (shown["kept"], shown["games"], shown["seconds"], shown["total"]) == (2, 406, 120, 600)
    assert [each["kept"] for each in shown["generations"]] == [True, True, False, None]
    elos = [each["elo"] for each in shown["generations"]]
    assert elos[3] is None
    assert elos[0][1] < elos[0][0] < elos[0][2]
    assert elos[1][0] > elos[0][0]
    assert shown["generations"][0]["test"]["points"] == 29
    assert shown["generations"][0]["test"]["llr"] > 0 > shown["generations"][2]["test"]["llr"]
    assert shown["boards"][0]["picture"].startswith("<svg")
    assert shown["values"][1] == [pytest.approx(0), pytest.approx(-0.05), pytest.approx(-0.1), None]
    assert [each["name"] for each in shown["network"]["maps"]] == ["what stands there", "mine", "theirs"]


def test_another_position_has_other_likes(page: Page, here: Path) -> None:
    write_training(here / "small.training")
    first = drawn(page, "small.training")
    page.ask("training.choose", position=1)
    second = page.wait("training", lambda data: data["position"] == 1 and not data["drawing"])
    assert second["network"] != first["network"]
    assert second["boards"] == first["boards"]
    page.ask("training.choose", position=60)
    assert page.wait("training", lambda data: data["position"] == 60 and not data["drawing"])["network"] is None
    with pytest.raises(Refused):
        page.ask("training.choose", position=-1)


def test_a_page_sees_what_has_changed(page: Page, here: Path) -> None:
    folder = write_training(here / "small.training", network=False)
    assert drawn(page, "small.training")["network"] is None
    assert page.ask("training.look")["age"] < 3600
    write_training(here / "small.training", make_state(generations=5, phase="over"))
    page.ask("training.look")
    shown = page.wait("training", lambda data: data["over"] and not data["drawing"])
    assert len(shown["generations"]) == 5
    assert shown["final"]["games"] == 32
    assert shown["network"] is not None
    folder.state.write_text('{"game": "half', encoding="utf-8")
    page.ask("training.look")
    shown = page.wait("training", lambda data: data["error"])
    assert "no training can be read" in shown["error"]
    assert len(shown["generations"]) == 5
    folder.save(make_state())
    page.ask("training.look")
    assert page.wait("training", lambda data: not data["error"])["games"] == 406


def test_a_training_of_earlier_days_has_its_positions_from_the_seed(page: Page, here: Path) -> None:
    write_training(here / "small.training")
    before = drawn(page, "small.training")["boards"]
    data = json.loads((here / "small.training" / "state.json").read_text())
    del data["line"], data["phase"]
    (here / "small.training" / "state.json").write_text(json.dumps(data))
    assert drawn(page, "small.training")["boards"] == before


def test_a_game_in_a_file_that_nobody_has_named_is_not_run(page: Page, here: Path) -> None:
    (here / "evil.py").write_text("raise SystemExit('it ran')", encoding="utf-8")
    write_training(here / "evil.training", make_state("evil.py:Evil"), network=False)
    shown = drawn(page, "evil.training")
    assert shown["trouble"] == "to see the boards, name the game to the studio: zermelo studio evil.py:Evil"
    assert len(shown["generations"]) == 4


@pytest.mark.parametrize(
    "game", ["nonsense", "breakthrough:columns=99", "othello:network=/etc/passwd", "", "x" * 5000, "<script>alert(1)"]
)
def test_the_course_of_a_game_that_cannot_be_loaded_is_shown(page: Page, here: Path, game: str) -> None:
    write_training(here / "odd.training", make_state(game), network=False)
    shown = drawn(page, "odd.training")
    assert len(shown["generations"]) == 4
    assert shown["trouble"] or game.startswith("othello")
    assert "\n" not in shown["trouble"]


@pytest.mark.parametrize("content", [b"", b"root:x:0:0:secret", b"\x00" * 100, b"9999999999999999"])
def test_a_network_that_is_none_takes_away_no_more_than_its_likes(page: Page, here: Path, content: bytes) -> None:
    folder = write_training(here / "odd.training")
    folder.best.write_bytes(content)
    shown = drawn(page, "odd.training")
    assert shown["trouble"] == "the network of odd.training cannot be read"
    assert len(shown["boards"]) > 2


def test_a_network_of_another_game_is_not_taken_apart(page: Page, here: Path) -> None:
    other = write_training(here / "other.training", make_state("hex:size=5"))
    folder = write_training(here / "small.training")
    folder.best.write_bytes(other.best.read_bytes())
    assert "another game" in drawn(page, "small.training")["trouble"]


def test_a_network_with_a_policy_shows_its_moves_in_place_of_inputs(page: Page, here: Path) -> None:
    folder = write_training(here / "hex.training", make_state("hex:size=5"))
    random_grid("hex:size=5", (5, 5), cellwise=True).write(folder.best)
    shown = drawn(page, "hex.training")
    assert shown["trouble"] == ""
    assert (shown["network"]["maps"], shown["network"]["inputs"]) == ([], [])
    policy = shown["network"]["policy"]
    assert len(policy["map"]["marks"]) == 25
    assert sum(share for _, _, share in policy["map"]["marks"]) == pytest.approx(1)
    shares = [each["share"] for each in policy["moves"]]
    assert shares == sorted(shares, reverse=True)


# What a page must not reach.


@pytest.mark.parametrize(
    "folder",
    ["/etc", "/etc/passwd", "", ".", "..", "~", "/", "x.training/../..", "\x00.training", "state.json", "a" * 900],
)
def test_only_folders_of_trainings_can_be_named(page: Page, here: Path, folder: str) -> None:
    with pytest.raises(Refused, match=r"ends in \.training|no training can be read"):
        page.ask("training.open", folder=folder)
    assert page.ask("training.look") == {"age": None}


@pytest.mark.parametrize("folder", [3, None, ["x.training"], "x" * 1001])
def test_what_is_no_text_is_refused(page: Page, folder: object) -> None:
    with pytest.raises(Refused, match="must be a text"):
        page.ask("training.open", folder=folder)


def test_a_link_to_another_folder_is_not_followed(page: Page, here: Path) -> None:
    write_training(here / "small.training", network=False).path.rename(here / "secret")
    (here / "link.training").symlink_to(here / "secret")
    with pytest.raises(Refused, match=r"ends in \.training"):
        page.ask("training.open", folder="link.training")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_in_the_place_of_the_state_keeps_nobody_waiting(page: Page, here: Path) -> None:
    (here / "pipe.training").mkdir()
    os.mkfifo(here / "pipe.training" / "state.json")
    with pytest.raises(Refused, match="no training can be read"):
        page.ask("training.open", folder="pipe.training")


def test_an_error_says_nothing_of_what_a_file_holds(page: Page, here: Path) -> None:
    (here / "secret.training").mkdir()
    for content in ('{"password": "hunter2"}', '{"generations": [{"password": 1}]}', "hunter2"):
        (here / "secret.training" / "state.json").write_text(content)
        with pytest.raises(Refused) as found:
            page.ask("training.open", folder="secret.training")
        assert "hunter2" not in str(found.value)
        assert "password" not in str(found.value)


# States that nobody has written so.


def state_with(**changes: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return {**asdict(make_state()), **changes}


@pytest.mark.parametrize(
    "data",
    [
        [],
        3,
        {},
        {"game": GAME},
        state_with(game=3),
        state_with(settings=[]),
        state_with(seconds="long"),
        state_with(seconds=-1),
        state_with(seconds=float("nan")),
        state_with(final_counts=[1, 2]),
        state_with(final_counts=[1, 2, 3, 4, -5]),
        state_with(final_counts=[True] * 5),
        state_with(generations={}),
        state_with(generations=[3]),
        state_with(generations=[{"number": 1}]),
        state_with(generations=[{"number": 0, "games": 10**30}]),
        state_with(generations=[{"number": 0, "kept": "yes"}]),
        state_with(generations=[{"number": 0, "loss": 10**400}]),
        state_with(generations=[{"number": 0, "loss": []}]),
        state_with(generations=[{"number": 0, "values": ["x"]}]),
        state_with(generations=[{"number": 0, "counts": None}]),
        state_with(line=["a"]),
        state_with(line=[1 << 70]),
        state_with(phase=None),
        state_with(more=1),
        state_with(generations=[{"number": i} for i in range(400)]),
    ],
)
def test_a_state_that_is_none_is_refused_in_one_line(tmp_path: Path, data: Any) -> None:
    folder = TrainingFolder(tmp_path / "odd.training")
    folder.write(folder.state, json.dumps(data))
    with pytest.raises(InputError) as found:
        read_training(folder)
    assert "\n" not in str(found.value)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_stands_in_a_state_is_shown_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    written: Any = json.loads(json.dumps(state_with()))
    target = data.draw(st.sampled_from([written, *written["generations"]]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(JUNK)
    folder = TrainingFolder(tmp_path / "odd.training")
    folder.write(folder.state, json.dumps(written))
    try:
        state = read_training(folder)
    except InputError:
        return
    json.dumps([show_course(state), show_values(state, 6)], allow_nan=False)


def test_half_of_a_state_is_refused(tmp_path: Path) -> None:
    folder = write_training(tmp_path / "half.training", network=False)
    whole = folder.state.read_bytes()
    for end in range(0, len(whole) - 3, 97):
        folder.state.write_bytes(whole[:end])
        with pytest.raises(InputError, match="no training can be read"):
            read_training(folder)


def test_a_typed_folder_may_begin_with_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_folder(" ~/x.training ").path == (tmp_path / "x.training").resolve()


def test_a_game_from_the_command_line_is_found_under_other_names(own_game: Path, here: Path) -> None:
    with hosting((f"{own_game}:Countdown",)) as host:
        catalogue = host.studio.sessions.make().catalogue
        for text in (f"{own_game.name}:Countdown", str(own_game), f"{own_game}:Countdown:network=x.safetensors"):
            assert catalogue.find(text, own_game.parent).name == "Countdown"
        assert catalogue.find(f"{own_game.name}:Countdown:stones=9", own_game.parent).initial().stones == 9
        with pytest.raises(InputError, match="name the game to the studio"):
            catalogue.find(f"{own_game.name}:Countdown", here)
