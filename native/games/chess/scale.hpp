// Drawish endgames: the evaluation is scaled down.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

constexpr int FULL_SCALE = 64;

// The scale of endgame points, of FULL_SCALE.
int endgame_scale(const State& state);

}  // namespace zermelo::chess
