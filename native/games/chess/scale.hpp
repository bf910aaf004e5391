// Endgames that are drawn more often than their points say.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

constexpr int FULL_SCALE = 64;

// How much of the endgame's points to believe, of FULL_SCALE.
int endgame_scale(const State& state);

}  // namespace zermelo::chess
