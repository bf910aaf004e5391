// Endgame tables of chess: the slice of a position is what stands on the board, its number where.
//
// The stronger side is White in every slice: positions with the colours the other way round share the number. So do positions
// that are mirrored by files and, without pawns, turned or mirrored in any other way.
#pragma once

#include "games/chess/placement.hpp"

namespace zermelo::chess {

// What stands on the board: 15 bits a side, the stronger one's higher, with three for the number of each kind of piece from
// pawns up. Below 0 for what no slice has: more than five pieces, a right to castle or to take en passant, and what no position
// can be.
int64_t material_of(const State& state);

// How many numbers a slice has; below 0 if there is no such slice.
int64_t slice_size(int64_t material);

// The number of a position whose `material_of` is not below 0.
int64_t rank_in_slice(const State& state);

// The position of a number, with White as the stronger side; an empty board for a number with two pieces on one square.
void unrank_in_slice(const Placements& placements, int64_t material, int64_t index, State& state);

}  // namespace zermelo::chess
