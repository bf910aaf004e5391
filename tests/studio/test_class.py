"""A class tournament: bots from files and folders, their games one by one, and what went wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import Host, Page, Refused, hosting
from tests.studio.tab import open_sheet, opened, picture, place, playwright, settle
from zermelo.errors import InputError
from zermelo.studio.bots import check_bots, find_bots

ACCESSIBLE = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8")
BOTS = {
    "ada": """
class Ada:
    def choose(self, game, state, history):
        return list(game.actions(state))[-1]
""",
    "bob": """
class Helper:
    pass

class Bob:
    def choose(self, game, state, history):
        return next(iter(game.actions(state)))
""",
    "eve": """
class Eve:
    def choose(self, game, state, history):
        return [][len(history)]
""",
    "_notes": "nothing to see",
    "test_ada": "assert False",
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    for name, text in BOTS.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def school(room: Path, own_game: Path) -> Iterator[Host]:
    with hosting((f"{own_game}:Countdown",), bots=(str(room),)) as found:
        yield found


def hold(page: Page, game: str, entrants: list[str], games: int = 2) -> dict[str, Any]:
    page.ask("arena.start", game=game, entrants=entrants, games=games)
    shown: dict[str, Any] = page.wait("arena", lambda news: not news["running"])
    assert shown["error"] == ""
    return shown


def test_a_folder_is_a_class_and_its_files_are_named_by_what_plays_in_them(room: Path) -> None:
    found = find_bots([str(room)])
    assert [bot.name for bot in found] == ["ada", "bob", "eve"]
    assert found[1].text == f"python:{room / 'bob.py'}:Bob"
    one = str(room / "ada.py")
    named = find_bots([one, f"python:{one}:Ada:memory=100"])
    assert [bot.name for bot in named] == ["ada", "ada (2)"]
    assert named[1].text == f"python:{one}:Ada:memory=100"


def test_a_bot_does_not_take_the_name_of_a_player_of_the_package(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text(BOTS["ada"], encoding="utf-8")
    assert find_bots([str(tmp_path)])[0].name == "random (2)"


@pytest.mark.parametrize("text", ["nobody.py:Bot", "nowhere", "rules.txt", ""])
def test_what_is_no_bot_is_refused_before_the_studio_opens(text: str) -> None:
    with pytest.raises(InputError, match="there is no bot"):
        check_bots([text])


def test_a_folder_without_bots_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no bots"):
        check_bots([str(tmp_path)])


def test_a_file_that_cannot_be_read_as_python_is_played_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "zoe.py").write_text("class Zoe\n", encoding="utf-8")
    assert find_bots([str(tmp_path)])[0].text == f"python:{tmp_path / 'zoe.py'}"
    with hosting(bots=(str(tmp_path),)) as host, host.open() as page:
        shown = hold(page, "nim", ["zoe", "random"])
        assert re.search(r"SyntaxError.*line 1", shown["report"]["faults"][0]["detail"])


def test_a_class_meets_and_each_failure_has_its_reason_with_the_line(school: Host, own_game: Path) -> None:
    with school.open() as page:
        shown = hold(page, f"{own_game}:Countdown", ["ada", "bob", "eve"])
        report = shown["report"]
        assert (report["played"], report["total"]) == (6, 6)
        assert sorted(row["name"] for row in report["rows"]) == ["ada", "bob", "eve"]
        (fault,) = report["faults"]
        assert (fault["name"], fault["what"], fault["count"]) == ("eve", "crashed", 4)
        assert re.search(r"IndexError: list index out of range, at .*eve\.py:4", fault["detail"])
        listed = page.ask("arena.games")
        assert listed["count"] == 6
        assert [each["number"] for each in listed["games"]] == [5, 4, 3, 2, 1, 0]
        between = page.ask("arena.games", entrants=["bob", "ada"])
        assert between["count"] == 2
        assert all(set(each["players"]) == {"ada", "bob"} for each in between["games"])


def test_every_game_is_replayed_and_written(school: Host, own_game: Path) -> None:
    game = f"{own_game}:Countdown"
    with school.open() as page:
        hold(page, game, ["ada", "bob"])
        shown = page.ask("arena.game", number=0)
        assert len(shown["moves"]) == shown["plies"] > 0
        boards = [page.ask("arena.position", number=0, ply=ply) for ply in range(shown["plies"] + 1)]
        assert len({board["text"] for board in boards}) == len(boards)
        one = page.ask("arena.write", number=0)
        assert one["content"].startswith("[")
        page.ask("play.load", game=game, text=one["content"], seats=["human", "human"])
        played = page.wait("play", lambda news: news["ply"] == shown["plies"])
        assert [each["notation"] for each in played["moves"]] == [each["notation"] for each in shown["moves"]]
        lines = page.ask("arena.write", format="jsonl")["content"].splitlines()
        assert [json.loads(line)["players"] for line in lines if line] != []
        assert len(lines) == 2
        for wrong in ({"number": 99}, {"number": 0, "ply": 10_000}, {"number": -1}, {"number": "x"}):
            with pytest.raises(Refused):
                page.ask("arena.position", **{"ply": 0, **wrong})
        with pytest.raises(Refused):
            page.ask("arena.write", format="../../etc/passwd")


def test_only_bots_of_the_command_line_play(school: Host, room: Path) -> None:
    with school.open() as page:
        for text in (f"python:{room / '_notes.py'}", f"python:{room / 'ada.py'}:Other", "python:/etc/passwd.py"):
            with pytest.raises(Refused, match="does not play in the studio"):
                page.ask("arena.start", game="nim", entrants=[text, "random"])
        with pytest.raises(Refused, match="no game has been played"):
            page.ask("arena.games")


def test_a_class_tournament_in_the_browser(browser: Any, school: Host) -> None:
    with opened(browser, school, "arena", viewport={"width": 1440, "height": 900}) as page:
        players = page.get_by_label("Players, one a line")
        playwright.expect(players).to_have_value("ada\nbob\neve")
        page.get_by_label("Games per pairing").fill("2")
        page.get_by_role("button", name="Start").click()
        playwright.expect(page.locator(".status")).to_have_text("The tournament is over.")
        playwright.expect(page.locator(".faults li")).to_contain_text("eve crashed in 4 games")
        playwright.expect(page.locator(".game-rows tbody tr")).to_have_count(6)
        page.get_by_title("The games of ada and bob").click()
        playwright.expect(page.locator(".game-rows tbody tr")).to_have_count(2)
        page.locator(".game-rows").get_by_role("button").first.click()
        replay = page.get_by_role("region", name="A game")
        playwright.expect(replay.locator("h2")).to_contain_text("Game ")
        playwright.expect(replay.locator("h2")).to_be_focused()
        last = replay.locator("pre").last.text_content()
        page.keyboard.press("ArrowLeft")
        playwright.expect(replay.locator("pre").last).not_to_have_text(last)
        with page.expect_download() as download:
            replay.get_by_role("button", name="Download").click()
        assert Path(download.value.path()).read_text(encoding="utf-8").startswith("[")
        assert page.evaluate(ACCESSIBLE) == []
        picture(page, "class")
        moves = replay.locator(".moves li").count()
        replay.get_by_role("button", name="Open in Play").click()
        playwright.expect(page.locator(".view-play .moves li")).to_have_count(moves)


def test_one_plays_against_ones_own_bot_and_hears_of_its_crash(browser: Any, school: Host, room: Path) -> None:
    with opened(browser, school, "play") as page:
        sheet = open_sheet(page)
        sheet.locator('.tile[data-game="tictactoe"]').click()
        settle(page)
        sheet.get_by_label("Opponent").select_option(label="Your bot eve")
        sheet.get_by_role("button", name="Start game").click()
        playwright.expect(sheet).to_be_hidden()
        settle(page)
        playwright.expect(page.locator(".players.above")).to_contain_text("eve")
        place(page, "b2").click()
        playwright.expect(page.locator(".ending")).to_contain_text("eve.py:4")
