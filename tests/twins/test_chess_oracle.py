"""Chess says what python-chess says, over random games of chess, of Chess960 and of scattered pieces."""

from __future__ import annotations

import random

import chess
import pytest
from tests.twins.chess_oracle import GAME, playout

from zermelo.errors import PositionError
from zermelo.games.chess.board import start_fen


@pytest.mark.parametrize("seed", range(40))
def test_random_games_agree_at_every_position(seed):
    assert sum(1 for _ in playout(random.Random(seed))) > 0


@pytest.mark.parametrize("number", [0, 1, 99, 356, 518, 700, 959])
def test_a_start_of_chess960_has_the_same_tree(number):
    board = chess.Board.from_chess960_pos(number)

    def leaves(depth):
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in list(board.legal_moves):
            board.push(move)
            total += leaves(depth - 1)
            board.pop()
        return total

    s = GAME.read(board.fen())
    assert GAME.write(s) == board.fen() == start_fen(number)
    assert GAME.native.perft(s, 3).leaves == leaves(3)


def test_every_start_of_chess960_is_the_one_of_that_number():
    assert [start_fen(n) for n in range(960)] == [chess.Board.from_chess960_pos(n).fen() for n in range(960)]


@pytest.mark.parametrize("seed", range(200))
def test_what_is_read_from_a_spoilt_position_is_valid(seed):
    chance = random.Random(seed)
    *_, board = playout(chance, plies=40, san_share=0)
    letters = list(board.fen())
    for _ in range(1 + chance.randrange(3)):
        letters[chance.randrange(len(letters))] = chance.choice("PNBRQKpnbrqk12345678/wb-KQkqah36 x")
    text = "".join(letters)
    try:
        s = GAME.read(text)
    except PositionError:
        return
    ours = chess.Board(GAME.write(s), chess960=True)
    assert ours.status() & ~(chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_EMPTY) == chess.STATUS_VALID
    assert {GAME.write_action(s, a) for a in GAME.native.actions(s)} == {ours.uci(move) for move in ours.legal_moves}
