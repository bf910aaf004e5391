// The static exchange: what a move wins or loses if both sides go on taking on its square with their least piece.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

// Centipawns for the side that moves. Pieces behind others join in, pins are not looked at, and either side stops where
// going on would cost it.
int exchange(const State& state, Action action);

}  // namespace zermelo::chess
