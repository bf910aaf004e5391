// The moves of the pieces of Chinese chess, in tables computed at compile time.
//
// Rooks and cannons move along lines. For an index on a line and the pieces on that line, `seen[n]` holds what is seen
// from there past exactly n pieces, both ways: for n = 0 the empty squares up to the first piece and that piece; for n
// = 1 the second piece, which a cannon captures; for n = 2 the third.
#pragma once

#include <array>
#include <cstdint>

#include "games/xiangqi/board.hpp"

namespace zermelo::xiangqi {

template <int LENGTH>
struct LineTable {
    uint16_t seen[3][LENGTH][1 << LENGTH];
};

struct Tables {
    LineTable<COLUMNS> rows;
    LineTable<ROWS> columns;
    std::array<uint64_t, 32> spread;  // five squares of a column in one half, as squares of column a

    std::array<uint8_t, SQUARES> row, column;
    std::array<Bits, SQUARES> king, advisor;
    std::array<Bits, SQUARES> concern;  // of a king: its row, its column, and the legs of horses that attack it
    std::array<std::array<Bits, SQUARES>, 2> pawn;  // by colour: the targets of a pawn
    std::array<std::array<Bits, SQUARES>, 2> pawn_sources;  // by colour: the origins of a pawn
    std::array<std::array<Bits, 16>, SQUARES> horse;  // by blocked legs: left 1, below 2, right 4, above 8
    std::array<Bits, SQUARES> horse_sources;  // the origins of a horse, if its leg is free
    struct Stride {
        Bits eye, target;
    };
    std::array<std::array<Stride, 4>, SQUARES> elephant;  // a stride that does not exist has no target

    std::array<uint8_t, SQUARES> palace;  // a number for each of the 18 squares of the palaces
    std::array<std::array<Bits, SQUARES>, 18> between_king;  // strictly between a palace's square and another

    Bits between(int king_square, int other) const { return between_king[palace[king_square]][other]; }
};

extern const Tables tables;

// The square that must be empty for a horse on `horse` to reach `target`.
constexpr int leg_of(int horse, int target) {
    const int down = row_of(target) - row_of(horse), across = column_of(target) - column_of(horse);
    return down == 2 || down == -2 ? horse + COLUMNS * (down / 2) : horse + across / 2;
}

}  // namespace zermelo::xiangqi
