"""Our chess held against python-chess, position by position: moves, checks, ends, text and incremental fields."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import chess

from zermelo.games.chess import Chess

GAME = Chess(chess960=True)
"""Writes castling as the king taking its rook, as python-chess does in Chess960."""


def random_start(chance: random.Random) -> chess.Board:
    """The start of chess, one of Chess960, or a few pieces anywhere, with pawns about to be interesting."""
    kind = chance.random()
    if kind < 0.35:
        return chess.Board(chess960=True)
    if kind < 0.6:
        return chess.Board.from_chess960_pos(chance.randrange(960))
    while True:
        board = scatter(chance)
        if board.is_valid():
            return board


def scatter(chance: random.Random) -> chess.Board:
    """Kings and up to a dozen other pieces; kings and rooks at home now and then, so that there is castling."""
    board = chess.Board(None, chess960=True)
    squares = chance.sample(range(64), 2 + chance.randrange(13))
    for number, square in enumerate(squares):
        colour = bool(number % 2)
        kind = chess.KING if number < 2 else chance.choice([1, 1, 1, 2, 3, 4, 4, 5])
        if kind in (chess.KING, chess.ROOK) and chance.random() < 0.6:
            square = chess.square(chess.square_file(square), 0 if colour else 7)
        elif kind == chess.PAWN:
            square = chess.square(chess.square_file(square), chance.randrange(1, 7))
        if board.piece_at(square) is None:
            board.set_piece_at(square, chess.Piece(kind, colour))
    board.turn = chance.random() < 0.5
    board.castling_rights = board.rooks & (chess.BB_RANK_1 | chess.BB_RANK_8)
    if board.king(chess.WHITE) is not None and board.king(chess.BLACK) is not None:
        board.castling_rights = board.clean_castling_rights()
    board.halfmove_clock = chance.randrange(100)
    return board


def compare(s: Any, board: chess.Board, san: bool = False) -> list[int]:
    """Asserts that both say the same of a position; returns its legal actions."""
    fen = board.fen()
    assert GAME.write(s) == fen
    assert GAME.read(fen) == s, fen
    legal = list(board.legal_moves)
    actions = GAME.native.actions(s)
    named = {GAME.write_action(s, a): a for a in actions}
    assert len(named) == len(actions)
    assert named.keys() == {board.uci(move) for move in legal}, fen
    mover, utilities = GAME.native.info(s)
    mate, over = board.is_checkmate(), not legal or board.halfmove_clock >= 100 or board.is_insufficient_material()
    assert (mover < 0) == over, fen
    if over:
        assert utilities == ((-1.0, 1.0) if board.turn else (1.0, -1.0)) if mate else (0.0, 0.0), fen
    else:
        assert mover == 1 - board.turn
    assert GAME.is_check(s) == ("in check" in GAME.show(s)) == board.is_check()
    if san:
        for move in legal:
            action, name = named[board.uci(move)], board.san(move)
            assert GAME.show_action(s, action) == name, fen
            assert over or GAME.read_action(s, name) == action, fen
    return [] if over else actions


def compare_noise(board: chess.Board, move: chess.Move, noisy: bool) -> None:
    """Only captures and new queens are noisy, and every one that cannot lose by exchanging is."""
    capture = board.is_capture(move)
    assert capture or move.promotion == chess.QUEEN or not noisy
    taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
    mover = board.piece_type_at(move.from_square)
    if move.promotion == chess.QUEEN or (capture and not move.promotion and (mover == chess.KING or taken >= mover)):
        assert noisy


def playout(chance: random.Random, plies: int = 150, san_share: float = 0.05) -> Iterator[chess.Board]:
    """One random game, compared at every position; yields each board."""
    board = random_start(chance)
    s = GAME.read(board.fen())
    for _ in range(plies):
        actions = compare(s, board, san=chance.random() < san_share)
        yield board
        if not actions:
            return
        noisy = [a for a in actions if GAME.is_noisy(s, a)] if chance.random() < 0.2 else []
        action = chance.choice(noisy or actions)
        move = board.parse_uci(GAME.write_action(s, action))
        compare_noise(board, move, GAME.is_noisy(s, action))
        assert GAME.is_irreversible(s, action) == irreversible(board, move), (board.fen(), move)
        board.push(move)
        s = GAME.result(s, action)


def irreversible(board: chess.Board, move: chess.Move) -> bool:
    """As python-chess says, but for en passant that is given up: that ends with every move."""
    after = board.copy(stack=False)
    after.push(move)
    return board.is_zeroing(move) or after.clean_castling_rights() != board.clean_castling_rights()
