"""`zermelo equilibrium`, for people and for programs."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

RED_BLUE = "30 -10 20; -10 20 -20"
MORRA = "0 2 -3 0; -2 0 0 3; 3 0 0 -4; 0 -3 4 0"


def test_a_matrix_has_its_value_both_strategies_and_both_programs(zermelo):
    found = zermelo.json("equilibrium", RED_BLUE)
    assert found["value"] == pytest.approx(20 / 7)
    assert found["row"] == pytest.approx([4 / 7, 3 / 7])
    assert found["column"] == pytest.approx([0, 4 / 7, 3 / 7])
    assert found["primal"]["value"] == pytest.approx(found["dual"]["value"])
    assert found["primal"]["constraints"][0] == "30 y1 − 10 y2 ≥ t"


def test_exact_answers_are_fractions(zermelo):
    found = zermelo.json("equilibrium", RED_BLUE, "--exact")
    assert (found["value"], found["row"], found["column"]) == ("20/7", ["4/7", "3/7"], ["0", "4/7", "3/7"])
    assert found["primal"]["value"] == found["dual"]["value"] == "20/7"
    assert found["gap"] == "0"


def test_people_see_table_bars_programs_and_second_thoughts(zermelo):
    said = zermelo("equilibrium", RED_BLUE, "--exact").output
    for words in ("value 20/7 to row (2.85714)", "4/7  █", "minimise w", "primal = dual", "1 A → 1 B → 2 B → 2 C"):
        assert words in said


def test_a_matrix_may_begin_with_a_minus(zermelo):
    assert zermelo.json("equilibrium", "-1 2; 3 -4")["value"] == pytest.approx(0.2)


def test_all_optimal_strategies_of_a_matrix(zermelo):
    found = zermelo.json("equilibrium", MORRA, "--all")
    assert found["rows"] == [["0", "3/5", "2/5", "0"], ["0", "4/7", "3/7", "0"]]
    assert "2 extreme optimal strategies" in zermelo("equilibrium", MORRA, "--all").output


def test_all_equilibria_of_a_game_by_name(zermelo):
    found = zermelo.json("equilibrium", "battle-of-the-sexes", "--all")
    assert [one["payoffs"] for one in found["equilibria"]] == [["2", "1"], ["2/3", "2/3"], ["1", "2"]]
    assert len(found["components"]) == 3
    assert "3 extreme equilibria, 2 of them pure" in zermelo("equilibrium", "battle-of-the-sexes", "--all").output


def test_degenerate_games_show_their_continua(zermelo):
    assert "{1 2 3 4}" in zermelo("equilibrium", "3,3 1,3; 3,1 1,1", "--all").output


def test_dominated_actions_are_struck_out_step_by_step(zermelo):
    asked = ("equilibrium", "1,1 4,0; 0,4 3,3", "--costs", "--dominance")
    assert "1. row: 1, by 2" in zermelo(*asked).output
    assert zermelo.json(*asked)["eliminated"] == [["row", "1", "2"], ["column", "A", "B"]]
    assert "no action is strictly dominated" in zermelo("equilibrium", "chicken", "--dominance").output


@pytest.mark.parametrize(
    ("method", "key"),
    [
        ("highs", "value"),
        ("simplex", "value"),
        ("lemke-howson", "strategies"),
        ("logit", "strategies"),
        ("vertices", "equilibria"),
        ("supports", "equilibria"),
        ("replicator", "regrets"),
        ("fictitious-play", "regrets"),
        ("regret-matching", "regrets"),
        ("correlated", "draws"),
        ("coarse", "draws"),
        ("stackelberg", "reply"),
    ],
)
def test_every_method_answers_people_and_programs(zermelo, method, key):
    assert key in zermelo.json("equilibrium", RED_BLUE, "--method", method)
    assert zermelo("equilibrium", RED_BLUE, "--method", method).exit_code == 0


def test_files_are_read_and_written(zermelo, tmp_path):
    path = tmp_path / "game.nfg"
    zermelo("equilibrium", "chicken", "--save", str(path))
    assert zermelo.json("equilibrium", str(path), "--all")["actions"] == [["dare", "swerve"]] * 2
    svg = tmp_path / "game.svg"
    assert zermelo("equilibrium", str(path), "--svg", str(svg)).output.endswith(f"\nwritten: {svg}\n")
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["1 2; 3"], "ragged"),
        (["1 nan; 3 4"], "not a number"),
        (["no-such-game"], "no game is called"),
        (["none.nfg"], "there is no file"),
        (["none.efg"], "there is no file none.efg"),
        (["1 2; 3 4", "--method", "magic"], "stackelberg, and for a game with a tree backward"),
        (["1 2; 3 4", "--method", "replicator", "--exact"], "floating point"),
        (["1 2; 3 4", "--method", "correlated", "--all"], "not all"),
        (["chicken", "--method", "simplex"], "not zero-sum"),
        (["chicken", "--costs"], "--costs"),
        (["1 2 3 0; 3 2 1 1; 1 1 2 2; 0 3 1 2", "--svg", "x.svg"], "no picture"),
        (["tictactoe:m=1,n=1,k=1", "--nonsense"], "nonsense"),
    ],
)
def test_bad_questions_are_one_line_and_exit_code_2(zermelo, arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in zermelo.fails("equilibrium", *arguments)


def test_kuhn_is_solved_exactly_and_by_regret(zermelo):
    assert zermelo.json("equilibrium", "kuhn", "--exact")["values"] == ["-1/18", "1/18"]
    found = zermelo.json("equilibrium", "kuhn", "--method", "cfr+", "--iterations", "500")
    assert (found["method"], found["iterations"], found["information_sets"]) == ("cfr+", 500, 12)
    assert found["value"] == pytest.approx(-1 / 18, abs=0.01)
    assert "exploitability" in zermelo("equilibrium", "kuhn").output


def test_rounds_of_simultaneous_choices_are_a_tree_and_one_round_is_a_table(zermelo):
    assert zermelo.json("equilibrium", "goofspiel:cards=2")["method"] == "sequence"
    assert zermelo.json("equilibrium", "rock-paper-scissors")["method"] == "simplex"


def test_one_equilibrium_is_said_to_be_pure_or_mixed(zermelo):
    assert "\n1 extreme equilibrium, pure\n" in zermelo("equilibrium", "3,3 0,5; 5,0 1,1", "--all").output


def test_a_tree_is_saved_and_read_again(zermelo, tmp_path):
    file = tmp_path / "kuhn.efg"
    zermelo.json("equilibrium", "kuhn", "--save", str(file))
    assert zermelo.json("equilibrium", str(file), "--exact")["value"] == "-1/18"


def test_a_table_is_saved_as_a_tree_and_a_tree_as_a_table(zermelo, tmp_path):
    tree, table = tmp_path / "game.EFG", tmp_path / "game.nfg"
    zermelo("equilibrium", "2,1 0,0; 0,0 1/3,2", "--save", str(tree))
    assert tree.read_text(encoding="utf-8").startswith("EFG 2 R")
    found = zermelo.json("equilibrium", str(tree), "--exact")
    assert (found["method"], found["exploitability"], found["information_sets"]) == ("lemke", "0", 2)
    zermelo("equilibrium", str(tree), "--save", str(table))
    assert table.read_text(encoding="utf-8").startswith("NFG 1 R")
    assert len(zermelo.json("equilibrium", str(table), "--all")["equilibria"]) == 3
    plain = tmp_path / "kuhn.txt"
    zermelo("equilibrium", "kuhn", "--save", str(plain))
    assert plain.read_text(encoding="utf-8").startswith("EFG 2 R")


def test_equilibria_that_are_not_isolated_are_told_beside_those_that_are(zermelo, tmp_path):
    file = tmp_path / "three.nfg"
    payoffs = "2 1 1 0 0 0 0 0 1 1 2 0 2 1 0 0 0 0 0 0 0 1 2 0"
    file.write_text(f'NFG 1 R "" {{ "Ann" "Bob" "Cleo" }} {{ 2 2 2 }} {payoffs}', encoding="utf-8")
    shown = zermelo("equilibrium", str(file), "--all").output
    assert "the list may be incomplete" in shown
    assert "\n    Ann: 2; Bob: 2; Cleo: 1+2; one is Ann: 2 1; Bob: 2 1; Cleo: 1 " in shown
    data = zermelo.json("equilibrium", str(file), "--all")
    assert not data["complete"]
    assert [each["supports"] for each in data["continua"]] == [[[1], [1], [0, 1]]]
    assert zermelo.json("equilibrium", "chicken", "--all")["complete"]
    paths = zermelo("equilibrium", "chicken", "--all", "--method", "lemke-howson").output
    assert paths.endswith("the list may be incomplete\n")


def test_names_beyond_ascii_come_back_from_a_file(zermelo, tmp_path):
    file = tmp_path / "leduc.efg"
    zermelo("equilibrium", "leduc:ranks=2", "--save", str(file))
    assert file.read_text(encoding="utf-8").isascii()
    rows = zermelo.json("equilibrium", str(file), "--method", "cfr", "--iterations", "2")["strategy"]
    assert any("♠" in row["information_set"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["leduc", "--save", "leduc.nfg"], "strategies: take its tree, by solve_extensive or as an .efg file"),
        (["kuhn", "--save", "nowhere/kuhn.efg"], "nowhere"),
        (["kuhn", "--method", "cfr", "--exact"], "leave out exact"),
        (["kuhn", "--method", "backward"], "hides information"),
        (["1 2; 3 4", "--method", "cfr"], "games with a tree"),
        (["1 2; 3 4", "--iterations", "3"], "games with a tree"),
        (["kuhn", "--method", "sequence", "--iterations", "3"], "that is for cfr"),
        (["kuhn", "--method", "cfr", "--iterations", "-3"], "iterations must be"),
    ],
)
def test_bad_questions_about_trees_are_one_line_and_exit_code_2(zermelo, arguments, words):
    assert words in zermelo.fails("equilibrium", *arguments)


def test_ranges_are_solved_to_a_share_of_the_pot_and_printed_by_class(zermelo):
    game = "holdem:board=Ks7h2d5c9s,first=(AA,KQs),second=99-77,bets=100,raises=1"
    found = zermelo.json("equilibrium", game, "--exploitability", "1%")
    assert found["exploitability"] <= 1.0
    assert found["hands"] == [9, 12]
    assert {row["hand"] for row in found["strategy"] if row["player"] == 0} == {"AA", "KQs"}
    text = zermelo("equilibrium", game, "--exploitability", "1%").output
    assert "9 against 12 hands" in text
    assert "% of the pot" in text
    small = zermelo.json("equilibrium", "one-card:ranks=3,stack=1,bets=(),raises=1", "--exact")
    assert small["value"] == "-1/18"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["holdem:board=Ks7h"], "five cards on the river"),
        (["holdem:board=KsKs2d5c9s"], "twice"),
        (["holdem:first=Zz"], "not a hand"),
        (["holdem:first=AA:-1"], "weight"),
        (["holdem:bets=500"], "above the stack"),
        (["holdem:first=AhAd,second=AhAd"], "share cards"),
        (["holdem", "--exploitability", "x"], "share of the pot"),
        (["holdem", "--exploitability", "-1%"], "share of the pot"),
        (["kuhn", "--exploitability", "1%"], "declares no pot"),
    ],
)
def test_bad_ranges_are_one_line_and_exit_code_2(zermelo, arguments, words):
    assert words in zermelo.fails("equilibrium", *arguments)


def test_what_dominance_leaves_of_a_general_sum_game_is_not_called_zero_sum(zermelo):
    said = zermelo("equilibrium", "prisoners-dilemma", "--dominance").stdout
    assert "payoffs: Ann -3, Bob -3" in said
    assert "-3, -3" in said
    assert "minimise" not in said
    assert "saddle" not in said


def test_costs_are_one_number_in_value_and_programs(zermelo):
    said = zermelo("equilibrium", "3 1; 2 4", "--costs").stdout
    assert "value 2.5 to row" in said
    assert said.count("optimum 2.5") == 2
    assert "row: minimise t" in said
    assert "3 y1 + 2 y2 ≤ t" in said


def test_a_game_that_begins_without_actions_is_an_error_of_one_line(zermelo, tmp_path):
    rules = """
import zermelo


class Stuck(zermelo.Game):
    def initial(self):
        return 0

    def player(self, s):
        return 0

    def actions(self, s):
        return []

    def is_terminal(self, s):
        return False
"""
    (tmp_path / "stuck.py").write_text(rules)
    said = zermelo.fails("equilibrium", f"{tmp_path / 'stuck.py'}:Stuck")
    assert "Stuck offers no action in 0, which is not terminal" in said
