// The legal moves of Chinese chess, and whether a king is attacked.
//
// A move is legal if it leaves the mover's own king unattacked, where a king attacks the other along an open column.
// The order of moves depends only on the position: rooks, cannons, horses, pawns, elephants, advisors, king; within
// each the lowest square first, and of its targets the lowest first.
#pragma once

#include <cstdint>

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

constexpr unsigned MAX_MOVES = 128;  // no position has more: rooks and cannons 17 each, horses 8, pawns 3, … are 119

// Whether the king of `colour` is attacked.
bool attacked(const State& state, int colour);

// Writes the legal moves of the side to move into `actions`, which has room for MAX_MOVES; returns their number.
unsigned legal_moves(const State& state, int64_t* actions);

// Whether there is a legal move; `state.check` must be correct. Stops at the first one found.
bool has_legal_move(const State& state);

}  // namespace zermelo::xiangqi
