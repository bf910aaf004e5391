// Positions as GNU Backgammon writes them: a position ID, which is the board, and a match ID, which is everything else.
//
//     4HPwATDgc/ABMA:cAkAAAAAAAAE
//
// The board is seen by the player on roll. Two additions make every state of ours a text: the opening roll is a game that has
// not begun (state 0), and a third part, `rolling`, tells that a player who might double has decided to roll.
#pragma once

#include <string>
#include <string_view>

#include "games/backgammon/rules.hpp"

namespace zermelo::backgammon {

std::string write_ids(const State& state, const Rules& rules);

// Reads the IDs, or the position ID alone, with player 0 on roll; otherwise says in `why` what is wrong.
bool read_ids(std::string_view text, const Rules& rules, State& state, std::string& why);

}  // namespace zermelo::backgammon
