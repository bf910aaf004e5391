// Endgame tables of Chinese chess, for positions in which one side alone can attack: the slice of a position is what stands on the
// board, its number where.
//
// The stronger side is red in every slice: positions with the colours the other way round share the number, and so do mirror
// images. Only one side can give check there, so no repetition is a perpetual check of both.
#pragma once

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

// What stands on the board: 18 bits a side, the stronger one's higher, with three for the number of each kind of piece from
// advisors up. Below 0 for what no slice has: more than seven pieces, two sides that can attack, and what no position can be.
int64_t material_of(const State& state);

// How many numbers a slice has; below 0 if there is no such slice.
int64_t slice_size(int64_t material);

// The number of a position whose `material_of` is not below 0.
int64_t rank_in_slice(const State& state);

// The position of a number, with red as the stronger side; kings alone, face to face, for a number with two pieces on one square.
void unrank_in_slice(int64_t material, int64_t index, State& state);

}  // namespace zermelo::xiangqi
