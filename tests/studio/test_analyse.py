"""Positions that are analysed, and why not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import zermelo
from tests.studio.conftest import Page, Refused
from zermelo.book import BookBuilder, BookSettings, PlayedGame, attach_book, read_book
from zermelo.errors import OptionError
from zermelo.games.chess import Chess
from zermelo.play.notation import read_position
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.views.analyse import most_visited, say_book
from zermelo.studio.views.whynot import ENOUGH_NODES, Pair, Prospect, compare, explain, make_searcher, say_why


def test_an_analysis_deepens_to_a_proof_with_several_lines(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...", lines=2)
    shown = page.wait("analyse", lambda data: data["analysis"] and data["analysis"]["exact"] and not data["running"])
    assert "x wins in 1 ply" in shown["analysis"]["message"]
    assert shown["analysis"]["lines"][0]["moves"] == ["c3"]
    steps = page.ask("analyse.line", line=0)["steps"]
    assert [step["notation"] for step in steps] == ["c3"]


def test_a_game_that_simulations_suit_is_analysed_by_them(page: Page) -> None:
    page.ask("analyse.open", game="go:size=5", lines=3)
    first = page.wait("analyse", lambda data: data["analysis"])["analysis"]
    assert first["method"].startswith("mcts")
    assert len(first["lines"]) == 3
    wanted = first["simulations"]
    grown = page.wait("analyse", lambda data: data["analysis"] and data["analysis"]["simulations"] > wanted)
    assert grown["running"]
    page.ask("analyse.halt")


def test_actions_that_no_simulation_has_tried_have_no_line() -> None:
    found = zermelo.mcts(zermelo.load("tictactoe"), simulations=2, seed=1)
    assert len(found.actions) < 3 < len(found.visits)
    assert len(most_visited(found, 3)) == max(len(found.actions), 1)


def test_why_not_plays_the_refutation_and_says_the_reason(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...")
    page.wait("analyse", lambda data: data["analysis"] and not data["running"])
    page.ask("analyse.whynot", move="a1")
    answer = page.wait("analyse", lambda data: data["answer"])["answer"]
    assert answer["message"] == "After this, o wins in 1 ply: c2, 3 in a row."
    reply = "Then o has a reply, c2, that leaves you a loss, and you have a win elsewhere, with c3"
    assert answer["reasoning"] == f"{reply}: the 3 other replies can be pruned."
    assert [step["notation"] for step in answer["steps"]] == ["a1", "c2"]


def ask_why_not(page: Page, game: str, position: str, move: str) -> str:
    """What is said against `move`, once the search has a word to say."""
    page.ask("analyse.open", game=game, position=position, lines=1)
    page.wait("analyse", lambda data: data["game"] == game and data["analysis"])
    page.ask("analyse.whynot", move=move)
    says: str = page.wait("analyse", lambda data: data["answer"])["answer"]["message"]
    page.ask("analyse.halt")
    return says


def test_why_not_names_the_cut_of_the_lecture(page: Page) -> None:
    says = ask_why_not(page, "[[3,12,8],[2,4,6],[14,5,2]]", "", "a2")
    reply = "Then MIN has a reply, c1, that leaves you 2, and you have 3 elsewhere, with a1"
    assert says == f"{reply}: the 2 other replies can be pruned."


def test_why_not_speaks_of_pruning_only_where_other_replies_are_left(page: Page) -> None:
    says = ask_why_not(page, "[[3,12],[2]]", "", "a2")
    assert says == "Then MIN has a reply, c1, that leaves you 2, and you have 3 elsewhere, with a1."


def test_why_not_counts_what_chess_loses_and_when(page: Page) -> None:
    says = ask_why_not(page, "chess", "4k3/p6p/8/3r4/8/8/P2Q3P/4K3 w - - 0 1", "Qd3")
    assert says == "This loses the queen: Rxd3."


def test_why_not_names_the_win_that_a_move_misses(page: Page) -> None:
    says = ask_why_not(page, "chess", "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1", "g3")
    assert says.startswith("g3 misses the win by Rd8#: it leaves you about ")


def test_why_not_names_the_material_that_a_move_misses(page: Page) -> None:
    says = ask_why_not(page, "chess", "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", "a3")
    assert says == "a3 misses the queen, which Nxh4 wins."


def test_why_not_takes_no_tempo_and_no_mobility_for_a_loss(page: Page) -> None:
    says = ask_why_not(page, "chess", "", "f3")
    assert re.match(r"f3 is worth \d\.\d\d pawns less than \w+[.,]", says)
    assert "to move" not in says


def test_why_not_agrees_with_the_lines_beside_it(page: Page) -> None:
    page.ask("analyse.open", game="chess", lines=3)
    page.wait("analyse", lambda data: data["analysis"] and data["analysis"]["nodes"] > ENOUGH_NODES)
    page.ask("analyse.halt")
    shown = page.wait("analyse", lambda data: not data["running"])["analysis"]
    best, last = shown["lines"][0], shown["lines"][2]
    page.ask("analyse.whynot", move=last["moves"][0])
    answer = page.wait("analyse", lambda data: data["answer"])["answer"]
    assert last["value"] in answer["reasoning"]
    assert best["value"] in answer["reasoning"]
    assert answer["reasoning"].endswith(f"Seen {shown['depth']} plies deep.")


def test_why_not_looks_as_deep_as_is_known() -> None:
    game = Chess()
    start = game.initial()
    found = zermelo.search(game, start, depth=12)
    pair = compare(game, start, [], game.read_action(start, "h4"), found, lambda: False)
    assert pair.depth is not None
    assert pair.depth >= 12
    assert pair.this.line[0] != pair.other.line[0] == found.action


def test_an_action_that_is_no_worse_is_told_apart_from_one_that_is_better() -> None:
    game = Chess()
    start = game.initial()
    one, two = game.read_action(start, "e4"), game.read_action(start, "d4")

    def say(this: float, other: float) -> str:
        pair = Pair(Prospect(this, (one,), False), Prospect(other, (two,), False), 9)
        return " ".join(say_why(game, start, 0, pair))

    fine = "Nothing is wrong with e4: it is worth about"
    assert say(0.005, 0.005) == f"{fine} +0.50, as much as d4. Seen 9 plies deep."
    assert say(0.005, 0.0047) == f"{fine} +0.50, nearly the same as d4 with +0.47. Seen 9 plies deep."
    assert say(-0.0029, -0.0044) == f"{fine} −0.29, more than d4 with −0.44. Seen 9 plies deep."
    assert say(0.0047, 0.005).startswith("e4 is worth nearly as much as d4. ")


def test_a_slower_win_is_said_to_win_as_well(page: Page) -> None:
    says = ask_why_not(page, "tictactoe", "x.x/o.o/...", "b2")
    assert says == "b2 wins as well: the line found takes 3 plies, that of b3 1 ply."


def ask_at(spec: str, position: str, move: str, depth: int, part: str = "message") -> str:
    """What is said of `move` to one who asks when the analysis is at `depth`."""
    game = zermelo.load(spec)
    state = read_position(game, position)
    found = next(each for each in make_searcher(game).think(state, lines=3) if each.depth == depth)
    says: str = explain(game, state, [], game.read_action(state, move), found, bool)[part]
    return says


def test_why_not_looks_again_where_the_search_had_chosen_what_loses() -> None:
    asked = "othello:size=4", "OXXXXXOOXXO--OX- O"
    says = ask_at(*asked, "d4", 1)
    assert says.startswith("d4 was what the search would play, 1 ply deep; it has looked again. After this, ")
    reasoning = ask_at(*asked, "d4", 1, "reasoning")
    assert "leaves you a loss, and you have a win elsewhere, with a4" in reasoning
    assert ask_at(*asked, "a4", 1) == "Nothing is wrong with a4: it is worth a win, more than d4 with a loss."


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("move", ["b1", "c1", "a2", "b2", "c2", "a3", "b3"])
def test_nothing_is_wrong_only_with_a_best_move(move: str, depth: int) -> None:
    game = zermelo.load("tictactoe")
    state = read_position(game, "..o/.../x..")
    worth = zermelo.minimax(game, state).actions
    says = ask_at("tictactoe", "..o/.../x..", move, depth)
    best = worth[game.read_action(state, move)] == max(worth.values())
    fine = ("Nothing is wrong with", f"{move} is what the search itself would play", f"{move} wins as well")
    assert says.startswith(fine) == best


def test_why_not_gives_the_length_of_the_line_it_shows_and_not_of_the_shortest() -> None:
    says = ask_at("breakthrough:columns=3,rows=5", "bbb/bb./w.b/w.w/www w", "c2b3", 1)
    assert re.search(r"line found takes \d+ plies|wins: .* \(\d+ plies\)", says)
    assert " loses in " not in says


def test_nobody_is_asked_why_not_where_chance_decides_or_the_game_is_over(page: Page) -> None:
    page.ask("analyse.open", game="backgammon")
    rolls = page.wait("analyse", lambda data: data["game"] == "backgammon")["legal"]
    with pytest.raises(Refused, match="chance decides here"):
        page.ask("analyse.whynot", move=rolls[0]["notation"])
    page.ask("analyse.open", game="tictactoe", position="xxx/oo./...")
    with pytest.raises(Refused, match="the game is over here"):
        page.ask("analyse.whynot", move="c2")


def test_a_position_after_a_roll_is_analysed_and_asked_about(page: Page) -> None:
    page.ask("analyse.open", game="backgammon")
    roll = page.wait("analyse", lambda data: data["game"] == "backgammon")["legal"][0]
    assert roll["at"] == []
    page.ask("analyse.move", move=roll["notation"])
    shown = page.wait("analyse", lambda data: data["ply"] == 1 and data["analysis"])
    assert shown["moves"] == [{"notation": roll["notation"], "player": -1}]
    page.ask("analyse.whynot", move=shown["legal"][-1]["notation"])
    answer = page.wait("analyse", lambda data: data["answer"])["answer"]
    assert re.fullmatch(r"\S+ leaves you about [+−]\d\.\d{3}, \S+ [+−]\d\.\d{3}\.", answer["message"])
    assert answer["steps"][0]["notation"] == shown["legal"][-1]["notation"]
    page.ask("analyse.halt")


def test_lines_are_followed_and_taken_back(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe")
    page.ask("analyse.move", move="b2")
    page.ask("analyse.move", move="a1")
    shown = page.wait("analyse", lambda data: data["ply"] == 2)
    assert [move["notation"] for move in shown["moves"]] == ["b2", "a1"]
    page.ask("analyse.back", ply=0)
    assert page.wait("analyse", lambda data: data["ply"] == 0)["moves"] == []
    page.ask("analyse.halt")
    assert not page.wait("analyse", lambda data: not data["running"])["running"]


def test_the_moves_of_the_book_stand_beside_the_lines(tmp_path: Path) -> None:
    game = zermelo.load("tictactoe")
    start = game.initial()
    assert say_book(game, start) == ""
    builder: BookBuilder[Any, Any] = BookBuilder(game, BookSettings(plies=1))
    builder.add_games([PlayedGame(start, (game.read_action(start, "a1"),), (1.0, -1.0))])
    builder.write(tmp_path / "a.book")
    attach_book(game, read_book(tmp_path / "a.book", game))
    assert say_book(game, start) == "Book: a1 (100%, 1 game with 100% of the points)"
    assert say_book(game, game.result(start, game.read_action(start, "a1"))) == ""


def test_a_page_names_no_file_of_parameters() -> None:
    catalogue = Catalogue()
    with pytest.raises(OptionError, match="search is yes or no in the studio"):
        catalogue.player("engine:seconds=1,search=chess.search.json")
    with pytest.raises(OptionError, match="must be a number, yes or no here"):
        catalogue.load("chess:search=chess.search.json")
    assert catalogue.player("engine:seconds=1,search=no").name == "engine:seconds=1,search=no"


def test_a_page_names_no_file_of_a_book() -> None:
    catalogue = Catalogue()
    with pytest.raises(OptionError, match="book is yes or no in the studio"):
        catalogue.player("engine:seconds=1,book=chess.book")
    with pytest.raises(OptionError, match="must be a number, yes or no here"):
        catalogue.load("chess:book=chess.book")
    assert catalogue.player("engine:seconds=1,book=no").name == "engine:seconds=1,book=no"
