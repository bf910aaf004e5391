// Backgammon as a game of the core; positions are GNU Backgammon's position and match IDs.
//
// An action of a player is a whole play of the roll, or a choice about the cube. One game is worth its points; a match is
// played on, game after game, until somebody has won it, and is worth 1 or -1.
#pragma once

#include "games/backgammon/rules.hpp"
#include "games/native.hpp"

namespace zermelo::backgammon {

// One game without a cube and without networks.
const NativeGame& game();

// The table for rules of one's own, which become its context.
zermelo_table make_table(const Rules& rules);

}  // namespace zermelo::backgammon
