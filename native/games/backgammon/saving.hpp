// Saving the gammon: the probability that a side with fifteen chequers at home bears one off in time.
#pragma once

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

constexpr int GAMMON_ROLLS = 8;  // rolls without bearing off a chequer

// [n]: the probability that no chequer is off after n rolls, by the plays that minimise it for this n. It is exact when
// the number of remaining rolls is known, and nearly so when it depends on the dice.
using Unsaved = std::array<float, GAMMON_ROLLS>;

// For a side with all fifteen chequers home. The table is computed on first use and kept.
const Unsaved& unsaved(const Side& side);

}  // namespace zermelo::backgammon
