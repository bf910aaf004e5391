"""`zermelo analyse` and `zermelo trace` with Monte Carlo tree search."""

from __future__ import annotations

import re


def test_analyse_tells_visits(zermelo):
    found = zermelo.json("analyse", "tictactoe", "--algorithm", "mcts", "--simulations", "50")
    assert sum(found["visits"].values()) == 50
    assert found["method"] == "mcts+uct+solver"
    assert found["stopped"] == "simulations"
    said = zermelo("analyse", "tictactoe", "--algorithm", "mcts", "--simulations", "50").stdout
    assert "50 simulations" in said
    assert "×" in said
    assert "nothing yet" not in said


def test_people_are_told_three_decimals_and_the_most_visited_of_many_moves(zermelo):
    said = zermelo("analyse", "go:size=5", "--algorithm", "mcts", "--simulations", "600").stdout
    assert re.search(r"\(×[\d,]+\)\s+and\s+\d+\s+more\n", said)
    values = re.findall(r"≈\s+−?(\d\S*)", said)
    assert len(values) == 11
    assert all(len(value.partition(".")[2]) <= 3 for value in values)


def test_a_proof_by_simulation_claims_no_quickest_win(zermelo):
    position = ("--position", "oo./xx./...", "--algorithm", "mcts", "--simulations", "500")
    said = zermelo("analyse", "tictactoe", *position).stdout
    assert "x wins\n" in said


def test_hidden_information_needs_no_open_cards(zermelo):
    assert zermelo("analyse", "blind_tictactoe", "--algorithm", "mcts", "--simulations", "20").exit_code == 0
    assert zermelo("analyse", "blind_tictactoe", "--algorithm", "alphabeta").exit_code == 2


def test_trace_shows_simulations(zermelo):
    done = zermelo("trace", "tictactoe", "--algorithm", "mcts", "--simulations", "2")
    assert done.exit_code == 0
    assert "── simulation 2 ──" in done.stdout


def test_options_that_do_not_fit_are_refused(zermelo):
    for arguments in (
        ("analyse", "tictactoe", "--simulations", "5"),
        ("analyse", "tictactoe", "--algorithm", "mcts", "--depth", "5"),
        ("analyse", "tictactoe", "--algorithm", "mcts", "--order", "best"),
        ("analyse", "tictactoe", "--algorithm", "mcts", "--simulations", "0"),
        ("trace", "tictactoe", "--simulations", "5"),
    ):
        assert zermelo(*arguments).exit_code == 2, arguments
