"""Each command, for people and for programs."""

from __future__ import annotations

import json
import re

import pytest

from zermelo.games import load
from zermelo.play.words import say_points

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"


def test_games_lists_every_game_with_its_options(zermelo):
    found = {game["name"]: game for game in zermelo.json("games")["games"]}
    assert found["connect4"]["options"] == {"columns": 7, "rows": 6}
    assert found["blind-tictactoe"]["hidden"]
    assert found["pig"]["chance"]
    assert found["kingmaker"]["players"] == 3
    assert "connect4:columns=7,rows=6" in zermelo("games").output


def test_analyse_gives_the_best_move_in_the_games_notation(zermelo):
    found = zermelo.json("analyse", "tictactoe", "--position", "oo./xx./...", "--depth", "3")
    assert found["action"] == "c2"
    assert found["line"] == ["c2"]
    assert (found["value"], found["exact"]) == (1.0, True)
    wanted = "value values action line depth nodes leaves cutoffs seconds exact bounds method stopped actions"
    assert set(wanted.split()) <= set(found)


def test_analyse_says_what_is_proved_and_no_more(zermelo):
    assert "x wins in 1 ply" in zermelo("analyse", "tictactoe", "--position", "oo./xx./...").output
    assert "undecided" in zermelo("analyse", "tictactoe", "--depth", "2").output
    assert "wins" not in zermelo("analyse", "connect4", "--depth", "2").output


@pytest.mark.parametrize("algorithm", ["minimax", "negamax", "alphabeta", "pvs", "mtdf", "h-minimax", "search"])
def test_every_algorithm_finds_the_value_of_the_lectures_tree(zermelo, algorithm):
    found = zermelo.json("analyse", TREE, "--algorithm", algorithm)
    assert (found["value"], found["action"]) == (3.0, "a1")


def test_techniques_reach_the_search(zermelo):
    techniques = ["--order", "killers,history", "--table", "--null-move", "--deepen", "--quick"]
    method = zermelo.json("analyse", "connect4", "--algorithm", "alphabeta", "--depth", "3", *techniques)["method"]
    assert method == "alphabeta+deepen+quick+order(killers,history)+table+null_move"
    assert "table" not in zermelo.json("analyse", "connect4", "--depth", "2", "--no-table")["method"]


def test_moves_and_a_position_combine(zermelo):
    found = zermelo.json("analyse", "tictactoe", "--position", "oo./xx./...", "--moves", "a1 b1", "--depth", "2")
    assert found["position"] == "oo./xx./xo."


def test_moves_may_be_rolls_of_the_dice(zermelo):
    assert zermelo.json("analyse", "pig", "--moves", "roll 4 hold", "--depth", "1")["position"].startswith("(0,4")


def test_a_chance_node_has_no_action(zermelo):
    assert zermelo.json("analyse", "pig", "--moves", "roll", "--depth", "2")["action"] is None
    assert "chance moves here" in zermelo("analyse", "pig", "--moves", "roll", "--depth", "2").output


def test_the_end_of_a_game_can_be_analysed(zermelo):
    done = zermelo("analyse", "tictactoe", "--position", "xxx/oo./...")
    assert done.exit_code == 0
    assert "the game is over: x wins" in done.output


def test_hidden_information_is_searched_only_when_revealed(zermelo):
    assert "--revealed" in zermelo.fails("analyse", "blind-tictactoe", "--depth", "1")
    assert zermelo.json("analyse", "blind-tictactoe", "--depth", "1", "--revealed")["action"]


def test_infinite_bounds_are_texts(zermelo, tmp_path):
    path = tmp_path / "course.py"
    path.write_text(
        "class Game:\n"
        "    initial = 3\n"
        "    def actions(self, s): return [1, 2]\n"
        "    def result(self, s, a): return max(0, s - a)\n"
        "    def utility(self, s, p): return 1 if p == 'A' else -1\n"
        "    def terminal_test(self, s): return s == 0\n"
        "    def to_move(self, s): return 'A' if s % 2 else 'B'\n"
    )
    found = zermelo.json("analyse", f"{path}:Game", "--nodes", "1")
    assert found["bounds"] == ["-inf", "inf"]


def test_an_ablation_compares_every_technique(zermelo):
    rows = zermelo.json("analyse", "connect4", "--depth", "4", "--ablate")["rows"]
    by_name = {row["technique"]: row for row in rows}
    assert by_name["minimax"]["nodes"] == sum(7**d for d in range(5))
    assert by_name["alphabeta"]["ratio"] == 1.0
    assert {"pvs", "+ table", "+ order by killers", "all of these", "all but the table"} <= set(by_name)
    assert by_name["+ null move"]["risky"]
    assert all(row["agrees"] for row in rows if not row["risky"])
    assert "risky" in zermelo("analyse", "connect4", "--depth", "3", "--ablate").output


@pytest.mark.parametrize("game", ["kingmaker", "race", "hexapawn"])
def test_an_ablation_fits_the_kind_of_game(zermelo, game):
    assert zermelo.json("analyse", game, "--depth", "3", "--ablate")["rows"]


def test_an_ablation_needs_a_depth_and_nothing_else(zermelo):
    assert "--depth" in zermelo.fails("analyse", "connect4", "--ablate")
    assert "leave out --order" in zermelo.fails("analyse", "nim", "--depth", "3", "--ablate", "--order", "best")
    assert zermelo.json("analyse", TREE, "--ablate")["rows"]


def test_trace_prints_the_run_of_the_lecture(zermelo):
    out = zermelo("trace", TREE, "--algorithm", "alphabeta").output
    assert "skips c2 (4), c3 (6)" in out
    found = zermelo.json("trace", TREE, "--algorithm", "alphabeta")
    counts = [found[name] for name in ("value", "action", "nodes", "leaves", "cutoffs")]
    assert counts == [3.0, "a1", 11, 7, 1]
    assert found["events"][0]["alpha"] == "-inf"
    assert found["events"][-1]["event"] == "result"


def test_trace_writes_what_is_asked_for(zermelo, tmp_path):
    page, drawing, kept = tmp_path / "run.html", tmp_path / "run.svg", tmp_path / "run.jsonl"
    done = zermelo("trace", TREE, "--html", str(page), "--svg", str(drawing), "--save", str(kept))
    assert done.exit_code == 0, done.output
    assert "<svg" in drawing.read_text(encoding="utf-8")
    assert "<html" in page.read_text(encoding="utf-8").lower()
    assert json.loads(kept.read_text(encoding="utf-8").splitlines()[0])["trace"] == 1


def test_trace_keeps_at_most_the_limit(zermelo):
    found = zermelo.json("trace", "tictactoe", "--depth", "3", "--limit", "10")
    assert found["truncated"]
    assert len(found["events"]) == 11  # the result is always kept


def test_trace_diff_tells_equal_from_different(zermelo, tmp_path):
    files = {}
    for name, algorithm in (("a", "alphabeta"), ("same", "alphabeta"), ("b", "minimax")):
        files[name] = str(tmp_path / f"{name}.jsonl")
        assert zermelo("trace", TREE, "--algorithm", algorithm, "--save", files[name]).exit_code == 0
    done = zermelo("trace", "diff", files["a"], files["same"])
    assert (done.exit_code, "agree" in done.output) == (0, True)
    done = zermelo("trace", "diff", files["a"], files["b"])
    assert (done.exit_code, "part ways" in done.output) == (1, True)
    assert zermelo.json("trace", "diff", files["a"], files["same"]) == {"equal": True}
    assert zermelo.json("trace", "diff", files["a"], files["b"], code=1)["equal"] is False


def test_trace_diff_of_what_is_no_trace_is_bad_input(zermelo, tmp_path):
    (tmp_path / "bad.jsonl").write_text("hello\n")
    bad = str(tmp_path / "bad.jsonl")
    assert "not JSON" in zermelo.fails("trace", "diff", bad, bad)
    assert "cannot be read" in zermelo.fails("trace", "diff", "missing.jsonl", bad)
    assert "Missing argument" in zermelo.fails("trace", "diff", bad)


def test_solve_proves_the_value(zermelo):
    found = zermelo.json("solve", "tictactoe")
    assert (found["value"], found["exact"]) == (0.0, True)
    assert {"action", "line", "nodes", "seconds"} <= set(found)
    assert "a draw with best play" in zermelo("solve", "tictactoe").output
    assert zermelo.json("solve", "nim:heaps=1/2/3")["value"] == -1.0


def test_a_proof_not_reached_exits_1(zermelo):
    assert "not solved" in zermelo.fails("solve", "connect4", "--nodes", "50", code=1)
    done = zermelo("solve", "connect4", "--depth", "2", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["exact"] is False


def test_too_few_players_are_refused_before_the_game_begins(zermelo):
    assert "for 2 players, not 1" in zermelo.fails("play", "tictactoe", "--players", "search")


def test_perft_counts_positions(zermelo):
    found = zermelo.json("perft", "tictactoe", "3")
    assert (found["nodes"], found["compiled"]) == (504, True)
    divided = zermelo.json("perft", "connect4", "3", "--divide")["divide"]
    assert divided == {str(column): 49 for column in range(1, 8)}
    assert "504 positions at depth 3" in zermelo("perft", "tictactoe", "3").output
    assert zermelo.json("perft", "tictactoe", "0", "--divide")["nodes"] == 1


def test_a_game_that_does_not_compile_is_counted_all_the_same(zermelo, nim):
    done = zermelo("perft", f"{nim}:Talking", "3", "--json")
    assert json.loads(done.stdout) | {"seconds": 0} == {
        "game": "Talking", "depth": 3, "nodes": 10, "seconds": 0, "compiled": False
    }  # fmt: skip
    assert "\nzermelo: " in f"\n{done.stderr}"


def test_games_in_files_work_everywhere(zermelo, nim):
    assert zermelo.json("solve", f"{nim}:Nim:stones=4")["value"] == -1.0
    assert zermelo.json("trace", f"{nim}:Nim")["action"] == "1"
    assert zermelo.json("play", f"{nim}:Nim", "--players", "search:depth=9,random", "--seed", "1")["utilities"] == [
        1,
        -1,
    ]


def test_what_rules_print_does_not_get_into_the_json(zermelo, nim):
    done = zermelo("solve", f"{nim}:Talking", "--json")
    assert json.loads(done.stdout)["exact"]
    assert "hello" in done.stderr


@pytest.mark.parametrize(("game", "moves"), [("chess", "e4 e5 Nf3 Nc6 Bb5"), ("xiangqi", "h3e3 h10g8")])
def test_an_evaluation_is_taken_apart_and_adds_up(zermelo, game, moves):
    found = zermelo.json("analyse", game, "--moves", moves, "--explain")
    rules = load(f"{game}:network=no")
    estimate = rules.evaluate(rules.read(found["position"]), 0) * rules.scale
    assert found["points"] == pytest.approx(sum(points for _, points in found["parts"]))
    assert found["points"] == pytest.approx(estimate, abs=1)
    assert len({name for name, _ in found["parts"]}) == len(found["parts"]) > 5


def test_a_game_that_does_not_explain_itself_is_refused(zermelo):
    assert "explain" in zermelo.fails("analyse", "connect4", "--explain")


def test_estimates_are_told_in_points_and_kept_as_utilities(zermelo):
    told = zermelo("analyse", "chess", "--depth", "2").stdout
    found = zermelo.json("analyse", "chess", "--depth", "2")
    points = round(found["value"] * load("chess").scale)
    assert f"value    {points} points for white (not proved, 2 plies deep)" in told
    listed = zermelo("analyse", "connect4", "--depth", "3", "--algorithm", "minimax").stdout
    assert re.search(r"^moves    \w+ = −?\d+, ", listed, re.MULTILINE)
    won = zermelo("analyse", "chess", "--position", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--depth", "3").stdout
    assert "white wins in 1 ply" in won


def test_an_expectation_is_no_number_of_points():
    assert [say_points(load(name), 0.25) for name in ("chess", "pig", "tictactoe")] == ["2500", "0.25", "0.25"]
    assert [say_points(load("chess"), value) for value in (-1.0, 1.0)] == ["a loss", "a win"]


def test_a_zero_window_and_a_window_come_from_the_command_line(zermelo):
    tree = "[[3,12,8],[2,4,6],[14,5,2]]"
    for bound, yes in (("3", True), ("4", False)):
        found = zermelo.json("analyse", tree, "--algorithm", "zero-window", "--bound", bound)
        assert (found["value"] >= float(bound)) is yes
    assert "at most 3" in zermelo("analyse", tree, "--window", "4", "9").output
    assert "at least 3" in zermelo("analyse", tree, "--window", "-inf", "3").output
    assert "β = 3" in zermelo("trace", tree, "--window", "-inf", "3").output
    assert "mtdf+table" in zermelo("trace", tree, "--algorithm", "mtdf").output
    assert "zero-window" in zermelo.fails("trace", tree, "--bound", "3")
