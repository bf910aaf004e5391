#include "games/chess/exchange.hpp"

#include <algorithm>

#include "games/chess/moves.hpp"
#include "games/chess/placement.hpp"

namespace zermelo::chess {

namespace {

constexpr int KING_VALUE = 20'000;  // so that no king captures where it can be captured

int value_of(Piece piece) { return piece == KING ? KING_VALUE : PIECE_VALUES[piece]; }

// The least valuable of some pieces; `from` is one of its kind.
Piece least(const State& state, Bitboard among, Bitboard& from) {
    int piece = PAWN;
    while (!(among & state.pieces[piece])) ++piece;
    const Bitboard kind = among & state.pieces[piece];
    from = kind & -kind;
    return static_cast<Piece>(piece);
}

}  // namespace

int exchange(const State& state, Action action) {
    if (kind_of(action) == CASTLING) return 0;
    const Square to = to_of(action);
    Bitboard occupied = (state.occupied() & ~bit(from_of(action))) | bit(to);
    int gains[33];
    gains[0] = state.colours[other(state.mover())] & bit(to) ? value_of(state.piece_on(to)) : 0;
    int standing = value_of(piece_of(action));
    if (kind_of(action) == EN_PASSANT) {
        gains[0] = PIECE_VALUES[PAWN];
        occupied ^= bit(to ^ 8);
    }
    if (promotion_of(action) != PAWN) {
        standing = value_of(promotion_of(action));
        gains[0] += standing - PIECE_VALUES[PAWN];
    }
    int depth = 0;
    for (Colour side = other(state.mover());; side = other(side)) {
        const Bitboard takers = attackers(state, to, occupied, side) & occupied;
        if (!takers || depth == 32) break;
        Bitboard from;
        const Piece piece = least(state, takers, from);
        if (piece == KING && (attackers(state, to, occupied ^ from, other(side)) & (occupied ^ from))) break;
        ++depth;
        gains[depth] = standing - gains[depth - 1];
        standing = value_of(piece);
        occupied ^= from;
    }
    for (; depth > 0; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
    return gains[0];
}

}  // namespace zermelo::chess
