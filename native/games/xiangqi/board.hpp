// The board of Chinese chess: 90 points, ten rows of nine, and sets of them.
//
//     square = 9 * row + column      row 0 is red's own, row 9 black's; column 0 is `a`, on red's left
//
// The river lies between rows 4 and 5 and divides the board into two halves of 45 squares: a set of squares is two
// words, one per half, so that no row is split between words.
#pragma once

#include <bit>
#include <cstdint>

namespace zermelo::xiangqi {

constexpr int ROWS = 10;
constexpr int COLUMNS = 9;
constexpr int SQUARES = ROWS * COLUMNS;
constexpr int HALF = SQUARES / 2;

constexpr int row_of(int square) { return square / COLUMNS; }
constexpr int column_of(int square) { return square % COLUMNS; }
constexpr int square_at(int row, int column) { return COLUMNS * row + column; }

constexpr int RED = 0;  // moves first
constexpr int BLACK = 1;

enum Kind : uint8_t { KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN };
constexpr int KINDS = 7;

// A piece is 2 * (kind + 1) + colour, and an empty square is 0.
constexpr uint8_t EMPTY = 0;
constexpr int PIECES = 2 * (KINDS + 1);
constexpr uint8_t piece_of(Kind kind, int colour) { return static_cast<uint8_t>(2 * (kind + 1) + colour); }
constexpr Kind kind_of(uint8_t piece) { return static_cast<Kind>((piece >> 1) - 1); }
constexpr int colour_of(uint8_t piece) { return piece & 1; }

// The row counted from the side of `colour`, starting at 0.
constexpr int own_row(int square, int colour) { return colour == RED ? row_of(square) : ROWS - 1 - row_of(square); }

constexpr bool on_board(int row, int column) { return row >= 0 && row < ROWS && column >= 0 && column < COLUMNS; }

constexpr bool in_palace(int square, int colour) {
    return own_row(square, colour) <= 2 && column_of(square) >= 3 && column_of(square) <= 5;
}

// Whether a piece can ever reach the square.
constexpr bool may_stand(Kind kind, int square, int colour) {
    const int row = own_row(square, colour), column = column_of(square);
    switch (kind) {
        case KING: return in_palace(square, colour);
        case ADVISOR: return in_palace(square, colour) && (row + column) % 2 == 1;
        case ELEPHANT: return row <= 4 && row % 2 == 0 && column % 2 == 0 && (row + column) % 4 == 2;
        case PAWN: return row >= 5 || (row >= 3 && column % 2 == 0);
        default: return true;
    }
}

// A set of squares.
struct Bits {
    uint64_t half[2] = {0, 0};

    constexpr Bits operator&(Bits other) const { return {{half[0] & other.half[0], half[1] & other.half[1]}}; }
    constexpr Bits operator|(Bits other) const { return {{half[0] | other.half[0], half[1] | other.half[1]}}; }
    constexpr Bits operator^(Bits other) const { return {{half[0] ^ other.half[0], half[1] ^ other.half[1]}}; }
    constexpr Bits operator~() const { return {{~half[0], ~half[1]}}; }
    constexpr Bits& operator&=(Bits other) { return *this = *this & other; }
    constexpr Bits& operator|=(Bits other) { return *this = *this | other; }
    constexpr Bits& operator^=(Bits other) { return *this = *this ^ other; }
    constexpr explicit operator bool() const { return (half[0] | half[1]) != 0; }
    constexpr bool operator==(const Bits&) const = default;

    constexpr int count() const { return std::popcount(half[0]) + std::popcount(half[1]); }
};

constexpr Bits bit(int square) {
    const uint64_t one = 1;
    return square < HALF ? Bits{{one << square, 0}} : Bits{{0, one << (square - HALF)}};
}

constexpr Bits ALL{{(uint64_t{1} << HALF) - 1, (uint64_t{1} << HALF) - 1}};

// Calls `visit(square)` for each square of the set, the lowest first, until a call returns true; returns whether one
// did.
template <typename Visit>
inline bool any_of(Bits squares, const Visit& visit) {
    for (int half = 0; half < 2; ++half)
        for (uint64_t left = squares.half[half]; left != 0; left &= left - 1)
            if (visit(std::countr_zero(left) + half * HALF)) return true;
    return false;
}

template <typename Visit>
inline void each(Bits squares, const Visit& visit) {
    for (int half = 0; half < 2; ++half)
        for (uint64_t left = squares.half[half]; left != 0; left &= left - 1)
            visit(std::countr_zero(left) + half * HALF);
}

}  // namespace zermelo::xiangqi
