"""Open cards: what a page may ask, and what it may not."""

from __future__ import annotations

import pytest

from tests.studio.conftest import Host, Refused
from tests.studio.views import begin, play

DEAL = "N:AK4.QT9.J87.6532 QJ9.AK4.QT9.J874 T87.J876.AK5.QT9 6532.532.6432.AK"
RULES = "bridge:strength=1"
POSITION = (
    f"{DEAL} 1NT-P-P-P D2DJ",
    "bridge:dealer=S",
)


def test_cards_are_opened_only_after_the_game(host: Host) -> None:
    with host.open() as page:
        begin(page, "bridge:claims=yes", "human", RULES, RULES, RULES, position=f"{DEAL} 7NT-X-P-P .")
        with pytest.raises(Refused, match="when the game is over"):
            page.ask("cards.adopt")
        play(page, "P")
        page.wait("play", lambda data: data["yours"] and any(each["notation"] == "claim-0" for each in data["legal"]))
        play(page, "claim-0")
        page.wait("play", lambda data: data["result"] is not None)
        page.ask("cards.adopt")
        data = page.wait("cards", lambda data: data["solved"] == data["of"])
        assert [each["notation"] for each in data["moves"]][::2] == ["P", "claim-0"]
        assert data["worths"] == []
        page.ask("cards.look", ply=2)
        worths = page.wait("cards", lambda data: data["ply"] == 2)["worths"]
        assert {each["says"] for each in worths if each["notation"] == "claim-0"} == {"0 tricks, 13 down"}


def test_every_card_has_its_worth_and_an_answer(host: Host) -> None:
    with host.open() as page:
        position, game = POSITION
        page.ask("cards.open", game=game, load=position)
        data = page.wait("cards", lambda data: data["known"])
        assert {"6 tricks, 1 down", "8 tricks, made with 1 over"} <= {each["says"] for each in data["worths"]}
        assert {each["notation"]: each["at"] for each in data["worths"]}["DQ"] == ["DQ"]
        worst = next(each["notation"] for each in data["worths"] if each["says"][0] == "8")
        page.ask("cards.whynot", move=worst)
        answer = page.wait("cards", lambda data: data["answer"])["answer"]
        assert answer["message"].startswith(f"{worst} leaves 8 tricks, made with 1 over; ")
        assert answer["steps"][0]["notation"] == worst


@pytest.mark.parametrize(
    ("verb", "given", "says"),
    [
        ("open", {"game": "chess", "load": "e4"}, "no solver that looks through"),
        ("open", {"game": "bridge", "load": "nonsense"}, None),
        ("open", {"game": "bridge", "load": ""}, "nothing to load"),
        ("look", {"ply": 10**9}, None),
        ("look", {"ply": "x"}, None),
        ("whynot", {"move": "SA"}, None),
        ("whynot", {}, None),
    ],
)
def test_what_is_no_card_or_game_is_refused(host: Host, verb: str, given: dict[str, object], says: str | None) -> None:
    with host.open() as page, pytest.raises(Refused, match=says):
        page.ask(f"cards.{verb}", **given)


def test_games_with_such_a_solver_are_offered(host: Host) -> None:
    with host.open() as page:
        assert [each["text"] for each in page.ask("cards.games")["games"]] == ["bridge"]
