// Saving the gammon: how likely a side with fifteen chequers at home is to bear one off in time.
#pragma once

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

constexpr int GAMMON_ROLLS = 8;  // rolls without bearing off a chequer

// [n]: the chance that no chequer is off after n rolls, by the plays that make it least for this very n. It is exact when
// it is known how many rolls are left, and hardly less than what can be reached when they depend on the dice.
using Unsaved = std::array<float, GAMMON_ROLLS>;

// Of a side with all fifteen chequers home. The table is computed when it is first asked for, and kept.
const Unsaved& unsaved(const Side& side);

}  // namespace zermelo::backgammon
