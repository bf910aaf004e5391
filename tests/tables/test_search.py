"""The engine with tables: it proves what they know, keeps the distance, and stays right about draws by rule."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

from zermelo import Limits, Searcher, solve
from zermelo.cli import main
from zermelo.games import load
from zermelo.tables import tables_of


@pytest.fixture(scope="module")
def chess():
    return load("chess")


def test_bishop_and_knight_win_in_as_many_moves_as_the_tables_say(chess):
    tables, searcher = tables_of(chess), Searcher(chess)
    s, history = chess.read("8/8/8/3k4/8/8/8/KBN5 w - - 0 1"), []
    left = tables.distance(s)
    assert left == 59
    while not chess.is_terminal(s):
        white = chess.player(s) == 0
        found = searcher.search(s, Limits(depth=2), history=history)
        assert (found.exact, found.value, len(found.line)) == (True, 1.0 if white else -1.0, left)
        history.append(s)
        s = chess.result(s, found.action if white else tables.best(s))
        left -= 1
    assert left == 0
    assert chess.utilities(s) == (1.0, -1.0)


def test_a_capture_into_the_tables_is_a_proof(chess):
    s = chess.read("8/8/8/3k4/8/8/2q5/KBN5 w - - 0 1")
    found = Searcher(chess).search(s, Limits(depth=3))
    assert (found.value, found.exact, chess.show_action(s, found.action)) == (1.0, True, "Bxc2")
    assert len(found.line) == 1 + tables_of(chess).distance(chess.result(s, found.action))
    assert solve(chess, s).value == 1.0


def test_a_win_that_the_fifty_moves_may_end_is_no_proof_and_still_approached(chess):
    text = "8/8/8/3k4/8/8/8/KBN5 w - - {} 60"
    sure = Searcher(chess).search(chess.read(text.format(41)), Limits(depth=3))
    assert (sure.value, sure.exact) == (1.0, True)
    s = chess.read(text.format(42))
    late = Searcher(chess).search(s, Limits(depth=3))
    assert 0.9 < late.value < 1.0
    assert not late.exact
    tables = tables_of(chess)
    assert tables.actions(s)[late.action] == tables.actions(s)[tables.best(s)]


def test_a_win_is_no_proof_where_an_earlier_position_of_the_game_may_stand_on_its_way(chess):
    tables = tables_of(chess)
    far = chess.read("8/8/8/3k4/8/8/8/KBN5 w - - 0 1")
    near = far
    for _ in range(30):
        near = chess.result(near, tables.best(near))
    played = Searcher(chess).search(far, Limits(depth=2), history=[near, near])
    assert not played.exact
    assert Searcher(chess).search(near, Limits(depth=2), history=[far, far]).exact


def test_a_position_that_stood_there_before_is_a_draw_where_the_rules_say_so():
    game = load("checkers")
    tables = tables_of(game)
    s = game.read("B:WK32:BK1,K5")
    best = tables.best(s)
    found = Searcher(game).search(s, Limits(depth=2), history=[game.result(s, best)])
    assert found.action != best


def test_a_drawn_position_is_proved_and_searched_on_for_the_move_that_asks_most_of_the_other():
    game = load("chess")
    s = game.read("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
    found = list(Searcher(game).think(s, Limits(depth=6)))
    assert [(each.depth, each.value, each.exact) for each in found] == [(depth, 0.0, True) for depth in range(1, 7)]
    assert game.show_action(s, found[-1].action) != "e3"  # which leaves the pawn to be taken
    assert solve(game, s).depth == 1


def test_no_move_of_a_drawn_position_loses():
    game = load("checkers")
    tables, searcher = tables_of(game), Searcher(game)
    for text in ("B:WK32:BK1", "W:W32:BK23", "B:WK6,K7:BK20", "B:WK29,K25:BK4"):
        s = game.read(text)
        if tables.value(s) == 0.0:
            assert tables.actions(s)[searcher.search(s, Limits(depth=3)).action].value == 0.0


def test_threads_find_the_same(chess):
    s = chess.read("8/8/8/3k4/8/8/2q5/KBN5 w - - 0 1")
    one, two = (Searcher(chess, threads=threads).search(s, Limits(depth=4)) for threads in (1, 2))
    assert (one.value, one.exact, len(one.line)) == (two.value, two.exact, len(two.line))


def test_without_tables_nothing_is_probed():
    game = load("chess:tables=no")
    found = Searcher(game).search(game.read("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"), Limits(depth=4))
    assert (found.probed, found.exact) == (0, False)


def test_uci_counts_what_the_tables_settled():
    asked = "position fen 8/8/8/4k3/8/8/4P3/3QK3 w - - 0 1\ngo depth 4\n"
    from io import BytesIO

    from zermelo.protocols.session import Session
    from zermelo.protocols.uci import UciServer

    said: list[str] = []
    session = Session(load("chess"))
    server = UciServer(session, said.append)
    server.serve(BytesIO(asked.encode()))
    assert session.search is not None
    session.search.join()
    assert any(" tbhits " in line for line in said)


@pytest.mark.parametrize("algorithm", ["engine", "mcts"])
@pytest.mark.parametrize("name", ["KBNK", "KRK", "KQKR"])
def test_won_positions_are_won_in_as_many_plies_as_the_tables_say(chess, algorithm, name):
    dice, played = random.Random(name), 0
    tables, searcher = tables_of(chess), Searcher(chess, algorithm=algorithm)
    (material,) = (facts.material for facts in tables.slices.values() if facts.name == name)
    while played < 5:
        s, history = chess.unrank(material, dice.randrange(chess.slice_size(material))), []
        if chess.material(s) != material or chess.is_terminal(s) or not (tables.distance(s) or 0) >= 10:
            continue
        for left in range(tables.distance(s), 0, -1):
            found = searcher.search(s, Limits(nodes=300), history=history)
            assert (found.exact, abs(found.value), len(found.line)) == (True, 1.0, left)
            history.append(s)
            s = chess.result(s, found.action)
        assert chess.is_terminal(s)
        assert chess.utilities(s) != (0.0, 0.0)
        played += 1


def test_simulations_know_a_capture_into_the_tables(chess):
    s = chess.read("8/8/8/3k4/8/8/2q5/KBN5 w - - 0 1")
    found = Searcher(chess, algorithm="mcts").search(s, Limits(nodes=200_000))
    assert (found.value, found.exact, chess.show_action(s, found.action)) == (1.0, True, "Bxc2")
    assert len(found.line) == 1 + tables_of(chess).distance(chess.result(s, found.action))
    assert found.probed > 0


def test_simulations_in_a_drawn_position_look_for_chances_and_keep_the_draw(chess):
    s = chess.read("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
    found = Searcher(chess, algorithm="mcts").search(s, Limits(simulations=2000))
    assert (found.value, found.exact, found.leaves) == (0.0, True, 2000)
    assert tables_of(chess).actions(s)[found.action].value == 0.0
    assert len(list(Searcher(chess, algorithm="mcts").think(s, Limits(simulations=20_000)))) > 1


def test_simulations_call_a_win_that_the_fifty_moves_may_end_no_proof(chess):
    tables = tables_of(chess)
    for quiet, sure in ((41, True), (42, False)):
        s = chess.read(f"8/8/8/3k4/8/8/8/KBN5 w - - {quiet} 60")
        found = Searcher(chess, algorithm="mcts").search(s, Limits(simulations=500))
        assert found.exact is sure
        assert tables.actions(s)[found.action] == tables.actions(s)[tables.best(s)]


def test_simulations_avoid_a_position_that_stood_there_before_also_with_a_tree_that_knew_of_none():
    game = load("checkers")
    s = game.read("B:WK32:BK1,K5")
    best = tables_of(game).best(s)
    searcher = Searcher(game, algorithm="mcts")
    assert searcher.search(s, Limits(simulations=200)).action == best
    assert searcher.search(s, Limits(simulations=200), history=[game.result(s, best)]).action != best


def test_the_command_line_says_how_many_positions_were_probed():
    position = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
    done = CliRunner().invoke(main, ["analyse", "chess", "--position", position, "--depth", "3"])
    assert "positions in endgame tables" in done.stdout
    won = CliRunner().invoke(main, ["analyse", "chess", "--position", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1", "--depth", "1"])
    assert "white wins in 59 plies" in won.stdout
    assert "a draw with best play" in done.stdout
    done = CliRunner().invoke(main, ["analyse", "chess", "--position", position, "--depth", "3", "--json"])
    assert json.loads(done.stdout)["probed"] > 0
