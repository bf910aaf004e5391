"""`zermelo solve --strongly`: a whole game solved, kept and played from."""

from __future__ import annotations

import pytest


def test_a_game_is_solved_with_all_its_positions(zermelo):
    found = zermelo.json("solve", "tictactoe", "--strongly")
    assert (found["value"], found["exact"], found["distance"]) == (0.0, True, None)
    assert [found[name] for name in ("states", "wins", "draws", "losses", "ends")] == [5478, 2836, 1052, 632, 958]
    assert found["action"] == found["line"][0]


def test_people_read_how_many_positions_are_won(zermelo):
    text = zermelo("solve", "hexapawn", "--strongly").output
    assert "wins in 6 plies" in text
    assert "135 positions" in text
    assert "55 won, 0 drawn, 15 lost for the player to move; 65 ends" in text


def test_it_begins_where_it_is_told_to(zermelo):
    found = zermelo.json("solve", "tictactoe", "--position", "oo./xx./...", "--strongly", "--threads", "2")
    assert (found["value"], found["distance"], found["line"]) == (1.0, 1, ["c2"])


def test_a_solution_that_is_saved_can_be_played_from(zermelo, tmp_path):
    path = str(tmp_path / "hexapawn.solution")
    assert zermelo.json("solve", "hexapawn", "--strongly", "--save", path)["file"] == path
    done = zermelo("play", "hexapawn", "--players", f"random:seed=1,solution:{path}")
    assert done.exit_code == 0, done.output
    done = zermelo("play", "nim", "--players", f"solution:{path},random")
    assert done.exit_code == 2
    assert "is a solution of Hexapawn" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--save", "x"], "--save goes with --strongly"),
        (["--strongly", "--depth", "3"], "--depth limits a search"),
        (["--strongly", "--save", "nowhere/x"], "there is no folder"),
    ],
)
def test_options_that_do_not_go_together(zermelo, arguments, says):
    assert says in zermelo.fails("solve", "hexapawn", *arguments)


def test_what_does_not_fit_is_refused_with_its_size(zermelo):
    says = zermelo.fails("solve", "connect4", "--strongly", "--memory", "1", code=1)
    assert "positions found" in says
