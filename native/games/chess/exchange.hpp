// Static exchange evaluation: the material won or lost by a move if both sides keep capturing on its square with their
// least valuable piece.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

// Centipawns for the side to move. X-ray attackers are included, pins are ignored, and either side stops when
// continuing would cost it.
int exchange(const State& state, Action action);

}  // namespace zermelo::chess
