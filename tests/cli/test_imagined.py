"""`zermelo analyse` and `zermelo trace` of hidden cards by imagined worlds."""

from __future__ import annotations

from pathlib import Path

WHIST = f"{Path(__file__).resolve().parents[2] / 'examples' / 'whist.py'}:Whist"
DEAL = ("--moves", "♣A ♣K ♣J ♦K ♦A ♣Q ♦J ♦Q")


def test_worlds_can_be_watched(zermelo, tmp_path):
    page = tmp_path / "pimc.html"
    done = zermelo("trace", WHIST, *DEAL, "--algorithm", "pimc", "--worlds", "2", "--html", page)
    assert done.exit_code == 0
    assert "── world 2: North ♣A ♦A; East " in done.stdout
    assert "votes ♣A 2, ♦A 2" in done.stdout
    assert "World 2" in page.read_text(encoding="utf-8")
    fronts = zermelo("trace", WHIST, *DEAL, "--algorithm", "alphamu", "--worlds", "2", "--own-moves", "1").stdout
    assert "front (2, 2)" in fronts


def test_analyse_says_how_many_worlds_there_were(zermelo):
    said = zermelo("analyse", WHIST, *DEAL, "--algorithm", "pimc", "--worlds", "4").stdout
    assert "4 worlds" in said
    assert "2 for North (not proved)" in said
    found = zermelo.json("analyse", WHIST, *DEAL, "--algorithm", "alphamu", "--worlds", "4")
    assert found["values"] == [2.0, -2.0, 2.0, -2.0]


def test_teams_win_together(zermelo):
    said = zermelo("analyse", WHIST, *DEAL, "--revealed").stdout
    assert "North and South win in 8 plies" in said


def test_what_does_not_fit_is_refused_in_one_line(zermelo):
    for arguments, told in (
        (("analyse", WHIST, *DEAL), "`--algorithm pimc` looks only at what a player sees"),
        (("analyse", WHIST, "--algorithm", "pimc"), "chance moves in"),
        (("analyse", "nim", "--algorithm", "pimc"), "hides nothing"),
        (("analyse", "nim", "--worlds", "4"), "--worlds is for searches of worlds: add --algorithm pimc"),
        (("analyse", WHIST, *DEAL, "--algorithm", "pimc", "--choose", "luck"), "choose must be mean or vote"),
        (("analyse", WHIST, *DEAL, "--algorithm", "pimc", "--nodes", "9"), "no option"),
        (("equilibrium", WHIST), "is played by teams"),
    ):
        done = zermelo(*arguments)
        assert done.exit_code == 2, arguments
        assert told in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
