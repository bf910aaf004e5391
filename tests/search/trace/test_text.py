"""The run in a terminal and in sentences, word for word."""

import zermelo as z
from tests.search.trace.streams import chance, eight_steps, header, research, three_players, truncated, two_ply
from zermelo.search.trace import Trace
from zermelo.search.trace.words import clean, edges, listing, number

TWO_PLY = """\
the two-ply tree · alphabeta
▲ A            α = −∞, β = ∞
  a1 ▼ B       α = −∞, β = ∞
    b1 ■ 3     v = 3, β = 3
    b2 ■ 12    v stays 3
    b3 ■ 8     v stays 3
  a1 ▼ B = 3   v = 3, α = 3
  a2 ▼ C       α = 3, β = ∞
    c1 ■ 2     v = 2, β = 2
    cut off: 2 ≤ α = 3 set at A; skips c2 (4), c3 (6)
  a2 ▼ C ≤ 2   v stays 3
  a3 ▼ D       α = 3, β = ∞
    d1 ■ 14    v = 14, β = 14
    d2 ■ 5     v = 5, β = 5
    d3 ■ 2     v = 2, β = 2
  a3 ▼ D ≤ 2   v stays 3
▲ A = 3
→ a1, worth 3  11 nodes, 7 leaves, 1 cut-off"""

AGAIN = """\
again · pvs+table
── depth 1 ──
▲                 α = −∞, β = ∞
  left ■ 3        v = 3, α = 3
  right ▼ ≈ 5
  again: right    α = 5, β = ∞, failed high
  right ▼ ≈ 6     v = 6
▲ = 6
── depth 2 ──
▲                 α = −∞, β = ∞
  right ▼         α = −∞, β = ∞, +1 ply: check, table: ≥ 6, v = 6, α = 6
  cut off: 6 ≥ β = 6; skips left
▲ ≥ 6
→ right, worth 6  6 nodes, 3 leaves, 1 cut-off"""


def test_the_two_ply_tree_reads_as_in_the_lecture() -> None:
    assert two_ply().text() == TWO_PLY


def test_a_second_search_a_table_hit_and_an_extension_are_told() -> None:
    assert research().text() == AGAIN


def test_a_whole_subtree_is_skipped_by_its_name() -> None:
    assert "cut off: 1 ≤ α = 3 set at A; skips c2 (G)" in eight_steps().text()


def test_chance_shows_probabilities_and_the_sum_so_far() -> None:
    text = chance().text()
    assert "low (0.9) ■ 2" in text
    assert "sum 1.8" in text
    assert "α" not in text  # all windows are open: there is nothing to show


def test_several_players_show_their_number_and_all_values() -> None:
    assert "◊0\n  a ■ (1, 2, 6)" in three_players().text()


def test_a_truncated_trace_says_so() -> None:
    assert truncated().text().endswith("the search had more steps than were kept")


def test_the_sentences_of_a_cut_off_say_why_it_is_right() -> None:
    says = [step["says"] for step in two_ply().view()["steps"]]
    assert says[0] == "The search enters the MAX node A with α = −∞, β = ∞."
    assert "MIN can hold B to at most 3: β = 3." in says
    assert "Cut-off at C: 2 ≤ α = 3. MAX has 3 at A already; c2 (4), c3 (6) are skipped." in says
    assert "The MIN node C is worth at most 2." in says
    assert says[-1] == "The search is over: a1 is best, worth 3; 11 nodes, 7 leaves, 1 cut-off."


def test_negamax_values_are_told_in_the_movers_view() -> None:
    cut = {"event": "cutoff", "node": 0, "reason": "alpha", "value": -2, "bound": -3, "skipped": []}
    trace = Trace(
        header("x", view="mover"), [{"event": "enter", "node": 0, "kind": "min", "alpha": -9, "beta": -3}, cut]
    )
    assert "cut off: −2 ≥ β = −3; skips the rest" in trace.text()


def test_a_very_deep_line_is_indented_only_so_far() -> None:
    chain = [{"event": "enter", "node": node, "parent": node - 1 if node else None} for node in range(1500)]
    last = Trace({"trace": 1}, chain).text().splitlines()[-1]
    assert last.lstrip().startswith("[1499]")
    assert len(last) < 60


def test_numbers_are_short_and_windows_tell_the_next_float_apart() -> None:
    inf = float("inf")
    shown = [number(each) for each in (3, 3.0, -2.5, inf, -inf, 3.0000000000000004, 1 / 3, [1, -2], None)]
    assert shown == ["3", "3", "−2.5", "∞", "−∞", "3", "0.33333", "(1, −2)", ""]
    assert edges(3, 3.0000000000000004) == ("3", "3+")
    assert edges(-0.30000000000000004, -0.3) == ("−0.3−", "−0.3")
    assert edges(3, 4) == ("3", "4")
    assert edges(2.4000000000000004, inf) == ("2.4", "∞")


def test_sums_of_decimals_show_no_noise_of_floating_point() -> None:
    game = z.Tree({"max": [{"chance": [[0.8, 3], [0.2, 0]]}, {"chance": [[0.3, 5], [0.7, 3]]}]})
    trace = z.expectiminimax(game, trace=True).trace
    assert "2.4000000000000004" in str(list(trace.events))
    assert "sum 2.4\n" in trace.text()
    assert "2.4+" not in trace.text() + trace.html() + trace.svg()


def test_labels_are_cleaned_and_lists_kept_short() -> None:
    assert clean("a\nb\x1b[31m\ud800") == "a b�[31m�"
    assert listing([str(each) for each in range(9)]) == "0, 1, 2, 3, 4 and 4 more"
