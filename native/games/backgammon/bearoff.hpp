// Bearing off: how many rolls a side needs once all its chequers are home, and who comes first.
//
// One side alone plays for the fewest rolls on average; from the two distributions of rolls follows the chance to win, which
// is exact but for plays that give up speed to catch up. For up to six chequers a side the chance is computed over
// both sides together, and is exact. The tables are computed when they are first asked for, and kept.
#pragma once

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

constexpr int MOST_ROLLS = 32;  // no side needs more; the probabilities behind are below those of a float

struct BearOff {
    double mean;  // rolls until all are off
    std::array<float, MOST_ROLLS> done;  // [n]: the chance to need exactly n rolls
};

// What is known of a side whose chequers are all home.
const BearOff& bear_off(const Side& side);

// The chance that the player on roll wins, with all chequers of both home.
double race_chance(const Board& board);

// The chance that the player on roll (or the other) wins a gammon there, against all fifteen chequers. The winner plays for
// the fewest rolls, the loser to save the gammon.
double gammon_chance(const Board& board);
double gammon_chance_against(const Board& board);

}  // namespace zermelo::backgammon
