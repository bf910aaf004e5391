// Backgammon as a game of the core; positions are GNU Backgammon's position and match IDs.
//
// An action of a player is a complete play of the roll, or a cube decision. One game is worth its points; a match
// continues, game after game, until somebody has won it, and is worth 1 or -1.
#pragma once

#include "games/backgammon/rules.hpp"
#include "games/native.hpp"

namespace zermelo::backgammon {

// One game without a cube and without networks.
const NativeGame& game();

// The table for the given rules, which become its context.
zermelo_table make_table(const Rules& rules);

}  // namespace zermelo::backgammon
