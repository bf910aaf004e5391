#include "games/xiangqi/exchange.hpp"

#include <algorithm>
#include <array>

#include "games/xiangqi/evaluate.hpp"

namespace zermelo::xiangqi {

namespace {

// The value at risk when a piece captures: a pawn beyond the river is worth twice one at home.
int value_of(uint8_t piece, int square) {
    const Kind kind = kind_of(piece);
    return kind == PAWN && own_row(square, colour_of(piece)) >= ROWS / 2 ? 2 * PIECE_SCORES[PAWN] : PIECE_SCORES[kind];
}

// The board while pieces are exchanged on one square.
struct Exchange {
    const State& state;
    const int to;
    Bits occupied;
    unsigned row_pieces, column_pieces;  // of the row and the column of `to`

    Exchange(const State& position, int square)
        : state(position), to(square), occupied(position.occupied() | bit(square)),
          row_pieces(position.rows[tables.row[square]] | 1u << tables.column[square]),
          column_pieces(position.columns[tables.column[square]] | 1u << tables.row[square]) {}

    void leave(int square) {
        occupied &= ~bit(square);
        if (tables.row[square] == tables.row[to]) row_pieces &= ~(1u << tables.column[square]);
        if (tables.column[square] == tables.column[to]) column_pieces &= ~(1u << tables.row[square]);
    }

    // The square of the least valuable piece of `side` that captures on `to`; -1 if there is none.
    int least(int side) const {
        const Bits own = state.colours[side] & occupied & ~bit(to);
        int found = first(tables.pawn_sources[side][to] & state.kinds[PAWN] & own);
        if (found < 0 && own_row(to, side) < ROWS / 2) found = guard(side, own);
        if (found < 0)
            any_of(tables.horse_sources[to] & state.kinds[HORSE] & own,
                   [&](int horse) { return !(occupied & bit(leg_of(horse, to))) && (found = horse, true); });
        if (found < 0) found = first(seen(to, 1, row_pieces, column_pieces) & state.kinds[CANNON] & own);
        if (found < 0) found = first(seen(to, 0, row_pieces, column_pieces) & state.kinds[ROOK] & own);
        if (found < 0 && in_palace(to, side)) found = first(tables.king[to] & state.kinds[KING] & own);
        return found;
    }

private:
    static int first(Bits squares) {
        int found = -1;
        any_of(squares, [&](int square) { return found = square, true; });
        return found;
    }

    int guard(int side, Bits own) const {
        if (in_palace(to, side))
            if (const int advisor = first(tables.advisor[to] & state.kinds[ADVISOR] & own); advisor >= 0)
                return advisor;
        for (const Tables::Stride& stride : tables.elephant[to])
            if (!(stride.eye & occupied) && (stride.target & state.kinds[ELEPHANT] & own)) return first(stride.target);
        return -1;
    }
};

}  // namespace

int exchange(const State& state, int from, int to) {
    std::array<int, 33> gains;
    gains[0] = state.board[to] == EMPTY ? 0 : value_of(state.board[to], to);
    int standing = value_of(state.board[from], to);
    Exchange board(state, to);
    board.leave(from);
    int depth = 0, side = 1 - state.turn;
    for (;; side = 1 - side) {
        const int taker = board.least(side);
        if (taker < 0 || depth == 32) break;
        board.leave(taker);
        // A king captures last, and only what is not guarded.
        if (kind_of(state.board[taker]) == KING && board.least(1 - side) >= 0) break;
        ++depth;
        gains[depth] = standing - gains[depth - 1];
        standing = value_of(state.board[taker], to);
    }
    for (; depth > 0; --depth) gains[depth - 1] = -std::max(-gains[depth - 1], gains[depth]);
    return gains[0];
}

}  // namespace zermelo::xiangqi
