// Endgames that are drawn, or tend to be: the evaluation is scaled down.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

constexpr int FULL_SCALE = 64;
constexpr int DRAWN =
    1;  // a known draw, also of middlegame points: next to nothing, but more for a pawn than without it

// The scale of endgame points, of FULL_SCALE.
int endgame_scale(const State& state);

}  // namespace zermelo::chess
