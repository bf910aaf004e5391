"""`zermelo bench epd` solves what it can read, and names what it cannot."""

from __future__ import annotations

import json

GOOD = 'oo./xx./... bm c2; id "win";\n.../.x./... am b1; id "corner";\n'


def test_a_suite_is_solved_and_told_in_both_ways(zermelo, tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(GOOD)
    done = zermelo("bench", "epd", str(suite), "--game", "tictactoe", "--depth", "9")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith("win     c2       solved  depth   1  after ")
    assert done.stdout.splitlines()[-1] == "2 of 2 solved"
    told = json.loads(zermelo("bench", "epd", str(suite), "--game", "tictactoe", "--nodes", "99", "--json").stdout)
    assert (told["positions"], told["solved"], told["results"][0]["move"]) == (2, 2, "c2")


def test_bad_lines_are_named_and_the_others_solved(zermelo, tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_text(f"rubbish\n{GOOD}oo./xx./... bm z9;\n")
    done = zermelo("bench", "epd", str(suite), "--game", "tictactoe", "--depth", "2")
    assert done.exit_code == 1
    assert f"{suite}, line 1: " in done.stdout
    assert f"{suite}, line 4: 'z9' is not a legal action" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 of 2 solved; 2 lines make no sense"


def test_a_file_of_which_nothing_can_be_used_is_one_error(zermelo, tmp_path):
    suite = tmp_path / "suite.epd"
    suite.write_bytes(b"\xff\xfe")
    assert "cannot be read" in zermelo.fails("bench", "epd", str(suite))
    suite.write_text("rubbish\n")
    assert f"{suite}, line 1: " in zermelo.fails("bench", "epd", str(suite))
    suite.write_text("\n")
    assert "has no positions" in zermelo.fails("bench", "epd", str(suite))
    assert "there is no file" in zermelo.fails("bench", "epd", "/dev/zero")
