"""SGF: other programs read it, with the numbers and colours of the standard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.export.exported import export_games, played

from zermelo.arena.export import ExportGame, export, writers
from zermelo.arena.export._game import one_line


@given(st.lists(export_games(), min_size=1, max_size=3))
def test_sgfmill_reads_back_whatever_names_and_moves_hold(exported):
    grammar = pytest.importorskip("sgfmill.sgf_grammar")
    text = "".join(export("sgf", exported)).encode()
    trees = grammar.parse_sgf_collection(text)
    assert len(trees) == len(exported)
    for game, tree in zip(exported, trees, strict=True):
        root, *nodes = tree.sequence
        assert root["FF"] == [b"4"]
        named = {grammar.simpletext_value(root[name][0]).decode() for name in ("PB", "PW") if name in root}
        assert named == {one_line(name) for name in game.players if one_line(name)}
        found = [grammar.simpletext_value((node.get("B") or node["W"])[0]).decode() for node in nodes]
        assert found == [one_line(move) for move in game.moves]
        assert all(("B" in node) != ("W" in node) for node in nodes)


@pytest.mark.parametrize(
    ("name", "number", "size"),
    [("hex:size=4", "11", "4"), ("othello", "2", "8"), ("morris", "5", None), ("connect4", "0", "7:6")],
)
def test_sgf_has_the_number_of_the_game_and_the_size_of_the_board(name, number, size):
    _, _, game = played(name)
    text = writers()["sgf"].write(game)
    assert f"GM[{number}]" in text
    assert size is None or f"SZ[{size}]" in text


@pytest.mark.parametrize(
    ("reason", "utilities", "result"),
    [
        ("", (1.0, -1.0), "B+"),
        ("resignation", (-1.0, 1.0), "W+R"),
        ("time", (1.0, -1.0), "B+T"),
        ("", (0.0, 0.0), "0"),
        ("left", None, "?"),
    ],
)
def test_sgf_says_who_won_and_how(reason, utilities, result):
    game = ExportGame("Some", ("a", "b"), (), (), utilities, reason=reason)
    assert f"RE[{result}]" in writers()["sgf"].write(game)


def test_go_is_written_in_points_that_sgfmill_plays():
    sgf = pytest.importorskip("sgfmill.sgf")
    game = ExportGame("Go", ("a", "b"), ("D4", "j9", "pass"), (0, 1, 0), None, size=(9, 9))
    read = sgf.Sgf_game.from_string(writers()["sgf"].write(game))
    assert [node.get_move() for node in read.get_main_sequence()[1:]] == [("b", (3, 3)), ("w", (8, 8)), ("b", None)]


def test_white_may_move_first_and_hex_swaps_in_the_words_of_the_standard():
    morris = ExportGame("Morris", ("a", "b"), ("g1",), (0,), None, seats=("white", "black"), start="x")
    assert "PB[b]PW[a]" in writers()["sgf"].write(morris)
    assert "START[x]PL[W]" in writers()["sgf"].write(morris)
    assert ";W[g1]" in writers()["sgf"].write(morris)
    hexagons = ExportGame("Hex", ("a", "b"), ("a1", "swap"), (0, 1), None)
    assert ";B[a1] ;W[swap-pieces]" in writers()["sgf"].write(hexagons)
