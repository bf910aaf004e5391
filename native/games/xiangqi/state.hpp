// A position of Chinese chess: flat, without pointers; its key and piece-square score are updated incrementally.
//
// The first byte is the side to move; Python reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "games/xiangqi/board.hpp"
#include "games/xiangqi/tables.hpp"

namespace zermelo::xiangqi {

constexpr int DRAW_PLIES = 120;  // half-moves without a capture

struct State {
    uint8_t turn;
    uint8_t check;              // whether the king of the side to move is attacked
    uint8_t kings[2];           // the squares of the kings
    uint16_t quiet;             // half-moves since the last capture
    uint16_t number;            // the full-move number: 1 at first, incremented after black's move
    uint64_t key;               // of the pieces and the side to move, without `quiet` and `number`
    uint8_t counts[PIECES];     // the number of each piece
    int32_t score;              // red's piece-square points minus black's, see `evaluate.hpp`
    uint16_t rows[ROWS];        // the pieces of each row, one bit per column
    uint16_t columns[COLUMNS];  // the pieces of each column, one bit per row
    uint8_t board[SQUARES];
    uint8_t padding[12];        // zero: copies go by whole blocks
    Bits colours[2];
    Bits kinds[KINDS];

    Bits occupied() const { return colours[0] | colours[1]; }
};

constexpr std::size_t BLOCK = 64;
static_assert(sizeof(State) % BLOCK == 0);

// Copies block by block: a plain assignment compiles to a string instruction with a long startup time.
inline void copy(State& to, const State& from) {
    for (std::size_t at = 0; at < sizeof(State); at += BLOCK)
        std::memcpy(reinterpret_cast<std::byte*>(&to) + at, reinterpret_cast<const std::byte*>(&from) + at, BLOCK);
}

// An action is from + 128 * to.
constexpr int64_t action_of(int from, int to) { return from | to << 7; }
constexpr int from_of(int64_t action) { return static_cast<int>(action & 127); }
constexpr int to_of(int64_t action) { return static_cast<int>(action >> 7); }

// Puts a piece on an empty square.
void put(State& state, uint8_t piece, int square);

// Moves the piece on `from`, captures what stands on `to`, and passes the turn; `check` is unchanged.
void move(State& state, int from, int to);

// Passes the turn to the other side; `check` is unchanged.
void flip(State& state);

// The squares seen from `square` past exactly `passed` pieces, along the row and the column with these pieces.
inline Bits seen(int square, int passed, unsigned row_pieces, unsigned column_pieces) {
    const int row = tables.row[square], column = tables.column[square];
    const uint64_t across = tables.rows.seen[passed][column][row_pieces];
    const unsigned along = tables.columns.seen[passed][row][column_pieces];
    Bits found{{tables.spread[along & 31] << column, tables.spread[along >> 5] << column}};
    found.half[row >= 5] |= across << (COLUMNS * (row >= 5 ? row - 5 : row));
    return found;
}

inline Bits seen(const State& state, int square, int passed) {
    return seen(square, passed, state.rows[tables.row[square]], state.columns[tables.column[square]]);
}

// The blocked legs of a horse, in the bits of `Tables::horse`.
inline unsigned blocked_legs(const State& state, int square) {
    const int row = tables.row[square], column = tables.column[square];
    const unsigned across = static_cast<unsigned>(state.rows[row]) << 1 >> column & 5;
    const unsigned along = static_cast<unsigned>(state.columns[column]) << 1 >> row & 5;
    return across | along << 1;
}

}  // namespace zermelo::xiangqi
