"""How people count a game of Go: dead groups taken off, whole, and put back."""

from __future__ import annotations

import pytest

import zermelo as z
from zermelo.games.go.sgf import write_result

ROWS = "........./........./XXXXXXXXX/........./...O...../OOOOOOOOO/...X...../........./........."


def ended(options: str = "", rows: str = ROWS, prisoners: str = "0 0"):
    game = z.load(f"go:size=9{options}")
    state = game.result(game.read(f"{rows} b - 1 {prisoners}"), 81)
    assert game.is_terminal(state)
    return game, state


def test_a_lost_stone_is_taken_off_and_both_sides_are_counted() -> None:
    game, state = ended()
    found = game.count_end(state)
    assert found.dead == {"D3"}
    assert found.said == "black has 27, white 37 and 7.5 of komi: white wins by 17.5"
    assert found.utilities == (-1.0, 1.0)
    assert {name for name, p in found.owners.items() if p == 0} == {f"{c}{row}" for c in "ABCDEFGHJ" for row in (8, 9)}
    assert {name for name, p in found.owners.items() if p == 1} == {
        f"{c}{row}" for c in "ABCDEFGHJ" for row in (1, 2, 3)
    }


def test_what_is_turned_twice_is_as_it_was() -> None:
    game, state = ended()
    first = game.count_end(state)
    alive = game.count_end(state, first.dead, "D3")
    assert alive.dead == frozenset()
    assert alive.said == "black has 28, white 10 and 7.5 of komi: black wins by 10.5"
    assert game.count_end(state, alive.dead, "D3") == first


def test_groups_are_dead_or_alive_as_a_whole() -> None:
    game, state = ended()
    found = game.count_end(state, (), "A4")
    assert found.dead == {"D5"} | {f"{column}4" for column in "ABCDEFGHJ"}
    assert game.count_end(state, ["D5"]).dead == found.dead


def test_prisoners_and_the_dead_count_where_territory_does() -> None:
    game, state = ended(",scoring=territory,komi=6.5", prisoners="2 5")
    assert game.count_end(state).said == "black has 20, white 33 and 6.5 of komi: white wins by 19.5"


def test_nobody_is_ahead_on_an_empty_board_without_komi() -> None:
    game, state = ended(",komi=0", "/".join(["........."] * 9))
    assert game.count_end(state).said == "black has 0, white 0: nobody is ahead"
    assert game.count_end(state).utilities == (0.0, 0.0)


@pytest.mark.parametrize("turned", ["", "pass", "E9", "Z1", "D99", "dead"])
def test_what_is_no_stone_turns_nothing(turned: str) -> None:
    game, state = ended()
    assert game.count_end(state, {"D3", "nonsense", "pass"}, turned) == game.count_end(state)


def test_a_file_says_no_number_that_the_players_did_not_count() -> None:
    game, state = ended()
    assert write_result(game, state, (1.0, -1.0)) == "B+10.5"
    assert write_result(game, state, (-1.0, 1.0)) == "W+"
