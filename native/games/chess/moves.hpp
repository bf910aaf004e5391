// Generates exactly the legal moves of a position, in a fixed order.
//
// No move is tried out: a piece that is not pinned may go wherever it can, a pinned one stays on the line to its king,
// and in check a piece must capture the checker or interpose. Only king moves and en passant captures are tested one by
// one.
#pragma once

#include "games/chess/attacks.hpp"
#include "games/chess/state.hpp"

namespace zermelo::chess {

// Writes the moves to `out`, which has room for MAX_ACTIONS; returns the end of them.
Action* write_moves(const State& state, Action* out);

// Whether there is any legal move; faster than generating them.
bool has_move(const State& state);

// Whether a legal move gives check, directly or by discovery.
bool gives_check(const State& state, Action action);

// The pieces of `by` that attack a square, given the occupied squares.
inline Bitboard attackers(const State& state, Square square, Bitboard occupied, Colour by) {
    const Bitboard queens = state.pieces[QUEEN];
    return state.colours[by] &
           ((pawn_attacks(other(by), square) & state.pieces[PAWN]) | (knight_attacks(square) & state.pieces[KNIGHT]) |
            (bishop_attacks(square, occupied) & (state.pieces[BISHOP] | queens)) |
            (rook_attacks(square, occupied) & (state.pieces[ROOK] | queens)) |
            (king_attacks(square) & state.pieces[KING]));
}

// Whether the pawn on `from` may capture en passant on `to` without exposing its own king, on `king`, to a slider.
inline bool may_take_in_passing(const State& state, Square from, Square to, Square king, Colour by) {
    const Bitboard occupied = state.occupied() ^ bit(from) ^ bit(to) ^ bit(to ^ 8);
    const Bitboard theirs = state.colours[other(by)];
    return !(bishop_attacks(king, occupied) & theirs & (state.pieces[BISHOP] | state.pieces[QUEEN])) &&
           !(rook_attacks(king, occupied) & theirs & (state.pieces[ROOK] | state.pieces[QUEEN]));
}

}  // namespace zermelo::chess
