// Positions in GNU Backgammon's notation: a position ID for the board, and a match ID for everything else.
//
//     4HPwATDgc/ABMA:cAkAAAAAAAAE
//
// The board is from the point of view of the player on roll. Two extensions make every state representable: the opening
// roll is a game that has not begun (state 0), and a third part, `rolling`, marks that a player who might double has
// decided to roll.
#pragma once

#include <string>
#include <string_view>

#include "games/backgammon/rules.hpp"

namespace zermelo::backgammon {

std::string write_ids(const State& state, const Rules& rules);

// Reads the IDs, or the position ID alone, with player 0 on roll; on failure writes the reason to `why`.
bool read_ids(std::string_view text, const Rules& rules, State& state, std::string& why);

}  // namespace zermelo::backgammon
