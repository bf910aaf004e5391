// The static exchange: what a move wins or loses if both sides go on taking on its square with their least piece.
#pragma once

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

// Points for the side that moves, of a move from one square to another. Pieces that others uncover join in, cannons that
// lose their screen leave, pins are not looked at, and either side stops where going on would cost it.
int exchange(const State& state, int from, int to);

}  // namespace zermelo::xiangqi
