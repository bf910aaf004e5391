// Static exchange evaluation: the material won or lost by a move if both sides keep capturing on its square with their
// least valuable piece.
#pragma once

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

// Points for the side to move, of a move from one square to another. Uncovered attackers join in, cannons that lose
// their screen drop out, pins are ignored, and either side stops when continuing would cost it.
int exchange(const State& state, int from, int to);

}  // namespace zermelo::xiangqi
