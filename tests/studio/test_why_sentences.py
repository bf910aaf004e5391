"""What is said to those who ask why not, sentence by sentence, in the language of each game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

import zermelo as z
from zermelo.play.notation import read_position
from zermelo.studio.views.exchange import balance, say_counted, say_exchange, settle
from zermelo.studio.views.whynot import explain

OPEN_GAME = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
SENTENCES = [
    ("chess", OPEN_GAME, "Nxe5", "This loses a knight for a pawn: Nxe5."),
    ("chess", "4k3/p6p/8/3r4/8/8/P2Q3P/4K3 w - - 0 1", "Qd3", "This loses the queen: Rxd3."),
    ("chess", "r3k3/6pp/8/3N4/8/8/6PP/4K3 b - - 0 1", "Kd7", r"This loses the rook: Nb6\+ .*Nxa8\."),
    (
        "chess",
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3",
        "Nf6",
        "After this, white wins in 1 ply: Qxf7#, checkmate.",
    ),
    (
        "chess",
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2",
        "g4",
        "After this, black wins in 1 ply: Qh4#, checkmate.",
    ),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "Qf7", "Qf7 misses the win by Q..?#: it only draws \\(stalemate\\)."),
    (
        "chess",
        "6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1",
        "g3",
        r"g3 misses the win by R[de]8#: it leaves you about \+\d+\.\d\d.",
    ),
    (
        "chess",
        "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1",
        "a3",
        "a3 misses the queen, which Nxh4 wins.",
    ),
    ("chess", "", "f3", r"f3 is worth \d\.\d\d pawns less than \w+."),
    ("xiangqi", "", "a1a2", "This loses a horse: b8b1."),
    (
        "xiangqi",
        "rnba1abn1/4k2r1/6cc1/p1p1p1pCp/9/9/PCP1P1P1P/N8/8R/R1BAKABN1 b - - 9 5",
        "c10e8",
        "This loses a chariot: h7h9.",
    ),
    (
        "checkers",
        "B:WK1,16,21,22,24,28,29,30,31,32:B2,3,4,5,7,9,14",
        "14-18",
        r"This loses (a man|\d men)( for (a man|\d men))?: 22x15.*",
    ),
    (
        "breakthrough",
        "bbbbbbbb/bbb..b.b/...b.b../......../..b...../.ww..ww./w.ww.www/www.www. b",
        "b7b6",
        "This loses .*",
    ),
    (
        "breakthrough",
        "bbbbbbbb/....b..b/bb....b./.b.b..../.w...b../..wwwww./.ww.w.ww/w.w.ww.w w",
        "h2h3",
        r"After this, b wins: f4xg3 .* \(\d+ plies\).",
    ),
    ("tictactoe", "xx./oo./...", "a1", "After this, o wins in 1 ply: c2, 3 in a row."),
    ("tictactoe", "xx./oo./...", "c3", "c3 is what the search itself would play: it is worth a win."),
    ("tictactoe", "x../.../...", "b1", r"After this, x wins: .* \(\d plies\), 3 in a row."),
    (
        "connect4",
        "......./......./......./......./ooo..../xxx....",
        "7",
        "7 misses the win by 4: it leaves you about −?\\d+.",
    ),
    ("nim:heaps=3/4/5", "", "c3", r"After this, player 1 wins: .* \(\d plies\)."),
    ("hex:size=4", "", "a1", r"After this, red wins: .* \(\d+ plies\)."),
    ("kalah", "", "6", r"6 is worth \d points less than 3."),
    ("go:size=5", "", "A1", r"A1 leaves you about \d+% to win, [A-E]\d \d+% to win."),
    ("[[3,12,8],[2,4,6],[14,5,2]]", "", "a2", "Then MIN has a reply, c1, that leaves you 2, and you have 3 .*"),
]


@pytest.mark.parametrize(("spec", "position", "move", "expected"), SENTENCES)
def test_what_is_wrong_is_said_as_a_player_would(spec: str, position: str, move: str, expected: str) -> None:
    game = z.load(spec)
    state = read_position(game, position) if position else game.initial()
    answer = explain(game, state, [], game.read_action(state, move), None, bool)
    assert re.fullmatch(expected, answer["message"]), answer["message"]
    assert "pruned" not in answer["message"] or spec.startswith("[")
    assert "leaves you loses" not in answer["reasoning"]


def reached(game: Any, *moves: str) -> tuple[Any, list[Any]]:
    state, line = game.initial(), []
    for move in moves:
        line.append(game.read_action(state, move))
        state = game.result(state, line[-1])
    return state, line


def test_an_exchange_is_told_from_the_side_of_who_moves() -> None:
    chess = z.load("chess")
    start = chess.initial()
    after, line = reached(chess, "e4", "d5", "exd5", "Qxd5", "Nc3", "Qxd2+", "Qxd2")
    assert say_exchange(chess, start, after, 0) == "loses 2 pawns for the queen and a pawn"
    assert say_exchange(chess, start, after, 1) == "loses the queen and a pawn for 2 pawns"
    assert balance(chess, start, 0, line) == [0, 0, 0, 1, 0, 0, -1, 0]
    assert settle(chess, start, line, 3) == 4
    assert settle(chess, start, line, 6) == 7


def test_a_corner_is_given_and_not_lost() -> None:
    othello = z.load("othello")
    empty = "-" * 64
    before, after = othello.read(f"{empty[:-2]}XO X"), othello.read(f"O{empty[:-3]}XO X")
    assert say_exchange(othello, before, after, 0) == "gives white a corner"
    assert say_exchange(othello, before, before, 0) == ""


@pytest.mark.parametrize(
    ("counts", "owned", "said"),
    [
        ({"queen": 1}, {"queen": 1}, "the queen"),
        ({"rook": 1}, {"rook": 2}, "a rook"),
        ({"elephant": 1}, {"elephant": 2}, "an elephant"),
        ({"king": 1, "man": 3}, {"king": 1, "man": 5}, "the king and 3 men"),
        ({"queen": 1, "rook": 2, "pawn": 1}, {"queen": 1, "rook": 2, "pawn": 8}, "the queen, 2 rooks and a pawn"),
        ({"pawn": 0, "rook": -1}, {}, ""),
    ],
)
def test_pieces_are_counted_in_words(counts: dict[str, int], owned: dict[str, int], said: str) -> None:
    assert say_counted(counts, owned) == said


PIECES: Sequence[tuple[str, dict[str, int]]] = [
    ("chess", {"queen": 1, "rook": 2, "bishop": 2, "knight": 2, "pawn": 8}),
    ("xiangqi", {"chariot": 2, "cannon": 2, "horse": 2, "elephant": 2, "advisor": 2, "soldier": 5}),
    ("checkers", {"king": 0, "man": 12}),
    ("breakthrough", {"pawn": 16}),
    ("hexapawn", {"pawn": 3}),
    ("othello", {"corner": 0}),
]


@pytest.mark.parametrize(("name", "counts"), PIECES)
def test_both_sides_begin_with_the_pieces_of_the_game(name: str, counts: dict[str, int]) -> None:
    game = z.load(name)
    for state in (game.initial(), game.result(game.initial(), next(iter(game.actions(game.initial()))))):
        assert [game.count_pieces(state, p) for p in (0, 1)] == [counts, counts]
