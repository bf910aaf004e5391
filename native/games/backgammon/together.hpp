// The last chequers of both sides, solved together: the winning probability and the value of the cube. Both are exact.
//
// Each table is computed on first use and kept.
#pragma once

#include "games/backgammon/board.hpp"
#include "games/backgammon/cube.hpp"

namespace zermelo::backgammon {

// Whether the tables contain this board: all chequers home, and few.
bool is_solved(const Board& board);

// The probability that the player on roll wins such a board.
double solved_chance(const Board& board);

// The equity of the player about to roll there, in a money game with a stake of one. The cube is unlimited.
double solved_equity(const Board& board, Owner owner);

}  // namespace zermelo::backgammon
