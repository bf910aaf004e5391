// The last chequers of both sides, solved together: who wins, and what the cube is worth until then. Both are exact.
//
// Each table is computed when it is first asked for, and kept.
#pragma once

#include "games/backgammon/board.hpp"
#include "games/backgammon/cube.hpp"

namespace zermelo::backgammon {

// Whether the tables hold this board: all chequers home, and few.
bool is_solved(const Board& board);

// The chance that the player on roll wins such a board.
double solved_chance(const Board& board);

// What the player expects who is about to roll there, in a game for money with a stake of one. The cube has no end.
double solved_equity(const Board& board, Owner owner);

}  // namespace zermelo::backgammon
